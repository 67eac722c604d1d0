/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. The matrix is kept; maps are inferred; macros around references. */
#include "run.h"

static long fill(int n, int m, const char *a, const char *b, int (*H)[m + 1], unsigned char (*T)[m + 1])
{
    long sum = 0;
#pragma heddle wavefront reduction(+: sum)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i - 1] == b[j - 1] ? 2 : -1;
            H[i][j] = MAX(0, MAX(H[i - 1][j - 1] + s, MAX(H[i - 1][j], H[i][j - 1]) - 1));
            if (H[i][j] == 0) { T[i][j] = 0; continue; }
            T[i][j] = (unsigned char)(H[i][j] == H[i - 1][j] - 1 ? 1 : H[i][j] == H[i][j - 1] - 1 ? 2 : 3);
            sum += H[i][j];
        }
    return sum;
}

int main(void)
{
    enum { N = 37, M = 51 };
    char a[N], b[M];
    int (*H)[M + 1] = calloc(N + 1, sizeof *H);
    unsigned char (*T)[M + 1] = calloc(N + 1, sizeof *T);
    run_fill(a, N, 4);
    run_fill(b, M, 4);
    printf("%ld\n", fill(N, M, a, b, H, T));
    run_report("H", H, (N + 1) * sizeof *H);
    run_report("T", T, (N + 1) * sizeof *T);
    free(H);
    free(T);
    return 0;
}
