/* SPDX-License-Identifier: Apache-2.0 */
/* Clean under every warning that people turn into errors: what heddle makes of it has to be, too. */
#include <stdio.h>

enum { N = 40, M = 30 };
static int H[N + 1][M + 1], next[N], total[N];
static double x[N], y[N];

static void add(int *sum, const int *link, int at)
{
    if (link[at] >= 0) {
#pragma heddle task
        add(sum, link, link[at]);
    }
#pragma heddle taskwait
    if (link[at] >= 0) sum[at] += sum[link[at]];
    sum[at] += 1; /* an `if` that is whole on the line before it */
}

int main(void)
{
    double sum = 0;
#pragma heddle wavefront
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            H[i][j] = (H[i - 1][j] > H[i][j - 1] ? H[i - 1][j] : H[i][j - 1]) + (i * j % 3 == 1);
    for (int i = 0; i < N; i++) {
        next[i] = i - 1;
        x[i] = i;
    }
#pragma heddle pool map(tofrom: total[0:N]) map(to: next[0:N])
    {
#pragma heddle task
        add(total, next, N - 1);
    }
#pragma heddle for map(to: x[heddle_lo : heddle_count]) map(from: y[heddle_lo : heddle_count]) reduction(+: sum)
    for (int i = 0; i < N; i++) {
        y[i] = 2 * x[i];
        sum += y[i];
    }
#ifdef WARN
#pragma heddle wavefront
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            H[i][j] = H[i - 1][j] + (i < sizeof(int)); /* compares a signed number with an unsigned one */
#endif
    printf("%d %d %g\n", H[N][M], total[N - 1], sum);
    return 0;
}
