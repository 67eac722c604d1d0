/* SPDX-License-Identifier: Apache-2.0 */
/* sor: Laplace's and Poisson's equation on a rectangle by successive over-relaxation. See
 * README.md. */
#include "app.h"
#include "create.h"
#include "nest.h"
#include "problem.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct sor {
    struct app app;
    const char *precision, *rhs, *out, *residuals, *guess;
    long seed;
    double omega;
    enum sor_problem problem;
    struct sweeps limits;

    struct field start;
    struct sor_work work, reference;
    FILE *list; /* of residuals, NULL: none */
};

static void tell(void *context, long sweep, double change) {
    struct sor *sor = context;
    if (sor->list)
        fprintf(sor->list, "%ld\t%.9g\n", sweep, change);
    app_progress(&sor->app, "sweep %ld, change %.3g", sweep, change);
}

static double solve(struct sor *sor, bool serial, struct sor_work *work) {
    field_copy(&work->u, &sor->start);
    const double start = app_seconds();
    if (work->u.is_double)
        (serial ? sor_solve_double_serial : sor_solve_double_heddle)(work);
    else
        (serial ? sor_solve_float_serial : sor_solve_float_heddle)(work);
    return app_seconds() - start;
}

/* One sweep that is not timed: where it ran, the data will be kept. */
static int find_device(struct sor *sor) {
    sor->work.sweeps = (struct sweeps){.most = 1, .every = 2, .device = APP_DEVICE_AUTO};
    solve(sor, false, &sor->work);
    return app_device();
}

/* Every point is the result of the same operations in the same order, so all bits must agree. */
static enum app_verdict check(struct sor *sor) {
    const struct sweeps *done = &sor->work.sweeps, *serial = &sor->reference.sweeps;
    sor->reference.f = sor->work.f;
    sor->reference.omega = sor->omega;
    sor->reference.sweeps = sor->limits;
    solve(sor, true, &sor->reference);
    double apart = field_difference(&sor->work.u, &sor->reference.u);
    if (apart == 0 && serial->done == done->done && serial->change == done->change)
        return APP_CHECK_OK;
    app_fail(&sor->app, "check: %ld sweeps, change %.9g; serial: %ld, %.9g; largest difference %.3g", done->done,
             done->change, serial->done, serial->change, apart);
    return APP_CHECK_BAD;
}

static int finish(struct sor *sor, double seconds) {
    const struct field *u = &sor->work.u;
    const struct sweeps *done = &sor->work.sweeps;
    char message[512];
    struct app_result result = {.rows = u->n,
                                .cols = u->m,
                                .seconds = seconds,
                                .work = (double)u->n * u->m * (double)done->done,
                                .unit = "Gcells/s",
                                .checksum = app_hash(APP_HASH_START, u->cells, field_bytes(u)),
                                .check = sor->app.check ? check(sor) : APP_NOT_CHECKED};
    if (sor->out && !field_write(u, sor->out, message, sizeof message))
        return app_fail(&sor->app, "%s", message);
    const double error = sor_problem_error(sor->problem, u);
    const struct app_value values[] = {{"sweeps", (double)done->done},         {"change", done->change},
                                       {"residual", sor_residual(&sor->work)}, {"omega", sor->omega},
                                       {error < 0 ? NULL : "error", error},    {NULL, 0}};
    return app_report_values(&sor->app, &result, stdout, values);
}

static int run(struct sor *sor) {
    double *times = app_alloc((size_t)sor->app.repeat, sizeof *times);
    sor->work.omega = sor->omega;
    sor->limits.device = find_device(sor);
    for (long k = 0; k < sor->app.repeat; k++) {
        sor->work.sweeps = sor->limits;
        if (k + 1 == sor->app.repeat) { /* the last one reports, so that a list has one run */
            sor->work.sweeps.tell = tell;
            sor->work.sweeps.context = sor;
        }
        times[k] = solve(sor, false, &sor->work);
    }
    app_progress_end(&sor->app);
    double seconds = app_median(times, (int)sor->app.repeat);
    free(times);
    return finish(sor, seconds);
}

static int allocate(struct sor *sor, long n, long m, bool sources) {
    const bool is_double = !strcmp(sor->precision, "double");
    const double bytes = ((double)n + 2) * ((double)m + 2) * (is_double ? 8 : 4);
    int status = app_memory_fits(&sor->app, bytes * (2 + sources + sor->app.check), "a grid of this size");
    if (status >= 0)
        return status;
    if (n > INT_MAX - 2 || m > INT_MAX - 2 || !field_alloc(&sor->start, (int)n, (int)m, is_double) ||
        !field_alloc(&sor->work.u, (int)n, (int)m, is_double) ||
        (sources && !field_alloc(&sor->work.f, (int)n, (int)m, is_double)) ||
        (sor->app.check && !field_alloc(&sor->reference.u, (int)n, (int)m, is_double)))
        return app_fail(&sor->app, "%ld x %ld: out of memory", n, m);
    if (sor->omega == 0)
        sor->omega = sor_best_omega((int)n, (int)m);
    return -1;
}

static int prepare(struct sor *sor) {
    const bool guess = !strcmp(sor->guess, "random");
    struct image image;
    char message[512];
    int status;
    if (!sor->app.input_count) {
        status = allocate(sor, sor->app.rows, sor->app.cols, sor_problem_has_sources(sor->problem));
        if (status < 0)
            sor_problem_fill(sor->problem, (uint64_t)sor->seed, guess, &sor->start, &sor->work.f);
        return status;
    }
    if (sor->app.sized || sor->rhs)
        return app_fail(&sor->app, "--size and --rhs are for runs without a picture");
    sor->problem = SOR_PROBLEMS; /* none of them */
    if (!image_read(&image, sor->app.input[0], message, sizeof message))
        return app_fail(&sor->app, "%s", message);
    if ((status = allocate(sor, image.height, image.width, true)) < 0) {
        sor_problem_fill(sor->problem, (uint64_t)sor->seed, guess, &sor->start, &sor->work.f);
        sor_problem_picture(&image, &sor->work.f);
    }
    image_free(&image);
    return status;
}

static int configure(struct sor *sor, bool omega_given) {
    const char *rhs = sor->rhs ? sor->rhs : "harmonic";
    int k = 0;
    while (sor_problem_names[k] && strcmp(sor_problem_names[k], rhs))
        k++;
    if (!sor_problem_names[k])
        return app_fail(&sor->app, "--rhs=%s: expected harmonic, sine or random", rhs);
    sor->problem = (enum sor_problem)k;
    if (strcmp(sor->precision, "float") && strcmp(sor->precision, "double"))
        return app_fail(&sor->app, "--precision=%s: expected float or double", sor->precision);
    if (strcmp(sor->guess, "random") && strcmp(sor->guess, "zero"))
        return app_fail(&sor->app, "--guess=%s: expected random or zero", sor->guess);
    if (omega_given && (sor->omega <= 0 || sor->omega >= 2))
        return app_fail(&sor->app, "--omega=%g: must lie between 0 and 2, or it diverges", sor->omega);
    if (sor->limits.tolerance < 0)
        return app_fail(&sor->app, "--tolerance=%g: must not be negative", sor->limits.tolerance);
    if (sor->out && !image_has_suffix(sor->out, ".png") && !image_has_suffix(sor->out, ".pgm") &&
        !image_has_suffix(sor->out, ".bin"))
        return app_fail(&sor->app, "--out=%s: the name must end in .png, .pgm or .bin", sor->out);
    if (sor->residuals && !(sor->list = app_create(sor->residuals)))
        return app_fail(&sor->app, "%s: %s", sor->residuals, strerror(errno));
    return -1;
}

static int close_list(struct sor *sor, int status) {
    if (!sor->list || app_finish(sor->list, status == APP_OK || status == APP_CHECK_FAILED))
        return status;
    return status == APP_OK ? app_fail(&sor->app, "%s: cannot write: %s", sor->residuals, strerror(errno)) : status;
}

int main(int argc, char **argv) {
    const double not_given = -1e308;
    struct sor sor = {.precision = "float",
                      .guess = "random",
                      .seed = 1,
                      .omega = not_given,
                      .limits = {.most = 100, .every = 10},
                      .app = {.name = "sor",
                              .summary = "Laplace's and Poisson's equation by successive over-relaxation",
                              .inputs = "[PICTURE]   (charges: PGM or PNG, - is stdin)",
                              .inputs_max = 1,
                              .two_sizes = true,
                              .rows = 2048,
                              .cols = 2048}};
    const struct app_option options[] = {
        {"omega", "W", "relaxation, 0 to 2 (the best one for the size)", APP_REAL, &sor.omega, 0},
        {"rhs", "R", "harmonic, sine or random (harmonic)", APP_TEXT, &sor.rhs, 0},
        {"guess", "G", "inside before the first sweep: random or zero (random)", APP_TEXT, &sor.guess, 0},
        {"sweeps", "N", "at most N sweeps (100)", APP_LONG, &sor.limits.most, 1},
        {"tolerance", "X", "stop where no point changes by more (0)", APP_REAL, &sor.limits.tolerance, 0},
        {"every", "K", "look at the change in every K-th sweep (10)", APP_LONG, &sor.limits.every, 1},
        {"precision", "P", "float or double (float)", APP_TEXT, &sor.precision, 0},
        {"seed", "N", "of random values (1)", APP_LONG, &sor.seed, 0},
        {"residuals", "FILE", "list of sweep and change, TSV", APP_OUTPUT, &sor.residuals, 0},
        {"out", "FILE", "the solution: .png, .pgm or .bin", APP_OUTPUT, &sor.out, 0},
        {0}};
    sor.app.options = options;
    int status = app_parse(&sor.app, argc, argv);
    const bool omega_given = sor.omega != not_given;
    if (!omega_given)
        sor.omega = 0;
    if (status < 0)
        status = configure(&sor, omega_given);
    if (status < 0)
        status = prepare(&sor);
    if (status < 0)
        status = run(&sor);
    status = close_list(&sor, status);
    field_free(&sor.start);
    field_free(&sor.work.u);
    field_free(&sor.work.f);
    field_free(&sor.reference.u);
    return status;
}
