/* SPDX-License-Identifier: Apache-2.0 */
/* From lists of sequences to calls of the batch nests, and from best scores per row back to best
 * scores per sequence. */
#include "block.h"

#include "app.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct sw_buffers {
    size_t rows, cols; /* room */
    signed char *a;
    int *cont, *right, *best, *end;
    int *rolling, *down;
    int *check_best, *check_end;
    double *times;
};

void sw_engine_start(struct sw_engine *engine) {
    engine->buffers = app_alloc(1, sizeof *engine->buffers);
    engine->buffers->times = app_alloc((size_t)engine->repeat, sizeof(double));
}

void sw_engine_stop(struct sw_engine *engine) {
    struct sw_buffers *u = engine->buffers;
    int *const ints[] = {u->cont, u->right, u->best, u->end, u->rolling, u->down, u->check_best, u->check_end};
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++)
        free(ints[k]);
    free(u->a);
    free(u->times);
    free(u);
}

static void grow_rows(struct sw_engine *engine, size_t rows) {
    struct sw_buffers *u = engine->buffers;
    int **const ints[] = {&u->cont, &u->right, &u->best, &u->end, &u->check_best, &u->check_end};
    if (rows <= u->rows)
        return;
    u->rows = rows;
    u->a = app_resize(u->a, rows, 1);
    for (int k = 0; k < (engine->check ? 6 : 4); k++)
        *ints[k] = app_resize(*ints[k], rows + 1, sizeof(int));
}

static void grow_cols(struct sw_engine *engine, size_t cols) {
    struct sw_buffers *u = engine->buffers;
    if (cols <= u->cols)
        return;
    u->cols = cols;
    u->rolling = app_resize(u->rolling, 2 * (cols + 1), sizeof(int));
    u->down = app_resize(u->down, cols + 1, sizeof(int));
}

static void run_nest(const struct sw_nests *nests, const struct sw_scheme *scheme, const struct sw_batch *work) {
    bool linear = scheme->open == scheme->extend;
    if (scheme->matrix)
        (linear ? nests->batch_matrix_linear : nests->batch_matrix_affine)(work, scheme);
    else
        (linear ? nests->batch_equal_linear : nests->batch_equal_affine)(work, scheme);
}

static double timed_nest(const struct sw_nests *nests, const struct sw_scheme *scheme, const struct sw_batch *work) {
    size_t rows = ((size_t)work->n + 1) * sizeof(int), cols = ((size_t)work->m + 1) * sizeof(int);
    memset(work->rolling, 0, 2 * cols);
    memset(work->down, 0, cols);
    memset(work->right, 0, rows);
    memset(work->best, 0, rows);
    memset(work->end, 0, rows);
    double start = app_seconds();
    run_nest(nests, scheme, work);
    return app_seconds() - start;
}

static void score_rows(struct sw_engine *engine, struct sw_batch *work, bool swapped) {
    struct sw_buffers *u = engine->buffers;
    struct sw_scheme scheme = sw_scheme_of(engine->scoring, swapped);
    work->best = u->best;
    work->end = u->end;
    for (int k = 0; k < engine->repeat; k++)
        u->times[k] = timed_nest(&sw_nests_heddle, &scheme, work);
    engine->seconds += app_median(u->times, engine->repeat);
    engine->cells += (double)work->n * work->m;
    if (!engine->check)
        return;
    size_t bytes = ((size_t)work->n + 1) * sizeof(int);
    work->best = u->check_best;
    work->end = u->check_end;
    timed_nest(&sw_nests_serial, &scheme, work);
    if (memcmp(u->best, u->check_best, bytes) || memcmp(u->end, u->check_end, bytes))
        engine->differs = true;
}

/* Joins items[first..] into rows while they fit; returns the index after the last one taken. */
static int join_rows(struct sw_engine *engine, const struct sw_item *items, int first, int count,
                     struct sw_batch *work) {
    size_t rows = 0;
    int last = first;
    while (last < count && (last == first || rows + (size_t)items[last].length <= (size_t)engine->rows_most))
        rows += (size_t)items[last++].length;
    grow_rows(engine, rows);
    struct sw_buffers *u = engine->buffers;
    size_t at = 0;
    for (int k = first; k < last; k++) {
        size_t length = (size_t)items[k].length;
        memcpy(u->a + at, items[k].codes, length);
        memset(u->cont + at, -1, length * sizeof(int));
        u->cont[at] = 0;
        at += length;
    }
    work->n = (int)rows;
    work->a = u->a;
    work->cont = u->cont;
    work->right = u->right;
    return last;
}

/* The best row of one sequence. Rows are query positions, or target positions when swapped; the
 * order among equal scores is the same for both, see struct sw_best. */
static void pick(const int *best, const int *end, int rows, bool swapped, struct sw_best *result) {
    int row = 0, score = 0;
    for (int i = 0; i < rows; i++)
        if (best[i] > score || (swapped && score && best[i] == score && end[i] < end[row])) {
            row = i;
            score = best[i];
        }
    result->score = score;
    result->query_end = !score ? 0 : swapped ? end[row] : row + 1;
    result->target_end = !score ? 0 : swapped ? row + 1 : end[row];
}

struct side {
    const struct sw_item *items;
    int count;
};

static void score_column(struct sw_engine *engine, struct sw_batch *work, struct side rows, int first, int last,
                         int column, bool swapped, sw_found *found, void *cookie) {
    score_rows(engine, work, swapped);
    size_t at = 1; /* row 0 is the boundary */
    for (int k = first; k < last; k++) {
        struct sw_best best = {.query = swapped ? column : k, .target = swapped ? k : column};
        pick(engine->buffers->best + at, engine->buffers->end + at, rows.items[k].length, swapped, &best);
        found(cookie, &best);
        at += (size_t)rows.items[k].length;
    }
}

void sw_score_block(struct sw_engine *engine, const struct sw_item *queries, int query_count,
                    const struct sw_item *targets, int target_count, sw_found *found, void *cookie) {
    bool swapped = target_count > query_count;
    struct side q = {queries, query_count}, t = {targets, target_count};
    struct side rows = swapped ? t : q, cols = swapped ? q : t;
    struct sw_batch work = {0};
    for (int first = 0, last; first < rows.count; first = last) {
        last = join_rows(engine, rows.items, first, rows.count, &work);
        for (int column = 0; column < cols.count; column++) {
            const struct sw_item *item = &cols.items[column];
            grow_cols(engine, (size_t)item->length);
            work.m = item->length;
            work.b = item->codes;
            work.rolling = engine->buffers->rolling;
            work.down = engine->buffers->down;
            score_column(engine, &work, rows, first, last, column, swapped, found, cookie);
        }
    }
}
