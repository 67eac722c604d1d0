/* SPDX-License-Identifier: Apache-2.0 */
/* A loop that would be exchanged, with arrays that share memory: then the order as written counts. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

static void product(int n, double C[n][n], double A[n][n], double B[n][n]) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                C[i][j] += A[i][k] * B[k][j] / 64;
}

int main(int argc, char **argv) {
    double *a = malloc(3 * N * N * sizeof *a), sum = 0;
    const int apart = argc > 1 ? atoi(argv[1]) : N * N;
    for (int k = 0; k < 3 * N * N; k++)
        a[k] = (k * 37 % 101) / 101.0;
    product(N, (void *)a, (void *)(a + 2 * N * N), (void *)(a + apart));
    for (int k = 0; k < 3 * N * N; k++)
        sum = sum / 2 + a[k];
    printf("%a\n", sum);
    free(a);
    return 0;
}
