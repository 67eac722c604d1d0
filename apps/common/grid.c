/* SPDX-License-Identifier: Apache-2.0 */
#include "grid.h"

#include <stdlib.h>

static int prepare(struct grid *g) {
    struct image image;
    char message[512];
    if (!g->app.input_count)
        return g->seed(g);
    if (g->app.sized || g->without_given)
        return app_fail(&g->app, "--size%s%s %s for runs without a picture", g->without_picture ? " and " : "",
                        g->without_picture ? g->without_picture : "", g->without_picture ? "are" : "is");
    if (!image_read(&image, g->app.input[0], message, sizeof message))
        return app_fail(&g->app, "%s", message);
    const int status = g->take(g, &image);
    image_free(&image);
    return status;
}

static double measure(struct grid *g) {
    const long repeat = g->app.repeat;
    double *times = app_alloc((size_t)repeat, sizeof *times);
    if (g->begin)
        g->begin(g);
    for (long k = 0; k < repeat; k++) {
        times[k] = g->run(g, k + 1 == repeat);
        app_progress(&g->app, "run %ld of %ld", k + 1, repeat);
    }
    if (g->end)
        g->end(g);
    app_progress_end(&g->app);
    const double seconds = app_median(times, (int)repeat);
    free(times);
    return seconds;
}

bool grid_out_is_picture(const struct grid *g) {
    return g->out && (image_has_suffix(g->out, ".png") || image_has_suffix(g->out, ".pgm"));
}

static int configure(struct grid *g) {
    const int status = g->configure(g);
    if (status >= 0)
        return status;
    if (g->out && !image_has_suffix(g->out, ".bin") && !(g->pictures && grid_out_is_picture(g)))
        return app_fail(&g->app, "--out=%s: the name must end in %s.bin", g->out, g->pictures ? ".png, .pgm or " : "");
    if (g->query && g->app.json)
        return app_fail(&g->app, "--query prints a list; leave out --json");
    return g->query ? grid_boxes(g, 0, 0, NULL) : -1;
}

int grid_main(struct grid *g, int argc, char **argv) {
    g->app.inputs = g->app.inputs ? g->app.inputs : "[PICTURE]   (PGM or PNG, - is stdin)";
    g->app.inputs_max = 1;
    g->app.two_sizes = true;
    int status = app_parse(&g->app, argc, argv);
    if (status < 0)
        status = configure(g);
    if (status < 0)
        status = prepare(g);
    if (status >= 0)
        return status;
    struct app_result result = {.seconds = measure(g), .unit = "Gcells/s"};
    g->describe(g, &result);
    result.check = g->app.check ? g->check(g) : APP_NOT_CHECKED;
    return g->finish(g, &result);
}

int grid_boxes(struct grid *g, int n, int m, void (*print)(struct grid *g, struct box box)) {
    for (const char *at = g->query;;) {
        struct box b;
        int used = 0;
        if (sscanf(at, "%9d,%9d,%9d,%9d%n", &b.x0, &b.y0, &b.x1, &b.y1, &used) != 4 || (at[used] && at[used] != ':'))
            return app_fail(&g->app, "--query=%s: expected x0,y0,x1,y1, more after a colon", g->query);
        if (n && (b.x0 < 0 || b.y0 < 0 || b.x0 > b.x1 || b.y0 > b.y1 || b.x1 >= m || b.y1 >= n))
            return app_fail(&g->app, "--query: box %d,%d,%d,%d is not inside 0,0,%d,%d", b.x0, b.y0, b.x1, b.y1, m - 1,
                            n - 1);
        if (n)
            print(g, b);
        if (!at[used])
            return -1;
        at += used + 1;
    }
}

int grid_report(const struct grid *g, const struct app_result *result, const char *key, double value) {
    if (g->query && !g->app.check && !g->app.progress)
        return fflush(stdout) ? app_fail(&g->app, "cannot write the results") : APP_OK;
    return app_report(&g->app, result, g->query ? stderr : stdout, key, value);
}
