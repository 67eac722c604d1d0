/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool on the host: what its block makes is noted down, and run at each taskwait and at the end. Where a device
 * fails the same notes run on CPU threads, from arrays that nothing has changed.
 */
#include "pool.h"
#include "device/resolve.h"
#include "trace/record.h"
#include <stdlib.h>
#include <string.h>

/* Below this many tasks, none of which makes others, a device is not asked when nobody names one. */
enum { GPU_FROM = 4096, NODES_MOST = 1 << 26 };

const char *const heddle__pool_schedules[] = {
#define HEDDLE_X(name, text) text,
    HEDDLE_POOL_SCHEDULES(HEDDLE_X)
#undef HEDDLE_X
};
enum { SCHEDULES = sizeof heddle__pool_schedules / sizeof *heddle__pool_schedules };

static int read_schedule(int by_clause) {
    char value[HEDDLE__OPTION_MAX];
    heddle__option_read("pool", value, sizeof value);
    for (int k = 0; k < SCHEDULES; k++)
        if (!strcmp(heddle__pool_schedules[k], value))
            return k ? k : by_clause ? by_clause : HEDDLE_POOL_DYNAMIC;
    heddle__option_bad("pool", value);
    return by_clause ? by_clause : HEDDLE_POOL_DYNAMIC;
}

/* A device with code for the pool, or the host. */
static int choose_device(const struct heddle_pool *pool, uint64_t tasks) {
    return heddle__resolve(&(struct heddle__resolve){.site = &pool->type->site,
                                                     .clause = pool->device,
                                                     .holder = heddle__maps_holder(pool->maps, pool->nmaps),
                                                     .work = (double)tasks,
                                                     .gpu_from = GPU_FROM});
}

/* Is it known how many tasks there will be? Tasks that make tasks may be few at first. */
static bool is_counted(const struct heddle__run *run) {
    bool loops = false;
    for (int k = 0; k < run->segment->jobs; k++)
        loops |= run->segment->job[k].form == HEDDLE_FORM_LOOP;
    return loops;
}

static int prepare(struct heddle__run *run) {
    struct heddle__segment *s = run->segment;
    int error = HEDDLE_OK;
    if (s->nodes_job >= 0) {
        struct heddle_job *j = &s->job[s->nodes_job];
        j->total = j->count[0] = (int64_t)s->nodes;
        j->record = s->records;
        j->node = s->node;
        error = heddle__link_successors(s);
    }
    for (int k = 0; k < run->pool->type->kinds; k++)
        s->levels_used |= run->pool->type->flags[k] & HEDDLE_TASK_PRIORITY;
    for (int k = 0; k < s->jobs; k++) { /* counted whatever happens: verify() asks */
        struct heddle_job *j = &s->job[k];
        const uint64_t n = (uint64_t)j->total;
        run->expected += n;
        run->checksum += (n % 2 ? n * ((n + 1) / 2) : n / 2 * (n + 1)) * (2 * (uint64_t)k + 1);
        if (!error && (run->schedule == HEDDLE_POOL_STATIC || run->schedule == HEDDLE_POOL_BARRIER))
            error = heddle__order_by_level(j);
    }
    return error;
}

/* Every task must have run once: all that were there, all that were made, and the sum of their numbers. */
static int verify(const struct heddle__run *run) {
    if (run->done == run->expected + run->spawned && run->sum == run->checksum)
        return HEDDLE_OK;
    heddle__warn(&run->pool->type->site,
                 "nothing is ready but %lld of %llu tasks are left: they wait for each other, or were lost (checksum "
                 "%llx, expected %llx)",
                 (long long)(run->expected + run->spawned - run->done),
                 (unsigned long long)(run->expected + run->spawned), (unsigned long long)run->sum,
                 (unsigned long long)run->checksum);
    return HEDDLE_ESERIAL;
}

/* Run on a device that does not hold the data the program has on another: bring it to the host, and back. */
static int run_somewhere(struct heddle__run *run) {
    struct heddle_pool *pool = run->pool;
    struct heddle_report *report = heddle__report();
    int error = HEDDLE_ELAUNCH;
    const int holder = heddle__maps_holder(pool->maps, pool->nmaps);
    const bool elsewhere = holder != HEDDLE_DEVICE_HOST && holder != run->device;
    if (elsewhere)
        heddle__maps_pull(pool->maps, pool->nmaps, holder);
    if (run->device != HEDDLE_DEVICE_HOST) {
        error = heddle__pool_run_device(run);
        if (!error)
            error = verify(run);
        if (error) {
            if (!run->said)
                heddle__warn(&pool->type->site, "device %d: %s; running on the host", run->device,
                             heddle_strerror(error));
            if (!elsewhere && holder != HEDDLE_DEVICE_HOST) {
                heddle__maps_pull(pool->maps, pool->nmaps, holder);
                heddle__warn(&pool->type->site,
                             "arrays that the program holds on device %d may have been changed by the failed run",
                             holder);
            }
            run->done = run->spawned = run->sum = 0;
        }
    }
    if (error) {
        run->device = report->device = HEDDLE_DEVICE_HOST;
        error = heddle__pool_run_host(run);
        if (!error)
            error = verify(run);
    }
    if (!error && holder != HEDDLE_DEVICE_HOST && holder != run->device)
        heddle__maps_push(pool->maps, pool->nmaps, holder);
    return error;
}

static void reset(struct heddle__segment *s) {
    for (int k = 0; k < s->jobs; k++) {
        heddle__free_job(&s->job[k]);
        free(s->loop_records[k]);
    }
    heddle__depend_forget(s);
    s->jobs = s->levels_used = 0;
    s->nodes = s->edges = 0;
    s->nodes_job = -1;
}

static void run_segment(struct heddle_pool *pool) {
    struct heddle__segment *s = pool->state;
    if (!s->jobs) /* a wait for tasks of a stream should cost no more than that */
        return;
    struct heddle__run run = {.pool = pool, .segment = s, .schedule = read_schedule(pool->schedule)};
    if (pool->type->worker == HEDDLE_WORKER_LANE && run.schedule != HEDDLE_POOL_SERIAL)
        run.schedule = HEDDLE_POOL_DYNAMIC; /* lanes have no other */
    struct heddle_report *report = heddle__report();
    const double start = heddle__now();
    const int64_t begin = heddle__trace_now();
    *report = (struct heddle_report){.file = pool->type->site.file, .line = pool->type->site.line};
    if (prepare(&run)) { /* program order needs no lists */
        heddle__warn(&pool->type->site, "no memory for the order of %llu tasks; running them in program order",
                     (unsigned long long)run.expected);
        run.schedule = HEDDLE_POOL_SERIAL;
    }
    run.device = report->device = run.schedule == HEDDLE_POOL_SERIAL
                                      ? HEDDLE_DEVICE_HOST
                                      : choose_device(pool, is_counted(&run) ? run.expected : GPU_FROM);
    const int chosen = run.device;
    const int error = run_somewhere(&run);
    report->schedule = heddle__pool_schedules[run.schedule];
    report->rows = (long)run.done;
    report->columns = 1;
    report->workers = run.workers;
    report->rows_per_worker = 1;
    report->seconds = heddle__now() - start;
    report->error = error;
    heddle__pool_trace_run(pool->type, report->schedule, begin);
    if (!error && run.device == chosen && pool->device == HEDDLE_DEVICE_AUTO && is_counted(&run))
        heddle__resolve_note(&pool->type->site, chosen, (double)run.expected, report->seconds);
    if (error)
        heddle__lost(&pool->type->site, "%s: tasks of this pool did not run; ending the program",
                     heddle_strerror(error));
    else
        heddle__verbose("%s:%d: pool of %llu tasks (%llu made by tasks), %s on %s%d, %d workers, %llu %s, %llu "
                        "queued, checksum %llx, %.6f s (%.6f s computing)",
                        report->file, report->line, (unsigned long long)run.done, (unsigned long long)run.spawned,
                        report->schedule, report->device < 0 ? "host " : "device ",
                        report->device < 0 ? 0 : report->device, run.workers, (unsigned long long)run.handed,
                        pool->type->worker == HEDDLE_WORKER_LANE && report->device >= 0 ? "batches" : "handed on",
                        (unsigned long long)run.queued, (unsigned long long)run.sum, report->seconds,
                        report->kernel_seconds);
    reset(s);
}

/* A pool with idle() sends its tasks to a kernel that runs. */
static void open_stream(struct heddle_pool *pool) {
    struct heddle__segment *s = pool->state;
    const int schedule = read_schedule(pool->schedule);
    if (pool->idle <= 0 || schedule > HEDDLE_POOL_GLOBAL)
        return;
    const int device = choose_device(pool, GPU_FROM);
    if (device != HEDDLE_DEVICE_HOST)
        s->stream = heddle__stream_open(pool, device);
}

/* Loops and tasks with dependences run in a kernel of their own, with the device to themselves. */
static void close_stream(struct heddle__segment *s) {
    if (!s || !s->stream)
        return;
    heddle__stream_wait(s->stream);
    heddle__stream_stop(s->stream);
    heddle__stream_close(s->stream);
    s->stream = NULL;
}

void heddle_pool_begin(struct heddle_pool *pool) {
    struct heddle__segment *s = calloc(1, sizeof *s);
    const bool entered = heddle__enter(&pool->type->site);
    pool->state = s;
    if (!s) {
        heddle__warn(&pool->type->site, "no memory for a pool; its tasks run at once");
        if (entered)
            heddle__leave();
        return;
    }
    s->nodes_job = -1;
    s->forked = !entered;
    if (s->forked)
        return;
    s->serial = !heddle__maps_apart(&pool->type->site, pool->maps, pool->nmaps);
    if (s->serial)
        heddle__serial_begin(pool);
    else
        open_stream(pool);
}

void heddle_pool_wait(struct heddle_pool *pool) {
    struct heddle__segment *s = pool->state;
    if (s && s->stream)
        heddle__stream_wait(s->stream);
    if (s)
        run_segment(pool);
}

void heddle_pool_end(struct heddle_pool *pool) {
    struct heddle__segment *s = pool->state;
    if (!s)
        return;
    if (s->stream) {
        heddle__stream_wait(s->stream);
        heddle__stream_close(s->stream);
    }
    run_segment(pool);
    if (s->serial)
        heddle__serial_end(pool);
    if (!s->forked)
        heddle__leave();
    free(s->node);
    free(s->records);
    heddle__depend_free(s);
    free(s);
    pool->state = NULL;
}

static int reserve_nodes(struct heddle__segment *s, size_t record_bytes) {
    if (s->nodes < s->node_capacity)
        return HEDDLE_OK;
    const uint64_t capacity = s->node_capacity ? 2 * s->node_capacity : 1024;
    uint32_t *node = realloc(s->node, capacity * 2 * sizeof *node);
    s->node = node ? node : s->node;
    char *records = realloc(s->records, capacity * record_bytes);
    s->records = records ? records : s->records;
    uint32_t *start = realloc(s->before_start, (capacity + 2) * sizeof *start);
    s->before_start = start ? start : s->before_start;
    if (!node || !records || !start)
        return HEDDLE_ENOMEM;
    s->node_capacity = capacity;
    return HEDDLE_OK;
}

static int add_node(struct heddle_pool *pool, int kind, const void *record, size_t bytes, int priority,
                    const struct heddle_depend *depends, int ndepends) {
    struct heddle__segment *s = pool->state;
    const size_t stride = pool->type->record_bytes;
    const int level = heddle_level_of(priority);
    if (s->nodes == NODES_MOST || reserve_nodes(s, stride))
        return HEDDLE_ENOMEM;
    s->before_start[s->nodes] = (uint32_t)s->edges;
    if (heddle__depend_add(s, depends, ndepends)) {
        s->edges = s->before_start[s->nodes];
        return HEDDLE_ENOMEM;
    }
    memset(s->records + s->nodes * stride, 0, stride);
    memcpy(s->records + s->nodes * stride, record, bytes);
    s->node[2 * s->nodes] = (uint32_t)kind;
    s->node[2 * s->nodes + 1] = (uint32_t)level;
    s->levels_used |= level;
    s->before_start[++s->nodes] = (uint32_t)s->edges;
    return HEDDLE_OK;
}

/* What is there runs first, then this: an order that is always right. */
static void run_after_others(struct heddle_pool *pool, int kind, const void *record, size_t bytes,
                             const struct heddle_taskloop *loop) {
    heddle_pool_wait(pool);
    heddle__pool_run_now(pool, kind, record, bytes, loop);
}

void heddle_pool_task(struct heddle_pool *pool, int kind, const void *record, size_t bytes, int priority,
                      const struct heddle_depend *depends, int ndepends) {
    struct heddle__segment *s = pool->state;
    if (s && s->stream && !ndepends) {
        heddle__stream_put(s->stream, kind, record, bytes);
        return;
    }
    if (s && (s->serial || s->forked)) {
        heddle__pool_run_now(pool, kind, record, bytes, NULL);
        return;
    }
    close_stream(s);
    if (s && s->nodes_job < 0) {
        if (s->jobs == HEDDLE_JOBS)
            heddle_pool_wait(pool);
        s->job[s->jobs] = (struct heddle_job){.form = HEDDLE_FORM_NODE, .dims = 1, .count = {0, 1, 1}};
        s->loop_records[s->jobs] = NULL;
        s->nodes_job = s->jobs++;
    }
    if (s && !add_node(pool, kind, record, bytes, priority, depends, ndepends))
        return;
    if (s && !s->nodes) { /* not even one: no list for a device to look at */
        s->jobs = s->nodes_job;
        s->nodes_job = -1;
    }
    run_after_others(pool, kind, record, bytes, NULL); /* no memory for more */
}

/* Whether every sink comes before the iteration in program order. */
static bool in_order(const struct heddle_taskloop *loop) {
    for (int q = 0; q < loop->sinks; q++) {
        int d = 0;
        while (d < loop->dims && !loop->sink[q][d])
            d++;
        if (d == loop->dims || loop->sink[q][d] > 0)
            return false;
    }
    return loop->sinks <= HEDDLE_SINKS_MAX;
}

/* What the loop is as a job. false: it has to run in program order, and a line says so if it is the program's fault. */
static bool describe(const struct heddle_pool *pool, const struct heddle_taskloop *loop, struct heddle_job *j) {
    *j = (struct heddle_job){
        .form = HEDDLE_FORM_LOOP, .kind = loop->kind, .dims = loop->dims, .sinks = loop->sinks, .total = 1};
    for (int d = 0; d < 3; d++) {
        j->count[d] = d < loop->dims ? loop->count[d] : 1;
        if (j->count[d] > (int64_t)(HEDDLE_NUMBER_MASK >> 1) / j->total ||
            (loop->sinks && j->count[d] > INT32_MAX - 0x10000)) {
            heddle__warn(&pool->type->site,
                         "a taskloop of %ld x %ld x %ld tasks is too large to number; running it in program order",
                         loop->count[0], loop->dims > 1 ? loop->count[1] : 1, loop->dims > 2 ? loop->count[2] : 1);
            return false;
        }
        j->total *= j->count[d];
    }
    if (!in_order(loop)) {
        heddle__warn(&pool->type->site, "a sink names the iteration itself or a later one: tasks would wait for each "
                                        "other; running the loop in program order");
        return false;
    }
    for (int q = 0; q < loop->sinks; q++)
        for (int d = 0; d < loop->dims; d++) {
            j->sink[q][d] = loop->sink[q][d];
            j->low[d] = j->sink[q][d] < j->low[d] ? j->sink[q][d] : j->low[d];
            j->high[d] = j->sink[q][d] > j->high[d] ? j->sink[q][d] : j->high[d];
        }
    return true;
}

void heddle_pool_loop(struct heddle_pool *pool, const struct heddle_taskloop *loop, const void *record, size_t bytes) {
    struct heddle__segment *s = pool->state;
    struct heddle_job j;
    char *copy = NULL;
    close_stream(s);
    if (s && (s->serial || s->forked)) {
        heddle__pool_run_now(pool, loop->kind, record, bytes, loop);
        return;
    }
    for (int d = 0; d < loop->dims; d++)
        if (loop->count[d] <= 0)
            return;
    if (describe(pool, loop, &j) && s)
        copy = aligned_alloc(16, pool->type->record_bytes);
    if (!copy) {
        run_after_others(pool, loop->kind, record, bytes, loop);
        return;
    }
    if (s->jobs == HEDDLE_JOBS)
        heddle_pool_wait(pool);
    memset(copy, 0, pool->type->record_bytes);
    memcpy(copy, record, bytes);
    j.record = copy;
    s->loop_records[s->jobs] = copy;
    s->job[s->jobs++] = j;
}
