/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers that begin as blocks from malloc, and may be something else when the loop runs. */
// overlaps: them
// apart: beside
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 2000 };

static double derived(int n, const int *at, int shift) {
    double *y = malloc(3 * (size_t)n * sizeof *y), *x = y + shift, sum = 0;
    for (int i = 0; i < 3 * n; i++)
        y[i] = i % 11;
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]] + 1;
    for (int i = 0; i < n; i++)
        sum = sum * 0.5 + y[i];
    free(y);
    return sum;
}

static double changed(int n, const int *at, double *given, int them) {
    double *y = malloc((size_t)n * sizeof *y), *own = y, sum = 0;
    if (them)
        y = given;
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = given[at[i]] + 1;
    for (int i = 0; i < n; i++)
        sum = sum * 0.5 + y[i];
    free(own);
    return sum;
}

static void exchange(double **p, double *by) { *p = by; }

static double handed(int n, const int *at, double *given, int them) {
    double *y = malloc((size_t)n * sizeof *y), *const own = y, sum = 0;
    if (them)
        exchange(&y, given);
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = given[at[i]] + 1;
    for (int i = 0; i < n; i++)
        sum = sum * 0.5 + y[i];
    free(own);
    return sum;
}

int main(int argc, char **argv) {
    static int at[N];
    static double given[N];
    const int them = argc > 1 && !strcmp(argv[1], "them");
    for (int i = 0; i < N; i++) {
        at[i] = i ? i - 1 : 0;
        given[i] = i % 7;
    }
    const double a = derived(N, at, them ? 1 : N + 5), b = changed(N, at, given, them), c = handed(N, at, given, them);
    printf("%a %a %a\n", a, b, c);
    return 0;
}
