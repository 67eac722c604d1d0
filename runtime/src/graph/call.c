/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls that translated code makes. The engine of a block stays for its next execution, with what it has learnt;
 * one graph at a time has the devices, and any other block that is met meanwhile runs its tasks as they are made.
 */
#include "engine.h"
#include "graph/plan/plan.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static struct heddle__graph_engine *engines; /* under `busy`, as all of each */

/* ---- engines ----------------------------------------------------------------------------------------------------- */
/* What decides who runs what may have been changed since. */
static bool fits(const struct heddle__graph_engine *e, const struct heddle_graph_call *call) {
    return e->site == call->site && e->device == call->device && e->abandoned == 0;
}

static void free_shapes(struct heddle__graph_engine *e) {
    for (int k = 0; k < HEDDLE__GRAPH_SHAPES; k++) {
        heddle__graph_shape_free(e, e->shape[k]);
        e->shape[k] = NULL;
    }
    e->run = NULL;
}

static void forget(struct heddle__graph_engine *e) {
    free_shapes(e);
    heddle__graph_pieces_free(e);
    heddle__graph_free_machine(e);
    free(e->left);
    free(e->state);
    free(e->ended);
    heddle__graph_keep_nothing(e);
    e->left = e->ended = NULL;
    e->state = NULL;
    e->state_room = 0;
}

/* Devices and options as they were? */
static bool as_before(const struct heddle__graph_engine *e) {
    for (int k = 0; k < e->machine.units; k++)
        if (e->unit[k].gone)
            return false;
    return !e->made || e->mark == heddle__decision_mark();
}

/* It is held for less than a microsecond, but threads sleep with it: who wants it looks for a while. */
static void make_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutex_init(lock, &kind);
    pthread_mutexattr_destroy(&kind);
}

static struct heddle__graph_engine *engine_of(const struct heddle_graph_call *call) {
    struct heddle__graph_engine *e = engines;
    while (e && !fits(e, call))
        e = e->next;
    if (!e) {
        if (!(e = calloc(1, sizeof *e)))
            return NULL;
        e->site = call->site;
        e->device = call->device;
        make_lock(&e->lock);
        pthread_cond_init(&e->arrived, NULL);
        e->next = engines;
        engines = e;
    }
    e->schedule = call->schedule;
    memcpy(e->parameter, call->parameter, sizeof e->parameter);
    if (!as_before(e))
        forget(e);
    e->mark = heddle__decision_mark();
    return e;
}

/* ---- tasks, one after the other where they are met ----------------------------------------------------------------
 */
/* What the program keeps on a device is there alone. */
static void run_here(const struct heddle_graph_type *type, const void *env, const struct heddle_graph_item *items,
                     int nitems) {
    struct heddle_map map[nitems + 1];
    int n = 0;
    for (int k = 0; k < nitems; k++)
        if (items[k].flags & HEDDLE_GRAPH_DATA && items[k].bytes)
            map[n++] = (struct heddle_map){.base = (void *)(uintptr_t)items[k].begin,
                                           .bytes = items[k].bytes,
                                           .kind = HEDDLE_MAP_TOFROM |
                                                   (items[k].flags & HEDDLE_GRAPH_WRITE ? HEDDLE_MAP_W : 0)};
    for (int d = 0; n && type->device && d < heddle__devices_started(); d++)
        heddle__maps_pull(map, n, d);
    type->host(env);
    for (int d = 0; n && type->device && d < heddle__devices_started(); d++)
        heddle__maps_push(map, n, d);
}

/* The recording, where there is no memory to understand it. */
static void run_record(struct heddle__graph_engine *e) {
    const struct heddle__graph_record *r = &e->record;
    pthread_mutex_lock(&e->lock);
    heddle__graph_home(e, true);
    heddle__graph_pieces_reset(e);
    pthread_mutex_unlock(&e->lock);
    for (long t = 0; t < r->tasks; t++)
        run_here(r->task[t].type, r->env + r->task[t].env, r->item + r->task[t].item, r->task[t].items);
}

/* ---- a recording becomes a shape ----------------------------------------------------------------------------------
 */
static bool any_task(const struct heddle__graph_record *r, bool device) {
    for (long t = 0; t < r->tasks; t++)
        if ((r->task[t].type->device != NULL) == device)
            return true;
    return false;
}

/* Another machine, for tasks that nobody could run on this one. */
static void renew(struct heddle__graph_engine *e) {
    heddle__graph_stop_units(e);
    pthread_mutex_lock(&e->lock);
    heddle__graph_home(e, true);
    pthread_mutex_unlock(&e->lock);
    if (e->with_devices)
        heddle__graph_push(e);
    forget(e);
}

static struct heddle__graph_shape *known(struct heddle__graph_engine *e) {
    for (int k = 0; k < HEDDLE__GRAPH_SHAPES; k++)
        if (e->shape[k] && e->shape[k] != e->run && heddle__graph_same(e->shape[k], &e->record))
            return e->shape[k];
    return NULL;
}

/* In the place of the one that was not used for longest. */
static void keep(struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    int oldest = 0;
    for (int k = 0; k < HEDDLE__GRAPH_SHAPES; k++) {
        if (!e->shape[k]) {
            oldest = k;
            break;
        }
        oldest = e->shape[k]->used < e->shape[oldest]->used ? k : oldest;
    }
    if (e->run == e->shape[oldest])
        e->run = NULL;
    heddle__graph_shape_free(e, e->shape[oldest]);
    e->shape[oldest] = s;
}

static struct heddle__graph_shape *learn(struct heddle__graph_engine *e) {
    struct heddle__graph_shape *s = heddle__graph_shape_make(e, &e->record);
    if (!s)
        return NULL;
    e->shapes++;
    s->machine = e->machine;
    s->state = e->policy->start(&s->machine);
    pthread_mutex_lock(&e->lock);
    const bool good = s->state && e->policy->change(s->state, &s->g) && heddle__graph_pieces_add(e, s);
    pthread_mutex_unlock(&e->lock);
    if (good) {
        keep(e, s);
        return s;
    }
    heddle__graph_shape_free(e, s);
    return NULL;
}

static bool reserve(struct heddle__graph_engine *e, int tasks) {
    if (tasks <= e->state_room)
        return true;
    free(e->left);
    free(e->state);
    free(e->ended);
    e->left = malloc((size_t)tasks * sizeof *e->left);
    e->state = malloc((size_t)tasks);
    e->ended = malloc((size_t)tasks * sizeof *e->ended);
    e->state_room = e->left && e->state && e->ended ? tasks : 0;
    return e->state_room > 0;
}

/* False: no memory for that. */
static bool understand(struct heddle__graph_engine *e) {
    const bool devices = any_task(&e->record, true);
    e->wants_host |= any_task(&e->record, false);
    if (e->made && ((devices && !e->with_devices) || (e->wants_host && !e->with_host)))
        renew(e);
    if (!e->made && !heddle__graph_make_machine(e, devices))
        return false;
    struct heddle__graph_shape *s = e->run;
    const bool alike = s && e->alike && s->made.tasks == e->record.tasks;
    if (!alike && !(s = known(e)))
        s = learn(e);
    else
        e->replays++;
    if (!s || !reserve(e, s->g.tasks) || (s->version != e->version && !heddle__graph_pieces_find(e, s)))
        return false;
    s->used = ++e->clock;
    e->run = s;
    return true;
}

/* ---- tasks of functions that the translator did not see ---------------------------------------------------------- */
static _Thread_local bool strangers; /* OpenMP has some that this graph's next tasks have to wait for */
static _Thread_local int level;      /* of the graph's block: regions inside have tasks of their own */

static void await_strangers(void) {
    if (!strangers)
        return;
    strangers = false;
#pragma omp taskwait
}

static void run_all(struct heddle__graph_engine *e, bool last);

/* One is about to be made: what was recorded runs before it, and the host has all data. */
static void meet_stranger(void *with) {
    const struct heddle_graph_call *call = with;
    struct heddle__graph_engine *e = call->engine;
    if (omp_get_level() != level)
        return;
    if (!e) {
        strangers = true;
        return;
    }
    if (!e->told_strange)
        heddle__warn(e->site, "a function that this block calls makes OpenMP tasks, and the graph does not have them: "
                              "they run by themselves, behind all tasks before; define the function in this file, "
                              "before the graph's, and call it by its name");
    e->told_strange = true;
    if (e->record.tasks) /* else those before may run beside it */
        run_all(e, false);
    pthread_mutex_lock(&e->lock);
    e->runs = false;
    heddle__graph_home(e, true);
    pthread_mutex_unlock(&e->lock);
    if (e->with_devices && e->pulled)
        heddle__graph_push(e);
    heddle__graph_pieces_reset(e);
    e->pulled = false;
    strangers = true;
}

/* Its tasks are deferred: what they work with must be there until they have run. Looked for before anything else is
   mapped into its place. */
static void look_for_freed(const struct heddle__graph_record *r) {
    for (long t = 0; t < r->tasks; t++)
        for (int k = r->task[t].item; k < r->task[t].item + r->task[t].items; k++) {
            const struct heddle_graph_item *i = &r->item[k];
            const uintptr_t begin = (uintptr_t)i->begin;
            if (i->flags & HEDDLE_GRAPH_DATA && heddle__memory_is_large(begin, begin + i->bytes) &&
                heddle__memory_is_gone(begin))
                heddle__fatal(&r->task[t].type->site,
                              "works with %zu bytes at %p that are not there any more: freed before the task began; "
                              "wait for the task (taskwait) before, or name no more in a section than its array has",
                              i->bytes, i->begin);
        }
}

static void run_all(struct heddle__graph_engine *e, bool last) {
    const double start = heddle__now();
    bool ran = false, whole = false;
    const struct heddle__strange strange = heddle__strange_expect((struct heddle__strange){0});
    await_strangers();
    look_for_freed(&e->record);
    if (e->record.tasks && understand(e)) {
        heddle__graph_awake(e, true);
        if (e->with_devices && !e->pulled)
            heddle__graph_pull(e);
        e->pulled = true;
        ran = true;
        whole = heddle__graph_whole(e);
        if (!whole)
            heddle__graph_run(e);
        e->segmented += !whole && e->segments;
        heddle__graph_scene(e, false);
        e->iterations++;
        e->tasks += e->record.tasks;
    } else if (e->record.tasks) {
        heddle__warn(e->site, "%s; running these tasks serially", heddle_strerror(HEDDLE_ENOMEM));
        run_record(e);
    }
    pthread_mutex_lock(&e->lock);
    for (int p = 0; last && p < e->pieces; p++)
        if (e->piece[p].held && !e->piece[p].back)
            e->piece[p].valid |= 1 << HEDDLE__GRAPH_HOST; /* nobody asks for it */
    heddle__graph_home(e, last);
    while (e->again) {
        heddle__graph_mend(e);
        heddle__graph_home(e, last);
    }
    for (int p = 0; p < e->pieces; p++)
        if (!e->piece[p].held)
            e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST; /* the block may write it before the next tasks run */
    e->runs = false;
    if (ran)
        heddle__graph_whole_note(e, whole || e->segments, heddle__now() - start);
    e->segments = NULL;
    pthread_mutex_unlock(&e->lock);
    e->record.tasks = e->record.items = 0;
    e->record.bytes = 0;
    e->alike = e->run != NULL;
    e->seconds += heddle__now() - start;
    heddle__strange_expect(strange);
}

/* ---- the block --------------------------------------------------------------------------------------------------- */
static void expect(struct heddle_graph_call *call) {
    const struct heddle__strange before = heddle__strange_expect((struct heddle__strange){meet_stranger, call});
    if (before.met) /* the graph around it */
        heddle__strange_expect(before);
    else
        level = omp_get_level();
}

static void expect_no_more(const struct heddle_graph_call *call) {
    const struct heddle__strange before = heddle__strange_expect((struct heddle__strange){0});
    if (before.with != call)
        heddle__strange_expect(before);
}

/* Once: threads that each have a graph of their own may mean it. */
static void tell_parallel(const struct heddle_graph_call *call) {
    static atomic_bool told;
    if (!atomic_exchange(&told, true))
        heddle__warn(call->site, "this graph is met inside a parallel region, so each of its tasks runs where it is "
                                 "met, one after the other; write it before 'omp parallel'");
}

void heddle_graph_begin(struct heddle_graph_call *call) {
    call->engine = NULL;
    heddle__strange_met(); /* its tasks are none of the graph's around it */
    expect(call);
    if (!heddle__enter(call->site))
        return;
    if (omp_in_parallel())
        tell_parallel(call);
    if (omp_in_parallel() || pthread_mutex_trylock(&busy)) {
        heddle__leave();
        return;
    }
    struct heddle__graph_engine *e = engine_of(call);
    if (!e) {
        heddle__warn(call->site, "%s; running these tasks serially", heddle_strerror(HEDDLE_ENOMEM));
        pthread_mutex_unlock(&busy);
        heddle__leave();
        return;
    }
    call->engine = e;
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read("explain", option, sizeof option);
    e->explains = !strcmp(option, "1");
    e->held = call->held;
    e->nheld = call->nheld;
    e->pulled = false;
    e->alike = e->run != NULL;
    e->record.tasks = e->record.items = 0;
    e->record.bytes = 0;
    e->start = heddle__now();
    e->iterations = e->tasks = e->shapes = e->replays = e->opens = e->wholes = e->segmented = 0;
    e->moved = e->seconds = 0;
    heddle__graph_pieces_reset(e);
}

/* Equal to the task of that number in the shape that ran last? */
static bool is_alike(const struct heddle__graph_engine *e, const struct heddle_graph_type *type,
                     const struct heddle_graph_item *items, int nitems) {
    const struct heddle__graph_record *m = &e->run->made;
    if (e->record.tasks >= m->tasks)
        return false;
    const struct heddle__graph_made *t = &m->task[e->record.tasks];
    return t->type == type && t->items == nitems && !memcmp(&m->item[t->item], items, (size_t)nitems * sizeof *items);
}

void heddle_graph_task(struct heddle_graph_call *call, const struct heddle_graph_type *type, const void *env,
                       const struct heddle_graph_item *items, int nitems) {
    struct heddle__graph_engine *e = call->engine;
    if (!e) {
        await_strangers();
        run_here(type, env, items, nitems);
        return;
    }
    e->alike = e->alike && is_alike(e, type, items, nitems);
    if (heddle__graph_note(&e->record, type, env, items, nitems))
        return;
    heddle__warn(e->site, "%s; what was recorded runs first", heddle_strerror(HEDDLE_ENOMEM));
    run_all(e, false);
    if (!heddle__graph_note(&e->record, type, env, items, nitems)) {
        pthread_mutex_lock(&e->lock);
        heddle__graph_home(e, true);
        heddle__graph_pieces_reset(e);
        pthread_mutex_unlock(&e->lock);
        run_here(type, env, items, nitems);
    }
}

void heddle_graph_wait(struct heddle_graph_call *call) {
    if (call->engine)
        run_all(call->engine, false);
}

void heddle_graph_end(struct heddle_graph_call *call) {
    struct heddle__graph_engine *e = call->engine;
    expect_no_more(call);
    if (!e)
        return;
    run_all(e, true);
    heddle__graph_stop_units(e);
    if (e->with_devices)
        heddle__graph_push(e);
    for (int k = 0; e->made && k < e->machine.units; k++)
        if (e->unit[k].device >= 0 && !e->unit[k].gone && e->unit[k].ran)
            heddle__device_judge(e->unit[k].device, false);
    heddle__graph_awake(e, false);
    heddle__graph_scene(e, true);
    heddle__graph_report_all(e, heddle__now() - e->start);
    pthread_mutex_unlock(&busy);
    heddle__leave();
    call->engine = NULL;
}
