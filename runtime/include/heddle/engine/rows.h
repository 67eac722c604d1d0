/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of sections that subscripts show, as emitted code computes them. Includes nothing. */
#ifndef HEDDLE_ROWS_H
#define HEDDLE_ROWS_H

static __attribute__((__unused__)) long heddle_least(long a, long b) { return a < b ? a : b; }
static __attribute__((__unused__)) long heddle_most(long a, long b) { return a > b ? a : b; }

/* Rows lo … hi: the first of them, and their number. */
static __attribute__((__unused__)) long heddle_rows_first(long lo, long hi) { return hi < lo ? 0 : lo; }
static __attribute__((__unused__)) long heddle_rows_number(long lo, long hi) { return hi < lo ? 0 : hi - lo + 1; }

#endif
