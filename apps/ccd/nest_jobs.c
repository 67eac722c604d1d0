/* SPDX-License-Identifier: Apache-2.0 */
/* A query as jobs. A place of the hierarchy makes pairs of triangles; a pair makes tests; a test makes a hit, nothing,
 * or parts; a part likewise. On processors a place makes tests at once: its triangle is at hand. Compiled twice: as it
 * stands, and with the pragmas ignored. */
#include "traverse.h"

#ifdef CCD_SERIAL
#define CCD_FORM(name) name##_serial
#else
#define CCD_FORM(name) name##_heddle
#endif
#ifndef CCD_ON_GPU /* tests take a GPU's jobs on processors */
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define CCD_ON_GPU 1
#else
#define CCD_ON_GPU 0
#endif
#endif

CCD_INLINE void take_place(const struct view *view, uint32_t place, struct pairs *pairs, struct pairs *corners,
                           struct pairs *edges) {
    if (!CCD_ON_GPU) {
        ccd_traverse(view, place, corners, edges);
        return;
    }
    struct ccd_walk walk = ccd_start(view, place);
    for (uint32_t other; ccd_step(view, &walk, &other);)
        if (other != BVH_NOTHING)
            heddle_list_append(pairs, (struct pair){place, other});
}

CCD_INLINE void take_pair(const struct view *view, struct pair pair, struct pairs *corners, struct pairs *edges) {
    const struct vec3 move = ccd_move_of(&view->movers[pair.first]);
    struct ccd_face face;
    ccd_load_face(view, view->order[pair.first], move, view->margin, &face);
    ccd_pair(view, &face, move, view->order[pair.second], corners, edges);
}

/* Where tests and parts append. */
struct outlets {
    struct hard_tests *hard;
    struct contacts *hits;
    struct parts *parts, *rest;
    struct contacts *found;
};

/* All cells that are left, each as a part with its share of `boxes`; where that is little they wait in `rest`. */
CCD_INLINE void divide(struct ccd_search *s, struct pair pair, uint32_t boxes, struct parts *parts,
                       struct parts *rest) {
    const uint32_t share = boxes / ccd_left(s);
    do {
        const struct ccd_cell *c = &s->cell;
        const struct part part = {.pair = pair,
                                  .boxes = share,
                                  .depth = (uint32_t)(s->depth + s->path.depth),
                                  .low = {c->low[0], c->low[1], c->low[2]},
                                  .first = s->first,
                                  .halved = {(uint8_t)c->halved[0], (uint8_t)c->halved[1], (uint8_t)c->halved[2]}};
        if (share < BOXES_LEAST)
            heddle_list_append(rest, part);
        else
            heddle_list_append(parts, part);
    } while (ccd_advance(&s->path, &s->cell));
}

/* A test that has looked at `looked` boxes. On a GPU it goes on with GROWTH times as many in a list, where all have
 * about as much to do: the lanes of a warp wait for the longest. */
CCD_INLINE void go_on(const struct ccd_limits *limits, const struct ccd_motion *m, struct ccd_search *s,
                      struct pair pair, uint32_t looked, const struct outlets *to, struct jobs_tally *tally) {
    const uint32_t most = limits->boxes < BOXES_LONG ? limits->boxes : BOXES_LONG,
                   some = !CCD_ON_GPU ? most
                          : looked    ? looked * BOXES_GROWTH
                                      : BOXES_SHORT,
                   until = some < most ? some : most;
    uint32_t spent;
    const bool done = ccd_search(m, limits->tolerance, until - looked, s, &spent);
    tally->cells += spent;
    if (!done && until < most) {
        heddle_list_append(to->hard, (struct hard_test){pair, until, *s});
    } else if (!done && limits->boxes > BOXES_LONG) {
        if (s->first <= 1)
            heddle_list_append(to->found, (struct contact){pair, s->first});
        divide(s, pair, (limits->boxes - BOXES_LONG) / 2, to->parts, to->rest);
    } else {
        const double time = done ? s->first : ccd_give_up(s);
        tally->undecided += !done;
        if (time <= 1)
            heddle_list_append(to->hits, (struct contact){pair, time});
    }
}

CCD_INLINE void take_test(const struct view *view, const struct ccd_limits *limits, struct pair pair,
                          const struct outlets *to, struct jobs_tally *tally) {
    struct ccd_query q;
    struct ccd_motion m;
    struct ccd_search s = CCD_SEARCH_ALL;
    ccd_load_pair(&q, view, pair);
    ccd_set_motion(&m, &q);
    tally->tests++;
    go_on(limits, &m, &s, pair, 0, to, tally);
}

CCD_INLINE void take_hard(const struct view *view, const struct ccd_limits *limits, const struct hard_test *test,
                          const struct outlets *to, struct jobs_tally *tally) {
    struct ccd_query q;
    struct ccd_motion m;
    struct ccd_search s = test->search;
    ccd_load_pair(&q, view, test->pair);
    ccd_set_motion(&m, &q);
    go_on(limits, &m, &s, test->pair, test->looked, to, tally);
}

CCD_INLINE struct ccd_search begin_part(const struct view *view, const struct part *part, struct ccd_motion *m) {
    struct ccd_query q;
    ccd_load_pair(&q, view, part->pair);
    ccd_set_motion(m, &q);
    return (struct ccd_search){
        .cell = {{part->low[0], part->low[1], part->low[2]}, {part->halved[0], part->halved[1], part->halved[2]}},
        .depth = (int)part->depth,
        .first = part->first,
    };
}

CCD_INLINE void take_part(const struct view *view, const struct ccd_limits *limits, const struct part *part,
                          const struct outlets *to, struct jobs_tally *tally) {
    const uint32_t boxes = part->boxes < BOXES_LONG ? part->boxes : BOXES_LONG;
    struct ccd_motion m;
    struct ccd_search s = begin_part(view, part, &m);
    uint32_t spent;
    const bool done = ccd_search(&m, limits->tolerance, boxes, &s, &spent);
    tally->cells += spent;
    if (s.first < part->first)
        heddle_list_append(to->found, (struct contact){part->pair, s.first});
    if (!done)
        divide(&s, part->pair, part->boxes - boxes, to->parts, to->rest);
}

/* What is left of a part goes to `next`, and what became of it to `ends`. */
CCD_INLINE void take_round(const struct view *view, const struct ccd_limits *limits, const struct part *part,
                           struct parts *next, struct ends *ends) {
    struct ccd_motion m;
    struct ccd_search s = begin_part(view, part, &m);
    struct ended end = {.contact = {part->pair, CCD_MISS}, .spent = part->spent};
    const bool done = ccd_search(&m, limits->tolerance, part->boxes, &s, &end.boxes);
    end.contact.time = s.first;
    heddle_list_append(ends, end);
    if (!done)
        divide(&s, part->pair, UINT32_MAX, next, next);
}

/* Processors have a second form of each job: the same source for vectors of four. */
#if defined(__x86_64__) && !CCD_ON_GPU
#define CCD_WIDE __attribute__((target("avx2,bmi,bmi2"), noinline)) static
CCD_WIDE void wide_place(const struct view *view, uint32_t place, struct pairs *pairs, struct pairs *corners,
                         struct pairs *edges) {
    take_place(view, place, pairs, corners, edges);
}
CCD_WIDE void wide_pair(const struct view *view, struct pair pair, struct pairs *corners, struct pairs *edges) {
    take_pair(view, pair, corners, edges);
}
CCD_WIDE void wide_test(const struct view *view, const struct ccd_limits *limits, struct pair pair,
                        const struct outlets *to, struct jobs_tally *tally) {
    take_test(view, limits, pair, to, tally);
}
CCD_WIDE void wide_part(const struct view *view, const struct ccd_limits *limits, const struct part *part,
                        const struct outlets *to, struct jobs_tally *tally) {
    take_part(view, limits, part, to, tally);
}
CCD_WIDE void wide_round(const struct view *view, const struct ccd_limits *limits, const struct part *part,
                         struct parts *next, struct ends *ends) {
    take_round(view, limits, part, next, ends);
}
CCD_INLINE void any_place(bool wide, const struct view *view, uint32_t place, struct pairs *pairs,
                          struct pairs *corners, struct pairs *edges) {
    if (wide)
        wide_place(view, place, pairs, corners, edges);
    else
        take_place(view, place, pairs, corners, edges);
}
CCD_INLINE void any_pair(bool wide, const struct view *view, struct pair pair, struct pairs *corners,
                         struct pairs *edges) {
    if (wide)
        wide_pair(view, pair, corners, edges);
    else
        take_pair(view, pair, corners, edges);
}
CCD_INLINE void any_test(bool wide, const struct view *view, const struct ccd_limits *limits, struct pair pair,
                         const struct outlets *to, struct jobs_tally *tally) {
    if (wide)
        wide_test(view, limits, pair, to, tally);
    else
        take_test(view, limits, pair, to, tally);
}
CCD_INLINE void any_part(bool wide, const struct view *view, const struct ccd_limits *limits, const struct part *part,
                         const struct outlets *to, struct jobs_tally *tally) {
    if (wide)
        wide_part(view, limits, part, to, tally);
    else
        take_part(view, limits, part, to, tally);
}
CCD_INLINE void any_round(bool wide, const struct view *view, const struct ccd_limits *limits, const struct part *part,
                          struct parts *next, struct ends *ends) {
    if (wide)
        wide_round(view, limits, part, next, ends);
    else
        take_round(view, limits, part, next, ends);
}
#else
#define any_place(wide, ...) take_place(__VA_ARGS__)
#define any_pair(wide, ...) take_pair(__VA_ARGS__)
#define any_test(wide, ...) take_test(__VA_ARGS__)
#define any_part(wide, ...) take_part(__VA_ARGS__)
#define any_round(wide, ...) take_round(__VA_ARGS__)
#endif

void CCD_FORM(jobs_tests)(const struct jobs_setting *set, const struct view *given, const struct jobs_lists *lists,
                          struct jobs_tally *all) {
    struct places *places = lists->places;
    struct pairs *pairs = lists->pairs, *corners = lists->corners, *edges = lists->edges;
    struct hard_tests *hard = lists->hard;
    struct parts *parts = lists->parts, *rest = lists->rest;
    struct contacts *hits = lists->hits, *found = lists->found;
    const struct vec3 *before = given->before, *after = given->after;
    const struct bvh_triangle *faces = given->faces, *face_edges = given->face_edges;
    const struct edge *ends = given->edges;
    const uint8_t *owns = given->owns;
    const uint32_t *body = given->body, *order = given->order;
    const struct bvh_binary *nodes = given->nodes;
    const struct start *starts = given->starts;
    const struct moving *moving = given->moving, *movers = given->movers;
    const long point_count = set->points, face_count = set->faces, edge_count = set->edges ? set->edges : 1,
               place_count = set->places, node_count = set->ends;
    unsigned long corner_tests = 0, corner_cells = 0, corner_misses = 0, edge_tests = 0, edge_cells = 0,
                  edge_misses = 0, hard_cells = 0, hard_misses = 0, part_cells = 0; /* misses: undecided */
    (void)point_count, (void)face_count, (void)edge_count, (void)place_count, (void)node_count;
#pragma heddle jobs
    while (places->count || pairs->count || corners->count || edges->count || hard->count || parts->count) {
#pragma heddle for append(pairs, corners, edges) map(to: set[0:1], before[0:point_count], after[0:point_count]) \
    map(to: faces[0:face_count], face_edges[0:face_count], owns[0:face_count], body[0:face_count]) \
    map(to: nodes[0:node_count], order[0:place_count], starts[0:place_count], moving[0:node_count], movers[0:place_count])
        for (long k = 0; k < places->count; k++) {
            const uint32_t place = places->at[k];
            const struct view view = {.before = before,
                                      .after = after,
                                      .faces = faces,
                                      .face_edges = face_edges,
                                      .owns = owns,
                                      .body = body,
                                      .nodes = nodes,
                                      .order = order,
                                      .starts = starts,
                                      .moving = moving,
                                      .movers = movers,
                                      .ends = set->ends,
                                      .which = set->which,
                                      .margin = set->margin};
            any_place(set->wide, &view, place, pairs, corners, edges);
        }
        heddle_list_clear(places);
#pragma heddle for append(corners, edges) map(to: set[0:1], before[0:point_count], after[0:point_count]) \
    map(to: faces[0:face_count], face_edges[0:face_count], owns[0:face_count], order[0:place_count], movers[0:place_count])
        for (long k = 0; k < pairs->count; k++) {
            const struct pair pair = pairs->at[k];
            const struct view view = {.before = before,
                                      .after = after,
                                      .faces = faces,
                                      .face_edges = face_edges,
                                      .owns = owns,
                                      .order = order,
                                      .movers = movers,
                                      .margin = set->margin};
            any_pair(set->wide, &view, pair, corners, edges);
        }
        heddle_list_clear(pairs);
#pragma heddle for append(hard, hits, parts, rest, found) reduction(+: corner_tests, corner_cells, corner_misses) map(to: set[0:1]) \
    map(to: before[0:point_count], after[0:point_count], faces[0:face_count])
        for (long k = 0; k < corners->count; k++) {
            const struct pair pair = corners->at[k];
            const struct view view = {.before = before, .after = after, .faces = faces};
            const struct outlets to = {hard, hits, parts, rest, found};
            struct jobs_tally tally = {0, 0, 0};
            any_test(set->wide, &view, &set->limits, pair, &to, &tally);
            corner_tests += tally.tests, corner_cells += tally.cells, corner_misses += tally.undecided;
        }
        heddle_list_clear(corners);
#pragma heddle for append(hard, hits, parts, rest, found) reduction(+: edge_tests, edge_cells, edge_misses) map(to: set[0:1]) \
    map(to: before[0:point_count], after[0:point_count], ends[0:edge_count])
        for (long k = 0; k < edges->count; k++) {
            const struct pair pair = edges->at[k];
            const struct view view = {.before = before, .after = after, .edges = ends};
            const struct outlets to = {hard, hits, parts, rest, found};
            struct jobs_tally tally = {0, 0, 0};
            any_test(set->wide, &view, &set->limits, pair, &to, &tally);
            edge_tests += tally.tests, edge_cells += tally.cells, edge_misses += tally.undecided;
        }
        heddle_list_clear(edges);
#pragma heddle for append(hard, hits, parts, rest, found) reduction(+: hard_cells, hard_misses) map(to: set[0:1]) \
    map(to: before[0:point_count], after[0:point_count], faces[0:face_count], ends[0:edge_count])
        for (long k = 0; k < hard->count; k++) { /* on processors there are none */
            const struct hard_test test = hard->at[k];
            const struct view view = {.before = before, .after = after, .faces = faces, .edges = ends};
            const struct outlets to = {hard, hits, parts, rest, found};
            struct jobs_tally tally = {0, 0, 0};
            take_hard(&view, &set->limits, &test, &to, &tally);
            hard_cells += tally.cells, hard_misses += tally.undecided;
        }
        heddle_list_clear(hard);
#pragma heddle for append(parts, rest, found) reduction(+: part_cells) map(to: set[0:1]) \
    map(to: before[0:point_count], after[0:point_count], faces[0:face_count], ends[0:edge_count])
        for (long k = 0; k < parts->count; k++) {
            const struct part part = parts->at[k];
            const struct view view = {.before = before, .after = after, .faces = faces, .edges = ends};
            const struct outlets to = {NULL, NULL, parts, rest, found};
            struct jobs_tally tally = {0, 0, 0};
            any_part(set->wide, &view, &set->limits, &part, &to, &tally);
            part_cells += tally.cells;
        }
        heddle_list_clear(parts);
    }
    *all = (struct jobs_tally){corner_tests + edge_tests, corner_cells + edge_cells + hard_cells + part_cells,
                               corner_misses + edge_misses + hard_misses};
}

void CCD_FORM(jobs_parts)(const struct jobs_setting *set, const struct view *given, struct parts *now,
                          struct parts *next, struct ends *ends) {
    const struct vec3 *before = given->before, *after = given->after;
    const struct bvh_triangle *faces = given->faces;
    const struct edge *edges = given->edges;
    const long point_count = set->points, face_count = set->faces, edge_count = set->edges ? set->edges : 1;
    (void)point_count, (void)face_count, (void)edge_count;
#pragma heddle jobs
    while (now->count) {
#pragma heddle for append(next, ends) map(to: set[0:1], before[0:point_count], after[0:point_count]) \
    map(to: faces[0:face_count], edges[0:edge_count])
        for (long k = 0; k < now->count; k++) {
            const struct part part = now->at[k];
            const struct view view = {.before = before, .after = after, .faces = faces, .edges = edges};
            any_round(set->wide, &view, &set->limits, &part, next, ends);
        }
        heddle_list_clear(now);
    }
}
