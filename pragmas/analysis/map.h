/* SPDX-License-Identifier: Apache-2.0 */
/* map.c, rows.c: which elements of an array the nest needs */
#ifndef HEDDLE_ANALYSIS_MAP_H
#define HEDDLE_ANALYSIS_MAP_H

#include "analysis/nest.h"

bool map_apply(struct nest *w);
bool map_section(struct nest *w, struct var *v, const struct item *item);
bool map_infer(struct nest *w, struct var *v); /* by subscripts, or of an array whose size is known */
void map_rows(struct nest *w, struct var *v);  /* by how much its references move from row to row */
const char *map_rows_declared(const struct nest *w, const struct var *v); /* NULL: not known (analysis/rows.c) */
const char *map_row_factor(const struct var *v);                          /* elements of a row, as a factor: " * …" */
void map_whole(struct var *v);
bool map_extreme(struct nest *w, const struct poly *p, bool upper,
                 struct poly *out);                    /* over both loops; false: unknown */
bool map_one_structure(struct nest *w, struct var *v); /* a pointer to one: then it is mapped */

#endif
