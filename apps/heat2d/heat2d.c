/* SPDX-License-Identifier: Apache-2.0 */
/* heat2d: temperature of a plate whose edges are kept hot or cold, by in-place sweeps. See README.md. */
#include "nest.h"
#include "plate.h"
#include "sweep.h"

#include <stdlib.h>

struct heat {
    struct sweep sweep;
    const char *start;
    struct plate plate;
};

static void solve(struct sweep *s, bool serial, struct field *field, struct sweeps *sweeps) {
    (void)s;
    if (field->is_double)
        (serial ? heat_solve_double_serial : heat_solve_double_heddle)(field, sweeps);
    else
        (serial ? heat_solve_float_serial : heat_solve_float_heddle)(field, sweeps);
}

static const struct app_value *values(struct sweep *s) {
    static struct app_value more[2];
    more[0] = (struct app_value){"centre", field_get(&s->result, (s->result.n + 1) / 2, (s->result.m + 1) / 2)};
    return more;
}

static int seed(struct grid *g) {
    struct heat *heat = (struct heat *)g;
    const int status = sweep_allocate(&heat->sweep, g->app.rows, g->app.cols, false);
    if (status < 0)
        plate_fill(&heat->plate, &heat->sweep.start);
    return status;
}

static int take(struct grid *g, const struct image *image) {
    struct heat *heat = (struct heat *)g;
    const int status = sweep_allocate(&heat->sweep, image->height, image->width, false);
    if (status < 0)
        plate_fill_from(&heat->plate, image, &heat->sweep.start);
    return status;
}

/* Sums of four must not overflow a float. */
static int check_temperatures(const struct heat *heat) {
    const struct plate *p = &heat->plate;
    const double all[] = {p->top, p->bottom, p->left, p->right, p->uniform ? p->start : 0};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (all[k] > 1e30 || all[k] < -1e30)
            return app_fail(&heat->sweep.grid.app, "a temperature of %g: must lie within 1e30 of 0", all[k]);
    return -1;
}

static int configure(struct sweep *s) {
    struct heat *heat = (struct heat *)s;
    char *end;
    if (heat->start) {
        heat->plate.start = strtod(heat->start, &end);
        heat->plate.uniform = s->grid.without_given = true;
        if (end == heat->start || *end || heat->plate.start - heat->plate.start != 0)
            return app_fail(&s->grid.app, "--start=%s: not a number", heat->start);
    }
    heat->plate.seed = (uint64_t)s->random;
    return check_temperatures(heat);
}

int main(int argc, char **argv) {
    struct heat heat = {.plate = {.top = 100}};
    heat.sweep =
        (struct sweep){.what = "a plate of this size", .configure = configure, .solve = solve, .values = values};
    heat.sweep.grid = (struct grid){.without_picture = "--start", .seed = seed, .take = take};
    heat.sweep.grid.app = (struct app){.name = "heat2d", .summary = "temperature of a plate by in-place sweeps"};
    const struct app_option options[] = {
        SWEEP_OPTIONS(heat.sweep),
        {"top", "T", "temperature of the upper edge (100)", APP_REAL, &heat.plate.top, 0},
        {"bottom", "T", "of the lower edge (0)", APP_REAL, &heat.plate.bottom, 0},
        {"left", "T", "of the left edge (0)", APP_REAL, &heat.plate.left, 0},
        {"right", "T", "of the right edge (0)", APP_REAL, &heat.plate.right, 0},
        {"start", "T", "of the inside (random between the edges')", APP_TEXT, &heat.start, 0},
        {0}};
    heat.sweep.grid.app.options = options;
    return sweep_main(&heat.sweep, argc, argv);
}
