/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c, types.c: variables of the nest; names.c: names in clauses; reduction.c, declare.c: what is reduced, and
 * how */
#ifndef HEDDLE_ANALYSIS_CAPTURE_H
#define HEDDLE_ANALYSIS_CAPTURE_H

#include "analysis/nest.h"

const char *nest_word(const struct nest *w); /* what the directive stands before, in messages; capture.c */
bool capture_variables(struct nest *w);
bool capture_body(struct nest *w);
bool capture_more(struct nest *w, struct node *n, CXCursor except); /* mentions outside the nest */
bool capture_check_name(struct nest *w, const struct var *v, size_t offset);
struct var *capture_lookup(struct nest *w, CXCursor decl);
bool capture_is_inside(const struct nest *w, CXCursor decl);
struct var *capture_named(struct nest *w, struct span name);
unsigned capture_access(struct node *n);
bool capture_is_shown(const struct node *n, CXCursor var); /* its address is taken somewhere below */
unsigned capture_access_through(struct node *n);           /* what happens to the memory behind a pointer */
struct var *capture_var(struct nest *w, CXCursor decl);    /* analysis/types.c: classifies a declaration */
void types_element(struct var *v, CXType t);               /* what its elements are */
bool capture_type_is_local(CXType t);
bool type_holds_pointer(CXType t); /* it is one, or has one in it */
bool type_has_no_name(CXType t);   /* its spelling is no C */
bool type_ends_open(CXType t);     /* a structure whose last member is an array that may be longer: x[], x[0], x[1] */
CXType type_number(CXType t);      /* of an enum, the integer's */
bool type_is_signed(CXType t);
bool type_holds(CXType to, CXType from); /* integers: every value of `from` is one of `to` */

/* analysis/reduction_clause.c: the clause itself */
bool reduction_apply(struct nest *w);
bool reduction_is_number(CXType t);
/* extreme.c: an assignment that is the update of a maximum or minimum; false: not so in every order. types: because of
 * the types alone */
bool extreme_fits(const struct nest *w, struct node *assignment, const struct var *v, bool *types);
/* analysis/reduction.c: uses of what is reduced, and scalars written without a clause */
bool reduction_check(struct nest *w);
/* Would all uses of the array be right if it were reduced, and by which operator? */
bool reduction_would_fit(struct nest *w, struct var *v, enum red_op *op);

/* analysis/declare.c: users' own operators */
struct declared { /* #pragma omp declare reduction */
    size_t at;
    struct span combiner, initializer; /* the latter may be empty */
};
/* The last one of that name and type before an offset; NULL: none. other: there is one for other types. */
const struct declared *declared_find(const struct unit *u, const char *name, size_t before, CXType type, bool *other);

/* analysis/names.c: names in the expressions of clauses */
/* the variable, parameter or constant of that name that a directive at `offset` sees inside the function; NULL: none */
struct node *names_local(struct node *tree, const char *name, size_t n, size_t offset);
bool names_check(struct unit *u, const struct pragma *p); /* false: one is not declared, and that was said */

#endif
