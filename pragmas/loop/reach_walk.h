/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of reach.c share while they walk a loop's body. */
#ifndef HEDDLE_FOR_REACH_WALK_H
#define HEDDLE_FOR_REACH_WALK_H

#include "reach.h"

enum { MAX_LOOKED = 16 };

struct reach {
    struct for_loop *f;
    struct buf out;
    struct reach_rows rows;
    bool turned;                    /* what comes here may be left out, or has turns that are no row */
    const struct var *only;         /* NULL: all of f->reached */
    CXCursor needed[MAX_LOOKED];    /* variables of the body that subscripts are made of */
    int kept[MAX_LOOKED];           /* ... and how often the text changes them */
    bool loaded[MAX_LOOKED];        /* ... from elements of arrays */
    struct node *value[MAX_LOOKED]; /* ... what they are declared with; NULL: nothing */
    int nneeded;
    bool loads;   /* what comes here depends on elements that were read */
    bool jumps;   /* ... so does whatever is behind a jump */
    bool follows; /* an element was read whose place, or whose turn, depends on another one */
    bool wide;    /* places do not fit into an int */
    bool failed;
};

/* reach_value.c */
int reach_need(struct reach *r, CXCursor d);          /* its number among the needed */
int reach_needed(const struct reach *r, CXCursor d);  /* -1: it is none */
bool reach_is_name(struct reach *r, struct node *n);  /* the same before the loop, or of the body */
bool reach_is_plain(struct reach *r, struct node *n); /* has no effect, and the same value before the loop */

/* reach_rows.c */
bool reach_enter_rows(struct reach *r, struct node *loop); /* is it k = begin[i]; k < begin[i + 1]; k++? */
void reach_leave_rows(struct reach *r);
void reach_add_row(struct reach *r, const struct var *v, struct node *sub);

#endif
