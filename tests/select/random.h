/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seeded random OpenMP programs and what plain OpenMP computes for them.
 *
 * Each array has a host value, and while it is mapped a device value; `want` and `device` hold what both must be
 * under plain OpenMP with one device and separate memory. An operation is done by OpenMP on `at` and by serial
 * code on the model; afterwards `at` must equal `want` in every word.
 */
#ifndef TESTS_SELECT_RANDOM_H
#define TESTS_SELECT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t word;

struct array {
    word *at, *want, *device;
    long n;
    int maps; /* how often it is mapped by enter data; always whole */
};

struct random {
    uint64_t state;
};
static inline uint64_t next(struct random *r) {
    r->state += 0x9e3779b97f4a7c15u;
    uint64_t z = r->state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static inline long below(struct random *r, long n) { return (long)(next(r) % (uint64_t)n); }

/* Small numbers: a word that looks like an address would be a device pointer to the selector. */
static inline word clip(word v) { return v & 0xffffffffu; }

/* random_regions.c: one region on x and z (different arrays) and the same on the model. */
enum { REGIONS = 14 };
bool region_fits(int kind, const struct array *x, const struct array *z);
void region_run(int kind, struct array *x, struct array *z, word c, struct random *r);

/* random_late.c: tasks that read one array at once and begin to write parts of it. False: a wrong result. */
bool late_writers(struct random *r);

/* The model of a map: where a region without maps of its own would find the values. */
static inline word *seen(struct array *a) { return a->maps ? a->device : a->want; }

#endif
