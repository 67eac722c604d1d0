/* SPDX-License-Identifier: Apache-2.0 */
/* refs.c: array references */
#ifndef HEDDLE_ANALYSIS_REFS_H
#define HEDDLE_ANALYSIS_REFS_H

#include "analysis/nest.h"

bool refs_collect(struct nest *w);
size_t refs_first_continue(const struct node *n);
bool refs_subscripts(const struct var *v, struct node *n, struct ref *r); /* all of them above a mention */
bool refs_is_array_itself(const struct node *n);                          /* of an array: under sizeof, typeof or & */
bool refs_only_shown(struct node *n); /* &x, or an array in x, as an argument for a pointer to const */
bool refs_member_array(const struct node *n);
#define REFS_MEMBER_WRITTEN                                                                                            \
    "is a structure, and an array in it is written; point a variable at that array before the nest, "                  \
    "such as T (*A)[columns] = p->A, and use the variable"
struct ref *refs_at(const struct nest *w, const struct node *n);
bool refs_conditional(const struct nest *w, const struct node *n);
bool refs_after_condition(const struct nest *w, const struct node *n); /* ... where loops that count have some turn */
bool refs_is_whole_text(const struct unit *u, const struct node *n, const char *name);
const char *refs_text(const struct nest *w, const struct ref *r);
void refs_hoist(struct nest *w);
void refs_gather(struct nest *w);
size_t refs_defined_at(struct nest *w, const struct var *v); /* wavefront/cover.c; 0: not on every path */
bool refs_pure(struct nest *w);                              /* analysis/pure.c */
bool refs_early_pure(struct nest *w);                        /* the same where what comes early is no access */
bool refs_in_place_pure(struct nest *w);                     /* the same of an in-place stencil's body */

#endif
