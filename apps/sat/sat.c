/* SPDX-License-Identifier: Apache-2.0 */
/* sat: summed-area table of a picture or of a seeded matrix, box sums and box filter. See
 * README.md. */
#include "app.h"
#include "matrix.h"
#include "nest.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct sat {
    struct app app;
    const char *type, *out, *query;
    long seed, blur;
    bool resident;

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
#pragma omp target exit data map(release : values[0 : value_bytes]) \
    map(from : sums[0 : sum_bytes]) device(device)
    }
}

static double measure(struct sat *sat) {
    struct matrix *x = &sat->matrix;
    double *times = app_alloc((size_t)sat->app.repeat, sizeof *times);
    int device = APP_DEVICE_AUTO;
    if (sat->resident) { /* where it runs is known after a run that is not timed */
        sat->kind->heddle(x->n, x->m, x->values, x->sums);
        device = app_device();
        keep_on_device(x, device);
    }
    for (long k = 0; k < sat->app.repeat; k++) {
        double start = app_seconds();
        sat->kind->heddle(x->n, x->m, x->values, x->sums);
        times[k] = app_seconds() - start;
        app_progress(&sat->app, "run %ld of %ld", k + 1, sat->app.repeat);
    }
    bring_back(x, device);
    app_progress_end(&sat->app);
    double seconds = app_median(times, (int)sat->app.repeat);
    free(times);
    return seconds;
}

/* Integers, and any type in the loop's order, agree in all bits. A scan of floating point numbers adds them in another
 * order: no sum has more than n + m + 32 roundings on its way (see the README). */
static enum app_verdict check(const struct sat *sat) {
    const struct matrix *x = &sat->matrix;
    if ((x->type == TABLE_FLOAT32 || x->type == TABLE_FLOAT64) && app_ran("scan")) {
        const double error = matrix_error(x), bound = (double)x->n + x->m + 32;
        if (!(error <= bound))
            app_fail(&sat->app, "check: a sum is off by %.3g units of rounding, more than the bound %.0f", error,
                     bound);
        return error <= bound ? APP_CHECK_OK : APP_CHECK_BAD;
    }
    const size_t bytes = matrix_sum_bytes(x);
    void *reference = app_alloc(1, bytes);
    sat->kind->serial(x->n, x->m, x->values, reference);
    bool same = !memcmp(reference, x->sums, bytes);
    free(reference);
    if (!same)
        app_fail(&sat->app, "check: the table differs from the serial program's");
    return same ? APP_CHECK_OK : APP_CHECK_BAD;
}

static int write_out(const struct sat *sat) {
    const struct matrix *x = &sat->matrix;
    char message[512];
    bool good;
    if (!sat->out)
        return -1;
    if (image_has_suffix(sat->out, ".bin")) {
        good = table_write(sat->out, x->type, 1, (size_t)x->n + 1, (size_t)x->m + 1, x->sums, message, sizeof message);
    } else {
        struct image image;
        matrix_picture(x, sat->blur, &image);
        good = image_write(&image, sat->out, message, sizeof message);
        image_free(&image);
    }
    return good ? -1 : app_fail(&sat->app, "%s", message);
}

/* Boxes separated by colons. Without a matrix (n = 0) only the form is looked at. */
static int answer(const struct sat *sat, const struct matrix *x) {
    const char *at = sat->query;
    if (x->n)
        puts("#x0\ty0\tx1\ty1\tsum\tmean");
    for (;;) {
        struct box b;
        int used = 0;
        if (sscanf(at, "%9d,%9d,%9d,%9d%n", &b.x0, &b.y0, &b.x1, &b.y1, &used) != 4 || (at[used] && at[used] != ':'))
            return app_fail(&sat->app, "--query=%s: expected x0,y0,x1,y1, more after a colon", sat->query);
        if (x->n) {
            if (b.x0 < 0 || b.y0 < 0 || b.x0 > b.x1 || b.y0 > b.y1 || b.x1 >= x->m || b.y1 >= x->n)
                return app_fail(&sat->app, "--query: box %d,%d,%d,%d is not inside 0,0,%d,%d", b.x0, b.y0, b.x1, b.y1,
                                x->m - 1, x->n - 1);
            double sum = matrix_box(x, b);
            printf("%d\t%d\t%d\t%d\t%.17g\t%.9g\n", b.x0, b.y0, b.x1, b.y1, sum,
                   sum / ((double)(b.x1 - b.x0 + 1) * (b.y1 - b.y0 + 1)));
        }
        if (!at[used])
            return -1;
        at += used + 1;
    }
}

static int run(struct sat *sat) {
    const struct matrix *x = &sat->matrix;
    double seconds = measure(sat);
    struct app_result result = {.rows = x->n,
                                .cols = x->m,
                                .seconds = seconds,
                                .work = (double)x->n * x->m,
                                .unit = "Gcells/s",
                                .checksum = app_hash(APP_HASH_START, x->sums, matrix_sum_bytes(x)),
                                .check = sat->app.check ? check(sat) : APP_NOT_CHECKED};
    int status = write_out(sat);
    if (status < 0 && sat->query)
        status = answer(sat, x);
    if (status >= 0)
        return status;
    if (sat->query && !sat->app.check && !sat->app.progress)
        return fflush(stdout) ? app_fail(&sat->app, "cannot write the results") : APP_OK;
    return app_report(&sat->app, &result, sat->query ? stderr : stdout, "total", matrix_sum(x, x->n, x->m));
}

static int allocate(struct sat *sat, long n, long m) {
    const double size = (double)table_element_size(sat->kind->type);
    double bytes = (double)n * (double)m * size;
    bytes += ((double)n + 1) * ((double)m + 1) * size * (sat->app.check ? 2 : 1);
    int status = app_memory_fits(&sat->app, bytes, "a table of this size");
    if (status < 0 && !matrix_alloc(&sat->matrix, sat->kind->type, (int)n, (int)m))
        status = app_fail(&sat->app, "%ld x %ld: out of memory", n, m);
    return status;
}

static int prepare_seeded(struct sat *sat) {
    const double cells = (double)sat->app.rows * (double)sat->app.cols;
    double white = sat->kind->most ? sat->kind->most / cells : 255;
    if (white < 1)
        return app_fail(&sat->app, "%ld x %ld: sums may exceed 32 bits; use --type=int64", sat->app.rows,
                        sat->app.cols);
    int status = allocate(sat, sat->app.rows, sat->app.cols);
    if (status < 0)
        matrix_fill(&sat->matrix, (uint64_t)sat->seed, white < 255 ? (int)white : 255);
    return status;
}

static int prepare_picture(struct sat *sat) {
    struct image image;
    char message[512];
    if (sat->app.sized)
        return app_fail(&sat->app, "--size is for runs without a picture");
    if (!image_read(&image, sat->app.input[0], message, sizeof message))
        return app_fail(&sat->app, "%s", message);
    double sum = 0;
    for (size_t k = 0; k < (size_t)image.width * (size_t)image.height; k++)
        sum += image.pixels[k];
    int status = -1;
    if (sat->kind->most && sum > sat->kind->most)
        status = app_fail(&sat->app, "%s: the sum of all pixels, %.0f, exceeds 32 bits; use --type=int64",
                          sat->app.input[0], sum);
    if (status < 0)
        status = allocate(sat, image.height, image.width);
    if (status < 0)
        matrix_fill_from(&sat->matrix, &image);
    image_free(&image);
    return status;
}

static int configure(struct sat *sat) {
    for (sat->kind = kinds; sat->kind->name && strcmp(sat->kind->name, sat->type);)
        sat->kind++;
    if (!sat->kind->name)
        return app_fail(&sat->app, "--type=%s: expected int32, int64, float or double", sat->type);
    const bool picture = sat->out && (image_has_suffix(sat->out, ".png") || image_has_suffix(sat->out, ".pgm"));
    if (sat->out && !picture && !image_has_suffix(sat->out, ".bin"))
        return app_fail(&sat->app, "--out=%s: the name must end in .png, .pgm or .bin", sat->out);
    if (sat->blur >= 0 && !picture)
        return app_fail(&sat->app, "--blur needs --out=FILE.png or .pgm");
    if (sat->query && sat->app.json)
        return app_fail(&sat->app, "--query prints a list; leave out --json");
    return sat->query ? answer(sat, &(struct matrix){.n = 0}) : -1;
}

int main(int argc, char **argv) {
    struct sat sat = {.type = "int32",
                      .seed = 1,
                      .blur = -1,
                      .app = {.name = "sat",
                              .summary = "summed-area table, box sums, box filter",
                              .inputs = "[PICTURE]   (PGM or PNG, - is stdin)",
                              .inputs_max = 1,
                              .two_sizes = true,
                              .rows = 4096,
                              .cols = 4096}};
    const struct app_option options[] = {
        {"type", "T", "int32, int64, float or double (int32)", APP_TEXT, &sat.type, 0},
        {"query", "BOXES", "sums over x0,y0,x1,y1, ends included; more after a colon", APP_TEXT, &sat.query, 0},
        {"out", "FILE", "the table: .bin, or scaled to grey .png, .pgm", APP_OUTPUT, &sat.out, 0},
        {"blur", "R", "--out gets the means over 2R+1 by 2R+1 pixels", APP_LONG, &sat.blur, 0},
        {"resident", NULL, "time without transfers: the data stays on the device", APP_FLAG, &sat.resident, 0},
        {"seed", "N", "of the random matrix (1)", APP_LONG, &sat.seed, 0},
        {0}};
    sat.app.options = options;
    int status = app_parse(&sat.app, argc, argv);
    if (status < 0)
        status = configure(&sat);
    if (status < 0)
        status = sat.app.input_count ? prepare_picture(&sat) : prepare_seeded(&sat);
    if (status < 0)
        status = run(&sat);
    matrix_free(&sat.matrix);
    return status;
}
