/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of reach.c share while they walk a loop's body. */
#ifndef HEDDLE_FOR_REACH_WALK_H
#define HEDDLE_FOR_REACH_WALK_H

#include "reach.h"

enum { MAX_LOOKED = 16 };

struct reach_seen { /* a reference: whoever is in its scope finds it looked up */
    const struct var *v;
    struct node *sub;
    struct node *scope;
};

struct reach {
    struct for_loop *f;
    struct buf out;
    struct reach_rows rows;
    struct node *scope; /* statements of which each is run whenever this is */
    VEC(struct reach_seen) seen;
    bool turned;                    /* what comes here may be left out, or has turns that are no row */
    const struct var *only;         /* NULL: all of f->reached */
    CXCursor needed[MAX_LOOKED];    /* variables of the body that subscripts are made of */
    int kept[MAX_LOOKED];           /* ... and how often the text changes them */
    int loaded[MAX_LOOKED];         /* ... their stage */
    struct node *value[MAX_LOOKED]; /* ... what they are declared with; NULL: nothing */
    int nneeded;
    /* A value's stage is 0 where no element is read for it, else one more than that of an element which the loop might
       change, if that is looked up itself; of another element it is 1. */
    int loads;    /* of what comes here: its turn */
    int jumps;    /* ... of whatever is behind a jump */
    int later;    /* ... of values that a statement computes */
    int stage;    /* whose references the text is to have; 0: all */
    int stages;   /* of all references */
    bool follows; /* an element was read whose place, or whose turn, depends on another one */
    bool reals;   /* nothing else is written */
    bool wide;    /* places do not fit into an int */
    bool failed;
};

/* reach_value.c */
int reach_need(struct reach *r, CXCursor d);          /* its number among the needed */
int reach_needed(const struct reach *r, CXCursor d);  /* -1: it is none */
bool reach_is_name(struct reach *r, struct node *n);  /* the same before the loop, or of the body */
bool reach_is_plain(struct reach *r, struct node *n); /* has no effect, and the same value before the loop */

static inline int reach_later(int a, int b) { return a > b ? a : b; }

/* reach_reference.c */
const char *reach_between(const struct reach *r, size_t b, size_t e); /* text of the file */
char reach_before(const struct reach *r, size_t at);                  /* parentheses are left out */
char reach_behind(const struct reach *r, size_t at);
bool reach_is_looked_up(const struct reach *r, const struct var *v);
void reach_references(struct reach *r, const struct node *n); /* those in n, with the text for each */

/* reach_rows.c */
bool reach_enter_rows(struct reach *r, struct node *loop); /* is it k = begin[i]; k < begin[i + 1]; k++? */
void reach_leave_rows(struct reach *r);
void reach_add_row(struct reach *r, const struct var *v, struct node *sub);

#endif
