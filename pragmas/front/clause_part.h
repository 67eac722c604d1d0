/* SPDX-License-Identifier: Apache-2.0 */
/* What clauses are made of. One section for each .c file. */
#ifndef HEDDLE_FRONT_CLAUSE_PART_H
#define HEDDLE_FRONT_CLAUSE_PART_H

#include "front/clause.h"

/* ---- clause_words.c ---- */
struct word { /* a keyword, and the constant emitted for it; what it means is its index in the list, whose end names it
               */
    const char *text, *constant;
};

extern const struct word clause_schedules[], clause_layouts[], clause_pool_schedules[], clause_loop_schedules[],
    clause_jobs_schedules[], clause_graph_schedules[], clause_loop_devices[], clause_kinds[], clause_workers[],
    clause_depends[], clause_keeps[], clause_maps[], clause_operators[];
const char *clause_word_list(const struct word *w);                                 /* "a, b or c" */
const struct word *clause_word_find(const struct word *w, const char *s, size_t n); /* NULL: none of them */
const char *clause_words_name(const struct word *words);                            /* what they are */

/* ---- clause_part.c: each reads on from where the lexer is; false after an error was reported ---- */
bool clause_expect(struct unit *u, struct lexer *lx, char punct, const char *where);
/* `what` is expected: *value is its place in the list. */
bool clause_keyword(struct unit *u, struct lexer *lx, const struct word *words, const char *what, int *value);
/* Items, joined by commas. */
bool clause_items(struct unit *u, struct lexer *lx, struct clause *c,
                  bool (*one)(struct unit *u, struct lexer *lx, struct item *item));
/* A C expression up to a ',' ':' ']' or ')' outside brackets; ?: hides its own colon. */
bool clause_expression(struct unit *u, struct lexer *lx, struct span *out);
/* An argument that is a plain number: what is wrong with it is known here. */
bool clause_number(struct unit *u, struct span s, double least, const char *otherwise);
bool clause_name(struct unit *u, struct lexer *lx, const char *what, struct item *item);
bool clause_array(struct unit *u, struct lexer *lx, struct item *item);
bool clause_variable(struct unit *u, struct lexer *lx, struct item *item);
bool clause_section(struct unit *u, struct lexer *lx, struct item *item); /* [first : count]…, or nothing */
bool clause_member(struct unit *u, struct lexer *lx, struct item *item);  /* ".x.y" behind the name of a structure */

#endif
