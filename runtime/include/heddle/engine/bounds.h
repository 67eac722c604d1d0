/* SPDX-License-Identifier: Apache-2.0 */
/* What sections that the translator finds are written with, in programs that run and in those that are verified. */
#ifndef HEDDLE_BOUNDS_H
#define HEDDLE_BOUNDS_H

static inline __attribute__((__unused__)) long heddle_least(long a, long b) { return a < b ? a : b; }
static inline __attribute__((__unused__)) long heddle_most(long a, long b) { return a > b ? a : b; }

/* Rows lo … hi: the first of them, and their number. */
static inline __attribute__((__unused__)) long heddle_rows_first(long lo, long hi) { return hi < lo ? 0 : lo; }
static inline __attribute__((__unused__)) long heddle_rows_number(long lo, long hi) {
    return hi < lo ? 0 : hi - lo + 1;
}

#endif
