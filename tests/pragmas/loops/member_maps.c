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

int main(void) {
    static double x[N], y[N], weight[N];
    static int at[N];
    struct mesh g = {N, x, at, {weight}};
    for (int i = 0; i < N; i++) {
        x[i] = i % 17;
        weight[i] = (double)(i % 5) / 4;
        at[i] = i * 31 % N;
    }
    for (int turn = 0; turn < 4; turn++) {
        gather(&g, y);
        scale(&g, y, N);
    }
    double all = 0;
    for (int i = 0; i < N; i++)
        all = all * 0.5 + x[i] + y[i];
    printf("%a %a\n", all, x[N / 2]);
    return 0;
}
