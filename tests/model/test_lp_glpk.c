/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simplex against GLPK on random linear programs: the same verdict, the same optimum, and an x that is feasible.
 * Usage: test_lp_glpk COUNT [SEED]
 */
#include "model/lp/lp.h"
#include <glpk.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 80 };
struct program {
    const char *family;
    int rows, columns;
    double a[ROWS * COLUMNS], b[ROWS], c[COLUMNS], x[COLUMNS];
};

static uint64_t state;
static uint64_t next_random(void) {
    state += 0x9e3779b97f4a7c15u;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}
static int below(int n) { return (int)(next_random() % (uint64_t)n); }
static double spread(double low, double high) { return low * pow(high / low, (double)below(1 << 20) / (1 << 20)); }

/* Jobs of several types over several devices (Kim 2013, Table 1): counts up to 30000, times over four orders of
   magnitude, set-up times, devices that cannot run a type. Round numbers and equal devices make them degenerate. */
static void makespan(struct program *p) {
    const int places = 2 + below(5), kinds = 1 + below(2 * places), round = below(3);
    p->family = "makespan";
    p->rows = places + kinds;
    p->columns = kinds * places + 1;
    p->c[p->columns - 1] = 1;
    for (int r = 0; r < places; r++) {
        p->a[r * p->columns + p->columns - 1] = -1;
        p->b[r] = below(2) ? 0 : -spread(1e-4, 1);
    }
    for (int j = 0; j < kinds; j++) {
        p->b[places + j] = below(10) ? -(1 + below(30000)) : 0;
        const double usual = spread(1e-7, 1e-3);
        for (int r = 0; r < places; r++) {
            if (r && !below(8))
                continue;
            const double t = round == 0 ? usual * spread(0.05, 20) : round == 1 ? usual : (1 + below(4)) * 1e-5;
            p->a[r * p->columns + j * places + r] = t;
            p->a[(places + j) * p->columns + j * places + r] = -1;
        }
    }
}

/* Small whole numbers, many of them zero: ties, equal rows, programs without a solution or a bound. */
static void integers(struct program *p) {
    p->family = "integers";
    p->rows = 1 + below(12);
    p->columns = 1 + below(14);
    for (int r = 0; r < p->rows; r++) {
        const int as = r && !below(4) ? below(r) : -1;
        for (int k = 0; k < p->columns; k++)
            p->a[r * p->columns + k] = as >= 0 ? p->a[as * p->columns + k] : below(3) ? 0 : below(9) - 4;
        p->b[r] = as >= 0 && below(2) ? p->b[as] : below(3) ? below(12) - 3 : 0;
    }
    for (int k = 0; k < p->columns; k++)
        p->c[k] = below(4) ? below(9) - 2 : 0;
}

/* Transport: what factories have to what shops want, all equalities up to rounding, so every corner is degenerate. */
static void transport(struct program *p) {
    const int from = 2 + below(4), to = 2 + below(5);
    int have = 0;
    p->family = "transport";
    p->rows = from + to;
    p->columns = from * to;
    for (int j = 0; j < to; j++) {
        const int wanted = 1 + below(9);
        have += wanted;
        p->b[from + j] = -wanted;
        for (int i = 0; i < from; i++)
            p->a[(from + j) * p->columns + i * to + j] = -1;
    }
    for (int i = 0; i < from; i++) {
        p->b[i] = i + 1 < from ? have / from : have - (from - 1) * (have / from);
        for (int j = 0; j < to; j++) {
            p->a[i * p->columns + i * to + j] = 1;
            p->c[i * to + j] = 1 + below(5);
        }
    }
}

/* GLPK's optimum; NAN: there is none. */
static double by_glpk(const struct program *p) {
    glp_prob *lp = glp_create_prob();
    glp_smcp how;
    int row[ROWS * COLUMNS + 1], column[ROWS * COLUMNS + 1], n = 0;
    double value[ROWS * COLUMNS + 1];
    glp_term_out(GLP_OFF);
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    how.presolve = GLP_OFF;
    glp_add_rows(lp, p->rows);
    glp_add_cols(lp, p->columns);
    for (int r = 0; r < p->rows; r++)
        glp_set_row_bnds(lp, r + 1, GLP_UP, 0, p->b[r]);
    for (int k = 0; k < p->columns; k++) {
        glp_set_col_bnds(lp, k + 1, GLP_LO, 0, 0);
        glp_set_obj_coef(lp, k + 1, p->c[k]);
    }
    for (int r = 0; r < p->rows; r++)
        for (int k = 0; k < p->columns; k++)
            if (p->a[r * p->columns + k] != 0) {
                row[++n] = r + 1;
                column[n] = k + 1;
                value[n] = p->a[r * p->columns + k];
            }
    glp_load_matrix(lp, n, row, column, value);
    glp_scale_prob(lp, GLP_SF_AUTO);
    const int failed =
        glp_simplex(lp, &how) || glp_exact(lp, &how); /* its tolerances are of seconds, where these differ by 1e-7 */
    const double best = !failed && glp_get_status(lp) == GLP_OPT ? glp_get_obj_val(lp) : NAN;
    glp_delete_prob(lp);
    return best;
}

static const char *verdict(const struct program *p) {
    static char text[200];
    const int error = heddle__simplex(p->rows, p->columns, p->a, p->b, p->c, (double *)p->x);
    const double best = by_glpk(p);
    double cost = 0, size = 0;
    if (error || isnan(best)) {
        snprintf(text, sizeof text, error ? "no solution, GLPK has %g" : "a solution, GLPK has none", best);
        return error && isnan(best) ? NULL : text;
    }
    for (int k = 0; k < p->columns; k++) {
        cost += p->c[k] * p->x[k];
        size += fabs(p->c[k] * p->x[k]);
        if (!(p->x[k] >= 0))
            return "x is negative";
    }
    for (int r = 0; r < p->rows; r++) {
        double sum = 0, terms = fabs(p->b[r]);
        for (int k = 0; k < p->columns; k++) {
            sum += p->a[r * p->columns + k] * p->x[k];
            terms += fabs(p->a[r * p->columns + k] * p->x[k]);
        }
        if (sum > p->b[r] + 1e-6 * terms + 1e-12) {
            snprintf(text, sizeof text, "row %d is %.17g, and %.17g at most", r, sum, p->b[r]);
            return text;
        }
    }
    snprintf(text, sizeof text, "the optimum is %.12g, GLPK's %.12g", cost, best);
    return fabs(cost - best) <= 1e-6 * (size + fabs(best)) + 1e-12 ? NULL : text;
}

int main(int argc, char **argv) {
    static struct program p;
    static void (*const families[])(struct program *) = {makespan, integers, makespan, transport};
    const long count = argc > 1 ? atol(argv[1]) : 1000;
    long wrong = 0, solved = 0;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    for (long k = 0; k < count; k++) {
        state = seed * 0x1000000007u + (uint64_t)k; /* each by itself, so that one can be looked at */
        memset(&p, 0, sizeof p);
        families[k % 4](&p);
        const char *text = verdict(&p);
        for (int c = 0; c < p.columns; c++)
            if (p.x[c] > 0) {
                solved++;
                break;
            }
        wrong += text != NULL;
        if (text && wrong <= 10)
            fprintf(stderr, "program %ld (%s, %d x %d): %s\n", k, p.family, p.rows, p.columns, text);
    }
    printf("%ld programs, %ld with an x that is not zero, %ld wrong\n", count, solved, wrong);
    return wrong || solved < count / 2;
}
