/* SPDX-License-Identifier: Apache-2.0 */
/* A step on a device, in one launch: elements and contacts, rows, conjugate gradients, new places. */
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define LANES_PACKED 1 /* the matrix is a device's own */
#endif
#include "device.h"

#include "gang.h"
#include "resident.h"
#include "target.h"

/* Teams of a multiprocessor that run at once: its registers are divided among them. */
#ifndef STEP_EACH
#define STEP_EACH 6
#endif
#define TEAMS_EACH(count) ompx_attribute(__attribute__((launch_bounds(TEAM * (count)))))

/* Parts of a set, or its pairs, dealt to its teams in turn. */
#define EACH_OF(gang, k, first, count)                                                                                 \
    for (uint32_t k = (first) + (gang)->rank; k < (first) + (count); k += (gang)->size)

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

LANES_INLINE void move_part(const struct work *w, const struct body *body, uint32_t k) {
    const uint32_t rows = body->shape->rows, first = w->row[k].part * TEAM;
    for (uint32_t at = first + LANES_THREAD; at < first + TEAM && at < rows; at += LANES_THREADS) {
        const float v[3] = {body->v[at], body->v[rows + at], body->v[2 * (size_t)rows + at]};
        if (!move_row(w, body, at, v)) {
#pragma omp atomic write
            w->bad[k] = 1;
        }
    }
}

/* Conjugate gradients in the device's memory, for sets of any size. */
LANES_INLINE void solve_streamed(const struct work *w, const struct gang *gang, const uint32_t *members, uint32_t first,
                                 uint32_t all, const struct own_dots *one, struct body_set *set, struct meetings *met) {
    EACH_OF(gang, k, first, all) {
        begin_part(w, &w->body[w->row[k].body], w->row[k].part);
        if (LANES_THREAD == 0)
            w->bad[k] = 0;
    }
    set_meet(w, gang, met);
    for (uint32_t i = 0; i < w->settings.iterations; i++) {
        EACH_OF(gang, k, first, all) {
            float total[2] = {0, 0};
            multiply_part(w, &w->body[w->row[k].body], w->row[k].part, total);
            if (LANES_THREAD == 0)
                memcpy(w->dots[w->number][w->row[k].number], total, sizeof total);
        }
        set_scalars(w, gang, members, one, set, met);
        if (set->done)
            break;
        EACH_OF(gang, k, first, all) {
            struct body *body = &w->body[w->row[k].body];
            LANES_PART(w->row[k].part, body->shape->rows / GROUP)
            advance_group(set, body, g, lane);
        }
        set_meet(w, gang, met);
    }
    EACH_OF(gang, k, first, all)
    move_part(w, &w->body[w->row[k].body], k);
}

LANES_INLINE void assemble_set(const struct work *w, const struct gang *gang, const struct set_parts *parts,
                               struct meetings *met) {
    const struct settings *o = &w->settings;
    EACH_OF(gang, k, parts->element, parts->elements) {
        const struct part part = w->element[k];
        float total[SUMS] = {0};
        elements_part(o, &w->body[part.body], part.part, total);
        if (LANES_THREAD == 0)
            w->element_total[k] = total[SUM_ELASTIC];
    }
    EACH_OF(gang, k, parts->pair, parts->pairs)
    contact_any(o, w->body, &w->pair[w->pair_list[k]]);
    gang_meet(w, gang, met);
    EACH_OF(gang, k, parts->row, parts->rows) {
        const struct part part = w->row[k];
        float total[SUMS] = {0};
        rows_part(o, &w->body[part.body], part.part, total);
        for (int i = 0; LANES_THREAD == 0 && i < SUMS; i++)
            w->row_total[k][i] = total[i];
    }
    gang_meet(w, gang, met);
}

LANES_INLINE void sum_bodies(const struct work *w, const uint32_t *members, uint32_t count) {
    for (uint32_t k = LANES_THREAD; k < count; k += LANES_THREADS) {
        const struct body *body = &w->body[members[k]];
        if (body->place != (int32_t)w->number)
            continue;
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

/* What a team has in shared memory beside its rows. */
struct team_state {
    struct gang gang;
    struct meetings met;
    struct body_set set;
    struct set_parts parts;
    struct own_dots dots;
    const uint32_t *members;
};

LANES_INLINE void begin_set(const struct work *w, struct team_state *t, uint32_t number) {
    const struct body_set *set = &w->begin[number];
    LANES_MEET
    if (LANES_THREAD == 0) {
        t->parts = w->set_parts[number];
        t->set = (struct body_set){.first = set->first, .count = set->count, .split = set->split};
        t->members = w->member + set->first;
        find_dots(w, t->members, set->count, &t->dots);
        t->gang.devices = set->split ? t->parts.devices : 0;
        t->gang.slot = set->split - 1;
    }
    LANES_MEET
}

LANES_INLINE void step_set(const struct work *w, struct team_state *t, uint32_t number) {
    begin_set(w, t, number);
    assemble_set(w, &t->gang, &t->parts, &t->met);
    if (t->gang.rank == 0)
        sum_bodies(w, t->members, t->set.count);
#if LANES_SPLIT
    if (t->parts.rows <= KEEP * t->gang.size)
        solve_resident(w, &t->gang, t->members, t->parts.row, t->parts.rows, &t->dots, &t->set, &t->met);
    else
#endif
        solve_streamed(w, &t->gang, t->members, t->parts.row, t->parts.rows, &t->dots, &t->set, &t->met);
    if (t->gang.rank == 0 && LANES_THREAD == 0)
        w->set[number] = t->set;
}

bool device_probe(int device, struct device_facts *facts) {
    uint32_t threads = 0, teams = 0, keep = 0, here = 1;
    (void)device; /* only the pragmas use it, and numbers of threads */
#pragma omp target device(device) map(tofrom : threads, teams, keep, here)
    {
        threads = LANES_THREADS;
        here = (uint32_t)omp_is_initial_device();
        keep = LANES_SPLIT ? KEEP : 0;
#if defined(__NVPTX__)
        teams = STEP_EACH * (uint32_t)__nvvm_read_ptx_sreg_nsmid();
#elif LANES_SPLIT
        teams = 64;
#else
        teams = 1;
#endif
    }
    *facts = (struct device_facts){.threads = threads, .teams = teams, .keep = keep};
    return !here;
}

LANES_INLINE void step_team(const struct work *w, const struct team *team, uint32_t turn, uint32_t meets) {
#if LANES_SPLIT
    static struct team_state state;
#pragma omp allocate(state) allocator(omp_pteam_mem_alloc)
#else
    struct team_state state;
#endif
    uint32_t *words = w->meeting + (size_t)team->meeting * MEETING_WORDS;
    LANES_MEET
    if (LANES_THREAD == 0) {
        state.gang = (struct gang){.rank = team->rank,
                                   .size = team->size,
                                   .counter = words + turn * LINE_WORDS,
                                   .go = words + 2 * LINE_WORDS,
                                   .told = words + (3 + turn) * LINE_WORDS};
        state.met = (struct meetings){.wide = meets};
        if (team->rank == 0)
            words[(1 - turn) * LINE_WORDS] = words[(4 - turn) * LINE_WORDS] = 0;
    }
    for (uint32_t s = 0; s < team->count; s++)
        step_set(w, &state, w->order[team->first + s]);
}

/* Threads of a team are counted on the host, whose own number is another one. */
void device_step(int device, const struct device_facts *facts, const struct work *work, uint32_t teams, uint32_t turn,
                 uint32_t meets) {
    const uint32_t threads = facts->threads;
    (void)device, (void)threads, (void)teams;
#pragma omp target teams num_teams(teams) thread_limit(threads) is_device_ptr(work) firstprivate(turn, meets)          \
    device(device) TEAMS_EACH(STEP_EACH)
#pragma omp parallel num_threads(threads)
    for (uint32_t k = (uint32_t)omp_get_team_num(); k < work->teams; k += (uint32_t)omp_get_num_teams())
        step_team(work, &work->team[k], turn, meets);
}
