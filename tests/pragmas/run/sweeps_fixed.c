/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Sweeps whose cells read other arrays: beside, above and below their own place, of other sizes than the
   cells, some of them only sometimes, and a table by the sweep's number. Of each array only what is read exists. */
#include "run.h"

static int source(int n, int m, int (*A)[m + 2], const int (*F)[m + 2], int sweeps)
{
    int last = 0;
#pragma heddle wavefront sweeps(t) reduction(max: last)
    for (int t = 1; t <= sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                A[i][j] = (A[i - 1][j] * 3 + A[i][j - 1] + A[i + 1][j] + A[i][j + 1] - F[i][j]) % 10007;
                if (t == sweeps)
                    last = A[i][j] > last ? A[i][j] : last;
            }
    return last;
}

/* F: n + 2 rows of m + 3, G: n rows of m, T: a number for each sweep */
static void several(int n, int m, int (*A)[m + 2], const short (*F)[m + 3], const signed char (*G)[m], const int *T, int sweeps)
{
#pragma heddle wavefront sweeps(t) map(to: T[0:sweeps])
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                A[i][j] = (A[i - 1][j] + A[i][j - 1] * F[i + 1][j - 1] + A[i + 1][j] * F[i - 1][j + 2] + A[i][j + 1] + T[t] * G[i - 1][j - 1]) % 10007;
}

static void sometimes(int n, int m, int (*A)[m + 2], const int (*F)[m + 2], const int (*G)[m + 2], int sweeps)
{
#pragma heddle wavefront sweeps(t) map(to: F[0:n+2], G[0:n+2])
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + G[i][j] * 7 + (j % 3 ? F[i][j + 1] : 5)) % 10007;
}

static void one_size(int n, int m, int sweeps)
{
    const int cells = (n + 2) * (m + 2);
    int *a = malloc((size_t)cells * sizeof *a), *f = malloc((size_t)cells * sizeof *f), *t = malloc((size_t)(sweeps + 1) * sizeof *t);
    short *s = malloc((size_t)((n + 2) * (m + 3)) * sizeof *s);
    signed char *c = malloc((size_t)(n * m));
    run_ints(a, (size_t)cells, 1000);
    run_ints(f, (size_t)cells, 1000);
    run_ints(t, (size_t)sweeps + 1, 9);
    run_fill(c, (size_t)(n * m), 100);
    for (int k = 0; k < (n + 2) * (m + 3); k++)
        s[k] = (short)(run_random() % 200) - 100;
    const int last = source(n, m, (int(*)[m + 2])a, (const int(*)[m + 2])f, sweeps);
    run_report("last", &last, sizeof last);
    run_report("source", a, (size_t)cells * sizeof *a);
    several(n, m, (int(*)[m + 2])a, (const short(*)[m + 3])s, (const signed char(*)[m])c, t, sweeps);
    run_report("several", a, (size_t)cells * sizeof *a);
    sometimes(n, m, (int(*)[m + 2])a, (const int(*)[m + 2])f, (const int(*)[m + 2])f, sweeps);
    run_report("sometimes", a, (size_t)cells * sizeof *a);
    free(a), free(f), free(t), free(s), free(c);
}

int main(void)
{
    static const int sizes[][3] = {{1, 1, 3}, {1, 50, 8}, {50, 1, 8}, {7, 5, 20}, {23, 31, 7}, {41, 67, 16}, {64, 300, 19}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        one_size(sizes[k][0], sizes[k][1], sizes[k][2]);
    return 0;
}
