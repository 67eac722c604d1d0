/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over time steps that hold several loops over rows: what normal_time.c finds and normal_time_text.c writes. */
#ifndef HEDDLE_NORMAL_TIME_H
#define HEDDLE_NORMAL_TIME_H

#include "normal.h"

enum { MAX_LOOPS_IN_STEP = 8 };
enum { CACHE = 1 << 19, LEAST_STEPS = 4, MOST_STEPS = 64, SHORT_ROW = 1 << 9 };
/* Of tiles that are cut into lines: steps and rows, bytes that a step goes through before the next one does. */
enum { CUT_STEPS = 8, CUT_ROWS = 16, CUT_CACHE = 5 << 18, LEAST_LINES = 8 };
enum { UNKNOWN_ROW = 1 << 14, UNKNOWN_LINE = 1 << 10 };

enum { ROWS, LINES, WAYS }; /* lines: rows of a row that has further subscripts */

struct row_ref {
    CXCursor array;
    int loop;        /* which loop of the step */
    long more[WAYS]; /* than the row's number, and the line's */
    bool write;
};

struct row_loop {
    struct node *stmt;
    struct loop_count c;
    bool one; /* no loop over rows, but one row */
    long row;
    struct node *lines; /* the loop inside that is all it does to a row; NULL: another form */
    struct loop_count line;
    long shift[WAYS];
};

struct steps {
    struct normal *x;
    struct loop_count time;
    struct row_loop loop[MAX_LOOPS_IN_STEP];
    int loops;
    VEC(struct row_ref) refs;
    VEC(CXCursor) written;
    VEC(struct node *) writes; /* elements that are */
    bool by_lines;             /* tiles are cut into lines, too */
    bool apart; /* rows of a loop are independent: each loop of each step may run on all threads instead */
    long slope[WAYS], bytes[WAYS];
    const struct node *at; /* of the reason why there are no tiles */
    const char *why;
};

long normal_time_fit(const struct steps *s); /* normal_time.c: steps of a tile whose rows a core's cache holds */

/* ---- normal_time_text.c ---- */
void normal_time_put(struct steps *s);                              /* tiles in place of steps, as edits */
const char *normal_time_map(const struct steps *s, CXCursor array); /* of the rows that steps touch; NULL: of none */

#endif
