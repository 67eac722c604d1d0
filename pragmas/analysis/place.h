/* SPDX-License-Identifier: Apache-2.0 */
/* A maximum or minimum with its place, in scalars: what place.c recognises, for loops and for the cells of a nest */
#ifndef HEDDLE_ANALYSIS_PLACE_H
#define HEDDLE_ANALYSIS_PLACE_H

#include "prepare.h"

enum { MOST_PLACES = 6 };

struct place {
    struct prepare *s;
    struct node *test, *block;
    CXCursor best, at[MOST_PLACES];
    struct node *at_value[MOST_PLACES];
    VEC(struct node *) values; /* that are assigned */
    int n;
    bool max, strict;
    struct node *comparison; /* of the value with the best one */
    const char *name;        /* of the structure's variable */
};

CXType place_type(CXCursor c);
const char *place_type_text(CXCursor c);
const char *place_text(const struct prepare *s, struct node *n);
bool place_is_outer(const struct prepare *s, const struct node *n, CXCursor *decl); /* a number declared outside */
/* reduction(max: best) goes, where it stands; false: another clause, or another operator, names one of them. */
bool place_without_clause(const struct place *p, edit_list *edits);
size_t
place_before(const struct prepare *s); /* where a declaration may stand before the directive's loop; 0: nowhere */

/* place_cell.c: in the inner one of a nest's two loops */
void place_of_cell(struct place *p);

#endif
