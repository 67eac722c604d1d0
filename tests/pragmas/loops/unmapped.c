/* SPDX-License-Identifier: Apache-2.0 */
/* Loops, and nests, of which nobody can tell what a device would need: they stay on the host without a word of their author's. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, M = 40 };

static void sparse(int n, const int *restrict begin, const int *restrict column, const float *restrict value,
                   const float *restrict x, float *restrict y) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}

static void scattered(int n, float *y, const float *x, const int *to) {
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        y[to[i]] = x[i];
}

/* y with a part that moves, x of which nothing is known: both are used as they are */
static void partly(int n, float y[n], const float *restrict x, const int *at, const float *z) {
#pragma heddle for map(to: z[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        y[i] += x[at[i]] * z[i];
}

static void columns(int n, int m, float *a, const float *restrict x, const int *restrict at) {
#pragma heddle for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            a[j + m * i] = x[at[j]] + (float)i;
}

/* sums over what is found through an index, and a reduced array beside it */
static long counted(int n, const int *restrict x, const int *restrict at, long bins[8]) {
    long all = 0;
#pragma heddle for reduction(+: all, bins[0 : 8])
    for (int i = 0; i < n; i++) {
        bins[x[at[i]] & 7] += 1;
        all += x[at[i]];
    }
    return all;
}

/* One array alone, nothing that is written, or an element behind a pointer: nothing that could overlap. */
struct particle {
    float at, speed;
    struct particle *next;
};

static void moved(int n, struct particle *p) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        struct particle *one = p + i;
        one->at += 0.5f * one->speed;
    }
}

static long gathered(int n, const int *x, const int *at) {
    long all = 0;
#pragma heddle for reduction(+: all)
    for (int i = 0; i < n; i++)
        all += x[at[i]];
    return all;
}

static void cells(int n, int (*h)[M], const int *restrict score, const int *restrict of) {
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < M; j++)
            h[i][j] = (h[i - 1][j] + score[h[i][j - 1]] + of[h[i - 1][j - 1]]) & 63;
}

static void cells_asserted(int n, int (*h)[M], const int *score, const int *of) {
#pragma heddle wavefront independent
    for (int i = 1; i < n; i++)
        for (int j = 1; j < M; j++)
            h[i][j] = (h[i - 1][j] + score[h[i][j - 1]] + of[h[i - 1][j - 1]]) & 63;
}

static float hash(int n, const float *x) {
    float h = 0;
    for (int i = 0; i < n; i++)
        h = h * 0.75f + x[i];
    return h;
}

int main(void) {
    static int begin[N + 1], column[N * 4], at[N], whole[N];
    static int h[200][M];
    static float value[N * 4], x[N], y[N], a[N * M];
    static struct particle particle[N];
    long bins[8] = {0};
    for (int i = 0; i < N; i++) {
        particle[i] = (struct particle){(float)(i % 7), (float)(i % 5), NULL};
        begin[i + 1] = begin[i] + i % 4;
        x[i] = (float)(i % 11) / 8;
        at[i] = (int)(i * 1237L % N);
        whole[i] = i * 7 % 101;
    }
    for (int k = 0; k < begin[N]; k++) {
        column[k] = (int)(k * 7919L % N);
        value[k] = (float)(k % 5 - 2);
    }
    for (int turn = 0; turn < 3; turn++) {
        sparse(N, begin, column, value, x, y);
        printf("%a ", hash(N, y));
        scattered(N, y, x, at);
        printf("%a ", hash(N, y));
        partly(N, y, value, at, x);
        printf("%a ", hash(N, y));
        columns(N, M, a, x, at);
        printf("%a ", hash(N * M, a));
        const long all = counted(N, whole, at, bins);
        printf("%ld %ld %ld", all, bins[0], bins[7]);
        moved(N, particle);
        printf(" %a %a %ld", particle[7].at, particle[N - 1].at, gathered(N, whole, at));
        cells(200, h, whole, at);
        printf(" %d %d", h[199][M - 1], h[100][7]);
        cells_asserted(200, h, whole, at);
        printf(" %d %d\n", h[199][M - 1], h[77][M - 1]);
    }
    return 0;
}
