/* SPDX-License-Identifier: Apache-2.0 */
/* One execution of a `#pragma heddle for` loop: checks, participants, schedule, threads, and what is left at the end */
#include "chunk.h"
#include "early.h"
#include "trace/record.h"
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

HEDDLE__FIRST long heddle_loop_trips(long lo, long hi, long step, int closed) {
    const bool down = step < 0;
    if (step == 0)
        return -1;
    if (closed ? (down ? lo < hi : lo > hi) : (down ? lo <= hi : lo >= hi))
        return 0;
    const unsigned long pace = down ? 0ul - (unsigned long)step : (unsigned long)step;
    const unsigned long way = down ? (unsigned long)lo - (unsigned long)hi : (unsigned long)hi - (unsigned long)lo;
    const unsigned long n = (way - !closed) / pace + 1;
    return n > LONG_MAX / 2 ? -1 : (long)n;
}

/* ---- what the schedule is told ---------------------------------------------------------------------------- */
enum { PLENTY = 256 << 20, QUICK = 50 /* microseconds */ };

/* Iterations whose sections fit into the device's free memory as often as chunks are under way. */
static long most(const struct heddle__engine *e, const struct heddle__participant *p) {
    struct heddle_device_info info;
    if (p->device < 0 || e->chunk_bytes < PLENTY || heddle_device_info(p->device, &info) || !info.memory_free)
        return 0;
    struct heddle_map kept[e->loop->nmaps + 1];
    int n = 0;
    for (int k = 0; k < e->loop->nmaps; k++)
        if (!(e->loop->maps[k].kind & (HEDDLE_MAP_CHUNK | HEDDLE_MAP_REDUCED)))
            kept[n++] = e->loop->maps[k];
    const double free_bytes =
        0.9 * (double)info.memory_free - (double)heddle__maps_bytes(kept, n, p->device) - (128 << 20);
    const double each = (double)e->chunk_bytes / (double)e->n, fits = free_bytes / HEDDLE__AHEAD / each;
    return fits < 1 ? 1 : fits < (double)e->n ? (long)fits : 0;
}

/* Threads that a GPU needs to be busy. */
static long grain(const struct heddle__participant *p) {
    const long inner = p->engine->loop->inner > 1 ? p->engine->loop->inner : 1;
    return p->cuda && !p->host_driven ? (256l * heddle__device_facts(p->device)->units + inner - 1) / inner : 1;
}

static int describe(struct heddle__engine *e, long chunk) {
    e->device = calloc((size_t)e->participants, sizeof *e->device);
    if (!e->device)
        return HEDDLE_ENOMEM;
    e->problem = (struct heddle_loop_problem){.n = e->n,
                                              .chunk = chunk,
                                              .devices = e->participants,
                                              .classes = e->classes,
                                              .device = e->device,
                                              .ahead = HEDDLE__AHEAD};
    const bool alone = !strcmp(e->policy->name, "auto") && !chunk &&
                       e->participants == 1; /* device_sets.c makes one part of the loop */
    const bool quickly = !strcmp(e->policy->name, "static") || e->choice.form == HEDDLE__CHOICE_DEVICES || alone;
    if (quickly) /* nobody decides by samples */
        heddle__loop_recall_rates(e);
    else
        heddle__loop_recall_samples(e);
    for (int k = 0; k < e->participants; k++) {
        const struct heddle__participant *p = &e->participant[k];
        struct heddle_loop_device *d = &e->device[k];
        *d = (struct heddle_loop_device){.device = p->device,
                                         .class = p->class,
                                         .ready = d->ready,
                                         .setup = d->setup,
                                         .rate = d->rate,
                                         .grain = grain(p),
                                         .most = most(e, p)};
        if (quickly)
            continue;
        if (k &&
            d[-1].class == d->class) { /* identical devices stand side by side; it takes some hundred microseconds */
            d->setup = d[-1].setup;
            d->rate = d[-1].rate;
        } else {
            heddle__loop_recall_costs(&e->problem, p->class, &d->setup, &d->rate);
        }
    }
    return HEDDLE_OK;
}

/* By earlier runs one thread of the host is done before others would have been woken, and nobody asks for anything
 * else. */
static struct heddle__participant *quick(struct heddle__engine *e) {
    char schedule[HEDDLE__OPTION_MAX], device[HEDDLE__OPTION_MAX];
    if (e->choice.form == HEDDLE__CHOICE_ONE_THREAD)
        return &e->participant[0];
    if (e->choice.form != HEDDLE__CHOICE_OPEN || e->loop->device != HEDDLE_DEVICE_AUTO)
        return NULL;
    heddle__option_read("for", schedule, sizeof schedule);
    heddle__option_read("device", device, sizeof device);
    if (strcmp(schedule, "auto") != 0 || strcmp(device, "auto") != 0)
        return NULL;
    for (int k = 0; k < e->participants; k++)
        if (e->device[k].device < 0 && e->device[k].rate > 0) {
            if ((double)e->n / e->device[k].rate >= 1e-6 * QUICK)
                return NULL;
            e->set = (struct heddle__device_set){.form = HEDDLE__SET_INLINE};
            heddle__loop_cache_choice(e, (struct heddle__choice){.form = HEDDLE__CHOICE_ONE_THREAD});
            return &e->participant[k];
        }
    return NULL;
}

/* Measured, so that a loop that takes longer the next time is not taken for a quick one again. */
static void run_quickly(struct heddle__engine *e, struct heddle__participant *p) {
    const struct heddle_loop *l = e->loop;
    const bool turn = heddle__turn_begin();
    const double before = heddle__clock_begin(p, HEDDLE__COMPUTES);
    l->type->host(l->env, l->lo, l->step, e->n, l->red);
    const double seconds = heddle__clock_end(p, HEDDLE__COMPUTES, before);
    heddle__turn_end(turn);
    p->first = 0;
    p->last = heddle__now() - e->start;
    p->iterations = e->n;
    p->chunks = 1;
    e->sample = malloc(sizeof *e->sample);
    if (e->sample)
        e->sample[e->samples++] =
            (struct heddle__sample){{.chunk = {0, e->n}, .n = e->n, .compute = seconds}, p->class};
}

/* ---- running ------------------------------------------------------------------------------------------------ */
static void serve(void *with) {
    struct heddle__server *s = with;
    heddle__cores_use(&s->participant->engine->cores, s->participant->device >= 0);
    if (s->participant->device < 0)
        heddle__loop_serve_host(s);
    else
        heddle__loop_serve_device(s);
}

/* No thread for it: a device that nobody serves is lost; a host thread fewer, or one that helps a device, only takes
 * longer. */
static void not_started(struct heddle__engine *e, struct heddle__server *s) {
    struct heddle_loop_chunk none;
    if (s->slot) {
        heddle__loop_leave_absent(s);
        return;
    }
    if (s->participant->device < 0 && e->threads > 1)
        heddle__verbose("%s:%d: one host thread fewer: none to be had", e->type->site.file, e->type->site.line);
    heddle__loop_lose_device(s->participant, "no thread to serve it");
    heddle__loop_take_chunk(s, &none);
}

/* Threads that serve a participant. A device's only part is one chunk, which others could only help with were it cut
   into sub_chunks. They are woken and waited for, which a short loop would feel. */
static int servers(const struct heddle__participant *p) {
    const struct heddle__engine *e = p->engine;
    const double *split = e->problem.split;
    const long part = split
                          ? heddle__part_first(split, p->number + 1, e->n) - heddle__part_first(split, p->number, e->n)
                          : (e->n + e->participants - 1) / e->participants;
    const bool one = e->policy == &heddle__loop_static && !e->problem.chunk && !e->device[p->number].most;
    const int useful = p->device < 0 ? 1 : heddle__sub_chunk_threads(p, part);
    return p->device < 0 || one || useful > HEDDLE__AHEAD ? useful : HEDDLE__AHEAD;
}

static bool is_given_up(void *with) {
    struct heddle__participant *p = with;
    pthread_mutex_lock(&p->engine->lock);
    const bool gone = p->gone;
    pthread_mutex_unlock(&p->engine->lock);
    return gone;
}

static void prepare_residents(struct heddle__engine *e) {
    struct heddle__resident_group *g = &e->resident;
    *g = (struct heddle__resident_group){.lock = &e->lock,
                                         .cores = &e->cores.all,
                                         .device = e->device_number,
                                         .arrays = e->loop->nmaps,
                                         .seat = e->seat};
    for (int k = 0; k < e->participants; k++) {
        struct heddle__participant *p = &e->participant[k];
        if (p->device < 0)
            continue;
        e->device_number[g->devices] = p->device;
        p->resident = (struct heddle__resident){
            .group = g, .number = g->devices++, .env = p->env, .is_given_up = is_given_up, .with = p};
    }
}

/* The calling thread is the first one of the host. Copies of arrays are of a participant: threads that serve a device
   join theirs one after the other, when a chunk is complete. */
static bool run_threads(struct heddle__engine *e, struct heddle__server *server) {
    struct heddle__server *own = NULL;
    int n = 0;
    for (int k = 0; k < e->participants; k++) {
        e->participant[k].servers = servers(&e->participant[k]);
        for (int slot = 0; slot < e->participant[k].servers; slot++) {
            const bool own = !slot || !e->type->red_more;
            server[n] = (struct heddle__server){.participant = &e->participant[k],
                                                .slot = slot,
                                                .red = own ? e->red + (size_t)n * e->red_stride : server[n - 1].red};
            if (own)
                heddle__loop_red_start(e->loop, server[n].red);
            n++;
        }
    }
    e->threads = n;
    for (int k = 0; k < n; k++) {
        if (!own && server[k].participant->device < 0)
            own = &server[k];
        else if (heddle__thread_run(serve, &server[k], server[k].participant->device >= 0))
            not_started(e, &server[k]);
    }
    if (own)
        serve(own);
    heddle__cores_leave(&e->cores);
    const bool all_back = heddle__loop_wait_for_end(e);
    for (int k = 0; k < n; k++)
        if (!k || server[k].red != server[k - 1].red)
            e->type->red_join(e->loop->red, server[k].red);
    return all_back;
}

static void run_unassigned(struct heddle__engine *e) {
    const struct heddle_loop *l = e->loop;
    struct heddle_loop_chunk chunk;
    long sum = 0;
    while (heddle__loop_take_unassigned(e, &chunk)) {
        heddle__loop_run_host(l, chunk.first, chunk.count, l->red);
        sum += chunk.count;
    }
    if (sum && e->why)
        heddle__warn(&e->type->site, "%s; no device is left; %ld of %ld iterations were run on the host", e->why, sum,
                     e->n);
    else if (sum)
        heddle__warn(&e->type->site, "%ld of %ld iterations were given to nobody; they were run on the host", sum,
                     e->n);
}

static void free_engine(struct heddle__engine *e) {
    for (int k = 0; k < e->participants; k++)
        free(e->participant[k].env);
    for (int k = 0; k < e->classes; k++)
        free((char *)(uintptr_t)e->class_name[k]);
    free(e->participant);
    free(e->device);
    free((void *)(uintptr_t)e->problem.sample);
    free((void *)(uintptr_t)e->problem.sample_class);
    heddle__interval_set_free(&e->left);
    heddle__resident_free(&e->resident);
    free(e->sample);
    free(e->red);
    free(e);
}

static bool hangs(const struct heddle__participant *p) {
    bool hung = false;
    for (int h = 0; h < HEDDLE__SERVERS; h++)
        hung = hung || p->in_flight[h].hung;
    return hung;
}

/* The host was chosen without a look at anybody: so it is for the next calls, which need no engine. */
static void lend(struct heddle__engine *e, struct heddle__host_way *way) {
    const bool host = e->choice.form == HEDDLE__CHOICE_HOST || e->choice.form == HEDDLE__CHOICE_ONE_THREAD;
    const int calls = way && host && e->participant[0].slow <= 1 ? heddle__loop_take_choice(e) : 0;
    if (calls)
        heddle__host_way_lend(way, e, calls);
}

static int end_run(struct heddle__engine *e, struct heddle__host_way *way) {
    heddle__loop_note_run(e);
    heddle__loop_write_report(e, HEDDLE_OK);
    lend(e, way);
    free_engine(e);
    return HEDDLE_OK;
}

/* Nobody has to be asked for chunks. */
static int run_team(struct heddle__engine *e, struct heddle__host_way *way) {
    if (heddle__team_run_engine(e))
        return end_run(e, way);
    free_engine(e);
    return HEDDLE_ENOMEM;
}

/* Copies of arrays for all participants would leave too little memory: one thread uses the array itself. */
static struct heddle__participant *without_copies(struct heddle__engine *e, size_t more) {
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return (double)more * e->participants > memory / 2 ? &e->participant[e->participants - 1] : NULL;
}

static int run_engine(struct heddle__engine *e, struct heddle__host_way *way) {
    const size_t more = e->type->red_more ? e->type->red_more(e->loop->red) : 0; /* bytes of a thread's copies */
    long chunk;
    e->policy = heddle__loop_choose_schedule(e->loop, &chunk);
    e->problem.chunk = chunk;
    if (way && way->spent > 0) {
        heddle__loop_note_spent(e, way->set, way->spent);
        way->spent = 0;
    }
    heddle__loop_find_choice(e);
    int error = heddle__loop_find_participants(e);
    if (!error && e->choice.form == HEDDLE__CHOICE_DEVICES &&
        e->participant[0].device < 0) { /* they failed meanwhile */
        e->choice.form = HEDDLE__CHOICE_OPEN;
        e->set.form = HEDDLE__SET_NONE;
    }
    error = error ? error : describe(e, chunk);
    if (!error && e->choice.form == HEDDLE__CHOICE_OPEN && heddle__team_fits(e)) { /* and nobody else there is */
        if (way)
            heddle__host_way_make(way, e);
        return run_team(e, NULL);
    }
    struct heddle__participant *alone = error ? NULL : without_copies(e, more);
    alone = error || alone ? alone : quick(e);
    if (alone) {
        run_quickly(e, alone);
        return end_run(e, way);
    }
    if (!error)
        heddle__loop_select_devices(e);
    if (!error && heddle__team_fits(e))
        return run_team(e, way);
    e->red_stride = (e->type->red_bytes + more + 127) / 128 * 128 + 128; /* of threads, on lines of their own */
    const size_t servers = (size_t)(HEDDLE__SERVERS * e->participants);
    e->red = error ? NULL : calloc(servers, e->red_stride); /* what nobody uses stays the system's */
    struct heddle__server *server = error ? NULL : calloc(servers, sizeof *server);
    if (!e->red || !server || !heddle__interval_set_add(&e->left, (struct heddle_loop_chunk){0, e->n}) ||
        !(e->state = e->policy->start(&e->problem))) {
        free(server);
        free_engine(e);
        return HEDDLE_ENOMEM;
    }
    prepare_residents(e);
    const bool all_back = run_threads(e, server);
    e->policy->stop(e->state);
    run_unassigned(e);
    heddle__loop_judge_devices(e);
    for (int k = 0; k < e->participants; k++)
        if (e->participant[k].device >= 0 && !hangs(&e->participant[k]))
            heddle__loop_leave_device(&e->participant[k]);
    heddle__loop_note_run(e);
    heddle__loop_leave_out_idle(e);
    heddle__loop_write_report(e, HEDDLE_OK);
    if (all_back) { /* else a thread that hangs in a device still has its participant */
        free_engine(e);
        free(server);
    }
    return HEDDLE_OK;
}

/* ---- the call ----------------------------------------------------------------------------------------------- */
/* Results of other devices go to where the program keeps an array. */
static void push_held(const struct heddle_loop *l, const struct heddle_map *whole) {
    for (int d = 0; d < heddle__devices_started(); d++)
        heddle__maps_push(whole, l->nmaps, d);
}

/* The host joins into its own elements, so they have to be those that the program keeps on a device. */
static void pull_reduced(const struct heddle_loop *l, const struct heddle_map *whole) {
    for (int k = 0; k < l->nmaps; k++)
        for (int d = 0; (l->maps[k].kind & HEDDLE_MAP_REDUCED) && d < heddle__devices_started(); d++)
            heddle__maps_pull(&whole[k], 1, d);
}

/* The user's own loop would not see what the program keeps on devices. */
static int run_held_serially(const struct heddle_loop *l, long n, const struct heddle_map *whole) {
    for (int d = 0; d < heddle__devices_started(); d++)
        heddle__maps_pull(whole, l->nmaps, d);
    (l->type->host_overlapping ? l->type->host_overlapping : l->type->host)(l->env, l->lo, l->step, n, l->red);
    push_held(l, whole);
    return HEDDLE_OK;
}

/* The sections of all iterations, and what of them need not travel. */
static void add_up(struct heddle__engine *e, const struct heddle_map *whole, bool held) {
    e->there = held ? heddle__maps_holder(whole, e->loop->nmaps) : HEDDLE_DEVICE_HOST;
    for (int k = 0; k < e->loop->nmaps; k++) {
        const int kind = e->loop->maps[k].kind;
        const size_t in = kind & HEDDLE_MAP_TO ? whole[k].bytes : 0;
        if (!(kind & HEDDLE_MAP_CHUNK))
            continue;
        e->chunk_bytes += whole[k].bytes;
        e->chunk_in += in;
        if (e->there >= 0 && heddle__maps_are_there(&whole[k], 1, e->there)) {
            e->there_bytes += whole[k].bytes;
            e->there_in += in;
        }
    }
}

static int run(const struct heddle_loop *l, long n, const struct heddle_map *whole, bool held,
               struct heddle__host_way *way, int seat) {
    struct heddle__engine *e = calloc(1, sizeof *e);
    if (!e)
        return HEDDLE_ENOMEM;
    *e = (struct heddle__engine){.loop = l,
                                 .type = l->type,
                                 .n = n,
                                 .seat = seat,
                                 .start = heddle__now(),
                                 .timeout = heddle__option_seconds("timeout")};
    add_up(e, whole, held);
    e->held_somewhere = held;
    pthread_mutex_init(&e->lock, NULL);
    pthread_cond_init(&e->changed, NULL);
    if (heddle__trace_on()) {
        char name[512];
        snprintf(name, sizeof name, "%s:%d for", e->type->site.file, e->type->site.line);
        e->trace_name = heddle__trace_name(name);
    }
    return run_engine(e, way);
}

static bool is_proven(const struct heddle_loop *l) {
    if (l->unproven && !__atomic_exchange_n(l->said, 1, __ATOMIC_RELAXED))
        heddle__warn(&l->type->site, "%s; running this loop serially", l->unproven);
    return !l->unproven;
}

/* By whoever can. The report says what it ran. */
static int run_open(const struct heddle_loop *l, long n, struct heddle__host_way *way) {
    struct heddle_report *report = heddle__report();
    struct heddle_map whole[l->nmaps + 1], all[l->nmaps + 1];
    heddle__loop_find_sections(l, 0, n, whole);
    heddle__loop_reach_all(l, n, whole);
    memcpy(all, whole, sizeof all);
    const bool held = heddle__maps_holder(whole, l->nmaps) != HEDDLE_DEVICE_HOST;
    if (!is_proven(l) || !heddle__loop_check_apart(l, n, all, false)) {
        report->error = HEDDLE_EOVERLAP;
        return held ? run_held_serially(l, n, whole) : HEDDLE_EOVERLAP;
    }
    if (held)
        pull_reduced(l, whole);
    const int seat = omp_in_parallel() ? -1 : heddle__seat_take();
    if (seat < 0) {
        l->type->host(l->env, l->lo, l->step, n, l->red);
    } else {
        report->error = run(l, n, whole, held, way, seat);
        heddle__seat_leave(seat);
    }
    if (!report->error && held)
        push_held(l, whole);
    if (report->error)
        heddle__warn(&l->type->site, "%s; running this loop serially", heddle_strerror(report->error));
    return report->error;
}

/* What is left when devices have started. */
static int run_rest(const struct heddle_loop *l, long n, long done, struct heddle__host_way *way) {
    struct heddle_loop rest = *l;
    rest.lo += done * l->step;
    if (run_open(&rest, n - done, way)) /* and not all of it once more */
        (l->type->host_overlapping ? l->type->host_overlapping : l->type->host)(l->env, rest.lo, l->step, n - done,
                                                                                l->red);
    return heddle__report()->error = HEDDLE_OK;
}

static int run_call(const struct heddle_loop *l, double start) {
    struct heddle_report *report = heddle__report();
    const long n = heddle_loop_trips(l->lo, l->hi, l->step, l->closed);
    *report = (struct heddle_report){.file = l->type->site.file,
                                     .line = l->type->site.line,
                                     .device = HEDDLE_DEVICE_HOST,
                                     .schedule = "serial",
                                     .layout = "",
                                     .rows = n,
                                     .columns = 1,
                                     .workers = 1};
    if (n <= 0)
        return report->error = n ? HEDDLE_ESERIAL : HEDDLE_OK;
    struct heddle__host_way *way = heddle__host_way(l, n);
    if (!way || l->unproven)
        return run_open(l, n, way);
    const long done = heddle__early_run(way, l, n, start);
    if (done == n || (!done && heddle__host_way_known(way, l) && heddle__host_way_run(way, l, n, start)))
        return HEDDLE_OK;
    return done ? run_rest(l, n, done, way) : run_open(l, n, way);
}

HEDDLE__FIRST int heddle_loop_run(struct heddle_loop *loop) {
    if (!heddle__enter(&loop->type->site))
        return HEDDLE_ESERIAL;
    const double start = heddle__now();
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    const int error = run_call(loop, start);
    if (heddle__report()->seconds <= 0)
        heddle__report()->seconds = heddle__now() - start;
    if (begin) {
        char name[512];
        snprintf(name, sizeof name, "%s:%d for, all", loop->type->site.file, loop->type->site.line);
        heddle__trace_span(heddle__trace_track("host", "loops"), heddle__trace_name(name), begin, heddle__trace_now());
    }
    heddle__leave();
    return error;
}
