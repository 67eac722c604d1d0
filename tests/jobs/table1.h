/* SPDX-License-Identifier: Apache-2.0 */
/* Kim 2013, Table 1: constants of continuous collision detection in microseconds, and random job sets from them. */
#ifndef HEDDLE_TESTS_TABLE1_H
#define HEDDLE_TESTS_TABLE1_H

#include "jobs/plan/plan.h"
#include <stdint.h>

enum table1_device { HEXA, GTX285, TESLA2075, GTX480, GTX580 };
static const double TABLE1_SETUP[2][5] = {{11.068, 260.521, 242.177, 135.622, 124.978},
                                          {2.766, 81.855, 136.26, 43.04, 42.017}};
static const double TABLE1_EACH[2][5] = {{0.219, 0.190, 0.137, 0.096, 0.085}, {0.098, 0.030, 0.0127, 0.010, 0.009}};
static const double TABLE1_MOVE[2][2] = {{0.003, 0.006}, {0.002, 0.003}}; /* C-G, G-G */

static inline double table1_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static inline double table1_move(int type, int from, int to, bool same) {
    return same || (from == HEXA && to == HEXA) ? 0 : TABLE1_MOVE[type][from != HEXA && to != HEXA];
}

/* Two types from each resource, so many of each, at random up to `most`. `cores`: as the CPUs' cores, one resource
   each: the first `cores` resources are a sixth of a CPU each. */
static inline void table1_fill(struct heddle__jobs_program *p, const enum table1_device *device, double most, int cores,
                               uint64_t *state) {
    for (int r = 0; r < p->resources; r++)
        p->rest[r] = 0;
    for (int j = 0; j < p->kinds; j++) {
        const int type = j % 2, source = j / 2;
        p->count[j] = (double)(1 + (long)(table1_random(state) * most));
        for (int r = 0; r < p->resources; r++) {
            const double slower = r < cores ? 6 : 1;
            p->setup[j * p->resources + r] = 1e-6 * TABLE1_SETUP[type][device[r]];
            p->each[j * p->resources + r] = 1e-6 * (slower * TABLE1_EACH[type][device[r]] +
                                                    table1_move(type, device[source], device[r], source == r));
        }
    }
}

#endif
