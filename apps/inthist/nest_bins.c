/* SPDX-License-Identifier: Apache-2.0 */
/* Integral histogram (Porikli, CVPR 2005): a summed-area table for each bin, all in one nest. */
#include "nest.h"

#include <stddef.h>

void INTHIST_NEST(inthist_count)(int n, int m, int first, int last, const unsigned char *codes, int *counts,
                                 int device) {
    const unsigned char(*W)[m] = (const unsigned char(*)[m])codes;
    int(*H)[n + 1][m + 1] = (int(*)[n + 1][m + 1]) counts;
    (void)device;
#pragma heddle wavefront batch(bin) map(to : W[0 : n]) map(tofrom : H[0 : last - first]) device(device)
    for (int bin = first; bin < last; bin++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                H[bin - first][i][j] = (W[i - 1][j - 1] == bin) + H[bin - first][i - 1][j] + H[bin - first][i][j - 1] -
                                       H[bin - first][i - 1][j - 1];
}
