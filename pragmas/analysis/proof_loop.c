/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that count: the variable is its first value and a multiple of the step, between its bounds. */
#include "proof.h"

/* What a loop's head computes once has one value for all its iterations. */
static void head(struct proof *o, struct node *n, const char *parallel, struct poly *out) {
    proof_int(o, n, out);
    if (parallel && proof_top(out))
        affine_atom(out, mem_printf("%zu%s", n->b, parallel + 1));
}

void proof_enter(struct proof *o, const struct loop_count *c, const char *parallel) {
    struct poly first, bound, step, one, turn, span, left;
    long k;
    const int sign = c->down ? -1 : 1;
    head(o, c->first, parallel, &first);
    head(o, c->bound, parallel, &bound);
    affine_constant(&one, 1);
    step = one;
    if (c->step)
        head(o, c->step, parallel, &step);
    if (affine_is_constant(&step, &k) && k < 0)
        affine_constant(&step, -k);
    affine_atom(&turn, parallel ? parallel : proof_axis(o));
    span = bound;
    affine_add(&span, &first, -1);
    for (int i = 0; i < span.n; i++)
        span.t[i].k *= sign;
    affine_add(&span, &one, -c->open); /* from the first value to the last one */
    proof_limit(o, &span);
    proof_limit(o, &turn);
    left = step;
    affine_add(&left, &one, -1);
    proof_limit(o, &left); /* a loop that ends */
    affine_multiply(&step, &turn, &turn);
    left = span;
    affine_add(&left, &turn, -1);
    proof_limit(o, &left);
    affine_add(&first, &turn, sign);
    if (!first.ok)
        proof_opaque(o, clang_getCursorType(c->var), &first);
    proof_bind(o, c->var, clang_getNullCursor(), &(struct proof_value){.kind = VALUE_INT, .is = proof_pack(&first)});
}
