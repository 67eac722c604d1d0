/* SPDX-License-Identifier: Apache-2.0 */
/*
 * batch(p) around problems with statements of their own: declarations and first values in front of the nest, results
 * behind it.
 */
#ifndef HEDDLE_BATCH_H
#define HEDDLE_BATCH_H

#include "analysis/nest.h"

/* A statement in front of the nest that gives elements of a problem's array their first values: all of them zero, or
   one value to one element, or to those that a loop counts. */
struct first_value {
    CXCursor array;
    struct node *stmt; /* all of it; it is no part of what runs before the nest */
    bool zero;
    struct loop loop; /* stmt NULL: one element */
    int nsubs;
    struct node *sub[MAX_DIMS], *value;
};

struct batch {
    struct loop loop;
    struct node *root, *body, *nest; /* the loop over problems, its block, the nest in it */
    size_t root_end, nest_end;
    VEC(struct first_value) firsts;
    VEC(struct span) dropped; /* statements that are about arrays of the problem alone */
    struct nest outer;        /* the loop over problems, with all that it takes from outside */
    bool last_cell;           /* the statements behind the nest read its last cell */
    bool same_first[2];       /* the nest's loops begin alike in all problems */
    bool uniform_rows;        /* what rows load is the same for all problems */
};

/* analysis/batch.c */
bool batch_has_statements(const struct nest *w);
bool batch_find(struct nest *w, const struct clause *c);
/* wavefront/batch.c */
bool batch_variables(struct nest *w);                                /* behind capture_variables() */
bool batch_firsts(struct nest *w);                                   /* behind refs_collect() */
bool batch_check(struct nest *w);                                    /* behind all else: independence, maps, tables */
bool batch_mentions_own(const struct nest *w, const struct node *n); /* what a problem declares */
/* wavefront/first.c: the statements in front of the nest */
bool batch_before(struct nest *w);
/* wavefront/around.c: what these statements, and those behind the nest, must not do */
bool batch_around(struct nest *w);
/* The array of the problem itself that stands there; NULL: none. */
struct var *batch_local(const struct nest *w, const struct node *n);

#endif
