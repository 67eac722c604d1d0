/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays and structures of an iteration's own: declared in the body, or outside and filled before they are read. */
#include "../run/run.h"

enum { N = 96, M = 40 };
struct vector {
    double x, y, z;
};

static void inside(int n, int m, const double (*x)[M], double (*y)[M])
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        double fixed[M], own[m], square[2][3] = {{i, 2, 3}};
        for (int j = 0; j < m; j++) {
            fixed[j] = 2 * x[i][j];
            own[m - 1 - j] = x[i][j] + square[j & 1][j % 3];
        }
        for (int j = 1; j < m - 1; j++)
            y[i][j] = fixed[j - 1] + fixed[j + 1] - own[j];
    }
}

/* In OpenMP: private(r1, r2, i1, i2). Both are filled for each i2. */
static void planes(int n, int m, const double (*x)[M], double (*y)[M])
{
    int i, j, k;
    double r1[M], r2[M];
#pragma heddle for
    for (i = 1; i < n - 1; i++) {
        for (j = 0; j < 2; j++) {
            for (k = 0; k < m; k++) {
                r1[k] = x[i - 1][k] + j;
                r2[k] = x[i + 1][k] - r1[k];
            }
            for (k = 1; k < m - 1; k++)
                y[i][k] += r1[k - 1] + r1[k + 1] * r2[k];
        }
    }
#pragma heddle for
    for (i = 0; i < n; i++) { /* the same array again: what the loop above left is not read */
        for (k = 0; k < m; k++)
            r1[k] = x[i][k];
        for (k = 1; k < m; k++)
            r1[k] += r1[k - 1];
        y[i][0] = r1[m - 1];
    }
}

static double sum(const double *from, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += from[i];
    return s;
}

static void fill(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = 1 / (1 + from[i] * from[i]);
}

/* By functions, a variable size, and two dimensions of which one part is enough. */
static void called(int n, int m, const double (*x)[M], double (*y)[M])
{
    double row[m], table[3][M];
#pragma heddle for map(to: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        fill(row, x[i], m);
        for (int k = 0; k < m; k++)
            table[1][k] = row[k] / 2;
        y[i][1] += sum(row, m) - sum(table[1], m);
    }
}

/* Filled at every second place: the clause says so. */
static void asserted(int n, const double (*x)[M], double (*y)[M])
{
    double odd[2 * M];
#pragma heddle for private(odd)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < M; k++)
            odd[2 * k + 1] = x[i][k];
        for (int k = 1; k < M; k++)
            y[i][k] -= odd[2 * k - 1];
    }
}

static double scratch[M];
static void globals(int n, const double (*x)[M], double (*y)[M])
{
    static double kept[M], given[M];
    for (int k = 0; k < M; k++)
        given[k] = 99;
#pragma heddle for
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < M; k++)
            scratch[k] = x[i][k] * 3, kept[M - 1 - k] = scratch[k];
        for (int k = 0; k < M; k++)
            y[i][k] += kept[k] + scratch[k];
    }
#pragma heddle for private(given)
    for (int i = 0; i < n; i++) {
        given[i % M] = x[i][0];
        y[i][2] += given[i % M];
    }
}

static void structures(int n, const struct vector *a, struct vector *b)
{
    struct vector d, e;
    int i, j;
#pragma heddle for
    for (i = 0; i < n; i++) {
        b[i].x = b[i].y = b[i].z = 0;
        for (j = 0; j < n; j++) {
            d.x = a[i].x - a[j].x;
            d.y = a[i].y - a[j].y;
            d.z = a[i].z - a[j].z;
            e = d;
            b[i].x += d.x * e.y, b[i].y += e.z, b[i].z -= d.z * d.z;
        }
    }
}

/* The last turn's elements are wanted. */
static double last(int n, const double (*x)[M], double (*y)[M])
{
    double row[M], pair[2][2];
    pair[1][1] = 7;
#pragma heddle for lastprivate(row, pair)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < M; k++)
            row[k] = x[i][k] + i;
        pair[0][0] = pair[0][1] = pair[1][0] = pair[1][1] = row[i % M];
        y[i][3] = pair[1][0];
    }
    return sum(row, M) + pair[0][1] + pair[1][1];
}

int main(void)
{
    static double x[N][M], y[N][M];
    static struct vector a[N], b[N];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < M; k++)
            x[i][k] = (i * 7 + k * 3) % 11 - 4;
        a[i] = (struct vector){i, i % 5, i % 7};
    }
    inside(N, M, x, y);
    planes(N, M, x, y);
    called(N, M, x, y);
    asserted(N, x, y);
    globals(N, x, y);
    structures(N, a, b);
    double got = last(N, x, y);
    run_report("got", &got, sizeof got);
    run_report("y", y, sizeof y);
    run_report("b", b, sizeof b);
    return 0;
}
