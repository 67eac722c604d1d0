/* SPDX-License-Identifier: Apache-2.0 */
/*
 * regions_play.c - one run of a program of regions under one of the device selector's policies, which are those of
 * libheddle. Times are learnt as the program runs. Where a recorded region runs as it did, it takes what it took;
 * elsewhere its kind's median.
 */
#include "model/lp/lp.h"
#include "driver.h"
#include "regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct asks { /* a region that wants a place */
    int kind, data;
    double data_bytes; /* recorded data; < 0: the kind's own */
    unsigned allowed;
};

static double predict(const struct world *w, int kind, int place) {
    const struct measured *m = &w->known[kind][w->p->class[place]];
    return m->runs ? m->sum / m->runs : -1;
}

static double move_of(const struct world *w, const struct asks *a, int place) {
    const struct program *p = w->p;
    if (a->data < 0 || w->at[a->data] == place)
        return 0;
    return a->data_bytes < 0 ? p->kind[a->kind].move[place] : p->latency[place] + p->rate[place] * a->data_bytes;
}

struct look { /* of the ready set */
    const struct world *w;
    const int *index;
};

static double predict_running(void *with, const struct heddle__running *running, int k) {
    const struct look *look = with;
    return predict(look->w, *(const int *)running->size, look->index[k]);
}

/* What runs now and the region that asks, by kind, as the selector sees it. */
static int groups_of(const struct world *w, struct heddle_region_group *group, const struct heddle_candidate *candidate,
                     const int *index, int count, int kind, double now) {
    struct heddle__running running[THREADS];
    struct look look = {w, index};
    int n = 0;
    for (long t = 0; t < w->p->threads; t++) {
        const struct thread *other = &w->thread[t];
        if (other->place < 0 || other->free_at <= now)
            continue;
        int at = 0;
        while (at < count && index[at] != other->place)
            at++;
        running[n++] = (struct heddle__running){
            .kind = &w->p->kind[other->kind], .size = &other->kind, .at = at < count ? at : -1};
    }
    return heddle__ready_groups(&(struct heddle__ready){&w->p->kind[kind], candidate, count, predict_running, &look},
                                running, n, group, KINDS);
}

static int choose(struct world *w, const struct heddle_policy *policy, void *state, const struct asks *a, double now) {
    const int kind = a->kind;
    static struct heddle_region_group group[KINDS];
    struct heddle_candidate candidate[PLACES_MOST];
    int index[PLACES_MOST], count = 0, fallback = 0, learn = -1;
    for (int k = w->p->places - 1; k >= 0; k--)
        fallback = w->p->device[k] >= 0 ? k : fallback;
    for (int turn = 0; turn < 2 * w->p->places; turn++) { /* the host is the last, as in a real run */
        const int k = turn % w->p->places;
        if (!(a->allowed >> k & 1) || w->p->kind[kind].time[k] < 0 || (turn < w->p->places) != (w->p->device[k] >= 0))
            continue;
        int busy = 0;
        for (long t = 0; t < w->p->threads; t++)
            busy += w->thread[t].place == k && w->thread[t].free_at > now;
        candidate[count] = (struct heddle_candidate){.device = w->p->device[k],
                                                     .class = w->p->class[k],
                                                     .run = predict(w, kind, k),
                                                     .move = move_of(w, a, k),
                                                     .busy = busy,
                                                     .wait = w->free_at[k] > now ? w->free_at[k] - now : 0,
                                                     .samples = w->known[kind][w->p->class[k]].runs,
                                                     .runs = w->runs[kind]};
        learn = candidate[count].samples || busy ? learn : count;
        index[count++] = k;
    }
    if (policy->learns && learn >= 0) /* every class is measured once before its number is trusted */
        return index[learn];
    struct heddle_choice c = {.region = w->p->kind[kind].name,
                              .where = "",
                              .runs = w->runs[kind],
                              .n = w->p->kind[kind].n,
                              .bytes = w->p->kind[kind].bytes,
                              .default_device = w->p->device[fallback],
                              .count = count,
                              .candidates = candidate,
                              .group = group};
    c.groups = groups_of(w, group, candidate, index, count, kind, now);
    const int pick = policy->choose(&c, state);
    if (pick >= 0 && pick < count)
        return index[pick];
    return a->allowed >> fallback & 1 && w->p->kind[kind].time[fallback] >= 0 ? fallback : index[0];
}

/* The thread whose next region comes first; -1: no more. */
static int next_thread(const struct world *w, double *when) {
    const struct program *p = w->p;
    int t = -1;
    for (int j = 0; j < (int)p->threads; j++) {
        const long next = w->thread[j].next;
        if (p->event && next < 0)
            continue;
        const double at = w->thread[j].free_at + (p->event ? p->event[next].think : 0);
        if (t < 0 || at < *when) {
            t = j;
            *when = at;
        }
    }
    return t;
}

static long event_after(const struct program *p, long k, int thread) {
    while (++k < p->events && p->event[k].thread != thread)
        ;
    return k < p->events ? k : -1;
}

static void begin(struct world *w, const struct program *p) {
    const int datas = p->event ? p->datas : p->kinds;
    int fallback = 0;
    memset(w, 0, sizeof *w);
    w->p = p;
    w->at = calloc((size_t)datas + 1, sizeof *w->at);
    if (!w->at)
        fail("out of memory");
    for (int k = p->places - 1; k >= 0; k--)
        fallback = p->device[k] >= 0 ? k : fallback;
    for (int k = 0; p->event && k < datas; k++)
        w->at[k] = fallback;
    for (int t = 0; t < (int)p->threads; t++) {
        w->thread[t].place = -1;
        w->thread[t].next = event_after(p, -1, t);
    }
}

double sim_regions_play(const struct program *p, const struct heddle_policy *policy, struct world *w) {
    uint64_t r = p->seed + 99;
    double end = 0, now = 0;
    void *state = policy && policy->start ? policy->start() : NULL;
    begin(w, p);
    for (long k = 0; k < (p->event ? p->events : p->count * p->threads); k++) {
        const int t = next_thread(w, &now); /* whose region is done first issues the next one */
        struct thread *me = &w->thread[t];
        const struct event *e = p->event ? &p->event[me->next] : NULL;
        const int kind = e ? e->kind : (int)(sim_random(&r) % (uint64_t)p->kinds);
        const struct asks a = {kind, e ? e->data : kind, e ? e->bytes : -1, e ? e->allowed : ~0u};
        me->place = -1;
        const int at = policy ? choose(w, policy, state, &a, now) : e->place;
        const double scatter = e ? 1 : 1 + p->noise * sim_normal(&r);
        const double run = e && at == e->place ? e->took : p->kind[kind].time[at] * (scatter > 0.3 ? scatter : 0.3);
        const double move = move_of(w, &a, at), from = w->free_at[at] > now ? w->free_at[at] : now;
        w->known[kind][p->class[at]].sum += run;
        w->known[kind][p->class[at]].runs++;
        w->runs[kind]++;
        w->count[at]++;
        w->busy[at] += move + run;
        w->moved += move;
        if (a.data >= 0)
            w->at[a.data] = at;
        w->free_at[at] = from + move + run;
        *me = (struct thread){w->free_at[at], kind, at, e ? event_after(p, me->next, t) : 0};
        end = w->free_at[at] > end ? w->free_at[at] : end;
    }
    if (policy && policy->stop)
        policy->stop(state);
    free(w->at);
    return end;
}

/* How many regions of each kind there are; the longest of its threads, were nobody else there. */
static double count_kinds(const struct program *p, double *count) {
    double alone[THREADS] = {0}, best = 0;
    uint64_t r = p->seed + 99;
    for (long k = 0; k < (p->event ? p->events : p->count * p->threads); k++) {
        const struct event *e = p->event ? &p->event[k] : NULL;
        const int kind = e ? e->kind : (int)(sim_random(&r) % (uint64_t)p->kinds);
        double least = HUGE_VAL;
        if (!e)
            sim_normal(&r);
        count[kind]++;
        for (int j = 0; j < p->places; j++)
            least = p->kind[kind].time[j] >= 0 && p->kind[kind].time[j] < least ? p->kind[kind].time[j] : least;
        if (e)
            alone[e->thread] += e->think + least;
        else
            best += least / (double)p->threads;
    }
    for (int t = 0; t < THREADS; t++) /* one thread issues one region after the other */
        best = alone[t] > best ? alone[t] : best;
    return best;
}

/* What of each kind runs where, in parts, without waiting and moving: no policy can be faster. */
double sim_regions_bound(const struct program *p) {
    double count[KINDS] = {0}, *time = calloc((size_t)(p->kinds * p->places), sizeof *time),
           *x = calloc((size_t)(p->kinds * p->places), sizeof *x);
    if (!time || !x)
        fail("out of memory");
    const double best = count_kinds(p, count);
    for (int j = 0; j < p->kinds; j++)
        for (int k = 0; k < p->places; k++)
            time[j * p->places + k] = p->kind[j].time[k];
    const double together = heddle__makespan(p->kinds, p->places, time, count, NULL, x);
    free(time);
    free(x);
    return together > best ? together : best;
}
