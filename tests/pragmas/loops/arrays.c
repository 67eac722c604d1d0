/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of arrays: histograms, sums of columns, other operators, sections, two of one loop. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, M = 70, BINS = 256 };
static unsigned char key[N];
static double A[N][M];
static int sums[BINS];

static void histogram(int n, const unsigned char *x, int *bins, int first) {
#pragma heddle for reduction(+ : bins[first : BINS]) map(to : x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        bins[first + x[i]]++;
}

static void columns(int n, int m, const double (*a)[m], const double *x, double *y) {
#pragma heddle for reduction(+ : y[0 : m]) map(to : a[heddle_lo : heddle_count], x[0 : m])
    for (int i = 0; i < n; i++) {
        double t = 0;
        for (int j = 0; j < m; j++)
            t += a[i][j] * x[j];
        for (int j = 0; j < m; j++)
            y[j] = y[j] + a[i][j] * t;
    }
}

static void extremes(int n, const unsigned char *x, int low[16], int high[16], unsigned bits[16]) {
    int count = 0;
#pragma heddle for reduction(min : low[0 : 16]) reduction(max : high[0 : 16]) reduction(^ : bits[0 : 16])              \
    reduction(+ : count) map(to : x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        const int k = x[i] & 15;
        if (i % 977 < low[k])
            low[k] = i % 977;
        high[k] = x[i] * (i % 7) > high[k] ? x[i] * (i % 7) : high[k];
        bits[k] ^= (unsigned)i;
        count += k == 3;
    }
    printf("%d\n", count);
}

static void table(int n, int m, const unsigned char *x, long (*count)[m], short product[5]) {
#pragma heddle for reduction(+ : count[0 : 4][0 : m]) reduction(* : product[1 : 3])                                     \
    map(to : x[0 : n])
    for (int i = n - 1; i >= 0; i -= 2) {
        count[key[i] & 3][i % m] += x[i];
        product[1 + i % 3] *= (short)(x[i] | 1);
        product[1 + (i + 1) % 3] *= 3;
    }
}

int main(void) {
    int bins[BINS + 8] = {[3] = 5, [9] = 7}, low[16], high[16];
    unsigned bits[16] = {0};
    double x[M], y[M];
    long count[4][9] = {{1, 2}};
    short product[5] = {1, 1, 1, 1, 1};
    for (int i = 0; i < N; i++)
        key[i] = (unsigned char)((i * 7919 + i / 3) >> 2);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = (i * j) % 13;
    for (int j = 0; j < M; j++)
        x[j] = j % 5, y[j] = j;
    for (int k = 0; k < 16; k++)
        low[k] = 400, high[k] = INT_MIN;
    histogram(N, key, bins, 3);
    columns(N, M, A, x, y);
    extremes(N, key, low, high, bits);
    table(N, 9, key, count, product);
    for (int r = 0; r < 20; r++) {
#pragma heddle for reduction(+ : sums)
        for (int i = 0; i < N; i++)
            sums[key[i]] += i % 11;
    }
    for (int k = 0; k < BINS + 8; k++)
        printf("%d %d\n", bins[k], sums[k % BINS]);
    for (int j = 0; j < M; j++)
        printf("%.0f\n", y[j]);
    for (int k = 0; k < 16; k++)
        printf("%d %d %u\n", low[k], high[k], bits[k]);
    for (int k = 0; k < 36; k++)
        printf("%ld\n", count[k / 9][k % 9]);
    printf("%d %d %d %d %d\n", product[0], product[1], product[2], product[3], product[4]);
    return 0;
}
