/* SPDX-License-Identifier: Apache-2.0 */
/* work.c - loops: what each iteration costs on each kind of device. Seeded; the mean cost is one. */
#include "sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t sim_random(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double sim_uniform(uint64_t *state) { return (double)(sim_random(state) >> 11) * 0x1p-53; }

double sim_normal(uint64_t *state) {
    const double u = sim_uniform(state), v = sim_uniform(state);
    return sqrt(-2 * log(1 - u)) * cos(2 * M_PI * v);
}

const struct sim_shape sim_shapes[] = {
    {"uniform", "every iteration costs the same"},
    {"linear", "the cost rises from 0 to 2 (a triangular nest)"},
    {"falling", "the cost falls from 2 to 0"},
    {"random", "independent costs, 0.1 to 1.9"},
    {"heavy", "independent costs with a long tail: one iteration in a hundred costs 30 times the others"},
    {"peaks", "a low floor with five high peaks"},
    {"steps", "twelve blocks of different cost"},
    {"spectra", "noisy and uneven, as peptide search is (Weber 2012, figures 4.1 and 6.4)"},
    {"image", "rows of a picture: cheap sky, costly reflecting spheres (Weber 2012, chapter 7)"},
    {NULL, NULL},
};

enum { BUMPS = 12 };
struct bumps { /* places of the iteration space that cost more (or less) */
    double at[BUMPS], width[BUMPS], height[BUMPS];
};

static double bump(const struct bumps *b, int k, double x) {
    const double d = (x - b->at[k]) / b->width[k];
    return b->height[k] * exp(-0.5 * d * d);
}

static double cost_of(int shape, double x, const struct bumps *b, uint64_t *r) {
    double v;
    switch (shape) {
    case 1:
        return 2 * x;
    case 2:
        return 2 * (1 - x);
    case 3:
        return 0.1 + 1.8 * sim_uniform(r);
    case 4:
        v = sim_uniform(r);
        return v < 0.01 ? 30 : 0.5 + v;
    case 5:
        v = 0.2;
        for (int k = 0; k < 5; k++)
            v += 6 * bump(b, k, x) * b->width[k] / 0.03;
        return v;
    case 6:
        return b->height[(int)(x * BUMPS)];
    case 7: /* a falling floor, wide bumps, and data that scatters */
        v = 0.6 + 0.5 * (1 - x);
        for (int k = 0; k < 6; k++)
            v += bump(b, k, x);
        return v * exp(0.5 * sim_normal(r));
    case 8:
        v = x < 0.3 ? 0.15 : 0.5;
        for (int k = 0; k < 4; k++)
            v += 2 * bump(b, k, 0.2 + 0.7 * x);
        return v;
    default:
        return 1;
    }
}

/* How much faster than its mean a kind is at x: a sum of slow waves, fixed by the seed. */
static double favour(double vary, double x, const double *phase) {
    double v = 0;
    for (int k = 0; k < 3; k++)
        v += sin(2 * M_PI * ((k + 1) * x + phase[k])) / (k + 1);
    return exp(vary * v / 1.2);
}

static void fill_kind(struct sim_work *w, const struct sim_kind *k, int kind, const double *weight, uint64_t seed) {
    double phase[3], mean = 0;
    uint64_t r = seed ^ (0x5bd1e995u * (uint64_t)(kind + 1));
    for (int j = 0; j < 3; j++)
        phase[j] = sim_uniform(&r);
    for (int j = 0; j < 256 && k->vary > 0; j++)
        mean += favour(k->vary, (j + 0.5) / 256, phase) / 256;
    double sum = w->cost[kind][0] = 0;
    for (long i = 0; i < w->n; i++) {
        const double x = ((double)i + 0.5) / (double)w->n;
        const double faster = k->vary > 0 ? favour(k->vary, x, phase) / mean : 1;
        sum += weight[i] / (k->speed * faster);
        w->cost[kind][i + 1] = sum;
    }
}

bool sim_work_make(struct sim_work *w, const struct sim_machine *m, const char *name, long n, double each,
                   uint64_t seed) {
    int shape = 0;
    struct bumps b;
    double sum = 0;
    uint64_t r = seed * 0x9e3779b97f4a7c15u + 1;
    *w = (struct sim_work){.n = n, .kinds = m->kinds};
    while (sim_shapes[shape].name && strcmp(sim_shapes[shape].name, name))
        shape++;
    double *weight = malloc((size_t)(n + 1) * sizeof *weight);
    bool good = sim_shapes[shape].name && weight;
    for (int k = 0; good && k < m->kinds; k++)
        good = (w->cost[k] = malloc((size_t)(n + 1) * sizeof **w->cost)) != NULL;
    for (int k = 0; k < BUMPS; k++) {
        b.at[k] = sim_uniform(&r);
        b.width[k] = 0.01 + 0.05 * sim_uniform(&r);
        b.height[k] = 0.2 + 2 * sim_uniform(&r);
    }
    for (long i = 0; good && i < n; i++)
        sum += weight[i] = cost_of(shape, ((double)i + 0.5) / (double)n, &b, &r);
    for (long i = 0; good && i < n; i++)
        weight[i] *= (double)n / sum * each;
    for (int k = 0; good && k < m->kinds; k++)
        fill_kind(w, &m->kind[k], k, weight, seed);
    free(weight);
    if (!good)
        sim_work_free(w);
    return good;
}

void sim_work_free(struct sim_work *w) {
    for (int k = 0; k < SIM_CLASSES; k++) {
        free(w->cost[k]);
        w->cost[k] = NULL;
    }
}
