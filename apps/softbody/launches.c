/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of a step on a device. */
#include "device.h"

#include "target.h"

/* Loops over what all teams share. */
#define EACH_TEAM(k, count)                                                                                            \
    for (uint32_t k = (uint32_t)omp_get_team_num(); k < (count); k += (uint32_t)omp_get_num_teams())

enum { POLLS = 1 << 25 }; /* seconds */

/* Teams of a multiprocessor that run at once: its registers are divided among them. */
#ifndef SOLVE_EACH
#define SOLVE_EACH 4
#endif
#ifndef ASSEMBLE_EACH
#define ASSEMBLE_EACH 3
#endif
#define TEAMS_EACH(count) ompx_attribute(__attribute__((launch_bounds(TEAM * (count)))))

/* All teams of a set. What they wrote before, others read behind. */
LANES_INLINE void gang_meet(const struct work *w, const struct team *team, uint32_t *expected) {
    LANES_MEET
    if (team->size > 1) {
        *expected += team->size;
        if (LANES_THREAD == 0) {
            uint32_t *at = &w->meeting[team->meeting], seen;
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

#if LANES_SPLIT
LANES_INLINE void begin_part(const struct work *w, struct body *body, uint32_t part) {
    LANES_PART(part, body->shape->rows / GROUP) {
        lanes sum[3], d[6];
        product_group(body->shape, g, lane, body->matrix, body->v, body->w, sum);
        diagonal_of(body, g, lane, d);
        if (body->meets_count)
            touch_row(w, body, g * GROUP + lane, true, sum, d);
        begin_group(body, g, lane, sum, d);
    }
}
LANES_INLINE void multiply_part(const struct work *w, struct body *body, uint32_t part, float total[2]) {
    struct lanes_sum gamma, delta, *const all[2] = {&gamma, &delta};
    lanes_clear(&gamma), lanes_clear(&delta);
    LANES_PART(part, body->shape->rows / GROUP) {
        lanes sum[3];
        product_group(body->shape, g, lane, body->matrix, body->u, body->w, sum);
        if (body->meets_count)
            touch_row(w, body, g * GROUP + lane, false, sum, NULL);
        store3(body->w, body->shape->rows, g, lane, sum);
        add_dots(body, g, lane, sum, &gamma, &delta);
    }
    lanes_total(all, 2, total);
}
#else
/* A processor as a device: one thread, and the host's order. The first part stands for all. */
LANES_INLINE void begin_part(const struct work *w, struct body *body, uint32_t part) {
    if (!part)
        begin_any(w->body, w->pair, body);
}
LANES_INLINE void multiply_part(const struct work *w, struct body *body, uint32_t part, float total[2]) {
    if (part)
        return;
    product_any(w->body, w->pair, body);
    total[0] = body->sums->gamma, total[1] = body->sums->delta;
}
#endif

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

LANES_INLINE void finish_set(const struct work *w, const uint32_t *members, uint32_t count) {
    for (uint32_t k = LANES_THREAD; k < count; k += LANES_THREADS) {
        const struct body *body = &w->body[members[k]];
        const uint32_t b = body->number, rows = parts_of(body->shape->rows),
                       elements = body->material.springs ? 0 : parts_of(body->shape->elements);
        float total[SUMS] = {0};
        for (uint32_t e = 0; e < elements; e++)
            total[SUM_ELASTIC] += w->element_total[w->body_others[b] + e];
        for (uint32_t r = 0; r < rows; r++)
            for (int i = 0; i < SUMS; i++)
                total[i] += w->row_total[w->body_rows[b] + r][i];
        set_sums(&w->sums[b], total);
    }
}

/* Whether a part's rows stay numbers; a word a part, which its first thread clears. */
LANES_INLINE void inspect_part(const struct work *w, const struct body *body, uint32_t k) {
    const uint32_t rows = body->shape->rows, first = w->row[k].part * TEAM;
    uint32_t bad = 0;
    for (uint32_t at = first + LANES_THREAD; at < first + TEAM && at < rows; at += LANES_THREADS)
        for (uint32_t a = 0; a < 3; a++)
            bad |= !(magnitude(body->x[(size_t)a * rows + at] + w->settings.step * body->v[(size_t)a * rows + at]) <
                     0x1p100f);
    if (bad) {
#pragma omp atomic write
        w->bad[k] = 1;
    }
}

LANES_INLINE void solve_set(const struct work *w, const struct team *team, uint32_t number, uint32_t *expected) {
    struct body_set set = w->set[number];
    const uint32_t *members = w->member + set.first;
    const uint32_t first = w->set_rows[2 * (size_t)number] + team->rank,
                   end = w->set_rows[2 * (size_t)number] + w->set_rows[2 * (size_t)number + 1];
    for (uint32_t i = 0; i < w->settings.iterations; i++) {
        for (uint32_t k = first; k < end; k += team->size) {
            float total[2] = {0, 0};
            multiply_part(w, &w->body[w->row[k].body], w->row[k].part, total);
            if (LANES_THREAD == 0)
                w->dots[k][0] = total[0], w->dots[k][1] = total[1];
        }
        gang_meet(w, team, expected);
        set_scalars(w, members, &set);
        if (set.done)
            break;
        for (uint32_t k = first; k < end; k += team->size) {
            struct body *body = &w->body[w->row[k].body];
            LANES_PART(w->row[k].part, body->shape->rows / GROUP)
            advance_group(&set, body, g, lane);
        }
        gang_meet(w, team, expected);
    }
    for (uint32_t k = first; k < end; k += team->size)
        inspect_part(w, &w->body[w->row[k].body], k);
    if (team->rank == 0) {
        finish_set(w, members, set.count);
        if (LANES_THREAD == 0)
            w->set[number] = set;
    }
}

bool device_probe(int device, struct device_facts *facts) {
    uint32_t threads = 0, teams = 0, here = 1;
    (void)device; /* only the pragmas use it, and numbers of threads */
#pragma omp target device(device) map(tofrom : threads, teams, here)
    {
        threads = LANES_THREADS;
        here = (uint32_t)omp_is_initial_device();
#if defined(__NVPTX__)
        teams = SOLVE_EACH * (uint32_t)__nvvm_read_ptx_sreg_nsmid();
#elif LANES_SPLIT
        teams = 64;
#else
        teams = 1;
#endif
    }
    *facts = (struct device_facts){.threads = threads, .teams = teams};
    return !here;
}

/* Threads of a team are counted on the host, whose own number is another one. */
void device_assemble(int device, const struct device_facts *facts, const struct work *work, uint32_t parts) {
    const uint32_t threads = facts->threads, most = facts->teams > 1 ? parts : 1;
    (void)device, (void)threads, (void)most;
#pragma omp target teams num_teams(most) thread_limit(threads) is_device_ptr(work) device(device) \
    TEAMS_EACH(ASSEMBLE_EACH)
#pragma omp parallel num_threads(threads)
    EACH_TEAM(k, work->elements) {
        const struct part part = work->element[k];
        float total[SUMS] = {0};
        elements_part(&work->settings, &work->body[part.body], part.part, total);
        if (LANES_THREAD == 0)
            work->element_total[k] = total[SUM_ELASTIC];
    }
#pragma omp target teams num_teams(most) thread_limit(threads) is_device_ptr(work) device(device) \
    TEAMS_EACH(ASSEMBLE_EACH)
#pragma omp parallel num_threads(threads)
    {
        EACH_TEAM(k, work->pairs)
        contact_any(&work->settings, work->body, &work->pair[work->pair_list[k]]);
        EACH_TEAM(k, work->rows) {
            const struct part part = work->row[k];
            float total[SUMS] = {0};
            rows_part(&work->settings, &work->body[part.body], part.part, total);
            for (int i = 0; LANES_THREAD == 0 && i < SUMS; i++)
                work->row_total[k][i] = total[i];
        }
    }
    /* contacts are there */
#pragma omp target teams num_teams(most) thread_limit(threads) is_device_ptr(work) device(device)                      \
    TEAMS_EACH(ASSEMBLE_EACH)
#pragma omp parallel num_threads(threads)
    EACH_TEAM(k, work->rows)
    begin_part(work, &work->body[work->row[k].body], work->row[k].part);
}

void device_solve(int device, const struct device_facts *facts, const struct work *work, uint32_t teams) {
    const uint32_t threads = facts->threads;
    (void)device, (void)threads, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) is_device_ptr(work) device(device) \
    TEAMS_EACH(SOLVE_EACH)
#pragma omp parallel num_threads(threads)
    EACH_TEAM(k, work->teams) {
        const struct team team = work->team[k];
        uint32_t expected = 0;
        for (uint32_t s = 0; s < team.count; s++)
            solve_set(work, &team, work->order[team.first + s], &expected);
    }
}

void device_move(int device, const struct device_facts *facts, const struct work *work, uint32_t parts) {
    const uint32_t threads = facts->threads, most = facts->teams > 1 ? parts : 1;
    (void)device, (void)threads, (void)most;
#pragma omp target teams num_teams(most) thread_limit(threads) is_device_ptr(work) device(device) \
    TEAMS_EACH(ASSEMBLE_EACH)
#pragma omp parallel num_threads(threads)
    EACH_TEAM(k, work->rows) {
        const struct body *body = &work->body[work->row[k].body];
        const uint32_t rows = body->shape->rows, first = work->row[k].part * TEAM;
        float *moved = work->moved + work->place[work->row[k].body];
        for (uint32_t at = first + LANES_THREAD; at < first + TEAM && at < rows; at += LANES_THREADS)
            for (size_t a = at; a < 3 * (size_t)rows; a += rows)
                moved[a] = body->x[a] += work->settings.step * body->v[a];
    }
}
