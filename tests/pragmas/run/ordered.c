/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Nests whose dependences are at no constant distance, and that run in the memory form. */
#include "run.h"
#include <math.h>

enum { N = 75, M = 130, P = 9 };
static double a[N][N], b[N][M], v[P][M][P][5], x[M + 8];
static int h[3][M], t[2][N][M];

static void fill(void *p, size_t n)
{
    double *d = p;
    for (size_t i = 0; i < n; i++)
        d[i] = (double)(run_random() % 1000) / 128 + 1;
}

static void shortest(void)
{
    for (int k = 0; k < N; k += 7)
#pragma heddle wavefront
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = a[i][j] < a[i][k] + a[k][j] ? a[i][j] : a[i][k] + a[k][j];
}

static void factors(void)
{
    for (int i = 0; i < N; i++)
        a[i][i] += 100;
#pragma heddle wavefront
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (j < i) {
                for (int k = 0; k < j; k++)
                    a[i][j] -= a[i][k] * a[k][j];
                a[i][j] /= a[j][j];
            } else {
                for (int k = 0; k < i; k++)
                    a[i][j] -= a[i][k] * a[k][j];
            }
}

static void planes(void)
{
#pragma heddle wavefront
    for (int i = 1; i < P; i++)
        for (int j = 1; j < M - 1; j++)
            for (int k = 1; k < P; k++)
                for (int m = 0; m < 5; m++)
                    v[i][j][k][m] = 0.25 * (v[i - 1][j][k][m] + v[i][j - 1][k][m] + v[i][j][k - 1][m]) +
                                    0.125 * v[i - 1][j + 1][k][4 - m];
}

/* what a row leaves in memory that the next ones take over */
static void rolling(void)
{
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 0; j < M - 2; j++)
            if ((i + j) % 3)
                h[i % 3][j] = (h[(i - 1) % 3][j + 1] + h[i % 3][j + 2] + i) & 0xffff;
}

static void ahead(void)
{
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            x[j] = 0.5 * (x[j - 1] + x[j + 2]) + b[i][j];
}

static void parts(void)
{
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++) {
            t[0][i][j] = (t[1][i][j - 1] + t[0][i - 1][j] + 3) & 0xffff;
            t[1][i][j] = (t[0][i][j - 1] + t[1][i - 1][j - 1] + j) & 0xffff;
            if (j > 3)
                t[1][i][j - 2] += t[0][i][j] & 7;
        }
}

int main(void)
{
    fill(a, N * N), fill(b, N * M), fill(v, sizeof v / sizeof(double)), fill(x, M + 8);
    run_ints(h[0], 3 * M, 1000), run_ints(t[0][0], 2 * N * M, 1000);
    shortest();
    run_report("shortest", a, sizeof a);
    factors();
    run_report("factors", a, sizeof a);
    planes();
    run_report("planes", v, sizeof v);
    rolling();
    run_report("rolling", h, sizeof h);
    ahead();
    run_report("ahead", x, sizeof x);
    parts();
    run_report("parts", t, sizeof t);
    return 0;
}
