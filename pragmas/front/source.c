/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input text: reading, line and column of an offset, spans with edits applied, #line markers.
 * Offsets are bytes; columns count bytes from 1 as clang's do.
 */
#include "front/source.h"
#include "front/lex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void source_index(struct source *src) {
    src->lines.n = 0;
    vec_push(&src->lines, 0);
    for (size_t i = 0; i < src->size; i++)
        if (src->text[i] == '\n')
            vec_push(&src->lines, i + 1);
}

int source_read(struct source *src, const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f)
        return -1;
    struct buf text = {0};
    char block[8192];
    size_t got;
    while ((got = fread(block, 1, sizeof block, f)) > 0)
        buf_add(&text, block, got);
    int failed = ferror(f);
    fclose(f);
    if (failed)
        return -1;
    src->path = path;
    src->text = text.s ? text.s : "";
    src->size = text.n;
    source_index(src);
    return 0;
}

size_t source_more(struct source *src, const char *text, size_t place) {
    struct buf b = {0};
    const size_t old =
        src->more.n ? src->more.at[src->more.n - 1].b + strlen(src->text + src->more.at[src->more.n - 1].b) : src->size;
    buf_add(&b, src->text, old + 1);
    buf_puts(&b, text);
    src->text = b.s;
    vec_push(&src->more, (struct span){old + 1, place});
    return old + 1;
}

size_t source_place(const struct source *src, size_t offset) {
    for (size_t i = src->more.n; i-- > 0;)
        if (offset >= src->more.at[i].b)
            return src->more.at[i].e;
    return offset;
}

size_t source_row(const struct source *src, size_t offset) {
    offset = source_place(src, offset);
    size_t lo = 0, hi = src->lines.n;
    while (hi - lo > 1) {
        size_t mid = (lo + hi) / 2;
        if (src->lines.at[mid] <= offset)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The piece that holds a row: NULL where the text is one file's. */
static const struct piece *piece_of(const struct source *src, size_t row) {
    const struct piece *found = NULL;
    for (size_t i = 0; i < src->pieces.n && src->pieces.at[i].row <= row; i++)
        found = &src->pieces.at[i];
    return found;
}

unsigned source_line(const struct source *src, size_t offset) {
    const size_t row = source_row(src, offset);
    const struct piece *p = piece_of(src, row);
    return p ? p->line + (unsigned)(row - p->row) : (unsigned)row + 1;
}

const char *source_file(const struct source *src, size_t offset) {
    const struct piece *p = piece_of(src, source_row(src, offset));
    return p ? p->path : src->path;
}

size_t source_origin(const struct source *src, size_t offset) {
    size_t gained = 0;
    for (size_t i = 0; src->original && i < src->changes.n; i++) {
        const struct edit *ed = &src->changes.at[i];
        const size_t b = ed->b + gained, n = strlen(ed->text);
        if (offset < b)
            break;
        if (offset < b + n)
            return src->original->original ? source_origin(src->original, ed->b) : ed->b;
        gained += n - (ed->e - ed->b);
    }
    return src->original && src->original->original ? source_origin(src->original, offset - gained) : offset - gained;
}

unsigned source_column(const struct source *src, size_t offset) {
    const struct source *written = src;
    while (written->original)
        written = written->original;
    offset = source_origin(src, source_place(src, offset));
    return (unsigned)(offset - written->lines.at[source_row(written, offset)]) + 1;
}

const char *source_flat(const struct source *src, struct span s) {
    struct buf out = {0};
    size_t pos = s.b;
    while (pos < s.e) {
        size_t next = lexer_skip_blank(src->text, pos, s.e);
        if (next > pos) {
            if (out.n && next < s.e)
                buf_add(&out, " ", 1);
            pos = next;
            continue;
        }
        buf_add(&out, src->text + pos, 1);
        pos++;
    }
    return out.s ? out.s : "";
}

static int edit_order(const void *a, const void *b) {
    const struct edit *x = *(const struct edit *const *)a, *y = *(const struct edit *const *)b;
    if (x->b != y->b)
        return x->b < y->b ? -1 : 1;
    /* Insertions keep the order they were made in and come before a replacement here. */
    bool xi = x->e == x->b, yi = y->e == y->b;
    if (xi != yi)
        return xi ? -1 : 1;
    if (!xi && x->e != y->e)
        return x->e > y->e ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* `made`: the edits in their order, without those that were dropped; may be NULL. */
static const char *edited(const struct source *src, struct span s, const edit_list *edits, edit_list *made) {
    struct buf out = {0};
    const struct edit **order = mem_alloc((edits->n + 1) * sizeof *order);
    for (size_t i = 0; i < edits->n; i++)
        order[i] = &edits->at[i];
    qsort(order, edits->n, sizeof *order, edit_order);
    size_t pos = s.b;
    for (size_t i = 0; i < edits->n; i++) {
        const struct edit *ed = order[i];
        if (ed->b < pos || ed->e > s.e)
            continue;
        buf_add(&out, src->text + pos, ed->b - pos);
        buf_puts(&out, ed->text);
        pos = ed->e;
        if (made)
            vec_push(made, *ed);
    }
    buf_add(&out, src->text + pos, s.e - pos);
    return out.s;
}

const char *source_edited(const struct source *src, struct span s, const edit_list *edits) {
    return edited(src, s, edits, NULL);
}

void source_rewrite(struct source *src, const edit_list *edits) {
    struct source *old = mem_alloc(sizeof *old);
    *old = *src;
    *src = (struct source){.path = old->path, .pieces = old->pieces, .original = old};
    src->text = edited(old, (struct span){0, old->size}, edits, &src->changes);
    src->size = strlen(src->text);
    source_index(src);
}

void source_quoted(struct buf *out, const char *path) {
    buf_puts(out, "\"");
    for (const char *p = path; *p; p++) {
        const bool trigraph = *p == '?' && p > path && p[-1] == '?';
        if (*p == '"' || *p == '\\' || trigraph)
            buf_add(out, "\\", 1);
        if (*p == '\n' || *p == '\r')
            buf_puts(out, *p == '\n' ? "\\n" : "\\r");
        else
            buf_add(out, p, 1);
    }
    buf_puts(out, "\"");
}

void source_marker(const struct source *src, struct buf *out, size_t offset, unsigned below) {
    buf_printf(out, "#line %u ", source_line(src, offset) + below);
    source_quoted(out, source_file(src, offset));
    buf_puts(out, "\n");
}
