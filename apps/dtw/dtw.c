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

/* Pairs that are computed at once, whatever their size. */
enum { CHUNK_PAIRS = 1 << 20 };

struct dtw {
    struct app app;
    const char *cost, *precision, *matrix_path, *out;
    long band, batch, seed;

    struct dtw_engine engine;
    struct series_set set; /* of both files */
    int firsts;            /* series of the first file; with one file all */
    FILE *list;            /* pairs, NULL: none */
    double *matrix;        /* [rows][cols], NULL: none */
    uint64_t checksum;
    long pairs;
};

static double distance_of(const struct dtw *dtw, double sum) { return dtw->engine.squared ? sqrt(sum) : sum; }

static bool one_file(const struct dtw *dtw) { return dtw->firsts == dtw->set.count; }

static int columns(const struct dtw *dtw) { return one_file(dtw) ? dtw->firsts : dtw->set.count - dtw->firsts; }

/* The series of the file that holds y. */
static int within(const struct dtw *dtw, int y) { return one_file(dtw) ? y : y - dtw->firsts; }

static void keep_pair(struct dtw *dtw, int x, int y, double sum) {
    const size_t cols = (size_t)columns(dtw);
    const int digits = dtw->engine.single ? 7 : 12;
    struct {
        long x, y;
        double sum;
    } parts = {x, within(dtw, y), sum};
    dtw->checksum += app_hash(APP_HASH_START, &parts, sizeof parts);
    dtw->pairs++;
    y = within(dtw, y);
    const double distance = distance_of(dtw, sum);
    if (dtw->list && dtw->engine.squared)
        fprintf(dtw->list, "%d\t%d\t%.*g\t%.*g\n", x + 1, y + 1, digits, distance, digits, sum);
    else if (dtw->list)
        fprintf(dtw->list, "%d\t%d\t%.*g\n", x + 1, y + 1, digits, distance);
    if (dtw->matrix)
        dtw->matrix[(size_t)x * cols + (size_t)y] = distance;
    if (dtw->matrix && one_file(dtw))
        dtw->matrix[(size_t)y * cols + (size_t)x] = distance;
}

/* --- pairs in the order of the results, a chunk at a time --- */

struct chunk {
    int count, room;
    int *x, *y;
    double *sums;
    double cells;
};

/* Every series of the first file against every one of the second, or against those behind it. */
static bool next_pair(const struct dtw *dtw, int *x, int *y) {
    if (++*y == dtw->set.count)
        *y = one_file(dtw) ? ++*x + 1 : (++*x, dtw->firsts);
    return *x < dtw->firsts && *y < dtw->set.count;
}

static void finish_chunk(struct dtw *dtw, struct chunk *chunk, double total) {
    dtw_warp(&dtw->engine, chunk->count, chunk->x, chunk->y, chunk->sums);
    for (int k = 0; k < chunk->count; k++)
        keep_pair(dtw, chunk->x[k], chunk->y[k], chunk->sums[k]);
    if (dtw->list)
        fflush(dtw->list);
    app_progress(&dtw->app, "%ld of %.0f pairs, %.3g GCUPS", dtw->pairs, total,
                 dtw->engine.seconds > 0 ? dtw->engine.cells / dtw->engine.seconds * 1e-9 : 0);
    chunk->count = 0;
    chunk->cells = 0;
}

static void run_pairs(struct dtw *dtw) {
    const double rows = dtw->firsts, total = one_file(dtw) ? rows * (rows - 1) / 2 : rows * columns(dtw);
    const double most = (double)dtw->batch * 1e6;
    struct chunk chunk = {.room = total < CHUNK_PAIRS ? (int)total : CHUNK_PAIRS};
    chunk.x = app_alloc((size_t)chunk.room, sizeof *chunk.x);
    chunk.y = app_alloc((size_t)chunk.room, sizeof *chunk.y);
    chunk.sums = app_alloc((size_t)chunk.room, sizeof *chunk.sums);
    for (int x = 0, y = one_file(dtw) ? 0 : dtw->firsts - 1; next_pair(dtw, &x, &y);) {
        const double cells = dtw_cells(&dtw->set, x, y);
        if (chunk.count && (chunk.count == chunk.room || chunk.cells + cells > most))
            finish_chunk(dtw, &chunk, total);
        chunk.x[chunk.count] = x;
        chunk.y[chunk.count++] = y;
        chunk.cells += cells;
    }
    finish_chunk(dtw, &chunk, total);
    free(chunk.x);
    free(chunk.y);
    free(chunk.sums);
}

static int write_matrix(const struct dtw *dtw) {
    const int rows = dtw->firsts, cols = columns(dtw), digits = dtw->engine.single ? 7 : 12;
    FILE *file = app_create(dtw->matrix_path);
    if (!file)
        return app_fail(&dtw->app, "%s: %s", dtw->matrix_path, strerror(errno));
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            fprintf(file, "%.*g%c", digits, dtw->matrix[(size_t)r * (size_t)cols + (size_t)c],
                    c + 1 < cols ? '\t' : '\n');
    if (!app_finish(file, true))
        return app_fail(&dtw->app, "%s: cannot write: %s", dtw->matrix_path, strerror(errno));
    return -1;
}

static double samples_of(const struct series_set *set, int first, int last) {
    return (double)(set->at[last - 1].start - set->at[first].start) + set->at[last - 1].length;
}

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
    const int second = one_file(dtw) ? 0 : dtw->firsts;
    return (struct app_result){.rows = samples_of(&dtw->set, 0, dtw->firsts),
                               .cols = samples_of(&dtw->set, second, dtw->set.count),
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
    if (dtw->app.sized)
        return app_fail(&dtw->app, "--size is for runs without input files");
    for (int k = 0; k < dtw->app.input_count; k++) {
        if (!series_read(&dtw->set, dtw->app.input[k], message, sizeof message))
            return app_fail(&dtw->app, "%s", message);
        dtw->firsts = k ? dtw->firsts : dtw->set.count;
    }
    if (one_file(dtw) && dtw->firsts < 2)
        return app_fail(&dtw->app, "%s: one series only; give a second one or a second file", dtw->app.input[0]);
    if ((status = open_list(dtw)) >= 0)
        return status;
    if (dtw->matrix_path)
        dtw->matrix = app_alloc((size_t)dtw->firsts * (size_t)columns(dtw), sizeof *dtw->matrix);
    dtw_engine_start(&dtw->engine, &dtw->set);
    run_pairs(dtw);
    dtw_engine_stop(&dtw->engine);
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
        app_memory_fits(&dtw->app, 16.0 * (double)dtw->app.rows + 24.0 * (double)dtw->app.cols, "a pair of this size");
    if (status >= 0)
        return status;
    app_seed(&random, (uint64_t)dtw->seed);
    add_walk(&dtw->set, &random, dtw->app.rows);
    add_walk(&dtw->set, &random, dtw->app.cols);
    dtw->firsts = 1;
    dtw_engine_start(&dtw->engine, &dtw->set);
    dtw_warp(&dtw->engine, 1, &(int){0}, &(int){1}, &sum);
    dtw_engine_stop(&dtw->engine);
    dtw->checksum = app_hash(APP_HASH_START, &sum, sizeof sum);
    struct app_result result = result_of(dtw);
    return app_report(&dtw->app, &result, stdout, "distance", distance_of(dtw, sum));
}

static int configure(struct dtw *dtw) {
    dtw->engine = (struct dtw_engine){.squared = !strcmp(dtw->cost, "squared"),
                                      .band = dtw->band > INT_MAX / 2 ? INT_MAX / 2 : dtw->band,
                                      .single = !strcmp(dtw->precision, "single"),
                                      .repeat = (int)dtw->app.repeat,
                                      .check = dtw->app.check};
    if (!dtw->engine.squared && strcmp(dtw->cost, "abs"))
        return app_fail(&dtw->app, "--cost=%s: expected abs or squared", dtw->cost);
    if (!dtw->engine.single && strcmp(dtw->precision, "double"))
        return app_fail(&dtw->app, "--precision=%s: expected double or single", dtw->precision);
    dtw->set.most = dtw->engine.single ? SERIES_MOST_SINGLE : SERIES_MOST;
    return -1;
}

int main(int argc, char **argv) {
    struct dtw dtw = {.cost = "squared",
                      .precision = "double",
                      .band = -1,
                      .batch = 16000,
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
        {"precision", "P", "double or single (double)", APP_TEXT, &dtw.precision, 0},
        {"matrix-out", "FILE", "all distances as a matrix, TSV", APP_OUTPUT, &dtw.matrix_path, 0},
        {"out", "FILE", "list of pairs to a file (stdout; with --json or --matrix-out nowhere)", APP_OUTPUT, &dtw.out,
         0},
        {"batch", "N", "million cells computed at once (16000)", APP_LONG, &dtw.batch, 1},
        {"seed", "N", "of the random pair (1)", APP_LONG, &dtw.seed, 0},
        {0}};
    dtw.app.options = options;
    int status = app_parse(&dtw.app, argc, argv);
    if (status < 0)
        status = configure(&dtw);
    if (status < 0)
        status = dtw.app.input_count ? run_files(&dtw) : run_seeded(&dtw);
    series_free(&dtw.set);
    free(dtw.matrix);
    return status;
}
