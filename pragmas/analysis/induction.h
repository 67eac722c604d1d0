/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that go on by the same amount: induction.c, in a loop's body; induction_head.c, in its head. */
#ifndef HEDDLE_INDUCTION_H
#define HEDDLE_INDUCTION_H

#include "prepare.h"

struct amount { /* number + text */
    long number;
    const char *text;
};

struct induction {
    struct prepare *s;
    CXCursor var;
    const char *type;  /* NULL: a pointer */
    const char *start; /* before the loop */
    bool dry;          /* only counts */
    edit_list edits;
};

/* False: no integer or pointer that only the function knows. */
bool induction_begin(struct induction *x, struct prepare *s, CXCursor var);
/* v++, v -= c, v = v + c: by how much; false: not of that form, or c is not the same each time. */
bool induction_update(const struct induction *x, struct node *n, struct amount *by);
bool induction_fixed(const struct prepare *s, struct node *n); /* the same in all iterations */
/* What all turns before, and all turns, of a loop make of an amount; false: not so simple. `all`: may be NULL. */
bool induction_turns(const struct prepare *s, const struct node *loop, const struct loop_count *c, struct amount by,
                     struct amount *so_far, struct amount *all);
bool induction_read(struct induction *x, struct node *n, struct amount at); /* all mentions below n have that value */
void induction_keep(struct induction *x, struct amount all); /* the edits, and its value behind the loop */

bool induction_head(struct prepare *s);

#endif
