/* SPDX-License-Identifier: Apache-2.0 */
/* From series to calls of the nests and back. */
#include "warp.h"

#include "app.h"
#include "nest.h"

#include <stdlib.h>

struct dtw_buffers {
    size_t rows, cols;
    int *place, *width;
    double *last, *check_last, *rolling, *edge, *times;
};

void dtw_engine_start(struct dtw_engine *engine) {
    engine->buffers = app_alloc(1, sizeof *engine->buffers);
    engine->buffers->times = app_alloc((size_t)engine->repeat, sizeof(double));
}

void dtw_engine_stop(struct dtw_engine *engine) {
    struct dtw_buffers *u = engine->buffers;
    free(u->place);
    free(u->width);
    free(u->last);
    free(u->check_last);
    free(u->rolling);
    free(u->edge);
    free(u->times);
    free(u);
}

static void grow(struct dtw_engine *engine, size_t rows, size_t cols) {
    struct dtw_buffers *u = engine->buffers;
    if (rows > u->rows) {
        u->rows = rows;
        u->place = app_resize(u->place, rows, sizeof(int));
        u->width = app_resize(u->width, rows, sizeof(int));
        u->last = app_resize(u->last, rows + 1, sizeof(double));
        if (engine->check)
            u->check_last = app_resize(u->check_last, rows + 1, sizeof(double));
    }
    if (cols > u->cols) {
        u->cols = cols;
        u->rolling = app_resize(u->rolling, 2 * (cols + 1), sizeof(double));
        u->edge = app_resize(u->edge, cols + 1, sizeof(double));
    }
}

/* top: row 0, NULL for "far" everywhere. */
static double timed_nest(const struct dtw_engine *engine, const struct dtw_nests *nests, const struct dtw_batch *work,
                         const double *top) {
    size_t cols = (size_t)work->m + 1;
    for (size_t k = 0; k < 2 * cols; k++)
        work->rolling[k] = top && k < cols ? top[k] : DTW_FAR;
    for (size_t k = 0; k <= (size_t)work->n; k++)
        work->last[k] = 0;
    double start = app_seconds();
    if (engine->band < 0)
        (engine->squared ? nests->squared : nests->absolute)(work);
    else
        (engine->squared ? nests->squared_band : nests->absolute_band)(work);
    return app_seconds() - start;
}

/* Results differ by rounding only, and only if a compiler fuses multiply and add. */
static bool same(const double *x, const double *y, size_t count) {
    for (size_t k = 0; k < count; k++) {
        double difference = x[k] < y[k] ? y[k] - x[k] : x[k] - y[k];
        if (!(difference <= 1e-12 * (x[k] + y[k])))
            return false;
    }
    return true;
}

static void run(struct dtw_engine *engine, struct dtw_batch *work, const double *top) {
    struct dtw_buffers *u = engine->buffers;
    if (engine->check) {
        work->last = u->check_last;
        timed_nest(engine, &dtw_nests_serial, work, top);
    }
    work->last = u->last;
    for (int k = 0; k < engine->repeat; k++)
        u->times[k] = timed_nest(engine, &dtw_nests_heddle, work, top);
    engine->seconds += app_median(u->times, engine->repeat);
    engine->cells += (double)work->n * work->m;
    if (engine->check && !same(u->last + 1, u->check_last + 1, (size_t)work->n))
        engine->differs = true;
}

/* No path exists if the band is narrower than the difference of the lengths. */
static int half_width(const struct dtw_engine *engine, int rows, int cols) {
    int skew = rows < cols ? cols - rows : rows - cols;
    return engine->band > skew ? (int)engine->band : skew;
}

/* Positions and band of the rows; the samples themselves already lie one after the other. */
static void describe_rows(struct dtw_engine *engine, const struct series_set *rows, int first, int last, int length) {
    struct dtw_buffers *u = engine->buffers;
    size_t at = 0;
    for (int k = first; k < last; k++) {
        int own = rows->at[k].length, width = half_width(engine, own, length);
        for (int i = 1; i <= own; i++, at++) {
            u->place[at] = i;
            u->width[at] = width;
        }
    }
}

/* Joins series from `first` on while they fit; returns the index after the last one taken. */
static int warp_joined(struct dtw_engine *engine, const struct series_set *rows, int first, int last,
                       const double *column, int length, double *sums) {
    size_t count = 0, at = 0;
    int to = first;
    while (to < last && (to == first || count + (size_t)rows->at[to].length <= (size_t)engine->rows_most))
        count += (size_t)rows->at[to++].length;
    grow(engine, count, (size_t)length);
    struct dtw_buffers *u = engine->buffers;
    describe_rows(engine, rows, first, to, length);
    struct dtw_batch work = {.n = (int)count,
                             .m = length,
                             .place = u->place,
                             .width = u->width,
                             .a = rows->samples + rows->at[first].start,
                             .b = column,
                             .rolling = u->rolling};
    run(engine, &work, NULL);
    for (int k = first; k < to; k++) {
        at += (size_t)rows->at[k].length;
        sums[k - first] = u->last[at];
    }
    return to;
}

/* --- a band that is narrow against the columns --------------------------------------------------
 */

enum { BLOCK_ROWS = 512 };

/* Rows per block: as many as the band is wide, so that at most two thirds of the work is outside
 * it. */
static int block_rows(int width) { return width > BLOCK_ROWS ? width : BLOCK_ROWS; }

static bool is_narrow(const struct dtw_engine *engine, int rows, int cols) {
    if (engine->band < 0)
        return false;
    double width = half_width(engine, rows, cols);
    return block_rows((int)width) + 2 * width + 2 < cols / 2.0 && rows > BLOCK_ROWS;
}

/* Only the columns that the band crosses: blocks of rows, each with its own window of columns, and
 * the last row of one is the top of the next. Places and columns are counted from the window's left
 * end, which lies two columns outside the band of its first row; so no row but the first has
 * place 1. */
static double warp_narrow(struct dtw_engine *engine, const double *row, int rows, const double *column, int cols) {
    int width = half_width(engine, rows, cols), step = block_rows(width), before = 0, had = 0;
    double *top = app_alloc((size_t)cols + 1, sizeof *top), result = 0;
    for (int first = 0; first < rows; first += step) {
        int n = rows - first < step ? rows - first : step;
        int left = first - width - 1 > 0 ? first - width - 1 : 0;
        int right = cols - (first + n) > width ? first + n + width : cols, m = right - left;
        grow(engine, (size_t)n, (size_t)m);
        struct dtw_buffers *u = engine->buffers;
        for (int i = 0; i < n; i++) {
            u->place[i] = first + i + 1 - left;
            u->width[i] = width;
        }
        for (int j = 0; j <= m; j++) /* from the columns of the block before; `top` still has its row */
            u->edge[j] = first && j && left + j <= before + had ? top[left + j - before] : DTW_FAR;
        struct dtw_batch work = {.n = n,
                                 .m = m,
                                 .a = row + first,
                                 .place = u->place,
                                 .width = u->width,
                                 .b = column + left,
                                 .rolling = u->rolling};
        run(engine, &work, u->edge);
        const double *bottom = u->rolling + (size_t)(n & 1) * ((size_t)m + 1);
        for (int j = 0; j <= m; j++)
            top[j] = bottom[j];
        before = left;
        had = m;
        result = u->last[n];
    }
    free(top);
    return result;
}

void dtw_warp(struct dtw_engine *engine, const struct series_set *rows, int first, int last, const double *column,
              int length, double *sums) {
    for (int k = first; k < last;) {
        const struct series *row = &rows->at[k];
        if (is_narrow(engine, row->length, length)) {
            sums[k - first] = warp_narrow(engine, rows->samples + row->start, row->length, column, length);
            k++;
        } else {
            k = warp_joined(engine, rows, k, last, column, length, sums + (k - first));
        }
    }
}
