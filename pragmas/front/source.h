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

struct source {
    const char *path; /* as given on the command line */
    const char *text; /* NUL-terminated */
    size_t size;
    VEC(size_t) lines;     /* offset of the first byte of every line */
    VEC(struct span) more; /* text behind `size`, of directives out of macros: where each begins, and its place */
    const struct source *original; /* as it was written, where it was changed before it was analysed */
    edit_list changes;             /* to that, in their order; lines are the same */
};
/* Puts text behind the file's; `place`: what stands for it in messages. Where it begins. */
size_t source_more(struct source *src, const char *text, size_t place);
size_t source_place(const struct source *src, size_t offset); /* in the file */
int source_read(struct source *src, const char *path);        /* 0, or -1 with errno set */
void source_index(struct source *src);                        /* fills lines from text */
void source_rewrite(struct source *src, const edit_list *edits);
unsigned source_line(const struct source *src, size_t offset);
unsigned source_column(const struct source *src, size_t offset); /* as it was written */
size_t source_origin(const struct source *src, size_t offset);   /* likewise */
/* the text of a span with line continuations and comments flattened to blanks */
const char *source_flat(const struct source *src, struct span s);
/* a span with edits applied; an edit inside another one's span is dropped */
const char *source_edited(const struct source *src, struct span s, const edit_list *edits);
void source_line_marker(const struct source *src, struct buf *out, unsigned line);

#endif
