/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch(p): a loop over independent problems. Each declares its bounds, sequences and rolling arrays, gives the arrays
 * first values, runs one nest, and stores results. To the nest a problem's variables come from outside, as those of any
 * nest do; the loop around it is looked at as a parallel loop, whose iterations have to be proven independent. An array
 * that a problem declares cannot be seen by another one: nothing has to be proven of it, and it need not exist.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "analysis/map.h"
#include "analysis/batch.h"
#include "analysis/function.h"
#include "analysis/proof.h"

#include <stdint.h>
#include <string.h>

/* ---- variables ---- */

static bool is_own(const struct nest *w, CXCursor decl) {
    struct span s;
    return ast_span(w->u, decl, &s) && s.b >= w->batch->body->b && s.b < w->batch->body->e;
}

struct var *batch_local(const struct nest *w, const struct node *n) {
    if (n->kind != CXCursor_DeclRefExpr)
        return NULL;
    struct var *v = capture_lookup((struct nest *)w, clang_getCursorReferenced(n->c));
    return v && v->local ? v : NULL;
}

/* The loop over problems as one whose iterations run in parallel. */
static bool capture_outer(struct nest *w) {
    struct batch *b = w->batch;
    struct nest *o = &b->outer;
    struct var *none = mem_alloc(sizeof *none);
    *o = (struct nest){.u = w->u,
                       .p = w->p,
                       .host = w->host,
                       .sure = w->sure,
                       .function = w->function,
                       .function_name = w->function_name,
                       .function_begin = w->function_begin,
                       .root = b->root,
                       .body = b->body,
                       .root_end = b->root_end,
                       .body_begin = b->body->b,
                       .body_end = b->body->e,
                       .continue_at = SIZE_MAX};
    o->loop[0] = b->loop;
    struct var *v = capture_var(o, b->loop.var);
    v->kind = none->kind = VAR_LOOP;
    none->name = "";
    none->decl = clang_getNullCursor();
    vec_push(&o->vars, v);
    vec_push(&o->vars, none);
    if (!capture_check_name(o, v, b->root->b) || !capture_body(o) || !nest_check_jumps(o) || !nest_check_macros(o))
        return false;
    w->defines = o->defines;
    return refs_collect(o);
}

bool batch_variables(struct nest *w) {
    if (!capture_outer(w))
        return false;
    for (size_t i = 2; i < w->vars.n; i++) {
        struct var *v = w->vars.at[i];
        const bool own = is_own(w, v->decl) || clang_equalCursors(v->decl, w->batch->loop.var);
        v->local = own && v->kind == VAR_ARRAY;
        v->own = own && !v->local;
        if (v->local)
            v->keep = KEEP_NONE;
    }
    return true;
}

/* What first values mention comes with the environment, too. */
bool batch_firsts(struct nest *w) {
    if (!batch_before(w))
        return false;
    bool ok = true;
    for (size_t i = 0; i < w->batch->firsts.n; i++) {
        const struct first_value *f = &w->batch->firsts.at[i];
        if (f->zero)
            continue;
        const CXCursor except = f->loop.stmt ? f->loop.var : clang_getNullCursor();
        ok &= capture_more(w, f->value, except);
        for (int d = 0; d < f->nsubs; d++)
            ok &= capture_more(w, f->sub[d], except);
        if (f->loop.stmt)
            ok &= capture_more(w, f->loop.first, except) && capture_more(w, f->loop.bound, except);
    }
    for (size_t i = 2; i < w->vars.n; i++) {
        struct var *v = w->vars.at[i];
        if (!v->local && (is_own(w, v->decl) || clang_equalCursors(v->decl, w->batch->loop.var)))
            v->own = true;
    }
    return ok;
}

/* ---- behind the nest ---- */

static const char *squeezed(const char *text) {
    struct buf b = {0};
    buf_add(&b, "", 0);
    for (; *text; text++)
        if (!strchr(" \t\r\n()", *text))
            buf_add(&b, text, 1);
    return b.s;
}

static const char *bound_text(const struct nest *w, const struct loop *l) {
    return mem_printf("%s%s", source_flat(&w->u->src, l->hi), l->open ? " - 1" : "");
}

/* A loop's variable replaced by its last value. */
static const char *at_end(const struct nest *w, const char *text) {
    struct buf b = {0};
    buf_add(&b, "", 0);
    while (*text) {
        const size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        const struct loop *of = NULL;
        for (int l = 0; word && l < 2; l++)
            if (strlen(w->loop[l].name) == word && !strncmp(text, w->loop[l].name, word))
                of = &w->loop[l];
        if (of)
            buf_puts(&b, bound_text(w, of));
        else
            buf_add(&b, text, word ? word : 1);
        text += word ? word : 1;
    }
    return b.s;
}

/* A subscript of the write with the loops' last values in it; not ok where it is no polynomial. */
static void last_value(struct nest *w, struct node *subscript, struct poly *out) {
    static const char *const atoms[] = {ATOM_I, ATOM_J};
    struct poly coef, rest, bound, by;
    affine_of(w, subscript, out);
    for (int l = 0; out->ok && l < 2; l++) {
        affine_of(w, w->loop[l].bound, &bound);
        struct poly one;
        affine_constant(&one, 1);
        affine_add(&bound, &one, w->loop[l].open ? -1 : 0);
        if (!bound.ok || !affine_split(out, atoms[l], &coef, &rest)) {
            out->ok = false;
            return;
        }
        affine_multiply(&coef, &bound, &by);
        affine_add(&rest, &by, 1);
        *out = rest;
    }
    if (out->ok && (!affine_split(out, ATOM_ROLL, &coef, &rest) || coef.n)) /* by the text, which says what rolls */
        out->ok = false;
}

/* The same element, by numbers or as it is written. */
static bool is_last(struct nest *w, const struct ref *write, const struct ref *behind) {
    const char *last = at_end(w, refs_text(w, write));
    bool same = write->nsubs == behind->nsubs;
    for (int d = 0; same && d < write->nsubs; d++) {
        struct poly there, here;
        last_value(w, write->sub[d], &there);
        affine_of(w, behind->sub[d], &here);
        same = there.ok && here.ok && affine_equal(&there, &here);
    }
    return same || !strcmp(squeezed(last), squeezed(unit_text(w->u, behind->n)));
}

/* All mentions of the problem's arrays behind the nest have to be of its last cell. */
static bool check_behind(struct nest *w, struct node *n) {
    bool ok = true;
    struct var *v = batch_local(w, n);
    if (v && n->b >= w->batch->nest_end) {
        struct ref r = {.v = v};
        if (!refs_subscripts(v, n, &r) || !v->write || !is_last(w, v->write, &r) ||
            capture_access(r.n) != ACCESS_READ) {
            diag_error(w->u, n->b,
                       "of '%s' only the last cell is there behind the nest, written as '%s'; what others give is "
                       "gathered in the nest: if (%s == %s) sum += …, with reduction(+: sum)",
                       v->name, v->write ? at_end(w, refs_text(w, v->write)) : v->name, w->loop[0].name,
                       bound_text(w, &w->loop[0]));
            return false;
        }
        w->batch->last_cell = true;
    }
    for (struct node *c = n->first; c; c = c->next)
        ok &= check_behind(w, c);
    return ok;
}

static bool check_written(struct nest *w) {
    bool ok = true;
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (v->write && !v->local) {
            diag_error(w->u, v->write->b,
                       "'%s' is written by the cells of every problem; declare the array inside the loop over '%s', or "
                       "store results behind the nest",
                       v->name, w->batch->loop.name);
            ok = false;
        }
        if (v->reduced && !v->own) {
            diag_error(w->u, v->use, "'%s' is reduced by every problem; declare it inside the loop over '%s'", v->name,
                       w->batch->loop.name);
            ok = false;
        }
    }
    return ok;
}

/* ---- maps: of what the loop over problems takes from outside ---- */

static bool is_array(const struct var *v) { return v->kind == VAR_POINTER || v->kind == VAR_ARRAY; }

static unsigned access_of(const struct nest *o, const struct var *v) {
    unsigned all = 0;
    for (size_t i = 0; i < o->refs.n; i++)
        if (o->refs.at[i]->v == v)
            all |= o->refs.at[i]->access;
    return all;
}

static bool map_item(struct nest *o, const struct clause *c, const struct item *item) {
    struct var *v = capture_named(o, item->name);
    const char *name = source_flat(&o->u->src, item->name);
    if (!v || !is_array(v)) {
        diag_error(o->u, item->name.b,
                   v ? "'%s' is not an array; scalars are copied to the device"
                     : "'map' of '%s', which the loop does not take from outside; remove it",
                   name);
        return false;
    }
    if (v->map_item) {
        diag_error(o->u, item->name.b, "'%s' is mapped twice; name it once", name);
        return false;
    }
    const bool written = access_of(o, v) & ACCESS_WRITE;
    v->map_item = item;
    v->map_kind = (enum map_kind)c->kind;
    if (written == (v->map_kind == MAP_TO || v->map_kind == MAP_ALLOC)) {
        diag_error(o->u, item->name.b,
                   written ? "'%s' is written, but this map does not bring it back; use map(from: …) or map(tofrom: …)"
                           : "'%s' is not written; use map(to: …)",
                   name);
        return false;
    }
    if (v->map_kind == MAP_FROM)
        v->map_kind = MAP_TOFROM; /* nothing says that every element is written */
    if (!item->nsections && v->sized) {
        map_whole(v);
        return true;
    }
    if (!item->nsections) {
        diag_error(o->u, item->name.b, "'%s' is a pointer, so its size is not known; write %s[first : count]", name,
                   name);
        return false;
    }
    return map_section(o, v, item);
}

static bool map_all(struct nest *o) {
    bool ok = true;
    for (size_t i = 0; i < o->p->clauses.n; i++) {
        const struct clause *c = &o->p->clauses.at[i];
        for (size_t k = 0; c->id == CLAUSE_MAP && k < c->items.n; k++)
            ok &= map_item(o, c, &c->items.at[k]);
    }
    for (size_t i = 2; ok && i < o->vars.n; i++) {
        struct var *v = o->vars.at[i];
        if (!is_array(v) || v->map_item)
            continue;
        ok = map_infer(o, v);
        v->map_kind = access_of(o, v) & ACCESS_WRITE ? MAP_TOFROM : MAP_TO;
    }
    for (size_t i = 2; ok && i < o->vars.n; i++)
        if (o->vars.at[i]->map_first)
            map_rows(o, o->vars.at[i]);
    return ok;
}

/* ---- rows that all problems share, tables ---- */

bool batch_mentions_own(const struct nest *w, const struct node *n) {
    if (n->kind == CXCursor_DeclRefExpr) {
        const struct var *v = capture_lookup((struct nest *)w, clang_getCursorReferenced(n->c));
        if (v && (v->own || v->local))
            return true;
    }
    for (const struct node *c = n->first; c; c = c->next)
        if (batch_mentions_own(w, c))
            return true;
    return false;
}

static void find_uniform(struct nest *w) {
    for (int l = 0; l < 2; l++)
        w->batch->same_first[l] = !batch_mentions_own(w, w->loop[l].first);
    w->batch->uniform_rows = w->batch->same_first[0];
    for (size_t i = 0; i < w->rows.n; i++)
        w->batch->uniform_rows &= !batch_mentions_own(w, w->rows.at[i]->ref->n);
}

/* What is left of memory in a pure body are tables, looked up by what rows and columns hold. */
static void find_tables(struct nest *w) {
    size_t n = 0;
    for (size_t i = 0; w->pure && i < w->refs.n; i++) {
        struct ref *r = w->refs.at[i];
        if (r->role != ROLE_MEMORY || r->macro || r->access & ACCESS_UNEVALUATED)
            continue;
        for (size_t k = 0; k < i && !r->look; k++)
            if (w->refs.at[k]->look && !strcmp(squeezed(refs_text(w, w->refs.at[k])), squeezed(refs_text(w, r))))
                r->look = w->refs.at[k]->look;
        if (!r->look)
            r->look = mem_printf("%s_%zu", r->v->name, n++);
    }
}

static bool is_independent(struct nest *w) {
    struct proof o = {.u = w->u, .p = w->p, .body = w->batch->body, .dims = 1};
    o.loop[0] = &w->batch->loop;
    return proof_check(&o);
}

/* The other clauses are about one nest's arrays and order. */
static bool check_clauses(const struct nest *w) {
    static const enum clause_id none[] = {CLAUSE_KEEP, CLAUSE_SINK, CLAUSE_LAYOUT};
    const struct clause *schedule = nest_clause(w, CLAUSE_SCHEDULE);
    bool ok = true;
    for (size_t k = 0; k < sizeof none / sizeof *none; k++)
        if (nest_clause(w, none[k])) {
            diag_error(w->u, nest_clause(w, none[k])->name.b,
                       "'%s' does not go with problems that declare their arrays; remove it",
                       source_flat(&w->u->src, nest_clause(w, none[k])->name));
            ok = false;
        }
    if (schedule && strcmp(clause_schedule_constant(schedule->kind), "HEDDLE_SCHEDULE_AUTO") != 0 &&
        strcmp(clause_schedule_constant(schedule->kind), "HEDDLE_SCHEDULE_SERIAL") != 0) {
        diag_error(w->u, schedule->name.b, "a batch has schedule(auto) or schedule(serial)");
        ok = false;
    }
    return ok;
}

bool batch_check(struct nest *w) {
    if (!check_clauses(w) || !check_written(w) || !check_behind(w, w->batch->body) || !batch_around(w))
        return false;
    if (!w->registers || w->extended) {
        diag_error(w->u, w->root->b, "a batch's cells may depend on their left, upper and upper left neighbours only");
        return false;
    }
    const struct calls calls = {.u = w->u, .visit = function_visit(), .host = w->host, .sure = w->sure};
    if (!calls_check(&calls, w->batch->body) || !is_independent(w) || !map_all(&w->batch->outer))
        return false;
    find_uniform(w);
    find_tables(w);
    if (!w->pure && w->impure)
        diag_warning(w->u, w->impure->b,
                     "'%s' may fail where there is no cell, so on the host each of these problems runs without lanes; "
                     "elements that every row or column has, tables, and division by a constant do not stop them",
                     unit_text(w->u, w->impure));
    return true;
}
