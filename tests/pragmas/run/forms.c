/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Where nests may stand, VLA parameters, comments and directives in the way. */
#include "run.h"
#define SQUARE(x) ((x) * (x))
#define WEIGHT(k) weight[(k) & 3]
#define STEP(dst, x, y) dst = ((x) + (y)) % 991
static const int weight[4] = {1, 2, 3, 5};
typedef int row_index;

int one_line(int n, int m, int A[n][m]) {
    #pragma heddle /* a comment */ wavefront \
        schedule(auto) /* another */
    for (row_index i = 1; i < n; i++) for (int j = 1; j < m; j++) STEP(A[i][j], A[i-1][j], A[i][j-1]); return A[n-1][m-1]; }

__attribute__((noinline)) static
void branches(int n, int m, int (*A)[m], int flag)
{
    if (flag)
#pragma heddle wavefront // with a comment
        for (int i = 1; i < n; i++) // rows
            for (int j = 1; j < m; j++) /* columns */ {
#ifdef NOT_DEFINED
                A[i][j] = 1;
#else
                int local[2] = {SQUARE(A[i - 1][j]) % 17, 3};
                switch (local[0]) {
                case 3:
                    local[1] = 4;
                    break;
                default:
                    for (int k = 0; k < 3; k++) {
                        if (k == 2)
                            break;
                        local[1] += WEIGHT(k + i) + weight[j & 3];
                    }
                }
                A[i][j] = (local[0] + local[1] * (A)[i][j - 1]) % 1000;
#endif
            }
    else
        A[0][0] = 1;
    for (int r = 0; r < 2; r++)
#pragma heddle wavefront
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j - 1] + r;
    switch (flag) {
    case 1:
#pragma heddle wavefront
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                if (A[i][j - 1] > 500)
                    A[i][j] = A[i][j - 1] - 500;
                else
                    A[i][j] = A[i][j - 1] + 7;
    }
}
#if 0
#pragma heddle nonsense
#endif
static const char *text = "#pragma heddle nonsense";
// #pragma heddle nonsense

int main(void)
{
    enum { N = 14, M = 15 };
    static int A[N][M];
    run_ints(&A[0][0], N * M, 100);
    printf("%d %zu\n", one_line(N, M, A), strlen(text));
    branches(N, M, A, 1);
    run_report("A", A, sizeof A);
    branches(N, M, A, 0);
    run_report("A", A, sizeof A);
    int V[N][M];
    memcpy(V, A, sizeof V);
#pragma heddle wavefront
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            V[i][j] = V[i - 1][j] ^ V[i][j - 1];
    run_report("V", V, sizeof V);
    return 0;
}
