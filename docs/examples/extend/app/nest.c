/* SPDX-License-Identifier: Apache-2.0 */
#include "nest.h"

#ifdef LCS_SERIAL
#define lcs lcs_serial
#endif

static inline int larger(int x, int y) { return x > y ? x : y; }

int lcs(int n, int m, const char *a, const char *b, int *cells) {
    int(*L)[m + 1] = (int(*)[m + 1]) cells;
#pragma heddle wavefront map(to: a[0:n], b[0:m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            L[i][j] = a[i - 1] == b[j - 1] ? L[i - 1][j - 1] + 1 : larger(L[i - 1][j], L[i][j - 1]);
    return L[n][m];
}
