/* SPDX-License-Identifier: Apache-2.0 */
/* One pair at a time: all its cells, or blocks of those along its band. */
#include "app.h"
#include "engine.h"

#include <stdlib.h>
#include <string.h>

static void grow(struct dtw_engine *engine, size_t rows, size_t cols) {
    struct dtw_buffers *u = engine->buffers;
    const size_t size = dtw_size(engine);
    if (rows > u->rows) {
        u->rows = rows;
        u->last = app_resize(u->last, rows + 1, size);
        if (engine->check)
            u->check_last = app_resize(u->check_last, rows + 1, size);
    }
    if (cols > u->cols) {
        u->cols = cols;
        u->rolling = app_resize(u->rolling, 2 * (cols + 1), size);
        u->edge = app_resize(u->edge, cols + 1, size);
    }
}

static void call_pair(const struct dtw_engine *engine, const struct dtw_nests *nests, const void *work, void *last) {
    (engine->band < 0 ? nests->pair : nests->pair_band)(work, last);
}

/* The accumulated cost of the last cell. */
static double run(struct dtw_engine *engine, const struct dtw_pair *work) {
    struct dtw_buffers *u = engine->buffers;
    memset(u->last, 0, dtw_size(engine)); /* rows count from 1 */
    if (engine->check)
        memset(u->check_last, 0, dtw_size(engine));
    dtw_measure(engine, call_pair, work, u->last, u->check_last, (size_t)work->n + 1, (double)work->n * work->m);
    return dtw_value(engine, u->last, (size_t)work->n);
}

static double warp_whole(struct dtw_engine *engine, const struct series *row, const struct series *col) {
    grow(engine, (size_t)row->length, (size_t)col->length);
    const struct dtw_pair work = {.n = row->length,
                                  .m = col->length,
                                  .a = dtw_samples(engine, row->start),
                                  .b = dtw_samples(engine, col->start),
                                  .rolling = engine->buffers->rolling,
                                  .width = dtw_half_width(engine, row->length, col->length)};
    return run(engine, &work);
}

/* --- a band that is narrow against the columns --- */

enum { BLOCK_ROWS = 512 };

/* No path exists if the band is narrower than the difference of the lengths. */
int dtw_half_width(const struct dtw_engine *engine, int rows, int cols) {
    const int skew = rows < cols ? cols - rows : rows - cols;
    return engine->band > skew ? (int)engine->band : skew;
}

/* Rows per block: as many as the band is wide, so that at most two thirds of the work is outside it. */
static int block_rows(int width) { return width > BLOCK_ROWS ? width : BLOCK_ROWS; }

bool dtw_is_narrow(const struct dtw_engine *engine, int rows, int cols, double part) {
    if (engine->band < 0)
        return false;
    const double width = dtw_half_width(engine, rows, cols);
    return block_rows((int)width) + 2 * width + 2 < cols / part && rows > BLOCK_ROWS;
}

/* The edge above a block from the last row of the one before, which had `had` columns from `before` on: both in the
 * engine's precision. Columns that it did not have are far. */
static void copy_edge(const struct dtw_engine *engine, void *edge, int left, int m, const void *top, int before,
                      int had) {
    double *wide = edge;
    float *narrow = edge;
    for (int j = 0; j <= m; j++) {
        const bool known = top && j && left + j <= before + had;
        const size_t at = known ? (size_t)(left + j - before) : 0;
        if (engine->single)
            narrow[j] = known ? ((const float *)top)[at] : DTW_FAR_float;
        else
            wide[j] = known ? ((const double *)top)[at] : DTW_FAR_double;
    }
}

/* Only the columns that the band crosses: blocks of rows, each with its own window of columns, which begins two columns
 * outside the band of its first row; the last row of one block is the top of the next. */
static double warp_narrow(struct dtw_engine *engine, const struct series *row, const struct series *col) {
    const int rows = row->length, cols = col->length, width = dtw_half_width(engine, rows, cols);
    const int step = block_rows(width);
    const size_t size = dtw_size(engine);
    int before = 0, had = 0;
    char *top = app_alloc((size_t)cols + 1, size);
    double result = 0;
    for (int first = 0; first < rows; first += step) {
        const int n = rows - first < step ? rows - first : step;
        const int left = first - width - 1 > 0 ? first - width - 1 : 0;
        const int right = cols - (first + n) > width ? first + n + width : cols, m = right - left;
        grow(engine, (size_t)n, (size_t)m);
        struct dtw_buffers *u = engine->buffers;
        copy_edge(engine, u->edge, left, m, first ? top : NULL, before, had);
        const struct dtw_pair work = {.n = n,
                                      .m = m,
                                      .a = dtw_samples(engine, row->start + (size_t)first),
                                      .b = dtw_samples(engine, col->start + (size_t)left),
                                      .top = first ? u->edge : NULL,
                                      .rolling = u->rolling,
                                      .shift = first - left,
                                      .width = width};
        result = run(engine, &work);
        memcpy(top, (char *)u->rolling + (size_t)(n & 1) * ((size_t)m + 1) * size, ((size_t)m + 1) * size);
        before = left;
        had = m;
    }
    free(top);
    return result;
}

double dtw_pair(struct dtw_engine *engine, int x, int y) {
    const struct series *row = &engine->set->at[x], *col = &engine->set->at[y];
    return (dtw_is_narrow(engine, row->length, col->length, 2) ? warp_narrow : warp_whole)(engine, row, col);
}
