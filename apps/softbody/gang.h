/* SPDX-License-Identifier: Apache-2.0 */
/* What teams that solve one set of bodies do together on a device. */
#ifndef SOFTBODY_GANG_H
#define SOFTBODY_GANG_H

#include "device.h"

#include "target.h"

enum { POLLS = 1 << 25 }; /* seconds */

/* A team's place among those of its set. */
struct gang {
    uint32_t rank, size;
    uint32_t *counter;
};

/* All teams of a set. What they wrote before, others read behind. */
LANES_INLINE void gang_meet(const struct work *w, const struct gang *gang, uint32_t *expected) {
    LANES_MEET
    if (gang->size > 1) {
        *expected += gang->size;
        if (LANES_THREAD == 0) {
            uint32_t *at = gang->counter, seen;
#pragma omp flush
#pragma omp atomic capture
            seen = ++*at;
            for (uint32_t k = 0; seen < *expected; k++) {
#pragma omp atomic read
                seen = *at;
                if (k == POLLS) {
#pragma omp atomic write
                    *w->failed = 1;
                }
                uint32_t failed = 0;
                if (k % 1024 == 1023) {
#pragma omp atomic read
                    failed = *w->failed;
                }
                if (failed)
                    break;
            }
#pragma omp flush
        }
        LANES_MEET
    }
}

/* What the pairs' contacts add to a row of the product, and to its block of the diagonal; in the host's order. */
LANES_INLINE void touch_row(const struct work *w, const struct body *body, uint32_t row, bool first, float sum[3],
                            float diagonal[6]) {
    for (uint32_t k = body->touch_first[row]; k < body->touch_first[row + 1]; k++) {
        const struct touch *touch = &w->touch[k];
        const struct pair *pair = &w->pair[touch->pair];
        const struct hold *hold = &pair->hold[touch->hold];
        const struct body *a = &w->body[pair->body[hold->side]], *b = &w->body[pair->body[1 - hold->side]];
        struct vec3 t = hold_product(hold, a, b, first);
        const float weight = touch->role ? hold->weight[touch->role - 1] : 1;
        if (touch->role)
            t = times(t, -weight);
        sum[0] += t.x, sum[1] += t.y, sum[2] += t.z;
        for (int i = 0; first && i < 6; i++)
            diagonal[i] += hold->matrix[i] * (touch->role ? weight * weight : 1);
    }
}

/* Adds what a set's parts have, a body's first: each team does so for itself. */
LANES_INLINE void set_scalars(const struct work *w, const uint32_t *members, struct body_set *set) {
#if LANES_SPLIT
    static float shared_dots[2][TEAM];
    static struct body_set shared_set;
#pragma omp allocate(shared_dots, shared_set) allocator(omp_pteam_mem_alloc)
#else
    float shared_dots[2][1];
    struct body_set shared_set;
#endif
    float gamma = 0, delta = 0;
    if (set->count == 1) { /* each thread for itself */
        const struct body *body = &w->body[members[0]];
        const uint32_t at = w->body_rows[body->number], parts = parts_of(body->shape->rows);
        for (uint32_t k = 0; k < parts; k++)
            gamma += w->dots[at + k][0], delta += w->dots[at + k][1];
        next_step(&w->settings, gamma, delta, set);
        return;
    }
    for (uint32_t first = 0; first < set->count; first += LANES_THREADS) {
        const uint32_t own = first + LANES_THREAD;
        if (own < set->count) {
            const struct body *body = &w->body[members[own]];
            const uint32_t at = w->body_rows[body->number], parts = parts_of(body->shape->rows);
            float sum[2] = {0, 0};
            for (uint32_t k = 0; k < parts; k++)
                sum[0] += w->dots[at + k][0], sum[1] += w->dots[at + k][1];
            shared_dots[0][LANES_THREAD] = sum[0], shared_dots[1][LANES_THREAD] = sum[1];
        }
        LANES_MEET
        for (uint32_t k = 0; LANES_THREAD == 0 && k < LANES_THREADS && first + k < set->count; k++)
            gamma += shared_dots[0][k], delta += shared_dots[1][k];
        LANES_MEET
    }
    if (LANES_THREAD == 0) {
        next_step(&w->settings, gamma, delta, set);
        shared_set = *set;
    }
    LANES_MEET
    *set = shared_set;
    LANES_MEET
}

/* A row's place after the step, for the host, too. False: it is no number. */
LANES_INLINE bool move_row(const struct work *w, const struct body *body, uint32_t row, const float v[3]) {
    float *moved = w->moved + w->place[body->number];
    bool good = true;
    for (uint32_t a = 0; a < 3; a++) {
        const size_t at = (size_t)a * body->shape->rows + row;
        const float to = body->x[at] + w->settings.step * v[a];
        good = good && magnitude(to) < 0x1p100f;
        moved[at] = body->x[at] = to;
    }
    return good;
}

#endif
