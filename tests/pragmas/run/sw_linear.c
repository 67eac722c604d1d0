/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers. Score only: the matrix is not kept. */
#include "run.h"
static inline int max2(int a, int b) { return a > b ? a : b; }
static inline int max3(int a, int b, int c) { return max2(max2(a, b), c); }

static int score(int n, int m, const char *a, const char *b, int (*H)[m + 1])
{
    int best = 0;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(H: none) reduction(max: best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            H[i][j] = max3(0, H[i - 1][j - 1] + s, max2(H[i - 1][j], H[i][j - 1]) - 1);
            if (H[i][j] > best) best = H[i][j];
        }
    return best;
}

int main(void)
{
    enum { N = 57, M = 83 };
    char a[N], b[M];
    int (*H)[M + 1] = calloc(N + 1, sizeof *H);
    run_fill(a, N, 4);
    run_fill(b, M, 4);
    printf("%d\n", score(N, M, a, b, H));
    free(H);
    return 0;
}
