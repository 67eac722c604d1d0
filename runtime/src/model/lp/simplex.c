/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small dense simplex (up to some thousand variables). Rows and columns are scaled by powers of two first, so that
 * one tolerance does for seconds and for counts. Dual steps lead to a feasible basis, primal steps on to the best one,
 * by Bland's rule after many so that they end. What rounding has done to the tableau is undone by making it again from
 * the program and the basis, until nothing is left to do in a fresh one; and the answer is put into the program as it
 * was given.
 */
#include "lp.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double ZERO = 1e-9;     /* of scaled numbers: pivots, costs, right sides */
static const double FEASIBLE = 1e-7; /* of what a row's terms amount to */
enum { ROUNDS = 8, SCALINGS = 4 };
enum outcome { STEPPED, NO_SOLUTION };

struct tableau {
    int rows, columns, width; /* width: columns + slacks + right side */
    double *at, *start;       /* rows + 1 lines, the last is the objective; start: rows lines, of the program, scaled */
    double *cost;             /* [width], scaled */
    double *row_scale, *column_scale, right_scale;
    int *basis, *row_of; /* row_of: of each column and slack, -1: not in the basis */
    long steps;          /* since the tableau is fresh */
};

static double *line(const struct tableau *t, int row) { return t->at + (size_t)row * (size_t)t->width; }

/* ---- the program, scaled ----------------------------------------------------------------------------------- */
static double power_near(double least, double most) {
    return most > 0 ? ldexp(1, -ilogb(sqrt(least) * sqrt(most))) : 1;
}

static void widen(double value, double *least, double *most) {
    value = fabs(value);
    if (!(value > 0))
        return;
    *least = *most > 0 ? fmin(*least, value) : value;
    *most = fmax(*most, value);
}

static void scale_once(struct tableau *t, const double *a) {
    for (int r = 0; r < t->rows; r++) {
        double least = 0, most = 0;
        for (int k = 0; k < t->columns; k++)
            widen(a[(size_t)r * (size_t)t->columns + (size_t)k] * t->column_scale[k], &least, &most);
        t->row_scale[r] = power_near(least, most);
    }
    for (int k = 0; k < t->columns; k++) {
        double least = 0, most = 0;
        for (int r = 0; r < t->rows; r++)
            widen(a[(size_t)r * (size_t)t->columns + (size_t)k] * t->row_scale[r], &least, &most);
        t->column_scale[k] = power_near(least, most);
    }
}

static void fill(struct tableau *t, const double *a, const double *b, const double *c) {
    double least = 0, right = 0, cost = 0;
    for (int k = 0; k < t->columns; k++)
        t->column_scale[k] = 1;
    for (int turn = 0; turn < SCALINGS; turn++)
        scale_once(t, a);
    for (int r = 0; r < t->rows; r++)
        widen(b[r] * t->row_scale[r], &least, &right);
    for (int k = 0; k < t->columns; k++)
        widen(c[k] * t->column_scale[k], &least, &cost);
    t->right_scale = power_near(right, right);
    for (int k = 0; k < t->columns; k++)
        t->cost[k] = c[k] * t->column_scale[k] * power_near(cost, cost);
    for (int r = 0; r < t->rows; r++) {
        double *to = t->start + (size_t)r * (size_t)t->width;
        for (int k = 0; k < t->columns; k++)
            to[k] = a[(size_t)r * (size_t)t->columns + (size_t)k] * t->row_scale[r] * t->column_scale[k];
        to[t->columns + r] = 1;
        to[t->width - 1] = b[r] * t->row_scale[r] * t->right_scale;
        t->basis[r] = t->columns + r;
    }
}

/* ---- steps
 * ------------------------------------------------------------------------------------------------------------ */
static void pivot(struct tableau *t, int row, int column) {
    double *p = line(t, row);
    const double d = p[column];
    for (int k = 0; k < t->width; k++)
        p[k] /= d;
    p[column] = 1;
    for (int r = 0; r <= t->rows; r++) {
        double *q = line(t, r);
        const double f = q[column];
        if (r == row || f == 0)
            continue;
        for (int k = 0; k < t->width; k++)
            q[k] -= f * p[k];
        q[column] = 0;
    }
    t->row_of[t->basis[row]] = -1;
    t->row_of[column] = row;
    t->basis[row] = column;
    t->steps++;
}

/* Basic column `column` into the row where it is largest, of those whose slack is not to be in the basis. */
static bool enter(struct tableau *t, int column, const bool *keep) {
    int best = -1;
    for (int r = 0; r < t->rows; r++)
        if (t->basis[r] == t->columns + r && !keep[r] &&
            (best < 0 || fabs(line(t, r)[column]) > fabs(line(t, best)[column])))
            best = r;
    if (best < 0 || fabs(line(t, best)[column]) <= ZERO)
        return false;
    pivot(t, best, column);
    return true;
}

/* The tableau from the program and the basis, by elimination. False: the basis is none. */
static bool refresh(struct tableau *t) {
    int *wanted = malloc((size_t)(t->rows + 1) * sizeof *wanted);
    bool *keep = calloc((size_t)t->rows + 1, sizeof *keep), good = wanted && keep;
    for (int r = 0; good && r < t->rows; r++) {
        wanted[r] = t->basis[r];
        if (wanted[r] >= t->columns)
            keep[wanted[r] - t->columns] = true;
    }
    memcpy(t->at, t->start, (size_t)t->rows * (size_t)t->width * sizeof *t->at);
    memset(line(t, t->rows), 0, (size_t)t->width * sizeof *t->at);
    for (int k = 0; k < t->width; k++)
        t->row_of[k] = -1;
    for (int r = 0; r < t->rows; r++)
        t->row_of[t->basis[r] = t->columns + r] = r;
    for (int r = 0; good && r < t->rows; r++)
        good = wanted[r] >= t->columns || enter(t, wanted[r], keep);
    free(wanted);
    free(keep);
    t->steps = 0;
    return good;
}

/* What a unit of each variable that is not in the basis adds to the costs. */
static void price(struct tableau *t) {
    double *z = line(t, t->rows);
    memcpy(z, t->cost, (size_t)t->width * sizeof *z);
    for (int r = 0; r < t->rows; r++) {
        const double cost = t->cost[t->basis[r]], *p = line(t, r);
        for (int k = 0; cost != 0 && k < t->width; k++)
            z[k] -= cost * p[k];
    }
    for (int r = 0; r < t->rows; r++)
        z[t->basis[r]] = 0;
}

static bool any_below(const double *at, int count, size_t stride) {
    for (int k = 0; k < count; k++)
        if (at[(size_t)k * stride] < -ZERO)
            return true;
    return false;
}

static bool is_feasible(const struct tableau *t) { return !any_below(t->at + t->width - 1, t->rows, (size_t)t->width); }
static bool is_cheapest(const struct tableau *t) { return !any_below(line(t, t->rows), t->width - 1, 1); }

/* Among columns whose costs would stay as good the one with the largest pivot; `bland`: the first. */
static int dual_column(const struct tableau *t, int row, bool bland) {
    const double *p = line(t, row), *z = line(t, t->rows);
    double least = HUGE_VAL;
    int column = -1;
    for (int k = 0; k < t->width - 1; k++)
        if (p[k] < -ZERO && t->row_of[k] < 0)
            least = fmin(least, fmax(z[k], 0) / -p[k]);
    for (int k = 0; k < t->width - 1; k++)
        if (p[k] < -ZERO && t->row_of[k] < 0 && fmax(z[k], 0) / -p[k] <= least + ZERO &&
            (column < 0 || (!bland && p[k] < p[column])))
            column = k;
    return column;
}

static enum outcome dual_steps(struct tableau *t) {
    const long patience = 20L * t->width;
    for (long step = 0; step < 10 * patience; step++) {
        int row = -1;
        for (int r = 0; r < t->rows; r++) {
            const double right = line(t, r)[t->width - 1];
            if (right < -ZERO &&
                (row < 0 || (step < patience ? right < line(t, row)[t->width - 1] : t->basis[r] < t->basis[row])))
                row = r;
        }
        const int column = row < 0 ? -1 : dual_column(t, row, step >= patience);
        if (column < 0)
            return row < 0 ? STEPPED : NO_SOLUTION;
        pivot(t, row, column);
    }
    return NO_SOLUTION;
}

static int primal_row(const struct tableau *t, int column, bool bland) {
    double least = HUGE_VAL;
    int row = -1;
    for (int r = 0; r < t->rows; r++)
        if (line(t, r)[column] > ZERO)
            least = fmin(least, fmax(line(t, r)[t->width - 1], 0) / line(t, r)[column]);
    for (int r = 0; r < t->rows; r++) {
        const double a = line(t, r)[column];
        if (a > ZERO && fmax(line(t, r)[t->width - 1], 0) / a <= least + ZERO &&
            (row < 0 || (bland ? t->basis[r] < t->basis[row] : a > line(t, row)[column])))
            row = r;
    }
    return row;
}

static enum outcome primal_steps(struct tableau *t) {
    const long patience = 20L * t->width;
    for (long step = 0; step < 10 * patience; step++) {
        const double *z = line(t, t->rows);
        int column = -1;
        for (int k = 0; k < t->width - 1 && (step < patience || column < 0); k++)
            if (z[k] < -ZERO && t->row_of[k] < 0 && (column < 0 || z[k] < z[column]))
                column = k;
        const int row = column < 0 ? -1 : primal_row(t, column, step >= patience);
        if (row < 0)
            return column < 0 ? STEPPED : NO_SOLUTION;
        pivot(t, row, column);
    }
    return NO_SOLUTION;
}

/* ---- all of it
 * ---------------------------------------------------------------------------------------------------------- */
static enum outcome steps(struct tableau *t) {
    price(t);
    if (!is_feasible(t) && !is_cheapest(t)) /* any costs that are good for this basis lead to a feasible one */
        for (int k = 0; k < t->width; k++)
            line(t, t->rows)[k] = k < t->width - 1 && t->row_of[k] < 0;
    if (dual_steps(t) == NO_SOLUTION)
        return NO_SOLUTION;
    price(t);
    return primal_steps(t);
}

/* What a fresh tableau says is believed. */
static enum outcome solve(struct tableau *t) {
    for (int round = 0; round < ROUNDS; round++) {
        if (!refresh(t))
            return NO_SOLUTION;
        const enum outcome outcome = steps(t);
        if (!t->steps)
            return outcome;
    }
    return NO_SOLUTION;
}

static bool holds(const struct tableau *t, const double *a, const double *b, const double *x) {
    bool all = true;
    for (int r = 0; r < t->rows; r++) {
        double sum = 0, terms = fabs(b[r]);
        for (int k = 0; k < t->columns; k++) {
            sum += a[(size_t)r * (size_t)t->columns + (size_t)k] * x[k];
            terms += fabs(a[(size_t)r * (size_t)t->columns + (size_t)k] * x[k]);
        }
        all = all && sum <= b[r] + FEASIBLE * terms + ZERO / t->row_scale[r] / t->right_scale;
    }
    return all;
}

static bool make(struct tableau *t, int rows, int columns) {
    const size_t width = (size_t)columns + (size_t)rows + 1;
    *t = (struct tableau){.rows = rows, .columns = columns, .width = (int)width};
    t->at = calloc((size_t)(rows + 1) * width, sizeof *t->at);
    t->start = calloc((size_t)(rows + 1) * width, sizeof *t->start);
    t->cost = calloc(width, sizeof *t->cost);
    t->row_scale = calloc((size_t)rows + 1, sizeof *t->row_scale);
    t->column_scale = calloc((size_t)columns + 1, sizeof *t->column_scale);
    t->basis = calloc((size_t)rows + 1, sizeof *t->basis);
    t->row_of = calloc(width, sizeof *t->row_of);
    return t->at && t->start && t->cost && t->row_scale && t->column_scale && t->basis && t->row_of;
}

static void drop(struct tableau *t) {
    free(t->at);
    free(t->start);
    free(t->cost);
    free(t->row_scale);
    free(t->column_scale);
    free(t->basis);
    free(t->row_of);
}

int heddle__simplex(int rows, int columns, const double *a, const double *b, const double *c, double *x) {
    struct tableau t;
    bool good = make(&t, rows, columns);
    memset(x, 0, (size_t)columns * sizeof *x);
    if (good) {
        fill(&t, a, b, c);
        good = solve(&t) == STEPPED;
    }
    for (int r = 0; good && r < rows; r++)
        if (t.basis[r] < columns)
            x[t.basis[r]] = fmax(line(&t, r)[t.width - 1], 0) * t.column_scale[t.basis[r]] / t.right_scale;
    good = good && holds(&t, a, b, x);
    if (!good)
        memset(x, 0, (size_t)columns * sizeof *x);
    drop(&t);
    return good ? 0 : -1;
}
