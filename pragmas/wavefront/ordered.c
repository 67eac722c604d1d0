/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests whose dependences are at no constant distance: a cell reads its whole row to the left and its column above, a
 * diagonal element, a plane of its own. They run in the memory form where it is proven that its order keeps them: rows
 * run from left to right, each behind the one above, so two cells that touch the same element must not be further
 * apart to the left than rows may be. The proof is that of `for` (analysis/proof.c).
 */
#include "wavefront/wavefront.h"
#include "analysis/proof.h"
#include "analysis/refs.h"

enum { MOST_BACK = 2 };

static bool is_keeping(struct nest *w) {
    for (size_t i = 0; i < w->p->clauses.n; i++) {
        const struct clause *c = &w->p->clauses.at[i];
        if (c->id == CLAUSE_SINK || c->id == CLAUSE_LAYOUT || (c->id == CLAUSE_KEEP && c->kind != KEEP_ALL))
            return false;
    }
    return true;
}

static bool find_order(struct nest *w, long *back, const struct proof_access *odd[2]) {
    struct proof o = {.u = w->u, .p = w->p, .body = w->body, .dims = 2};
    for (int l = 0; l < 2; l++)
        o.loop[l] = &w->loop[l];
    for (size_t i = 0; i < w->vars.n; i++)
        if (w->vars.at[i]->reduced)
            vec_push(&o.privates, w->vars.at[i]->decl);
    return proof_columns(&o, MOST_BACK, back, odd);
}

static const struct clipped *clip_of(const struct nest *w) {
    for (size_t i = 0; i < w->u->clipped.n; i++)
        if (&w->u->pragmas->at[w->u->clipped.at[i].number] == w->p)
            return &w->u->clipped.at[i];
    return NULL;
}

/* A cell depends on cells to its left, and on rows above, `back` columns to the right at most. */
static bool by_order(struct nest *w, long back) {
    bool ok = dep_prepare(w);
    w->ordered = true;
    w->registers = w->extended = false;
    w->vectors.n = 0;
    vec_push(&w->vectors, (struct vector){.dj = 1});
    vec_push(&w->vectors, (struct vector){.di = 1, .dj = -back});
    for (size_t i = 0; i < w->vars.n; i++) {
        struct var *v = w->vars.at[i];
        v->edge = v->left = v->diagonal = v->ahead = v->behind = v->preload = v->guard_top = v->guard_left = false;
        v->field = v->write ? FIELD_FULL : FIELD_NONE;
        ok = ok && (!v->write || dep_references(w, v));
    }
    for (size_t i = 0; i < w->refs.n; i++)
        w->refs.at[i]->role = ROLE_MEMORY;
    return ok;
}

bool dep_find(struct nest *w) {
    const struct proof_access *odd[2] = {NULL, NULL};
    struct diag_held uniform;
    long back;
    w->clip = clip_of(w);
    if (w->clip && w->clip->tiles)
        return by_order(w, 0) && dep_legal(w);
    diag_hold(w->u, &uniform);
    const bool ok = dep_classify(w) && dep_legal(w);
    if (ok || w->swept || w->batch || !is_keeping(w)) {
        diag_release(w->u, &uniform, true);
        return ok;
    }
    if (find_order(w, &back, odd)) {
        diag_release(w->u, &uniform, false);
        return by_order(w, back) && dep_legal(w);
    }
    diag_release(w->u, &uniform, true);
    if (odd[0] && odd[0] != odd[1])
        diag_note(w->u, odd[1]->n->b, "nor is any order of rows behind each other proven to keep '%s' and '%s'",
                  unit_text(w->u, odd[0]->n), unit_text(w->u, odd[1]->n));
    return false;
}

/* ---- what advice should know ------------------------------------------------------------------------------------- */
static bool holds_loop(const struct node *n) {
    if (n->kind == CXCursor_ForStmt || n->kind == CXCursor_WhileStmt || n->kind == CXCursor_DoStmt)
        return true;
    for (const struct node *c = n->first; c; c = c->next)
        if (holds_loop(c))
            return true;
    return false;
}

static bool moves_with_columns(const struct ref *r) {
    for (int d = 0; d < r->nsubs; d++) {
        struct poly coef, rest;
        long c;
        if (!affine_split(&r->poly[d], ATOM_J, &coef, &rest) || !affine_is_constant(&coef, &c) || c != 0)
            return true;
    }
    return false;
}

/* All cells of a row change one element, as in a triangular solver: a product or so for each element of a matrix that
   is read once. One thread is as fast as memory until the matrix is much larger than caches. */
void dep_hint(const struct nest *w) {
    const struct ref *one = NULL;
    if (!w->ordered || holds_loop(w->body))
        return;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (!(r->access & ACCESS_WRITE))
            continue;
        if (moves_with_columns(r))
            return;
        one = r;
    }
    if (one)
        diag_hint(
            w->u, w->p->b,
            "fits, but the cells of a row only add up '%s', and rows wait for it: memory sets the pace, so threads "
            "lose below some 4,000 rows and gain a quarter above",
            refs_text(w, one));
}
