/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages in clang's form: file:line:col, the source line, a caret. Editors and CI parse it.
 */
#include "translate.h"

#include <stdarg.h>
#include <stdlib.h>

static void show(struct unit *u, size_t offset, const char *severity, const char *format, va_list args) {
    if (!u->err)
        return;
    const struct source *src = u->src.original ? u->src.original : &u->src;
    offset = source_place(&u->src, offset);
    if (offset > u->src.size)
        offset = u->src.size;
    offset = source_origin(&u->src, offset);
    if (u->listener) {
        u->listener(u->listens, offset, severity, mem_vprintf(format, args));
        return;
    }
    unsigned line = source_line(src, offset), column = source_column(src, offset);
    fprintf(u->err, "%s:%u:%u: %s: ", src->path, line, column, severity);
    vfprintf(u->err, format, args);
    size_t begin = src->lines.at[line - 1], end = begin;
    while (end < src->size && src->text[end] != '\n' && src->text[end] != '\r')
        end++;
    fprintf(u->err, "\n%5u | %.*s\n      | ", line, (int)(end - begin), src->text + begin);
    /* Tabs are kept so that the caret stands under its character whatever their width. */
    for (size_t i = begin; i < offset && i < end; i++)
        fputc(src->text[i] == '\t' ? '\t' : ' ', u->err);
    fputs("^\n", u->err);
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

void diag_summary(struct unit *u) {
    if (u->errors && u->err && !u->listener)
        fprintf(u->err, "%u error%s generated.\n", u->errors, u->errors == 1 ? "" : "s");
}

void diag_hold(struct unit *u, struct diag_held *h) {
    *h = (struct diag_held){.err = u->err, .errors = u->errors};
    h->held = u->err ? open_memstream(&h->text, &h->size) : NULL;
    u->err = h->held;
}

void diag_release(struct unit *u, struct diag_held *h, bool show_them) {
    if (h->held)
        fclose(h->held);
    u->err = h->err;
    if (!show_them)
        u->errors = h->errors;
    else if (h->err && h->text)
        fwrite(h->text, 1, h->size, h->err);
    free(h->text);
}
