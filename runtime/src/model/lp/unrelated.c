/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The makespan of divisible work on unrelated machines by a primal simplex with generalised upper bounds (Dantzig and
 * Van Slyke 1967). The row "all of kind j is somewhere" is not in the basis: one variable of j is its key and stands
 * for what the others leave, so that the basis has a row for each machine only. A first solution is known (every kind
 * on one machine), so there is no phase 1. The answer is believed when its dual says that nothing is better.
 */
#include "lp.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double CHEAPER = 1e-10, PIVOT = 1e-9, GAP = 1e-8, NUDGE = 1e-9, TINY = 1e-8;
enum { NO_KIND = -1, LEVEL = -2, SLACK = -3 }; /* of a basic variable: LEVEL is the makespan */

struct unrelated {
    int kinds, machines;
    const double *load; /* [kind * machines + machine], seconds of all of a kind; < 0: forbidden */
    double scale;
    double *inverse;                        /* [machines * machines] */
    double *value, *step, *weight, *column; /* [machines]; weight: the dual, of each machine's row */
    double *key_value, *price;              /* [kinds] */
    int *key, *kind, *machine;              /* [kinds]; of the basic variable of each row */
    int level;                              /* row of the makespan */
};

static double load_of(const struct unrelated *u, int j, int i) { return u->load[j * u->machines + i] * u->scale; }
static bool is_allowed(const struct unrelated *u, int j, int i) { return u->load[j * u->machines + i] >= 0; }

/* ---- the first solution ---------------------------------------------------------------------------------------- */
/* Each kind where it ends first, in the order given. false: one can run nowhere. */
static bool assign(struct unrelated *u, double *end) {
    for (int j = 0; j < u->kinds; j++) {
        int best = -1;
        for (int i = 0; i < u->machines; i++)
            if (is_allowed(u, j, i) && (best < 0 || end[i] + load_of(u, j, i) < end[best] + load_of(u, j, best)))
                best = i;
        if (best < 0)
            return false;
        u->key[j] = best;
        end[best] += load_of(u, j, best);
    }
    return true;
}

static void first_basis(struct unrelated *u, const double *end) {
    const int n = u->machines;
    u->level = 0;
    for (int i = 1; i < n; i++)
        if (end[i] > end[u->level])
            u->level = i;
    memset(u->inverse, 0, (size_t)n * (size_t)n * sizeof *u->inverse);
    for (int i = 0; i < n; i++) {
        u->kind[i] = i == u->level ? LEVEL : SLACK;
        u->machine[i] = i;
        u->inverse[i * n + u->level] = -1;
        if (i != u->level)
            u->inverse[i * n + i] = 1;
        u->value[i] = i == u->level ? end[i] : end[u->level] - end[i];
    }
    for (int j = 0; j < u->kinds; j++)
        u->key_value[j] = 1;
}

/* ---- one step --------------------------------------------------------------------------------------------------- */
/* The variable that lowers the makespan most per unit: *j = SLACK for a machine's slack. false: there is none. */
static bool enter(const struct unrelated *u, int *kind, int *machine) {
    const int n = u->machines;
    const double *row = u->inverse + u->level * n;
    double best = -CHEAPER;
    *kind = NO_KIND;
    for (int i = 0; i < n; i++) {
        u->weight[i] = -row[i];
        if (u->weight[i] < best) {
            best = u->weight[i];
            *kind = SLACK;
            *machine = i;
        }
    }
    for (int j = 0; j < u->kinds; j++) {
        const double *load = u->load + j * n, price = u->weight[u->key[j]] * load[u->key[j]];
        for (int i = 0; i < n; i++) {
            const double cost = (u->weight[i] * load[i] - price) * u->scale;
            if (cost < best && load[i] >= 0) {
                best = cost;
                *kind = j;
                *machine = i;
            }
        }
    }
    return *kind != NO_KIND;
}

/* What a unit of the variable takes from the basic ones. */
static void find_step(struct unrelated *u, int kind, int machine) {
    const int n = u->machines, key = kind >= 0 ? u->key[kind] : 0;
    const double plus = kind >= 0 ? load_of(u, kind, machine) : 1, minus = kind >= 0 ? load_of(u, kind, key) : 0;
    for (int p = 0; p < n; p++)
        u->step[p] = plus * u->inverse[p * n + machine] - minus * u->inverse[p * n + key];
}

struct leaving {
    double ratio;
    int row, kind; /* kind >= 0: its key leaves */
};

static struct leaving find_leaving(struct unrelated *u, int kind) {
    struct leaving l = {HUGE_VAL, -1, NO_KIND};
    double size = 0;
    for (int j = 0; j < u->kinds; j++)
        u->price[j] = 0;
    if (kind >= 0)
        u->price[kind] = 1; /* what its key loses for a unit */
    for (int p = 0; p < u->machines; p++) {
        if (u->kind[p] >= 0)
            u->price[u->kind[p]] -= u->step[p];
        if (u->kind[p] == LEVEL || u->step[p] <= PIVOT)
            continue;
        const double ratio = fmax(u->value[p], 0) / u->step[p];
        if (ratio < l.ratio || (ratio == l.ratio && u->step[p] > size)) {
            l = (struct leaving){ratio, p, NO_KIND};
            size = u->step[p];
        }
    }
    for (int j = 0; j < u->kinds; j++)
        if (u->price[j] > PIVOT && fmax(u->key_value[j], 0) / u->price[j] < l.ratio)
            l = (struct leaving){fmax(u->key_value[j], 0) / u->price[j], -1, j};
    return l;
}

/* A basic variable of the kind and its key change places. Row of the variable, or -1: the kind has none. */
static int swap_key(struct unrelated *u, int kind) {
    const int n = u->machines;
    int row = -1;
    for (int p = 0; p < n; p++)
        if (u->kind[p] == kind && (row < 0 || u->value[p] > u->value[row]))
            row = p;
    if (row < 0)
        return -1;
    for (int p = 0; p < n; p++)
        if (u->kind[p] == kind && p != row)
            for (int i = 0; i < n; i++)
                u->inverse[row * n + i] += u->inverse[p * n + i];
    for (int i = 0; i < n; i++)
        u->inverse[row * n + i] *= -1;
    const double value = u->key_value[kind];
    const int key = u->key[kind];
    u->key_value[kind] = u->value[row];
    u->key[kind] = u->machine[row];
    u->value[row] = value;
    u->machine[row] = key;
    return row;
}

static void pivot(struct unrelated *u, int row, int kind, int machine) {
    const int n = u->machines;
    double *from = u->inverse + row * n;
    const double amount = fmax(u->value[row], 0) / u->step[row];
    for (int i = 0; i < n; i++)
        from[i] /= u->step[row];
    for (int p = 0; p < n; p++) {
        if (p == row)
            continue;
        for (int i = 0; i < n && u->step[p] != 0; i++)
            u->inverse[p * n + i] -= u->step[p] * from[i];
        u->value[p] -= u->step[p] * amount;
    }
    u->value[row] = amount;
    u->kind[row] = kind;
    u->machine[row] = machine;
}

static void find_keys(struct unrelated *u) {
    for (int j = 0; j < u->kinds; j++)
        u->key_value[j] = 1;
    for (int p = 0; p < u->machines; p++)
        if (u->kind[p] >= 0)
            u->key_value[u->kind[p]] -= u->value[p];
}

static bool one_step(struct unrelated *u, int kind, int machine) {
    find_step(u, kind, machine);
    const struct leaving l = find_leaving(u, kind);
    int row = l.row;
    if (l.row < 0 && l.kind < 0)
        return false;
    if (l.kind >= 0 && (row = swap_key(u, l.kind)) >= 0) {
        find_step(u, kind, machine);
        if (!(fabs(u->step[row]) > PIVOT))
            return false;
    }
    if (row >= 0) {
        pivot(u, row, kind, machine);
    } else { /* all of the kind moves, and the basis stays */
        for (int p = 0; p < u->machines; p++)
            u->value[p] -= u->step[p] * l.ratio;
        u->key[kind] = machine;
    }
    find_keys(u);
    return true;
}

/* ---- the answer ------------------------------------------------------------------------------------------------- */
/* What is only there because of the nudges goes to the machine that has most. */
static void clean(double *share, int n) {
    double rest = 1;
    int most = 0;
    for (int i = 0; i < n; i++) {
        share[i] = share[i] < TINY ? 0 : share[i];
        rest -= share[i];
        most = share[i] > share[most] ? i : most;
    }
    share[most] += rest;
}

static void find_shares(const struct unrelated *u, double *share) {
    memset(share, 0, (size_t)u->kinds * (size_t)u->machines * sizeof *share);
    for (int j = 0; j < u->kinds; j++)
        share[j * u->machines + u->key[j]] = fmax(u->key_value[j], 0);
    for (int p = 0; p < u->machines; p++)
        if (u->kind[p] >= 0)
            share[u->kind[p] * u->machines + u->machine[p]] = fmax(u->value[p], 0);
    for (int j = 0; j < u->kinds; j++)
        clean(share + j * u->machines, u->machines);
}

/* The longest of the machines with these shares, against what no shares can be below. */
static double checked(const struct unrelated *u, const double *fixed, const double *share) {
    double longest = 0, bound = 0, weights = 0;
    for (int i = 0; i < u->machines; i++) {
        double end = fixed[i];
        for (int j = 0; j < u->kinds; j++)
            if (share[j * u->machines + i] > 0)
                end += share[j * u->machines + i] * u->load[j * u->machines + i];
        longest = fmax(longest, end);
        weights += fmax(u->weight[i], 0);
        bound += fmax(u->weight[i], 0) * fixed[i];
    }
    for (int j = 0; j < u->kinds; j++) {
        double least = HUGE_VAL, sum = 0;
        for (int i = 0; i < u->machines; i++) {
            sum += share[j * u->machines + i];
            if (is_allowed(u, j, i))
                least = fmin(least, fmax(u->weight[i], 0) * u->load[j * u->machines + i]);
        }
        bound += least;
        if (!(fabs(sum - 1) < GAP))
            return -1;
    }
    return longest * weights - bound <= GAP * longest * weights ? longest : -1;
}

static double solve(struct unrelated *u, const double *fixed, double *share) {
    const int n = u->machines, most = 50 * (n + u->kinds);
    double *end = u->column, longest = 0;
    int kind, machine;
    u->scale = 1;
    memcpy(end, fixed, (size_t)n * sizeof *end);
    if (!assign(u, end))
        return -1;
    for (int i = 0; i < n; i++)
        longest = fmax(longest, end[i]);
    if (longest > 0)
        u->scale = 1 / longest;
    if (!(longest >= 0) || !isfinite(longest) || !isfinite(u->scale))
        return -1;
    for (int i = 0; i < n; i++)
        end[i] = end[i] * u->scale + NUDGE * (double)(i * 7919 % 1021 + 1) / 1021;
    first_basis(u, end);
    for (int step = 0; enter(u, &kind, &machine); step++)
        if (step == most || !one_step(u, kind, machine))
            return -1;
    find_shares(u, share);
    return checked(u, fixed, share);
}

double heddle__unrelated(int kinds, int machines, const double *load, const double *fixed, double *share) {
    const size_t n = (size_t)machines, k = (size_t)kinds;
    double *numbers = malloc((n * n + 4 * n + 2 * k + 1) * sizeof *numbers);
    int *places = malloc((2 * n + k + 1) * sizeof *places);
    double makespan = -1;
    if (numbers && places && machines > 0) {
        struct unrelated u = {.kinds = kinds, .machines = machines, .load = load, .inverse = numbers};
        u.value = numbers + n * n;
        u.step = u.value + n;
        u.weight = u.step + n;
        u.column = u.weight + n;
        u.key_value = u.column + n;
        u.price = u.key_value + k;
        u.key = places;
        u.kind = places + k;
        u.machine = u.kind + n;
        makespan = solve(&u, fixed, share);
    }
    free(numbers);
    free(places);
    return makespan;
}
