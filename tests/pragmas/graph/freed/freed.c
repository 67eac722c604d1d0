/* SPDX-License-Identifier: Apache-2.0 */
/* freed [early]: blocks of a large array, which is freed behind the graph, or early: while its tasks have not run. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 22, BLOCKS = 8, M = N / BLOCKS }; /* malloc gives blocks of that size back at once */

int main(int argc, char **argv) {
    const int early = argc > 1;
    double *x = malloc(N * sizeof *x), sum[BLOCKS];
    (void)argv;
    for (int i = 0; i < N; i++)
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
