/* SPDX-License-Identifier: Apache-2.0 */
/* synth: how schedules of a task graph compare when only its shape and the tasks' lengths are real. */
#include "app.h"
#include "graph.h"
#include <stdlib.h>
#include <string.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#define HAVE_RUNTIME 1
#endif

struct synth {
    struct app app;
    long slices, base, most, constant, seed, workers;
    bool independent;
};

/* Lengths: base rounds times a random number from 1 to `most`, or times a constant. */
static int *lengths(const struct synth *s) {
    struct app_random random;
    const long tasks = s->app.rows * s->app.cols;
    int *rounds = app_alloc((size_t)tasks, sizeof *rounds);
    app_seed(&random, (uint64_t)s->seed);
    for (long k = 0; k < tasks; k++)
        rounds[k] = (int)(s->base * (s->constant ? s->constant : 1 + (long)app_below(&random, (uint32_t)s->most)));
    return rounds;
}

/* Rounds of the barrier schedule with so many workers if handing out cost nothing: level x + 2 * row after level,
 * worker k takes every workers-th task of it. */
static double barrier_rounds(const struct graph *g, long workers) {
    const int deep = g->per_slice < g->rows ? g->per_slice : g->rows, levels = g->cols + 2 * (deep - 1);
    double *busy = app_alloc((size_t)workers, sizeof *busy), sum = 0;
    for (int level = 0; level < levels; level++) {
        double most = 0;
        long k = 0;
        for (long w = 0; w < workers; w++)
            busy[w] = 0;
        for (int y = 0; y < g->rows; y++) {
            const int x = level - 2 * (y % g->per_slice);
            if (x < 0 || x >= g->cols)
                continue;
            double *w = &busy[k++ % workers];
            *w += g->rounds[(long)y * g->cols + x];
            most = *w > most ? *w : most;
        }
        sum += most;
    }
    free(busy);
    return sum;
}

/* Rounds of the longest chain: no schedule is faster. */
static double longest_path(const struct graph *g) {
    double *path = app_alloc((size_t)g->rows * (size_t)g->cols, sizeof *path), longest = 0;
    for (int y = 0; y < g->rows; y++)
        for (int x = 0; x < g->cols; x++) {
            const long k = (long)y * g->cols + x;
            double before = x > 0 ? path[k - 1] : 0;
            if (y % g->per_slice)
                for (int d = -1; d <= 1; d++)
                    if (x + d >= 0 && x + d < g->cols && path[k - g->cols + d] > before)
                        before = path[k - g->cols + d];
            path[k] = before + g->rounds[k];
            longest = path[k] > longest ? path[k] : longest;
        }
    free(path);
    return longest;
}

static int run(struct synth *s) {
    long workers = 1;
    const size_t tasks = (size_t)(s->app.rows * s->app.cols), bytes = tasks * sizeof(uint32_t);
    struct graph g = {.rows = (int)s->app.rows,
                      .cols = (int)s->app.cols,
                      .slices = (int)s->slices,
                      .per_slice = (int)((s->app.rows + s->slices - 1) / s->slices),
                      .rounds = lengths(s),
                      .value = app_alloc(tasks, sizeof(uint32_t))};
    double *seconds = app_alloc((size_t)s->app.repeat, sizeof *seconds),
           *kernel = app_alloc((size_t)s->app.repeat, sizeof *kernel);
    for (long k = -1; k < s->app.repeat; k++) { /* the first finds the device and is not measured */
        memset(g.value, 0, bytes);
        const double start = app_seconds();
        (s->independent ? graph_run_independent : graph_run)(&g);
        if (k < 0)
            continue;
        kernel[k] = seconds[k] = app_seconds() - start;
#ifdef HAVE_RUNTIME
        struct heddle_report report;
        heddle_last_report(&report);
        kernel[k] = report.kernel_seconds;
        workers = report.workers > 0 ? report.workers : 1;
#endif
    }
    double rounds = 0;
    for (size_t k = 0; k < tasks; k++)
        rounds += g.rounds[k];
    const double chain = s->independent ? 0 : longest_path(&g), share = rounds / (double)workers;
    struct app_result result = {.rows = (double)g.rows,
                                .cols = (double)g.cols,
                                .seconds = app_median(seconds, (int)s->app.repeat),
                                .work = rounds,
                                .unit = "Grounds/s",
                                .checksum = app_hash(APP_HASH_START, g.value, bytes),
                                .check = APP_NOT_CHECKED};
    if (s->app.check) {
        memset(g.value, 0, bytes);
        (s->independent ? graph_run_independent_serial : graph_run_serial)(&g);
        result.check = app_hash(APP_HASH_START, g.value, bytes) == result.checksum ? APP_CHECK_OK : APP_CHECK_BAD;
    }
    const struct app_value values[] = {{"tasks", (double)tasks},
                                       {"slices", (double)s->slices},
                                       {"rounds", rounds},
                                       {"longest_path", chain},
                                       {"workers", (double)workers},
                                       {"least_rounds", chain > share ? chain : share},
                                       {"barrier_rounds", s->independent ? share : barrier_rounds(&g, workers)},
                                       {"kernel_seconds", app_median(kernel, (int)s->app.repeat)},
                                       {NULL, 0}};
    const int status = app_report_values(&s->app, &result, stdout, values);
    free((void *)(uintptr_t)g.rounds);
    free(g.value);
    free(seconds);
    free(kernel);
    return status;
}

static int check_sizes(const struct synth *s) {
    const long side = 1 << 20, longest = 1 << 30, factor = s->constant ? s->constant : s->most;
    if (s->app.rows > side || s->app.cols > side)
        return app_fail(&s->app, "--size=%ldx%ld: more than %ld rows or columns", s->app.rows, s->app.cols, side);
    if (s->base > longest / factor)
        return app_fail(&s->app, "--base=%ld times %ld: a task has more than %ld rounds", s->base, factor, longest);
    return app_memory_fits(&s->app, 24.0 * (double)s->app.rows * (double)s->app.cols, "a graph of this size");
}

int main(int argc, char **argv) {
    struct synth s = {.slices = 1,
                      .base = 500,
                      .most = 16,
                      .seed = 1,
                      .app = {.name = "synth",
                              .summary = "the task graph of H.264 intra prediction with made-up lengths",
                              .two_sizes = true,
                              .size_help = "rows and columns of tasks (45x80)",
                              .pools = true,
                              .rows = 45,
                              .cols = 80,
                              .repeat = 3}};
    const struct app_option options[] = {
        {"slices", "N", "bands of rows that do not depend on each other (1)", APP_LONG, &s.slices, 1},
        {"base", "N", "rounds of the shortest task (500)", APP_LONG, &s.base, 0},
        {"most", "N", "lengths are 1 to N times that (16)", APP_LONG, &s.most, 1},
        {"constant", "N", "all lengths are N times that", APP_LONG, &s.constant, 1},
        {"independent", NULL, "the same tasks without dependences", APP_FLAG, &s.independent, 0},
        {"workers", "N", "workers on the device (chosen)", APP_LONG, &s.workers, 1},
        {"seed", "N", "of the lengths (1)", APP_LONG, &s.seed, 0},
        {0}};
    s.app.options = options;
    int status = app_parse(&s.app, argc, argv);
    if (status < 0 && s.slices > s.app.rows)
        status = app_fail(&s.app, "--slices=%ld: there are only %ld rows", s.slices, s.app.rows);
    if (status < 0)
        status = check_sizes(&s);
    if (status < 0 && s.workers) {
        char tune[512];
        const char *others = getenv("HEDDLE_TUNE");
        snprintf(tune, sizeof tune, "%.400s%sworkers=%ld", others ? others : "", others && *others ? "," : "",
                 s.workers);
        setenv("HEDDLE_TUNE", tune, 1);
    }
    return status < 0 ? run(&s) : status;
}
