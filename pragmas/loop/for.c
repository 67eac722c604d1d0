/* SPDX-License-Identifier: Apache-2.0 */
/* `#pragma heddle for`: one loop over every device. This file only puts the steps in order. */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "loop.h"
#include "analysis/proof.h"

static bool firstprivate(struct for_loop *f) {
    struct nest *w = &f->w;
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_FIRSTPRIVATE && k < c->items.n; k++) {
            struct var *v = capture_named(w, c->items.at[k].name);
            const char *name = source_flat(&w->u->src, c->items.at[k].name);
            if (!v) {
                diag_warning(w->u, c->items.at[k].name.b, "'firstprivate' of '%s', which the loop does not use", name);
                continue;
            }
            if (v->kind == VAR_LOOP) {
                diag_error(w->u, c->items.at[k].name.b, "'firstprivate' of '%s', which the loop sets itself; remove it",
                           name);
                return false;
            }
            if (v->kind == VAR_ARRAY || v->reduced) {
                diag_error(w->u, c->items.at[k].name.b,
                           v->reduced ? "'%s' is reduced as well; name it once"
                                      : "'%s' is an array; declare it inside the loop",
                           name);
                return false;
            }
            v->private = true;
        }
    }
    return true;
}

static bool capture(struct for_loop *f) {
    struct nest *w = &f->w;
    w->continue_at = refs_first_continue(w->body);
    for (int k = 0; k < 2; k++) {
        struct var *v = f->step[k] ? capture_var(w, w->loop[k].var) : mem_alloc(sizeof *v);
        if (!f->step[k]) { /* the place of a nest's second loop */
            v->name = "";
            v->decl = clang_getNullCursor();
        }
        v->kind = VAR_LOOP;
        vec_push(&w->vars, v);
        if (f->step[k] && !capture_check_name(w, v, w->loop[k].stmt->b))
            return false;
    }
    return capture_body(w);
}

/* A loop's own kernels join arrays, and by users' operators. */
static bool check_joined(struct for_loop *f) {
    for_hidden_declared(f);
    for (size_t i = 0; i < f->w.vars.n; i++) {
        const struct var *v = f->w.vars.at[i];
        if (v->user && f->jobs) {
            diag_error(f->w.u, v->use, "'%s' is reduced by a declared reduction; jobs reduce numbers by %s", v->name,
                       "+, *, max, min, &, |, ^, && or ||");
            return false;
        }
        if (!v->joined || (!f->jobs && !f->host_driven && !for_hidden_uses(f, v)))
            continue;
        diag_error(f->w.u, v->map_item->name.b,
                   f->jobs ? "jobs reduce no arrays; append to a list, or reduce scalars"
                           : "'%s' is an array that is reduced, in a loop with variants or OpenMP directives that hide "
                             "statements; reduce scalars there",
                   v->name);
        return false;
    }
    return true;
}

/* Iterations are dealt out in any order. */
bool for_check_order(struct for_loop *f) {
    struct proof o = {.u = f->w.u, .p = f->w.p, .body = f->w.body, .instead = for_instead, .of = f};
    for (int k = 0; k < 2 && f->step[k]; k++)
        o.loop[o.dims++] = &f->w.loop[k];
    for (size_t i = 0; i < f->w.vars.n; i++)
        if (f->w.vars.at[i]->reduced || f->w.vars.at[i]->private)
            vec_push(&o.privates, f->w.vars.at[i]->decl);
        else if (f->w.vars.at[i]->joined)
            vec_push(&o.joined, f->w.vars.at[i]->decl);
        else if (f->w.vars.at[i]->rows_apart)
            vec_push(&o.tables, f->w.vars.at[i]->decl);
    if (!f->jobs)
        o.condition = for_condition;
    const bool proven = proof_check(&o);
    for (size_t i = 0; proven && i < o.conditions.n; i++)
        for_add_condition(f, o.conditions.at[i]);
    if (proven && o.conditions.n && f->w.u->unproven_warns)
        diag_note(f->w.u, f->w.p->b, "proven if %s; else it runs serially", for_conditions_shown(f));
    return proven;
}

/* Once, with all that devices lack. */
static void say_host(struct for_loop *f) {
    const char *stays = "this loop stays on the host: ";
    for (size_t i = 0; i < f->not_apart.n; i++, stays = "") {
        struct var *v = f->not_apart.at[i];
        diag_note(f->w.u, v->use, "%snothing shows that what two devices write of '%s' lies apart; %s", stays, v->name,
                  for_suggestion(f, v));
    }
    for (size_t i = 0; i < f->unmapped.n; i++, stays = "") {
        struct var *v = f->unmapped.at[i];
        diag_note(f->w.u, v->use, "%s" FOR_UNKNOWN, stays, v->name, for_suggestion(f, v));
    }
}

static bool writes(const void *of, const struct var *v) { return for_may_write((struct for_loop *)of, v); }

/* They are evaluated once. */
static bool check_bounds(struct for_loop *f) {
    bool ok = true;
    if (f->jobs || nest_clause(&f->w, CLAUSE_INDEPENDENT))
        return true;
    for (int l = 0; l < 2 && f->w.loop[l].stmt; l++) {
        const struct loop *loop = &f->w.loop[l];
        ok = ok && nest_check_bound(&f->w, loop->first, writes, f) && nest_check_bound(&f->w, loop->bound, writes, f) &&
             (!loop->step || nest_check_bound(&f->w, loop->step, writes, f));
    }
    return ok;
}

/* Subscripts are those of variables that do not go round: i + 5 from 0u - 5 on begins at zero. */
static void go_straight(struct for_loop *f) {
    for (int l = 0; l < 2 && f->w.loop[l].stmt && !f->jobs; l++) {
        const char *text = loop_straight(f->w.u, &f->w.loop[l]);
        f->only_straight |= text && !f->conditions.n;
        if (text)
            for_add_condition(f, text);
    }
}

bool for_analyse(struct unit *u, const struct pragma *p, struct for_loop *f) {
    struct nest *w = &f->w;
    if (!for_find(u, p, f) || !jobs_check_header(f) || !capture(f) || !jobs_capture(f) || !for_variants(f))
        return false;
    for_targets(f);
    for_hidden(f);
    const bool ok = reduction_apply(w) && reduction_check(w) && check_joined(f) && firstprivate(f) && for_map(f) &&
                    for_scope(f) && for_check(f) && check_bounds(f) && jobs_check(f) && for_check_order(f) &&
                    for_check_sections(f);
    if (ok)
        go_straight(f);
    if (ok)
        say_host(f);
    return ok;
}
