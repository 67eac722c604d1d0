/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs_engine.c - one run of a policy over a stream of jobs on a described machine. Every device has a queue of parcels
 * that arrive when their data is there; it runs a batch of one type at a time. One thread decides; jobs reach the
 * queues when the decision has taken its time. What a policy says is checked, and in the end every job has run once.
 */
#include "jobs.h"
#include "jobs/plan/plan.h"
#include "model/lp/lp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct parcel {
    int type;
    long count;
    double arrive;
};
enum fault { NO_FAULT, SLOW, STALL, VANISH };
struct batch {
    int type; /* -1: the device does nothing */
    long count;
    double begin, end, expected;
    long made[JOBS_TYPES]; /* jobs that are there when it ends */
};
struct device {
    int kind;
    struct parcel *parcel;
    int parcels, room;
    struct batch batch;
    double link;  /* its link is busy until then */
    double since; /* has nothing to do since then */
    double speed; /* below 1: a fault made it slow */
    long heard;   /* how much had changed when it was last told that there is nothing */
    bool gone;
    enum fault fault;
    double fault_at, factor;
};
struct placed { /* decided, not yet in a queue */
    int type, source, device;
    long count;
};
struct state {
    const struct jobs_setting *set;
    const struct jobs_machine *m;
    struct heddle_jobs_machine machine;
    struct heddle_jobs_device *device_facts;
    struct heddle_jobs_time *time;
    double *move;
    struct device *device;
    int devices, types;
    long *unassigned; /* [type * (devices + 1) + source + 1] */
    long waiting;     /* unassigned jobs of all kinds */
    long *queued, *running;
    long *here;          /* of `queued`, what has arrived: the rest cannot be stolen */
    double *when;        /* of a device: when something happens to it next */
    char *look, *unused; /* of a device: its queue may have changed; it has nothing to do and nothing to begin */
    double *rest;
    struct heddle_jobs_kind *kind;
    long *left; /* of a kind, while a policy places */
    int *row;   /* of a kind */
    struct heddle_jobs_choice choice;
    struct heddle_jobs_report report;
    struct placed *placed;
    int placements, placed_room;
    double decided; /* when the decision under way is ready; < 0: none is */
    const struct jobs_frame *frame;
    long ran[JOBS_TYPES], all_run, all; /* jobs of this frame */
    int segment[JOBS_TYPES];
    long in_segment[JOBS_TYPES]; /* jobs of the segment that were begun */
    long again[JOBS_TYPES];      /* jobs that vanished with a device, and what they were to make */
    long again_made[JOBS_TYPES][JOBS_TYPES];
    double now, began; /* of the frame */
    long changes;
    int clock; /* programs that the decision has looked at the clock for */
    void *policy;
    uint64_t random;
    struct jobs_run *run;
    char *message;
    bool bad;
};

static void complain_of(struct state *s, const char *what, long number) {
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
        complain_of(s, "put jobs that there are not, or where they cannot run; kind", kind);
        return;
    }
    if (s->placements == s->placed_room) {
        s->placed_room = s->placed_room ? 2 * s->placed_room : 64;
        struct placed *more = realloc(s->placed, (size_t)s->placed_room * sizeof *more);
        if (!more) {
            complain_of(s, "out of memory", 0);
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

/* ---- time of one device ------------------------------------------------------------------------------------------ */
static bool is_idle(const struct device *v) { return !v->gone && v->batch.type < 0; }

/* After every change of a device. */
static void changed(struct state *s, int d) {
    const struct device *v = &s->device[d];
    double next = v->batch.type >= 0 ? v->batch.end : HUGE_VAL;
    if (v->fault != NO_FAULT)
        next = fmin(next, fmax(v->fault_at, s->now));
    for (int k = 0; k < v->parcels && v->batch.type < 0; k++)
        if (v->parcel[k].arrive > s->now)
            next = fmin(next, v->parcel[k].arrive);
    s->when[d] = v->gone ? HUGE_VAL : next;
    s->unused[d] = is_idle(v) && !v->parcels;
    s->look[d] = is_idle(v) && v->parcels;
}

/* The first of so many flags that is set, from `at` on; `count`: none. */
static int find_set(const char *flag, int at, int count) {
    const char *p = at < count ? memchr(flag + at, 1, (size_t)(count - at)) : NULL;
    return p ? (int)(p - flag) : count;
}

/* ---- queues ------------------------------------------------------------------------------------------------------ */
static void deliver(struct state *s, int device, int type, int source, long count) {
    struct device *v = &s->device[device];
    if (v->gone) { /* meanwhile */
        s->unassigned[type * (s->devices + 1) + source + 1] += count;
        s->waiting += count;
        return;
    }
    double arrive = s->now;
    const double each = heddle__jobs_transfer(&s->machine, type, source, device);
    if (source >= 0 && source != device && s->machine.device[source].memory != s->machine.device[device].memory) {
        arrive = fmax(s->now, v->link) + s->m->latency + each * (double)count;
        v->link = arrive;
        s->run->transfers++;
        s->run->moved += count;
    }
    if (v->parcels == v->room) {
        v->room = v->room ? 2 * v->room : 8;
        struct parcel *more = realloc(v->parcel, (size_t)v->room * sizeof *more);
        if (!more) {
            complain_of(s, "out of memory", 0);
            return;
        }
        v->parcel = more;
    }
    v->parcel[v->parcels++] = (struct parcel){type, count, arrive};
    s->queued[device * s->types + type] += count;
    s->changes++;
    changed(s, device);
}

/* Jobs of a type that are on the device now. */
static long arrived(const struct state *s, const struct device *v, int type) {
    long count = 0;
    for (int k = 0; k < v->parcels; k++)
        count += v->parcel[k].type == type && v->parcel[k].arrive <= s->now ? v->parcel[k].count : 0;
    return count;
}

/* Up to `count` of them leave the queue; `any`: those on their way, too. Returns how many. */
static long take(struct state *s, int device, int type, long count, bool any) {
    struct device *v = &s->device[device];
    long taken = 0;
    int kept = 0;
    for (int k = 0; k < v->parcels; k++) {
        struct parcel p = v->parcel[k];
        if (p.type == type && (any || p.arrive <= s->now)) {
            const long part = p.count < count - taken ? p.count : count - taken;
            p.count -= part;
            taken += part;
        }
        if (p.count)
            v->parcel[kept++] = p;
    }
    v->parcels = kept;
    s->queued[device * s->types + type] -= taken;
    changed(s, device);
    return taken;
}

/* ---- batches ----------------------------------------------------------------------------------------------------- */
/* The next `count` jobs of a type: what they make is added to `made`; how heavy they are together is returned. */
static double consume(struct state *s, int type, long count, long *made) {
    const struct jobs_frame *f = s->frame;
    const long again = count < s->again[type] ? count : s->again[type];
    double weight = (double)again;
    for (int u = 0; u < s->types && again; u++) {
        const long part = (long)((double)s->again_made[type][u] * (double)again / (double)s->again[type]);
        made[u] += part;
        s->again_made[type][u] -= part;
    }
    s->again[type] -= again;
    count -= again;
    while (count > 0 && s->segment[type] < f->segments[type]) {
        const struct jobs_segment *g = &f->segment[type][s->segment[type]];
        const long from = s->in_segment[type], part = g->count - from < count ? g->count - from : count;
        for (int u = 0; u < s->types; u++)
            made[u] += (long)((double)g->made[u] * (double)(from + part) / (double)g->count) -
                       (long)((double)g->made[u] * (double)from / (double)g->count);
        weight += g->weight * (double)part;
        count -= part;
        s->in_segment[type] += part;
        if (s->in_segment[type] == g->count) {
            s->segment[type]++;
            s->in_segment[type] = 0;
        }
    }
    if (count)
        complain_of(s, "jobs ran that are not in the stream", count);
    return weight;
}

static void begin_batch(struct state *s, int d, int type, long count) {
    struct device *v = &s->device[d];
    const struct jobs_cost *cost = &s->m->cost[type][v->kind];
    const double noise = cost->noise > 0 ? fmax(0.1, 1 + cost->noise * sim_normal(&s->random)) : 1;
    v->batch = (struct batch){.type = type, .count = count, .begin = s->now};
    const double weight = consume(s, type, count, v->batch.made);
    v->batch.end = s->now + (cost->setup + cost->each * weight) * noise / v->speed;
    v->batch.expected = cost->setup + cost->each * (double)count;
    s->running[d * s->types + type] += count;
    s->run->waiting += s->now - v->since;
    changed(s, d);
}

static bool start_batch(struct state *s, int d) {
    struct device *v = &s->device[d];
    struct heddle_jobs_batch b = {-1, 0};
    long most = 0;
    const long limit = s->m->machine.kind[v->kind].most;
    for (int t = 0; t < s->types; t++) {
        const long here = arrived(s, v, t);
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
            complain_of(s, "runs a batch of jobs that are not in the queue", b.count);
            return false;
        }
    }
    if (limit > 0 && b.count > limit)
        b.count = limit;
    const long count = take(s, d, b.type, b.count, false);
    if (!count) /* it wants what has not arrived */
        return false;
    begin_batch(s, d, b.type, count);
    return true;
}

static void keep_span(struct state *s, int d, bool lost) {
    struct jobs_run *r = s->run;
    const struct batch *b = &s->device[d].batch;
    if (!s->set->keep)
        return;
    if (r->spans == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        struct jobs_span *more = realloc(r->span, (size_t)r->room * sizeof *more);
        if (!more) {
            complain_of(s, "out of memory", 0);
            return;
        }
        r->span = more;
    }
    r->span[r->spans++] = (struct jobs_span){d, b->type, b->count, b->begin, s->now, lost};
}

static void end_batch(struct state *s, int d) {
    struct device *v = &s->device[d];
    const struct batch b = v->batch;
    keep_span(s, d, false);
    for (int u = 0; u < s->types; u++) {
        s->unassigned[u * (s->devices + 1) + d + 1] += b.made[u];
        s->waiting += b.made[u];
    }
    s->running[d * s->types + b.type] -= b.count;
    s->ran[b.type] += b.count;
    s->all_run += b.count;
    s->run->jobs += b.count;
    s->run->batches++;
    struct jobs_device *told = &s->run->device[d];
    told->jobs += b.count;
    told->batches++;
    told->busy += s->now - b.begin;
    told->finish = s->now;
    v->batch.type = -1;
    v->since = s->now;
    s->changes++;
}

/* ---- decisions --------------------------------------------------------------------------------------------------- */
static bool ask_to_steal(struct state *s, int d, struct heddle_jobs_move *m) {
    describe(s, d);
    for (int v = 0; v < s->devices; v++)
        for (int t = 0; t < s->types; t++)
            s->here[v * s->types + t] = s->queued[v * s->types + t] ? arrived(s, &s->device[v], t) : 0;
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
            complain_of(s, "steals what is not in the queue, or what cannot run there", m.count);
            return;
        }
        take(s, m.from, m.type, m.count, false);
        deliver(s, m.to, m.type, m.from, m.count);
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
        deliver(s, s->placed[k].device, s->placed[k].type, s->placed[k].source, s->placed[k].count);
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
        complain_of(s, "jobs are left that no device can run", s->waiting);
    deliver_placed(s);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */
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

static void vanish(struct state *s, int d) {
    struct device *v = &s->device[d];
    if (v->batch.type >= 0) { /* it runs again elsewhere */
        keep_span(s, d, true);
        s->again[v->batch.type] += v->batch.count;
        for (int u = 0; u < s->types; u++)
            s->again_made[v->batch.type][u] += v->batch.made[u];
        s->running[d * s->types + v->batch.type] -= v->batch.count;
        s->unassigned[v->batch.type * (s->devices + 1)] += v->batch.count;
        s->waiting += v->batch.count;
        v->batch.type = -1;
    }
    for (int t = 0; t < s->types; t++) { /* jobs whose data was there are made again on the host */
        const long count =
            take(s, d, t, s->queued[d * s->types + t], true) + s->unassigned[t * (s->devices + 1) + d + 1];
        s->waiting += count - s->unassigned[t * (s->devices + 1) + d + 1];
        s->unassigned[t * (s->devices + 1) + d + 1] = 0;
        s->unassigned[t * (s->devices + 1)] += count;
    }
    v->gone = s->run->device[d].gone = true;
    s->changes++;
    changed(s, d);
}

static void fault(struct state *s, int d) {
    struct device *v = &s->device[d];
    const enum fault what = v->fault;
    v->fault = NO_FAULT;
    s->run->faults++;
    if (what == VANISH) {
        vanish(s, d);
        return;
    }
    const double left = v->batch.type >= 0 ? v->batch.end - s->now : 0;
    if (what == SLOW) {
        v->speed /= v->factor;
        v->batch.end = s->now + left * v->factor;
    } else if (v->batch.type >= 0) {
        v->batch.end += v->factor * fmax(v->batch.expected, 1e-6);
    }
}

static void advance(struct state *s) {
    const double next = next_event(s);
    if (!isfinite(next)) {
        if (s->waiting)
            place_somewhere(s);
        else
            complain_of(s, "jobs are nowhere", s->all - s->all_run);
        return;
    }
    s->now = fmax(s->now, next);
    if (s->decided >= 0 && s->decided <= s->now)
        deliver_placed(s);
    for (int d = 0; d < s->devices; d++) {
        if (s->when[d] > s->now)
            continue;
        if (s->device[d].fault != NO_FAULT && s->device[d].fault_at <= s->now && !s->device[d].gone)
            fault(s, d);
        if (s->device[d].batch.type >= 0 && s->device[d].batch.end <= s->now)
            end_batch(s, d);
        changed(s, d);
    }
}

/* All jobs of the frame at once, no setups, no transfers. */
static double bound_of(const struct state *s) {
    double load[JOBS_TYPES * SIM_CLASSES], share[JOBS_TYPES * SIM_CLASSES], fixed[SIM_CLASSES] = {0};
    int kinds = 0, types = 0, at[SIM_CLASSES];
    for (int k = 0; k < s->m->machine.kinds; k++)
        if (s->m->machine.kind[k].count)
            at[kinds++] = k;
    for (int t = 0; t < s->types; t++) {
        if (!s->frame->total[t])
            continue;
        for (int k = 0; k < kinds; k++) {
            const double each = s->m->cost[t][at[k]].each;
            load[types * kinds + k] =
                each < 0 ? -1 : each * (double)s->frame->total[t] / s->m->machine.kind[at[k]].count;
        }
        types++;
    }
    return types ? fmax(heddle__unrelated(types, kinds, load, fixed, share), 0) : 0;
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
        changed(s, d);
    }
    s->run->bound += bound_of(s);
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
            complain_of(s, "jobs of a type ran too often or never", s->ran[t] - frame->total[t]);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */
static void set_faults(struct state *s) {
    const double length = fmax(bound_of(s), 1e-9) * 2 * s->set->stream->frames;
    for (int d = 0; d < s->devices; d++) {
        const struct sim_kind *kind = &s->m->machine.kind[s->device[d].kind];
        if (isfinite(kind->fail) && (d == 0 || s->device[d - 1].kind != s->device[d].kind)) {
            s->device[d].fault = VANISH;
            s->device[d].fault_at = kind->fail;
        }
    }
    for (int k = 0; k < s->set->faults; k++) {
        struct device *v = &s->device[sim_random(&s->random) % (uint64_t)s->devices];
        v->fault = (enum fault)(1 + (int)(sim_random(&s->random) % 3));
        if (v->fault == VANISH && v == s->device) /* one is left, and can run what the machine's first kind can */
            v->fault = SLOW;
        v->fault_at = length * sim_uniform(&s->random);
        v->factor = 1 + 9 * sim_uniform(&s->random);
    }
}

static bool prepare(struct state *s, const struct jobs_setting *set) {
    const struct sim_machine *m = &set->machine->machine;
    const size_t d = (size_t)m->devices, t = (size_t)set->stream->types, kinds = t * (d + 1), k = (size_t)m->kinds;
    s->set = set;
    s->m = set->machine;
    s->devices = (int)d;
    s->types = (int)t;
    s->device = calloc(d, sizeof *s->device);
    s->device_facts = calloc(d, sizeof *s->device_facts);
    s->time = calloc(t * k, sizeof *s->time);
    s->move = calloc(t * k * k, sizeof *s->move);
    s->unassigned = calloc(kinds, sizeof *s->unassigned);
    s->queued = calloc(d * t, sizeof *s->queued);
    s->running = calloc(d * t, sizeof *s->running);
    s->here = calloc(d * t, sizeof *s->here);
    s->when = calloc(d, sizeof *s->when);
    s->look = calloc(d, 1);
    s->unused = calloc(d, 1);
    s->rest = calloc(d, sizeof *s->rest);
    s->kind = calloc(kinds, sizeof *s->kind);
    s->left = calloc(kinds, sizeof *s->left);
    s->row = calloc(kinds, sizeof *s->row);
    s->run->device = calloc(d, sizeof *s->run->device);
    return s->device && s->device_facts && s->time && s->move && s->unassigned && s->queued && s->running && s->here &&
           s->when && s->look && s->unused && s->rest && s->kind && s->left && s->row && s->run->device;
}

static void describe_machine(struct state *s) {
    const struct jobs_machine *m = s->m;
    const int kinds = m->machine.kinds;
    int d = 0;
    for (int k = 0; k < kinds; k++)
        for (int i = 0; i < m->machine.kind[k].count; i++, d++) {
            s->device_facts[d] = (struct heddle_jobs_device){m->machine.kind[k].host ? -1 : d, k,
                                                             m->memory[k] ? -m->memory[k] : d, d / 64};
            s->device[d] = (struct device){.kind = k, .batch = {.type = -1}, .speed = 1, .heard = -1};
            s->run->device[d].kind = k;
        }
    for (int t = 0; t < s->types; t++)
        for (int k = 0; k < kinds; k++) {
            s->time[t * kinds + k] = (struct heddle_jobs_time){m->cost[t][k].setup, m->cost[t][k].each};
            for (int to = 0; to < kinds; to++)
                s->move[(t * kinds + k) * kinds + to] = m->move[t][k][to];
        }
    s->machine = (struct heddle_jobs_machine){.devices = s->devices,
                                              .classes = kinds,
                                              .types = s->types,
                                              .device = s->device_facts,
                                              .time = s->time,
                                              .move = s->move};
    s->machine.parameter = s->set->parameter;
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

static void drop(struct state *s) {
    for (int d = 0; s->device && d < s->devices; d++)
        free(s->device[d].parcel);
    free(s->device);
    free(s->device_facts);
    free(s->time);
    free(s->move);
    free(s->unassigned);
    free(s->queued);
    free(s->running);
    free(s->here);
    free(s->when);
    free(s->look);
    free(s->unused);
    free(s->rest);
    free(s->kind);
    free(s->left);
    free(s->row);
    free(s->placed);
}

bool jobs_run(const struct jobs_setting *set, struct jobs_run *run, char *message) {
    struct jobs_setting own = *set;
    struct state s = {.run = run, .message = message, .decided = -1, .random = set->seed * 77 + 5};
    own.decide = own.decide < 0 ? set->machine->decide : own.decide;
    own.program = own.program < 0 ? set->machine->program : own.program;
    memset(run, 0, sizeof *run);
    snprintf(message, SIM_MESSAGE, "out of memory");
    if (!prepare(&s, &own)) {
        drop(&s);
        return false;
    }
    describe_machine(&s);
    s.policy = own.policy->start(&s.machine);
    s.bad = !s.policy;
    s.frame = &own.stream->frame[0];
    set_faults(&s);
    for (int k = 0; k < own.stream->frames && !s.bad; k++)
        run_frame(&s, &own.stream->frame[k]);
    run->seconds = s.now;
    if (s.policy)
        own.policy->stop(s.policy);
    drop(&s);
    return !s.bad;
}

void jobs_run_free(struct jobs_run *run) {
    free(run->device);
    free(run->span);
    memset(run, 0, sizeof *run);
}
