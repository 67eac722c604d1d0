/* SPDX-License-Identifier: Apache-2.0 */
/* macros.c, expansion.c: macros of the file, and where they are used */
#ifndef HEDDLE_FRONT_MACROS_H
#define HEDDLE_FRONT_MACROS_H

#include "front/unit.h"

void macros_gather(struct unit *u);
const struct macro *macros_find(const struct unit *u, const char *name, size_t n); /* its last definition; NULL: none */
const char *macros_body(const struct unit *u, const char *name, size_t n);         /* its text; NULL: no macro */
const char *macros_guard(const struct unit *u,
                         struct span s); /* its text, in parentheses where it is a macro's name: 1 << k */
/* Identifiers of the expression that name no members, and those of the macros among them, until one visit is true. */
typedef bool (*macros_visit)(const char *name, size_t n, void *data);
bool macros_each_name(const struct unit *u, const char *text, struct span s, int depth, macros_visit visit, void *data);
bool macros_name(const struct unit *u, struct span s, const char *name); /* is it an identifier of the expression? */
/* Lines that include headers of heddle's, which the user's macros do not rewrite. */
void macros_include(const struct unit *u, struct buf *out, const char *lines);

void expansion_gather(struct unit *u);
bool expansion_begins(const struct unit *u,
                      const struct node *n); /* with a macro: its first token is not in the text */
/* with all of a use that begins or ends in it; `ends_in_body`: its end is where such a use begins */
struct span expansion_cover(const struct unit *u, struct span s, bool ends_in_body);

#endif
