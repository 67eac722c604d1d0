/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One execution of `#pragma heddle jobs`: threads for all devices, and the calling thread, which asks the policy when
 * one of them has nothing to do and jobs are unassigned.
 */
#include "engine.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_uint_fast64_t hung;  /* devices that did not answer: a copy from one might not end */
static const double LOOK = 0.1;    /* seconds between looks for a device that hangs */
static const double AWAKE = 20e-6; /* seconds of work that a sleeping thread is woken for */

/* ---- for the threads, under the lock ------------------------------------------------------------------------------
 */
long heddle__jobs_queued(const struct heddle__jobs_device *d) {
    long sum = 0;
    for (int t = 0; t < d->engine->types; t++)
        sum += d->queue[t].count;
    return sum;
}

void heddle__jobs_append(struct heddle__jobs_engine *e, int list, const struct heddle_jobs_any_list *from) {
    struct heddle__jobs_list *l = &e->list[list];
    heddle__jobs_add(e, l->type >= 0 ? &e->kind[l->type].unassigned[e->home + 1] : &l->result, from, l->record, true);
    e->left += l->type >= 0 ? from->count : 0;
    if (l->type >= 0)
        heddle__jobs_call(e, l->type, from->count);
}

/* Threads of the only device ask the policy themselves. They are not woken for what the caller does before they run. */
void heddle__jobs_call(struct heddle__jobs_engine *e, int type, long count) {
    if (e->idle && e->devices > 1)
        pthread_cond_signal(&e->ask);
    else if (e->idle && (double)count * e->device[0].costs[type].each * e->device[0].threads >= AWAKE)
        pthread_cond_signal(&e->work);
}

long heddle__jobs_unassigned(const struct heddle__jobs_engine *e, int type) {
    long sum = 0;
    for (int source = 0; source <= e->devices; source++)
        sum += e->kind[type].unassigned[source].count;
    return sum;
}

static bool unassigned(const struct heddle__jobs_engine *e) {
    for (int t = 0; t < e->types; t++)
        if (heddle__jobs_unassigned(e, t))
            return true;
    return false;
}

static void finish(struct heddle__jobs_engine *e) {
    e->over = true;
    pthread_cond_broadcast(&e->work);
    pthread_cond_signal(&e->ask);
}

void heddle__jobs_rested(struct heddle__jobs_engine *e) {
    if (!--e->busy && !e->left)
        finish(e);
}

/* Where one device takes part its threads ask the policy: a list follows another without a change of threads. */
bool heddle__jobs_ask_alone(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    return e->devices == 1 && !e->over && !d->gone && unassigned(e) && heddle__jobs_place_all(e, d->number);
}

bool heddle__jobs_wait(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    if (e->over || d->gone)
        return false;
    d->idle++;
    e->idle++;
    if (e->devices > 1 || unassigned(e))
        pthread_cond_signal(&e->ask);
    pthread_cond_wait(&e->work, &e->lock);
    d->idle--;
    e->idle--;
    return !e->over && !d->gone;
}

static struct heddle__jobs_device *find_host(struct heddle__jobs_engine *e) {
    for (int k = 0; k < e->devices; k++)
        if (e->device[k].device < 0 && !e->device[k].gone)
            return &e->device[k];
    return NULL;
}

/* The batch that was under way is given to another device once. */
static void give_back(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    struct heddle__jobs_kind *kind = &e->kind[d->type];
    struct heddle__jobs_device *host = find_host(e);
    bool again = false;
    for (struct heddle__jobs_block *b = d->batch.first; b; b = b->next) {
        again |= b->failed;
        b->failed = true;
    }
    const long count = d->batch.count;
    if (again)
        heddle__warn(&e->site, "%ld jobs have failed on two devices; the host takes them", count);
    e->left += again && !host ? 0 : count;
    if (again)
        heddle__jobs_move(e, host ? &host->queue[d->type] : &kind->refused, &d->batch, count);
    else
        heddle__jobs_unassign(e, d->type, &d->batch);
}

void heddle__jobs_start_again(struct heddle__jobs_device *d) {
    struct heddle__jobs_engine *e = d->engine;
    e->excluded |= (uint64_t)1 << d->device;
    if (!e->again)
        heddle__warn(&e->site, "device %d took jobs with it that lay nowhere else; all start again elsewhere",
                     d->device);
    e->again = true;
    finish(e);
}

/* Its jobs are for others now. */
void heddle__jobs_lose(struct heddle__jobs_device *d, const char *why, bool kept) {
    struct heddle__jobs_engine *e = d->engine;
    if (d->gone)
        return;
    d->gone = true;
    if (d->device >= 0)
        heddle__warn(&e->site, "device %d failed (%s); others take over its jobs", d->device, why);
    for (int t = 0; t < e->types; t++) {
        heddle__jobs_unassign(e, t, &d->queue[t]);
        d->running[t] = 0;
    }
    const long begun = d->batch.count + d->rest.count;
    e->left += d->rest.count;
    heddle__jobs_unassign(e, d->type, &d->rest);
    give_back(d);
    if (!kept && d->held)
        heddle__jobs_start_again(d);
    if (begun)
        heddle__jobs_rested(e);
    pthread_cond_broadcast(&e->work);
    pthread_cond_signal(&e->ask);
}

/* Makes a device slower by a factor, for tests of balance. */
void heddle__jobs_slow_down(const struct heddle__jobs_device *d, double seconds) {
    const double more = (d->slow - 1) * seconds;
    if (more > 0)
        nanosleep(&(struct timespec){(time_t)more, (long)((more - (double)(time_t)more) * 1e9)}, NULL);
}

/* ---- the calling thread --------------------------------------------------------------------------------------------
 */
/* A device with a thread that has nothing to do; -1: there is none. */
static int asking(const struct heddle__jobs_engine *e) {
    for (int k = 0; k < e->devices; k++)
        if (!e->device[k].gone && e->device[k].idle && !e->device[k].coming && !heddle__jobs_queued(&e->device[k]))
            return k;
    return -1;
}

static int alive(const struct heddle__jobs_engine *e) {
    int sum = 0;
    for (int k = 0; k < e->devices; k++)
        sum += !e->device[k].gone;
    return sum;
}

/* A kernel that never ends: nobody waits for it, and nothing that it may touch is freed. */
static void look_for_hanging(struct heddle__jobs_engine *e) {
    const double now = heddle__now();
    for (int k = 0; k < e->devices; k++) {
        struct heddle__jobs_device *d = &e->device[k];
        if (d->gone || d->copies || d->device < 0 || !d->batch.count || now - d->begun < e->timeout)
            continue;
        for (struct heddle__jobs_block *b = d->batch.first; b; b = b->next)
            b->buffer->blocks++;
        d->hangs = true;
        heddle__arena_forget(d->device, (enum heddle__arena_use)(HEDDLE__ARENA_LOOP + e->seat));
        atomic_fetch_or(&hung, (uint64_t)1 << d->device);
        e->abandoned++;
        e->living--;
        heddle__jobs_lose(d, heddle_strerror(HEDDLE_ETIMEDOUT), false);
    }
}

static void wait_a_little(struct heddle__jobs_engine *e) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(LOOK * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&e->ask, &e->lock, &until);
    look_for_hanging(e);
}

static void schedule(struct heddle__jobs_engine *e) {
    while (!e->over && alive(e)) {
        const int d = asking(e);
        if (d >= 0 && (unassigned(e) ? heddle__jobs_place_all(e, d) : heddle__jobs_take_more(e, d))) {
            pthread_cond_broadcast(&e->work);
            if (heddle__jobs_queued(&e->device[d]))
                continue;
        }
        wait_a_little(e);
    }
    while (e->living)
        wait_a_little(e);
}

/* What no device is left for: on this thread, as the loops are written. */
static void run_on_host(struct heddle__jobs_engine *e, int t, struct heddle__jobs_queue *mine) {
    struct heddle__jobs_kind *kind = &e->kind[t];
    struct heddle_jobs_any_list list[e->lists];
    char env[kind->loop->env_bytes + 1];
    long made[HEDDLE__JOBS_TYPES] = {0};
    memset(list, 0, sizeof list);
    memcpy(env, kind->call->env, kind->loop->env_bytes);
    for (int k = 0; k < kind->call->noutputs; k++) {
        struct heddle_jobs_any_list *own = &list[kind->call->outputs[k].list];
        memcpy(env + kind->call->outputs[k].slot, &own, sizeof own);
    }
    for (const struct heddle__jobs_block *b = mine->first; b; b = b->next)
        kind->loop->host(env, (long)(uintptr_t)b->at, (long)kind->record, b->count, kind->red);
    for (int l = 0; l < e->lists; l++)
        if (e->list[l].type >= 0)
            made[e->list[l].type] = list[l].count;
    heddle__jobs_record(e, t, mine->count, made);
    for (int l = 0; l < e->lists; l++)
        if (list[l].count)
            heddle__jobs_append(e, l, &list[l]);
}

static void run_rest(struct heddle__jobs_engine *e) {
    long sum = 0;
    for (int t = 0; t < e->types && !e->again; t++) {
        struct heddle__jobs_queue mine = {0};
        heddle__jobs_move(e, &mine, &e->kind[t].refused, e->kind[t].refused.count);
        for (int source = 0; source <= e->devices; source++)
            heddle__jobs_move(e, &mine, &e->kind[t].unassigned[source], e->kind[t].unassigned[source].count);
        if (!mine.count)
            continue;
        if (!sum && e->home < 0)
            heddle__jobs_pull_held(e, true, hung);
        sum += mine.count;
        if (!heddle__jobs_fetch(e, &mine))
            run_on_host(e, t, &mine);
        heddle__jobs_drop(e, &mine);
        t = -1; /* perhaps of the first type again */
    }
    if (sum && !e->again)
        heddle__warn(&e->site, "%ld jobs for which no device is left were run on the host", sum);
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */
static void start_threads(struct heddle__jobs_engine *e) {
    for (int k = 0; k < e->devices; k++) {
        struct heddle__jobs_device *d = &e->device[k];
        const int threads = d->threads;
        for (int n = 0; n < threads; n++) {
            pthread_mutex_lock(&e->lock);
            e->living++;
            pthread_mutex_unlock(&e->lock);
            if (!heddle__thread_run(d->device < 0 ? heddle__jobs_serve_host : heddle__jobs_serve_device, d,
                                    d->device >= 0))
                continue;
            pthread_mutex_lock(&e->lock);
            e->living--;
            if (!--d->threads)
                heddle__jobs_lose(d, "no thread can be had", true);
            pthread_mutex_unlock(&e->lock);
        }
    }
}

/* From here on nothing fails: lists of jobs are empty, the others have what was appended, and so have reductions. */
static void give_results(struct heddle__jobs_engine *e) {
    for (int l = 0; l < e->lists; l++) {
        struct heddle_jobs_any_list *list = e->call->lists[l].list;
        list->count = e->list[l].type >= 0 ? 0 : list->count + e->list[l].result.count;
    }
    for (int t = 0; t < e->types; t++)
        memcpy(e->kind[t].call->red, e->kind[t].red, e->kind[t].loop->red_bytes);
}

/* The lists' jobs are those that are there; nothing has been changed before this. */
static void begin(struct heddle__jobs_engine *e) {
    for (int t = 0; t < e->types; t++) {
        const struct heddle_jobs_any_list *list = e->call->lists[e->kind[t].call->list].list;
        if (list->count) {
            heddle__jobs_add(e, &e->kind[t].unassigned[0], list, e->kind[t].record, false);
            e->left += list->count;
        }
    }
}

static int run_engine(struct heddle__jobs_engine *e) {
    const int error = heddle__jobs_find_devices(e);
    if (!error)
        heddle__jobs_select_devices(e);
    if (error || !heddle__jobs_make_tables(e))
        return HEDDLE_ENOMEM;
    heddle__jobs_recall(e);
    heddle__jobs_fill_times(e);
    e->policy = heddle__jobs_choose_policy(e->call, &e->machine.parameter);
    if (!(e->state = e->policy->start(&e->machine)))
        return HEDDLE_ENOMEM;
    const bool alone = e->devices == 1 && e->home < 0;
    heddle__jobs_pull_held(e, false, hung | (alone ? UINT64_C(1) << e->device[0].device : 0));
    heddle__jobs_record_begin(e);
    begin(e);
    if (e->left)
        heddle__jobs_place_all(e, -1);
    start_threads(e);
    pthread_mutex_lock(&e->lock);
    if (!e->left && !e->busy)
        finish(e);
    schedule(e);
    pthread_mutex_unlock(&e->lock);
    e->policy->stop(e->state);
    if (!e->again)
        run_rest(e);
    if (!e->again)
        (void)heddle__jobs_fetch_results(e); /* starts again where one is lost */
    for (int k = 0; k < e->devices; k++)
        if (e->device[k].device >= 0 && (e->device[k].batches || e->device[k].gone))
            heddle__device_judge(e->device[k].device, e->device[k].gone);
    if (!e->again)
        give_results(e);
    heddle__jobs_record_end(e);
    heddle__jobs_keep(e);
    if (!e->again)
        heddle__jobs_keep_set(e);
    if (!e->again)
        heddle__jobs_write_report(e);
    return HEDDLE_OK;
}

/* ---- the call -----------------------------------------------------------------------------------------------------
 */
/* Two names of one list, or one that no heddle_list_append has made. */
static const char *strange(const struct heddle_jobs_call *call) {
    for (int k = 0; k < call->nlists; k++) {
        const struct heddle_jobs_any_list *list = call->lists[k].list;
        for (int other = 0; other < k; other++)
            if (call->lists[other].list == list)
                return "is the same list as another one";
        if (!list || list->count < 0 || list->room < 0 || list->count > list->room || (list->room && !list->at))
            return "is no list that has been set to {0} and appended to";
    }
    return NULL;
}

static int run(const struct heddle_jobs_call *call) {
    const struct heddle_site site = call->types->loop->site;
    const char *what = strange(call);
    if (what) {
        heddle__warn(&site, "a list of these jobs %s; running them serially", what);
        return HEDDLE_EINVAL;
    }
    const int seat = omp_in_parallel() ? -1 : heddle__seat_take();
    if (seat < 0)
        return HEDDLE_ESERIAL;
    uint64_t excluded = 0;
    bool again = true;
    int error = HEDDLE_OK;
    while (again && !error) { /* once more for each device that is lost with jobs: the program's lists are as before */
        struct heddle__jobs_engine *e = heddle__jobs_make_engine(call, excluded, seat);
        error = e && e->kind && e->list && e->types <= HEDDLE__JOBS_TYPES ? run_engine(e) : HEDDLE_ENOMEM;
        again = e && e->again;
        excluded = e ? e->excluded : 0;
        if (e && !e->abandoned)
            heddle__jobs_free_engine(e);
    }
    if (error)
        heddle__warn(&site, "%s; running these jobs serially", heddle_strerror(error));
    heddle__seat_leave(seat);
    return error;
}

int heddle_jobs_run(struct heddle_jobs_call *call) {
    if (!call->types || !heddle__enter(&call->types->loop->site))
        return HEDDLE_ESERIAL;
    const double start = heddle__now();
    struct heddle_report *report = heddle__report();
    *report = (struct heddle_report){.file = call->types->loop->site.file,
                                     .line = call->line,
                                     .device = HEDDLE_DEVICE_HOST,
                                     .schedule = "serial",
                                     .layout = "",
                                     .columns = 1,
                                     .workers = 1};
    const int error = run(call);
    report->error = error;
    report->seconds = heddle__now() - start;
    heddle__leave();
    return error;
}
