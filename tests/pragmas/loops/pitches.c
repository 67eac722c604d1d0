/* SPDX-License-Identifier: Apache-2.0 */
/* Rows whose pitch is a sum, as Fortran's bounds make it: a row's elements are different ones from where it begins on. */
#include <stdio.h>
#include <string.h>

enum { MOST = 40 * 40 };
static double a[MOST], b[MOST];

/* Distinct for first >= 1. */
static void wide(int first, int last, int low, int high, double *x) {
#pragma heddle for
    for (int k = low - 2; k <= high + 2; k++)
        for (int j = first - 2; j <= last + 2; j++)
            x[(last + 4) * (k - (low - 2)) + j - (first - 2)] += k * 100 + j;
}

/* Distinct for first >= -3. */
static void narrow(int first, int last, int low, int high, double *x, const double *y) {
#pragma heddle for
    for (int k = low; k <= high + 1; k++)
        for (int j = first; j <= last + 1; j++)
            x[(last + 5) * (k - low + 2) + j - first + 2] = 0.5 * y[(last + 5) * (k - low + 2) + j - first + 2];
}

int main(void) {
    static const int firsts[] = {1, 2, 5};
    for (size_t n = 0; n < sizeof firsts / sizeof *firsts; n++) {
        double sum = 0;
        memset(a, 0, sizeof a);
        for (int i = 0; i < MOST; i++)
            b[i] = i;
        wide(firsts[n], 12, 1, 20, a);
        narrow(firsts[n], 12, 1, 20, a, b);
        for (int i = 0; i < MOST; i++)
            sum += a[i] * (i % 17 + 1);
        printf("%d: %.3f\n", firsts[n], sum);
    }
    return 0;
}
