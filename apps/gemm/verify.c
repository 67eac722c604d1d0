/* SPDX-License-Identifier: Apache-2.0 */
#include "verify.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Squares of 2-norms of the rows of A and the columns of B. */
struct norms {
    double *a, *b, b_all;
};

static double element(const struct gemm *g, const char *at, long k) {
    return g->is_double ? ((const double *)(const void *)at)[k] : (double)((const float *)(const void *)at)[k];
}

static double *square_sums(const struct gemm *g, const char *matrix, long all) {
    double *sum = app_alloc((size_t)all, sizeof *sum);
    const long panels = all ? (all + g->tile - 1) / g->tile : 0;
#pragma omp parallel for
    for (long panel = 0; panel < panels; panel++)
        for (long p = 0; p < g->k; p++) {
            const char *at = matrix + gemm_panel_offset(g, all, panel, p);
            const long side = gemm_side(g, all, panel);
            for (long r = 0; r < side; r++)
                sum[panel * g->tile + r] += element(g, at, r) * element(g, at, r);
        }
    return sum;
}

static struct norms norms(const struct gemm *g) {
    struct norms n = {square_sums(g, g->a, g->m), square_sums(g, g->b, g->n), 0};
    for (long j = 0; j < g->n; j++)
        n.b_all += n.b[j];
    return n;
}

static void norms_free(struct norms *n) {
    free(n->a);
    free(n->b);
}

static double unit(const struct gemm *g) { return g->is_double ? 0x1p-53 : 0x1p-24; }

/* Row i of C; `square`: its norm instead of the product with x. */
static long double row_of(const struct gemm *g, const void *c, long i, const signed char *x, bool square) {
    long double sum = 0;
    for (long col = 0; col < g->tile_cols; col++) {
        const long side = gemm_side(g, g->n, col), pitch = gemm_pitch(side);
        const char *at =
            (const char *)c + gemm_c_offset(g, i / g->tile, col) + (size_t)(i % g->tile * pitch) * gemm_element(g);
        for (long j = 0; j < side; j++) {
            const double v = element(g, at, j);
            sum += square ? (long double)v * v : (long double)v * x[col * g->tile + j];
        }
    }
    return sum;
}

/* y = B x */
static void times_b(const struct gemm *g, const signed char *x, long double *y) {
#pragma omp parallel for
    for (long p = 0; p < g->k; p++) {
        long double sum = 0;
        for (long col = 0; col < g->tile_cols; col++) {
            const char *at = (const char *)g->b + gemm_panel_offset(g, g->n, col, p);
            const long side = gemm_side(g, g->n, col);
            for (long j = 0; j < side; j++)
                sum += (long double)element(g, at, j) * x[col * g->tile + j];
        }
        y[p] = sum;
    }
}

/* z = A y */
static void times_a(const struct gemm *g, const long double *y, long double *z) {
    memset(z, 0, (size_t)g->m * sizeof *z);
#pragma omp parallel for
    for (long row = 0; row < g->tile_rows; row++)
        for (long p = 0; p < g->k; p++) {
            const char *at = (const char *)g->a + gemm_panel_offset(g, g->m, row, p);
            const long side = gemm_side(g, g->m, row);
            for (long r = 0; r < side; r++)
                z[row * g->tile + r] += (long double)element(g, at, r) * y[p];
        }
}

/* NaN counts as infinitely wrong; with a bound of 0 the values have to be equal. */
static double over(long double got, long double right, double bound) {
    const double off = (double)fabsl(got - right);
    return off == 0 ? 0 : off <= bound * 1e300 && bound > 0 ? off / bound : HUGE_VAL;
}

static bool freivalds(const struct gemm *g, struct check *check, const struct norms *n) {
    signed char *x = app_alloc((size_t)g->n, 1);
    long double *y = app_alloc((size_t)g->k, sizeof *y), *z = app_alloc((size_t)g->m, sizeof *z);
    double *rows = app_alloc((size_t)g->m, sizeof *rows);
    struct app_random random;
    long worst = 0;
    app_seed(&random, check->seed);
    for (int trial = 0; trial < check->trials; trial++) {
        for (long j = 0; j < g->n; j++)
            x[j] = app_next(&random) >> 63 ? 1 : -1;
        times_b(g, x, y);
        times_a(g, y, z);
#pragma omp parallel for
        for (long i = 0; i < g->m; i++) {
            long double right = g->alpha * z[i];
            double size = fabs(g->alpha) * sqrt(n->a[i] * n->b_all);
            if (check->c0) {
                right += g->beta * row_of(g, check->c0, i, x, false);
                size += fabs(g->beta) * sqrt((double)row_of(g, check->c0, i, NULL, true));
            }
            rows[i] = over(row_of(g, g->c, i, x, false), right,
                           check->exact ? 0 : 8 * unit(g) * sqrt((double)g->k + 2) * size);
        }
        for (long i = 0; i < g->m; i++)
            if (rows[i] > check->freivalds) {
                check->freivalds = rows[i];
                worst = i;
            }
    }
    free(x);
    free(y);
    free(z);
    free(rows);
    if (check->freivalds > 1)
        snprintf(check->message, sizeof check->message,
                 "row %ld of C times a random vector is off by %.3g times the bound", worst, check->freivalds);
    return check->freivalds <= 1;
}

static bool sample(const struct gemm *g, struct check *check, const struct norms *n, long i, long j) {
    long double right = 0;
    for (long p = 0; p < g->k; p++)
        right += (long double)gemm_get_a(g, i, p) * gemm_get_b(g, p, j);
    right *= g->alpha;
    double size = fabs(g->alpha) * sqrt(n->a[i] * n->b[j]);
    if (check->c0) {
        const double old = gemm_get_c(check->c0, g, i, j);
        right += (long double)g->beta * old;
        size += fabs(g->beta * old);
    }
    const double got = gemm_get_c(g->c, g, i, j);
    const double off = over(got, right, check->exact ? 0 : 8 * unit(g) * sqrt((double)g->k + 2) * size);
    const double plain = size > 0 ? (double)fabsl(got - right) / (unit(g) * size) : 0;
    check->precision += plain * plain;
    if (off > check->sample)
        check->sample = off;
    if (off > 1)
        snprintf(check->message, sizeof check->message, "element (%ld, %ld) is %.9g, but should be %.9Lg", i, j, got,
                 right);
    return off <= 1;
}

static bool samples(const struct gemm *g, struct check *check, const struct norms *n) {
    struct app_random random;
    bool good = true;
    app_seed(&random, check->seed + 1);
    if (!g->m || !g->n)
        return true;
    for (long s = 0; s < check->samples && good; s++) {
        const long corner = s < 4 ? s : -1;
        const long i = corner >= 0 ? (corner & 1) * (g->m - 1) : (long)app_below(&random, (uint32_t)g->m);
        const long j = corner >= 0 ? (corner >> 1) * (g->n - 1) : (long)app_below(&random, (uint32_t)g->n);
        good = sample(g, check, n, i, j);
    }
    check->precision = sqrt(check->precision / (double)check->samples);
    if (good && check->zero_mean && check->samples >= 32 && check->precision > 8) {
        snprintf(check->message, sizeof check->message,
                 "elements are off by %.3g roundings on average: not computed in %s precision", check->precision,
                 g->is_double ? "double" : "single");
        good = false;
    }
    return good;
}

bool check_product(const struct gemm *g, struct check *check) {
    struct norms n = norms(g);
    const bool good = freivalds(g, check, &n) && samples(g, check, &n);
    norms_free(&n);
    return good;
}

bool check_against(const struct gemm *g, const void *other, struct check *check) {
    struct norms n = norms(g);
    bool good = true;
    for (long i = 0; i < g->m && good; i++)
        for (long j = 0; j < g->n && good; j++) {
            double size = fabs(g->alpha) * sqrt(n.a[i] * n.b[j]);
            size += check->c0 ? fabs(g->beta * gemm_get_c(check->c0, g, i, j)) : 0;
            const double ours = gemm_get_c(g->c, g, i, j), theirs = gemm_get_c(other, g, i, j);
            good = over(ours, theirs, check->exact ? 0 : 16 * unit(g) * sqrt((double)g->k + 2) * size) <= 1;
            if (!good)
                snprintf(check->message, sizeof check->message, "element (%ld, %ld) is %.9g, in the other result %.9g",
                         i, j, ours, theirs);
        }
    norms_free(&n);
    return good;
}
