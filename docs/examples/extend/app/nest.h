/* SPDX-License-Identifier: Apache-2.0 */
/* The length of the longest common subsequence of two texts; `_serial`: the same source without its pragma. */
#ifndef LCS_NEST_H
#define LCS_NEST_H

/* L: (n + 1) * (m + 1) cells, whose first row and column are 0. */
int lcs(int n, int m, const char *a, const char *b, int *L);
int lcs_serial(int n, int m, const char *a, const char *b, int *L);

#endif
