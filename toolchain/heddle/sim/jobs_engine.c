/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs_engine.c - one run of a policy over a stream of jobs on a described machine. One thread decides; jobs reach the
 * queues when the decision has taken its time. What a policy says is checked, and in the end every job has run once.
 */
#include "jobs_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void jobs_complain(struct state *s, const char *what, long number) {
    if (!s->bad)
        snprintf(s->message, SIM_MESSAGE, "%s: %s (%ld) at %.6g s, seed %llu", s->set->policy->name, what, number,
                 s->now, (unsigned long long)s->set->seed);
    s->bad = true;
}

/* ---- what a policy is told --------------------------------------------------------------------------------------- */
static double rest_of(const struct state *s, int d) {
    const struct device *v = &s->device[d];
    double rest = 0;
    if (v->gone)
        return HUGE_VAL;
    if (v->batch.type >= 0) {
        const double length = v->batch.end - v->batch.begin;
        rest = heddle__jobs_rest(v->batch.expected, s->now - v->batch.begin,
                                 length > 0 && isfinite(length) ? (v->batch.end - s->now) / length : 1);
    }
    for (int t = 0; t < s->types; t++)
        rest += heddle__jobs_batch_time(&s->machine, t, -1, d, s->queued[d * s->types + t]);
    return rest;
}

static double clock_of(void *with) {
    struct state *s = with;
    return s->machine.devices ? s->set->program * s->clock++ : 0;
}

static void put(void *with, int kind, int device, long count) {
    struct state *s = with;
    if (kind < 0 || kind >= s->choice.kinds || device < 0 || device >= s->devices || count < 1 ||
        count > s->left[kind] || s->device[device].gone ||
        heddle__jobs_each(&s->machine, s->kind[kind].type, -1, device) < 0) {
        jobs_complain(s, "put jobs that there are not, or where they cannot run; kind", kind);
        return;
    }
    if (s->placements == s->placed_room) {
        s->placed_room = s->placed_room ? 2 * s->placed_room : 64;
        struct placed *more = realloc(s->placed, (size_t)s->placed_room * sizeof *more);
        if (!more) {
            jobs_complain(s, "out of memory", 0);
            return;
        }
        s->placed = more;
    }
    s->left[kind] -= count;
    s->unassigned[s->row[kind]] -= count;
    s->waiting -= count;
    s->placed[s->placements++] = (struct placed){s->kind[kind].type, s->kind[kind].source, device, count};
}

static void describe(struct state *s, int asking) {
    int kinds = 0;
    for (int t = 0; t < s->types; t++)
        for (int d = 0; d <= s->devices; d++) {
            const int at = t * (s->devices + 1) + d;
            if (!s->unassigned[at])
                continue;
            s->kind[kinds] = (struct heddle_jobs_kind){t, d - 1, s->unassigned[at]};
            s->left[kinds] = s->unassigned[at];
            s->row[kinds++] = at;
        }
    for (int d = 0; d < s->devices; d++)
        s->rest[d] = rest_of(s, d);
    s->choice.now = s->now;
    s->choice.asking = asking;
    s->choice.kinds = kinds;
    s->clock = 0;
    s->report = (struct heddle_jobs_report){.rounds = 0};
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- decisions --------------------------------------------------------------------------------------------------- */
static bool start_batch(struct state *s, int d) {
    struct device *v = &s->device[d];
    struct heddle_jobs_batch b = {-1, 0};
    long most = 0;
    const long limit = s->m->machine.kind[v->kind].most;
    for (int t = 0; t < s->types; t++) {
        const long here = jobs_arrived(s, v, t);
        if (here > most) {
            most = here;
            b = (struct heddle_jobs_batch){t, here};
        }
    }
    if (!most)
        return false;
    if (s->set->policy->batch) {
        describe(s, d);
        s->set->policy->batch(s->policy, &s->choice, &b);
        if (b.type < 0 || b.type >= s->types || b.count < 1 || b.count > s->queued[d * s->types + b.type]) {
            jobs_complain(s, "runs a batch of jobs that are not in the queue", b.count);
            return false;
        }
    }
    if (limit > 0 && b.count > limit)
        b.count = limit;
    const long count = jobs_take(s, d, b.type, b.count, false);
    if (!count) /* it wants what has not arrived */
        return false;
    jobs_begin_batch(s, d, b.type, count);
    return true;
}

static bool ask_to_steal(struct state *s, int d, struct heddle_jobs_move *m) {
    describe(s, d);
    for (int v = 0; v < s->devices; v++)
        for (int t = 0; t < s->types; t++)
            s->here[v * s->types + t] = s->queued[v * s->types + t] ? jobs_arrived(s, &s->device[v], t) : 0;
    s->choice.queued = s->here;
    const double begin = seconds_now();
    const bool more = s->set->policy->steal(s->policy, &s->choice, m);
    s->run->real += seconds_now() - begin;
    s->choice.queued = s->queued;
    return more;
}

static void steal(struct state *s, int d) {
    struct heddle_jobs_move m;
    const int most = s->devices * s->types + 1;
    for (int turn = 0; s->set->policy->steal && turn < most; turn++) {
        if (!ask_to_steal(s, d, &m))
            return;
        if (m.type < 0 || m.type >= s->types || m.from < 0 || m.from >= s->devices || m.to < 0 || m.to >= s->devices ||
            m.from == m.to || m.count < 1 || m.count > s->here[m.from * s->types + m.type] ||
            heddle__jobs_each(&s->machine, m.type, -1, m.to) < 0 || s->device[m.to].gone) {
            jobs_complain(s, "steals what is not in the queue, or what cannot run there", m.count);
            return;
        }
        jobs_take(s, m.from, m.type, m.count, false);
        jobs_deliver(s, m.to, m.type, m.from, m.count);
        s->run->steals++;
    }
}

/* One decision; its jobs are in the queues when it has taken its time. */
static void place(struct state *s, int asking) {
    describe(s, asking);
    s->placements = 0;
    const double begin = seconds_now();
    s->set->policy->place(s->policy, &s->choice);
    s->run->real += seconds_now() - begin;
    const double took = s->set->decide + s->set->program * s->report.rounds;
    s->run->decisions++;
    s->run->programs += s->report.rounds;
    if (s->placements) {
        s->decided = s->now + took;
        s->run->deciding += took;
    }
}

static void deliver_placed(struct state *s) {
    for (int k = 0; k < s->placements; k++)
        jobs_deliver(s, s->placed[k].device, s->placed[k].type, s->placed[k].source, s->placed[k].count);
    s->placements = 0;
    s->decided = -1;
}

/* Nobody does anything and the policy places nothing: the first device that can run them gets them. */
static void place_somewhere(struct state *s) {
    describe(s, -1);
    s->placements = 0;
    for (int k = 0; k < s->choice.kinds; k++)
        for (int d = 0; d < s->devices; d++)
            if (s->left[k] && !s->device[d].gone && heddle__jobs_each(&s->machine, s->kind[k].type, -1, d) >= 0)
                put(s, k, d, s->left[k]);
    if (!s->placements)
        jobs_complain(s, "jobs are left that no device can run", s->waiting);
    deliver_placed(s);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */
/* The first of so many flags that is set, from `at` on; `count`: none. */
static int find_set(const char *flag, int at, int count) {
    const char *p = at < count ? memchr(flag + at, 1, (size_t)(count - at)) : NULL;
    return p ? (int)(p - flag) : count;
}

/* Whoever has something begins it; then whoever has nothing gets something, as far as there is anything. Nobody takes
   what its owner could begin now, so jobs do not wander. */
static void serve(struct state *s) {
    const int n = s->devices;
    for (int d = find_set(s->look, 0, n); d < n && !s->bad; d = find_set(s->look, d + 1, n)) {
        start_batch(s, d);
        s->look[d] = 0; /* again when more arrives */
    }
    for (int d = find_set(s->unused, 0, n); d < n && !s->bad; d = find_set(s->unused, d + 1, n)) {
        struct device *v = &s->device[d];
        if (v->heard == s->changes)
            continue;
        if (s->waiting && s->decided < 0)
            place(s, d);
        if (s->decided >= 0)
            return; /* what is decided may be for it and for all others */
        steal(s, d);
        if (v->parcels)
            start_batch(s, d);
        else
            v->heard = s->changes;
        if (!s->set->policy->steal && !s->waiting)
            return;
    }
}

static double next_event(const struct state *s) {
    double next = s->decided >= 0 ? s->decided : HUGE_VAL;
    for (int d = 0; d < s->devices; d++)
        next = s->when[d] < next ? s->when[d] : next;
    return next;
}

static void advance(struct state *s) {
    const double next = next_event(s);
    if (!isfinite(next)) {
        if (s->waiting)
            place_somewhere(s);
        else
            jobs_complain(s, "jobs are nowhere", s->all - s->all_run);
        return;
    }
    s->now = fmax(s->now, next);
    if (s->decided >= 0 && s->decided <= s->now)
        deliver_placed(s);
    for (int d = 0; d < s->devices; d++) {
        if (s->when[d] > s->now)
            continue;
        if (s->device[d].fault != NO_FAULT && s->device[d].fault_at <= s->now && !s->device[d].gone)
            jobs_fault(s, d);
        if (s->device[d].batch.type >= 0 && s->device[d].batch.end <= s->now)
            jobs_end_batch(s, d);
        jobs_changed(s, d);
    }
}

static void run_frame(struct state *s, const struct jobs_frame *frame) {
    s->frame = frame;
    s->began = s->now;
    s->all = s->all_run = s->waiting = 0;
    memset(s->ran, 0, sizeof s->ran);
    memset(s->segment, 0, sizeof s->segment);
    memset(s->again, 0, sizeof s->again);
    memset(s->again_made, 0, sizeof s->again_made);
    memset(s->in_segment, 0, sizeof s->in_segment);
    for (int t = 0; t < s->types; t++) {
        s->all += frame->total[t];
        s->waiting += frame->begin[t];
        s->unassigned[t * (s->devices + 1)] = frame->begin[t];
    }
    for (int d = 0; d < s->devices; d++) {
        s->device[d].since = s->now;
        s->device[d].heard = -1;
        jobs_changed(s, d);
    }
    s->run->bound += jobs_bound(s);
    if (s->waiting)
        place(s, -1);
    while (s->all_run < s->all && !s->bad) {
        serve(s);
        if (!s->bad)
            advance(s);
    }
    for (int d = 0; d < s->devices; d++)
        if (!s->device[d].gone)
            s->run->waiting += s->now - s->device[d].since;
    for (int t = 0; t < s->types && !s->bad; t++)
        if (s->ran[t] != frame->total[t])
            jobs_complain(s, "jobs of a type ran too often or never", s->ran[t] - frame->total[t]);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */
/* What is the same in all decisions. */
static void offer(struct state *s) {
    s->choice = (struct heddle_jobs_choice){.machine = &s->machine,
                                            .kind = s->kind,
                                            .rest = s->rest,
                                            .queued = s->queued,
                                            .running = s->running,
                                            .spent = clock_of,
                                            .put = put,
                                            .with = s,
                                            .report = &s->report};
}

bool jobs_run(const struct jobs_setting *set, struct jobs_run *run, char *message) {
    struct jobs_setting own = *set;
    struct state s = {.run = run, .message = message, .decided = -1, .random = set->seed * 77 + 5};
    own.decide = own.decide < 0 ? set->machine->decide : own.decide;
    own.program = own.program < 0 ? set->machine->program : own.program;
    memset(run, 0, sizeof *run);
    snprintf(message, SIM_MESSAGE, "out of memory");
    if (!jobs_prepare(&s, &own)) {
        jobs_drop(&s);
        return false;
    }
    jobs_describe_machine(&s);
    offer(&s);
    s.policy = own.policy->start(&s.machine);
    s.bad = !s.policy;
    s.frame = &own.stream->frame[0];
    jobs_set_faults(&s);
    for (int k = 0; k < own.stream->frames && !s.bad; k++)
        run_frame(&s, &own.stream->frame[k]);
    run->seconds = s.now;
    if (s.policy)
        own.policy->stop(s.policy);
    jobs_drop(&s);
    return !s.bad;
}
