/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers. Affine gaps with E[i] and F[j], rolling rows, a shared substitution matrix. */
#include "run.h"
static inline int max2(int a, int b) { return a > b ? a : b; }

static int score(int n, int m, const unsigned char *a, const unsigned char *b, const int (*S)[8],
                 int open, int extend, int *rolling, int *F, int *E, int *best, int *end)
{
    int (*H)[m + 1] = (int (*)[m + 1])rolling;
    int top = 0;
#pragma heddle wavefront map(to: a[0:n], b[0:m], S[0:8]) keep(H: none) reduction(max: top)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int f = max2(F[j] - extend, H[(i - 1) & 1][j] - open);
            int e = max2(E[i] - extend, H[i & 1][j - 1] - open);
            int h = max2(max2(H[(i - 1) & 1][j - 1] + S[a[i - 1]][b[j - 1]], 0), max2(e, f));
            F[j] = f;
            E[i] = e;
            H[i & 1][j] = h;
            if (h > best[i]) {
                best[i] = h;
                end[i] = j;
            }
            top = max2(top, h);
        }
    return top;
}

int main(void)
{
    enum { N = 61, M = 47 };
    unsigned char a[N], b[M];
    int S[8][8], F[M + 1], E[N + 1], best[N + 1] = {0}, end[N + 1] = {0}, *H = calloc(2 * (M + 1), sizeof *H);
    memset(F, 0, sizeof F);
    memset(E, 0, sizeof E);
    run_fill(a, N, 8);
    run_fill(b, M, 8);
    run_ints(&S[0][0], 64, 9);
    for (int k = 0; k < 64; k++)
        S[k / 8][k % 8] -= 5;
    printf("%d\n", score(N, M, a, b, (const int (*)[8])S, 5, 1, H, F, E, best, end));
    run_report("F", F, sizeof F);
    run_report("E", E, sizeof E);
    run_report("best", best, sizeof best);
    run_report("end", end, sizeof end);
    free(H);
    return 0;
}
