/* SPDX-License-Identifier: Apache-2.0 */
/* Functions use an array of file scope; what the loop writes through a pointer may lie in it. */
// overlaps: 0 1 999
// apart: 1000 1001
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };
static float table[3 * N];

static float weighed(int i) { return table[N + i] * 0.5f + table[N + (i * 7) % N]; }

static void all(int n, float *y) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = weighed(i) + 1;
}

static void more(int n, float *y) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = y[i] / 2 + weighed(i);
}

int main(int argc, char **argv) {
    const int apart = argc > 1 ? atoi(argv[1]) : N;
    float sum = 0;
    for (int i = 0; i < 3 * N; i++)
        table[i] = (float)(i * 37 % 101) / 101;
    float *own = apart <= N ? NULL : malloc(N * sizeof *own);
    float *y = own ? own : apart < N ? table + N + apart : (float[N]){0};
    for (int turn = 0; turn < 3; turn++) {
        all(N, y);
        more(N, y);
    }
    for (int i = 0; i < 3 * N; i++)
        sum = sum / 2 + table[i];
    for (int i = 0; own && i < N; i++)
        sum = sum / 2 + own[i];
    printf("%a\n", sum);
    free(own);
    return 0;
}
