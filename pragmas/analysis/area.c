/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of an array a reference touches: the least and the largest value of each subscript. The variables of loops
 * inside are replaced by their bounds, from the innermost one outwards; what is left holds the parallel loop's
 * variable, if there is one, and what does not change. Of the first dimension all has to be known, unless its extent
 * is; of the others the whole row is taken else.
 */
#include "analysis/capture.h"
#include "analysis/refs.h"
#include "area.h"

#include <string.h>

/* ---- loops around a reference ---- */

/* int k = i * n + j; that is never changed */
static struct node *constant_value(const struct nest *w, CXCursor d) {
    struct node *n = capture_is_inside(w, d) ? ast_declaration(w->body, d) : NULL;
    return n && n->last && clang_isExpression(n->last->kind) && affine_is_integer(clang_getCursorType(d)) &&
                   !node_changes(w->body, d, NULL)
               ? n->last
               : NULL;
}

struct node *area_value(struct look *k, struct node *n) {
    return constant_value(k->w, clang_getCursorReferenced(n->c));
}

static bool changes(const struct look *k, struct node *n) {
    struct var *v = n->kind == CXCursor_DeclRefExpr ? capture_lookup(k->w, clang_getCursorReferenced(n->c)) : NULL;
    if (v && (v->private || v->reduced || k->changes(k->of, v)))
        return true;
    for (struct node *c = n->first; c; c = c->next)
        if (changes(k, c))
            return true;
    return false;
}

static void leaf(void *of, struct node *n, struct poly *out) {
    struct look *k = of;
    const CXCursor d = clang_getCursorReferenced(n->c);
    struct node *value = n->kind == CXCursor_DeclRefExpr && k->depth < 8 ? constant_value(k->w, d) : NULL;
    for (size_t i = 0; n->kind == CXCursor_DeclRefExpr && i < k->inner.n; i++)
        if (clang_equalCursors(d, k->inner.at[i].var)) {
            affine_atom(out, k->inner.at[i].atom);
            return;
        }
    if (value) {
        k->depth++;
        affine_read(&(struct affine_names){k, leaf, NULL, NULL}, value, out);
        k->depth--;
    } else if (!changes(k, n)) {
        affine_of(k->w, n, out);
    }
}

void area_poly(struct look *k, struct node *n, struct poly *out) {
    affine_read(&(struct affine_names){k, leaf, NULL, NULL}, n, out);
}

bool area_holds(const struct poly *p, const char *atom) {
    for (int t = 0; t < p->n; t++)
        for (int a = 0; a < p->t[t].n; a++)
            if (strcmp(p->t[t].atom[a], atom) == 0)
                return true;
    return false;
}

bool area_holds_inner(const struct look *k, const struct poly *p) {
    bool any = false;
    for (size_t i = 0; i < k->inner.n; i++)
        any |= area_holds(p, k->inner.at[i].atom);
    return any;
}

static bool holds_loop(const struct look *k, const struct poly *p) {
    return area_holds(p, ATOM_I) || area_holds_inner(k, p);
}

static void enter(struct look *k, const struct loop_count *c) {
    long step = 1;
    struct poly one = {.ok = true, .n = 1, .t = {{.k = 1}}}, first, bound;
    struct inner in = {.var = c->var, .atom = mem_printf("\3%zu", k->inner.n), .down = c->down};
    area_poly(k, c->first, &first);
    area_poly(k, c->bound, &bound);
    if (c->open)
        affine_add(&bound, &one, c->down ? 1 : -1);
    if (c->step && (!ast_constant(c->step, &step) || (step != 1 && step != -1)))
        bound.ok = false; /* where it ends is not known */
    if (count_goes_round(c))
        first.ok = bound.ok = false; /* i + 5 begins at zero again */
    else if (count_has_no_sign(c))
        area_poly(k, c->down ? c->bound : c->first, &in.positive);
    in.least = c->down ? bound : first;
    in.most = c->down ? first : bound;
    in.exact = !c->sooner;
    in.fixed = first.ok && bound.ok && !holds_loop(k, &first) && !holds_loop(k, &bound);
    vec_push(&k->inner, in);
}

static void enter_loops(struct look *k, struct node *at) {
    struct nest *w = k->w;
    struct loop_count c;
    if (at == w->body) {
        const struct loop *l = &w->loop[1];
        if (l->stmt)
            enter(k, &(struct loop_count){l->var, l->first, l->bound, l->step, l->open, l->down, false, NULL});
        return;
    }
    enter_loops(k, at->up);
    if (at->up->kind == CXCursor_ForStmt && at == at->up->last) {
        if (loop_counts(at->up, &c))
            enter(k, &c);
        else
            vec_push(&k->inner, (struct inner){.var = clang_getNullCursor(), .atom = "\3?"});
    }
}

/* ---- the values of a subscript ---- */

static bool add(struct side *s, const struct poly *p) {
    if (!p->ok || s->n == BOUNDS)
        return false;
    s->at[s->n++] = *p;
    return true;
}

static bool extreme(const struct look *k, const struct poly *p, bool upper, struct side *out) {
    struct poly coef, rest, sum[2], product;
    size_t i = k->inner.n;
    while (i > 0 && !area_holds(p, k->inner.at[i - 1].atom))
        i--;
    if (!i)
        return add(out, p);
    const struct inner *in = &k->inner.at[i - 1];
    if (!affine_split(p, in->atom, &coef, &rest) || holds_loop(k, &coef) || (!in->least.ok && !in->most.ok))
        return false;
    for (int s = 0; s < 2; s++) {
        affine_multiply(&coef, s ? &in->most : &in->least, &product);
        sum[s] = rest;
        affine_add(&sum[s], &product, 1);
    }
    long number;
    if (affine_is_constant(&coef, &number))
        return extreme(k, &sum[upper == (number > 0)], upper, out);
    return extreme(k, &sum[0], upper, out) && extreme(k, &sum[1], upper, out);
}

/* One variable, once, and nothing that scales it. */
static bool is_plain(struct look *k, const struct poly *p, bool *iteration) {
    struct poly coef, rest;
    long c;
    int variables = 0;
    for (size_t i = 0; i <= k->inner.n; i++) {
        const char *atom = i < k->inner.n ? k->inner.at[i].atom : ATOM_I;
        if (!area_holds(p, atom))
            continue;
        if (!affine_split(p, atom, &coef, &rest) || !affine_is_constant(&coef, &c) || (c != 1 && c != -1))
            return false;
        variables++;
        if (i == k->inner.n) {
            if (*iteration)
                return false;
            *iteration = true;
        } else {
            if (k->inner.at[i].seen || !k->inner.at[i].exact || !k->inner.at[i].fixed)
                return false;
            k->inner.at[i].seen = true;
        }
    }
    return variables < 2;
}

static long magnitude(long k) { return k < 0 ? -k : k; }

/* A multiple of one loop's variable, whose values are known, and something fixed. */
static long pace_of(struct look *k, const struct poly *p) {
    struct poly coef, rest;
    long c, step = 1, pace = 1;
    int variables = 0;
    for (size_t i = 0; p->ok && i <= k->inner.n; i++) {
        const bool own = i == k->inner.n;
        if (!area_holds(p, own ? ATOM_I : k->inner.at[i].atom))
            continue;
        if (!affine_split(p, own ? ATOM_I : k->inner.at[i].atom, &coef, &rest) || !affine_is_constant(&coef, &c) ||
            (!own && !k->inner.at[i].exact))
            return 0;
        if (own && k->w->loop[0].step && !ast_constant(k->w->loop[0].step, &step))
            return 0;
        pace = magnitude(own ? c * step : c);
        variables++;
    }
    return p->ok && variables < 2 ? pace : 0;
}

static bool jumps(const struct node *n) {
    if (n->kind == CXCursor_BreakStmt || n->kind == CXCursor_ContinueStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (jumps(c))
            return true;
    return false;
}

/* Not a member of it, nor an element of a member. */
static bool is_set(const struct node *element) {
    const struct node *up = element->up;
    while (up && up->kind == CXCursor_ParenExpr)
        up = up->up;
    return up && ast_is_assignment(up);
}

/* Does a chunk surely write all of the area? */
static bool is_exact(struct look *k, const struct area *a, const struct poly *sub) {
    const struct loop *l = &k->w->loop[0];
    bool iteration = false;
    long step = 1;
    if (a->access != ACCESS_WRITE || !is_set(a->ref.n) || refs_after_condition(k->w, a->ref.n) || jumps(k->w->body) ||
        (l->step && (!ast_constant(l->step, &step) || (step != 1 && step != -1))))
        return false;
    for (int d = 0; d < a->ref.nsubs; d++)
        if (!sub[d].ok || !is_plain(k, &sub[d], &iteration))
            return false;
    for (size_t i = 0; i < k->inner.n; i++)
        if (!k->inner.at[i].seen)
            return false; /* perhaps it has no turn */
    return iteration;
}

/* A loop inside another one has a turn for some of that one's values only. */
static void tighten_by_turns(struct look *k) {
    for (size_t i = k->inner.n; i-- > 0;) {
        struct poly turn = k->inner.at[i].most;
        affine_add(&turn, &k->inner.at[i].least, -1);
        if (turn.ok && k->inner.at[i].least.ok && area_holds_inner(k, &turn))
            area_tighten(k, &turn);
    }
}

/* Loops whose bounds are the same for all iterations have a turn, or there is nothing to map; of others only the
   iterations count for which there is one. */
static void turns(struct look *k, struct area *a) {
    struct buf b = {0};
    buf_add(&b, "", 0);
    for (size_t i = 0; i < k->inner.n; i++) {
        const struct inner *in = &k->inner.at[i];
        struct poly turn = in->most;
        affine_add(&turn, &in->least, -1);
        if (in->positive.ok && !area_holds_inner(k, &in->positive))
            area_clip(a, &in->positive);
        if (in->fixed)
            buf_printf(&b, "%s%s <= %s%s", b.n ? " && " : "", affine_text(&in->least, "", ""),
                       affine_text(&in->most, "", ""),
                       in->positive.ok ? mem_printf(" && %s >= 0", affine_text(&in->positive, "", "")) : "");
        else if (turn.ok && !area_holds_inner(k, &turn))
            area_clip(a, &turn);
    }
    a->some = b.s;
}

bool area_read(const struct look *where, const struct use *use, struct area *a) {
    struct look k = {.w = where->w, .changes = where->changes, .of = where->of};
    struct poly sub[MAX_DIMS] = {{.ok = false}};
    if (!refs_subscripts(a->ref.v, use->n, &a->ref))
        return false;
    a->access = capture_access(a->ref.n);
    if (a->access & ACCESS_ADDRESS)
        return false;
    enter_loops(&k, a->ref.n);
    area_guards(&k, a);
    tighten_by_turns(&k);
    for (int d = 0; d < a->ref.nsubs; d++) {
        area_poly(&k, a->ref.sub[d], &sub[d]);
        a->known[d] = sub[d].ok && extreme(&k, &sub[d], false, &a->lo[d]) && extreme(&k, &sub[d], true, &a->hi[d]);
    }
    for (int d = 0; d < a->ref.nsubs; d++)
        a->pace[d] = pace_of(&k, &sub[d]);
    a->exact = is_exact(&k, a, sub);
    turns(&k, a);
    return true;
}
