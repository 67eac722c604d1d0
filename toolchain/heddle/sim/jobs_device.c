/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs_device.c - the devices of a run of jobs: a queue of parcels that arrive when their data is there, a batch of one
 * type at a time, and faults.
 */
#include "jobs_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- time of one device ------------------------------------------------------------------------------------------ */
static bool is_idle(const struct device *v) { return !v->gone && v->batch.type < 0; }

void jobs_changed(struct state *s, int d) {
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

/* ---- queues ------------------------------------------------------------------------------------------------------ */
void jobs_deliver(struct state *s, int device, int type, int source, long count) {
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
            jobs_complain(s, "out of memory", 0);
            return;
        }
        v->parcel = more;
    }
    v->parcel[v->parcels++] = (struct parcel){type, count, arrive};
    s->queued[device * s->types + type] += count;
    s->changes++;
    jobs_changed(s, device);
}

long jobs_arrived(const struct state *s, const struct device *v, int type) {
    long count = 0;
    for (int k = 0; k < v->parcels; k++)
        count += v->parcel[k].type == type && v->parcel[k].arrive <= s->now ? v->parcel[k].count : 0;
    return count;
}

long jobs_take(struct state *s, int device, int type, long count, bool any) {
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
    jobs_changed(s, device);
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
        jobs_complain(s, "jobs ran that are not in the stream", count);
    return weight;
}

void jobs_begin_batch(struct state *s, int d, int type, long count) {
    struct device *v = &s->device[d];
    const struct jobs_cost *cost = &s->m->cost[type][v->kind];
    const double noise = cost->noise > 0 ? fmax(0.1, 1 + cost->noise * sim_normal(&s->random)) : 1;
    v->batch = (struct batch){.type = type, .count = count, .begin = s->now};
    const double weight = consume(s, type, count, v->batch.made);
    v->batch.end = s->now + (cost->setup + cost->each * weight) * noise / v->speed;
    v->batch.expected = cost->setup + cost->each * (double)count;
    s->running[d * s->types + type] += count;
    s->run->waiting += s->now - v->since;
    jobs_changed(s, d);
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
            jobs_complain(s, "out of memory", 0);
            return;
        }
        r->span = more;
    }
    r->span[r->spans++] = (struct jobs_span){d, b->type, b->count, b->begin, s->now, lost};
}

void jobs_end_batch(struct state *s, int d) {
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

/* ---- faults ------------------------------------------------------------------------------------------------------ */
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
            jobs_take(s, d, t, s->queued[d * s->types + t], true) + s->unassigned[t * (s->devices + 1) + d + 1];
        s->waiting += count - s->unassigned[t * (s->devices + 1) + d + 1];
        s->unassigned[t * (s->devices + 1) + d + 1] = 0;
        s->unassigned[t * (s->devices + 1)] += count;
    }
    v->gone = s->run->device[d].gone = true;
    s->changes++;
    jobs_changed(s, d);
}

void jobs_fault(struct state *s, int d) {
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
