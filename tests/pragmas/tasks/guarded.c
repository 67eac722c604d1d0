/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions on the variables of loops inside keep references in their arrays, which are as long as that. */
#include <stdio.h>
#include <stdlib.h>
static void sweep(int h, int w, long *x, const long *b)
{
#pragma heddle pool
    {
#pragma heddle taskloop sink(y - 1, c) sink(y, c - 1)
        for (int y = 0; y < h; y++)
            for (int c = 0; c < w; c++) {
                long s = b[y * w + c];
                if (y > 0)
                    s += x[(y - 1) * w + c];
                if (c > 0 && y < h)
                    s += x[y * w + c - 1];
                x[y * w + c] = s % 1009;
            }
    }
}
static void smooth(int n, const double *a, double *r)
{
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                if (k + 1 < n)
                    s += a[k + 1] - a[k];
            r[i] = s + i;
        }
    }
}
int main(void)
{
    enum { H = 9, W = 13 };
    long *x = malloc(H * W * sizeof *x), *b = malloc(H * W * sizeof *b), sum = 0;
    double *a = malloc(W * sizeof *a), *r = malloc(W * sizeof *r), t = 0;
    for (int i = 0; i < H * W; i++)
        x[i] = -1, b[i] = i * 31 % 17;
    for (int i = 0; i < W; i++)
        a[i] = i * i;
    sweep(H, W, x, b);
    smooth(W, a, r);
    for (int i = 0; i < H * W; i++)
        sum += x[i] * (i + 1);
    for (int i = 0; i < W; i++)
        t += r[i];
    printf("%ld %g\n", sum, t);
}
