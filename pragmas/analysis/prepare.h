/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before anything is analysed, the text is brought into the form that the analyses know: what a loop has for itself is
 * declared inside it, and what emitted functions need is declared before the function. Line breaks stay where they are.
 */
#ifndef HEDDLE_PREPARE_H
#define HEDDLE_PREPARE_H

#include "analysis/nest.h"
#include "assigned.h"
#include "function.h"

struct prepare {
    struct unit *u;
    edit_list edits;
    CXCursor function; /* that the directive stands in */
    struct node *tree; /* its */
    const struct pragma *p;
    struct node *root; /* the directive's loop */
    size_t root_end;
    const char *close;         /* ends blocks around the loop's body */
    struct buf after;          /* what shall stand behind it */
    VEC(CXCursor) done;        /* functions whose declarations were moved */
    VEC(const char *) hoisted; /* their names */
    VEC(CXCursor) unused;      /* variables that may have no use any more */
    VEC(CXCursor) quiet;       /* functions in which others of the same names are */
};

/* prepare.c: all of the file's directives; false: nothing to change. `again`: one variable of each loop at a
   time, where that is asked for; then: read, and come back */
bool prepare_file(struct unit *u, edit_list *edits, bool *again);
void prepare_unused(struct prepare *s, CXCursor decl); /* another one stands for it now */

/* private.c: variables from outside of the loop */
void prepare_variables(struct prepare *s);
void prepare_task(struct prepare *s, bool jumps); /* the same of a task's block; jumps: its function has a goto */
bool prepare_insert(struct prepare *s, size_t at, const char *text);       /* false: it is there already */
size_t prepare_head_end(const struct prepare *s, const struct node *loop); /* behind its parenthesis */

void prepare_add_after(struct prepare *s); /* s->after and s->close */

bool prepare_is_inside(const struct prepare *s, CXCursor decl); /* declared in the loop */
/* A directive of the loop or in it names the variable, or hides text that may. */
bool prepare_is_named(const struct prepare *s, const char *name);

void prepare_shadows(struct prepare *s); /* shadow.c: what hides another one of its name has a name of its own */

bool prepare_members(struct prepare *s); /* members.c: pointers in structures; true: it has changed one loop */
bool prepare_may_change(struct prepare *s, CXType t);          /* the loop may change memory of the type */
bool prepare_is_fixed(const struct prepare *s, CXCursor decl); /* an integer of file scope that it leaves as it is */
/* early.c: what the pointer leads to is read where the expression `when` holds (NULL: in any case), behind the
   statements `before`; false: nothing shows when */
bool prepare_early(struct prepare *s, CXCursor base, const char **before, const char **when);

/* row_pointers.c: T *row = a + i * n; true: it has written out one of the loop */
bool prepare_row_pointers(struct prepare *s);

/* induction.c: k++, *p++, for (i = 0, x = 0; …); true: it has changed one loop */
bool prepare_inductions(struct prepare *s);

/* own.c: arrays and structures that each turn fills before it reads them */
bool own_is_aggregate(CXCursor decl);
/* How it is declared once more: `type` name `behind`; false: not so simple. A structure's type stays as it is. */
bool own_declarator(const struct prepare *s, CXCursor decl, const char **type, const char **behind);
size_t own_declarator_end(const struct unit *u, size_t name_end); /* behind its brackets */
/* Each turn of the region fills it first, and nothing else knows what a turn leaves in it. */
bool own_is_proven(const struct prepare *s, struct node *region, CXCursor decl);
bool own_is_read_later(const struct prepare *s, CXCursor decl);
bool own_may_be(const struct prepare *s, struct node *region, CXCursor decl); /* small, read, and nobody's else */
bool own_fills(const struct prepare *s, struct node *region, CXCursor decl);  /* before it reads */
struct assigned_fixed own_fixed(const struct prepare *s); /* globals that the loop leaves as they are */
/* The name of a function that n calls and that names the variable; NULL: none. */
const char *own_is_called(const struct prepare *s, struct node *n, CXCursor decl, unsigned visit);

/* expected.c: __builtin_expect around a loop's test; true: it is the test alone now */
bool prepare_expected(struct prepare *s);

/* keep.c: each turn fills the same elements of the array, and the last turn's stay behind the loop */
bool own_is_kept(const struct prepare *s, CXCursor decl);
bool keep_knows_calls(const struct prepare *s); /* functions of other files are the C library's */

/* heads.c: i-- > 0, and != */
void prepare_heads(struct prepare *s);

/* last.c: lastprivate(x), of a scalar or an array of constant size; false: not of this loop, which was said */
bool prepare_last(struct prepare *s, CXCursor decl, const char *type, const char *behind);
/* ... of an array that each iteration fills; what it leaves out stays. False: not of this loop. */
bool prepare_keep(struct prepare *s, CXCursor decl, const char *type, const char *behind);

/* place.c: a maximum with its place, in scalars */
void prepare_places(struct prepare *s);
const struct declared *place_declared(struct unit *u, const char *name, size_t at); /* its operators; NULL: not one */

/* hoist.c: constants and types of the function */
void prepare_declarations(struct prepare *s);

/* imperfect.c: why the row's statements fit no nest, and where; NULL: not known */
const char *imperfect_row(const struct nest *w, const struct node *outer, size_t *at);
const char *imperfect_scalar(const struct nest *w, CXCursor var); /* likewise, one that cells change */

/* live.c */
bool live_reads_first(const struct node *n, CXCursor var); /* perhaps the value that it had before */
bool live_is_set(const struct node *n, CXCursor var);      /* before it is read, on every way through */
bool live_leaves(const struct node *n);                    /* it may jump out of itself */
bool live_after(const struct node *stmt, CXCursor var);    /* what it is at the statement's end is perhaps read */

#endif
