/* SPDX-License-Identifier: Apache-2.0 */
/* What teams that solve one set of bodies do together on a device. */
#ifndef SOFTBODY_GANG_H
#define SOFTBODY_GANG_H

#include "device.h"

#include "target.h"
#if !LANES_SPLIT
#include <sched.h>
#endif

enum { POLLS = LANES_SPLIT ? 1 << 25 : 1 << 30 }; /* seconds */

/* A team's place among those of its set that are on this device; `devices`: a bit for each that has some. */
struct gang {
    uint32_t rank, size, slot;
    uint64_t devices;
    uint32_t *counter, *go, *told; /* told: as many as had arrived, and two sums */
};
/* How often all have met, as the first thread of a team counts. */
struct meetings {
    uint32_t arrived, wide; /* teams of this device; all devices */
};

LANES_INLINE void fence_of_all_devices(void) {
#if defined(__NVPTX__)
    __nvvm_membar_sys();
#endif
#pragma omp flush
}

/* Until the word has reached `least`; words wrap. */
LANES_INLINE void wait_for(const struct work *w, uint32_t *word, uint32_t least) {
    for (uint32_t k = 0;; k++) {
        uint32_t seen, failed = 0;
#pragma omp atomic read
        seen = *word;
        if (k == POLLS) {
#pragma omp atomic write
            *w->failed = 1;
        }
        if (k % 1024 == 1023) {
#pragma omp atomic read
            failed = *w->failed;
        }
        if ((int32_t)(seen - least) >= 0 || failed)
            break;
#if !LANES_SPLIT
        sched_yield(); /* the one that it waits for may want this processor */
#endif
    }
}

LANES_INLINE void arrive(const struct gang *gang) {
#pragma omp atomic update
    ++*gang->counter;
}

/* All teams of a set, on this device. What they wrote before, others read behind. */
LANES_INLINE void gang_meet(const struct work *w, const struct gang *gang, struct meetings *met) {
    LANES_MEET
    if (gang->size > 1) {
        if (LANES_THREAD == 0) {
            met->arrived += gang->size;
#pragma omp flush
            arrive(gang);
            wait_for(w, gang->counter, met->arrived);
#pragma omp flush
        }
        LANES_MEET
    }
}

/* One team of each device tells the others that all of its own are there, by a word in their memory. Its fences order
 * what the others of its device wrote and will read, too, whose own reach no further than their device. */
LANES_INLINE void devices_meet(const struct work *w, const struct gang *gang, uint32_t wide) {
    const uint32_t lines = gang->slot * w->devices, own = w->number;
    fence_of_all_devices();
    for (uint32_t d = 0; d < w->devices; d++)
        if (d != own && gang->devices >> d & 1) {
            uint32_t *word = w->inbox[d] + (size_t)(lines + own) * LINE_WORDS;
#pragma omp atomic write
            *word = wide;
        }
    for (uint32_t d = 0; d < w->devices; d++)
        if (d != own && gang->devices >> d & 1)
            wait_for(w, w->inbox[own] + (size_t)(lines + d) * LINE_WORDS, wide);
    fence_of_all_devices();
}

LANES_INLINE void arrive_of_all(const struct gang *gang, struct meetings *met) {
    met->arrived += gang->size;
    met->wide++;
#pragma omp flush
    arrive(gang);
}

/* All teams of a set, on all devices that have bodies of it. */
LANES_INLINE void set_meet(const struct work *w, const struct gang *gang, struct meetings *met) {
    if (!gang->devices) {
        gang_meet(w, gang, met);
        return;
    }
    LANES_MEET
    if (LANES_THREAD == 0) {
        arrive_of_all(gang, met);
        if (gang->rank == 0) {
            wait_for(w, gang->counter, met->arrived);
            devices_meet(w, gang, met->wide);
#pragma omp atomic write
            *gang->go = met->wide;
        } else
            wait_for(w, gang->go, met->wide);
#pragma omp flush
    }
    LANES_MEET
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

/* Adds what a body's parts have, on whichever device. */
LANES_INLINE void body_dots(const struct work *w, uint32_t number, float *gamma, float *delta) {
    const struct body *body = &w->body[number];
    const float(*dots)[2] = (const float(*)[2])w->dots[body->place] + w->part_first[number];
    for (uint32_t k = 0, parts = parts_of(body->shape->rows); k < parts; k++)
        *gamma += dots[k][0], *delta += dots[k][1];
}

/* Where the parts of a set's only body have their sums, which is a long way to look for. */
struct own_dots {
    const float (*dots)[2];
    uint32_t parts; /* 0: several bodies, or too many parts */
};
LANES_INLINE void find_dots(const struct work *w, const uint32_t *members, uint32_t count, struct own_dots *own) {
    const struct body *body = &w->body[members[0]];
    own->parts = count == 1 ? parts_of(body->shape->rows) : 0;
    own->parts = own->parts <= (uint32_t)LANES_THREADS ? own->parts : 0;
    own->dots = (const float(*)[2])w->dots[w->number] + w->part_first[members[0]];
}

/* A body's sums stand for its first part's then, on all devices that have bodies of the set. */
LANES_INLINE void add_parts(const struct work *w, const struct gang *gang, const uint32_t *members, uint32_t count) {
    for (uint32_t k = LANES_THREAD; k < count; k += LANES_THREADS) {
        float sum[2] = {0, 0};
        if (w->body[members[k]].place != (int32_t)w->number)
            continue;
        body_dots(w, members[k], &sum[0], &sum[1]);
        for (uint32_t d = 0; d < w->devices; d++)
            if (gang->devices >> d & 1)
                memcpy(w->dots[d][w->part_first[members[k]]], sum, sizeof sum);
    }
}

/* The first thread gets the sums of all bodies, in their order. */
LANES_INLINE void add_bodies(const struct work *w, const uint32_t *members, uint32_t count, float total[2]) {
#if LANES_SPLIT
    float(*shared_dots)[TEAM] = lanes_room();
#else
    float shared_dots[2][1];
#endif
    for (uint32_t first = 0; first < count; first += LANES_THREADS) {
        const uint32_t own = first + LANES_THREAD;
        LANES_MEET
        for (int i = 0; own < count && i < 2; i++)
            shared_dots[i][LANES_THREAD] = w->dots[w->number][w->part_first[members[own]]][i];
        LANES_MEET
        for (uint32_t k = 0; LANES_THREAD == 0 && k < LANES_THREADS && first + k < count; k++)
            total[0] += shared_dots[0][k], total[1] += shared_dots[1][k];
    }
}

/* All devices' teams meet, and the first of each device adds for the others: each for itself would read all parts of
 * the other devices. */
LANES_INLINE void add_set(const struct work *w, const struct gang *gang, const uint32_t *members, struct body_set *set,
                          struct meetings *met) {
    const bool first = gang->rank == 0;
    float total[2] = {0, 0};
    LANES_MEET
    if (LANES_THREAD == 0) {
        arrive_of_all(gang, met);
        wait_for(w, first ? gang->counter : gang->told, met->arrived);
#pragma omp flush
    }
    LANES_MEET
    if (first) {
        add_parts(w, gang, members, set->count);
        LANES_MEET
        if (LANES_THREAD == 0)
            devices_meet(w, gang, met->wide);
        add_bodies(w, members, set->count, total);
        if (LANES_THREAD == 0) {
            memcpy(gang->told + 1, total, sizeof total);
#pragma omp flush
#pragma omp atomic write
            *gang->told = met->arrived;
        }
    } else if (LANES_THREAD == 0)
        memcpy(total, gang->told + 1, sizeof total);
    if (LANES_THREAD == 0)
        next_step(&w->settings, total[0], total[1], set);
    LANES_MEET
}

/* All meet, and add what the set's parts have, a body's first: on one device each team does so for itself. The set is
 * the team's. */
LANES_INLINE void set_scalars(const struct work *w, const struct gang *gang, const uint32_t *members,
                              const struct own_dots *one, struct body_set *set, struct meetings *met) {
#if LANES_SPLIT
    float(*shared_dots)[TEAM] = lanes_room();
#else
    float shared_dots[2][1];
#endif
    const uint32_t count = set->count, once = (int)LANES_THREADS < (int)TEAM ? LANES_THREADS : TEAM;
    float gamma = 0, delta = 0;
    if (gang->devices) {
        add_set(w, gang, members, set, met);
        return;
    }
    gang_meet(w, gang, met);
    if (one->parts) {
        if (LANES_THREAD < one->parts)
            for (int i = 0; i < 2; i++)
                shared_dots[i][LANES_THREAD] = one->dots[LANES_THREAD][i];
        LANES_MEET
        for (uint32_t k = 0; LANES_THREAD == 0 && k < one->parts; k++)
            gamma += shared_dots[0][k], delta += shared_dots[1][k];
    }
    for (uint32_t first = 0; first < count && count > 1; first += once) {
        const uint32_t own = first + LANES_THREAD;
        if (own < count) {
            float sum[2] = {0, 0};
            body_dots(w, members[own], &sum[0], &sum[1]);
            shared_dots[0][LANES_THREAD] = sum[0], shared_dots[1][LANES_THREAD] = sum[1];
        }
        LANES_MEET
        for (uint32_t k = 0; LANES_THREAD == 0 && k < once && first + k < count; k++)
            gamma += shared_dots[0][k], delta += shared_dots[1][k];
        LANES_MEET
    }
    if (LANES_THREAD == 0) {
        if (count == 1 && !one->parts)
            body_dots(w, members[0], &gamma, &delta);
        next_step(&w->settings, gamma, delta, set);
    }
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
