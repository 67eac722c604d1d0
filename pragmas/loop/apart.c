/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Areas that come back, for any two chunks: in some dimension the one ends before the other begins. Both sides move
 * with the parallel loop's variable by the same amount c, so the chunk with the smaller values ends at c * i + b, and
 * the other one begins at c * (i + step) + a at the earliest.
 */
#include "infer.h"

/* At least: one that is not known is 1 or more. */
static struct poly step_of(const struct for_loop *f) {
    struct poly step;
    long k = 1;
    if (f->w.loop[0].step)
        ast_constant(f->w.loop[0].step, &k);
    affine_constant(&step, k < 0 ? -k : k);
    return step;
}

/* begin - end + c * step >= 1, where both sides move by c or, turned round, by -c. `open`: what has to be tested for it
   before the loop; NULL: nothing may. */
static bool ends_before(const struct side *end, const struct side *begin, const struct poly *step, int sign,
                        const char **open) {
    struct poly c, other, a, b, more, d;
    long left;
    if (end->n != 1 || begin->n != 1 || !affine_split(&end->at[0], ATOM_I, &c, &b) ||
        !affine_split(&begin->at[0], ATOM_I, &other, &a) || !affine_equal(&c, &other) || affine_sign(&c) != sign)
        return false;
    affine_multiply(&c, step, &more);
    d = sign > 0 ? a : b;
    affine_add(&d, sign > 0 ? &b : &a, -1);
    affine_add(&d, &more, sign);
    if (affine_is_constant(&d, &left))
        return left >= 1;
    if (!open || !d.ok || area_holds(&d, ATOM_I) || c.n != 1 || !c.t[0].n)
        return false;
    affine_constant(&more, 1);
    affine_add(&d, &more, -1);
    *open = for_not_negative(&d); /* where rows are that far apart: i * ld + j, j < ld */
    return true;
}

/* p is of the chunk with the smaller values. */
static bool are_apart(const struct area *p, const struct area *q, const struct poly *step, const char **open) {
    for (int d = 0; d < p->ref.nsubs; d++)
        if (p->known[d] && q->known[d] &&
            (ends_before(&p->hi[d], &q->lo[d], step, 1, open) || ends_before(&p->lo[d], &q->hi[d], step, -1, open)))
            return true;
    return false;
}

static bool are_apart_if(struct for_loop *f, const struct area *p, const struct area *q, const struct poly *step) {
    const char *open = NULL;
    if (are_apart(p, q, step, NULL))
        return true;
    if (f->jobs || !are_apart(p, q, step, &open))
        return false;
    for_add_condition(f, open);
    return true;
}

bool for_apart(struct for_loop *f, const area_list *all) {
    const struct poly step = step_of(f);
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = 0; k < all->n; k++)
            if ((all->at[i].access & ACCESS_WRITE) && (all->at[k].access & ACCESS_WRITE) &&
                !are_apart_if(f, &all->at[i], &all->at[k], &step))
                return false;
    return true;
}
