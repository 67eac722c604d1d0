/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers. One-dimensional state: F[j] with F[j-1], conditional E[i], linearised rolling rows. */
#include "run.h"

static void lcs(int n, int m, const char *a, const char *b, int *D)
{
#pragma heddle wavefront map(to: a[0:n], b[0:m])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            D[(i & 1) * (m + 1) + j] = a[i - 1] == b[j - 1] ? D[(1 - (i & 1)) * (m + 1) + j - 1] + 1
                                       : MAX(D[((i - 1) & 1) * (m + 1) + j], D[(i & 1) * (m + 1) + j - 1]);
}

static void row(int n, int m, const int *x, int *F, int *E, int keepers)
{
#pragma heddle wavefront map(to: x[0:m]) keep(E: last)
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++) {
            F[j] = (F[j] + F[j - 1] + x[j]) % 97;
            if (F[j] % keepers == 0)
                E[i] += F[j];
        }
}

int main(void)
{
    enum { N = 33, M = 29 };
    char a[N], b[M];
    int D[2 * (M + 1)] = {0}, x[M], F[M], E[N] = {0};
    run_fill(a, N, 3);
    run_fill(b, M, 3);
    run_ints(x, M, 10);
    run_ints(F, M, 10);
    lcs(N, M, a, b, D);
    run_report("D", D, sizeof D);
    row(N, M, x, F, E, 3);
    run_report("F", F, sizeof F);
    run_report("E", E, sizeof E);
    return 0;
}
