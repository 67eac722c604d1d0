/* SPDX-License-Identifier: Apache-2.0 */
/* Heads whose tests say how they will turn out. */
#include <stdio.h>

#define LIKELY(x) __builtin_expect(!!(x), 1)

enum { N = 1500, M = 30 };

static void direct(int n, double *y, const double *x) {
#pragma heddle for
    for (int i = 0; __builtin_expect(i < n, 1); i++)
        y[i] = 2 * x[i];
}

static void macros(int n, double (*y)[M], const double *x) {
#pragma heddle for
    for (int i = 0; LIKELY(i < n); ++i)
        for (int j = M - 1; __builtin_expect(j >= 0, 1); j--)
            y[i][j] += x[i] + j;
}

static void nest(int n, int (*h)[M]) {
#pragma heddle wavefront
    for (int i = 1; LIKELY(i < n); i++)
        for (int j = 1; __builtin_expect(!!(j < M), 1); j++)
            h[i][j] = (h[i - 1][j] + 3 * h[i][j - 1] + 1) & 255;
}

int main(void) {
    static double x[N], y[N], z[N][M], all;
    static int h[N][M];
    long sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 19;
    for (int turn = 0; turn < 3; turn++) {
        direct(N, y, x);
        macros(N, z, y);
        nest(N, h);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            all = all * 0.5 + z[i][j] + y[i];
            sum = (sum * 31 + h[i][j]) % 1000003;
        }
    printf("%a %ld\n", all, sum);
    return 0;
}
