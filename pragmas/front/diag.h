/* SPDX-License-Identifier: Apache-2.0 */
/* diag.c: messages in clang's form */
#ifndef HEDDLE_FRONT_DIAG_H
#define HEDDLE_FRONT_DIAG_H

#include "front/memory.h"
#include <stdbool.h>

struct unit;

void diag_error(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_warning(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_note(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
/* What is accepted and hardly gains: for a listener alone. */
void diag_hint(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
/* What its author may add to what is accepted: for a listener alone. */
void diag_advice(struct unit *u, size_t offset, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_summary(struct unit *u);
/* Messages from here to diag_release are kept back, then shown or forgotten with their number. */
struct message {
    size_t offset; /* in the file as it was written */
    const char *severity, *text;
};
typedef void (*diag_listener)(void *of, size_t offset, const char *severity, const char *text);
struct diag_held {
    diag_listener listener;
    void *listens;
    unsigned errors;
    VEC(struct message) kept;
};
void diag_hold(struct unit *u, struct diag_held *h);
void diag_release(struct unit *u, struct diag_held *h, bool show);
/* A message that was kept, as a note with a text before it. */
void diag_note_kept(struct unit *u, const struct message *m, const char *before);

#endif
