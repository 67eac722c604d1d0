/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on the variables of loops inside: arrays that end where these say. */
#include <stdio.h>
#include <stdlib.h>
void f(int n, int m, const double *a, const double *b, double *y)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < m; k++) {
            if (k > 0)
                s += a[k - 1];
            if (k < m - 1 && k > 1)
                s += b[k + 1] * b[k - 2];
        }
        y[i] = s;
    }
}
int main(void)
{
    int n = 50, m = 20;
    double *a = malloc(sizeof *a * (m - 1)), *b = malloc(sizeof *b * m), *y = malloc(sizeof *y * n), t = 0;
    for (int k = 0; k < m; k++) { if (k < m - 1) a[k] = k; b[k] = k * k; }
    f(n, m, a, b, y);
    for (int i = 0; i < n; i++) t += y[i] * i;
    printf("%g\n", t);
}
