/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweeps(t): a loop over sweeps around the two loops of a wavefront. To the two it is a scalar from outside,
 * so that a sweep at a time is always legal. Several sweeps may run behind each other, each some rows and
 * columns behind the one before, wherever written arrays are whole and t does not choose the element: then
 * every cell that a sweep reads of the one before is at a constant distance, and lagging covers it.
 *
 * batch(b): the loop around the two has independent turns: each writes elements of its own. One at a time is legal
 * then too, and so is any other way.
 *
 * A nest is an in-place stencil when each cell reads, of the arrays it writes, only itself and its four neighbours, all
 * in every cell: the upper and left ones are new, the lower and right ones and its own old value come from the sweep
 * before. Such nests keep several sweeps in registers (heddle/wavefront_sweeps_*.h).
 */
#include "analysis/refs.h"
#include "wavefront/wavefront.h"

static bool check_whole(struct nest *w, const struct ref *r) {
    const struct var *v = r->v;
    if (nest_sweep_chooses(w, r)) {
        diag_error(w->u, r->b,
                   "'%s' of sweep '%s' is another element in every sweep, but sweeps work in "
                   "place; put the pragma before the loop over '%s', without 'sweeps'",
                   refs_text(w, r), w->sweep.name, w->loop[0].name);
        return false;
    }
    if (v->field != FIELD_FULL || v->keep != KEEP_ALL) {
        diag_error(w->u, r->b, "each sweep starts from what the one before left of '%s', which %s", v->name,
                   v->field == FIELD_ROLLING ? "holds a few rows only; give it all of them"
                   : v->field == FIELD_FULL  ? "is not kept whole; say keep(…: all)"
                                             : "has one dimension only; give it two");
        return false;
    }
    return true;
}

int sweeps_side(const struct ref *r) {
    if (r->di == 0)
        return r->dj == 1 ? SIDE_LEFT : r->dj == -1 ? SIDE_RIGHT : 0;
    return r->di == 1 ? SIDE_TOP : SIDE_BOTTOM;
}

int sweeps_sides(const struct nest *w, const struct var *v) {
    int sides = 0;
    for (size_t i = 0; i < w->refs.n; i++)
        if (w->refs.at[i]->v == v && w->refs.at[i]->role != ROLE_OWN)
            sides |= sweeps_side(w->refs.at[i]);
    return sides;
}

static bool in_stencil(const struct ref *r) {
    const long far = (r->di < 0 ? -r->di : r->di) + (r->dj < 0 ? -r->dj : r->dj);
    if (r->access & ACCESS_UNEVALUATED || r->role == ROLE_OWN)
        return true;
    /* nobody promises that the neighbour of a cell at the border exists if it is only read sometimes */
    return far == 1 && !r->conditional;
}

/* The dimension in which every reference to v has the turn of the batch plus one and the same constant. */
static bool own_element(struct nest *w, const struct var *v) {
    for (int d = 0; d < v->ndims; d++) {
        bool same = true;
        for (size_t i = 0; i < w->refs.n && same; i++) {
            const struct ref *r = w->refs.at[i];
            struct poly coefficient, rest, more, left;
            long step;
            if (r->v != v || r->access & ACCESS_UNEVALUATED)
                continue;
            same = d < r->nsubs && r->poly[d].ok && affine_equal(&r->poly[d], &v->write->poly[d]) &&
                   affine_split(&r->poly[d], w->sweep.name, &coefficient, &rest) &&
                   affine_is_constant(&coefficient, &step) && step && affine_split(&rest, ATOM_I, &more, &left) &&
                   !more.n && affine_split(&left, ATOM_J, &more, &rest) && !more.n &&
                   affine_split(&left, ATOM_ROLL, &more, &rest) && !more.n;
        }
        if (same)
            return true;
    }
    return false;
}

static bool check_batch(struct nest *w) {
    for (size_t i = 0; i < w->vars.n; i++) {
        const struct var *v = w->vars.at[i];
        if (!v->write || own_element(w, v))
            continue;
        diag_error(
            w->u, v->write->b,
            "turns of a batch are independent, but '%s' is not an element of turn '%s' alone; one subscript of every "
            "reference to '%s' has "
            "to be '%s' plus a constant, or leave 'batch' out and put the pragma before the loop over '%s'",
            refs_text(w, v->write), w->sweep.name, v->name, w->sweep.name, w->loop[0].name);
        return false;
    }
    return true;
}

bool sweeps_check(struct nest *w) {
    bool ok = true;
    if (!w->swept)
        return true;
    if (w->batched)
        return check_batch(w);
    w->in_place = w->registers;
    for (size_t i = 0; i < w->refs.n; i++) {
        const struct ref *r = w->refs.at[i];
        if (r->v->field == FIELD_NONE)
            continue;
        if (r->access & ACCESS_WRITE || nest_sweep_chooses(w, r))
            ok = ok && check_whole(w, r);
        w->in_place = w->in_place && in_stencil(r);
    }
    return ok;
}
