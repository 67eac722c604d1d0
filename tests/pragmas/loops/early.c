/* SPDX-License-Identifier: Apache-2.0 */
/* Where no turn reads a structure, nothing before the loop reads it either: its pointer may lead to no memory. */
#define _DEFAULT_SOURCE
#include "../run/run.h"
#include <sys/mman.h>

enum { N = 50 };

struct matrix {
    int n, *row, *column;
    double *v;
};
struct pair {
    struct matrix *m;
    double *w;
};

static void head(const struct matrix *p, double *y, int n)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = p->v[i] * 2;
#pragma heddle for
    for (int i = n; i-- > 0;)
        y[i] -= p->v[i];
}

static void without_sign(const struct matrix *p, double *y, unsigned n)
{
#pragma heddle for
    for (int i = (int)n - 1; i >= 0; i--)
        y[i] = y[i] / 2 + p->v[i];
}

static void inner(const struct matrix *p, double *y, int n, int m)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += p->v[j];
}

static void triangle(const struct matrix *p, double *y, int n)
{
    int i, j;
#pragma heddle for
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            y[i] += p->v[j];
}

static void rows(const struct matrix *p, const int *row, const double *x, double *y, int n)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += p->v[k] * x[k];
        y[i] = sum;
    }
}

/* The head reads the structure: what it holds may lead nowhere. */
static void sparse(const struct matrix *p, const double *x, double *y)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < p->n; i++) {
        double sum = 0;
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            sum += p->v[k] * x[p->column[k]];
        y[i] = sum;
    }
}

static void through(const struct pair *p, double *y, int n)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = p->m->v[i] + p->w[i];
}

/* A turn that leaves out the rest may be all turns. */
static void left_out(const struct matrix *p, const int *chosen, double *y, int n)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < n; i++) {
        if (!chosen[i])
            continue;
        y[i] = p->v[i];
    }
}

/* An address is no access. */
static void address(const struct pair *p, double *y, int n, int m)
{
#pragma heddle for independent device(host)
    for (int i = 0; i < n; i++) {
        y[i] = (const void *)&p->w == NULL;
        for (int j = 0; j < m; j++)
            y[i] += p->w[j];
    }
}

static void nest(const struct matrix *p, double *y, int n, int m)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            y[i * N + j] = y[(i - 1) * N + j] * 0.5 + y[i * N + j - 1] * 0.25 + p->v[j];
}

static void all(const struct matrix *g, void *nowhere, double *y, const double *x)
{
    static const int none[N + 1];
    const struct pair pair = {(struct matrix *)g, g->v}, half = {nowhere, g->v};
    head(g, y, N), head(nowhere, y, 0), head(nowhere, y, -3);
    without_sign(g, y, N), without_sign(nowhere, y, 0);
    inner(g, y, N, 5), inner(nowhere, y, N, 0), inner(nowhere, y, 0, 4);
    triangle(g, y, N), triangle(nowhere, y, 1), triangle(nowhere, y, 0);
    rows(g, g->row, x, y, N), rows(nowhere, none, x, y, N), rows(nowhere, g->row, x, y, 0);
    sparse(g, x, y);
    sparse(&(struct matrix){0, nowhere, nowhere, nowhere}, x, y);
    sparse(&(struct matrix){N, (int *)none, nowhere, nowhere}, x, y);
    through(&pair, y, N), through(nowhere, y, 0), through(&half, y, 0);
    left_out(g, g->column, y, N), left_out(nowhere, none, y, N);
    address(&pair, y, N, 3), address(nowhere, y, N, 0);
    nest(g, y, N, N), nest(nowhere, y, 1, N), nest(nowhere, y, N, 1);
}

int main(void)
{
    int row[N + 1], column[3 * N];
    double v[3 * N], x[3 * N], y[N * N];
    void *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i <= N; i++)
        row[i] = i * 3;
    for (int i = 0; i < 3 * N; i++)
        column[i] = i * 7 % N, v[i] = i % 11, x[i] = i % 13;
    for (int i = 0; i < N * N; i++)
        y[i] = i % 17;
    all(&(struct matrix){N, row, column, v}, nowhere, y, x);
    run_report("y", y, sizeof y);
    return 0;
}
