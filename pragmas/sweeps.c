/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweeps(t): a loop over sweeps around the two loops of a wavefront. To the two it is a scalar from outside,
 * so that a sweep at a time is always legal. Several sweeps may run behind each other, each some rows and
 * columns behind the one before, wherever written arrays are whole and t does not choose the element: then
 * every cell that a sweep reads of the one before is at a constant distance, and lagging covers it.
 *
 * A nest is a star when each cell reads, of the arrays it writes, only itself and its four neighbours, all in
 * every cell: the upper and left ones are new, the lower and right ones and its own old value come from the
 * sweep before. Such nests keep several sweeps in registers (heddle/wavefront_sweeps_*.h).
 */
#include "translate.h"

static struct node *mention(struct nest *w, struct node *n)
{
    if (n->kind == CXCursor_DeclRefExpr &&
        clang_equalCursors(clang_getCursorReferenced(n->c), w->sweep.var))
        return n;
    for (struct node *c = n->first; c; c = c->next) {
        struct node *m = mention(w, c);
        if (m)
            return m;
    }
    return NULL;
}

bool sweeps_choose(struct nest *w, const struct ref *r)
{
    for (int d = 0; w->swept && d < r->nsubs; d++)
        if (mention(w, r->sub[d]))
            return true;
    return false;
}

static bool check_whole(struct nest *w, const struct ref *r)
{
    const struct var *v = r->v;
    if (sweeps_choose(w, r)) {
        diag_error(w->u, r->b,
                   "'%s' of sweep '%s' is another element in every sweep, but sweeps work in "
                   "place; put the pragma before the loop over '%s', without 'sweeps'",
                   refs_text(w, r), w->sweep.name, w->loop[0].name);
        return false;
    }
    if (v->field != FIELD_FULL || v->keep != KEEP_ALL) {
        diag_error(w->u, r->b,
                   "each sweep starts from what the one before left of '%s', which %s", v->name,
                   v->field == FIELD_ROLLING ? "holds a few rows only; give it all of them"
                   : v->field == FIELD_FULL  ? "is not kept whole; say keep(…: all)"
                                             : "has one dimension only; give it two");
        return false;
    }
    return true;
}

int sweeps_side(const struct ref *r)
{
    if (r->di == 0)
        return r->dj == 1 ? SIDE_WEST : r->dj == -1 ? SIDE_EAST : 0;
    return r->di == 1 ? SIDE_NORTH : SIDE_SOUTH;
}

int sweeps_sides(const struct nest *w, const struct var *v)
{
    int sides = 0;
    for (size_t i = 0; i < w->refs.n; i++)
        if (w->refs.at[i]->v == v && w->refs.at[i]->role != ROLE_OWN)
            sides |= sweeps_side(w->refs.at[i]);
    return sides;
}

static bool in_star(const struct ref *r)
{
    const long far = (r->di < 0 ? -r->di : r->di) + (r->dj < 0 ? -r->dj : r->dj);
    if (r->access & ACCESS_UNEVALUATED || r->role == ROLE_OWN)
        return true;
    /* nobody promises that the neighbour of a cell at the border exists if it is only read sometimes */
    return far == 1 && !r->conditional;
}

bool sweeps_check(struct nest *w)
{
    bool ok = true;
    if (!w->swept)
        return true;
    w->star = w->registers;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (r->v->field == FIELD_NONE)
            continue;
        if (r->access & ACCESS_WRITE || sweeps_choose(w, r))
            ok = ok && check_whole(w, r);
        w->star = w->star && in_star(r);
    }
    return ok;
}
