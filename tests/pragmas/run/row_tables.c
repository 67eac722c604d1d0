/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Rows behind tables of pointers, in any order and of any length. */
#include "run.h"

enum { N = 19, M = 27 };

static void *rows_of(size_t bytes, int order)
{
    void **t = malloc(N * sizeof *t);
    for (int i = 0; i < N; i++)
        t[(i * order + 5) % N] = calloc(M + (i * 7) % 5, bytes);
    return t;
}

static void doubles(int n, int m, double **t, const double *a)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            t[i][j] = t[i - 1][j] + t[i][j - 1] - t[i - 1][j - 1] * 0.5 + a[j];
}

/* Of several arrays, one of which is only read; the table is an array; to the right above. */
static void several(int n, int m, int *h[N], int *const *e, const char *const *s)
{
#pragma heddle wavefront
    for (int i = 1; i <= n - 2; i++)
        for (int j = 1; j < m - 1; ++j) {
            int up = h[i - 1][j + 1] + s[i][j], left = e[i][j - 1] - 1;
            e[i][j] = MAX(left, h[i][j - 1] - 3);
            h[i][j] = MAX(up, e[i][j]) & 0xfff;
        }
}

/* Columns are rows of the table; triangles in memory are no matter. */
static void turned(int n, int m, double **t)
{
#pragma heddle wavefront independent
    for (int j = 1; j < m; j++)
        for (int i = 1; i < n; i++)
            t[i][j] = 0.5 * t[i][j - 1] + 0.25 * t[i - 1][j];
}

/* By pointers of each row. */
static void pointers(int n, int m, int **t)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        int *here = t[i], *up = t[i - 1];
        for (int j = 1; j < m; j++)
            here[j] = (here[j - 1] + 3 * up[j] + up[j - 1]) & 0xffff;
    }
}

int main(void)
{
    static double **t, **u, a[M];
    static int **h, **e, **p;
    static char **s;
    t = rows_of(sizeof **t, 1), u = rows_of(sizeof **u, N - 1);
    h = rows_of(sizeof **h, 7), e = rows_of(sizeof **e, 3), p = rows_of(sizeof **p, 1);
    s = rows_of(sizeof **s, 4);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            t[i][j] = u[i][j] = (int)(run_random() % 100);
            h[i][j] = (int)(run_random() % 100), e[i][j] = (int)(run_random() % 100);
            s[i][j] = (char)(run_random() % 50);
            p[i][j] = (int)(run_random() % 1000);
        }
    for (int j = 0; j < M; j++)
        a[j] = j * 0.5;
    doubles(N, M, t, a);
    several(N, M, h, e, (const char *const *)s);
    turned(N, M, u);
    pointers(N, M, p);
    for (int i = 0; i < N; i++) {
        run_report("t", t[i], M * sizeof **t);
        run_report("u", u[i], M * sizeof **u);
        run_report("h", h[i], M * sizeof **h);
        run_report("e", e[i], M * sizeof **e);
        run_report("p", p[i], M * sizeof **p);
    }
    return 0;
}
