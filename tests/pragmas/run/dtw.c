/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers. Dynamic time warping in float: three rolling rows, and one row with F[j]. */
#include "run.h"
#include <math.h>

static float three(int n, int m, const float *x, const float *y, float D[3][m + 1])
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= m; j++)
            D[i % 3][j] = fabsf(x[i - 1] - y[j - 1]) +
                          fminf(D[(i + 2) % 3][j - 1], fminf(D[(i + 2) % 3][j], D[i % 3][j - 1]));
    }
    return D[n % 3][m];
}

static float kept(size_t n, size_t m, const float *x, const float *y, float (*D)[m + 1])
{
#pragma heddle wavefront keep(D: last)
    for (size_t i = 1; i < n + 1; ++i)
        for (size_t j = 1; m >= j; j += 1)
        {
            float c = x[i - 1] - y[j - 1];
            D[i][j] = c * c + fminf(D[i - 1][j - 1], fminf(D[i - 1][j], D[i][j - 1]));
        }
    return D[n][m];
}

int main(void)
{
    enum { N = 50, M = 41 };
    float x[N], y[M], D[3][M + 1], (*K)[M + 1] = malloc((N + 1) * sizeof *K);
    run_floats(x, N);
    run_floats(y, M);
    for (int r = 0; r < 3; r++)
        for (int j = 0; j <= M; j++)
            D[r][j] = r || j ? 1e30f : 0;
    printf("%a\n", three(N, M, x, y, D));
    run_report("D", D, sizeof D);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= M; j++)
            K[i][j] = i || j ? 1e30f : 0;
    printf("%a\n", kept(N, M, x, y, K));
    run_report("last", K[N], sizeof *K);
    free(K);
    return 0;
}
