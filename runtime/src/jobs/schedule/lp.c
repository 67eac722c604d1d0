/* SPDX-License-Identifier: Apache-2.0 */
/* The LP scheduler (Kim 2013, section 4): all unassigned jobs over all devices so that the last one ends first. */
#include "jobs/plan/plan.h"
#include <math.h>
#include <stdlib.h>

static void *start(const struct heddle_jobs_machine *m) { return (void *)m; }
static void stop(void *state) { (void)state; }

struct asked { /* of the rule that an application brings */
    const struct heddle_jobs_choice *c;
    const int *kind; /* rows of the program */
    double *x;       /* as the application knows kinds */
    int rows;
    const struct heddle__jobs_program *program;
};

static bool ask_rule(void *with, const double *x, int *type, int *resource) {
    const struct asked *a = with;
    const int n = a->c->machine->devices;
    struct heddle_jobs_pair pair;
    for (int r = 0; r < a->rows; r++)
        for (int d = 0; d < n; d++)
            a->x[a->kind[r] * n + d] = x[r * n + d];
    if (!a->c->rule(a->c->with, a->c, a->x, &pair) || pair.device < 0 || pair.device >= n)
        return false;
    for (int r = 0; r < a->rows; r++)
        if (a->kind[r] == pair.kind) {
            *type = a->program->type[r];
            *resource = pair.device;
            return true;
        }
    return false;
}

static double ask_clock(void *with) {
    const struct asked *a = with;
    return a->c->spent(a->c->with);
}

/* Kinds with jobs that some device can run. */
static int find_rows(const struct heddle_jobs_choice *c, int *kind) {
    int rows = 0;
    for (int j = 0; j < c->kinds; j++) {
        bool possible = false;
        for (int d = 0; d < c->machine->devices && c->kind[j].count > 0; d++)
            possible =
                possible || (!heddle__jobs_is_gone(c, d) && heddle__jobs_each(c->machine, c->kind[j].type, -1, d) >= 0);
        if (possible)
            kind[rows++] = j;
    }
    return rows;
}

static void fill(const struct heddle_jobs_choice *c, const int *kind, bool shared, struct heddle__jobs_program *p) {
    const struct heddle_jobs_machine *m = c->machine;
    p->types = shared ? m->types : p->types;
    for (int d = 0; d < m->devices; d++)
        p->rest[d] = heddle__jobs_is_gone(c, d) ? 0 : c->rest[d];
    for (int r = 0; r < p->kinds; r++) {
        const struct heddle_jobs_kind *k = &c->kind[kind[r]];
        p->type[r] = shared ? k->type : r;
        p->count[r] = (double)k->count;
        for (int d = 0; d < m->devices; d++) {
            p->setup[p->type[r] * m->devices + d] = heddle__jobs_setup(m, k->type, d);
            p->each[r * m->devices + d] = heddle__jobs_is_gone(c, d) ? -1 : heddle__jobs_each(m, k->type, k->source, d);
        }
    }
}

static void put(const struct heddle_jobs_choice *c, const struct asked *a, const double *x, long *count) {
    const int n = c->machine->devices;
    for (int r = 0; r < a->rows; r++) {
        heddle__jobs_deal(n, x + r * n, c->kind[a->kind[r]].count, count);
        for (int d = 0; d < n; d++)
            if (count[d])
                c->put(c->with, a->kind[r], d, count[d]);
    }
}

/* Each device is a resource. false: no memory, or no answer. */
static bool place_flat(const struct heddle_jobs_choice *c, struct heddle__jobs_refinement how) {
    const bool shared = how.reading == HEDDLE__JOBS_BEST; /* as published, each kind pays its setup */
    const size_t n = (size_t)c->machine->devices, kinds = (size_t)c->kinds;
    struct heddle__jobs_program p = {0};
    int *kind = malloc((kinds + 1) * sizeof *kind);
    double *x = calloc(2 * kinds * n + 1, sizeof *x);
    long *count = malloc(n * sizeof *count);
    bool good = kind && x && count;
    struct asked a = {c, kind, x ? x + kinds * n : NULL, good ? find_rows(c, kind) : 0, &p};
    if (good && heddle__jobs_program_make(&p, a.rows > c->machine->types ? a.rows : c->machine->types, (int)n)) {
        p.kinds = p.types = a.rows;
        fill(c, kind, shared, &p);
        how.spent = c->spent ? ask_clock : NULL;
        how.rule = c->rule ? ask_rule : NULL;
        how.with = &a;
        good = !a.rows || heddle__jobs_refine(&p, &how, x) >= 0;
        if (good)
            put(c, &a, x, count);
    } else {
        good = false;
    }
    heddle__jobs_program_free(&p);
    free(kind);
    free(x);
    free(count);
    return good;
}

static void place(const struct heddle_jobs_choice *c, enum heddle__jobs_reading reading, bool no_setup, bool flat) {
    enum { FLAT_MOST = 64 }; /* an ablation on more devices than that would not end */
    struct asked a = {.c = c};
    struct heddle__jobs_refinement how = {.reading = reading, .no_setup = no_setup, .report = c->report};
    const int most = flat ? FLAT_MOST : HEDDLE__JOBS_RESOURCES;
    bool good;
    if (c->machine->devices <= most) {
        good = place_flat(c, how);
    } else {
        how.spent = c->spent ? ask_clock : NULL;
        how.with = &a;
        good = heddle__jobs_put_by_class(c, &how);
    }
    if (c->report)
        c->report->flat = c->machine->devices <= most;
    if (!good)
        heddle__jobs_put_by(c, heddle__jobs_capacity);
}

#define POLICY(id, reading, no_setup, flat, text, where)                                                               \
    static void place_##id(void *state, const struct heddle_jobs_choice *c) {                                          \
        (void)state;                                                                                                   \
        place(c, reading, no_setup, flat);                                                                             \
    }                                                                                                                  \
    const struct heddle_jobs_policy heddle__jobs_##id = {                                                              \
        .version = HEDDLE_JOBS_VERSION,                                                                                \
        .name = #id,                                                                                                   \
        .help = text,                                                                                                  \
        .source = where,                                                                                               \
        .start = start,                                                                                                \
        .place = place_##id,                                                                                           \
        .stop = stop,                                                                                                  \
    };

POLICY(lp, HEDDLE__JOBS_BEST, false, false, "the LP refined in rounds, then a bounded search for a better set of pairs",
       "Kim 2013, section 4.3, and branch and bound")
POLICY(lp_published, HEDDLE__JOBS_PUBLISHED, false, false,
       "the LP; rounds take out the pair with the smallest share that is not zero", "Kim 2013, section 4.3")
POLICY(lp_at_once, HEDDLE__JOBS_AT_ONCE, false, false,
       "the LP; rounds take out all pairs without jobs, then that with the smallest share", "Kim 2013, section 4.3")
POLICY(lp_zeros, HEDDLE__JOBS_ZEROS, false, false,
       "the LP; rounds take out the pair with the smallest share, which may be zero", "Kim 2013, section 4.3")
POLICY(lp_no_setup, HEDDLE__JOBS_BEST, true, false, "ablation: the LP does not know of setups", "Kim 2013, section 5.1")
POLICY(lp_flat, HEDDLE__JOBS_BEST, false, true, "ablation: every device is a resource of the LP, up to 64",
       "Kim 2013, section 5.1")

/* ---- lp_steal: the plan is right on average only, so queues run in parts, and who is done takes what is late
 * --------- */
enum { PARTS = 8, SETUPS = 16 }; /* a part of the queue runs at once, and is so many setups long at least */

static void run_part(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_batch *answer) {
    (void)state;
    const struct heddle_jobs_machine *m = c->machine;
    const long *queued = c->queued + c->asking * m->types;
    int type = 0;
    for (int t = 1; t < m->types; t++)
        type = queued[t] > queued[type] ? t : type;
    const double each = heddle__jobs_each(m, type, -1, c->asking), setup = heddle__jobs_setup(m, type, c->asking);
    const double least = SETUPS * setup / fmax(each, 1e-15), part = ceil((double)queued[type] / PARTS);
    if (queued[type] > 0)
        *answer = (struct heddle_jobs_batch){type, (long)fmin((double)queued[type], fmax(part, least))};
}

/* Of the device that ends last, as many as let both end together; none that do not pay for the setup. */
static bool take_late(void *state, const struct heddle_jobs_choice *c, struct heddle_jobs_move *answer) {
    (void)state;
    const struct heddle_jobs_machine *m = c->machine;
    double most = 0;
    if (heddle__jobs_waiting(c, c->asking) > 0)
        return false;
    for (int d = 0; d < m->devices; d++)
        for (int t = 0; t < m->types && d != c->asking && !heddle__jobs_is_gone(c, d); t++) {
            const double here = heddle__jobs_each(m, t, d, c->asking), there = heddle__jobs_each(m, t, -1, d);
            const double setup = heddle__jobs_setup(m, t, c->asking), queued = (double)c->queued[d * m->types + t];
            if (here < 0 || there < 0 || !(queued > 0))
                continue;
            const double count = floor(fmin(queued, (c->rest[d] - setup) / fmax(here + there, 1e-15)));
            const double gain = fmin(count * there, c->rest[d] - setup - count * here);
            if (count >= 1 && gain > setup && gain > most) {
                most = gain;
                *answer = (struct heddle_jobs_move){t, d, c->asking, (long)count};
            }
        }
    return most > 0;
}

const struct heddle_jobs_policy heddle__jobs_lp_steal = {
    .version = HEDDLE_JOBS_VERSION,
    .name = "lp_steal",
    .help = "as lp; queues run in parts, and who has nothing takes from who ends last, so that both end together",
    .source = "Kim 2013, sections 4.3 and 5.5",
    .start = start,
    .place = place_lp,
    .batch = run_part,
    .steal = take_late,
    .stop = stop,
};
