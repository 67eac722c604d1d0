/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores past the caches, for results that are larger than they are. An ordinary store reads the line first, which is
 * half as much traffic again for a loop that reads as much as it writes.
 */
#ifndef HEDDLE_LANES_STREAM_H
#define HEDDLE_LANES_STREAM_H

#include <heddle/engine/library.h>

#ifdef __clang__ /* the engines' compiler; others only read this header */
#define HEDDLE_STREAM_STORE(v, to) __builtin_nontemporal_store(v, (vector *)(void *)(to))
#else
#define HEDDLE_STREAM_STORE(v, to) memcpy(to, &v, sizeof v)
#endif

/* Bytes before the first whole line; lines that are shared with other rows' parts pass through the cache. */
static inline __attribute__((always_inline, unused)) size_t heddle_stream_lead(const char *to, size_t bytes) {
    const size_t lead = -(uintptr_t)to % 64;
    return lead < bytes ? lead : bytes;
}

/* ..._lines: whole lines from byte `at` on, where one begins, as far as the first `bytes` bytes go; returns how many
   bytes that is. Without it: all of them, but for the last line where it is not whole and not the row's last. */
#define HEDDLE_STREAM(width)                                                                                           \
    static inline __attribute__((always_inline, unused)) size_t heddle_stream_lines_##width(                           \
        char *to, const char *from, size_t at, size_t bytes) {                                                         \
        typedef uint32_t vector __attribute__((vector_size(width)));                                                   \
        const size_t lines = bytes > at ? (bytes - at) / 64 * 64 : 0, end = at + lines;                                \
        for (; at < end; at += width) {                                                                                \
            vector v;                                                                                                  \
            memcpy(&v, from + at, sizeof v);                                                                           \
            HEDDLE_STREAM_STORE(v, to + at);                                                                           \
        }                                                                                                              \
        return lines;                                                                                                  \
    }                                                                                                                  \
    static inline __attribute__((always_inline, unused)) void heddle_stream_##width(char *to, const char *from,        \
                                                                                    size_t bytes, int last) {          \
        const size_t head = heddle_stream_lead(to, bytes);                                                             \
        if (head)                                                                                                      \
            memcpy(to, from, head);                                                                                    \
        const size_t end = head + heddle_stream_lines_##width(to, from, head, bytes);                                  \
        if (last && end < bytes)                                                                                       \
            memcpy(to + end, from + end, bytes - end);                                                                 \
    }
HEDDLE_STREAM(32)
HEDDLE_STREAM(64)
#undef HEDDLE_STREAM
#undef HEDDLE_STREAM_STORE

/* Such stores become visible in any order: once before another thread is told of them. */
static inline __attribute__((always_inline, unused)) void heddle_stream_end(void) {
#ifdef __x86_64__
    __builtin_ia32_sfence();
#endif
}
#endif
