/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Summed-area table: borders only under conditions; unsigned loop variables. */
#include "run.h"
enum { ROWS = 23, COLS = 31 };
static int in[ROWS][COLS], S[ROWS][COLS];

static void global_arrays(void)
{
#pragma heddle wavefront
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            S[i][j] = in[i][j] + (i ? S[i - 1][j] : 0) + (j ? S[i][j - 1] : 0) - (i && j ? S[i - 1][j - 1] : 0);
}

static void pointers(unsigned n, unsigned m, const int *A, int *T)
{
    if (n)
#pragma heddle wavefront map(to: A[0:n * m]) map(tofrom: T[:n * m])
        for (unsigned y = 0; y < n; y++)
            for (unsigned x = 0; x < m; x++) {
                int up = 0, left = 0, corner = 0;
                if (y > 0)
                    up = T[(y - 1) * m + x];
                if (x > 0)
                    left = T[y * m + x - 1];
                if (x > 0 && y > 0)
                    corner = T[(y - 1) * m + (x - 1)];
                T[y * m + x] = A[y * m + x] + up + left - corner;
            }
    else
        T[0] = 0;
}

int main(void)
{
    run_ints(&in[0][0], ROWS * COLS, 100);
    global_arrays();
    run_report("S", S, sizeof S);
    memset(S, 0, sizeof S);
    int *A = malloc(sizeof in), *T = calloc(ROWS * COLS, sizeof *T);
    memcpy(A, in, sizeof in);
    pointers(ROWS, COLS, A, T);
    run_report("T", T, sizeof S);
    free(A);
    free(T);
    return 0;
}
