/* SPDX-License-Identifier: Apache-2.0 */
/* `omp atomic` at places that are read out of an array, without restrict or clauses: where they lie is looked up before the loop. */
#include <stdio.h>

enum { N = 6000, M = 700 };

struct cell {
    double mass;
    int hits;
};

static void histogram(int n, const int *key, int *h) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        h[key[i]]++;
    }
}

static void sums(int n, const int *key, const double *v, double *h, const unsigned char *mask) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        if (mask[i]) {
            const int k = key[i];
#pragma omp atomic update
            h[k] = v[i] + h[k];
        }
}

static void edges(int n, const int *from, const int *to, const double *w, double *y, const double *x) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        const double t = w[i] * (x[to[i]] - x[from[i]]);
#pragma omp atomic
        y[from[i]] += t;
#pragma omp atomic
        y[to[i]] -= t;
    }
}

static void rows(int n, const int *begin, const int *column, const double *value, double *y) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int k = begin[i]; k < begin[i + 1]; k++)
#pragma omp atomic
            y[column[k]] += value[k];
}

static void deposit(int n, const int *key, const double *mass, struct cell *cells) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        cells[key[i]].mass += mass[i];
#pragma omp atomic
        ++cells[key[i]].hits;
    }
}

static void marked(int n, const int *key, int *seen) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
#pragma omp atomic write
        seen[key[i]] = 1;
    }
}

static double hash(int n, const double *x) {
    double h = 0;
    for (int i = 0; i < n; i++)
        h = h * 0.75 + x[i];
    return h;
}

int main(void) {
    static int key[N], to[N], h[M], begin[N / 4 + 1], seen[M];
    static double v[N], s[M], x[M], y[M], z[M];
    static unsigned char mask[N];
    static struct cell cells[M];
    long sum = 0;
    for (int i = 0; i < N; i++) { /* whole numbers, whose sums have no order */
        key[i] = (int)(i * 1237L % M);
        to[i] = (int)(i * 331L % M);
        v[i] = i % 11;
        mask[i] = i % 3 == 0;
    }
    for (int i = 0; i < M; i++)
        x[i] = i % 7;
    for (int i = 0; i < N / 4; i++)
        begin[i + 1] = begin[i] + i % 4;
    for (int turn = 0; turn < 3; turn++) {
        histogram(N, key, h);
        sums(N, key, v, s, mask);
        edges(N, key, to, v, y, x);
        rows(N / 4, begin, to, v, z);
        deposit(N, key, v, cells);
        marked(N / 20, key, seen);
        histogram(0, NULL, NULL);
    }
    for (int i = 0; i < M; i++)
        sum = (sum * 31 + h[i] + 7L * cells[i].hits + 3L * (long)cells[i].mass + seen[i]) % 1000003;
    printf("%ld %a %a %a\n", sum, hash(M, s), hash(M, y), hash(M, z));
    return 0;
}
