/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work stealing. Jobs begin by capacity and stay with the device that makes them; who has nothing left takes a part of
 * the longest queue, of the type that suits it most. `steal`: a part by the clause, 30 to 70 percent were published.
 * `steal_times`: half, scaled by the thief's capacity against the fastest device's for that type.
 */
#include "jobs/plan/plan.h"
#include <math.h>

static const double PART = 50; /* percent, without a number in the clause */
enum { FEW = 64 };             /* a queue that short is taken whole */

static void *start(const struct heddle_jobs_machine *m) { return (void *)m; }
static void stop(void *state) { (void)state; }

static void place(void *state, const struct heddle_jobs_choice *c) {
    (void)state;
    heddle__jobs_put_at_home(c);
}

static double part_of(const struct heddle_jobs_machine *m) {
    return (m->parameter > 0 && m->parameter <= 100 ? m->parameter : PART) / 100;
}

/* Half, scaled by the capacity relative to the best class. */
static double timed_part(const struct heddle_jobs_machine *m, int type, int device) {
    const double here = fmax(heddle__jobs_each(m, type, -1, device), 1e-15);
    double best = here;
    for (int k = 0; k < m->classes; k++)
        if (m->time[type * m->classes + k].each >= 0)
            best = fmin(best, fmax(m->time[type * m->classes + k].each, 1e-15));
    return 0.5 * best / here;
}

static long part_count(long count, double part) {
    const long some = (long)(part * (double)count + 0.5);
    return count <= FEW ? count : some < 1 ? 1 : some;
}

/* What a device runs at once is not to be stolen any more, so it takes a part of its own queue, too. */
static void batch(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_batch *answer) {
    (void)state;
    const int type = heddle__jobs_best_type(c, c->asking, c->asking);
    if (type < 0)
        return;
    const long count = c->queued[c->asking * c->machine->types + type];
    *answer = (struct heddle_jobs_batch){type, part_count(count, part_of(c->machine))};
}

/* The longest queue with something for the thief; -1: none. */
static int find_victim(const struct heddle_jobs_choice *c) {
    long most = 0;
    int victim = -1;
    for (int d = 0; d < c->machine->devices; d++) {
        const long count = d == c->asking ? 0 : heddle__jobs_waiting(c, d);
        if (count > most && heddle__jobs_best_type(c, c->asking, d) >= 0) {
            most = count;
            victim = d;
        }
    }
    return victim;
}

static bool take(const struct heddle_jobs_choice *c, bool timed, struct heddle_jobs_move *answer) {
    if (heddle__jobs_waiting(c, c->asking) > 0)
        return false;
    const int victim = find_victim(c);
    if (victim < 0)
        return false;
    const int type = heddle__jobs_best_type(c, c->asking, victim);
    const double part = timed ? timed_part(c->machine, type, c->asking) : part_of(c->machine);
    const long count = c->queued[victim * c->machine->types + type];
    *answer = (struct heddle_jobs_move){type, victim, c->asking, part_count(count, part)};
    return true;
}

static bool steal(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_move *answer) {
    (void)state;
    return take(c, false, answer);
}
static bool steal_timed(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_move *answer) {
    (void)state;
    return take(c, true, answer);
}

const struct heddle_jobs_policy heddle__jobs_steal = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "steal",
    .help = "by capacity at first; who has nothing takes a part (the clause's percent, 50) of the longest queue",
    .source = "Kim et al. 2009 (HPCCD); Kim 2013, section 5",
    .start = start,
    .place = place,
    .batch = batch,
    .steal = steal,
    .stop = stop,
};

const struct heddle_jobs_policy heddle__jobs_steal_times = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "steal_times",
    .help = "as steal, with half scaled by the thief's capacity for the type",
    .source = "Kim 2013, section 5.5",
    .start = start,
    .place = place,
    .batch = batch,
    .steal = steal_timed,
    .stop = stop,
};
