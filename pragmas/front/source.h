/* SPDX-License-Identifier: Apache-2.0 */
/* source.c: the input text, positions in it, edits to it. Everything is keyed by byte offsets into it. */
#ifndef HEDDLE_FRONT_SOURCE_H
#define HEDDLE_FRONT_SOURCE_H

#include "front/memory.h"

struct span {
    size_t b, e; /* byte offsets, e is one past the end */
};
struct edit {
    size_t b, e;
    const char *text;
};
typedef VEC(struct edit) edit_list;

struct piece {  /* rows of one file, of a text that several were put into (join.c) */
    size_t row; /* the first one, from 0 */
    const char *path;
    unsigned line; /* of that row, in the file */
};
struct source {
    const char *path; /* as given on the command line */
    const char *text; /* NUL-terminated */
    size_t size;
    VEC(size_t) lines;     /* offset of the first byte of every line */
    VEC(struct span) more; /* text behind `size`, of directives out of macros: where each begins, and its place */
    VEC(struct piece) pieces;
    const struct source *original; /* as it was written, where it was changed before it was analysed */
    edit_list changes;             /* to that, in their order; lines are the same */
};
/* Puts text behind the file's; `place`: what stands for it in messages. Where it begins. */
size_t source_more(struct source *src, const char *text, size_t place);
size_t source_place(const struct source *src, size_t offset); /* in the file */
int source_read(struct source *src, const char *path);        /* 0, or -1 with errno set */
void source_index(struct source *src);                        /* fills lines from text */
void source_rewrite(struct source *src, const edit_list *edits);
unsigned source_line(const struct source *src, size_t offset); /* of its file */
const char *source_file(const struct source *src, size_t offset);
size_t source_row(const struct source *src, size_t offset);      /* of the text, from 0 */
unsigned source_column(const struct source *src, size_t offset); /* as it was written */
size_t source_origin(const struct source *src, size_t offset);   /* likewise */
/* the text of a span with line continuations and comments flattened to blanks */
const char *source_flat(const struct source *src, struct span s);
/* a span with edits applied; an edit inside another one's span is dropped */
const char *source_edited(const struct source *src, struct span s, const edit_list *edits);
void source_quoted(struct buf *out, const char *path); /* as a string of C */
/* #line and a newline: what follows stands in the offset's file, so many lines below it */
void source_marker(const struct source *src, struct buf *out, size_t offset, unsigned below);

#endif
