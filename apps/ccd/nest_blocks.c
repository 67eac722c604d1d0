/* SPDX-License-Identifier: Apache-2.0 */
/* The loop over blocks of triangles. Compiled twice: as it stands, and with the pragmas ignored. */
#include "traverse.h"

#ifdef CCD_SERIAL
#define CCD_NEST(name) name##_serial
#else
#define CCD_NEST(name) name##_heddle
#endif

enum { TESTS = 1024 };

/* Runs the tests of one place and appends its hits. */
CCD_INLINE uint32_t run_place(const struct view *view, const struct ccd_limits *limits, uint32_t place,
                              struct contact *hits, uint32_t room, uint32_t *found) {
    struct pair tests[TESTS];
    uint32_t all = 0;
    for (uint32_t skip = 0; skip <= all; skip += TESTS) {
        const struct pair_list list = {tests, skip, TESTS, &all, false};
        const struct test_lists both = {list, list};
        all = 0;
        ccd_traverse(view, place, &both);
        for (uint32_t k = 0; k < TESTS && skip + k < all; k++) {
            uint32_t cells;
            const double time = tests[k].first & PAIR_EDGES ? ccd_edge_edge(view, limits, tests[k], &cells)
                                                            : ccd_vertex_face(view, limits, tests[k], &cells);
            if (time > 1)
                continue;
            if (*found < room)
                hits[*found] = (struct contact){tests[k], time};
            ++*found;
        }
    }
    return all;
}

CCD_INLINE uint32_t run_block(const struct block_job *job, const struct view *view, long block, struct contact *hits,
                              uint32_t room, uint32_t *count) {
    const uint32_t begin = (uint32_t)block * BLOCK_PLACES;
    uint32_t found = 0, tests = 0;
    for (uint32_t place = begin; place < begin + BLOCK_PLACES && place < job->places; place++)
        tests += run_place(view, &job->limits, place, hits, room, &found);
    *count = found;
    return tests;
}

/* The host has a second form: the same source for vectors of four. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__)
__attribute__((target("avx2,bmi,bmi2"), noinline)) static uint32_t block_wide(const struct block_job *job,
                                                                              const struct view *view, long block,
                                                                              struct contact *hits, uint32_t room,
                                                                              uint32_t *count) {
    return run_block(job, view, block, hits, room, count);
}

CCD_INLINE uint32_t any_block(const struct block_job *job, const struct view *view, long block, struct contact *hits,
                              uint32_t room, uint32_t *count) {
    return job->wide ? block_wide(job, view, block, hits, room, count) : run_block(job, view, block, hits, room, count);
}
#else
#define any_block run_block
#endif

unsigned long CCD_NEST(blocks)(const struct block_job *job, const struct view *given, struct contact *hits,
                               uint32_t *counts, long blocks) {
    const struct vec3 *before = given->before, *after = given->after;
    const struct bvh_triangle *faces = given->faces, *face_edges = given->face_edges;
    const struct edge *edges = given->edges;
    const uint8_t *owns = given->owns;
    const uint32_t *body = given->body, *order = given->order;
    const struct bvh_binary *nodes = given->nodes;
    const struct start *starts = given->starts;
    const struct moving *moving = given->moving, *movers = given->movers;
    const long point_count = job->points, face_count = job->faces, edge_count = job->edges ? job->edges : 1,
               places = job->places, ends = job->ends;
    unsigned long tests = 0;
    (void)point_count, (void)face_count, (void)edge_count, (void)places, (void)ends;
#pragma heddle for independent schedule(auto) map(to: job[0:1], before[0:point_count], after[0:point_count], faces[0:face_count]) \
    map(to: face_edges[0:face_count], edges[0:edge_count], owns[0:face_count], body[0:face_count], nodes[0:ends]) \
    map(to: order[0:places], starts[0:places], moving[0:ends], movers[0:places]) \
    map(from: hits[heddle_lo * BLOCK_HITS:heddle_count * BLOCK_HITS], counts[heddle_lo:heddle_count]) reduction(+: tests)
    for (long k = 0; k < blocks; k++) {
        const struct view view = {before, after,  faces,  face_edges, edges,     owns,       body,       nodes,
                                  order,  starts, moving, movers,     job->ends, job->which, job->margin};
        uint32_t count = 0;
        tests += any_block(job, &view, k, hits + k * BLOCK_HITS, BLOCK_HITS, &count);
        counts[k] = count;
    }
    return tests;
}

#ifdef CCD_SERIAL
void block_again(const struct block_job *job, const struct view *view, long block, struct contact *hits,
                 uint32_t room) {
    uint32_t count;
    run_block(job, view, block, hits, room, &count);
}
#endif
