/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep.h"
#include "create.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static void tell(void *context, long sweep, double change) {
    struct sweep *s = context;
    if (s->list)
        fprintf(s->list, "%ld\t%.9g\n", sweep, change);
    app_progress(&s->grid.app, "sweep %ld, change %.3g", sweep, change);
}

static double solve(struct sweep *s, bool serial, struct field *field, struct sweeps *sweeps) {
    field_copy(field, &s->start);
    const double start = app_seconds();
    s->solve(s, serial, field, sweeps);
    return app_seconds() - start;
}

/* One sweep that is not timed: where it ran, the data will be kept. */
static void begin(struct grid *g) {
    struct sweep *s = (struct sweep *)g;
    struct sweeps one = {.most = 1, .every = 2, .device = APP_DEVICE_AUTO};
    solve(s, false, &s->result, &one);
    s->limits.device = app_device();
}

static double run(struct grid *g, bool last) {
    struct sweep *s = (struct sweep *)g;
    s->done = s->limits;
    if (last) { /* so that a list has one run */
        s->done.tell = tell;
        s->done.context = s;
    }
    return solve(s, false, &s->result, &s->done);
}

/* Every point is the result of the same operations in the same order, so all bits must agree. */
static enum app_verdict check(struct grid *g) {
    struct sweep *s = (struct sweep *)g;
    struct sweeps serial = s->limits;
    solve(s, true, &s->reference, &serial);
    const double apart = field_difference(&s->result, &s->reference);
    const bool same_change = serial.change == s->done.change || serial.change != serial.change;
    if (apart == 0 && serial.done == s->done.done && same_change)
        return APP_CHECK_OK;
    app_fail(&g->app, "check: %ld sweeps, change %.9g; serial: %ld, %.9g; largest difference %.3g", s->done.done,
             s->done.change, serial.done, serial.change, apart);
    return APP_CHECK_BAD;
}

static void describe(struct grid *g, struct app_result *result) {
    const struct sweep *s = (const struct sweep *)g;
    const struct field *field = &s->result;
    result->rows = field->n;
    result->cols = field->m;
    result->work = (double)field->n * field->m * (double)s->done.done;
    result->checksum = app_hash(APP_HASH_START, field->cells, field_bytes(field));
}

static int finish(struct grid *g, struct app_result *result) {
    struct sweep *s = (struct sweep *)g;
    char message[512];
    if (g->out && !field_write(&s->result, g->out, message, sizeof message))
        return app_fail(&g->app, "%s", message);
    struct app_value values[8] = {{"sweeps", (double)s->done.done}, {"change", s->done.change}};
    int n = 2;
    for (const struct app_value *more = s->values(s); more->key; more++)
        values[n++] = *more;
    return app_report_values(&g->app, result, stdout, values);
}

int sweep_allocate(struct sweep *s, long n, long m, bool extra) {
    const struct app *app = &s->grid.app;
    const bool is_double = !strcmp(s->precision, "double");
    const double bytes = ((double)n + 2) * ((double)m + 2) * (is_double ? 8 : 4);
    const int status = app_memory_fits(app, bytes * (2 + extra + app->check), s->what);
    if (status >= 0)
        return status;
    if (n > INT_MAX - 2 || m > INT_MAX - 2 || !field_alloc(&s->start, (int)n, (int)m, is_double) ||
        !field_alloc(&s->result, (int)n, (int)m, is_double) ||
        (extra && !field_alloc(&s->extra, (int)n, (int)m, is_double)) ||
        (app->check && !field_alloc(&s->reference, (int)n, (int)m, is_double)))
        return app_fail(app, "%ld x %ld: out of memory", n, m);
    return -1;
}

static int configure(struct grid *g) {
    struct sweep *s = (struct sweep *)g;
    if (strcmp(s->precision, "float") != 0 && strcmp(s->precision, "double") != 0)
        return app_fail(&g->app, "--precision=%s: expected float or double", s->precision);
    if (s->limits.tolerance < 0)
        return app_fail(&g->app, "--tolerance=%g: must not be negative", s->limits.tolerance);
    const int status = s->configure(s);
    if (status < 0 && s->residuals && !(s->list = app_create(s->residuals)))
        return app_fail(&g->app, "%s: %s", s->residuals, strerror(errno));
    return status;
}

static int close_list(struct sweep *s, int status) {
    if (!s->list || app_finish(s->list, status == APP_OK || status == APP_CHECK_FAILED))
        return status;
    return status == APP_OK ? app_fail(&s->grid.app, "%s: cannot write: %s", s->residuals, strerror(errno)) : status;
}

int sweep_main(struct sweep *s, int argc, char **argv) {
    struct grid *g = &s->grid;
    g->pictures = true;
    g->configure = configure;
    g->begin = begin;
    g->run = run;
    g->check = check;
    g->describe = describe;
    g->finish = finish;
    g->app.rows = g->app.cols = 2048;
    s->precision = "float";
    s->random = 1;
    s->limits = (struct sweeps){.most = 100, .every = 10};
    const int status = close_list(s, grid_main(g, argc, argv));
    field_free(&s->start);
    field_free(&s->result);
    field_free(&s->extra);
    field_free(&s->reference);
    return status;
}
