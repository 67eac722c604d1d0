/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Rows through pointers that each row sets. */
#include "run.h"

/* Of a linear array; declared in the row. */
static void linear(int n, int m, int *a)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        int *row = a + i * m, *const up = &a[(i - 1) * m];
        for (int j = 1; j < m; j++)
            row[j] = (up[j] + 3 * row[j - 1] + up[j - 1]) & 0xffff;
    }
}

/* Of an array of arrays; set in the row, declared before. */
static void rows(int n, int m, double (*A)[m])
{
    double *here, *up, *down;
#pragma heddle wavefront
    for (int i = 1; i < n - 1; i++) {
        here = A[i];
        up = A[i - 1];
        down = A[i + 1];
        for (int j = 1; j < m - 1; j++)
            here[j] = 0.25 * (up[j] + down[j] + here[j - 1] + here[j + 1]);
    }
}

/* To a cell. */
static void cells(int n, int m, int *a)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int *c = &a[i * m + j];
            *c = (c[-m] + 5 * c[-1]) & 0xffff;
        }
}

/* Of two arrays, one row of which is read at an offset. */
static void scores(int n, int m, int (*H)[m], const int *sub, const long *s, const unsigned char *t)
{
#pragma heddle wavefront map(to: sub[0 : 16])
    for (int i = 1; i < n; i++) {
        const int *score = sub + s[i] * 4;
        int *h = H[i], *g = H[i - 1];
        for (int j = 1; j < m; j++)
            h[j] = MAX(g[j - 1] + score[t[j]], MAX(g[j], h[j - 1]) - 2);
    }
}

int main(void)
{
    enum { N = 19, M = 27 };
    static double A[N][M];
    static int B[N][M], C[N][M], D[N][M], sub[16];
    long s[N];
    unsigned char t[M];
    for (int k = 0; k < N * M; k++)
        A[k / M][k % M] = (int)(run_random() % 100);
    run_ints(&B[0][0], N * M, 1000);
    run_ints(&C[0][0], N * M, 1000);
    run_ints(sub, 16, 9);
    for (int i = 0; i < N; i++)
        s[i] = (long)(run_random() % 4);
    run_fill(t, sizeof t, 4);
    linear(N, M, &B[0][0]);
    rows(N, M, A);
    cells(N, M, &C[0][0]);
    scores(N, M, D, sub, s, t);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    run_report("C", C, sizeof C);
    run_report("D", D, sizeof D);
    return 0;
}
