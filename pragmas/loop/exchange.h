/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops inside a `for` that run in a poor order on processors:
 *
 *     for j { x[i][j] = 0; for k x[i][j] += a[i][k] * b[k][j]; }
 *
 * Where iterations of j have nothing to do with each other, a strip of them goes inside of k, whose turns stay in their
 * order for each j: the same sums in the same order. j is a loop of the body, or the directive's own.
 */
#ifndef HEDDLE_EXCHANGE_H
#define HEDDLE_EXCHANGE_H

#include "loop.h"

enum {
    EXCHANGE_WIDE = 256, /* iterations of a strip that run side by side, as vectors */
    EXCHANGE_NARROW = 8, /* ... of one that keeps its values in registers and reads rows */
    EXCHANGE_JAM = 4,    /* turns of k at once: sums are loaded and stored once */
    EXCHANGE_ROWS = 8,   /* iterations of the directive's loop that use what such a strip loads */
    EXCHANGE_LEAST = 8,  /* fewer iterations stay as they are */
    EXCHANGE_LOOPS = 4   /* loops in each other that j goes into */
};

struct exchange_piece {
    struct node *loop; /* NULL: statements, which the strip runs one after the other */
    VEC(struct node *) statements;
    VEC(struct exchange_piece *) inside; /* of the loop */
    bool open;                           /* the strip is inside of the loop */
    VEC(struct exchange_held) held;      /* elements that stay the same for all its turns */
    bool jams;
};
struct exchange_held {
    const char *text, *name, *type;
};
struct exchange_local { /* a scalar of j's body that several pieces use: an array over the strip */
    CXCursor decl;
    const char *name, *type;
};

struct exchange {
    struct for_loop *f;
    struct node *loop; /* j; NULL: the directive's */
    struct loop_count count;
    const char *name, *type;
    struct node *body;
    struct node *around[EXCHANGE_LOOPS]; /* loops with nothing in them but j, which are around it as written */
    int narounds;
    size_t b, e; /* the text */
    int width;
    VEC(struct exchange_piece *) pieces;
    VEC(struct exchange_local) locals;
};
typedef VEC(struct exchange *) exchange_list;

/* exchange.c: all of a loop; nothing where devices have something of their own in it */
void exchange_find(struct for_loop *f, exchange_list *out);
bool exchange_is_named(CXType t); /* a declaration can be made of the type's name */

/* exchange_rows.c: several iterations of the directive's loop go inside, too, since they read the same elements */
bool exchange_rows(const struct for_loop *f, const exchange_list *all);
const struct exchange *exchange_at(const exchange_list *all, const struct node *statement); /* NULL: none is there */

/* exchange_check.c: may iterations of j run side by side? */
bool exchange_is_plain(const struct for_loop *f); /* no directive stands in the text: one keeps all as written */
bool exchange_may(const struct exchange *x);
bool exchange_is_simple(const struct for_loop *f, const struct node *n); /* nothing in it forbids another order */
/* The head's expressions have one value while j's loop runs. */
bool exchange_is_fixed(const struct exchange *x, struct node *n);

/* exchange_cost.c */
bool exchange_pays(struct exchange *x); /* and what is open, and the width */
bool exchange_mentions(const struct node *n, CXCursor var);
bool exchange_is_unit(const struct exchange *x, struct node *n); /* neighbours in j are neighbours in memory, or one */

/* exchange_scalars.c: after that */
bool exchange_scalars(struct exchange *x);

const char *exchange_order(const exchange_list *all); /* for people: which loop is inside of which */

/* emit/loop_exchange.c */
void emit_exchange_edits(const exchange_list *all, edit_list *edits);                         /* of loops in the body */
void emit_exchange_rows(const struct for_loop *f, const exchange_list *all, struct buf *out); /* a chunk */

#endif
