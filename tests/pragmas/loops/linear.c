/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and columns of linear arrays, whose width says nothing of the loops' bounds: the program tests it. */
#include "../run/run.h"

enum { WIDE = 48 };

static void rows(int n, int m, int ld, double *x, const double *y)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i * ld + j] = 2 * y[i * ld + j] + x[i * ld + j];
}

static void columns(int n, int m, unsigned ld, double *x, const double *y)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i + ld * j] += y[i + ld * j] / 2;
}

static void constant(double *f, const double *g)
{
#define IDX(i, j) ((i) + (j) * WIDE)
#pragma heddle for
    for (int i = 1; i <= WIDE - 2; i++)
        for (int j = 1; j <= WIDE - 2; j++)
            f[IDX(i, j)] = g[IDX(i - 1, j)] + g[IDX(i + 1, j)] - g[IDX(i, j - 1)] * g[IDX(i, j + 1)];
}

static double strided(int n, int inc, double *x)
{
    double sum = 0;
#pragma heddle for reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        x[i * inc] *= 3;
        sum += x[i * inc];
    }
    return sum;
}

static void cube(int nx, int ny, int nz, int lx, int ly, double *f)
{
#pragma heddle for
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
            for (int z = 0; z < nz; z++)
                f[x + y * lx + z * lx * ly] += x;
#pragma heddle for
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            for (int z = 0; z < nz; z++)
                f[x + y * lx + z * lx * ly] *= y - 1;
#pragma heddle for
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++)
                f[x + y * lx + z * lx * ly] -= z;
}

int main(void)
{
    static double x[WIDE * WIDE], y[WIDE * WIDE], f[WIDE * WIDE];
    for (int k = 0; k < WIDE * WIDE; k++)
        x[k] = k % 7, y[k] = k % 5, f[k] = k % 3;
    for (int again = 0; again < 3; again++) {
        rows(WIDE, WIDE - 5, WIDE, x, y);
        columns(WIDE, WIDE - again, WIDE, x, y);
        constant(f, y);
        y[again] = strided(40, 1 + 2 * again, x);
        cube(7, 6, 5, 8, 9, f);
        cube(WIDE, 6, 8, WIDE, 6, f);
    }
    run_report("x", x, sizeof x);
    run_report("y", y, sizeof y);
    run_report("f", f, sizeof f);
    return 0;
}
