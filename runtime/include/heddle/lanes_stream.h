/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores past the caches, for results that are larger than they are. An ordinary store reads the line first, which is
 * half as much traffic again for a loop that reads as much as it writes.
 */
#ifndef HEDDLE_LANES_STREAM_H
#define HEDDLE_LANES_STREAM_H

#include <stdint.h>
#include <string.h>

#ifdef __clang__ /* the engines' compiler; others only read this header */
#define HEDDLE_STREAM_STORE(v, to) __builtin_nontemporal_store(v, (vector *)(void *)(to))
#else
#define HEDDLE_STREAM_STORE(v, to) memcpy(to, &v, sizeof v)
#endif

#define HEDDLE_STREAM(width)                                                                       \
    static inline __attribute__((always_inline, unused)) void heddle_stream_##width(char *to, const char *from, size_t bytes) \
    {                                                                                              \
        typedef uint32_t vector __attribute__((vector_size(width)));                               \
        const size_t lead = -(uintptr_t)to % 64, head = lead < bytes ? lead : bytes;               \
        const size_t lines = (bytes - head) / 64 * 64;                                             \
        memcpy(to, from, head); /* lines that are shared with other rows' parts pass through the cache */ \
        for (size_t at = head; at < head + lines; at += width) {                                   \
            vector v;                                                                              \
            memcpy(&v, from + at, sizeof v);                                                       \
            HEDDLE_STREAM_STORE(v, to + at);                                                       \
        }                                                                                          \
        memcpy(to + head + lines, from + head + lines, bytes - head - lines);                      \
    }
HEDDLE_STREAM(32)
HEDDLE_STREAM(64)
#undef HEDDLE_STREAM
#undef HEDDLE_STREAM_STORE

/* Such stores become visible in any order: once before another thread is told of them. */
static inline __attribute__((always_inline, unused)) void heddle_stream_end(void)
{
#ifdef __x86_64__
    __builtin_ia32_sfence();
#endif
}
#endif
