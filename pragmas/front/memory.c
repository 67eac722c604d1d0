/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arena, growable arrays and text buffers. The process is short-lived, so nothing is freed before
 * the end; the arena exists so that leak checkers and the fuzzer see a clean exit.
 */
#include "front/memory.h"

#include <stdio.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *next;
    max_align_t data[];
};
static struct chunk *chunks;

void *mem_alloc(size_t size) {
    struct chunk *c = calloc(1, sizeof *c + (size ? size : 1));
    if (!c) {
        fputs("heddle-translate: out of memory\n", stderr);
        exit(1);
    }
    c->next = chunks;
    chunks = c;
    return c->data;
}

void mem_release(void) {
    while (chunks) {
        struct chunk *next = chunks->next;
        free(chunks);
        chunks = next;
    }
}

char *mem_strndup(const char *s, size_t n) {
    char *copy = mem_alloc(n + 1);
    if (n)
        memcpy(copy, s, n);
    return copy;
}

char *mem_vprintf(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    char *s = mem_alloc((size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    return s;
}

char *mem_printf(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *s = mem_vprintf(format, args);
    va_end(args);
    return s;
}

void *mem_grow(void *old, size_t n, size_t *cap, size_t size) {
    if (n < *cap)
        return old;
    *cap = *cap ? *cap * 2 : 8;
    void *bigger = mem_alloc(*cap * size);
    if (n)
        memcpy(bigger, old, n * size);
    return bigger;
}

void buf_add(struct buf *b, const char *s, size_t n) {
    if (b->n + n + 1 > b->cap) {
        b->cap = (b->n + n + 1) * 2;
        char *bigger = mem_alloc(b->cap);
        if (b->n)
            memcpy(bigger, b->s, b->n);
        b->s = bigger;
    }
    if (n)
        memcpy(b->s + b->n, s, n);
    b->n += n;
    b->s[b->n] = '\0';
}

void buf_puts(struct buf *b, const char *s) { buf_add(b, s, strlen(s)); }

void buf_pad(struct buf *b, size_t spaces) {
    while (spaces--)
        buf_add(b, " ", 1);
}

static const char *with_prefix(const char *format, const char *prefix) {
    struct buf b = {0};
    for (; *format; format++)
        buf_add(&b, *format == '$' ? prefix : format, *format == '$' ? strlen(prefix) : 1);
    return b.n ? b.s : "";
}

void buf_printf(struct buf *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    buf_puts(b, mem_vprintf(b->prefix ? with_prefix(format, b->prefix) : format, args));
    va_end(args);
}
