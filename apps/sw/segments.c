/* SPDX-License-Identifier: Apache-2.0 */
#include "segments.h"

#include "app.h"
#include "diagonals.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A segment begins so many overlaps after the one before: more make less work twice, and larger problems, of which one
 * takes as long on a GPU as all others together. */
enum { SPANS = 4, SHORTEST = 1024, CELLS = 1 << 24 };

/* Residues of a target that an alignment with a score above 0 covers at most: all gaps together cost less than all
 * matches give. */
static long span_of(const struct sw_scoring *s, long length) {
    const long gaps = (length * s->largest - s->open) / s->extend + 1;
    return length + (gaps > 0 ? gaps : 0);
}

static long step_of(const struct sw_scoring *s, long length) {
    const long span = span_of(s, length), fits = CELLS / length - span;
    const long step = fits < span ? span : fits < SPANS * span ? fits : SPANS * span;
    return step < SHORTEST ? SHORTEST : step;
}

static long count_of(const struct sw_scoring *s, long length, long target) {
    return (target + step_of(s, length) - 1) / step_of(s, length);
}

/* The k-th of a target with so many residues. */
static void place_of(const struct sw_scoring *s, long length, long target, long k, long *begin, int *size) {
    const long step = step_of(s, length), most = step + span_of(s, length);
    *begin = k * step;
    *size = (int)(target - *begin < most ? target - *begin : most);
}

/* The targets that an item meets: from `first` to before `last`. */
struct range {
    int first, last;
};

static struct range range_of(const struct sw_segments *g, int item, const struct sw_many *targets) {
    const int own = g->partners ? g->first_partner + item / g->partners : 0;
    return g->partners ? (struct range){own, own + 1} : (struct range){0, targets->count};
}

struct problems {
    struct sw_pairs work;
    long *a_first, *b_first;
    int *a_length, *b_length;
};

static void make_room(struct problems *p, long count) {
    p->a_first = app_resize(NULL, (size_t)count, sizeof *p->a_first);
    p->b_first = app_resize(NULL, (size_t)count, sizeof *p->b_first);
    p->a_length = app_resize(NULL, (size_t)count, sizeof *p->a_length);
    p->b_length = app_resize(NULL, (size_t)count, sizeof *p->b_length);
    p->work.a_first = p->a_first, p->work.b_first = p->b_first;
    p->work.a_length = p->a_length, p->work.b_length = p->b_length;
}

static void free_problems(struct problems *p) {
    free(p->a_first);
    free(p->b_first);
    free(p->a_length);
    free(p->b_length);
}

static long count_all(struct sw_segments *g, const struct sw_scoring *s, const struct sw_item *items, int count,
                      const struct sw_many *targets) {
    long sum = 0;
    g->first = app_alloc((size_t)count + 1, sizeof *g->first);
    for (int k = 0; k < count; k++) {
        const struct range r = range_of(g, k, targets);
        for (int t = r.first; t < r.last; t++)
            sum += count_of(s, items[k].length, targets->length[t]);
        g->first[k + 1] = sum;
    }
    return sum;
}

static void fill(struct problems *p, const struct sw_segments *g, const struct sw_scoring *s,
                 const struct sw_many *items, const struct sw_many *targets) {
    int at = 0;
    for (int k = 0; k < items->count; k++)
        for (int t = range_of(g, k, targets).first; t < range_of(g, k, targets).last; t++) {
            const long n = count_of(s, items->length[k], targets->length[t]);
            for (long j = 0; j < n; j++, at++) {
                place_of(s, items->length[k], targets->length[t], j, &p->a_first[at], &p->a_length[at]);
                p->a_first[at] += targets->first[t];
                p->b_first[at] = items->first[k];
                p->b_length[at] = items->length[k];
            }
        }
    p->work.count = at;
    p->work.a = targets->residues, p->work.a_residues = targets->used;
    p->work.b = items->residues, p->work.b_residues = items->used;
}

static void run(struct sw_engine *engine, struct problems *p, short *score) {
    const struct sw_scheme scheme = sw_scheme_of(engine->scoring, false);
    double *times = app_alloc((size_t)engine->repeat, sizeof *times);
    p->work.score = score;
    for (int k = 0; k < engine->repeat; k++) {
        const double start = app_seconds();
        sw_nests_heddle.pairs_equal(&p->work, &scheme);
        times[k] = app_seconds() - start;
    }
    engine->seconds += app_median(times, engine->repeat);
    free(times);
    if (!engine->check)
        return;
    p->work.score = app_alloc((size_t)p->work.count, sizeof *score);
    sw_nests_serial.pairs_equal(&p->work, &scheme);
    engine->differs = engine->differs || memcmp(p->work.score, score, (size_t)p->work.count * sizeof *score);
    free(p->work.score);
}

struct relay {
    sw_found *found;
    void *cookie;
    int query, target;
};

static void pass_on(void *cookie, const struct sw_best *best) {
    const struct relay *r = cookie;
    struct sw_best whole = *best;
    whole.query = r->query;
    whole.target = r->target;
    r->found(r->cookie, &whole);
}

void sw_segments_score(struct sw_segments *g, struct sw_engine *engine, const struct sw_item *items, int count,
                       const struct sw_many *targets, sw_found *found, void *cookie) {
    const struct sw_scoring *s = engine->scoring;
    struct sw_many many = {0};
    struct problems p = {0};
    for (int k = 0; k < count; k++)
        sw_many_add(&many, items[k]);
    const long problems = count_all(g, s, items, count, targets);
    make_room(&p, problems);
    g->score = app_alloc((size_t)problems, sizeof *g->score);
    fill(&p, g, s, &many, targets);
    run(engine, &p, g->score);
    const short *at = g->score;
    for (int k = 0; k < count; k++)
        for (int t = range_of(g, k, targets).first; t < range_of(g, k, targets).last; t++) {
            struct sw_best best = {.query = k, .target = t};
            for (const short *end = at + count_of(s, items[k].length, targets->length[t]); at < end; at++)
                best.score = *at > best.score ? *at : best.score;
            engine->cells += (double)items[k].length * targets->length[t];
            if (best.score < SHRT_MAX - s->largest) {
                found(cookie, &best);
                continue;
            }
            const struct sw_item target = {targets->residues + targets->first[t], targets->length[t]};
            struct relay relay = {found, cookie, k, t};
            engine->cells -= (double)items[k].length * targets->length[t]; /* counted there */
            sw_score_block(engine, &items[k], 1, &target, 1, pass_on, &relay);
        }
    free_problems(&p);
    sw_many_free(&many);
}

void sw_segments_free(struct sw_segments *g) {
    free(g->score);
    free(g->first);
}

void sw_segments_find_end(const struct sw_segments *g, const struct sw_scoring *s, struct sw_item item,
                          const struct sw_many *targets, struct sw_best *best) {
    const short *score = g->score + g->first[best->query];
    for (int t = range_of(g, best->query, targets).first; t < best->target; t++)
        score += count_of(s, item.length, targets->length[t]);
    const long count = count_of(s, item.length, targets->length[best->target]);
    for (long k = 0; k < count; k++) {
        struct sw_best here = {.score = best->score};
        long begin;
        int size;
        if (score[k] != best->score)
            continue;
        place_of(s, item.length, targets->length[best->target], k, &begin, &size);
        const struct sw_item segment = {targets->residues + targets->first[best->target] + begin, size};
        sw_diagonals_find_end(s, item, segment, &here);
        here.target_end += (int)begin;
        if (!best->query_end || here.query_end < best->query_end ||
            (here.query_end == best->query_end && here.target_end < best->target_end)) {
            best->query_end = here.query_end;
            best->target_end = here.target_end;
        }
    }
}
