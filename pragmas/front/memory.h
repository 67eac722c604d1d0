/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c: one arena that main() releases, growable arrays, text buffers. Nothing is freed piecemeal. */
#ifndef HEDDLE_FRONT_MEMORY_H
#define HEDDLE_FRONT_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

void *mem_alloc(size_t size); /* zeroed; never NULL: the process ends when memory does */
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *format, ...) PRINTF_LIKE(1, 2);
char *mem_vprintf(const char *format, va_list args);
void mem_release(void);
void *mem_grow(void *old, size_t n, size_t *cap, size_t size);

#define VEC(T)                                                                                                         \
    struct {                                                                                                           \
        T *at;                                                                                                         \
        size_t n, cap;                                                                                                 \
    }
#define vec_push(v, ...)                                                                                               \
    ((v)->at = mem_grow((v)->at, (v)->n, &(v)->cap, sizeof *(v)->at), (v)->at[(v)->n] = (__VA_ARGS__),                 \
     &(v)->at[(v)->n++])

struct buf {
    char *s; /* always NUL-terminated once something was added */
    size_t n, cap;
    const char *prefix; /* stands for `$` in the formats of buf_printf */
};
void buf_add(struct buf *b, const char *s, size_t n);
void buf_puts(struct buf *b, const char *s);
void buf_pad(struct buf *b, size_t spaces);
void buf_printf(struct buf *b, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
