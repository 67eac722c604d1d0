/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c: where arrays that are read through an index are read, looked up before the loop */
#ifndef HEDDLE_FOR_REACH_H
#define HEDDLE_FOR_REACH_H

#include "loop.h"

struct reach_row {                /* at[i] of all iterations, or of all turns of the rows that begin[] has */
    const struct var *at, *begin; /* at: NULL: the turns themselves */
    bool is_int;
    VEC(const struct var *) reached; /* with these as subscripts */
};

struct reach_rows {
    VEC(struct reach_row) all;
    bool none;               /* something is looked up elsewhere */
    const struct var *begin; /* while a loop over a row is walked; its variable */
    CXCursor turn;
};

bool for_reach(struct for_loop *f, struct var *v);
/* C that widens heddle_NAME_low … heddle_NAME_high of each of f->reached by what an iteration reads. rows: the same of
   all iterations at once; all.n is 0 where it has no such form. In stages: an element that the loop might change leads
   on in the next one, when the engine has seen that the loop does not. */
const char *for_reach_text(struct for_loop *f, int stage, struct reach_rows *rows, int *stages);

#endif
