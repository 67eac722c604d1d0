/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Definite assignment of sections that only come back: is every element written, in every chunk, before it is read?
 * What is written for sure is a set of boxes, whose sides are polynomials over the variables of the loops around and
 * what does not change. What remains open and holds no loop variable is tested before the loop, by a condition in the
 * emitted code.
 */
#ifndef HEDDLE_ASSIGNED_H
#define HEDDLE_ASSIGNED_H

#include "analysis/nest.h"
#include "function.h"

/* NULL: not every element may be written, so the section has to be sent. Else the condition under which it need not be,
   in the variables that the directive sees; "": always. */
const char *assigned_by_loop(const struct nest *w, const struct var *v, const char *member, const struct item *item);
/* ... of a pool: what its map says, or MAP_TOFROM where it has to be sent as well. */
enum map_kind assigned_pool_kind(struct unit *u, struct node *pool, const struct var *v, const char **unsent);
/* Each element that the statement reads it wrote before, in the same turn of the loop that it is the body of. */
struct assigned_fixed { /* of variables of file scope: has it one value while the statement runs? NULL: not known */
    bool (*is)(const void *of, CXCursor decl);
    const void *of;
};
bool assigned_before_read(struct unit *u, struct node *body, const struct var *v, struct assigned_fixed fixed);
/* The first read for which that is not shown; NULL: none, or nobody knows. */
const struct node *assigned_odd(struct unit *u, struct node *body, const struct var *v, struct assigned_fixed fixed);
/* Each turn of the loop writes the same elements, on every way through, and no others. */
bool assigned_alike(struct unit *u, struct node *loop, const struct var *v, struct assigned_fixed fixed);
/* ... and it writes all of it, on every way through. */
bool assigned_wholly(struct unit *u, struct node *body, const struct var *v);

/* ---- between the files ---- */

struct need { /* p >= 0; zero: p == 0 */
    struct poly p;
    bool zero;
    const struct need *next;
};

struct box {           /* elements lo … hi - 1 in every dimension */
    const char *field; /* the elements are structures, and this member is meant; NULL: all of it */
    struct poly lo[MAX_DIMS], hi[MAX_DIMS];
    const struct need *needs; /* for which it is written */
};

struct boxes {
    const struct box *box;
    const struct boxes *next;
};

struct state { /* at a point of the program */
    bool dead; /* which is never reached */
    const struct boxes *boxes;
    const struct boxes *joined; /* the part of them in which nothing lies side by side that was not joined */
};

struct element { /* an element, or a row of rank - level dimensions, or a pointer to one */
    int level;
    struct poly at[MAX_DIMS];
    const char *field;
    bool part; /* of an element or of its field */
};

struct binding { /* a variable that is set once */
    CXCursor decl;
    bool pointer; /* to `place`; else an integer, or another name of what `text` is */
    struct poly value;
    struct element place;
    const char *text;
};

struct range { /* of a loop variable: its least and its largest value */
    const char *atom;
    struct poly lo, hi;
};

struct frame { /* a statement that jumps leave */
    enum { FRAME_LOOP, FRAME_SWITCH, FRAME_FUNCTION } kind;
    struct state entry, breaks, continues;
    bool broken; /* by a break, or a return inside */
    struct frame *up;
};

struct assigned {
    struct unit *u;
    struct node *root;    /* variables from outside of it, which it does not change, are known by their names */
    const struct nest *w; /* of a `for`, whose variables these are; NULL: a pool */
    const struct var *v;
    const char *member;
    int rank;
    VEC(struct binding) bindings;
    VEC(struct range) ranges;
    VEC(struct function *) calls; /* that are being looked into */
    struct state now;
    struct frame *frame;
    const struct need *needs; /* of what was read */
    bool sized;               /* subscripts are inside the array's own sizes */
    struct assigned_fixed fixed;
    bool writes;             /* reads do not matter */
    const struct state *all; /* what every turn writes, which holds each write; NULL: not looked for */
    const struct node *at;   /* what is read */
    const struct node *odd;  /* the first for which nothing shows that it is written */
    bool failed;
};

/* assigned_place.c: expressions */
void assigned_value(struct assigned *a, struct node *n, struct poly *out);
bool assigned_pointer(struct assigned *a, struct node *n, struct element *p); /* false: not one into the array */
bool assigned_lvalue(struct assigned *a, struct node *n, struct element *p);
void assigned_bind(struct assigned *a, CXCursor decl, struct node *scope, struct node *value);
bool assigned_is_target(const struct assigned *a, const struct node *n);

/* assigned_box.c: what is known of elements */
bool assigned_require(struct assigned *a, const struct poly *p, bool zero, const struct need **needs);
const struct need *assigned_both(const struct need *x, const struct need *y);
void assigned_write(struct assigned *a, const struct element *p);
void assigned_read(struct assigned *a, const struct element *p);
struct state assigned_either(struct state x, struct state y);
void assigned_join(struct assigned *a, struct state *s); /* boxes that lie side by side, and members of a structure */
/* what `before` does not hold, for all values of the loop variable from `first` on, `step` apart, as far as before
 * `end` */
struct axis_of_loop {
    const char *atom;
    struct poly first, end, step;
    bool down; /* it counts down, and ends above `end` */
    bool runs; /* at least once */
};
void assigned_widen(struct assigned *a, struct state before, const struct axis_of_loop *x);

/* assigned_walk.c */
void assigned_visit(struct assigned *a, struct node *n);

#endif
