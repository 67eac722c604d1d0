/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs_generate.c - streams like those of the five benchmarks of Kim 2013, section 5. The numbers of jobs of a frame
 * are those for which the costs of Table 1 give the frames per second of Table 3 for a hexa-core and a GTX580; for the
 * other GPUs they then come out within 10 percent. How many jobs are there at first and how unevenly leaves hang under
 * traversals is not published and chosen here.
 */
#include "jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct jobs_benchmark jobs_benchmarks[] = {
    {"cloth", "92 k triangles, continuous collisions (traversal, leaf)"},
    {"nbody", "146 k triangles, continuous collisions (traversal, leaf)"},
    {"fracture", "252 k triangles, continuous collisions (traversal, leaf)"},
    {"path", "80 M incoherent rays (ray, hit)"},
    {"motion", "50 k samples of a roadmap (sample, overlap)"},
    {NULL, NULL},
};

static const struct shape {
    const char *type[2];
    long first[2];      /* type 0 and 1 in a frame, all in all */
    double there;       /* part of type 0 that is there when the frame begins */
    double uneven, lie; /* sigma of leaves per traversal, of the weights */
} shapes[] = {
    {{"traversal", "leaf"}, {101000, 762000}, 0.3, 0.8, 0.3},
    {{"traversal", "leaf"}, {118000, 2313000}, 0.3, 1.0, 0.3},
    {{"traversal", "leaf"}, {258000, 2267000}, 0.3, 1.0, 0.3},
    {{"ray", "hit"}, {80000000, 160000000}, 0.25, 0.2, 0.1},
    {{"sample", "overlap"}, {50000, 50000}, 1, 1.2, 0.8},
};
enum { SEGMENTS = 200 };

struct making {
    const struct shape *shape;
    long parent, leaf; /* in all */
    uint64_t state;
};

static bool add(struct jobs_frame *f, int t, const struct jobs_segment *segment, int room) {
    if (!f->segment[t] && !(f->segment[t] = calloc((size_t)room, sizeof **f->segment)))
        return false;
    f->segment[t][f->segments[t]++] = *segment;
    f->total[t] += segment->count;
    return true;
}

/* Weights whose mean over all jobs is one. */
static void level(struct jobs_frame *f, int t) {
    double sum = 0;
    for (int k = 0; k < f->segments[t]; k++)
        sum += f->segment[t][k].weight * (double)f->segment[t][k].count;
    for (int k = 0; k < f->segments[t] && sum > 0; k++)
        f->segment[t][k].weight *= (double)f->total[t] / sum;
}

/* So many parts of `total` as segments, in proportion to the values. */
static void deal(const double *value, long total, long *part) {
    double sum = 0, passed = 0;
    long given = 0;
    for (int k = 0; k < SEGMENTS; k++)
        sum += value[k];
    for (int k = 0; k < SEGMENTS; k++) {
        passed += value[k];
        const long until = k + 1 == SEGMENTS ? total : (long)(passed / sum * (double)total);
        part[k] = until > given ? until - given : 0;
        given += part[k];
    }
}

/* Parents make parents in the first three quarters, so that there are always more than run next. */
static bool make_frame(struct jobs_frame *f, struct making *m) {
    double even[SEGMENTS], more[SEGMENTS], leaves[SEGMENTS], drift = 0;
    long count[SEGMENTS], made[SEGMENTS], leaf[SEGMENTS];
    memset(f, 0, sizeof *f);
    f->begin[0] = (long)fmax(1, m->shape->there * (double)m->parent);
    for (int k = 0; k < SEGMENTS; k++) {
        even[k] = 1;
        more[k] = k < SEGMENTS * 3 / 4 ? exp(0.3 * sim_normal(&m->state)) : 0;
        /* what is near in the tree is near in the list: clusters of contacts */
        drift = 0.8 * drift + 0.6 * m->shape->uneven * sim_normal(&m->state);
        leaves[k] = exp(drift);
    }
    deal(even, m->parent, count);
    deal(more, m->parent - f->begin[0], made);
    deal(leaves, m->leaf, leaf);
    long lost[2] = {0, 0}; /* made by segments that have no jobs */
    for (int k = 0; k < SEGMENTS; k++) {
        const struct jobs_segment s = {.count = count[k],
                                       .made = {made[k] + lost[0], leaf[k] + lost[1]},
                                       .weight = exp(m->shape->lie * sim_normal(&m->state))};
        lost[0] = count[k] ? 0 : s.made[0];
        lost[1] = count[k] ? 0 : s.made[1];
        if (count[k] && !add(f, 0, &s, SEGMENTS))
            return false;
    }
    deal(even, m->leaf, leaf);
    for (int k = 0; k < SEGMENTS; k++) {
        const struct jobs_segment s = {.count = leaf[k], .weight = exp(m->shape->lie / 3 * sim_normal(&m->state))};
        if (leaf[k] && !add(f, 1, &s, SEGMENTS))
            return false;
    }
    level(f, 0);
    level(f, 1);
    return true;
}

bool jobs_stream_make(struct jobs_stream *s, const char *benchmark, int frames, double scale, uint64_t seed) {
    int which = 0;
    memset(s, 0, sizeof *s);
    while (jobs_benchmarks[which].name && strcmp(jobs_benchmarks[which].name, benchmark))
        which++;
    if (!jobs_benchmarks[which].name || !(s->frame = calloc((size_t)frames, sizeof *s->frame)))
        return false;
    struct making m = {&shapes[which], .state = seed * 0x9e3779b97f4a7c15u + (uint64_t)which};
    for (s->types = 0; s->types < 2; s->types++)
        strcpy(s->type[s->types], m.shape->type[s->types]);
    for (bool good = true; good && s->frames < frames; s->frames++) {
        const double differs = exp(0.1 * sim_normal(&m.state));
        m.parent = (long)fmax(1, scale * differs * (double)m.shape->first[0]);
        m.leaf = (long)fmax(1, scale * differs * (double)m.shape->first[1]);
        if (!make_frame(&s->frame[s->frames], &m)) {
            jobs_stream_free(s);
            return false;
        }
    }
    return true;
}

bool jobs_stream_write(const struct jobs_stream *s, FILE *f) {
    for (int t = 0; t < s->types; t++)
        fprintf(f, "type %s\n", s->type[t]);
    for (int k = 0; k < s->frames; k++) {
        const struct jobs_frame *frame = &s->frame[k];
        fputs("frame\n", f);
        for (int t = 0; t < s->types; t++)
            if (frame->begin[t])
                fprintf(f, "new %s %ld\n", s->type[t], frame->begin[t]);
        for (int t = 0; t < s->types; t++)
            for (int j = 0; j < frame->segments[t]; j++) {
                const struct jobs_segment *segment = &frame->segment[t][j];
                if (!segment->count)
                    continue;
                fprintf(f, "ran %s %ld", s->type[t], segment->count);
                for (int u = 0; u < s->types; u++)
                    if (segment->made[u])
                        fprintf(f, " %s=%ld", s->type[u], segment->made[u]);
                fprintf(f, " weight=%.6g\n", segment->weight);
            }
    }
    return !ferror(f);
}
