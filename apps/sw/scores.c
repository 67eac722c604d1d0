/* SPDX-License-Identifier: Apache-2.0 */
#include "scores.h"

#include "app.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void sw_many_add(struct sw_many *many, struct sw_item item) {
    if (many->used + item.length > many->room) {
        many->room = 2 * (many->used + item.length);
        many->residues = app_resize(many->residues, (size_t)many->room, 1);
    }
    if (many->count == many->count_room) {
        many->count_room = many->count_room ? 2 * many->count_room : 64;
        many->first = app_resize(many->first, (size_t)many->count_room, sizeof *many->first);
        many->length = app_resize(many->length, (size_t)many->count_room, sizeof *many->length);
    }
    memcpy(many->residues + many->used, item.codes, (size_t)item.length);
    many->first[many->count] = many->used;
    many->length[many->count++] = item.length;
    many->used += item.length;
}

void sw_many_free(struct sw_many *many) {
    free(many->residues);
    free(many->first);
    free(many->length);
    *many = (struct sw_many){0};
}

void sw_narrow(const int (*matrix)[SW_CODES], short (*to)[SW_CODES]) {
    for (int x = 0; x < SW_CODES; x++)
        for (int y = 0; y < SW_CODES; y++)
            to[x][y] = (short)matrix[x][y];
}

static void run(const struct sw_nests *nests, const struct sw_scheme *scheme, const struct sw_scores *work) {
    (work->matrix ? nests->scores_matrix : nests->scores_equal)(work, scheme);
}

static void keep_score(void *cookie, const struct sw_best *best) { *(int *)cookie = best->score; }

static int in_32_bits(struct sw_engine *engine, struct sw_item one, bool one_is_query, struct sw_item other) {
    int score = 0;
    sw_score_block(engine, one_is_query ? &one : &other, 1, one_is_query ? &other : &one, 1, keep_score, &score);
    return score;
}

void sw_scores(struct sw_engine *engine, struct sw_item one, bool one_is_query, const struct sw_many *many,
               sw_fetch *fetch, int *score) {
    const struct sw_scheme scheme = sw_scheme_of(engine->scoring, !one_is_query);
    const int surely = SHRT_MAX - engine->scoring->largest;
    short matrix[SW_CODES][SW_CODES];
    short *own = many->found ? NULL : app_alloc((size_t)many->count, sizeof *own), *found = own ? own : many->found;
    struct sw_scores work = {.n = one.length,
                             .count = many->count,
                             .a = one.codes,
                             .b = many->residues,
                             .residues = many->used,
                             .first = many->first,
                             .length = many->length,
                             .score = found};
    double *times = app_alloc((size_t)engine->repeat, sizeof *times);
    if (scheme.matrix) {
        sw_narrow(scheme.matrix, matrix);
        work.matrix = (const short(*)[SW_CODES])matrix;
    }
    for (int k = 0; k < engine->repeat; k++) {
        const double start = app_seconds();
        run(&sw_nests_heddle, &scheme, &work);
        if (many->found)
            fetch(many);
        times[k] = app_seconds() - start;
    }
    engine->seconds += app_median(times, engine->repeat);
    engine->cells += (double)one.length * (double)many->used;
    if (engine->check) {
        work.score = app_alloc((size_t)many->count, sizeof *work.score);
        run(&sw_nests_serial, &scheme, &work);
        engine->differs = engine->differs || memcmp(work.score, found, (size_t)many->count * sizeof *found);
        free(work.score);
    }
    for (int k = 0; k < many->count; k++)
        score[k] = found[k] < surely ? found[k]
                                     : in_32_bits(engine, one, one_is_query,
                                                  (struct sw_item){many->residues + many->first[k], many->length[k]});
    free(times);
    free(own);
}

/* Rows of the query one after the other until one has the score. */
void sw_find_end(const struct sw_scoring *scoring, struct sw_item query, struct sw_item target, struct sw_best *best) {
    const int m = target.length, open = scoring->open, extend = scoring->extend, score = best->score;
    int *H = app_alloc(2 * ((size_t)m + 1), sizeof *H), *F = H + m + 1;
    best->query_end = best->target_end = 0;
    for (int i = 0; i < query.length && score > 0 && !best->query_end; i++) {
        const int *S = scoring->matrix[query.codes[i]];
        int corner = 0, left = 0, e = 0;
        for (int j = 1; j <= m; j++) {
            const int f_longer = F[j] - extend, f_opened = H[j] - open, e_longer = e - extend, e_opened = left - open;
            const int f = f_longer > f_opened ? f_longer : f_opened;
            e = e_longer > e_opened ? e_longer : e_opened;
            int h = corner + S[target.codes[j - 1]];
            h = h > e ? h : e;
            h = h > f ? h : f;
            left = h > 0 ? h : 0;
            corner = H[j];
            F[j] = f;
            H[j] = left;
            if (left == score && !best->target_end) {
                best->query_end = i + 1;
                best->target_end = j;
            }
        }
    }
    free(H);
}
