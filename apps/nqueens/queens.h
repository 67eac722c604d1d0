/* SPDX-License-Identifier: Apache-2.0 */
/* The n-queens problem: how many ways are there to place n queens so that none attacks another? */
#ifndef NQUEENS_QUEENS_H
#define NQUEENS_QUEENS_H

enum { QUEENS_MOST = 27 };

/* Counts solutions: tasks place the queens of `depth` rows, a bit-mask search does the rest. -1: no memory. */
long queens_count(int n, int depth);
long queens_count_serial(int n, int depth);

/* The first solution in the order of columns, or 0: column[row]. */
int queens_first(int n, int *column);

/* Known counts (OEIS A000170) for 1 … QUEENS_MOST. */
extern const long queens_known[QUEENS_MOST + 1];

#endif
