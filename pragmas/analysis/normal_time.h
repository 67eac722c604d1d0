/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over time steps that hold several loops over rows: what normal_time.c finds and normal_time_text.c writes. */
#ifndef HEDDLE_NORMAL_TIME_H
#define HEDDLE_NORMAL_TIME_H

#include "normal.h"

enum { MAX_LOOPS_IN_STEP = 8, CACHE = 1 << 19, LEAST_STEPS = 4, MOST_STEPS = 64 };

struct row_ref {
    CXCursor array;
    int loop;  /* which loop of the step */
    long more; /* than the row's number */
    bool write;
};

struct row_loop {
    struct node *stmt;
    struct loop_count c;
    bool one; /* no loop over rows, but one row */
    long row;
    long shift;
};

struct steps {
    struct normal *x;
    struct loop_count time;
    struct row_loop loop[MAX_LOOPS_IN_STEP];
    int loops;
    VEC(struct row_ref) refs;
    VEC(CXCursor) written;
    VEC(struct node *) writes; /* elements that are */
    long slope, row_bytes;
    const struct node *at; /* of the reason why there are no tiles */
    const char *why;
};

/* ---- normal_time_text.c ---- */
void normal_time_put(struct steps *s);                              /* tiles in place of steps, as edits */
const char *normal_time_map(const struct steps *s, CXCursor array); /* of the rows that steps touch; NULL: of none */

#endif
