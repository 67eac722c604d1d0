/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running calls and the memory they may touch. Two regions of two threads may map the same array and write
 * different parts of it; plain OpenMP gives both the one copy on its device. So calls that overlap must run at
 * the same place while both run, or one after the other.
 */
#include "selector.h"
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static struct active_region *list;

/* Regions that run at one place at the same time share it. On the host each gets 1/n: `done` is the time that a region
   which is there all the while would have got alone; differences of it are a region's own work. A device runs large
   kernels one after the other: there a region's own work began when the one before it ended. What is left of all of
   them together is the same in both views. Data calls do not count. */
static struct sharing {
    double done, since; /* seconds; when it was last brought up to date */
    double ended;       /* when a region last ended here */
    double busy;        /* seconds with a region or more */
    int regions;
} sharing[PLACES];

static struct sharing *share(int place, int more, double now) {
    struct sharing *p = &sharing[place];
    if (p->regions > 0 && now > p->since) {
        p->done += (now - p->since) / p->regions;
        p->busy += now - p->since;
    }
    p->since = now > p->since ? now : p->since; /* ends are noted before the lock is there, so they come out of order */
    p->regions += more;
    return p;
}

/* The host version of a region of one thread: it starts when the hook returns, and nothing tells its end but
   the thread's next call into heddle or, for `teams` and `parallel`, an OMPT event. */
struct host_run {
    struct active_region active_region;
    struct sample sample;
    struct range *ranges;
    int room;
};
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local struct host_run *host; /* made at the thread's first host version */
static _Thread_local bool host_on;

/* When a region began that is alone on a device: at the end of the one before it. Ends come out of order: one later
 * than its own says nothing. */
static double own_begin(const struct sharing *p, const struct active_region *f, double now) {
    return p->ended > f->start && p->ended < now ? p->ended : f->start;
}

static void unlink_flight(struct active_region *f, double now) {
    if (!f->linked)
        return;
    if (f->previous)
        f->previous->next = f->next;
    else if (list == f)
        list = f->next;
    if (f->next)
        f->next->previous = f->previous;
    f->next = f->previous = NULL;
    if (f->region) {
        struct sharing *p = share(f->place, -1, now);
        f->work = f->place == HOST ? p->done - f->work : now - own_begin(p, f, now);
        p->ended = now > p->ended ? now : p->ended;
    }
    f->linked = false;
    heddle__wake();
}

static void link_flight(struct active_region *f) {
    if (f->region)
        f->work = share(f->place, 1, f->start)->done;
    f->previous = NULL;
    f->next = list;
    if (list)
        list->previous = f;
    list = f;
    f->linked = true;
}

void heddle__active_begin(struct active_region *f, int place, struct footprint *t, void *region, double expected,
                          double now) {
    *f = (struct active_region){.place = place,
                                .ranges = t->ranges,
                                .count = t->count,
                                .reads = t->reads,
                                .beside = t->alone ? 0 : t->reads,
                                .region = region,
                                .expected = expected > 0 ? expected : 0,
                                .start = now};
    link_flight(f);
}

void heddle__active_end(struct active_region *f, double now) { unlink_flight(f, now); }

void heddle__active_share_time(const struct active_region *f, struct sample *s, double seconds) {
    const double part = seconds > 0 ? f->work / seconds : 1;
    s->alone = part < 0.95 ? part * seconds : seconds;
    s->shared = part < 0.95;
}

static bool overlap(const struct range *a, const struct range *b) { return a->from < b->to && b->from < a->to; }

place_set heddle__active_conflicts(const struct footprint *t, bool by_word) {
    const int beside = t->alone ? 0 : t->reads;
    place_set set = 0;
    for (const struct active_region *f = list; f; f = f->next)
        for (int a = 0; f->by_word == by_word && a < f->count && !(set & BIT(f->place)); a++)
            for (int b = 0; b < t->count; b++)
                if (overlap(&f->ranges[a], &t->ranges[b]) && !(a < f->beside && b < beside)) {
                    set |= BIT(f->place);
                    break;
                }
    return set;
}

bool heddle__active_writes(const struct footprint *t) {
    for (const struct active_region *f = list; f; f = f->next)
        for (int a = f->reads; a < f->count; a++)
            for (int b = 0; b < t->count; b++)
                if (overlap(&f->ranges[a], &t->ranges[b]))
                    return true;
    return false;
}

const struct active_region *heddle__active_reader(const struct range *r, int place) {
    for (const struct active_region *f = list; f; f = f->next)
        for (int a = 0; f->region && f->place != place && a < f->reads; a++)
            if (overlap(&f->ranges[a], r))
                return f;
    return NULL;
}

place_set heddle__active_places(const struct range *r) {
    place_set set = 0;
    for (const struct active_region *f = list; f; f = f->next)
        for (int a = 0; f->region && a < f->count; a++)
            if (overlap(&f->ranges[a], r))
                set |= BIT(f->place);
    return set;
}

bool heddle__active_on_data(const struct range *r) {
    for (const struct active_region *f = list; f; f = f->next)
        for (int k = 0; !f->region && k < f->count; k++)
            if (f->ranges[k].from < r->to && r->from < f->ranges[k].to)
                return true;
    return false;
}

/* How many regions run at a place, and how long the predictions say that they still need. */
int heddle__active_count(int place, double *wait) {
    static const double LEAST = 0.1; /* share of the prediction: what is overdue still keeps the place busy */
    *wait = 0;
    if (!sharing[place].regions)
        return 0;
    const double done = share(place, 0, heddle__now())->done;
    for (const struct active_region *f = list; f; f = f->next)
        if (f->place == place && f->region) {
            const double left = f->expected - (done - f->work);
            *wait += left > LEAST * f->expected ? left : LEAST * f->expected;
        }
    return sharing[place].regions;
}

double heddle__busy_seconds(int place) { return sharing[place].busy; }

const struct active_region *heddle__active_regions(void) { return list; }

bool heddle__on_devices(void) {
    for (const struct active_region *f = list; f; f = f->next)
        if (f->place != HOST)
            return true;
    return false;
}

void heddle__active_forget(void) {
    list = NULL;
    memset(sharing, 0, sizeof sharing);
    host_on = false;
}

bool heddle__active_drop_host(void) {
    bool dropped = false;
    for (struct active_region *f = list, *next; f; f = next) {
        const double most = 0.2 + 50 * (f->expected > 0 ? f->expected : 0.02); /* seconds */
        next = f->next;
        if (f->place == HOST && heddle__now() - f->start > most) {
            unlink_flight(f, heddle__now());
            dropped = true;
        }
    }
    return dropped;
}

static void thread_ends(void *h) {
    struct host_run *run = h;
    heddle__lock();
    if (host_on)
        unlink_flight(&run->active_region, heddle__now());
    host_on = false;
    host = NULL;
    heddle__unlock();
    free(run->ranges);
    free(run);
}

static void make_key(void) { pthread_key_create(&key, thread_ends); }

/* False: no memory; the region then runs on a device. */
bool heddle__host_begin(struct footprint *t, const struct sample *sample) {
    pthread_once(&once, make_key);
    if (!host) {
        host = calloc(1, sizeof *host);
        if (!host || pthread_setspecific(key, host))
            return false;
    }
    if (host->room < t->count) {
        struct range *more = realloc(host->ranges, (size_t)t->count * sizeof *more);
        if (!more)
            return false;
        host->ranges = more;
        host->room = t->count;
    }
    if (t->count)
        memcpy(host->ranges, t->ranges, (size_t)t->count * sizeof *host->ranges);
    const size_t text = heddle__sel.explain ? sizeof host->sample : offsetof(struct sample, text) + 1; /* it is long */
    memcpy(&host->sample, sample, text);
    host_on = true;
    heddle__ompt_reset();
    const double now = host->sample.start = heddle__now();
    host->active_region = (struct active_region){.place = HOST,
                                                 .ranges = host->ranges,
                                                 .count = t->count,
                                                 .reads = t->reads,
                                                 .beside = t->alone ? 0 : t->reads,
                                                 .region = sample->region,
                                                 .size = &host->sample.size,
                                                 .nested = sample->nested,
                                                 .expected = sample->predicted > 0 ? sample->predicted : 0,
                                                 .start = now};
    link_flight(&host->active_region);
    return true;
}

/* `when`: the latest time at which it can have ended. Lock held. */
void heddle__host_end(double when) {
    if (!host_on)
        return;
    host_on = false;
    const double told = heddle__ompt_last_end(), end = told > host->sample.start ? told : when;
    const double seconds = end - host->sample.start;
    unlink_flight(&host->active_region, end);
    heddle__active_share_time(&host->active_region, &host->sample, seconds);
    if (host->sample.measure)
        heddle__region_add_run(&host->sample, seconds);
    heddle__explain_done(&host->sample, seconds);
}

bool heddle__host_running(void) { return host_on; }
