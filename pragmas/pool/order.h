/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which elements the iterations of a taskloop touch, as far as that is certain. An *axis* is a loop: those of the
 * taskloop first, then loops in its body, which count from 0. Subscripts are polynomials with one atom an axis.
 */
#ifndef HEDDLE_POOL_ORDER_H
#define HEDDLE_POOL_ORDER_H

#include "analysis/affine.h"
#include "pool.h"

enum { MAX_AXES = 8, MAX_STEPS = 6 };

struct axis {
    struct poly lo, hi; /* the atom's first value, and one past its last */
    long count;         /* -1: not known here */
    int depth;          /* loops around it; taskloop: 0 */
};

struct reach {     /* which iterations come to a place: all but some at the ends */
    bool sure;     /* false: nobody knows */
    unsigned axes; /* of loops in the body that are around the place */
    int depth;
    long low[MAX_AXES], high[MAX_AXES]; /* iterations left out at either end */
};

struct step { /* from a variable to an element */
    bool subscript;
    CXCursor field; /* ... else this member */
    struct poly at;
};

struct access {
    struct node *n;
    CXCursor root;
    int nsteps;
    struct step step[MAX_STEPS];
    bool read, write;
    struct node *value; /* what a plain assignment writes */
    struct reach reach;
};

struct value { /* of an integer variable that is set once */
    CXCursor var;
    struct poly is;
};

struct order {
    struct task_type *k;
    struct unit *u;
    int dims, naxes;
    struct axis axis[MAX_AXES];
    VEC(struct access *) accesses;
    VEC(struct value) values;
};

/* ---- access.c ---- */
bool order_collect(struct task_type *k, struct order *o); /* false: nothing can be said */

/* ---- order.c ---- */
/* Iteration p touches a, and p + by touches b, which is the same element; the nearest such. */
bool order_meet(struct order *o, const struct access *a, const struct access *b, long *by);

/* ---- affine.c ---- */
void order_poly(struct order *o, struct node *n, struct poly *out);
const char *order_atom(int axis);
bool order_is_axis(const char *atom);                                /* of an axis, alone or in a modulus */
bool order_is_linear(const struct poly *p);                          /* no products of axes */
void order_split(const struct poly *p, int axis, struct poly *coef); /* what the axis is multiplied with */
void order_shift(struct poly *p, int axis, long by);                 /* with axis + by in place of axis */
bool order_inside(const struct order *o, CXCursor decl);             /* declared in the body */

#endif
