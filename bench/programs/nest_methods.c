/* SPDX-License-Identifier: Apache-2.0 */
/* See methods.h. */
#include "methods.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF /* the same rounding by every compiler */

#ifdef BENCH_SERIAL
#define RECURRENCES recurrences_serial
#else
#define RECURRENCES recurrences_heddle
#endif

static inline int max2(int x, int y) { return x > y ? x : y; }

/* Smith-Waterman: match 2, mismatch -1, gap -1 */
static void sw(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    const float *a = d->a, *b = d->b;
    int(*H)[m + 2] = (int(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront map(to: a[0:n+1], b[0:m+1]) device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            H[i][j] = max2(max2(H[i - 1][j - 1] + s, 0), max2(H[i - 1][j], H[i][j - 1]) - 1);
        }
}

/* dynamic time warping: accumulated distance. Where a GPU has one instruction for C's minimum, it has none for a
   condition, which says what NaN and the sign of zero become; what comes from above enters last. */
static void dtw(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    const float *a = d->a, *b = d->b;
    float(*D)[m + 2] = (float(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront map(to: a[0:n+1], b[0:m+1]) device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            D[i][j] = fabsf(a[i] - b[j]) + fminf(fminf(D[i - 1][j - 1], D[i][j - 1]), D[i - 1][j]);
}

static void heat2d(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    float(*A)[m + 2] = (float(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
}

static void sor(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    float(*U)[m + 2] = (float(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            U[i][j] = -0.5f * U[i][j] + 0.375f * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
}

static void heat2d_sweeps(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device, sweeps = d->sweeps;
    float(*A)[m + 2] = (float(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront sweeps(t) device(device)
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) / 4;
}

static void sor_sweeps(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device, sweeps = d->sweeps;
    float(*U)[m + 2] = (float(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront sweeps(t) device(device)
    for (int t = 0; t < sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++)
                U[i][j] = -0.5f * U[i][j] + 0.375f * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]);
}

/* Rows that read one column to the right in the row above, and two to the left */
static void ahead(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    const float *a = d->a, *b = d->b;
    int(*A)[m + 2] = (int(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront map(to: a[0:n+1], b[0:m+1]) device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            A[i][j] = max2(max2(A[i - 1][j - 1], A[i - 1][j + 1]) + s, max2(A[i - 1][j], A[i][j - 1]) - 1);
        }
}

static void behind(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    const float *a = d->a, *b = d->b;
    int(*A)[m + 2] = (int(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront map(to: a[0:n+1], b[0:m+1]) device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 2; j <= m; j++) {
            int s = a[i] == b[j] ? 2 : -1;
            A[i][j] = max2(max2(A[i - 1][j - 2], A[i - 1][j - 1]) + s, max2(A[i - 1][j], A[i][j - 1]) - 1);
        }
}

/* summed-area table; unsigned, so that it may overflow */
static void sat(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    const unsigned(*W)[m + 2] = (const unsigned(*)[m + 2]) d->inputs;
    unsigned(*S)[m + 2] = (unsigned(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}

/* integral histogram: one bin */
static void inthist(const struct recurrence_data *d) {
    const int n = d->n, m = d->m, device = d->device;
    const unsigned char(*W)[m + 2] = (const unsigned char(*)[m + 2]) d->inputs;
    int(*C)[m + 2] = (int(*)[m + 2]) d->cells;
    (void)device;
#pragma heddle wavefront device(device)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            C[i][j] = (W[i][j] % 16 == 3) + C[i - 1][j] + C[i][j - 1] - C[i - 1][j - 1];
}

const struct recurrence RECURRENCES[] = {
    {"sw", sw, 0},
    {"dtw", dtw, 0},
    {"heat2d", heat2d, 0},
    {"sor", sor, 0},
    {"sat", sat, 1},
    {"inthist", inthist, 1},
    {"heat2d-sweeps", heat2d_sweeps, 0},
    {"sor-sweeps", sor_sweeps, 0},
    {"ahead", ahead, 0},
    {"behind", behind, 0},
    {NULL, NULL, 0},
};
