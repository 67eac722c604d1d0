/* SPDX-License-Identifier: Apache-2.0 */
/* Seeded data and checksums for the run-and-compare programs. */
#ifndef RUN_H
#define RUN_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static unsigned run_seed = 12345;
static inline unsigned run_random(void)
{
    run_seed = run_seed * 1664525u + 1013904223u;
    return run_seed >> 8;
}
static inline void run_fill(void *p, size_t bytes, unsigned modulus)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)p)[i] = (unsigned char)(run_random() % modulus);
}
static inline void run_ints(int *p, size_t n, int modulus)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (int)(run_random() % (unsigned)modulus);
}
static inline void run_floats(float *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (float)(run_random() % 1000) / 8;
}
static inline void run_report(const char *name, const void *p, size_t bytes)
{
    unsigned long h = 1469598103934665603ul;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211ul;
    printf("%s %016lx\n", name, h);
}
#endif
