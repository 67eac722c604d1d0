/* SPDX-License-Identifier: Apache-2.0 */
/* Heads that count in their test, by `!=`, down without a sign, and by variables. */
#include <stddef.h>
#include <stdio.h>

enum { N = 90, M = 70 };
static double x[N + 1], y[N + 1], h[N + 1][M + 1];

static void loops(size_t n, int s, unsigned m)
{
#pragma heddle for
    for (int i = 0; i != N; i++)
        x[i] = i * 0.5;
#pragma heddle for
    for (size_t i = n; i-- > 0;)
        y[i] = x[i] + (double)i;
#pragma heddle for
    for (int i = N; i-- > 0;) {
        double old = y[i];
        y[i] = old + x[N - 1 - i];
    }
#pragma heddle for
    for (unsigned i = m; i--;)
        x[i] += 1;
#pragma heddle for
    for (unsigned i = m; i != 0; i--)
        x[i - 1] += 2;
#pragma heddle for
    for (int i = 1; i < N; i += s)
        x[i] *= 2;
#pragma heddle for
    for (int i = -4; i-- > 0;)
        x[i + 4] = i;
#pragma heddle for collapse(2)
    for (int i = 0; i != N; i++)
        for (int j = M; j-- > 0;)
            h[i][j] = i % 7 + j % 5;
}

int main(void)
{
    loops(N, 3, M);
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum = 0.75 * sum + x[i] - y[i];
        for (int j = 0; j < M; j++)
            sum = 0.75 * sum + h[i][j];
    }
    printf("%.17g\n", sum);
}
