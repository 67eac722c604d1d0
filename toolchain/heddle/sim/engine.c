/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine.c - one loop on a described machine, event by event, under one of libheddle's schedules. A device works on its
 * chunks in order; the transfer of the next one overlaps computing as far as `ahead` allows. The engine trusts nobody:
 * what a schedule gives twice, never, out of range or beyond a device's memory ends the run with a message.
 */
#include "sim.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HELD = 8 };

struct held_chunk {
    struct heddle_loop_chunk chunk;
    double given, begin, end, move;
};
struct state {
    struct held_chunk held[HELD];
    int count;
    double moved, free_at; /* its link and its processor are busy until then */
    bool done, waiting;
};
struct sim {
    const struct sim_machine *m;
    const struct sim_work *w;
    const struct heddle_loop_policy *policy;
    struct heddle_loop_problem p;
    struct heddle_loop_device *device;
    struct state *at;
    struct sim_run *run;
    struct sim_history *history;
    void *state;
    unsigned char *given;
    double now;
    long left; /* iterations not done */
    uint64_t seed;
    char *message;
};

static bool stop_with(struct sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool stop_with(struct sim *s, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(s->message, SIM_MESSAGE, format, list);
    va_end(list);
    return false;
}

int sim_kind_of(const struct sim_machine *m, int device) {
    int k = 0;
    while (device >= m->kind[k].count)
        device -= m->kind[k++].count;
    return k;
}

static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double work_of(const struct sim *s, int kind, const struct heddle_loop_chunk *c) {
    const double *cost = s->w->cost[kind];
    return cost[c->first + c->count] - cost[c->first];
}

static double slowed(const struct sim_kind *k, long count) {
    return k->curve > 0 ? -1 / expm1(log(1 - HEDDLE__LOOP_BETA) * (double)count / k->curve) : 1;
}

/* When the transfer, then the processor are free, the chunk goes on. */
static void begin(struct sim *s, int d, const struct heddle_loop_chunk *c) {
    struct state *at = &s->at[d];
    const struct sim_kind *k = &s->m->kind[s->run->device[d].kind];
    const double factor = 1 + k->noise * sim_normal(&s->seed), move = k->move * (double)c->count;
    const double compute =
        (k->setup + work_of(s, s->run->device[d].kind, c) * slowed(k, c->count)) * (factor > 0.3 ? factor : 0.3);
    struct held_chunk *f = &at->held[at->count++];
    if (!s->run->device[d].begun) { /* data that every chunk needs comes with the first one */
        at->free_at = at->moved = s->now + k->ready;
        s->run->device[d].begun = true;
    }
    at->moved = (at->moved > s->now ? at->moved : s->now) + move;
    const double could = at->free_at > s->now ? at->free_at : s->now;
    f->chunk = *c;
    f->given = s->now;
    f->begin = at->moved > could ? at->moved : could;
    f->move = f->begin - could;
    f->end = f->begin + compute;
    at->free_at = f->end;
}

static bool check(struct sim *s, int d, const struct heddle_loop_chunk *c) {
    const long most = s->device[d].most;
    if (c->count <= 0 || c->first < 0 || c->count > s->w->n - c->first)
        return stop_with(s, "schedule %s gave iterations %ld + %ld of %ld", s->policy->name, c->first, c->count,
                         s->w->n);
    if (most > 0 && c->count > most)
        return stop_with(s, "schedule %s gave %ld iterations to a device that holds %ld", s->policy->name, c->count,
                         most);
    for (long i = c->first; i < c->first + c->count; i++) {
        if (s->given[i])
            return stop_with(s, "schedule %s gave iteration %ld twice", s->policy->name, i);
        s->given[i] = 1;
    }
    return true;
}

/* Asks all devices that can take a chunk until nobody takes one more. `first`: who is asked first. */
static bool ask(struct sim *s, int first) {
    const int devices = s->m->devices;
    for (bool more = true; more;) {
        more = false;
        for (int k = 0; k < devices; k++) {
            const int d = (first + k) % devices;
            struct state *at = &s->at[d];
            struct heddle_loop_chunk c = {0, 0};
            if (s->run->device[d].lost || at->done || at->waiting || at->count >= s->m->ahead)
                continue;
            s->run->asked++;
            const double from = clock_now();
            const enum heddle_loop_answer answer = s->policy->next(s->state, d, s->now, &c);
            s->run->decide += clock_now() - from;
            switch (answer) {
            case HEDDLE_LOOP_CHUNK:
                if (!check(s, d, &c))
                    return false;
                begin(s, d, &c);
                for (int j = 0; j < devices; j++)
                    s->at[j].waiting = false;
                more = true;
                break;
            case HEDDLE_LOOP_WAIT:
                at->waiting = true;
                break;
            case HEDDLE_LOOP_DONE:
                at->done = true;
                break;
            }
        }
    }
    return true;
}

static bool note(struct sim *s, int d, const struct held_chunk *f, double end, bool lost) {
    struct sim_run *r = s->run;
    if (r->chunks == r->room) {
        const long room = r->room ? 2 * r->room : 256;
        struct sim_span *span = realloc(r->span, (size_t)room * sizeof *span);
        if (!span)
            return stop_with(s, "out of memory");
        r->span = span;
        r->room = room;
    }
    r->span[r->chunks++] = (struct sim_span){d, f->chunk, f->given, f->begin < end ? f->begin : end, end, lost};
    return true;
}

static bool remember(struct sim *s, int d, const struct heddle_loop_sample *measured) {
    struct sim_history *h = s->history;
    if (!h)
        return true;
    if (h->count == h->room) {
        const int room = h->room ? 2 * h->room : 1024;
        struct heddle_loop_sample *sample = realloc(h->sample, (size_t)room * sizeof *sample);
        if (sample)
            h->sample = sample;
        int *class = realloc(h->class, (size_t)room * sizeof *class);
        if (class)
            h->class = class;
        if (!sample || !class)
            return stop_with(s, "out of memory");
        h->room = room;
    }
    h->sample[h->count] = *measured;
    h->class[h->count++] = s->run->device[d].kind;
    return true;
}

static bool end_chunk(struct sim *s, int d) {
    struct state *at = &s->at[d];
    const struct held_chunk f = at->held[0];
    struct sim_device *r = &s->run->device[d];
    const struct heddle_loop_sample measured = {f.chunk, s->w->n, f.end - f.begin, f.move};
    memmove(at->held, at->held + 1, (HELD - 1) * sizeof *at->held);
    at->count--;
    s->left -= f.chunk.count;
    r->iterations += f.chunk.count;
    r->chunks++;
    r->busy += f.end - f.begin;
    r->finish = f.end;
    const double from = clock_now();
    if (s->policy->done)
        s->policy->done(s->state, d, s->now, &measured);
    s->run->decide += clock_now() - from;
    for (int k = 0; k < s->m->devices; k++)
        s->at[k].waiting = false;
    return note(s, d, &f, f.end, false) && remember(s, d, &measured);
}

static bool lose(struct sim *s, int d) {
    struct heddle_loop_chunk back[HELD];
    struct state *at = &s->at[d];
    bool good = true;
    s->run->device[d].lost = true;
    for (int k = 0; k < at->count; k++) {
        back[k] = at->held[k].chunk;
        memset(s->given + back[k].first, 0, (size_t)back[k].count);
        if (at->held[k].begin < s->now)
            good = good && note(s, d, &at->held[k], s->now, true);
    }
    if (!s->policy->lost)
        return stop_with(s, "a device is lost, and schedule %s cannot give its chunks to others", s->policy->name);
    s->policy->lost(s->state, d, back, at->count);
    at->count = 0;
    for (int k = 0; k < s->m->devices; k++)
        s->at[k].waiting = s->at[k].done = false;
    return good;
}

/* The next thing that happens: a chunk ends (0) or a device fails (1). -1: nothing any more. */
static int next_event(const struct sim *s, double *when, int *what) {
    int device = -1;
    *when = HUGE_VAL;
    for (int d = 0; d < s->m->devices; d++) {
        const struct sim_kind *k = &s->m->kind[s->run->device[d].kind];
        const bool last = d + 1 == s->m->devices || s->run->device[d + 1].kind != s->run->device[d].kind;
        if (s->run->device[d].lost)
            continue;
        const double times[2] = {s->at[d].count ? s->at[d].held[0].end : HUGE_VAL,
                                 last && k->fail > s->now && (k->fail > 0 || s->now > 0) ? k->fail : HUGE_VAL};
        for (int t = 0; t < 2; t++)
            if (times[t] < *when) {
                *when = times[t];
                *what = t;
                device = d;
            }
    }
    return device;
}

static bool play(struct sim *s) {
    if (!ask(s, 0))
        return false;
    while (s->left > 0) {
        int what = 0;
        double when;
        const int d = next_event(s, &when, &what);
        if (d < 0)
            return stop_with(
                s, "schedule %s: %ld of %ld iterations are left, nothing is under way and no device takes any",
                s->policy->name, s->left, s->w->n);
        s->now = when;
        if (what == 0 && !end_chunk(s, d))
            return false;
        if (what == 1 && !lose(s, d))
            return false;
        if (!ask(s, d))
            return false;
    }
    return true;
}

static void sum_up(struct sim *s) {
    struct sim_run *r = s->run;
    double rates = 0, first = HUGE_VAL;
    const struct heddle_loop_chunk all = {0, s->w->n};
    for (int d = 0; d < s->m->devices; d++) {
        const struct sim_kind *k = &s->m->kind[r->device[d].kind];
        const double alone = k->setup + work_of(s, r->device[d].kind, &all) * slowed(k, s->w->n);
        rates += alone > 0 ? 1 / alone : 0;
        r->makespan = r->device[d].finish > r->makespan ? r->device[d].finish : r->makespan;
        if (r->device[d].chunks && r->device[d].finish < first)
            first = r->device[d].finish;
    }
    r->ideal = rates > 0 ? 1 / rates : 0;
    r->balance = r->makespan > 0 && !isinf(first) ? first / r->makespan : 1;
}

static bool prepare(struct sim *s, long chunk) {
    const struct sim_machine *m = s->m;
    const size_t devices = (size_t)m->devices;
    s->device = calloc(devices, sizeof *s->device);
    s->at = calloc(devices, sizeof *s->at);
    s->given = calloc((size_t)s->w->n + 1, 1);
    if (!s->device || !s->at || !s->given)
        return stop_with(s, "out of memory");
    s->p = (struct heddle_loop_problem){.n = s->w->n,
                                        .chunk = chunk,
                                        .devices = m->devices,
                                        .classes = m->kinds,
                                        .device = s->device,
                                        .ahead = m->ahead};
    if (s->history) {
        s->p.samples = s->history->count;
        s->p.sample = s->history->sample;
        s->p.sample_class = s->history->class;
    }
    const double from = clock_now();
    int number = 0;
    for (int d = 0; d < m->devices; d++) {
        const int kind = sim_kind_of(m, d);
        const struct sim_kind *k = &m->kind[kind];
        s->run->device[d].kind = kind;
        s->device[d] = (struct heddle_loop_device){.device = k->host ? -1 : number++,
                                                   .class = kind,
                                                   .ready = k->ready,
                                                   .most = k->most,
                                                   .grain = k->curve > 1 ? (long)k->curve : 1};
        if (d && s->device[d - 1].class == kind) {
            s->device[d].setup = s->device[d - 1].setup;
            s->device[d].rate = s->device[d - 1].rate;
        } else {
            heddle__loop_recall_costs(&s->p, kind, &s->device[d].setup, &s->device[d].rate);
        }
    }
    s->run->prepare = clock_now() - from;
    return true;
}

bool sim_run(const struct sim_machine *m, const struct sim_work *w, const struct heddle_loop_policy *policy, long chunk,
             uint64_t seed, struct sim_history *history, struct sim_run *run, char *message) {
    struct sim s = {.m = m,
                    .w = w,
                    .policy = policy,
                    .run = run,
                    .seed = seed,
                    .history = history,
                    .left = w->n,
                    .message = message};
    struct sim_history before = {0}; /* samples are given to the schedule as they were at the start */
    memset(run, 0, sizeof *run);
    if (history && history->count) {
        before = *history;
        before.sample = malloc((size_t)before.count * sizeof *before.sample);
        before.class = malloc((size_t)before.count * sizeof *before.class);
        if (before.sample && before.class) {
            memcpy(before.sample, history->sample, (size_t)before.count * sizeof *before.sample);
            memcpy(before.class, history->class, (size_t)before.count * sizeof *before.class);
        }
    }
    bool good = (!before.count || (before.sample && before.class)) && prepare(&s, chunk);
    if (good) {
        s.p.samples = before.count;
        s.p.sample = before.sample;
        s.p.sample_class = before.class;
        const double from = clock_now();
        s.state = policy->start(&s.p);
        run->prepare += clock_now() - from;
        good = s.state ? play(&s) : stop_with(&s, "schedule %s does not start", policy->name);
        if (s.state)
            policy->stop(s.state);
    }
    if (good)
        sum_up(&s);
    if (history)
        history->count = heddle__loop_thin_samples(history->sample, history->class, history->count, m->kinds, SIM_KEEP);
    free(before.sample);
    free(before.class);
    free(s.device);
    free(s.at);
    free(s.given);
    return good;
}

void sim_run_free(struct sim_run *run) {
    free(run->span);
    run->span = NULL;
}

void sim_history_free(struct sim_history *h) {
    free(h->sample);
    free(h->class);
    *h = (struct sim_history){0};
}
