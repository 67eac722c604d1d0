/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Written offsets, reversed and scaled reads, inferred maps with conditions, macros
 * around the function's own type, references in braces-free bodies, pointers to const passed on. */
#include "run.h"
#define EXPORT(type) type

static inline int look(const int *row, int k) { return row[k & 3]; }

EXPORT(static int) offsets(int n, int m, int (*A)[m + 1], const int *x, const int *y, const int (*S)[4])
{
#pragma heddle wavefront map(to: S[0:4])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i + 1][j + 1] = (A[i][j + 1] + A[i + 1][j] * 2 + x[m - j] + y[2 * i + 1] + look(S[j & 3], i)) % 1013;
    return A[n][m];
}

static void conditions(int n, int m, int *T, const int *w)
{
#pragma heddle wavefront
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            int left = j > 0 ? T[i * m + j - 1] : 1, up = i > 0 ? T[(i - 1) * m + j] : 2;
            T[i * m + j] = (T[i * m + j] + left + up + w[i] + (i > 3 ? w[i - 2] : 0)) % 509;
        }
}

static void asserted(int n, int m, int (*A)[m], const int *back)
{
#pragma heddle wavefront sink(i-1, j) sink(i-2, j) device(host) map(to: back[0:n]) map(tofrom: A[0:n])
    for (int i = 2; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i][j] += A[i - back[i]][j];
}

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static void lengths(void) /* the array that is written stands in the bounds */
{
    static int A[21][34];
    run_ints(&A[0][0], 21 * 34, 100);
#pragma heddle wavefront
    for (unsigned i = 1; i < LENGTH(A); i++)
        for (unsigned j = 1; j < LENGTH(A[0]); j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i - 1][j - 1]) & 511;
    run_report("A", A, sizeof A);
}

int main(void)
{
    enum { N = 18, M = 22 };
    lengths();
    int (*A)[M + 1] = calloc(N + 1, sizeof *A), *x = malloc((M + 1) * sizeof *x), *y = malloc(2 * N * sizeof *y);
    int S[4][4], *T = calloc(N * M, sizeof *T), *back = malloc(N * sizeof *back);
    run_ints(x, M + 1, 100);
    run_ints(y, 2 * N, 100);
    run_ints(&S[0][0], 16, 100);
    for (int i = 0; i < N; i++)
        back[i] = 1 + (i & 1);
    printf("%d\n", offsets(N, M, A, x, y, (const int (*)[4])S));
    run_report("A", A, (N + 1) * sizeof *A);
    conditions(N, M, T, x);
    run_report("T", T, N * M * sizeof *T);
    if (getenv("HEDDLE_STUB_FORM") && strcmp(getenv("HEDDLE_STUB_FORM"), "registers") == 0)
        setenv("HEDDLE_STUB_FORM", "memory", 1); /* the next one has no register form */
    asserted(N, M + 1, A, back);
    run_report("A", A, (N + 1) * sizeof *A);
    free(A), free(x), free(y), free(T), free(back);
    return 0;
}
