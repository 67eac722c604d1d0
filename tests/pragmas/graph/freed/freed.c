/* SPDX-License-Identifier: Apache-2.0 */
/* freed [early [small]]: blocks of a large array, which is freed behind the graph, or early: while its tasks have not
 * run. Small: of 1 MB, which malloc keeps when it has seen larger ones. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 22, SMALL = 1 << 17, BLOCKS = 8 }; /* malloc gives blocks of N numbers back at once */

int main(int argc, char **argv) {
    const int early = argc > 1, n = argc > 2 ? SMALL : N, M = n / BLOCKS;
    (void)argv;
    free(malloc(N));
    double *x = malloc(n * sizeof *x), sum[BLOCKS];
    for (int i = 0; i < n; i++)
        x[i] = i % 7;
#pragma heddle graph
    {
        for (int b = 0; b < BLOCKS; b++) {
            double *const mine = &sum[b];
#pragma omp target teams distribute parallel for nowait depend(inout : x[b * M : M]) map(tofrom : x[b * M : M])
            for (int i = 0; i < M; i++)
                x[b * M + i] += b;
#pragma omp task depend(in : x[b * M : M]) depend(out : mine[0 : 1])
            {
                mine[0] = 0;
                for (int i = 0; i < M; i++)
                    mine[0] += x[b * M + i];
            }
        }
        if (early)
            free(x);
    }
    if (!early)
        free(x);
    for (int b = 0; b < BLOCKS; b++)
        printf("%g\n", sum[b]);
    return 0;
}
