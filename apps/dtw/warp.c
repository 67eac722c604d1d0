/* SPDX-License-Identifier: Apache-2.0 */
/* From pairs to calls of the nests and back. */
#include "app.h"
#include "engine.h"

#include <stdlib.h>

enum {
    /* Samples of the shorter series of a pair that is computed with others: in the serial program two rows of it lie on
       the stack. */
    TOGETHER_MOST = 1 << 16,
    /* Blocks along a band are computed alone where they have less than this part of the matrix: so many times as fast
       are pairs together. */
    LANES_GAIN = 4
};

void dtw_engine_start(struct dtw_engine *engine, const struct series_set *set) {
    struct dtw_buffers *u = app_alloc(1, sizeof *u);
    engine->set = set;
    engine->buffers = u;
    u->times = app_alloc((size_t)engine->repeat, sizeof *u->times);
    u->start = app_alloc((size_t)set->count + 1, sizeof *u->start);
    for (int k = 0; k < set->count; k++)
        u->start[k + 1] = (long)set->at[k].start + set->at[k].length;
    if (engine->single) {
        float *samples = app_alloc(set->used, sizeof *samples);
        for (size_t k = 0; k < set->used; k++)
            samples[k] = (float)set->samples[k];
        u->samples = samples;
    }
}

void dtw_engine_stop(struct dtw_engine *engine) {
    struct dtw_buffers *u = engine->buffers;
    void *all[] = {u->samples,    u->start, u->times,      u->x,       u->y,    u->place, u->sums,
                   u->check_sums, u->last,  u->check_last, u->rolling, u->edge, u};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
    engine->buffers = NULL;
}

/* --- numbers --- */

const struct dtw_nests *dtw_nests(const struct dtw_engine *engine, bool serial) {
    static const struct dtw_nests *const all[2][2][2] = {
        {{&DTW_NAME(double, absolute, heddle), &DTW_NAME(double, absolute, serial)},
         {&DTW_NAME(double, squared, heddle), &DTW_NAME(double, squared, serial)}},
        {{&DTW_NAME(float, absolute, heddle), &DTW_NAME(float, absolute, serial)},
         {&DTW_NAME(float, squared, heddle), &DTW_NAME(float, squared, serial)}}};
    return all[engine->single][engine->squared][serial];
}

size_t dtw_size(const struct dtw_engine *engine) { return engine->single ? sizeof(float) : sizeof(double); }

const void *dtw_samples(const struct dtw_engine *engine, size_t at) {
    const char *samples = engine->single ? engine->buffers->samples : (const void *)engine->set->samples;
    return samples + at * dtw_size(engine);
}

double dtw_value(const struct dtw_engine *engine, const void *numbers, size_t at) {
    return engine->single ? (double)((const float *)numbers)[at] : ((const double *)numbers)[at];
}

/* Results differ by rounding only, and only if a compiler fuses multiply and add. */
static bool same(const struct dtw_engine *engine, const void *x, const void *y, size_t count) {
    const double most = engine->single ? 1e-5 : 1e-12;
    for (size_t k = 0; k < count; k++) {
        const double a = dtw_value(engine, x, k), b = dtw_value(engine, y, k), difference = a < b ? b - a : a - b;
        if (!(difference <= most * (a + b)))
            return false;
    }
    return true;
}

void dtw_measure(struct dtw_engine *engine, dtw_call *call, const void *work, void *result, void *expected,
                 size_t count, double cells) {
    double *times = engine->buffers->times;
    if (engine->check)
        call(engine, dtw_nests(engine, true), work, expected);
    for (int k = 0; k < engine->repeat; k++) {
        const double start = app_seconds();
        call(engine, dtw_nests(engine, false), work, result);
        times[k] = app_seconds() - start;
    }
    engine->seconds += app_median(times, engine->repeat);
    engine->cells += cells;
    if (engine->check && !same(engine, result, expected, count))
        engine->differs = true;
}

/* --- many pairs --- */

double dtw_cells(const struct series_set *set, int x, int y) { return (double)set->at[x].length * set->at[y].length; }

static void grow(struct dtw_engine *engine, int pairs) {
    struct dtw_buffers *u = engine->buffers;
    if (pairs <= u->pairs)
        return;
    const size_t room = (size_t)(u->pairs = pairs);
    u->x = app_resize(u->x, room, sizeof *u->x);
    u->y = app_resize(u->y, room, sizeof *u->y);
    u->place = app_resize(u->place, room, sizeof *u->place);
    u->sums = app_resize(u->sums, room, dtw_size(engine));
    if (engine->check)
        u->check_sums = app_resize(u->check_sums, room, dtw_size(engine));
}

static bool is_alone(const struct dtw_engine *engine, int count, int x, int y) {
    const int n = engine->set->at[x].length, m = engine->set->at[y].length;
    return count == 1 || (n < m ? n : m) > TOGETHER_MOST || dtw_is_narrow(engine, n, m, LANES_GAIN);
}

static void call_pairs(const struct dtw_engine *engine, const struct dtw_nests *nests, const void *work, void *result) {
    (engine->band < 0 ? nests->pairs : nests->pairs_band)(work, result);
}

/* The first `count` of the buffers' pairs. */
static void warp_together(struct dtw_engine *engine, int count, double cells, double *sums) {
    struct dtw_buffers *u = engine->buffers;
    const struct dtw_pairs work = {.count = count,
                                   .x = u->x,
                                   .y = u->y,
                                   .series = engine->set->count,
                                   .start = u->start,
                                   .samples = dtw_samples(engine, 0),
                                   .band = (int)engine->band};
    dtw_measure(engine, call_pairs, &work, u->sums, u->check_sums, (size_t)count, cells);
    for (int k = 0; k < count; k++)
        sums[u->place[k]] = dtw_value(engine, u->sums, (size_t)k);
}

void dtw_warp(struct dtw_engine *engine, int count, const int *x, const int *y, double *sums) {
    struct dtw_buffers *u = engine->buffers;
    int together = 0;
    double cells = 0;
    grow(engine, count);
    for (int k = 0; k < count; k++) {
        if (is_alone(engine, count, x[k], y[k])) {
            sums[k] = dtw_pair(engine, x[k], y[k]);
            continue;
        }
        /* the shorter one on the stack; the distance is the same both ways */
        const bool turned = engine->set->at[y[k]].length > TOGETHER_MOST;
        u->x[together] = turned ? y[k] : x[k];
        u->y[together] = turned ? x[k] : y[k];
        u->place[together++] = k;
        cells += dtw_cells(engine->set, x[k], y[k]);
    }
    if (together)
        warp_together(engine, together, cells, sums);
}
