/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients of a set whose teams keep their rows: all of the solver but the matrix, its inverted diagonal and
 * the direction that neighbours read stays in a team's shared memory and registers. A thread has a row in each of up to
 * KEEP parts, and works on them at the same time: a block that is read for a row of one part and for its transpose's in
 * another one comes from the first-level cache the second time. */
#ifndef SOFTBODY_RESIDENT_H
#define SOFTBODY_RESIDENT_H

#include "gang.h"

#ifndef SOFT_KEEP
#define SOFT_KEEP 2
#endif
enum { KEEP = SOFT_KEEP };

#if LANES_SPLIT
#define EACH_KEPT(i) _Pragma("unroll") for (uint32_t i = 0; i < KEEP; i++)

enum { NEAR = 10 };
/* Where a group's blocks are; what the loop over them reads is in shared memory, unless there is too much. */
struct near {
    const uint32_t *back, *column;
    uint32_t first, slots, backs, whole, end;
    uint32_t back_here[NEAR * 4], column_here[NEAR];
};
/* What a team has in shared memory. */
struct resident {
    struct body body[KEEP];
    struct shape shape[KEEP];
    struct near near[KEEP * PART];
    float r[3][KEEP * TEAM], p[3][KEEP * TEAM], s[3][KEEP * TEAM], v[3][KEEP * TEAM];
};
/* A thread's rows. */
struct row_place {
    uint32_t g, row, at; /* group, row of the body, place in struct resident */
    bool there;
};

/* The matrix times u (or v) for all rows of a thread, whose own ones are in `own`. */
LANES_INLINE void resident_product(const struct resident *team, const struct row_place at[KEEP], uint32_t lane,
                                   bool first_one, const float own[KEEP][3], float sum[KEEP][3]) {
    float others[KEEP][3];
    const struct near *near[KEEP];
    uint32_t most = 0;
    EACH_KEPT(i) {
        near[i] = &team->near[at[i].at / GROUP];
        most = near[i]->slots > most ? near[i]->slots : most;
        most = near[i]->backs > most ? near[i]->backs : most;
        for (int k = 0; k < 3; k++)
            sum[i][k] = others[i][k] = 0;
        block_times(team->body[i].matrix + (size_t)near[i]->first * 9 * GROUP, lane, own[i], sum[i]);
    }
    for (uint32_t k = 0; k < most; k++)
        EACH_KEPT(i) {
            const float *u = first_one ? team->body[i].v : team->body[i].u, *matrix = team->body[i].matrix;
            const uint32_t rows = team->shape[i].rows;
            const bool back = k < near[i]->backs, slot = k < near[i]->slots;
            mirror_times(near[i]->back + (back ? 4 * k : 0), back, team->shape[i].slots, rows, at[i].row, lane, matrix,
                         u, others[i]);
            slot_times(near[i]->column[slot ? k : 0], slot, near[i]->first + 1 + k, rows, at[i].row, lane, matrix, u,
                       sum[i]);
        }
    EACH_KEPT(i) {
        const struct body *b = &team->body[i];
        const struct shape *s = &team->shape[i];
        for (uint32_t slot = near[i]->whole; slot < near[i]->end; slot++) {
            float x[3];
            take3(first_one ? b->v : b->u, s->rows, s->column[slot], s->gather, lane, x);
            block_times(b->matrix + (size_t)slot * 9 * GROUP, lane, x, sum[i]);
        }
        for (int k = 0; k < 3; k++)
            sum[i][k] = others[i][k] + sum[i][k];
    }
}

/* A group's lanes fill its place in shared memory. */
LANES_INLINE void resident_look(struct near *near, const struct shape *s, uint32_t g, uint32_t lane, bool there) {
    const uint32_t first = s->slot_first[g], back = s->back_first[g], slots = there ? s->whole_first[g] - first - 1 : 0,
                   backs = there ? s->back_first[g + 1] - back : 0;
    const uint32_t *all_backs = s->back + 4 * (size_t)back, *columns = s->column + first + 1;
    for (uint32_t k = lane; k < 4 * backs && backs <= NEAR; k += GROUP)
        near->back_here[k] = all_backs[k];
    for (uint32_t k = lane; k < slots && slots <= NEAR; k += GROUP)
        near->column_here[k] = columns[k];
    if (lane)
        return;
    if (!backs) /* read, and not used */
        memset(near->back_here, 0, 4 * sizeof *near->back_here);
    if (!slots)
        near->column_here[0] = 0;
    near->back = backs <= NEAR ? near->back_here : all_backs;
    near->column = slots <= NEAR ? near->column_here : columns;
    near->first = first, near->slots = slots, near->backs = backs;
    near->whole = there ? s->whole_first[g] : 0, near->end = there ? s->slot_first[g + 1] : 0;
}

LANES_INLINE void resident_begin(const struct work *w, struct resident *team, const struct row_place at[KEEP],
                                 uint32_t lane, float u[KEEP][3]) {
    float v[KEEP][3], sum[KEEP][3];
    EACH_KEPT(i)
    take3(team->body[i].v, team->shape[i].rows, at[i].g * GROUP, NULL, lane, v[i]);
    resident_product(team, at, lane, true, v, sum);
    EACH_KEPT(i) {
        struct body *b = &team->body[i];
        float d[6], inverse[6], r[3];
        if (!at[i].there)
            continue;
        diagonal_of(b, at[i].g, lane, d);
        if (b->meets_count)
            touch_row(w, b, at[i].row, true, sum[i], d);
        begin_row(b, at[i].g, lane, sum[i], d, inverse, r);
        precondition_row(inverse, r, u[i]);
        store3(b->u, b->shape->rows, at[i].g, lane, u[i]);
        for (int k = 0; k < 3; k++) {
            team->r[k][at[i].at] = r[k], team->v[k][at[i].at] = v[i][k];
            team->p[k][at[i].at] = team->s[k][at[i].at] = 0;
        }
    }
}

/* w = A u, and both sums of each part, whose first one is number `first` of all. */
LANES_INLINE void resident_multiply(const struct work *w, const struct resident *team, const struct row_place at[KEEP],
                                    uint32_t lane, uint32_t first, uint32_t count, const float u[KEEP][3],
                                    float sum[KEEP][3]) {
    float dots[2 * KEEP];
    resident_product(team, at, lane, false, u, sum);
    EACH_KEPT(i) {
        const struct body *b = &team->body[i];
        dots[2 * i] = dots[2 * i + 1] = 0;
        if (!at[i].there)
            continue;
        if (b->meets_count)
            touch_row(w, b, at[i].row, false, sum[i], NULL);
        const float r[3] = {team->r[0][at[i].at], team->r[1][at[i].at], team->r[2][at[i].at]};
        dots[2 * i] += dot3(r, u[i]), dots[2 * i + 1] += dot3(sum[i], u[i]);
    }
    const float whole = lanes_sums(dots, 2 * KEEP);
    const uint32_t number = LANES_THREAD / LANES_WARP;
    if (LANES_THREAD % LANES_WARP == 0 && number < 2 * count)
        w->dots[first + number / 2][number % 2] = whole;
}

LANES_INLINE void resident_advance(struct resident *team, const struct row_place at[KEEP], uint32_t lane, float alpha,
                                   float beta, const float sum[KEEP][3], float u[KEEP][3]) {
    EACH_KEPT(i) {
        const struct body *b = &team->body[i];
        const uint32_t own = at[i].at;
        float r[3], inverse[6];
        if (!at[i].there)
            continue;
        load_inverse(b, at[i].g, lane, inverse);
        for (int k = 0; k < 3; k++) {
            const float p = LANES_FMA(team->p[k][own], beta, u[i][k]), s = LANES_FMA(team->s[k][own], beta, sum[i][k]);
            r[k] = LANES_FMA(-s, alpha, team->r[k][own]);
            team->v[k][own] = LANES_FMA(p, alpha, team->v[k][own]);
            team->p[k][own] = p, team->s[k][own] = s, team->r[k][own] = r[k];
        }
        precondition_row(inverse, r, u[i]);
        store3(b->u, b->shape->rows, at[i].g, lane, u[i]);
    }
}

LANES_INLINE void resident_finish(const struct work *w, const struct resident *team, const struct row_place at[KEEP],
                                  uint32_t lane, uint32_t first) {
    EACH_KEPT(i) {
        const struct body *b = &team->body[i];
        if (!at[i].there)
            continue;
        const float v[3] = {team->v[0][at[i].at], team->v[1][at[i].at], team->v[2][at[i].at]};
        store3(b->v, b->shape->rows, at[i].g, lane, v);
        if (!move_row(w, b, at[i].row, v)) {
#pragma omp atomic write
            w->bad[first + i] = 1;
        }
    }
}

/* Parts [first, first + all) of the set are dealt in runs. */
LANES_INLINE void solve_resident(const struct work *w, const struct gang *gang, const uint32_t *members, uint32_t first,
                                 uint32_t all, struct body_set *set, uint32_t *expected) {
    static struct resident shared;
#pragma omp allocate(shared) allocator(omp_pteam_mem_alloc)
    const uint32_t thread = LANES_THREAD, lane = thread % GROUP, begin = all * gang->rank / gang->size,
                   count = all * (gang->rank + 1) / gang->size - begin;
    struct row_place at[KEEP];
    float u[KEEP][3], sum[KEEP][3];
    LANES_MEET
    EACH_KEPT(i) {
        const struct part part = w->row[first + (i < count ? begin + i : 0)];
        if (thread == i) {
            shared.body[i] = w->body[part.body];
            shared.shape[i] = *shared.body[i].shape;
            shared.body[i].shape = &shared.shape[i];
            if (i < count)
                w->bad[first + begin + i] = 0;
        }
        at[i].g = part.part * PART + thread / GROUP;
    }
    LANES_MEET
    EACH_KEPT(i) {
        at[i].there = i < count && at[i].g < shared.shape[i].rows / GROUP;
        at[i].g = at[i].there ? at[i].g : 0;
        at[i].row = at[i].g * GROUP + lane;
        at[i].at = i * TEAM + thread;
        u[i][0] = u[i][1] = u[i][2] = 0;
        resident_look(&shared.near[at[i].at / GROUP], &shared.shape[i], at[i].g, lane, at[i].there);
    }
    LANES_MEET
    resident_begin(w, &shared, at, lane, u);
    gang_meet(w, gang, expected);
    for (uint32_t k = 0; k < w->settings.iterations; k++) {
        resident_multiply(w, &shared, at, lane, first + begin, count, u, sum);
        gang_meet(w, gang, expected);
        set_scalars(w, members, set);
        if (set->done)
            break;
        resident_advance(&shared, at, lane, set->alpha, set->beta, sum, u);
        if (k + 1 < w->settings.iterations)
            gang_meet(w, gang, expected);
    }
    resident_finish(w, &shared, at, lane, first + begin);
}
#endif

#endif
