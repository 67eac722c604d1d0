/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Linearised subscripts in all spellings, transposed, inferred maps. */
#include "run.h"
#define AT(r, c) ((size_t)(r) * ld + (c))

static void spellings(int n, int m, size_t ld, int *A)
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j < m; j++)
            A[(size_t)i * ld + j] = (A[(i - 1) * ld + (j - 1)] + A[i * ld + j - ld] * 3 + A[ld * i - 1 + j]) % 1000;
}

static void macro(int n, int m, size_t ld, int *A)
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j < m; j++)
            A[AT(i, j)] = (A[AT(i - 1, j)] + A[AT(i, j - 1)]) % 1000;
}

static void sum_as_ld(int n, int m, int *A)
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i * (m + 1) + j] = (A[(i - 1) * (m + 1) + j - 1] + A[i * (m + 1) + j - m - 1]) % 777;
}

static void fixed(int n, int A[])
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j < 64; j++)
            A[i * 64 + j] = (A[i * 64 + j - 65] + A[i * 64 + j - 1]) % 777;
}

static void transposed(int n, int m, int (*A)[n + 1], int *B)
{
#pragma heddle wavefront map(tofrom: B[0:(n + 1) * (m + 1)])
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            A[j][i] = (A[j - 1][i] * 2 + A[j][i - 1] + A[j - 1][i - 1]) % 1001;
            B[j * (n + 1) + i] = A[j][i] + B[j * (n + 1) + i - n - 1] / 2;
        }
}

int main(void)
{
    enum { N = 30, M = 40, LD = 45 };
    int *A = malloc(sizeof(int) * (N + 1) * 64), *B = malloc(sizeof(int) * (N + 1) * (M + 1));
    run_ints(A, (N + 1) * 64, 50);
    run_ints(B, (N + 1) * (M + 1), 50);
    spellings(N, M, LD, A);
    run_report("A", A, sizeof(int) * (N + 1) * 64);
    macro(N, M, LD, A);
    run_report("A", A, sizeof(int) * (N + 1) * 64);
    sum_as_ld(N, M, A);
    run_report("A", A, sizeof(int) * (N + 1) * 64);
    transposed(N, M, (int (*)[N + 1])A, B);
    run_report("A", A, sizeof(int) * (N + 1) * 64);
    run_report("B", B, sizeof(int) * (N + 1) * (M + 1));
    fixed(N, A);
    run_report("A", A, sizeof(int) * (N + 1) * 64);
    free(A);
    free(B);
    return 0;
}
