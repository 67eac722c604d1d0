/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages in clang's form: file:line:col, the source line, a caret. Editors and CI parse it.
 */
#include "front/unit.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

/* `offset`: in the file as it was written. */
static void print(const struct unit *u, size_t offset, const char *severity, const char *text) {
    const struct source *src = &u->src;
    while (src->original)
        src = src->original;
    unsigned line = source_line(src, offset), column = source_column(src, offset);
    fprintf(u->err, "%s:%u:%u: %s: %s", source_file(src, offset), line, column, severity, text);
    size_t begin = src->lines.at[source_row(src, offset)], end = begin;
    while (end < src->size && src->text[end] != '\n' && src->text[end] != '\r')
        end++;
    fprintf(u->err, "\n%5u | %.*s\n      | ", line, (int)(end - begin), src->text + begin);
    /* Tabs are kept so that the caret stands under its character whatever their width. */
    for (size_t i = begin; i < offset && i < end; i++)
        fputc(src->text[i] == '\t' ? '\t' : ' ', u->err);
    fputs("^\n", u->err);
}

static void deliver(struct unit *u, size_t offset, const char *severity, const char *text) {
    if (u->listener)
        u->listener(u->listens, offset, severity, text);
    else if (*severity != 'h' && *severity != 'a')
        print(u, offset, severity, text);
}

static bool is_name(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    return n != 0;
}

static bool is_member(const char *text, size_t n) {
    const char *arrow = strstr(text, "->");
    return memchr(text, '.', n) || (arrow && arrow < text + n);
}

/* A name that stands for a member, g->hx, is shown as that. */
static const char *members_as_written(const struct source *src, const struct edit *e, const char *message) {
    const size_t n = strlen(e->text), written = e->e - e->b;
    if (!is_name(e->text, n) || !is_member(src->original->text + e->b, written))
        return message;
    for (const char *at = message; (at = strstr(at, e->text)) != NULL; at += n) {
        if (is_name(at + n, 1) || (at > message && is_name(at - 1, 1)))
            continue;
        const size_t before = (size_t)(at - message);
        message = mem_printf("%.*s%.*s%s", (int)before, message, (int)written, src->original->text + e->b, at + n);
        at = message + before + written - n;
    }
    return message;
}

/* One that cannot be taken for anything else. */
static bool is_expression(const struct edit *e) {
    const size_t n = strlen(e->text), written = e->e - e->b;
    return written && (e->text[0] == '(' || (n > written && e->text[n - 1] == ']'));
}

/* An expression that stands for a name since the text was changed is that name again: 'x[((int)(n - 1 - i_turn))]'. */
static const char *as_written(const struct source *src, const char *message) {
    for (; src->original; src = src->original)
        for (size_t i = 0; i < src->changes.n; i++) {
            const struct edit *e = &src->changes.at[i];
            const char *at;
            message = members_as_written(src, e, message);
            while (is_expression(e) && (at = strstr(message, e->text)) != NULL)
                message = mem_printf("%.*s%.*s%s", (int)(at - message), message, (int)(e->e - e->b),
                                     src->original->text + e->b, at + strlen(e->text));
        }
    return message;
}

static void show(struct unit *u, size_t offset, const char *severity, const char *format, va_list args) {
    if (!u->err)
        return;
    offset = source_place(&u->src, offset);
    if (offset > u->src.size)
        offset = u->src.size;
    deliver(u, source_origin(&u->src, offset), severity, as_written(&u->src, mem_vprintf(format, args)));
}

#define SHOW(kind)                                                                                                     \
    do {                                                                                                               \
        va_list args;                                                                                                  \
        va_start(args, format);                                                                                        \
        show(u, offset, kind, format, args);                                                                           \
        va_end(args);                                                                                                  \
    } while (0)

void diag_error(struct unit *u, size_t offset, const char *format, ...) {
    SHOW("error");
    u->errors++;
}

void diag_warning(struct unit *u, size_t offset, const char *format, ...) { SHOW("warning"); }

void diag_note(struct unit *u, size_t offset, const char *format, ...) { SHOW("note"); }

void diag_hint(struct unit *u, size_t offset, const char *format, ...) { SHOW("hint"); }

void diag_advice(struct unit *u, size_t offset, const char *format, ...) { SHOW("advice"); }

void diag_summary(struct unit *u) {
    if (u->errors && u->err && !u->listener)
        fprintf(u->err, "%u error%s generated.\n", u->errors, u->errors == 1 ? "" : "s");
}

static void keep(void *of, size_t offset, const char *severity, const char *text) {
    struct diag_held *h = of;
    vec_push(&h->kept, (struct message){offset, severity, text});
}

void diag_hold(struct unit *u, struct diag_held *h) {
    *h = (struct diag_held){.listener = u->listener, .listens = u->listens, .errors = u->errors};
    u->listener = keep;
    u->listens = h;
}

void diag_release(struct unit *u, struct diag_held *h, bool show_them) {
    u->listener = h->listener;
    u->listens = h->listens;
    if (!show_them)
        u->errors = h->errors;
    for (size_t i = 0; show_them && i < h->kept.n; i++)
        deliver(u, h->kept.at[i].offset, h->kept.at[i].severity, h->kept.at[i].text);
}

void diag_note_kept(struct unit *u, const struct message *m, const char *before) {
    if (u->err)
        deliver(u, m->offset, "note", mem_printf("%s%s", before, m->text));
}
