/* SPDX-License-Identifier: Apache-2.0 */
/* sor: Laplace's and Poisson's equation on a rectangle by successive over-relaxation. See README.md. */
#include "nest.h"
#include "problem.h"
#include "sweep.h"

#include <string.h>

#define NOT_GIVEN (-1e308)

struct sor {
    struct sweep sweep;
    const char *rhs, *guess;
    double omega;
    enum sor_problem problem;
};

static void solve(struct sweep *s, bool serial, struct field *field, struct sweeps *sweeps) {
    struct sor_work work = {.u = *field, .f = s->extra, .omega = ((struct sor *)s)->omega, .sweeps = *sweeps};
    if (field->is_double)
        (serial ? sor_solve_double_serial : sor_solve_double_heddle)(&work);
    else
        (serial ? sor_solve_float_serial : sor_solve_float_heddle)(&work);
    *sweeps = work.sweeps;
}

static const struct app_value *values(struct sweep *s) {
    static struct app_value more[4];
    const struct sor *sor = (const struct sor *)s;
    const struct sor_work work = {.u = s->result, .f = s->extra, .omega = sor->omega};
    const double error = sor_problem_error(sor->problem, &s->result);
    more[0] = (struct app_value){"residual", sor_residual(&work)};
    more[1] = (struct app_value){"omega", sor->omega};
    more[2] = (struct app_value){error < 0 ? NULL : "error", error};
    return more;
}

static int fill(struct sor *sor, long n, long m, bool sources) {
    struct sweep *s = &sor->sweep;
    const int status = sweep_allocate(s, n, m, sources);
    if (status >= 0)
        return status;
    if (sor->omega == NOT_GIVEN)
        sor->omega = sor_best_omega((int)n, (int)m);
    sor_problem_fill(sor->problem, (uint64_t)s->random, !strcmp(sor->guess, "random"), &s->start, &s->extra);
    return -1;
}

static int seed(struct grid *g) {
    struct sor *sor = (struct sor *)g;
    return fill(sor, g->app.rows, g->app.cols, sor_problem_has_sources(sor->problem));
}

static int take(struct grid *g, const struct image *image) {
    struct sor *sor = (struct sor *)g;
    sor->problem = SOR_PROBLEMS; /* none of them */
    const int status = fill(sor, image->height, image->width, true);
    if (status < 0)
        sor_problem_picture(image, &sor->sweep.extra);
    return status;
}

static int configure(struct sweep *s) {
    struct sor *sor = (struct sor *)s;
    const struct app *app = &s->grid.app;
    const char *rhs = sor->rhs ? sor->rhs : "harmonic";
    int k = 0;
    while (sor_problem_names[k] && strcmp(sor_problem_names[k], rhs) != 0)
        k++;
    if (!sor_problem_names[k])
        return app_fail(app, "--rhs=%s: expected harmonic, sine or random", rhs);
    sor->problem = (enum sor_problem)k;
    s->grid.without_given = sor->rhs;
    if (strcmp(sor->guess, "random") != 0 && strcmp(sor->guess, "zero") != 0)
        return app_fail(app, "--guess=%s: expected random or zero", sor->guess);
    if (sor->omega != NOT_GIVEN && (sor->omega <= 0 || sor->omega >= 2))
        return app_fail(app, "--omega=%g: must lie between 0 and 2, or it diverges", sor->omega);
    return -1;
}

int main(int argc, char **argv) {
    struct sor sor = {.guess = "random", .omega = NOT_GIVEN};
    sor.sweep = (struct sweep){.what = "a grid of this size", .configure = configure, .solve = solve, .values = values};
    sor.sweep.grid = (struct grid){.without_picture = "--rhs", .seed = seed, .take = take};
    sor.sweep.grid.app = (struct app){.name = "sor",
                                      .summary = "Laplace's and Poisson's equation by successive over-relaxation",
                                      .inputs = "[PICTURE]   (charges: PGM or PNG, - is stdin)"};
    const struct app_option options[] = {
        {"omega", "W", "relaxation, 0 to 2 (the best one for the size)", APP_REAL, &sor.omega, 0},
        {"rhs", "R", "harmonic, sine or random (harmonic)", APP_TEXT, &sor.rhs, 0},
        {"guess", "G", "inside before the first sweep: random or zero (random)", APP_TEXT, &sor.guess, 0},
        SWEEP_OPTIONS(sor.sweep),
        {0}};
    sor.sweep.grid.app.options = options;
    return sweep_main(&sor.sweep, argc, argv);
}
