/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Rows behind tables of pointers, read where a condition says so, and of structures. */
#include "run.h"

struct cell {
    short a;
    float b;
};

static void lcs(int n, int m, int **t, const char *a, const char *b)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            if (a[i] == b[j])
                t[i][j] = t[i - 1][j - 1] + 1;
            else
                t[i][j] = MAX(t[i - 1][j], t[i][j - 1]);
}

static void choice(int n, int m, unsigned **t)
{
#pragma heddle wavefront
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[i + 1][j + 1] = t[i][j + 1] + (j % 3 ? t[i + 1][j] : t[i][j]);
}

static void structures(int n, int m, struct cell **t, const short **more)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 2; j < m; j++) {
            t[i][j].a = (short)(t[i][j - 1].a + more[n - i][j]);
            t[i][j].b = t[i][j - 2].b / 2 + t[i][j].a;
        }
}

int main(void)
{
    enum { N = 19, M = 27 };
    static int *t[N];
    static unsigned *u[N + 1];
    static struct cell *c[N];
    static const short *more[N];
    char a[N], b[M];
    run_fill(a, sizeof a, 3);
    run_fill(b, sizeof b, 3);
    for (int i = 0; i <= N; i++) {
        u[i] = calloc(M + 1, sizeof **u);
        u[i][0] = i;
        if (i == N)
            break;
        short *row = calloc(M, sizeof *row);
        for (int j = 0; j < M; j++)
            row[j] = (short)(run_random() % 9);
        t[i] = calloc(M, sizeof **t);
        c[i] = calloc(M, sizeof **c);
        more[i] = row;
    }
    u[0][1] = 1;
    lcs(N, M, t, a, b);
    choice(N, M, u);
    structures(N, M, c, more);
    for (int i = 0; i < N; i++) {
        run_report("t", t[i], M * sizeof **t);
        run_report("u", u[i + 1], (M + 1) * sizeof **u);
        for (int j = 0; j < M; j++)
            printf("%d %g\n", c[i][j].a, c[i][j].b);
    }
    return 0;
}
