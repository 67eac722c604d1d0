/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that are read through an index, without restrict, clauses or sizes: where they are read is looked up before the loop. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, M = 700 };

static void gather(int n, double *y, const double *x, const int *at) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]];
}

static void sparse(int n, const int *begin, const int *column, const double *value, const double *x, double *y) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
}

/* whole numbers are written: what is looked up leads through one index only */
static void labels(int n, int *y, const int *x, const int *at, const int *from, const int *mask) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        const int a = at[i];
        int b = from[i];
        b += 1;
        y[i] = x[a] - x[b - 1] + mask[i];
    }
}

struct edge {
    int from, to;
};

static void edges(int n, double *y, const struct edge *e, double (*x)[3], const int *skip) {
#pragma heddle for
    for (int i = n - 1; i >= 0; i--) {
        if (skip[i])
            continue;
        for (int d = 0; d < 3; d++)
            y[i] += x[e[i].to][d] - x[e[i].from][d];
    }
}

static double hash(int n, const double *x) {
    double h = 0;
    for (int i = 0; i < n; i++)
        h = h * 0.75 + x[i];
    return h;
}

int main(void) {
    static int at[N], from[N], mask[N], begin[N + 1], column[4 * N], whole[M], out[N];
    static double x[M], y[N], value[4 * N], rows[M][3];
    static struct edge e[N];
    long sum = 0;
    for (int i = 0; i < N; i++) {
        at[i] = (int)(i * 1237L % M);
        from[i] = (int)(i * 331L % M);
        mask[i] = i % 3 == 0;
        begin[i + 1] = begin[i] + i % 4;
        e[i] = (struct edge){at[i], from[i]};
    }
    for (int k = 0; k < begin[N]; k++) {
        column[k] = (int)(k * 7919L % M);
        value[k] = k % 5 - 2;
    }
    for (int i = 0; i < M; i++) {
        x[i] = (double)(i % 11) / 8;
        whole[i] = i * 7 % 101;
        for (int d = 0; d < 3; d++)
            rows[i][d] = (double)((i + d) % 13) / 4;
    }
    for (int turn = 0; turn < 3; turn++) {
        gather(N, y, x, at);
        printf("%a ", hash(N, y));
        sparse(N, begin, column, value, x, y);
        printf("%a ", hash(N, y));
        edges(N, y, e, rows, mask);
        printf("%a ", hash(N, y));
        labels(N, out, whole, at, from, mask);
        for (int i = 0; i < N; i++)
            sum = sum * 3 % 1000003 + out[i];
        printf("%ld\n", sum);
        gather(0, y, NULL, NULL);
    }
    return 0;
}
