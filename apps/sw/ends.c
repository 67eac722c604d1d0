/* SPDX-License-Identifier: Apache-2.0 */
#include "ends.h"

#include "app.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH_IT = 16 };

struct list {
    struct sw_best **at; /* the hits' */
    int count, *rows, *length;
    long *first;
    short *score, *row, *column, *checked;
};

static void make_room(struct list *l, size_t count) {
    l->at = app_alloc(count, sizeof *l->at);
    l->rows = app_alloc(count, sizeof *l->rows);
    l->length = app_alloc(count, sizeof *l->length);
    l->first = app_alloc(count, sizeof *l->first);
    l->score = app_alloc(4 * count, sizeof *l->score);
    l->row = l->score + count;
    l->column = l->row + count;
    l->checked = l->column + count;
}

static void free_list(struct list *l) {
    free(l->at);
    free(l->rows);
    free(l->length);
    free(l->first);
    free(l->score);
}

static void fill(struct list *l, const struct sw_scoring *s, struct sw_item query, const struct sw_many *targets,
                 struct sw_hits *hits) {
    for (int k = 0; k < hits->count; k++) {
        struct sw_best *best = &hits->at[k].best;
        const int length = targets->length[best->target];
        if (best->score <= 0 || best->query_end || best->score >= SHRT_MAX - s->largest || length >= SHRT_MAX)
            continue;
        l->rows[l->count] = query.length;
        l->length[l->count] = length;
        l->first[l->count] = targets->first[best->target];
        l->score[l->count] = (short)best->score;
        l->at[l->count++] = best;
    }
}

static void run(struct sw_engine *engine, struct sw_ends *work, const struct list *l, const struct sw_scheme *scheme) {
    const size_t bytes = (size_t)l->count * sizeof *l->row;
    const double start = app_seconds();
    work->row = l->row, work->column = l->column;
    sw_nests_heddle.ends_matrix(work, scheme);
    engine->seconds += app_seconds() - start;
    if (!engine->check)
        return;
    short *column = app_alloc((size_t)l->count, sizeof *column);
    work->row = l->checked, work->column = column;
    sw_nests_serial.ends_matrix(work, scheme);
    engine->differs = engine->differs || memcmp(l->checked, l->row, bytes) || memcmp(column, l->column, bytes);
    free(column);
}

/* First the rows; then only the rows up to that one, whose first cell with the score is in the column sought. */
void sw_find_ends(struct sw_engine *engine, struct sw_item query, const struct sw_many *targets, struct sw_hits *hits) {
    const struct sw_scheme scheme = sw_scheme_of(engine->scoring, false);
    struct list l = {0};
    short matrix[SW_CODES][SW_CODES];
    if (hits->count < WORTH_IT || query.length >= SHRT_MAX)
        return;
    make_room(&l, (size_t)hits->count);
    fill(&l, engine->scoring, query, targets, hits);
    struct sw_ends work = {.n = query.length,
                           .count = l.count,
                           .a = query.codes,
                           .b = targets->residues,
                           .residues = targets->used,
                           .rows = l.rows,
                           .first = l.first,
                           .length = l.length,
                           .score = l.score,
                           .matrix = (const short(*)[SW_CODES])matrix};
    sw_narrow(scheme.matrix, matrix);
    if (l.count >= WORTH_IT) {
        run(engine, &work, &l, &scheme);
        for (int k = 0; k < l.count; k++)
            l.rows[k] = l.at[k]->query_end = l.row[k];
        run(engine, &work, &l, &scheme);
        for (int k = 0; k < l.count; k++)
            l.at[k]->target_end = l.column[k];
    }
    free_list(&l);
}
