/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `heddle cc --verify`: the serial program with marks (heddle/engine/verify.h) in place of its directives. Everything
 * is checked and analysed as ever; only the edits are others. They are collected in unit.verify_edits.
 */
#ifndef HEDDLE_VERIFY_TRANSLATE_H
#define HEDDLE_VERIFY_TRANSLATE_H

#include "emit.h"

/* verify.c: a loop or a nest, and the file as a whole */
void verify_for(struct for_loop *f);
void verify_wavefront(struct nest *w);
void verify_finish(struct unit *u); /* the directives that are left */

/* verify_pool.c */
void verify_pool(struct pool *p);

/* verify_text.c: pieces of text that both need */
struct verify_site {
    struct unit *u;
    const struct pragma *p;
    const char *kind, *flags; /* "FOR" */
    int dims, sinks;
    const struct loop *loop[MAX_LOOPS];
    struct buf sink; /* "{1, 0, 0}, …" */
};
const char *verify_site(const struct verify_site *s, int id); /* its definition; the name is heddle_v<id> */
int verify_number(void);
void verify_replace(struct unit *u, const struct pragma *p, const char *text);
void verify_insert(struct unit *u, size_t at, const char *text); /* what follows keeps its line and column */
/* "{ BEFORE do … while (0); AFTER }" around a loop's body, with heddle_verify_own() for what it declares */
void verify_body(struct unit *u, const struct pragma *p, struct node *body, size_t b, size_t e, const char *before,
                 const char *after);
void verify_own(struct unit *u, const struct pragma *p, struct node *body);
/* heddle_verify_shared() for the variables of the function that a directive at `at` sees */
void verify_shared(const struct unit *u, struct node *tree, size_t at, struct buf *out);
const char *verify_iteration(const struct loop *const *loop, int dims);
const char *verify_section(int k, const char *name, enum map_kind kind, const char *unsent, const char *base,
                           const char *first, const char *count, const char *elem);
/* Accesses to it are seen: no scalar that stays in a register. */
bool verify_in_memory(struct node *tree, CXCursor decl);

#endif
