/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers and numbers in structures: a loop that never changes them takes them like variables. */
#include "../run/run.h"
#include <string.h>

struct grid {
    double *e, *h, *c;
    int nx, ny;
    struct {
        float *out;
        const float *in;
        int first;
    } line;
    unsigned char *mark;
    int *count;
    struct grid *coarse;
    double (*flow)[3];
};

#define E(G, I, J) G->e[(I) * (G)->ny + (J)]
#define H(I, J) g->h[(I)*g->ny + J]
#define NX g->nx

static void stencil(struct grid *g, int steps)
{
    int i, j;
    for (int t = 0; t < steps; t++) {
        // macros, of macros
#pragma heddle for
        for (i = 1; i < NX - 1; i++)
            for (j = 1; j < g->ny - 1; j++)
                H(i, j) = g->c[i * g->ny + j] * (E(g, i + 1, j) + E(g, i - 1, j)) + E(g, i, j + 1) - E(g, i, j - 1);
#pragma heddle for
        for (i = 1; i < NX - 1; i++)
            for (j = 1; j < g->ny - 1; j++)
                E(g, i, j) = 0.25 * H(i, j) + 0.125 * MAX(H(i, j), g->c[j]);
    }
}

/* A member of a member, numbers by value, a loop that is the body of a branch. */
static void lines(struct grid g, int n)
{
    if (n > 0)
#pragma heddle for
        for (int i = 0; i < n; i++)
            g.line.out[i] = g.line.in[i] * 2 + (float)g.line.first;
    else
        g.line.out[0] = -1;
}

/* Pointers to arrays. */
static void flow(const struct grid *g, struct grid to)
{
#pragma heddle for
    for (int i = 1; i < g->nx; i++)
        for (int k = 0; k < 3; k++)
            to.flow[i][k] = (g->flow[i][k] + g->flow[i - 1][2 - k]) / 2;
#pragma heddle wavefront
    for (int i = 1; i < to.nx; i++)
        for (int k = 1; k < 3; k++)
            to.flow[i][k] += to.flow[i - 1][k] / 4 + to.flow[i][k - 1];
}

/* Whole numbers beside whole numbers: what is written may be the bound; bytes may be anything. */
static void marks(struct grid *g)
{
#pragma heddle for independent
    for (int i = 0; i < g->nx; i++) {
        g->count[i] = g->count[i] * 3 + g->ny;
        g->mark[i] = (unsigned char)(g->mark[i] + g->count[i]);
    }
}

/* Only where it is there: no turn, no structure. */
static double maybe(const struct grid *g, const double *x, int n)
{
    double sum = 0;
#pragma heddle for reduction(max: sum)
    for (int i = 0; i < n; i++)
        sum = sum > g->e[i] * x[i] ? sum : g->e[i] * x[i];
    return sum;
}

static void branch(const struct grid *g, double *restrict y, int n)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < n; i++)
        if (g && i % 3)
            y[i] = g->e[i];
        else
            y[i] = -i;
}

/* The pointer moves on in the loop, in a function that it calls, or with its structure: it is none of these. */
static void hand_on(struct grid *g) { g->e = g->h; }

static double moving(struct grid *g, struct grid *const *all, int n)
{
    double *const e = g->e, sum = 0;
    for (int i = 0; i < n; i++) {
#pragma heddle for reduction(+: sum)
        for (int k = 0; k < 16; k++)
            sum += g->e[k];
        if (i == 1)
            hand_on(g);
        if (i == 2)
            *g = *all[0];
    }
    g->e = e;
    return sum;
}

/* Structures that lead to structures. */
static void coarse(struct grid *fine)
{
#pragma heddle for
    for (int i = 0; i < fine->coarse->nx * fine->coarse->ny; i++)
        fine->coarse->e[i] = 0.5 * fine->e[i];
}

/* A nest over rows of a structure. */
static void table(struct grid *g)
{
#pragma heddle wavefront
    for (int i = 1; i < g->nx; i++)
        for (int j = 1; j < g->ny; j++)
            g->e[i * g->ny + j] = MAX(g->e[(i - 1) * g->ny + j], 0.5 * g->e[i * g->ny + j - 1]) + g->c[j];
}

int main(void)
{
    enum { N = 61, M = 43 };
    struct grid g = {.nx = N, .ny = M, .coarse = &(struct grid){.nx = 20, .ny = 30}};
    double *all = calloc(4 * N * M, sizeof *all);
    float line[2][N * M];
    g.e = all, g.h = all + N * M, g.c = all + 2 * N * M, g.coarse->e = all + 3 * N * M;
    g.mark = calloc(N * M, 1), g.count = calloc(N * M, sizeof *g.count);
    g.line.out = line[0], g.line.in = line[1], g.line.first = 4;
    for (int i = 0; i < N * M; i++) {
        all[i] = run_random() % 64, all[2 * N * M + i] = run_random() % 8, g.count[i] = i % 5;
        line[1][i] = (float)(i % 9);
    }
    static double cells[2][N][3];
    struct grid to = {.nx = N, .flow = cells[1]};
    g.flow = cells[0];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < 3; k++)
            cells[0][i][k] = run_random() % 64;
    flow(&g, to);
    run_report("flow", cells, sizeof cells);
    stencil(&g, 3);
    run_report("e", g.e, N * M * sizeof *g.e);
    lines(g, N * M);
    lines(g, 0);
    run_report("line", line[0], sizeof line[0]);
    marks(&g);
    run_report("mark", g.mark, N * M);
    const double largest = maybe(&g, g.h, N * M) + maybe(NULL, g.h, 0);
    run_report("largest", &largest, sizeof largest);
    branch(&g, g.c, N);
    run_report("branch", g.c, N * sizeof *g.c);
    branch(NULL, g.c, N);
    run_report("none", g.c, N * sizeof *g.c);
    struct grid other = g, *const first = &other;
    const double sum = moving(&g, &first, 4);
    run_report("moving", &sum, sizeof sum);
    coarse(&g);
    run_report("coarse", g.coarse->e, 600 * sizeof *g.e);
    table(&g);
    run_report("table", g.e, N * M * sizeof *g.e);
    run_report("count", g.count, N * M * sizeof *g.count);
    free(all), free(g.mark), free(g.count);
    return 0;
}
