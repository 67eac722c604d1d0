/* SPDX-License-Identifier: Apache-2.0 */
/* One file: parsed, its directives found, each translated by itself. */
#ifndef HEDDLE_UNIT_H
#define HEDDLE_UNIT_H

#include "front/unit.h"

struct unit_arguments {
    const char *const *at; /* clang's */
    int n;
    bool edited; /* the text is u->src.text, not what the file holds */
};
/* Parses u->src; clang's errors are said. False: there were some. */
bool unit_parse(struct unit *u, CXIndex index, const struct unit_arguments *a);

/* Called after each directive. */
typedef void (*unit_outcome)(void *of, const struct unit *u, const struct pragma *p, bool translated);
/* Parses, and translates all directives into u->edits, or marks them for verifying; `outcome` may be NULL. False: there
   was an error. */
bool unit_translate(struct unit *u, CXIndex index, const struct unit_arguments *a, unit_outcome outcome, void *of);

#endif
