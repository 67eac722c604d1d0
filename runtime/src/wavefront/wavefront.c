/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One call of a wavefront nest, in the order of the functions at the end: find_way() takes the schedule and device of
 * an equal call before it or has resolve() find them, execute_region() has try_run() run it there or, where that fails,
 * on the host, report() says what was done.
 */
#include "device/resolve.h"
#include "job.h"
#include "trace/record.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Below the first a nest is done before threads have started, below the second before a kernel has. Rough bounds, in
   cells; the second one holds until both sides have been measured (device/resolve.c). */
enum { SERIAL_BELOW = 4096, GPU_FROM = 4 << 20 };
static const double HOST_RATE = 2.5e9; /* cells a second: sw, whose cells are among the cheapest */
/* With fewer rows or columns there is hardly anything to do at once. */
enum { SERIAL_SIDE = 5 };

static const char *const names[] = {
#define HEDDLE_X(name, text) text,
    HEDDLE_WAVEFRONT_SCHEDULES(HEDDLE_X)
#undef HEDDLE_X
};
enum { SCHEDULES = sizeof names / sizeof *names };

/* One number of the list: ",123". Leaves `*at` alone, which then is not the text's end, if it is none. */
static long read_extent(char **at) {
    char *end;
    errno = 0;
    const long v = isdigit((unsigned char)(*at)[1]) ? strtol(*at + 1, &end, 10) : 0;
    if (isdigit((unsigned char)(*at)[1]) && (*end == ',' || !*end) && !errno)
        *at = end;
    return v;
}

/* HEDDLE_WAVEFRONT=peer,256,64 goes over the clause. True: it did. */
static bool read_schedule(struct heddle_wavefront *call) {
    char value[HEDDLE__OPTION_MAX];
    heddle__option_read("wavefront", value, sizeof value);
    const size_t length = strcspn(value, ",");
    for (int k = 0; k < SCHEDULES; k++) {
        if (strlen(names[k]) != length || strncmp(names[k], value, length))
            continue;
        char *at = value + length;
        const long h = *at ? read_extent(&at) : 0;
        const long w = *at ? read_extent(&at) : 0;
        if (*at)
            break;
        if (k == HEDDLE_SCHEDULE_AUTO)
            return false;
        call->schedule = k;
        call->tile_h = h;
        call->tile_w = w;
        return true;
    }
    heddle__option_bad("wavefront", value);
    return false;
}

static long clamp(long v, long high) { return v < 0 ? 0 : v > high ? high : v; }

bool heddle__in_memory(int schedule) {
    return schedule == HEDDLE_SCHEDULE_PEER || schedule == HEDDLE_SCHEDULE_BARRIER ||
           schedule == HEDDLE_SCHEDULE_PEER_SQUARE || schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE ||
           schedule == HEDDLE_SCHEDULE_FLEXIBLE;
}

/* The schedule asked for, or the nearest one that the nest has. */
static int resolve_schedule(const struct heddle_wavefront *call) {
    const unsigned flags = call->nest->flags;
    int schedule = call->schedule;
    if (schedule == HEDDLE_SCHEDULE_AUTO)
        schedule = call->nest->prefix & HEDDLE_PREFIX_ANY_ORDER ? HEDDLE_SCHEDULE_SCAN : HEDDLE_SCHEDULE_REGISTERS;
    if (schedule == HEDDLE_SCHEDULE_SCAN && !call->nest->prefix)
        schedule = HEDDLE_SCHEDULE_REGISTERS;
    if (schedule == HEDDLE_SCHEDULE_REGISTERS && !(flags & HEDDLE_NEST_REGISTERS))
        schedule = HEDDLE_SCHEDULE_PEER;
    /* square tiles cannot be ordered where a cell reads from above on the right */
    if (call->nest->ahead && schedule == HEDDLE_SCHEDULE_PEER_SQUARE)
        schedule = HEDDLE_SCHEDULE_PEER;
    if (call->nest->ahead && schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE)
        schedule = HEDDLE_SCHEDULE_BARRIER;
    if (heddle__in_memory(schedule) && !(flags & (HEDDLE_NEST_MEMORY | HEDDLE_NEST_REGISTERS)))
        schedule = HEDDLE_SCHEDULE_SERIAL;
    return schedule;
}

/* Arrays that hold a few rows only have a memory form on GPUs alone, where the engine keeps all rows itself. */
static bool lacks_memory_form(const struct heddle_wavefront *call, int schedule, int device) {
    const unsigned flags = call->nest->flags;
    return device != HEDDLE_DEVICE_ALL && heddle__in_memory(schedule) && !(flags & HEDDLE_NEST_MEMORY) &&
           (device == HEDDLE_DEVICE_HOST || flags & HEDDLE_NEST_EXTENDED ||
            heddle__architecture(&call->nest->site, device) != HEDDLE_ARCH_GPU);
}

/* HEDDLE_DEVICE_ALL, or the one device that remains where they cannot share the nest. */
static int resolve_all(const struct heddle_wavefront *call, int schedule, int holder) {
    int devices[HEDDLE_PEERS_MAX];
    if (holder != HEDDLE_DEVICE_HOST && heddle__architecture(&call->nest->site, holder) != HEDDLE_ARCH_NONE)
        return holder;
    const int count = heddle__all_devices(call, schedule, devices);
    return count > 1 ? HEDDLE_DEVICE_ALL : count ? devices[0] : HEDDLE_DEVICE_HOST;
}

static double cells_of(const struct heddle_wavefront *call) {
    return (double)(call->i1 - call->i0 + 1) * (double)(call->j1 - call->j0 + 1) * (double)(call->t1 - call->t0 + 1);
}

/* Seconds, by the measured model of tile widths; 0: it knows nothing. */
static double expected(const void *with, int device) {
    const struct heddle_wavefront *call = with;
    return call->schedule == HEDDLE_SCHEDULE_FLEXIBLE && !call->tile_w ? heddle__flexible_expected(call, device) : 0;
}

/* A device number with an image for it, HEDDLE_DEVICE_ALL or HEDDLE_DEVICE_HOST. */
static int resolve_device(const struct heddle_wavefront *call, double cells, int schedule, int holder, bool *settled) {
    const int device = heddle__resolve(&(struct heddle__resolve){.site = &call->nest->site,
                                                                 .clause = call->device,
                                                                 .shares = true,
                                                                 .holder = holder,
                                                                 .work = cells,
                                                                 .gpu_from = GPU_FROM,
                                                                 .host_rate = HOST_RATE,
                                                                 .expected = expected,
                                                                 .with = call,
                                                                 .settled = settled});
    return device == HEDDLE_DEVICE_ALL ? resolve_all(call, schedule, holder) : device;
}

/* A kernel gave up, and the program keeps an array that it writes on that device: the host has old values, the device
   some of the new ones. Nothing right can be computed from either. */
static void end_if_lost(const struct heddle_wavefront *call, int device, int holder) {
    if (device == HEDDLE_DEVICE_HOST || device != holder)
        return;
    for (int k = 0; k < call->nmaps; k++)
        if (call->maps[k].kind & HEDDLE_MAP_W && heddle__maps_kept(&call->maps[k], device)) {
            heddle__fatal(&call->nest->site,
                          "the program keeps array '%s' on device %d, where a kernel that gave up left it half done; "
                          "ending the program. HEDDLE_TIMEOUT sets how long a kernel waits",
                          call->maps[k].name, device);
        }
}

/* The loop as written works on the host's arrays. */
static void end_if_elsewhere(const struct heddle_wavefront *call, int holder) {
    if (holder != HEDDLE_DEVICE_HOST)
        heddle__fatal(&call->nest->site,
                      "the program keeps these arrays on device %d, where the serial loop does not see them; ending "
                      "the program. Bring them to the host before the loop (target exit data)",
                      holder);
}

/* How a call is run. */
struct way {
    int schedule, device;
    int holder;   /* where the program keeps one of the arrays, or the host */
    bool settled; /* an equal call goes the same way, whatever was measured meanwhile */
};

/* A thread's last call of a nest: an equal one is not resolved, and its job not sized, again. */
enum { KEPT_MAPS = 8, KEPT = 8 /* nests */ };
struct kept {
    struct heddle_wavefront asked; /* as it came, and */
    struct heddle_wavefront taken; /* as resolve() left it */
    struct heddle_map maps[KEPT_MAPS];
    uint64_t mark;
    struct way way;
    struct job job; /* if it ran on a device: its sizes */
};

static pthread_key_t key; /* not thread-local storage: that is taken from the stack of each thread of a program */
static bool able;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_key(void) { able = !pthread_key_create(&key, free); }

/* NULL: nothing can be kept. */
static struct kept *kept_of(const struct heddle_nest *nest) {
    pthread_once(&once, make_key);
    struct kept *kept = able ? pthread_getspecific(key) : NULL;
    if (able && !kept && (kept = calloc(KEPT, sizeof *kept)) && pthread_setspecific(key, kept)) {
        free(kept);
        kept = NULL;
    }
    return kept ? &kept[(uintptr_t)nest / sizeof *nest % KEPT] : NULL;
}

/* But for where the arrays lie: programs exchange them from one step to the next. */
static bool is_equal(const struct heddle_wavefront *a, const struct heddle_wavefront *b) {
    return a->nest == b->nest && a->i0 == b->i0 && a->i1 == b->i1 && a->j0 == b->j0 && a->j1 == b->j1 &&
           a->t0 == b->t0 && a->t1 == b->t1 && a->schedule == b->schedule && a->tile_h == b->tile_h &&
           a->tile_w == b->tile_w && a->layout == b->layout && a->device == b->device && a->nmaps == b->nmaps &&
           a->nkept == b->nkept;
}

/* No array shares memory with another one that is written. Known of those that lie where they lay. */
static bool are_apart(const struct heddle_wavefront *call, struct kept *kept) {
    const int count = call->nmaps + call->nkept;
    bool same = true;
    int a, b;
    for (int k = 0; k < count; k++) {
        const struct heddle_map *now = &call->maps[k], *then = &kept->maps[k];
        same &= now->base == then->base && now->first == then->first && now->bytes == then->bytes;
    }
    if (same)
        return true;
    if (heddle__maps_overlap(call->maps, count, &a, &b))
        return false;
    memcpy(kept->maps, call->maps, (size_t)count * sizeof *call->maps);
    return true;
}

static bool recall(struct heddle_wavefront *call, struct kept *kept, struct way *way) {
    if (!kept || !is_equal(call, &kept->asked) || kept->mark != heddle__decision_mark() || !are_apart(call, kept) ||
        heddle__maps_holder(call->maps, call->nmaps) != kept->way.holder)
        return false;
    call->schedule = kept->taken.schedule;
    call->tile_h = kept->taken.tile_h;
    call->tile_w = kept->taken.tile_w;
    *way = kept->way;
    return true;
}

/* 0; or the error for which nothing is tried and the loop is run as it is written. */
static int resolve(struct heddle_wavefront *call, struct way *way) {
    const long rows = call->i1 - call->i0 + 1, columns = call->j1 - call->j0 + 1;
    const double cells = cells_of(call);
    const bool on_device = (way->holder = heddle__maps_holder(call->maps, call->nmaps)) != HEDDLE_DEVICE_HOST;
    way->settled = false;
    /* the clause schedule(scan) says that the order does not matter: a small nest is run serially all the same */
    const bool asked = read_schedule(call);
    const bool chosen = asked || call->device != HEDDLE_DEVICE_AUTO ||
                        (call->schedule != HEDDLE_SCHEDULE_AUTO && call->schedule != HEDDLE_SCHEDULE_SCAN);
    /* tiles are not larger than the nest, whatever was asked for */
    call->tile_h = clamp(call->tile_h, rows);
    call->tile_w = clamp(call->tile_w, columns + (rows - 1) * call->nest->skew);
    if (on_device && call->schedule == HEDDLE_SCHEDULE_SERIAL) /* the loop as written would not see its values */
        call->schedule = HEDDLE_SCHEDULE_AUTO;
    way->schedule = resolve_schedule(call);
    if (way->schedule == HEDDLE_SCHEDULE_SERIAL ||
        (!chosen && !on_device && (cells < SERIAL_BELOW || rows < SERIAL_SIDE || columns < SERIAL_SIDE)))
        return HEDDLE_ESERIAL;
    if (!heddle__maps_apart(&call->nest->site, call->maps, call->nmaps + call->nkept)) {
        end_if_elsewhere(call, way->holder);
        return HEDDLE_EOVERLAP;
    }
    way->device = resolve_device(call, cells, way->schedule, way->holder, &way->settled);
    if (lacks_memory_form(call, way->schedule, way->device))
        way->schedule = HEDDLE_SCHEDULE_REGISTERS;
    return HEDDLE_OK;
}

/* The parts of a flexible nest find the arrays on the device instead of moving them one by one. */
static int run_flexible(struct heddle_wavefront *call, int device, int holder) {
    const bool maps = device != HEDDLE_DEVICE_HOST && (holder == HEDDLE_DEVICE_HOST || holder == device);
    if (device == HEDDLE_DEVICE_ALL || (maps && heddle__needs_panels(call, device))) /* in panels, and no other way */
        return HEDDLE_ENOMEM;
    char *scratch = maps ? malloc(call->nest->env_bytes + 1) : NULL;
    int error = scratch ? heddle__maps_enter(call->maps, call->nmaps, device, scratch) : HEDDLE_OK;
    if (!error) {
        error = heddle__flexible(call, device, holder);
        if (scratch)
            heddle__maps_exit(call->maps, call->nmaps, device, !error);
    }
    free(scratch);
    return error;
}

int heddle__try_run(struct heddle_wavefront *call, int schedule, int device, int holder, struct job *sized) {
    int devices[HEDDLE_PEERS_MAX] = {device};
    const int count = device == HEDDLE_DEVICE_ALL ? heddle__all_devices(call, schedule, devices) : 1;
    const bool elsewhere = holder != HEDDLE_DEVICE_HOST && holder != device;
    const bool flexible = schedule == HEDDLE_SCHEDULE_FLEXIBLE && !call->tile_w;
    if (elsewhere && !flexible)
        heddle__maps_pull(call->maps, call->nmaps, holder);
    const int error = flexible                       ? run_flexible(call, device, holder)
                      : device == HEDDLE_DEVICE_HOST ? heddle__wavefront_cpu(call, schedule)
                      : device == HEDDLE_DEVICE_ALL  ? heddle__wavefront_all(call, devices, count)
                                                     : heddle__wavefront_gpu(call, schedule, device, sized);
    if (elsewhere && !flexible && !error)
        heddle__maps_push(call->maps, call->nmaps, holder);
    if (error == HEDDLE_ENOMEM && device != HEDDLE_DEVICE_HOST && holder == HEDDLE_DEVICE_HOST &&
        heddle__needs_panels(call, devices[0]))
        return heddle__wavefront_panels(call, schedule, devices, count);
    return error;
}

/* Where it was to run, or on the host after all. */
static int execute_region(struct heddle_wavefront *call, const struct way *way, struct job *sized) {
    struct heddle_report *report = heddle__report();
    report->schedule = names[way->schedule];
    report->device = way->device;
    const double start = heddle__now();
    const int error = heddle__try_run(call, way->schedule, way->device, way->holder, sized);
    if (!error && call->device == HEDDLE_DEVICE_AUTO && way->device != HEDDLE_DEVICE_ALL)
        heddle__resolve_note(&call->nest->site, way->device, cells_of(call), heddle__now() - start);
    if (!error || way->device == HEDDLE_DEVICE_HOST)
        return error;
    if (error == HEDDLE_ETIMEDOUT) {
        end_if_lost(call, way->device, way->holder);
        return error;
    }
    if (way->device == HEDDLE_DEVICE_ALL)
        heddle__warn(&call->nest->site, "all devices: %s; running on the host", heddle_strerror(error));
    else
        heddle__warn(&call->nest->site, "device %d: %s; running on the host", way->device, heddle_strerror(error));
    report->device = HEDDLE_DEVICE_HOST;
    return heddle__try_run(call, way->schedule, HEDDLE_DEVICE_HOST, way->holder, NULL);
}

static void report(const struct heddle_wavefront *call, double start) {
    struct heddle_report *r = heddle__report();
    r->seconds = heddle__now() - start;
    if (r->error)
        heddle__warn(&call->nest->site, "%s; running this loop serially", heddle_strerror(r->error));
    else
        heddle__verbose("%s:%d: wavefront %ld x %ld, %s on %s%d, %d workers of %d rows, %.6f s (%.6f s computing)",
                        r->file, r->line, r->rows, r->columns, r->schedule,
                        r->device == HEDDLE_DEVICE_ALL ? "all devices "
                        : r->device < 0                ? "host "
                                                       : "device ",
                        r->device < 0 ? 0 : r->device, r->workers, r->rows_per_worker, r->seconds, r->kernel_seconds);
}

/* One span for the whole call on the thread's track, named by the nest's place. */
static void trace(const struct heddle_site *site, double start) {
    char name[512];
    if (!heddle__trace_on())
        return;
    snprintf(name, sizeof name, "%s:%d %s %s", site->file, site->line, site->kind, heddle__report()->schedule);
    heddle__trace_span(heddle__trace_thread(), heddle__trace_name(name), (int64_t)(start * 1e9), heddle__trace_now());
}

/* The call's way, and where its job's sizes are kept; NULL: nowhere. */
static int find_way(struct heddle_wavefront *call, struct way *way, struct job **sized) {
    struct kept *kept = kept_of(call->nest);
    if (recall(call, kept, way)) {
        *sized = &kept->job;
        return HEDDLE_OK;
    }
    const struct heddle_wavefront asked = *call;
    const uint64_t mark = heddle__decision_mark();
    const int error = resolve(call, way), count = call->nmaps + call->nkept;
    *sized = NULL;
    if (error || !kept || !way->settled || count > KEPT_MAPS)
        return error;
    kept->asked = asked, kept->taken = *call, kept->mark = mark, kept->way = *way;
    memcpy(kept->maps, call->maps, (size_t)count * sizeof *call->maps);
    kept->job.call = NULL;
    *sized = &kept->job;
    return HEDDLE_OK;
}

/* Programs exchange them from one call to the next, so they are looked at each time. */
static int compare_rows(const struct heddle_wavefront *call) {
    return heddle__rows_apart(&call->nest->site, call->rows, call->nrows, call->maps, call->nmaps + call->nkept,
                              call->said)
               ? HEDDLE_OK
               : HEDDLE_EOVERLAP;
}

int heddle_wavefront_run(struct heddle_wavefront *call) {
    struct heddle_report *r = heddle__report();
    struct job *sized;
    struct way way;
    if (!heddle__enter(&call->nest->site))
        return HEDDLE_ESERIAL;
    const double start = heddle__now();
    *r = (struct heddle_report){.file = call->nest->site.file,
                                .line = call->nest->site.line,
                                .device = HEDDLE_DEVICE_HOST,
                                .schedule = "serial",
                                .layout = "",
                                .rows = call->i1 - call->i0 + 1,
                                .columns = call->j1 - call->j0 + 1,
                                .workers = 1};
    if (r->rows > 0 && r->columns > 0 && call->t0 <= call->t1 &&
        (r->error = find_way(call, &way, &sized)) == HEDDLE_OK &&
        (!call->nrows || (r->error = compare_rows(call)) == HEDDLE_OK)) {
        r->error = execute_region(call, &way, sized);
        report(call, start);
    }
    trace(&call->nest->site, start);
    heddle__leave();
    return r->error;
}
