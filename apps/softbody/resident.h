/* SPDX-License-Identifier: Apache-2.0 */
/* Conjugate gradients of a set whose teams keep their rows: r and u stay in registers, v, p, s and the blocks of the
 * diagonal in a team's shared memory. A thread has a row in each of up to KEEP parts. */
#ifndef SOFTBODY_RESIDENT_H
#define SOFTBODY_RESIDENT_H

#include "gang.h"

#ifndef SOFT_KEEP
#define SOFT_KEEP 2
#endif
enum { KEEP = SOFT_KEEP };

#if LANES_SPLIT
#define EACH_KEPT(i) _Pragma("unroll") for (uint32_t i = 0; i < KEEP; i++)

/* Blocks of a group that are found in shared memory; more are looked for in the device's. */
enum { NEAR = 8 };
/* Where a group's blocks are. */
struct near {
    const uint32_t *back, *column;
    uint32_t g, there; /* its number in the body; 0: there is none, and it stands for nothing */
    uint32_t first, slots, backs, whole, end;
    uint32_t back_here[NEAR * 4], column_here[NEAR];
};
/* What a team has in shared memory. */
struct resident {
    struct body body[KEEP];
    struct shape shape[KEEP];
    struct near near[KEEP * PART];
    uint32_t part[KEEP], first, count; /* numbers of its parts, the first in work.row */
    float p[3][KEEP * TEAM], s[3][KEEP * TEAM], v[3][KEEP * TEAM], diagonal[6][KEEP * TEAM];
};

LANES_INLINE const struct near *near_of(const struct resident *team, uint32_t i) {
    return &team->near[i * PART + LANES_THREAD / GROUP];
}

/* The diagonal's blocks are symmetric, and each row's own: they stay in shared memory. */
LANES_INLINE void keep_diagonal(struct resident *team, uint32_t i, const struct near *near, uint32_t lane) {
    float d[6] = {0};
    if (near->there)
        diagonal_of(&team->body[i], near->g, lane, d);
    for (int k = 0; k < 6; k++)
        team->diagonal[k][i * TEAM + LANES_THREAD] = d[k];
}
LANES_INLINE void kept_diagonal(const struct resident *team, uint32_t i, float d[6]) {
    for (int k = 0; k < 6; k++)
        d[k] = team->diagonal[k][i * TEAM + LANES_THREAD];
}
LANES_INLINE void kept_times(const struct resident *team, uint32_t i, const float x[3], float sum[3]) {
    static const uint32_t place[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    float d[6];
    kept_diagonal(team, i, d);
    for (int k = 0; k < 9; k++)
        sum[k / 3] = LANES_FMA(d[place[k]], x[k % 3], sum[k / 3]);
}

/* The matrix times u (or v) for a thread's row of one part, whose own three are in `own`. */
LANES_INLINE void part_product(const struct resident *team, uint32_t i, uint32_t lane, bool first_one,
                               const float own[3], float sum[3]) {
    const struct near *near = near_of(team, i);
    const struct body *b = &team->body[i];
    const struct shape *s = &team->shape[i];
    const float *u = first_one ? b->v : b->u, *matrix = b->matrix;
    const uint32_t rows = s->rows, slots = s->slots, row = near->g * GROUP + lane, first = near->first,
                   most = near->slots > near->backs ? near->slots : near->backs;
    float others[3] = {0, 0, 0};
    sum[0] = sum[1] = sum[2] = 0;
    kept_times(team, i, own, sum);
#pragma clang loop unroll_count(2) /* loads of several rounds are on their way */
    for (uint32_t k = 0; k < most; k++) {
        const bool back = k < near->backs, slot = k < near->slots;
        mirror_times(near->back + (back ? 4 * k : 0), back, slots, rows, row, lane, matrix, u, others);
        slot_times(near->column[slot ? k : 0], slot, first + 1 + k, rows, row, lane, matrix, u, sum);
    }
    for (uint32_t slot = near->whole; slot < near->end; slot++) {
        float x[3];
        take3(u, rows, s->column[slot], s->gather, lane, x);
        block_times(matrix + (size_t)slot * 9 * GROUP, lane, x, sum);
    }
    for (int k = 0; k < 3; k++)
        sum[k] = others[k] + sum[k];
}

/* ... of all parts, one after the other: both at once would need more registers. */
LANES_INLINE void resident_product(const struct resident *team, uint32_t lane, bool first_one, const float own[KEEP][3],
                                   float sum[KEEP][3]) {
#pragma clang loop unroll(disable)
    for (uint32_t part = 0; part < KEEP; part++) {
        float x[3], y[3];
        EACH_KEPT(i)
        for (int c = 0; c < 3; c++)
            x[c] = i == 0 || i == part ? own[i][c] : x[c];
        part_product(team, part, lane, first_one, x, y);
        EACH_KEPT(i)
        for (int c = 0; c < 3; c++)
            sum[i][c] = part == 0 || i == part ? y[c] : sum[i][c];
    }
}

/* A group's lanes fill its place in shared memory. */
LANES_INLINE void resident_look(struct near *near, const struct shape *s, uint32_t group, bool part, uint32_t lane) {
    const bool there = part && group < s->rows / GROUP;
    const uint32_t g = there ? group : 0, first = s->slot_first[g], back = s->back_first[g],
                   slots = there ? s->whole_first[g] - first - 1 : 0, backs = there ? s->back_first[g + 1] - back : 0;
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
    near->g = g, near->there = there;
    near->first = first, near->slots = slots, near->backs = backs;
    near->whole = there ? s->whole_first[g] : 0, near->end = there ? s->slot_first[g + 1] : 0;
}

/* Parts [first, first + all) of the set are dealt to its teams in runs. */
LANES_INLINE void resident_open(const struct work *w, const struct gang *gang, uint32_t first, uint32_t all,
                                struct resident *team) {
    const uint32_t thread = LANES_THREAD, begin = all * gang->rank / gang->size,
                   count = all * (gang->rank + 1) / gang->size - begin;
    LANES_MEET
    if (thread < KEEP) {
        const struct part part = w->row[first + (thread < count ? begin + thread : 0)];
        team->body[thread] = w->body[part.body];
        team->shape[thread] = *team->body[thread].shape;
        team->body[thread].shape = &team->shape[thread];
        team->part[thread] = part.number;
        if (thread < count)
            w->bad[first + begin + thread] = 0;
        if (!thread)
            team->first = first + begin, team->count = count;
    }
    LANES_MEET
    EACH_KEPT(i) {
        const uint32_t part = w->row[first + (i < count ? begin + i : 0)].part;
        resident_look(&team->near[i * PART + thread / GROUP], &team->shape[i], part * PART + thread / GROUP, i < count,
                      thread % GROUP);
    }
    LANES_MEET
}

LANES_INLINE void resident_begin(const struct work *w, struct resident *team, uint32_t lane, float r[KEEP][3],
                                 float u[KEEP][3], bool usual[KEEP]) {
    float v[KEEP][3], sum[KEEP][3];
    EACH_KEPT(i) {
        keep_diagonal(team, i, near_of(team, i), lane);
        take3(team->body[i].v, team->shape[i].rows, near_of(team, i)->g * GROUP, NULL, lane, v[i]);
        for (int k = 0; k < 3; k++)
            team->v[k][i * TEAM + LANES_THREAD] = v[i][k];
    }
    resident_product(team, lane, true, v, sum);
    EACH_KEPT(i) {
        struct body *b = &team->body[i];
        const struct near *near = near_of(team, i);
        float d[6], inverse[6];
        for (int k = 0; k < 3; k++) {
            r[i][k] = u[i][k] = 0;
            team->p[k][i * TEAM + LANES_THREAD] = team->s[k][i * TEAM + LANES_THREAD] = 0;
        }
        usual[i] = false;
        if (!near->there)
            continue;
        const uint32_t row = near->g * GROUP + lane;
        usual[i] = !(b->free[row] < 0.5f) && !(b->meets_count && b->touch_first[row] != b->touch_first[row + 1]);
        kept_diagonal(team, i, d);
        if (b->meets_count)
            touch_row(w, b, row, true, sum[i], d);
        begin_row(b, near->g, lane, sum[i], d, inverse, r[i]);
        precondition_row(inverse, r[i], u[i]);
        store3(b->u, b->shape->rows, near->g, lane, u[i]);
    }
}

/* w = A u, and both sums of each part. */
LANES_INLINE void resident_multiply(const struct work *w, const struct resident *team, uint32_t lane,
                                    const float r[KEEP][3], const float u[KEEP][3], float sum[KEEP][3]) {
    float dots[2 * KEEP];
    resident_product(team, lane, false, u, sum);
    EACH_KEPT(i) {
        const struct body *b = &team->body[i];
        const struct near *near = near_of(team, i);
        dots[2 * i] = dots[2 * i + 1] = 0;
        if (!near->there)
            continue;
        if (b->meets_count)
            touch_row(w, b, near->g * GROUP + lane, false, sum[i], NULL);
        dots[2 * i] += dot3(r[i], u[i]), dots[2 * i + 1] += dot3(sum[i], u[i]);
    }
    const float whole = lanes_sums(dots, 2 * KEEP);
    const uint32_t number = LANES_THREAD / LANES_WARP;
    if (LANES_THREAD % LANES_WARP == 0 && number < 2 * team->count)
        w->dots[w->number][team->part[number / 2]][number % 2] = whole;
}

LANES_INLINE void resident_advance(struct resident *team, uint32_t lane, const struct body_set *set,
                                   const float sum[KEEP][3], const bool usual[KEEP], float r[KEEP][3],
                                   float u[KEEP][3]) {
    const float alpha = set->alpha, beta = set->beta;
    EACH_KEPT(i) {
        const struct body *b = &team->body[i];
        const struct near *near = near_of(team, i);
        const uint32_t own = i * TEAM + LANES_THREAD, rows = team->shape[i].rows;
        float inverse[6];
        if (!near->there)
            continue;
        if (usual[i]) { /* nothing but the matrix made its block of the diagonal */
            float d[6];
            kept_diagonal(team, i, d);
            invert(d, inverse);
        } else
            load_inverse(b, near->g, lane, inverse);
        for (uint32_t k = 0; k < 3; k++) {
            const float p = LANES_FMA(team->p[k][own], beta, u[i][k]), s = LANES_FMA(team->s[k][own], beta, sum[i][k]);
            r[i][k] = LANES_FMA(-s, alpha, r[i][k]);
            team->v[k][own] = LANES_FMA(p, alpha, team->v[k][own]);
            team->p[k][own] = p, team->s[k][own] = s;
        }
        precondition_row(inverse, r[i], u[i]);
        store3(b->u, rows, near->g, lane, u[i]);
    }
}

LANES_INLINE void resident_finish(const struct work *w, const struct resident *team, uint32_t lane) {
    EACH_KEPT(i) {
        const struct near *near = near_of(team, i);
        float v[3];
        if (!near->there)
            continue;
        for (int k = 0; k < 3; k++)
            v[k] = team->v[k][i * TEAM + LANES_THREAD];
        store3(team->body[i].v, team->shape[i].rows, near->g, lane, v);
        if (!move_row(w, &team->body[i], near->g * GROUP + lane, v)) {
#pragma omp atomic write
            w->bad[team->first + i] = 1;
        }
    }
}

LANES_INLINE void solve_resident(const struct work *w, const struct gang *gang, const uint32_t *members, uint32_t first,
                                 uint32_t all, const struct own_dots *one, struct body_set *set, struct meetings *met) {
    static struct resident shared;
#pragma omp allocate(shared) allocator(omp_pteam_mem_alloc)
    const uint32_t lane = LANES_THREAD % GROUP;
    float r[KEEP][3], u[KEEP][3], sum[KEEP][3];
    bool usual[KEEP];
    resident_open(w, gang, first, all, &shared);
    resident_begin(w, &shared, lane, r, u, usual);
    set_meet(w, gang, met);
    for (uint32_t k = 0; k < w->settings.iterations; k++) {
        resident_multiply(w, &shared, lane, r, u, sum);
        set_scalars(w, gang, members, one, set, met);
        if (set->done)
            break;
        resident_advance(&shared, lane, set, sum, usual, r, u);
        if (k + 1 < w->settings.iterations)
            set_meet(w, gang, met);
    }
    resident_finish(w, &shared, lane);
}
#endif

#endif
