/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_generate.c - scenes like those of Hermann et al. 2010, section 6: bodies that fall, alone or in contact, of one
 * size or many; blocks in bars on a wall. A body is a partition. Its step in time is the forces and some iterations of
 * conjugate gradients; bodies that touch share one system: they see each other's surface in every product and add up
 * one number in every iteration. The paper says neither how many iterations nor how large a surface is; chosen here.
 */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct graph_example graph_examples[] = {
    {"fall", "64 bodies of 3000 particles that do not touch"},
    {"contact", "the same, 60 pairs touch"},
    {"collide", "the same; the pairs come and go, as in Figure 3"},
    {"mixed", "64 bodies of 100 to 3000 particles, half of them mass-springs; pairs come and go"},
    {"bars-small", "30 blocks of 512 particles in 12 bars of 1 to 5"},
    {"bars-large", "30 blocks of 3000 particles in 12 bars of 1 to 5"},
    {"independent", "64 bodies of 512 to 3000 particles that do not touch, as in Figure 5"},
    {NULL, NULL},
};
enum which { FALL, CONTACT, COLLIDE, MIXED, BARS_SMALL, BARS_LARGE, INDEPENDENT };
enum { GRADIENTS = 10, BODIES = 64, PAIRS = 60, BODY = 24, SURFACE = 12, NUMBER = 8 };

struct pair {
    int a, b;
};
struct making {
    struct graph_scene *s;
    struct graph_step *g;
    uint64_t random;
    int bodies, pairs;
    double *size;
    bool *springs;
    struct pair *pair;
    int *group;                                    /* [body] the least of those that are joined */
    int *state, *vector, *product, *surface, *sum; /* [body] data */
    int *all;                                      /* [body] the number of its group */
    int forces, spring_forces, contact, multiply, spring_multiply, add, update;
    bool good;
};

/* ---- what is there ----------------------------------------------------------------------------------------------- */
static int data(struct making *m, double bytes, int body) {
    const int d = graph_add_data(m->g, bytes, body);
    m->good = m->good && d >= 0;
    return d;
}
static void task(struct making *m, int type, double size, int body) {
    m->good = m->good && graph_add_task(m->g, type, size, body) >= 0;
}
static void uses(struct making *m, int d, char how) {
    m->good = m->good && graph_add_access(m->g, d, how != 'w', how != 'r');
}

static int find_group(const struct making *m, int body) {
    while (m->group[body] != body)
        body = m->group[body];
    return body;
}

static void join(struct making *m) {
    for (int b = 0; b < m->bodies; b++)
        m->group[b] = b;
    for (int k = 0; k < m->pairs; k++) {
        const int a = find_group(m, m->pair[k].a), b = find_group(m, m->pair[k].b);
        m->group[a > b ? a : b] = a < b ? a : b;
    }
    for (int b = 0; b < m->bodies; b++)
        m->group[b] = find_group(m, b);
}

static double surface_of(const struct making *m, int body) { return 6 * pow(m->size[body], 2.0 / 3); }

static void make_data(struct making *m) {
    for (int b = 0; b < m->bodies; b++) {
        m->state[b] = data(m, 3 * BODY * m->size[b], b);
        m->vector[b] = data(m, 2 * BODY * m->size[b], b);
        m->product[b] = data(m, BODY * m->size[b], b);
        m->surface[b] = data(m, SURFACE * surface_of(m, b), b);
        m->sum[b] = data(m, NUMBER, b);
        m->all[b] = m->group[b] == b ? data(m, NUMBER, b) : m->all[m->group[b]];
    }
}

/* ---- a step in time ---------------------------------------------------------------------------------------------- */
static void make_forces(struct making *m) {
    for (int b = 0; b < m->bodies; b++) {
        task(m, m->springs[b] ? m->spring_forces : m->forces, m->size[b], b);
        uses(m, m->state[b], 'u');
        uses(m, m->vector[b], 'w');
        uses(m, m->surface[b], 'w');
    }
    for (int k = 0; k < m->pairs; k++) {
        const int a = m->pair[k].a, b = m->pair[k].b;
        task(m, m->contact, surface_of(m, a) + surface_of(m, b), a);
        uses(m, m->surface[b], 'r');
        uses(m, m->vector[a], 'u');
        task(m, m->contact, surface_of(m, a) + surface_of(m, b), b);
        uses(m, m->surface[a], 'r');
        uses(m, m->vector[b], 'u');
    }
}

static void make_gradient(struct making *m) {
    for (int b = 0; b < m->bodies; b++) {
        task(m, m->springs[b] ? m->spring_multiply : m->multiply, m->size[b], b);
        uses(m, m->vector[b], 'r');
        uses(m, m->product[b], 'w');
        uses(m, m->sum[b], 'w');
        for (int k = 0; k < m->pairs; k++)
            if (m->pair[k].a == b || m->pair[k].b == b)
                uses(m, m->surface[m->pair[k].a == b ? m->pair[k].b : m->pair[k].a], 'r');
    }
    for (int b = 0; b < m->bodies; b++) {
        if (m->group[b] != b)
            continue;
        task(m, m->add, 1, b);
        for (int c = b; c < m->bodies; c++)
            if (m->group[c] == b)
                uses(m, m->sum[c], 'r');
        uses(m, m->all[b], 'w');
    }
    for (int b = 0; b < m->bodies; b++) {
        task(m, m->update, m->size[b], b);
        uses(m, m->all[b], 'r');
        uses(m, m->product[b], 'r');
        uses(m, m->vector[b], 'u');
        uses(m, m->surface[b], 'w');
    }
}

static void make_step(struct making *m, long iterations, int pairs) {
    const int had = m->pairs;
    m->pairs = pairs;
    m->good = m->good && (m->g = graph_add_step(m->s, iterations));
    if (!m->good)
        return;
    join(m);
    make_data(m);
    make_forces(m);
    for (int k = 0; k < GRADIENTS; k++)
        make_gradient(m);
    for (int b = 0; b < m->bodies; b++) {
        task(m, m->update, m->size[b], b);
        uses(m, m->vector[b], 'r');
        uses(m, m->state[b], 'u');
    }
    m->good = m->good && graph_finish(m->g);
    m->pairs = had;
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */
/* Neighbours in a cube of bodies, in a random order; at most so many. */
static void make_pairs(struct making *m, int most) {
    const int side = (int)ceil(cbrt(m->bodies));
    const int step[] = {1, side, side * side};
    m->pairs = 0;
    for (int b = 0; b < m->bodies; b++)
        for (int k = 0; k < 3; k++)
            if (b / step[k] % side + 1 < side && b + step[k] < m->bodies)
                m->pair[m->pairs++] = (struct pair){b, b + step[k]};
    for (int k = m->pairs - 1; k > 0; k--) {
        const int j = (int)(sim_uniform(&m->random) * (k + 1));
        const struct pair p = m->pair[k];
        m->pair[k] = m->pair[j];
        m->pair[j] = p;
    }
    m->pairs = m->pairs < most ? m->pairs : most;
}

/* 12 bars of 30 blocks; the same again where there are more. */
static void make_bars(struct making *m) {
    static const int bar[] = {5, 4, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1};
    m->pairs = 0;
    for (int b = 0, k = 0, left = bar[0]; b + 1 < m->bodies; b++)
        if (--left)
            m->pair[m->pairs++] = (struct pair){b, b + 1};
        else
            left = bar[++k % 12];
}

static void make_sizes(struct making *m, enum which which) {
    for (int b = 0; b < m->bodies; b++) {
        const double u = sim_uniform(&m->random);
        m->size[b] = which == MIXED         ? floor(100 * pow(30, u))
                     : which == INDEPENDENT ? floor(512 + u * (3000 - 512))
                     : which == BARS_SMALL  ? 512
                                            : 3000;
        m->springs[b] = which == MIXED && b % 2;
    }
}

static void make_steps(struct making *m, enum which which, long iterations) {
    enum { RISE = 5 };
    if (which == COLLIDE || which == MIXED) {
        const long each = iterations / (2 * RISE + 1) > 1 ? iterations / (2 * RISE + 1) : 1;
        for (int k = -RISE; k <= RISE; k++)
            make_step(m, each, m->pairs * (RISE - abs(k)) / RISE);
        return;
    }
    make_step(m, iterations, which == FALL || which == INDEPENDENT ? 0 : m->pairs);
}

static bool prepare(struct making *m) {
    const size_t n = (size_t)m->bodies;
    int **lists[] = {&m->group, &m->state, &m->vector, &m->product, &m->surface, &m->sum, &m->all};
    bool good = (m->size = calloc(n, sizeof *m->size)) && (m->springs = calloc(n, sizeof *m->springs)) &&
                (m->pair = calloc(3 * n, sizeof *m->pair));
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        good = (*lists[k] = calloc(n, sizeof(int))) && good;
    return good;
}

static void drop(struct making *m) {
    int *lists[] = {m->group, m->state, m->vector, m->product, m->surface, m->sum, m->all};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        free(lists[k]);
    free(m->size);
    free(m->springs);
    free(m->pair);
}

bool graph_scene_make(struct graph_scene *s, const char *example, long bodies, long iterations, uint64_t seed) {
    int which = 0;
    memset(s, 0, sizeof *s);
    while (graph_examples[which].name && strcmp(graph_examples[which].name, example))
        which++;
    if (!graph_examples[which].name)
        return false;
    const bool bars = which == BARS_SMALL || which == BARS_LARGE;
    struct making m = {.s = s, .random = seed * 0x9e3779b97f4a7c15u + (uint64_t)which};
    m.bodies = bodies ? (int)bodies : bars ? 30 : BODIES;
    m.good = prepare(&m);
    if (m.good) {
        m.forces = graph_scene_type(s, "force");
        m.spring_forces = graph_scene_type(s, "spring_force");
        m.contact = graph_scene_type(s, "contact");
        m.multiply = graph_scene_type(s, "product");
        m.spring_multiply = graph_scene_type(s, "spring_product");
        m.add = graph_scene_type(s, "add");
        m.update = graph_scene_type(s, "update");
        make_sizes(&m, which);
        if (bars)
            make_bars(&m);
        else
            make_pairs(&m, PAIRS * m.bodies / BODIES);
        make_steps(&m, which, iterations);
    }
    drop(&m);
    if (!m.good)
        graph_scene_free(s);
    return m.good;
}
