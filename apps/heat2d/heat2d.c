/* SPDX-License-Identifier: Apache-2.0 */
/* heat2d: temperature of a plate whose edges are kept hot or cold, by in-place sweeps. See
 * README.md. */
#include "app.h"
#include "create.h"
#include "nest.h"
#include "plate.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct heat {
    struct app app;
    const char *precision, *out, *residuals;
    long seed;
    struct plate plate;
    struct sweeps limits;

    struct field start, field, reference;
    FILE *list; /* of residuals, NULL: none */
};

static void tell(void *context, long sweep, double change) {
    struct heat *heat = context;
    if (heat->list)
        fprintf(heat->list, "%ld\t%.9g\n", sweep, change);
    app_progress(&heat->app, "sweep %ld, change %.3g", sweep, change);
}

static double solve(struct heat *heat, bool serial, struct field *field, struct sweeps *sweeps) {
    field_copy(field, &heat->start);
    const double start = app_seconds();
    if (field->is_double)
        (serial ? heat_solve_double_serial : heat_solve_double_heddle)(field, sweeps);
    else
        (serial ? heat_solve_float_serial : heat_solve_float_heddle)(field, sweeps);
    return app_seconds() - start;
}

/* One sweep that is not timed: where it ran, the data will be kept. */
static int find_device(struct heat *heat) {
    struct sweeps one = {.most = 1, .every = 2, .device = APP_DEVICE_AUTO};
    solve(heat, false, &heat->field, &one);
    return app_device();
}

/* Every point is the result of the same operations in the same order, so all bits must agree. */
static enum app_verdict check(struct heat *heat, const struct sweeps *done) {
    struct sweeps sweeps = heat->limits;
    solve(heat, true, &heat->reference, &sweeps);
    double apart = field_difference(&heat->field, &heat->reference);
    bool same_change = sweeps.change == done->change || sweeps.change != sweeps.change;
    if (apart == 0 && sweeps.done == done->done && same_change)
        return APP_CHECK_OK;
    app_fail(&heat->app, "check: %ld sweeps, change %.9g; serial: %ld, %.9g; largest difference %.3g", done->done,
             done->change, sweeps.done, sweeps.change, apart);
    return APP_CHECK_BAD;
}

static int finish(struct heat *heat, double seconds, const struct sweeps *done) {
    const struct field *field = &heat->field;
    char message[512];
    struct app_result result = {.rows = field->n,
                                .cols = field->m,
                                .seconds = seconds,
                                .work = (double)field->n * field->m * (double)done->done,
                                .unit = "Gcells/s",
                                .checksum = app_hash(APP_HASH_START, field->cells, field_bytes(field)),
                                .check = heat->app.check ? check(heat, done) : APP_NOT_CHECKED};
    if (heat->out && !field_write(field, heat->out, message, sizeof message))
        return app_fail(&heat->app, "%s", message);
    const struct app_value values[] = {{"sweeps", (double)done->done},
                                       {"change", done->change},
                                       {"centre", field_get(field, (field->n + 1) / 2, (field->m + 1) / 2)},
                                       {NULL, 0}};
    return app_report_values(&heat->app, &result, stdout, values);
}

static int run(struct heat *heat) {
    double *times = app_alloc((size_t)heat->app.repeat, sizeof *times);
    struct sweeps sweeps = heat->limits;
    heat->limits.device = find_device(heat);
    for (long k = 0; k < heat->app.repeat; k++) {
        sweeps = heat->limits;
        if (k + 1 == heat->app.repeat) { /* the last one reports, so that a list has one run */
            sweeps.tell = tell;
            sweeps.context = heat;
        }
        times[k] = solve(heat, false, &heat->field, &sweeps);
    }
    app_progress_end(&heat->app);
    double seconds = app_median(times, (int)heat->app.repeat);
    free(times);
    return finish(heat, seconds, &sweeps);
}

/* Three fields at most: the start, the result and, for --check, the serial result. */
static int allocate(struct heat *heat, long n, long m) {
    const bool is_double = !strcmp(heat->precision, "double");
    const double bytes = ((double)n + 2) * ((double)m + 2) * (is_double ? 8 : 4);
    int status = app_memory_fits(&heat->app, bytes * (heat->app.check ? 3 : 2), "a plate of this size");
    if (status >= 0)
        return status;
    if (n > INT_MAX - 2 || m > INT_MAX - 2 || !field_alloc(&heat->start, (int)n, (int)m, is_double) ||
        !field_alloc(&heat->field, (int)n, (int)m, is_double) ||
        (heat->app.check && !field_alloc(&heat->reference, (int)n, (int)m, is_double)))
        return app_fail(&heat->app, "%ld x %ld: out of memory", n, m);
    return -1;
}

static int prepare(struct heat *heat) {
    struct image image;
    char message[512];
    int status;
    if (!heat->app.input_count) {
        if ((status = allocate(heat, heat->app.rows, heat->app.cols)) < 0)
            plate_fill(&heat->plate, &heat->start);
        return status;
    }
    if (heat->app.sized || heat->plate.uniform)
        return app_fail(&heat->app, "--size and --start are for runs without a picture");
    if (!image_read(&image, heat->app.input[0], message, sizeof message))
        return app_fail(&heat->app, "%s", message);
    if ((status = allocate(heat, image.height, image.width)) < 0)
        plate_fill_from(&heat->plate, &image, &heat->start);
    image_free(&image);
    return status;
}

/* Sums of four must not overflow a float. */
static int check_temperatures(const struct heat *heat) {
    const struct plate *p = &heat->plate;
    const double all[] = {p->top, p->bottom, p->left, p->right, p->uniform ? p->start : 0};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] > 1e30 || all[k] < -1e30)
            return app_fail(&heat->app, "a temperature of %g: must lie within 1e30 of 0", all[k]);
    return -1;
}

static int configure(struct heat *heat, const char *start) {
    char *end;
    int status;
    if (strcmp(heat->precision, "float") && strcmp(heat->precision, "double"))
        return app_fail(&heat->app, "--precision=%s: expected float or double", heat->precision);
    if (heat->limits.tolerance < 0)
        return app_fail(&heat->app, "--tolerance=%g: must not be negative", heat->limits.tolerance);
    if (start) {
        heat->plate.start = strtod(start, &end);
        heat->plate.uniform = true;
        if (end == start || *end || heat->plate.start - heat->plate.start != 0)
            return app_fail(&heat->app, "--start=%s: not a number", start);
    }
    if ((status = check_temperatures(heat)) >= 0)
        return status;
    if (heat->out && !image_has_suffix(heat->out, ".png") && !image_has_suffix(heat->out, ".pgm") &&
        !image_has_suffix(heat->out, ".bin"))
        return app_fail(&heat->app, "--out=%s: the name must end in .png, .pgm or .bin", heat->out);
    heat->plate.seed = (uint64_t)heat->seed;
    if (heat->residuals && !(heat->list = app_create(heat->residuals)))
        return app_fail(&heat->app, "%s: %s", heat->residuals, strerror(errno));
    return -1;
}

static int close_list(struct heat *heat, int status) {
    if (!heat->list || app_finish(heat->list, status == APP_OK || status == APP_CHECK_FAILED))
        return status;
    return status == APP_OK ? app_fail(&heat->app, "%s: cannot write: %s", heat->residuals, strerror(errno)) : status;
}

int main(int argc, char **argv) {
    const char *start = NULL;
    struct heat heat = {.precision = "float",
                        .seed = 1,
                        .plate = {.top = 100},
                        .limits = {.most = 100, .every = 10},
                        .app = {.name = "heat2d",
                                .summary = "temperature of a plate by in-place sweeps",
                                .inputs = "[PICTURE]   (PGM or PNG, - is stdin)",
                                .inputs_max = 1,
                                .two_sizes = true,
                                .rows = 2048,
                                .cols = 2048}};
    const struct app_option options[] = {
        {"sweeps", "N", "at most N sweeps (100)", APP_LONG, &heat.limits.most, 1},
        {"tolerance", "X", "stop where no point changes by more (0)", APP_REAL, &heat.limits.tolerance, 0},
        {"every", "K", "look at the change in every K-th sweep (10)", APP_LONG, &heat.limits.every, 1},
        {"precision", "P", "float or double (float)", APP_TEXT, &heat.precision, 0},
        {"top", "T", "temperature of the upper edge (100)", APP_REAL, &heat.plate.top, 0},
        {"bottom", "T", "of the lower edge (0)", APP_REAL, &heat.plate.bottom, 0},
        {"left", "T", "of the left edge (0)", APP_REAL, &heat.plate.left, 0},
        {"right", "T", "of the right edge (0)", APP_REAL, &heat.plate.right, 0},
        {"start", "T", "of the inside (random between the edges')", APP_TEXT, &start, 0},
        {"seed", "N", "of the random inside (1)", APP_LONG, &heat.seed, 0},
        {"residuals", "FILE", "list of sweep and change, TSV", APP_OUTPUT, &heat.residuals, 0},
        {"out", "FILE", "the plate: .png, .pgm or .bin", APP_OUTPUT, &heat.out, 0},
        {0}};
    heat.app.options = options;
    int status = app_parse(&heat.app, argc, argv);
    if (status < 0)
        status = configure(&heat, start);
    if (status < 0)
        status = prepare(&heat);
    if (status < 0)
        status = run(&heat);
    status = close_list(&heat, status);
    field_free(&heat.start);
    field_free(&heat.field);
    field_free(&heat.reference);
    return status;
}
