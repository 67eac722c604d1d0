/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine's headers use of the C library and of OpenMP's. It is declared here, since the libraries' own headers
 * would bring a hundred further names into each program with a directive, which may have its own `time` or `select`.
 */
#ifndef HEDDLE_LIBRARY_H
#define HEDDLE_LIBRARY_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus /* C++ compares what two declarations throw */
#include <omp.h>
#include <string.h>
extern "C" {
#else
extern void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
extern void *memmove(void *to, const void *from, size_t bytes);
extern void *memset(void *to, int value, size_t bytes);
extern int memcmp(const void *a, const void *b, size_t bytes);
extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);
#endif

/* by names and a type of our own: with -std=c11 the C library's headers hide theirs */
struct heddle_timespec {
    long seconds, nanoseconds;
};
extern int heddle_clock_gettime(int clock, struct heddle_timespec *t) __asm__("clock_gettime");
extern int heddle_sched_yield(void) __asm__("sched_yield");

#ifdef __cplusplus
}
#endif

/* Nonzero: this is no device, not even one that is a host processor. */
static inline __attribute__((unused)) int heddle_is_host(void) { return 1; }
#ifdef _OPENMP
#pragma omp begin declare variant match(device = {kind(nohost)})
static inline __attribute__((unused)) int heddle_is_host(void) { return 0; }
#pragma omp end declare variant
#endif
#endif
