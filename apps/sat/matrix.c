/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double get(enum table_type type, const void *elements, size_t k) {
    switch (type) {
    case TABLE_INT32:
        return ((const int32_t *)elements)[k];
    case TABLE_INT64:
        return (double)((const int64_t *)elements)[k];
    case TABLE_FLOAT32:
        return ((const float *)elements)[k];
    default:
        return ((const double *)elements)[k];
    }
}

static void set(enum table_type type, void *elements, size_t k, double value) {
    switch (type) {
    case TABLE_INT32:
        ((int32_t *)elements)[k] = (int32_t)value;
        break;
    case TABLE_INT64:
        ((int64_t *)elements)[k] = (int64_t)value;
        break;
    case TABLE_FLOAT32:
        ((float *)elements)[k] = (float)value;
        break;
    default:
        ((double *)elements)[k] = value;
    }
}

size_t matrix_value_bytes(const struct matrix *x) { return (size_t)x->n * (size_t)x->m * table_element_size(x->type); }

size_t matrix_sum_bytes(const struct matrix *x) {
    return ((size_t)x->n + 1) * ((size_t)x->m + 1) * table_element_size(x->type);
}

bool matrix_alloc(struct matrix *x, enum table_type type, int n, int m) {
    *x = (struct matrix){.type = type, .n = n, .m = m};
    x->values = calloc(1, matrix_value_bytes(x));
    x->sums = calloc(1, matrix_sum_bytes(x));
    return x->values && x->sums;
}

void matrix_free(struct matrix *x) {
    free(x->values);
    free(x->sums);
    x->values = x->sums = NULL;
}

void matrix_fill(struct matrix *x, uint64_t seed, int white) {
    const size_t count = (size_t)x->n * (size_t)x->m;
    const bool real = x->type == TABLE_FLOAT32 || x->type == TABLE_FLOAT64;
    struct app_random random;
    app_seed(&random, seed);
    x->white = real ? 1 : white;
    for (size_t k = 0; k < count; k++)
        set(x->type, x->values, k, real ? app_unit(&random) : app_below(&random, (uint32_t)white + 1));
}

void matrix_fill_from(struct matrix *x, const struct image *image) {
    const size_t count = (size_t)x->n * (size_t)x->m;
    x->white = image->most;
    for (size_t k = 0; k < count; k++)
        set(x->type, x->values, k, image->pixels[k]);
}

double matrix_value(const struct matrix *x, int i, int j) {
    return get(x->type, x->values, (size_t)i * (size_t)x->m + (size_t)j);
}

double matrix_sum(const struct matrix *x, int i, int j) {
    return get(x->type, x->sums, (size_t)i * ((size_t)x->m + 1) + (size_t)j);
}

/* NaN counts as infinitely wrong. */
static double relative(long double got, long double right) {
    const long double off = got > right ? got - right : right - got;
    return off == 0 ? 0 : off <= right ? (double)(off / right) : HUGE_VAL;
}

double matrix_error(const struct matrix *x) {
    const double unit = x->type == TABLE_FLOAT32 ? 0x1p-24 : 0x1p-53;
    long double *above = app_alloc((size_t)x->m, sizeof *above);
    double worst = 0;
    memset(above, 0, (size_t)x->m * sizeof *above);
    for (int i = 0; i < x->n; i++) {
        long double row = 0;
        for (int j = 0; j < x->m; j++) {
            above[j] += row += matrix_value(x, i, j);
            worst = fmax(worst, relative(matrix_sum(x, i + 1, j + 1), above[j]));
        }
    }
    free(above);
    return worst / unit;
}

double matrix_box(const struct matrix *x, struct box b) {
    return matrix_sum(x, b.y1 + 1, b.x1 + 1) - matrix_sum(x, b.y0, b.x1 + 1) - matrix_sum(x, b.y1 + 1, b.x0) +
           matrix_sum(x, b.y0, b.x0);
}

static int clip(long value, int last) { return value < 0 ? 0 : value > last ? last : (int)value; }

/* Mean over the window around pixel (i, j). */
static double mean(const struct matrix *x, int i, int j, long radius) {
    struct box b = {clip(j - radius, x->m - 1), clip(i - radius, x->n - 1), clip(j + radius, x->m - 1),
                    clip(i + radius, x->n - 1)};
    return matrix_box(x, b) / ((double)(b.x1 - b.x0 + 1) * (b.y1 - b.y0 + 1));
}

static uint16_t grey(double value, int most) {
    value = value * most + 0.5;
    return value >= most ? (uint16_t)most : value >= 0 ? (uint16_t)value : 0; /* NaN: black */
}

void matrix_picture(const struct matrix *x, long radius, struct image *image) {
    const double last = matrix_sum(x, x->n, x->m), white = radius >= 0 ? x->white : last;
    const int most = radius < 0 ? 65535 : x->white > 1 ? (int)x->white : 255;
    const double scale = white > 0 ? 1 / white : 0;
    image_alloc(image, x->m, x->n, most);
    for (int i = 0; i < x->n; i++)
        for (int j = 0; j < x->m; j++)
            image->pixels[(size_t)i * (size_t)x->m + (size_t)j] =
                grey((radius >= 0 ? mean(x, i, j, radius) : matrix_sum(x, i + 1, j + 1)) * scale, most);
}
