/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The units run a shape. Whoever ends a task tells the policy, asks it for the next one, and for all that have nothing
 * to do: a task that is found for another unit is given to it. The calling thread is a unit of the host, or watches.
 */
#include "segment.h"
#include "trace/record.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double LOOK = 0.1; /* seconds between looks for a device that hangs */

static struct heddle__graph_unit *caller_of(struct heddle__graph_engine *e) {
    for (int k = 0; k < e->machine.units; k++)
        if (e->unit[k].caller)
            return &e->unit[k];
    return &e->unit[e->machine.units]; /* no unit: it only watches */
}

static void note_time(struct heddle__graph_engine *e, const struct heddle__graph_unit *u, int task, double seconds) {
    double *time = &e->run->time[(long)task * e->machine.classes + u->class];
    const double least = 1e-9; /* 0: not known */
    seconds = seconds > least ? seconds : least;
    /* half as long: what is known was a first time */
    *time = *time > 0 && seconds > 0.5 * *time ? 0.5 * (*time + seconds) : seconds;
}

static void end_one(struct heddle__graph_engine *e, struct heddle__graph_unit *u, int task) {
    const struct heddle__graph_shape *s = e->run;
    e->state[task] = ENDED;
    __atomic_store_n(&e->unfinished, e->unfinished - 1,
                     __ATOMIC_RELAXED); /* which the caller looks at without the lock */
    if (e->with_devices && !s->made.task[task].type->open)
        e->ended[e->ends++] = u->device >= 0 && !u->older ? task : ~task;
    u->ran++;
    s->owner[s->task[task].partition] = u->number;
    for (int k = s->after_start[task]; k < s->after_start[task + 1]; k++)
        if (!heddle__graph_segments_inside(e, task, s->after[k]) && !--e->left[s->after[k]])
            heddle__graph_make_ready(e, s->after[k]);
}

static void end_task(struct heddle__graph_engine *e, struct heddle__graph_unit *u, double seconds) {
    const struct heddle__graph_segment *g = heddle__graph_segment_of(e, u->runs);
    const int task = u->runs;
    e->busy--;
    u->runs = NONE;
    u->busy += seconds;
    if (!e->segments) {
        note_time(e, u, task, seconds);
        e->policy->done(e->run->state, task, u->number, seconds);
    }
    if (!g)
        end_one(e, u, task);
    for (int k = 0; g && k < g->tasks; k++)
        end_one(e, u, g->task[k]);
    if (!e->unfinished) {
        struct heddle__graph_unit *caller = caller_of(e);
        if (caller->sleeps)
            pthread_cond_signal(&caller->wake);
    }
}

/* ---- a unit is lost ---------------------------------------------------------------------------------------------- */
static bool is_said(const struct heddle__graph_engine *e, const struct heddle__graph_unit *u) {
    for (int k = 0; k < e->machine.units; k++)
        if (&e->unit[k] != u && e->unit[k].device == u->device && e->unit[k].gone)
            return true;
    return false;
}

/* What it works with is marked so, or not any more. */
static void count(struct heddle__graph_unit *u, int task, int sign) {
    const struct heddle__graph_segment *g = heddle__graph_segment_of(u->engine, task);
    if (g)
        heddle__graph_segment_begun(u, g, sign);
    else
        heddle__graph_begun(u, task, sign);
    u->counted = sign > 0;
}

static void uncount(struct heddle__graph_unit *u, int task) {
    if (u->counted)
        count(u, task, -1);
}

/* Its task is for others. */
static void lose(struct heddle__graph_engine *e, struct heddle__graph_unit *u, const char *why) {
    const int task = u->runs;
    if (u->gone)
        return;
    u->gone = true;
    u->idle = false;
    e->gone++;
    e->lost_device = u->device;
    if (!is_said(e, u)) {
        heddle__warn(e->site, "device %d failed (%s); others take over its tasks", u->device, why);
        heddle__device_judge(u->device, true);
    }
    e->policy->lost(e->run->state, u->number);
    e->run->lost[u->number] = 1;
    for (int p = 0; p < e->run->g.partitions; p++)
        e->run->owner[p] = e->run->owner[p] == u->number ? -1 : e->run->owner[p];
    if (task != NONE) {
        uncount(u, task);
        u->runs = NONE;
        e->busy--;
        heddle__graph_make_ready(e, task);
    }
}

/* Whose tasks go to others, one by one. What the device's unit has in hand follows by lose(). */
static void break_segments(struct heddle__graph_engine *e) {
    struct heddle__graph_whole *w = e->segments;
    const struct heddle__graph_shape *s = e->run;
    for (int k = 0; k < e->machine.units; k++) /* as segments are counted */
        if (e->unit[k].device >= 0 && e->unit[k].runs != NONE)
            uncount(&e->unit[k], e->unit[k].runs);
    w->broken = true;
    w->ready[0] = w->ready[1] = e->ready = 0;
    memset(e->ready_on, 0, sizeof e->ready_on);
    for (int t = 0; t < s->g.tasks; t++) {
        if (e->state[t] == ENDED || e->state[t] == TAKEN)
            continue;
        e->left[t] = 0;
        for (int k = 0; k < s->task[t].befores; k++)
            e->left[t] += e->state[s->before[s->task[t].before + k]] != ENDED;
        e->state[t] = WAITS;
        if (!e->left[t])
            heddle__graph_make_ready(e, t);
    }
}

/* The device, with all units that it is. */
static void lose_all(struct heddle__graph_engine *e, int memory, const char *why) {
    if (e->segments && !e->segments->broken)
        break_segments(e);
    for (int k = 0; k < e->machine.units; k++)
        if (e->unit[k].memory == memory)
            lose(e, &e->unit[k], why);
    heddle__graph_offer(e);
}

void heddle__graph_lose_memory(struct heddle__graph_engine *e, int memory, int error) {
    lose_all(e, memory, heddle_strerror(error));
    heddle__graph_drop_memory(e, memory, false);
}

/* ---- one task, mostly without the lock --------------------------------------------------------------------------- */
static int on_device(struct heddle__graph_unit *u, const struct heddle_graph_type *type) {
    if (!u->cuda && !heddle__kernel_teams_fit())
        return HEDDLE_ENOMEM;
    heddle__launch_begin();
    type->device(u->env, u->device);
    return heddle__launch_end();
}

static void slow_down(const struct heddle__graph_unit *u, double seconds) {
    const double more = (u->slow - 1) * seconds;
    if (more > 0)
        nanosleep(&(struct timespec){(time_t)more, (long)((more - (double)(time_t)more) * 1e9)}, NULL);
}

static void span(const struct heddle__graph_unit *u, const struct heddle_graph_type *type, int64_t begin) {
    char name[512];
    snprintf(name, sizeof name, "%s:%d", type->site.file, type->site.line);
    heddle__trace_span(u->track, heddle__trace_name(name), begin, heddle__trace_now());
}

static int work_segment(struct heddle__graph_unit *u, struct heddle__graph_segment *g, double *seconds) {
    const double start = heddle__now();
    bool begun;
    const int error = heddle__graph_segment_run(u, g, &begun);
    *seconds = heddle__now() - start;
    if (error && begun && !u->gone)
        heddle__graph_segment_spoil(u, g, error);
    return error;
}

/* Under the lock before and after. */
static int work(struct heddle__graph_unit *u, int task, double *seconds) {
    struct heddle__graph_engine *e = u->engine;
    const struct heddle_graph_type *type = e->run->made.task[task].type;
    struct heddle__graph_segment *g = heddle__graph_segment_of(e, task);
    if (g)
        return work_segment(u, g, seconds);
    char *env = e->record.env + e->record.task[task].env;
    if (u->device >= 0 && !heddle__graph_translate(u, task))
        return HEDDLE_ENOMEM;
    e->clean &= u->device >= 0;
    pthread_mutex_unlock(&e->lock);
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    const double start = heddle__now();
    int error = HEDDLE_OK;
    if (u->device >= 0)
        error = on_device(u, type);
    else
        type->host(env);
    if (u->slow > 1)
        slow_down(u, heddle__now() - start);
    *seconds = heddle__now() - start;
    if (begin)
        span(u, type, begin);
    pthread_mutex_lock(&e->lock);
    return error;
}

/* Data for the task, which only has to be looked at where some task is for devices. */
static int prepare(struct heddle__graph_unit *u, int task) {
    struct heddle__graph_engine *e = u->engine;
    if (!e->with_devices)
        return HEDDLE_OK;
    if (e->run->made.task[task].type->open) {
        e->opens++;
        heddle__graph_open(e, false);
    }
    const struct heddle__graph_segment *g = heddle__graph_segment_of(e, task);
    const int error = e->again ? HEDDLE__GRAPH_AGAIN
                      : g      ? heddle__graph_segment_bring(u, g)
                               : heddle__graph_bring(u, task);
    if (!error) {
        count(u, task, 1);
        u->older = false;
    }
    return error;
}

static void finish(struct heddle__graph_unit *u, int task) {
    struct heddle__graph_engine *e = u->engine;
    if (!e->with_devices)
        return;
    const struct heddle__graph_segment *g = heddle__graph_segment_of(e, task);
    uncount(u, task);
    if (g) {
        heddle__graph_segment_written(u, g);
        return;
    }
    if (u->device >= 0)
        heddle__graph_scalars(u, task);
    heddle__graph_written(u, task);
    if (e->run->made.task[task].type->open)
        heddle__graph_open(e, true);
}

/* Runs the unit's task, and what the policy gives it then. */
static void serve(struct heddle__graph_unit *u) {
    struct heddle__graph_engine *e = u->engine;
    for (int task = u->runs; task != NONE && !u->gone; task = heddle__graph_ask(e, u)) {
        double seconds = 0;
        int error = prepare(u, task);
        error = error && e->again ? HEDDLE__GRAPH_AGAIN : error;
        error = error || u->gone ? error : work(u, task, &seconds);
        if (u->gone) /* it was given up meanwhile, with its task */
            return;
        if (error == HEDDLE__GRAPH_AGAIN) {
            u->runs = NONE;
            e->busy--;
            pthread_cond_signal(&caller_of(e)->wake);
            return;
        }
        if (error) {
            uncount(u, task); /* it did not write */
            heddle__graph_drop_memory(e, u->memory, error != HEDDLE_ETIMEDOUT);
            lose_all(e, u->memory, heddle_strerror(error));
            return;
        }
        finish(u, task);
        const struct heddle__graph_segment *g = heddle__graph_segment_of(e, task);
        end_task(e, u, seconds);
        if (g)
            heddle__graph_segment_home(u, g);
        heddle__graph_offer(e);
    }
}

/* ---- nothing to do ----------------------------------------------------------------------------------------------- */
/* A kernel that never ends: nobody waits for it, and nothing that it may touch is freed. */
static void look_for_hanging(struct heddle__graph_engine *e) {
    const double now = heddle__now();
    for (int k = 0; k < e->machine.units; k++) {
        struct heddle__graph_unit *u = &e->unit[k];
        const int task = u->runs;
        const struct heddle__graph_segment *g = task == NONE ? NULL : heddle__graph_segment_of(e, task);
        if (u->gone || u->device < 0 || task == NONE || now - u->begun < (g ? g->length + 1 : 1) * e->timeout)
            continue;
        u->hangs = true;
        e->abandoned++;
        e->living--;
        lose_all(e, u->memory, heddle_strerror(HEDDLE_ETIMEDOUT));
        heddle__graph_drop_memory(e, u->memory, false);
    }
}

/* Until there may be work. `watch`: it looks after the others, too. */
static void rest(struct heddle__graph_unit *u, bool watch) {
    struct heddle__graph_engine *e = u->engine;
    u->idle = true;
    if (e->unfinished && !e->busy && e->ready)
        heddle__graph_give_any(e);
    if (!heddle__graph_told(u) && e->unfinished)
        heddle__graph_look_around(u);
    if (!heddle__graph_told(u)) {
        const double most = watch ? LOOK : 0, again = u->again;
        heddle__graph_sleep(u, again > 0 && (most == 0 || again < most) ? again : most);
    }
    if (watch)
        look_for_hanging(e);
    u->idle = false;
    __atomic_store_n(&u->given, NONE, __ATOMIC_RELEASE); /* if there was one, it is u->runs */
}

static void live(void *with) {
    struct heddle__graph_unit *u = with;
    struct heddle__graph_engine *e = u->engine;
    const bool inside = u->cuda && !heddle_gpu_enter(u->device);
    heddle__cores_use(&e->cores, u->device >= 0);
    if (u->device >= 0)
        omp_set_default_device(u->device);
    pthread_mutex_lock(&e->lock);
    while (!e->over && !u->gone) {
        if (u->runs != NONE || (e->unfinished && heddle__graph_ask(e, u) != NONE))
            serve(u);
        else
            rest(u, false);
    }
    const bool abandoned = u->hangs;
    pthread_mutex_unlock(&e->lock);
    if (inside)
        heddle_gpu_leave();
    heddle__cores_leave(&e->cores);
    if (abandoned)
        return;
    pthread_mutex_lock(&e->lock);
    e->living--;
    pthread_cond_broadcast(&e->arrived);
    pthread_mutex_unlock(&e->lock);
}

/* ---- an iteration ------------------------------------------------------------------------------------------------ */
static void start_units(struct heddle__graph_engine *e) {
    e->over = false;
    e->started = true;
    for (int k = 0; k < e->machine.units; k++) {
        struct heddle__graph_unit *u = &e->unit[k];
        u->runs = u->given = NONE;
        u->idle = u->sleeps = false;
        if (u->caller || u->gone)
            continue;
        pthread_mutex_lock(&e->lock);
        e->living++;
        pthread_mutex_unlock(&e->lock);
        if (!heddle__thread_run(live, u, u->device >= 0))
            continue;
        pthread_mutex_lock(&e->lock);
        e->living--;
        u->gone = true; /* no thread can be had; whoever is left does its tasks */
        pthread_mutex_unlock(&e->lock);
    }
}

void heddle__graph_stop_units(struct heddle__graph_engine *e) {
    if (!e->started)
        return;
    pthread_mutex_lock(&e->lock);
    __atomic_store_n(&e->over, true, __ATOMIC_RELEASE);
    for (int k = 0; k < e->machine.units; k++)
        pthread_cond_signal(&e->unit[k].wake);
    while (e->living > 0)
        pthread_cond_wait(&e->arrived, &e->lock);
    pthread_mutex_unlock(&e->lock);
    e->started = false;
}

static bool anybody(const struct heddle__graph_engine *e, int task) {
    for (int k = 0; k < e->machine.units; k++)
        if (!e->unit[k].gone && heddle__graph_is_able(e, task, &e->unit[k]))
            return true;
    return false;
}

/* No unit is left that could: on this thread, in the program's order, which the dependences follow. */
static void run_rest(struct heddle__graph_engine *e) {
    const struct heddle__graph_shape *s = e->run;
    long count = 0;
    heddle__graph_home(e, true);
    if (e->again)
        return;
    for (int t = 0; t < s->g.tasks; t++) {
        if (e->state[t] == ENDED)
            continue;
        s->made.task[t].type->host(e->record.env + e->record.task[t].env);
        e->state[t] = ENDED;
        count++;
    }
    for (int p = 0; p < e->pieces; p++) {
        e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST;
        e->piece[p].written = true;
    }
    e->unfinished = e->ready = 0;
    if (!e->told_left)
        heddle__warn(e->site, "%ld tasks for which no device is left were run on the host; so are later ones", count);
    e->told_left = true;
}

static void begin(struct heddle__graph_engine *e) {
    struct heddle__graph_shape *s = e->run;
    e->unfinished = s->g.tasks;
    e->ready = 0;
    memset(e->ready_on, 0, sizeof e->ready_on);
    for (int t = 0; t < s->g.tasks; t++) {
        e->left[t] = s->task[t].befores;
        e->state[t] = WAITS;
    }
    if (e->segments)
        heddle__graph_segments_begin(e);
    heddle__graph_history(e);
    for (int k = 0; k < s->machine.units; k++)
        if (e->unit[k].gone && !s->lost[k]) {
            s->lost[k] = 1;
            e->policy->lost(s->state, k);
        }
    if (e->policy->begin && !e->segments)
        e->policy->begin(s->state, s->iteration);
    s->iteration++;
    for (int t = 0; t < s->g.tasks; t++)
        if (!e->left[t])
            heddle__graph_make_ready(e, t);
    heddle__graph_offer(e);
}

/* The values that the iteration began with are the host's. */
static void begin_again(struct heddle__graph_engine *e) {
    heddle__warn(e->site, "data was lost that lay nowhere else; the iteration begins again");
    for (int p = 0; p < e->pieces; p++) {
        e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST;
        e->piece[p].writers = e->piece[p].users = 0;
    }
    e->again = false;
    e->segments = NULL; /* their device is lost */
    e->run->iteration--;
    begin(e);
}

/* It goes on with what waited for what was lost. */
static void go_on(struct heddle__graph_engine *e) {
    heddle__graph_mend(e);
    for (int t = 0; t < e->run->g.tasks; t++)
        if (e->state[t] == TAKEN)
            heddle__graph_make_ready(e, t);
    heddle__graph_offer(e);
}

bool heddle__graph_all_at_home(const struct heddle__graph_engine *e) {
    for (int p = 0; p < e->pieces; p++)
        if (!(e->piece[p].valid >> HEDDLE__GRAPH_HOST & 1))
            return false;
    return true;
}

static bool stuck(const struct heddle__graph_engine *e) {
    if (e->busy || !e->unfinished)
        return false;
    for (int t = 0; t < e->run->g.tasks; t++)
        if (e->state[t] == READY && anybody(e, t))
            return false;
    return true;
}

void heddle__graph_run(struct heddle__graph_engine *e) {
    struct heddle__graph_unit *me = caller_of(e);
    if (!e->started)
        start_units(e);
    pthread_mutex_lock(&e->lock);
    me->runs = me->given = NONE;
    e->clean = e->with_devices && heddle__graph_all_at_home(e);
    e->again = false;
    e->runs = true;
    heddle__graph_crew(e);
    const double start = heddle__now();
    begin(e);
    while (e->unfinished || e->again) {
        if (me->runs != NONE || heddle__graph_ask(e, me) != NONE)
            serve(me);
        else if (e->again && !e->busy)
            (e->clean ? begin_again : go_on)(e);
        else if (!e->again && stuck(e))
            run_rest(e);
        else
            rest(me, true);
    }
    heddle__graph_crew_note(e, heddle__now() - start);
    me->idle = e->clean = false;
    pthread_mutex_unlock(&e->lock);
}
