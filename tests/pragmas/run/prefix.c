/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory scan. Prefix sums in the ways people write them; all of them must be seen as such. */
#include "run.h"
enum { ROWS = 19, COLS = 37 };
static int in[ROWS][COLS], S[ROWS][COLS];
static unsigned char B[ROWS][COLS];
static double D[ROWS][COLS];

static void guarded(void)
{
#pragma heddle wavefront
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            S[i][j] = in[i][j] + (i ? S[i - 1][j] : 0) + (j > 0 ? S[i][j - 1] : 0) - (i >= 1 && 0 < j ? S[i - 1][j - 1] : 0);
}

static void linear(long n, long m, const int *A, long *T)
{
#pragma heddle wavefront map(to: A[0:n * m])
    for (long y = 1; y < n; y++)
        for (long x = 1; x < m; x++)
            T[y * m + x] = -(T[(y - 1) * m + x - 1] - T[y * m + x - 1]) + T[(y - 1) * m + x] + (A[y * m + x] > 50 ? 3L : A[x]);
}

static void narrow(void)
{
#pragma heddle wavefront
    for (unsigned i = 1; i < ROWS; i++)
        for (unsigned j = 2; j < COLS; j++) {
            const int term = in[i][j] * in[i - 1][j - 2];
            B[i][j] = (unsigned char)(term + (int)B[i - 1][j] + (long)B[i][j - 1] - B[i - 1][j - 1]);
        }
}

/* Eighths: exact in any order. */
static void in_place(void)
{
#pragma heddle wavefront
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLS; j++)
            D[i][j] += D[i - 1][j] + D[i][j - 1] - D[i - 1][j - 1];
#pragma heddle wavefront
    for (int i = 0; i < ROWS; i++)
        for (int j = 1; j < COLS; j++)
            D[i][j] = 0.25 * in[i][j] + D[i][j - 1];
#pragma heddle wavefront
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            D[i][j] += i > 0 ? D[i - 1][j] : 0.0;
}

int main(void)
{
    long *T = malloc(sizeof(long) * ROWS * COLS);
    run_ints(&in[0][0], ROWS * COLS, 100);
    for (int k = 0; k < ROWS * COLS; k++) {
        T[k] = (&in[0][0])[k] * 7;
        (&B[0][0])[k] = (unsigned char)(&in[0][0])[k];
        (&D[0][0])[k] = (&in[0][0])[k] / 8.0;
    }
    guarded();
    linear(ROWS, COLS, &in[0][0], T);
    narrow();
    in_place();
    run_report("S", S, sizeof S);
    run_report("T", T, sizeof(long) * ROWS * COLS);
    run_report("B", B, sizeof B);
    run_report("D", D, sizeof D);
    free(T);
    return 0;
}
