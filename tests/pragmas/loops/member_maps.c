/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses that name what structures behind pointers hold. */
#include <stdio.h>

enum { N = 2000 };

struct mesh {
    int n;
    double *x;
    const int *at;
    struct {
        double *weight;
    } by;
    const struct mesh *coarse;
};

static void gather(const struct mesh *g, double *restrict y) {
#pragma heddle for map(to: g->x[0 : g->n], g->by.weight[0 : g->n], g->at[heddle_lo : heddle_count])
    for (int i = 0; i < g->n; i++)
        y[i] = g->x[g->at[i]] * g->by.weight[g->at[i]];
}

/* a number that the loop itself does not use, and a part that comes back */
static void scale(struct mesh *g, const double *restrict y, int n) {
#pragma heddle for map(tofrom: g->x[heddle_lo : heddle_count]) map(to: y[0 : g->n])
    for (int i = 0; i < n; i++)
        g->x[i] = g->x[i] / 2 + y[(i * 7) % n];
}

/* behind two arrows; no turn, too */
static void through(const struct mesh *g, double *restrict y, int n) {
#pragma heddle for map(to: g->coarse->x[0 : g->coarse->n], g -> coarse->coarse->x[0 : g->coarse->n], g->at[0 : n])
    for (int i = 0; i < n; i++)
        y[i] += g->coarse->x[g->at[i] / 2] - g->coarse->coarse->x[g->at[i] / 2];
}

static void rows(const struct mesh *g, double *restrict y, int n, int m) {
#pragma heddle wavefront map(to: g->coarse->x[0 : g->coarse->n], g->at[0 : n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            y[i * m + j] = (y[(i - 1) * m + j] + y[i * m + j - 1]) / 2 + g->coarse->x[g->at[i] / 2];
}

int main(void) {
    static double x[N], y[N], weight[N];
    static int at[N];
    static double half[N / 2], quarter[N / 2], table[40 * 50];
    const struct mesh least = {N / 2, quarter, NULL, {NULL}, NULL}, less = {N / 2, half, NULL, {NULL}, &least};
    struct mesh g = {N, x, at, {weight}, &less};
    for (int i = 0; i < N; i++) {
        x[i] = i % 17;
        weight[i] = (double)(i % 5) / 4;
        at[i] = i * 31 % N;
    }
    for (int i = 0; i < N / 2; i++)
        half[i] = i % 7, quarter[i] = i % 3;
    for (int turn = 0; turn < 4; turn++) {
        gather(&g, y);
        scale(&g, y, N);
        through(&g, y, N);
        through(&g, y, 0);
        rows(&g, table, 40, 50);
    }
    double all = 0;
    for (int i = 0; i < N; i++)
        all = all * 0.5 + x[i] + y[i];
    for (int k = 0; k < 40 * 50; k++)
        all = all * 0.5 + table[k];
    printf("%a %a\n", all, x[N / 2]);
    return 0;
}
