/* SPDX-License-Identifier: Apache-2.0 */
/* One call of a batch: where it runs, and on the host how. */
#include "batch.h"
#include "device/device.h"
#include "device/resolve.h"
#include "device/threads.h"
#include "trace/record.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On the host a problem runs on all threads by itself if it has more cells than LARGE and than a thread's share of all,
   or more than SOME and its vector would be filled to less than a part. */
enum { LARGE = 1 << 24, SHARE = 4, SOME = 1 << 16, PART = 4 };
/* A GPU is worth it from so many cells, until both sides have been measured. */
enum { GPU_FROM = 16 << 20 };
static const double HOST_RATE = 2.5e9; /* cells a second, of a nest whose cells are among the cheapest */

struct team {
    const struct heddle_batch *call;
    const struct heddle__sizes *sizes;
    long first; /* of the order: the ones before ran alone */
    int lanes, isa, failed;
    atomic_long ticket;
};

/* ---- on the host ---- */

static void run_serial(struct team *t) {
    for (long k; (k = atomic_fetch_add_explicit(&t->ticket, 1, memory_order_relaxed)) < t->sizes->count;)
        t->call->nest->serial(t->call->outer, t->call->p0 + t->sizes->order[k]);
}

static long highest(const struct team *t, long from, long to) {
    long rows = 0;
    for (long k = from; k < to; k++)
        if (t->sizes->rows[t->sizes->order[k]] > rows)
            rows = t->sizes->rows[t->sizes->order[k]];
    return rows;
}

/* Groups of as many problems as there are lanes, in order. */
static bool run_groups(struct team *t) {
    const struct heddle_batch_nest *nest = t->call->nest;
    long problems[64];
    size_t room = 0;
    void *memory = NULL;
    for (;;) {
        const long from = t->first + atomic_fetch_add_explicit(&t->ticket, 1, memory_order_relaxed) * t->lanes;
        if (from >= t->sizes->count)
            break;
        const long to = from + t->lanes < t->sizes->count ? from + t->lanes : t->sizes->count;
        const size_t need = (nest->cpu_memory(t->isa, highest(t, from, to)) + 63) / 64 * 64;
        if (need > room) {
            free(memory);
            room = need + need / 4 / 64 * 64;
            memory = aligned_alloc(64, room);
        }
        for (long k = from; k < to; k++)
            problems[k - from] = t->call->p0 + t->sizes->order[k];
        if (memory) {
            nest->cpu_batch(&(struct heddle_cpu_batch){.outer = t->call->outer,
                                                       .problems = problems,
                                                       .count = (int)(to - from),
                                                       .isa = t->isa,
                                                       .memory = memory});
        } else { /* as they are written: that needs less */
            room = 0;
            for (long k = 0; k < to - from; k++)
                nest->serial(t->call->outer, problems[k]);
        }
    }
    free(memory);
    return true;
}

/* On all threads, by the engine for one nest. Its results are put in place by the statements behind it. */
static int run_alone(const struct heddle_batch *call, long p) {
    const struct heddle_batch_nest *nest = call->nest;
    struct heddle_problem at;
    char *env = malloc(nest->nest->env_bytes + 1), *red = malloc(nest->nest->red_bytes + 1);
    char *last = calloc(1, nest->nest->cell_bytes + 1);
    int error = env && red && last ? HEDDLE_OK : HEDDLE_ENOMEM;
    if (!error) {
        nest->problem(call->outer, p, env, red, &at);
        if (nest->last_cell)
            memcpy(env + nest->last_cell, &last, sizeof last);
        struct heddle_wavefront one = {.nest = nest->nest,
                                       .env = env,
                                       .red = red,
                                       .i0 = at.i0,
                                       .i1 = at.i1,
                                       .j0 = at.j0,
                                       .j1 = at.j1,
                                       .schedule = HEDDLE_SCHEDULE_REGISTERS,
                                       .device = HEDDLE_DEVICE_HOST};
        error = heddle__wavefront_cpu(&one, HEDDLE_SCHEDULE_REGISTERS);
        if (!error)
            nest->finish(call->outer, p, red, last);
    }
    free(env);
    free(red);
    free(last);
    return error;
}

static double cells_of(const struct heddle__sizes *s, long k) {
    return (double)s->rows[s->order[k]] * (double)s->columns[s->order[k]];
}

static bool is_alone(const struct team *t, int threads) {
    const double cells = cells_of(t->sizes, t->first);
    double together = 0;
    if (cells > LARGE && cells * threads * SHARE > t->sizes->cells)
        return true;
    for (long k = t->first; k < t->first + t->lanes && k < t->sizes->count; k++)
        together += cells_of(t->sizes, k);
    return cells > SOME && together * PART < cells * t->lanes;
}

int heddle__batch_cpu(struct heddle_batch *call, const struct heddle__sizes *sizes) {
    const struct heddle_batch_nest *nest = call->nest;
    struct team t = {.call = call, .sizes = sizes, .isa = heddle__host_isa()};
    const bool lanes = nest->vector && !call->serial;
    int threads = heddle__host_threads();
    t.lanes = lanes ? nest->cpu_lanes(t.isa) : 1;
    for (; lanes && t.first < sizes->count && is_alone(&t, threads); t.first++) {
        const int error = run_alone(call, call->p0 + sizes->order[t.first]);
        if (error)
            return error;
    }
    const long groups = (sizes->count - t.first + t.lanes - 1) / t.lanes;
    threads = groups < threads ? (int)(groups ? groups : 1) : threads;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        if (lanes)
            run_groups(&t);
        else
            run_serial(&t);
    }
    heddle__report()->workers = threads;
    return HEDDLE_OK;
}

/* ---- where ---- */

/* A device number, HEDDLE_DEVICE_ALL or HEDDLE_DEVICE_HOST. */
static int resolve_device(const struct heddle_batch *call, int holder, double cells) {
    return heddle__resolve(&(struct heddle__resolve){.site = &call->nest->nest->site,
                                                     .clause = call->device,
                                                     .shares = true,
                                                     .holder = holder,
                                                     .work = cells,
                                                     .gpu_from = GPU_FROM,
                                                     .host_rate = HOST_RATE});
}

/* Those of one kind that have code: all, or the one that was chosen. Returns how many. */
static int list_devices(const struct heddle_site *site, int device, int *devices) {
    int found = 0;
    devices[0] = device;
    if (device != HEDDLE_DEVICE_ALL)
        return 1;
    for (int d = 0; d < heddle_device_count() && found < HEDDLE_PEERS_MAX; d++) {
        const int architecture = heddle__architecture(site, d);
        if (architecture != HEDDLE_ARCH_NONE && (!found || architecture == heddle__architecture(site, devices[0])))
            devices[found++] = d;
    }
    return found;
}

/* A holder is the device on which the program keeps arrays. */
static int execute(struct heddle_batch *call, const struct heddle__sizes *sizes, int device, int holder) {
    struct heddle_report *report = heddle__report();
    const bool elsewhere = holder != HEDDLE_DEVICE_HOST && holder != device, host = device == HEDDLE_DEVICE_HOST;
    const double start = heddle__now();
    if (elsewhere)
        heddle__maps_pull(call->maps, call->nmaps, holder);
    int devices[HEDDLE_PEERS_MAX];
    const int count = host ? 0 : list_devices(&call->nest->nest->site, device, devices);
    const int error = host || !count ? heddle__batch_cpu(call, sizes) : heddle__batch_all(call, sizes, devices, count);
    if (elsewhere && !error)
        heddle__maps_push(call->maps, call->nmaps, holder);
    report->device = device;
    report->schedule = host && (call->serial || !call->nest->vector) ? "serial" : "registers";
    report->seconds = heddle__now() - start;
    if (!error && call->device == HEDDLE_DEVICE_AUTO && device != HEDDLE_DEVICE_ALL)
        heddle__resolve_note(&call->nest->nest->site, device, sizes->cells, report->seconds);
    return error;
}

static int run(struct heddle_batch *call) {
    const struct heddle_site *site = &call->nest->nest->site;
    struct heddle__sizes sizes;
    if (!heddle__maps_apart(site, call->maps, call->nmaps))
        return HEDDLE_EOVERLAP;
    const int holder = heddle__maps_holder(call->maps, call->nmaps);
    const bool there = holder != HEDDLE_DEVICE_HOST && heddle__architecture(site, holder) != HEDDLE_ARCH_NONE;
    if (holder != HEDDLE_DEVICE_HOST && !there)
        heddle__maps_pull(call->maps, call->nmaps, holder);
    int error = heddle__batch_measure(call, there ? holder : HEDDLE_DEVICE_HOST, &sizes);
    if (error)
        return error;
    int device = call->serial ? HEDDLE_DEVICE_HOST : resolve_device(call, holder, sizes.cells);
    if (device == HEDDLE_DEVICE_ALL && there) /* what the others compute would have to go there */
        device = holder;
    error = execute(call, &sizes, device, holder);
    if (error && error != HEDDLE_ETIMEDOUT && device != HEDDLE_DEVICE_HOST) {
        if (device == HEDDLE_DEVICE_ALL)
            heddle__warn(site, "all devices: %s; running on the host", heddle_strerror(error));
        else
            heddle__warn(site, "device %d: %s; running on the host", device, heddle_strerror(error));
        error = execute(call, &sizes, HEDDLE_DEVICE_HOST, holder);
    }
    heddle__sizes_free(&sizes);
    return error;
}

static void report(const struct heddle_batch *call, double start) {
    struct heddle_report *r = heddle__report();
    const struct heddle_site *site = &call->nest->nest->site;
    char name[512];
    r->seconds = heddle__now() - start;
    if (r->error)
        heddle__warn(site, "%s; running this loop serially", heddle_strerror(r->error));
    else
        heddle__verbose("%s:%d: batch of %ld problems, %s on %s%d, %d workers, %.6f s (%.6f s computing)", r->file,
                        r->line, r->rows, r->schedule,
                        r->device == HEDDLE_DEVICE_ALL ? "all devices "
                        : r->device < 0                ? "host "
                                                       : "device ",
                        r->device < 0 ? 0 : r->device, r->workers, r->seconds, r->kernel_seconds);
    if (!heddle__trace_on())
        return;
    snprintf(name, sizeof name, "%s:%d %s %s", site->file, site->line, site->kind, r->schedule);
    heddle__trace_span(heddle__trace_thread(), heddle__trace_name(name), (int64_t)(start * 1e9), heddle__trace_now());
}

int heddle_batch_run(struct heddle_batch *call) {
    struct heddle_report *r = heddle__report();
    const double start = heddle__now();
    const struct heddle_site *site = &call->nest->nest->site;
    if (!heddle__enter(site))
        return HEDDLE_ESERIAL;
    *r = (struct heddle_report){.file = site->file,
                                .line = site->line,
                                .device = HEDDLE_DEVICE_HOST,
                                .schedule = "serial",
                                .layout = "",
                                .rows = call->p1 - call->p0 + 1,
                                .workers = 1};
    if (r->rows > 0)
        r->error = run(call);
    report(call, start);
    heddle__leave();
    return r->error;
}
