/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. map(from) of an array whose border is read, or whose cells are not all written: the rest stays as it was. */
#include "run.h"

static void border(int n, int m, int (*A)[m])
{
#pragma heddle wavefront map(from: A[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j - 1] / 2 + j;
}

static void some(int n, int m, const unsigned char *a, int (*A)[m])
{
#pragma heddle wavefront map(to: a[0:n]) map(from: A[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            if (a[i] == 2)
                continue;
            A[i][j] = a[i] + j;
        }
}

int main(void)
{
    enum { N = 19, M = 23 };
    unsigned char a[N];
    int A[N][M], B[N][M];
    run_fill(a, N, 4);
    run_fill((unsigned char *)A, sizeof A, 200);
    run_fill((unsigned char *)B, sizeof B, 200);
    border(N, M, A);
    some(N, M, a, B);
    run_report("A", A, sizeof A);
    run_report("B", B, sizeof B);
    return 0;
}
