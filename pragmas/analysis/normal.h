/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests in the form that analysis takes: two loops that count up by one, one directly in the other, with bounds that do
 * not change. What has another form is rewritten as C text, line by line where it stood, and the file is parsed again:
 * engines, the serial form and --verify then see one and the same program. What fits no rule stays as it is, and the
 * nest's own checks say why it is refused.
 */
#ifndef HEDDLE_NORMAL_H
#define HEDDLE_NORMAL_H

#include "function.h"

struct normal { /* the nest behind one pragma, in the text as it is now */
    struct unit *u;
    const struct pragma *p;
    size_t number;         /* of the pragma in the file */
    struct node *function; /* around it */
    struct node *root;     /* its outermost loop */
    struct node *outer;    /* ... of the two */
    size_t end;
    edit_list *edits;
};

/* ---- normal.c ---- */
/* One step for each nest that is not in the form, as edits; false: all are. */
bool normal_round(struct unit *u, const pragma_list *pragmas, edit_list *edits);
/* Variable, bound and step are not one macro's use. */
bool normal_is_apart(const struct node *loop, const struct loop_count *c);
/* `by` for the variable, as edits; false: a mention of it is no name in the text */
bool normal_mentions(struct unit *u, struct node *n, CXCursor var, const char *by, edit_list *out);
bool normal_replace(struct normal *x, struct node *n, CXCursor var, const char *by); /* the same in the file */
void normal_put(struct normal *x, struct span s, const char *text); /* line breaks of what stood there stay */
const char *normal_name(const struct unit *u, const char *base);    /* one that the file does not know */
bool normal_is_plain(const struct normal *x, struct node *n);       /* a whole number that the nest does not change */
bool normal_is_fixed(const struct normal *x, CXCursor var, const struct node *from);

/* ---- normal_macro.c, normal_head.c, normal_value.c, normal_carried.c, normal_rows.c, normal_time.c: one step each;
 * true: it made edits ---- */
bool normal_macros(struct normal *x);
const char *normal_expanded(struct unit *u, struct span use); /* of a macro, one step; NULL: not so simple */
bool normal_heads(struct normal *x);
bool normal_values(struct normal *x);
bool normal_carried(struct normal *x);
bool normal_rows(struct normal *x);
bool normal_time(struct normal *x);
const char *normal_time_reason(struct normal *x, size_t *at); /* why not; NULL: other checks say it */
/* The same for the nest behind a pragma. */
const char *normal_steps_reason(struct unit *u, const struct pragma *p, size_t *at);

#endif
