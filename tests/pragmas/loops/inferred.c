/* SPDX-License-Identifier: Apache-2.0 */
/* Loops without maps: rows, columns, mirrored elements, triangles, strides, and arrays that all iterations read. */
#include "../run/run.h"

#define ROWS 90
#define COLS 70
#define AT(i, j) ((i) * m + (j))

static double grid[ROWS][COLS];

static void rows(int n, int m, double A[n][m], double B[][m], double (*C)[m], const double *x, double *y)
{
    int i, j, k;
#pragma heddle for
    for (i = 0; i < n; i++)
        y[i] = 2 * x[i] + 1;
#pragma heddle for
    for (i = 1; i < n - 1; i++)
        y[i] += x[i - 1] - x[i + 1];
#pragma heddle for
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) {
            C[i][j] = 0;
            for (k = 0; k < m; k++)
                C[i][j] += A[i][k] * B[k][j];
        }
#pragma heddle for collapse(2)
    for (i = 1; i < n - 1; i++)
        for (j = 1; j < m - 1; j++)
            A[i][j] = C[i - 1][j] + C[i + 1][j] + C[i][j - 1] + C[i][j + 1];
}

static void columns(int n, int m, double A[n][m], double *sum, double p[ROWS][COLS])
{
    int i, j;
#pragma heddle for
    for (j = 0; j < m; j++) {
        sum[j] = 0;
        for (i = 0; i < n; i++)
            sum[j] += A[i][j];
    }
#pragma heddle for
    for (j = 1; j < m - 1; j++) {
        p[0][j] = 1;
        for (i = 1; i < n; i++)
            p[i][j] = p[i - 1][j] / 2 + A[i][j];
        A[n - 1][j] = p[n - 1][j];
        for (i = n - 2; i >= 1; i--)
            A[i][j] = A[i + 1][j] / 3 + p[i][j];
    }
#pragma heddle for
    for (j = m - 1; j >= 0; j -= 3)
        for (i = 0; i < n; i++)
            A[i][j] -= sum[j];
#pragma heddle for
    for (j = 5; j < m; j++) /* a part of one row */
        A[7][j] = A[7][4] + A[8][j];
}

static void mirrored(int m, double S[COLS][COLS], const double (*data)[COLS])
{
    int i, j, k;
#pragma heddle for
    for (i = 0; i < m; i++) {
        S[i][i] = 1;
        for (j = i + 1; j < m; j++) {
            S[i][j] = 0;
            for (k = 0; k < ROWS; k++)
                S[i][j] += data[k][i] * data[k][j];
            S[j][i] = S[i][j];
        }
    }
#pragma heddle for
    for (i = 0; i < m; i++) /* the lower triangle, turned round */
        for (j = 0; j < i; j++)
            S[m - 1 - i][m - 1 - j] += 0.5 * j;
}

/* A step of an elimination: row and column k stay, what is right of and below them changes. */
static void eliminate(int n, double (*A)[COLS])
{
    for (int k = 0; k < n - 1; k++)
#pragma heddle for
        for (int j = k + 1; j < n; j++) {
            A[k][j] /= 1 + k;
            for (int i = k + 1; i < n; i++)
                A[i][j] -= A[i][k] * A[k][j] / 64;
        }
}

static void flat(int n, int m, double *a, double *b, const int *at)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            const int here = i * m + j;
            a[here] = b[AT(i, j)] * 2;
        }
#pragma heddle for
    for (int i = 0; i < n; i++) {
        b[2 * i] = a[i];
        b[2 * i + 1] = -a[i];
    }
#pragma heddle for map(to: at[0 : n])
    for (int i = 0; i < n; i++)
        b[i] += grid[at[i]][3];
}

static void cubes(int n, int m, int q, double A[][12][9], double C[9][9])
{
    int i, j, k, l;
    double sum;
#pragma heddle for
    for (j = 0; j < m; j++)
        for (i = 0; i < n; i++)
            for (k = 1; k < q; k++) {
                sum = 0;
                for (l = 0; l < q; l++)
                    sum += C[l][k];
                A[i][j][k] += sum + A[i][j][0];
            }
#pragma heddle for
    for (k = 0; k < q; k++)
        for (j = 0; j < m; j++)
            A[3][j][k] = k;
#pragma heddle for
    for (k = 0; k < q; k += 2)
        for (i = 0; i < 0; i++) /* no turn, and nothing to bring */
            A[i + 1000000][2][k] = k;
}

/* Conditions: extents that are declared, and references that have company. */
static void conditions(int n, const double x[n], double y[n], double *z)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        y[i] = i ? x[i - 1] : 0;
        if (i + 1 < n)
            y[i] += x[i + 1];
        z[i] = y[i];
        if (i % 3 == 0)
            z[i] += 1;
    }
}

/* Pointers: only iterations that come to a reference count, for what they point to may end there. */
static void guarded(int n, int m, double (*L)[COLS], const double *x, double *y, double *absent)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        if (i > 0 && !(i >= n - 1))
            y[i] = x[i - 1] + x[i + 1];
        else
            y[i] = i + 2 < n ? x[i + 2] : x[i];
        if (x[i] > 1)
            y[i] /= 2;
        if (absent)
            absent[i] = 1;
    }
#pragma heddle for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            L[i][j] = L[i][j] / 2 + y[i - 1 - j];
        for (int j = i; j < m; j++)
            L[i][j] += x[i];
    }
#pragma heddle for
    for (int i = n - 1; i >= 0; i--)
        for (int j = i; j < m; j += 2)
            y[n - 1 - i] += i + x[m];
}

/* More than anybody would write back: x and y stand in the same array, apart by a distance. */
static void steps(int n, int step, int *x)
{
#pragma heddle for
    for (int i = 0; i < n; i += step)
        x[i] = i;
#pragma heddle for
    for (int i = n - 1; i >= 0; i--)
        x[n - 1 - i] += 3;
}

static double A[ROWS][COLS], B[COLS][COLS], C[ROWS][COLS], S[COLS][COLS], T[12][12][9], D[9][9], P[ROWS][COLS];
static double x[ROWS * COLS], y[ROWS * COLS], z[ROWS * COLS];

static void fill(double *p, long n, int by)
{
    for (long i = 0; i < n; i++)
        p[i] = (double)(i * by % 101) / 16;
}

int main(void)
{
    static int at[ROWS], counts[1000];
    fill(&A[0][0], ROWS * COLS, 7), fill(&B[0][0], COLS * COLS, 5), fill(&C[0][0], ROWS * COLS, 3);
    fill(&S[0][0], COLS * COLS, 11), fill(&T[0][0][0], 12 * 12 * 9, 13), fill(&D[0][0], 81, 17);
    fill(&P[0][0], ROWS * COLS, 23), fill(x, ROWS * COLS, 29), fill(y, ROWS * COLS, 31), fill(z, ROWS * COLS, 37);
    fill(&grid[0][0], ROWS * COLS, 19);
    run_ints(at, ROWS, ROWS);
    run_ints(counts, 1000, 100);
    rows(COLS, COLS, A, B, C, x, y);
    columns(ROWS, COLS, A, y, P);
    columns(ROWS - 9, COLS, C, z, P);
    mirrored(COLS, S, (const double (*)[COLS])A);
    mirrored(COLS - 3, S, (const double (*)[COLS])P);
    eliminate(COLS, B);
    flat(40, 60, x, y, at);
    cubes(12, 12, 9, T, D);
    cubes(5, 4, 6, T, D);
    conditions(300, x, z, y + 7);
    guarded(50, 30, A, x, y, NULL);
    guarded(30, 50, A, x, y, z);
    guarded(1, 1, A, x, y, z);
    steps(1000, 3, counts);
    steps(7, 1, counts);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    run_report("C", C, sizeof C);
    run_report("S", S, sizeof S);
    run_report("T", T, sizeof T);
    run_report("P", P, sizeof P);
    run_report("x", x, sizeof x);
    run_report("y", y, sizeof y);
    run_report("z", z, sizeof z);
    run_report("counts", counts, sizeof counts);
    return 0;
}
