/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers. Further along the row above, in arrays that hold a few rows or one. */
#include "run.h"

static int rolling(int n, int m, int (*R)[m], const int *a)
{
    int high = 0;
#pragma heddle wavefront map(to: a[0:n]) reduction(max: high)
    for (int i = 1; i < n; i++)
        for (int j = 2; j < m - 1; j++) {
            R[i % 3][j] = (R[(i + 2) % 3][j + 1] + R[(i - 1) % 3][j - 2] * 3 + R[i % 3][j - 1] + a[i]) & 0xffff;
            high = R[i % 3][j] > high ? R[i % 3][j] : high;
        }
    return high;
}

/* Old and new at once: what the row above left on the right. */
static void line(int n, int m, int *F, int *last)
{
#pragma heddle wavefront
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++) {
            F[j] = (F[j - 1] + 2 * F[j] + F[j + 1] + i) & 0xffff;
            last[i] = F[j];
        }
}

int main(void)
{
    enum { N = 33, M = 44 };
    static int R[3][M], F[M], a[N], last[N];
    run_ints(&R[0][0], 3 * M, 1000);
    run_ints(F, M, 1000);
    run_ints(a, N, 100);
    int high = rolling(N, M, R, a);
    line(N, M, F, last);
    run_report("R", R, sizeof R);
    run_report("F", F, sizeof F);
    run_report("last", last, sizeof last);
    run_report("high", &high, sizeof high);
    return 0;
}
