/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Loops that are turned round and stay in registers: rows from the last one to the first. */
#include "run.h"

enum { N = 70 };
#define A(i, j) fl[(i) * N + (j)]
static double fl[N * N];
static int h[N][N];

static void down(int n) {
#pragma heddle wavefront
  for (int i = n - 2; i >= 0; i--)
    for (int j = 1; j != n; ++j) {
      int k = i * N + j;
      fl[k] = 0.5 * (A(i + 1, j) + A(i, j - 1)) + 1;
    }
}

static int up(int n, int m)
{
    int best = 0;
#pragma heddle wavefront reduction(max: best)
    for (int i = 1; i != n; i += 1)
        for (int j = 1; j != m; ++j) {
            const int here = i, above = here - 1;
            h[here][j] = (MAX(h[above][j], h[here][j - 1]) + h[above][j - 1] + j) & 0xffff;
            best = MAX(best, h[here][j]);
        }
    return best;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            A(i, j) = (i + 2 * j) % 17;
            h[i][j] = (int)(run_random() % 100);
        }
    down(N);
    run_report("down", fl, sizeof fl);
    int best = up(N, N - 3);
    run_report("up", h, sizeof h);
    run_report("best", &best, sizeof best);
    return 0;
}
