/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small dense simplex for the selector's linear programs (up to about 100 variables): dual simplex to a
 * feasible start (the costs here are >= 0, so the slack basis is dual feasible), then primal steps by Dantzig's
 * rule, by Bland's after many steps so that it ends.
 */
#include "select.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EPS = 1e-12;

struct tableau {
    int rows, columns, width; /* width: columns + slacks + right side */
    double *at;               /* rows + 1 lines; the last is the objective */
    int *basis;
};

static void pivot(struct tableau *t, int row, int column)
{
    double *p = t->at + row * t->width;
    const double d = p[column];
    for (int k = 0; k < t->width; k++)
        p[k] /= d;
    for (int r = 0; r <= t->rows; r++) {
        double *q = t->at + r * t->width;
        const double f = q[column];
        if (r == row || f == 0)
            continue;
        for (int k = 0; k < t->width; k++)
            q[k] -= f * p[k];
    }
    t->basis[row] = column;
}

/* Leaves by the most negative right side; enters by the smallest ratio of the objective. */
static int dual_steps(struct tableau *t)
{
    const int right = t->width - 1;
    for (int step = 0; step < 50 * t->width; step++) {
        int row = -1, column = -1;
        double low = -1e-9, ratio = HUGE_VAL;
        for (int r = 0; r < t->rows; r++)
            if (t->at[r * t->width + right] < low) {
                low = t->at[r * t->width + right];
                row = r;
            }
        if (row < 0)
            return 0;
        const double *p = t->at + row * t->width, *z = t->at + t->rows * t->width;
        for (int k = 0; k < right; k++)
            if (p[k] < -EPS && z[k] / -p[k] < ratio - 1e-15) {
                ratio = z[k] / -p[k];
                column = k;
            }
        if (column < 0)
            return -1;
        pivot(t, row, column);
    }
    return -1;
}

static int primal_steps(struct tableau *t)
{
    const int right = t->width - 1;
    for (int step = 0; step < 100 * t->width; step++) {
        const double *z = t->at + t->rows * t->width;
        int row = -1, column = -1;
        double low = -1e-11, ratio = HUGE_VAL;
        for (int k = 0; k < right; k++)
            if (z[k] < low) {
                column = k;
                if (step > 20 * t->width)
                    break;
                low = z[k];
            }
        if (column < 0)
            return 0;
        for (int r = 0; r < t->rows; r++) {
            const double a = t->at[r * t->width + column];
            if (a > EPS && t->at[r * t->width + right] / a < ratio) {
                ratio = t->at[r * t->width + right] / a;
                row = r;
            }
        }
        if (row < 0)
            return -1;
        pivot(t, row, column);
    }
    return -1;
}

int heddle__simplex(int rows, int columns, const double *a, const double *b, const double *c, double *x)
{
    struct tableau t = {rows, columns, columns + rows + 1, NULL, NULL};
    t.at = calloc((size_t)(rows + 1) * (size_t)t.width, sizeof *t.at);
    t.basis = malloc((size_t)rows * sizeof *t.basis);
    int error = t.at && t.basis ? 0 : -1;
    for (int r = 0; !error && r < rows; r++) {
        memcpy(t.at + r * t.width, a + r * columns, (size_t)columns * sizeof *a);
        t.at[r * t.width + columns + r] = 1;
        t.at[r * t.width + t.width - 1] = b[r];
        t.basis[r] = columns + r;
    }
    if (!error)
        memcpy(t.at + rows * t.width, c, (size_t)columns * sizeof *c);
    error = error || dual_steps(&t) || primal_steps(&t) ? -1 : 0;
    memset(x, 0, (size_t)columns * sizeof *x);
    for (int r = 0; !error && r < rows; r++)
        if (t.basis[r] < columns)
            x[t.basis[r]] = t.at[r * t.width + t.width - 1];
    free(t.at);
    free(t.basis);
    return error;
}
