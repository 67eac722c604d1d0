/* SPDX-License-Identifier: Apache-2.0 */
/* Integral histogram (Porikli, CVPR 2005): a summed-area table for each bin, one wavefront each. */
#include "nest.h"

#include <stddef.h>

static void plane(int n, int m, int bin, const unsigned char *codes, int *counts, int device) {
    const unsigned char(*W)[m] = (const unsigned char(*)[m])codes;
    int(*H)[m + 1] = (int(*)[m + 1])counts;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            H[i][j] = (W[i - 1][j - 1] == bin) + H[i - 1][j] + H[i][j - 1] - H[i - 1][j - 1];
}

void INTHIST_NEST(inthist_count)(int n, int m, int first, int last, const unsigned char *codes,
                                 int *counts, int device) {
    const size_t size = ((size_t)n + 1) * ((size_t)m + 1), pixels = (size_t)n * (size_t)m;
    (void)pixels;
#pragma omp target data map(to: codes[0:pixels]) device(device) if (device >= 0)
    for (int bin = first; bin < last; bin++)
        plane(n, m, bin, codes, counts + (size_t)(bin - first) * size, device);
}
