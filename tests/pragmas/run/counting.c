/* SPDX-License-Identifier: Apache-2.0 */
/* forms: memory. Nests whose loops count in their test, by `!=`, down without a sign, and by variables. */
#include "run.h"
#include <stddef.h>

enum { N = 90, M = 70 };
static double h[N + 1][M + 1];

static void nests(size_t n, size_t m, int s)
{
#pragma heddle wavefront
    for (size_t i = n; i-- > 0;)
        for (size_t j = m; j > 1; j--)
            h[i][j - 1] = 0.5 * (h[i + 1][j - 1] + h[i][j]) + 1;
#pragma heddle wavefront
    for (int i = s; i < N; i += s)
        for (int j = 1; j != M; j++)
            h[i][j] = 0.25 * (h[i - s][j] + h[i][j - 1]) + h[i][j];
#pragma heddle wavefront
    for (unsigned i = 1; i < N; i += 3)
        for (unsigned j = 2; j < M; j += 2)
            h[i][j] += 0.5 * h[i][j - 2];
#pragma heddle wavefront
    for (int i = 1; i < (int)n - N; i += s - 1) /* a step of 0 that is never made */
        for (int j = 1; j < M; j++)
            h[i][j] += h[i - 1][j];
}

int main(void)
{
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            h[i][j] = run_random() % 100;
    nests(N - 1, M - 1, 1);
    nests(N - 2, M, 4);
    run_report("h", h, sizeof h);
    return 0;
}
