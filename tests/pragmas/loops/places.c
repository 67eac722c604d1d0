/* SPDX-License-Identifier: Apache-2.0 */
/* A maximum or minimum with its place, in scalars: of equal values the serial loop's. */
#include <math.h>
#include "../run/run.h"

enum { N = 3000, M = 40 };

static int first(int n, const float *x, float *out)
{
    float best = x[0];
    int at = 0;
#pragma heddle for
    for (int i = 1; i < n; i++) {
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    }
    *out = best;
    return at;
}

static int last(int n, const float *x)
{
    float best = -1;
    int at = -1;
#pragma heddle for reduction(max : best)
    for (int i = 0; i < n; i++)
        if (best <= x[i]) {
            at = i;
            best = x[i];
        }
    return at;
}

/* Down, two places, a condition besides, another reduction beside it in one clause. */
static long least(int n, const int *x, const double (*A)[M])
{
    int low = 1 << 30, i;
    long row = -1, sum = 0, lowest = 7;
    unsigned char column = 9;
    double most = -INFINITY;
#pragma heddle for reduction(min : lowest, low) reduction(+ : sum)
    for (i = n - 1; i >= 0; i -= 2) {
        const int v = x[i] / 4;
        sum += v;
        if (v < lowest)
            lowest = v;
        if (v % 3 && v < low) {
            low = v;
            row = i;
        }
    }
    sum += 3 * low + 5 * row + i + lowest;
#pragma heddle for
    for (int r = 0; r < n / M; r++)
        for (int c = 0; c < M; c++)
            if (fabs(A[r][c]) > most) {
                most = fabs(A[r][c]);
                row = r, column = c;
            }
#pragma heddle for
    for (int r = 0; r < n / M; r++) {
        for (int c = 0; c < M; c++)
            if (A[r][c] >= most) {
                most = A[r][c];
                row = r;
                column = c;
            }
    }
    return sum + 7 * row + 11 * column + (long)most;
}

/* Nothing is found: all stays as it was. */
static int nothing(int n, const float *x)
{
    float best = 1e9f;
    int at = 12345;
#pragma heddle for
    for (int i = 0; i < n; i++)
        if (x[i] > best) {
            best = x[i];
            at = i;
        }
    return at + (int)best;
}

/* Two of them in one loop, and one inside of another loop. */
static int both(int n, const float *x, const int *k)
{
    float high = -1, low = 1e9f;
    int first_high = -1, last_low = -1, most = -1, at = 0;
#pragma heddle for
    for (int i = 0; i < n; i++) {
        if (x[i] > high) {
            high = x[i];
            first_high = i;
        }
        for (int j = 0; j < 3; j++)
            if (k[i] % (j + 5) >= most) {
                most = k[i] % (j + 5);
                at = 3 * i + j;
            }
        if (x[i] <= low) {
            low = x[i];
            last_low = i;
        }
    }
    return first_high + 5 * last_low + 7 * at + (int)high + most;
}

int main(void)
{
    static float x[N];
    static int k[N];
    static double A[N / M][M];
    for (int i = 0; i < N; i++) {
        x[i] = (i * 37) % 101 / 4 * 4;
        k[i] = (i * 53) % 97 + 5;
        A[i / M][i % M] = (i * 29) % 83 - 40;
    }
    for (int again = 0; again < 4; again++) {
        float best;
        const int a = first(N, x, &best), b = last(N, x), n = nothing(N, x);
        const long l = least(N, k, A);
        printf("%d %g %d %ld %d %d\n", a, best, b, l, n, both(N, x, k));
        x[a] = 0, x[(a + 1500) % N] = 100, k[again * 100] = 1;
    }
    x[N / 2] = NAN;
    float best;
    printf("%d %d\n", first(N, x, &best), last(N, x));
    return 0;
}
