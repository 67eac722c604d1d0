/* SPDX-License-Identifier: Apache-2.0 */
/* dtw: dynamic time warping distances. One file: every pair of its series; two files: every series
 * of the first against every one of the second; no file: a benchmark of one seeded pair. See
 * README.md. */
#include "app.h"
#include "create.h"
#include "series.h"
#include "warp.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dtw {
    struct app app;
    const char *cost, *matrix_path, *out;
    long band, batch, seed;

    struct dtw_engine engine;
    struct series_set first, second; /* second is empty with one file */
    FILE *list;                      /* pairs, NULL: none */
    double *matrix;                  /* [rows][cols], NULL: none */
    uint64_t checksum;
    long pairs;
};

static double distance_of(const struct dtw *dtw, double sum) { return dtw->engine.squared ? sqrt(sum) : sum; }

static void keep_pair(struct dtw *dtw, int x, int y, double sum) {
    const bool one_file = !dtw->second.count;
    size_t cols = (size_t)(one_file ? dtw->first.count : dtw->second.count);
    struct {
        long x, y;
        double sum;
    } parts = {x, y, sum};
    dtw->checksum += app_hash(APP_HASH_START, &parts, sizeof parts);
    dtw->pairs++;
    double distance = distance_of(dtw, sum);
    if (dtw->list && dtw->engine.squared)
        fprintf(dtw->list, "%d\t%d\t%.12g\t%.12g\n", x + 1, y + 1, distance, sum);
    else if (dtw->list)
        fprintf(dtw->list, "%d\t%d\t%.12g\n", x + 1, y + 1, distance);
    if (dtw->matrix)
        dtw->matrix[(size_t)x * cols + (size_t)y] = distance;
    if (dtw->matrix && one_file)
        dtw->matrix[(size_t)y * cols + (size_t)x] = distance;
}

static void show_progress(struct dtw *dtw, int done, int count) {
    app_progress(&dtw->app, "%d of %d columns, %.3g GCUPS", done, count,
                 dtw->engine.seconds > 0 ? dtw->engine.cells / dtw->engine.seconds * 1e-9 : 0);
}

static void run_one_file(struct dtw *dtw) {
    const struct series_set *set = &dtw->first;
    double *sums = app_alloc((size_t)set->count, sizeof *sums);
    for (int x = 0; x + 1 < set->count; x++) {
        dtw_warp(&dtw->engine, set, x + 1, set->count, set->samples + set->at[x].start, set->at[x].length, sums);
        for (int y = x + 1; y < set->count; y++)
            keep_pair(dtw, x, y, sums[y - x - 1]);
        show_progress(dtw, x + 1, set->count);
    }
    free(sums);
}

/* The larger set makes the rows: fewer and larger nests. The distance is the same both ways. */
static void run_two_files(struct dtw *dtw) {
    bool swapped = dtw->second.count > dtw->first.count;
    const struct series_set *rows = swapped ? &dtw->second : &dtw->first;
    const struct series_set *cols = swapped ? &dtw->first : &dtw->second;
    double *sums = app_alloc((size_t)rows->count, sizeof *sums);
    for (int c = 0; c < cols->count; c++) {
        dtw_warp(&dtw->engine, rows, 0, rows->count, cols->samples + cols->at[c].start, cols->at[c].length, sums);
        for (int r = 0; r < rows->count; r++)
            keep_pair(dtw, swapped ? c : r, swapped ? r : c, sums[r]);
        show_progress(dtw, c + 1, cols->count);
    }
    free(sums);
}

static int write_matrix(const struct dtw *dtw) {
    int rows = dtw->first.count, cols = dtw->second.count ? dtw->second.count : rows;
    FILE *file = app_create(dtw->matrix_path);
    if (!file)
        return app_fail(&dtw->app, "%s: %s", dtw->matrix_path, strerror(errno));
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            fprintf(file, "%.12g%c", dtw->matrix[(size_t)r * (size_t)cols + (size_t)c], c + 1 < cols ? '\t' : '\n');
    if (!app_finish(file, true))
        return app_fail(&dtw->app, "%s: cannot write: %s", dtw->matrix_path, strerror(errno));
    return -1;
}

static double samples_of(const struct series_set *set) { return (double)set->used; }

static int open_list(struct dtw *dtw) {
    if (dtw->out && strcmp(dtw->out, "-")) {
        if (!(dtw->list = app_create(dtw->out)))
            return app_fail(&dtw->app, "%s: %s", dtw->out, strerror(errno));
    } else if (!dtw->app.json && !dtw->matrix_path) {
        dtw->list = stdout;
    }
    if (dtw->list)
        fprintf(dtw->list, "#first\tsecond\tdistance%s\n", dtw->engine.squared ? "\tsum" : "");
    return -1;
}

static int close_list(struct dtw *dtw) {
    if (!dtw->list)
        return -1;
    return !app_finish(dtw->list, true) ? app_fail(&dtw->app, "cannot write the results: %s", strerror(errno)) : -1;
}

static struct app_result result_of(const struct dtw *dtw) {
    return (struct app_result){.rows = samples_of(&dtw->first),
                               .cols = samples_of(dtw->second.count ? &dtw->second : &dtw->first),
                               .seconds = dtw->engine.seconds,
                               .work = dtw->engine.cells,
                               .unit = "GCUPS",
                               .checksum = dtw->checksum,
                               .check = !dtw->app.check       ? APP_NOT_CHECKED
                                        : dtw->engine.differs ? APP_CHECK_BAD
                                                              : APP_CHECK_OK};
}

static int run_files(struct dtw *dtw) {
    char message[512];
    int status;
    struct series_set *sets[] = {&dtw->first, &dtw->second};
    if (dtw->app.sized)
        return app_fail(&dtw->app, "--size is for runs without input files");
    for (int k = 0; k < dtw->app.input_count; k++)
        if (!series_read(sets[k], dtw->app.input[k], message, sizeof message))
            return app_fail(&dtw->app, "%s", message);
    if (dtw->app.input_count == 1 && dtw->first.count < 2)
        return app_fail(&dtw->app, "%s: one series only; give a second one or a second file", dtw->app.input[0]);
    if ((status = open_list(dtw)) >= 0)
        return status;
    if (dtw->matrix_path)
        dtw->matrix =
            app_alloc((size_t)dtw->first.count * (size_t)(dtw->second.count ? dtw->second.count : dtw->first.count),
                      sizeof *dtw->matrix);
    if (dtw->app.input_count == 1)
        run_one_file(dtw);
    else
        run_two_files(dtw);
    app_progress_end(&dtw->app);
    if ((status = close_list(dtw)) >= 0 || (dtw->matrix && (status = write_matrix(dtw)) >= 0))
        return status;
    if (!dtw->app.json && !dtw->app.check && !dtw->app.progress)
        return APP_OK;
    struct app_result result = result_of(dtw);
    return app_report(&dtw->app, &result, dtw->app.json ? stdout : stderr, "pairs", (double)dtw->pairs);
}

static void add_walk(struct series_set *set, struct app_random *random, long length) {
    double value = 0;
    for (long k = 0; k < length; k++)
        series_add_sample(set, value += app_unit(random) - 0.5);
    series_end(set);
}

static int run_seeded(struct dtw *dtw) {
    struct app_random random;
    double sum;
    if (dtw->out || dtw->matrix_path)
        return app_fail(&dtw->app, "--out and --matrix-out need input files");
    /* samples and what the engine keeps of a row and a column */
    const int status =
        app_memory_fits(&dtw->app, 16.0 * ((double)dtw->app.rows + (double)dtw->app.cols), "a pair of this size");
    if (status >= 0)
        return status;
    app_seed(&random, (uint64_t)dtw->seed);
    add_walk(&dtw->first, &random, dtw->app.rows);
    add_walk(&dtw->second, &random, dtw->app.cols);
    dtw_warp(&dtw->engine, &dtw->first, 0, 1, dtw->second.samples, (int)dtw->app.cols, &sum);
    dtw->checksum = app_hash(APP_HASH_START, &sum, sizeof sum);
    struct app_result result = result_of(dtw);
    return app_report(&dtw->app, &result, stdout, "distance", distance_of(dtw, sum));
}

static int configure(struct dtw *dtw) {
    dtw->engine = (struct dtw_engine){.squared = !strcmp(dtw->cost, "squared"),
                                      .band = dtw->band > INT_MAX / 2 ? INT_MAX / 2 : dtw->band,
                                      .rows_most = dtw->batch,
                                      .repeat = (int)dtw->app.repeat,
                                      .check = dtw->app.check};
    if (!dtw->engine.squared && strcmp(dtw->cost, "abs"))
        return app_fail(&dtw->app, "--cost=%s: expected abs or squared", dtw->cost);
    return -1;
}

int main(int argc, char **argv) {
    struct dtw dtw = {.cost = "squared",
                      .band = -1,
                      .batch = 1 << 20,
                      .seed = 1,
                      .app = {.name = "dtw",
                              .summary = "dynamic time warping distances",
                              .inputs = "[SERIES [SERIES]]   (text, one series per line, - is stdin)",
                              .inputs_max = 2,
                              .two_sizes = true,
                              .rows = 4096,
                              .cols = 4096}};
    const struct app_option options[] = {
        {"cost", "C", "abs or squared; squared gives the root of the sum (squared)", APP_TEXT, &dtw.cost, 0},
        {"band", "W", "Sakoe-Chiba band: |i - j| <= W (no band)", APP_LONG, &dtw.band, 0},
        {"matrix-out", "FILE", "all distances as a matrix, TSV", APP_OUTPUT, &dtw.matrix_path, 0},
        {"out", "FILE", "list of pairs to a file (stdout; with --json or --matrix-out nowhere)", APP_OUTPUT, &dtw.out,
         0},
        {"batch", "N", "samples scored at once (1048576)", APP_LONG, &dtw.batch, 1},
        {"seed", "N", "of the random pair (1)", APP_LONG, &dtw.seed, 0},
        {0}};
    dtw.app.options = options;
    int status = app_parse(&dtw.app, argc, argv);
    if (status < 0)
        status = configure(&dtw);
    if (status < 0) {
        dtw_engine_start(&dtw.engine);
        status = dtw.app.input_count ? run_files(&dtw) : run_seeded(&dtw);
        dtw_engine_stop(&dtw.engine);
    }
    series_free(&dtw.first);
    series_free(&dtw.second);
    free(dtw.matrix);
    return status;
}
