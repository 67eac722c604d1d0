/* SPDX-License-Identifier: Apache-2.0 */
/* sat: summed-area table of a picture or of a seeded matrix, box sums and box filter. See
 * README.md. */
#include "grid.h"
#include "matrix.h"
#include "nest.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct sat {
    struct grid grid;
    const char *type;
    long random, blur; /* random: --seed */
    bool resident;
    int device; /* that holds the data */

    const struct kind *kind;
    struct matrix matrix;
};

/* 0: limited by nothing. */
static const struct kind {
    const char *name;
    enum table_type type;
    double most; /* largest sum */
    sat_sum *heddle, *serial;
} kinds[] = {{"int32", TABLE_INT32, INT32_MAX, sat_int32_heddle, sat_int32_serial},
             {"int64", TABLE_INT64, 0, sat_int64_heddle, sat_int64_serial},
             {"float", TABLE_FLOAT32, 0, sat_float_heddle, sat_float_serial},
             {"double", TABLE_FLOAT64, 0, sat_double_heddle, sat_double_serial},
             {NULL, TABLE_TYPES, 0, NULL, NULL}};

/* --resident: the nest finds its arrays on the device, the table comes back after the last run. */
static void keep_on_device(const struct matrix *x, int device) {
    const char *values = x->values, *sums = x->sums;
    const size_t value_bytes = matrix_value_bytes(x), sum_bytes = matrix_sum_bytes(x);
    (void)values, (void)sums, (void)value_bytes, (void)sum_bytes;
    if (device >= 0) {
#pragma omp target enter data map(to : values[0 : value_bytes], sums[0 : sum_bytes]) device(device)
    }
}

static void bring_back(const struct matrix *x, int device) {
    const char *values = x->values, *sums = x->sums;
    const size_t value_bytes = matrix_value_bytes(x), sum_bytes = matrix_sum_bytes(x);
    (void)values, (void)sums, (void)value_bytes, (void)sum_bytes;
    if (device >= 0) {
#pragma omp target exit data map(release : values[0 : value_bytes]) map(from : sums[0 : sum_bytes]) device(device)
    }
}

static void begin(struct grid *g) {
    struct sat *sat = (struct sat *)g;
    struct matrix *x = &sat->matrix;
    if (sat->resident) { /* where it runs is known after a run that is not timed */
        sat->kind->heddle(x->n, x->m, x->values, x->sums);
        keep_on_device(x, sat->device = app_device());
    }
}

static void end(struct grid *g) {
    const struct sat *sat = (const struct sat *)g;
    bring_back(&sat->matrix, sat->device);
}

static double run(struct grid *g, bool last) {
    struct sat *sat = (struct sat *)g;
    struct matrix *x = &sat->matrix;
    const double start = app_seconds();
    (void)last;
    sat->kind->heddle(x->n, x->m, x->values, x->sums);
    return app_seconds() - start;
}

static void describe(struct grid *g, struct app_result *result) {
    const struct matrix *x = &((const struct sat *)g)->matrix;
    result->rows = x->n;
    result->cols = x->m;
    result->work = (double)x->n * x->m;
    result->checksum = app_hash(APP_HASH_START, x->sums, matrix_sum_bytes(x));
}

/* Integers, and any type in the loop's order, agree in all bits. A scan of floating point numbers adds them in another
 * order: no sum has more than n + m + 32 roundings on its way (see the README). */
static enum app_verdict check(struct grid *g) {
    const struct sat *sat = (const struct sat *)g;
    const struct matrix *x = &sat->matrix;
    if ((x->type == TABLE_FLOAT32 || x->type == TABLE_FLOAT64) && app_ran("scan")) {
        const double error = matrix_error(x), bound = (double)x->n + x->m + 32;
        if (!(error <= bound))
            app_fail(&g->app, "check: a sum is off by %.3g units of rounding, more than the bound %.0f", error, bound);
        return error <= bound ? APP_CHECK_OK : APP_CHECK_BAD;
    }
    const size_t bytes = matrix_sum_bytes(x);
    void *reference = app_alloc(1, bytes);
    sat->kind->serial(x->n, x->m, x->values, reference);
    bool same = !memcmp(reference, x->sums, bytes);
    free(reference);
    if (!same)
        app_fail(&g->app, "check: the table differs from the serial program's");
    return same ? APP_CHECK_OK : APP_CHECK_BAD;
}

static int write_out(const struct sat *sat) {
    const struct matrix *x = &sat->matrix;
    char message[512];
    bool good;
    if (!sat->grid.out)
        return -1;
    if (image_has_suffix(sat->grid.out, ".bin")) {
        good = table_write(sat->grid.out, x->type, 1, (size_t)x->n + 1, (size_t)x->m + 1, x->sums, message,
                           sizeof message);
    } else {
        struct image image;
        matrix_picture(x, sat->blur, &image);
        good = image_write(&image, sat->grid.out, message, sizeof message);
        image_free(&image);
    }
    return good ? -1 : app_fail(&sat->grid.app, "%s", message);
}

static void print_box(struct grid *g, struct box b) {
    const double sum = matrix_box(&((const struct sat *)g)->matrix, b);
    printf("%d\t%d\t%d\t%d\t%.17g\t%.9g\n", b.x0, b.y0, b.x1, b.y1, sum,
           sum / ((double)(b.x1 - b.x0 + 1) * (b.y1 - b.y0 + 1)));
}

static int finish(struct grid *g, struct app_result *result) {
    const struct sat *sat = (const struct sat *)g;
    const struct matrix *x = &sat->matrix;
    int status = write_out(sat);
    if (status < 0 && g->query) {
        puts("#x0\ty0\tx1\ty1\tsum\tmean");
        status = grid_boxes(g, x->n, x->m, print_box);
    }
    return status >= 0 ? status : grid_report(g, result, "total", matrix_sum(x, x->n, x->m));
}

static int allocate(struct sat *sat, long n, long m) {
    const double size = (double)table_element_size(sat->kind->type);
    double bytes = (double)n * (double)m * size;
    bytes += ((double)n + 1) * ((double)m + 1) * size * (sat->grid.app.check ? 2 : 1);
    int status = app_memory_fits(&sat->grid.app, bytes, "a table of this size");
    if (status < 0 && !matrix_alloc(&sat->matrix, sat->kind->type, (int)n, (int)m))
        status = app_fail(&sat->grid.app, "%ld x %ld: out of memory", n, m);
    return status;
}

static int seed(struct grid *g) {
    struct sat *sat = (struct sat *)g;
    const long n = g->app.rows, m = g->app.cols;
    const double white = sat->kind->most ? sat->kind->most / ((double)n * (double)m) : 255;
    if (white < 1)
        return app_fail(&g->app, "%ld x %ld: sums may exceed 32 bits; use --type=int64", n, m);
    const int status = allocate(sat, n, m);
    if (status < 0)
        matrix_fill(&sat->matrix, (uint64_t)sat->random, white < 255 ? (int)white : 255);
    return status;
}

static int take(struct grid *g, const struct image *image) {
    struct sat *sat = (struct sat *)g;
    double sum = 0;
    for (size_t k = 0; k < (size_t)image->width * (size_t)image->height; k++)
        sum += image->pixels[k];
    if (sat->kind->most && sum > sat->kind->most)
        return app_fail(&g->app, "%s: the sum of all pixels, %.0f, exceeds 32 bits; use --type=int64", g->app.input[0],
                        sum);
    const int status = allocate(sat, image->height, image->width);
    if (status < 0)
        matrix_fill_from(&sat->matrix, image);
    return status;
}

static int configure(struct grid *g) {
    struct sat *sat = (struct sat *)g;
    for (sat->kind = kinds; sat->kind->name && strcmp(sat->kind->name, sat->type) != 0;)
        sat->kind++;
    if (!sat->kind->name)
        return app_fail(&g->app, "--type=%s: expected int32, int64, float or double", sat->type);
    if (sat->blur >= 0 && !grid_out_is_picture(g))
        return app_fail(&g->app, "--blur needs --out=FILE.png or .pgm");
    return -1;
}

static const struct grid methods = {.pictures = true,
                                    .configure = configure,
                                    .seed = seed,
                                    .take = take,
                                    .begin = begin,
                                    .run = run,
                                    .end = end,
                                    .describe = describe,
                                    .check = check,
                                    .finish = finish};

int main(int argc, char **argv) {
    struct sat sat = {.type = "int32", .random = 1, .blur = -1, .device = APP_DEVICE_AUTO};
    sat.grid = methods;
    sat.grid.app =
        (struct app){.name = "sat", .summary = "summed-area table, box sums, box filter", .rows = 4096, .cols = 4096};
    const struct app_option options[] = {
        {"type", "T", "int32, int64, float or double (int32)", APP_TEXT, &sat.type, 0},
        {"query", "BOXES", "sums over x0,y0,x1,y1, ends included; more after a colon", APP_TEXT, &sat.grid.query, 0},
        {"out", "FILE", "the table: .bin, or scaled to grey .png, .pgm", APP_OUTPUT, &sat.grid.out, 0},
        {"blur", "R", "--out gets the means over 2R+1 by 2R+1 pixels", APP_LONG, &sat.blur, 0},
        {"resident", NULL, "time without transfers: the data stays on the device", APP_FLAG, &sat.resident, 0},
        {"seed", "N", "of the random matrix (1)", APP_LONG, &sat.random, 0},
        {0}};
    sat.grid.app.options = options;
    const int status = grid_main(&sat.grid, argc, argv);
    matrix_free(&sat.matrix);
    return status;
}
