/* SPDX-License-Identifier: Apache-2.0 */
/* One wavefront nest: checks, choice of schedule and device, dispatch, and the fall-backs between them. */
#include "core/internal.h"
#include "trace/record.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Below the first a nest is done before threads have started, below the second before a kernel has. Rough bounds, in
   cells, until a cost model replaces them. */
enum { SERIAL_BELOW = 4096, GPU_FROM = 4 << 20 };
/* With fewer rows or columns there is hardly anything to do at once. */
enum { SERIAL_SIDE = 5 };

static const char *const names[] = {
#define HEDDLE_X(name, text) text,
    HEDDLE_SCHEDULE_MAP(HEDDLE_X)
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

/* HEDDLE_WAVEFRONT=peer,256,64 goes over the clause. */
static void read_schedule(struct heddle_wavefront *call) {
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
            return;
        call->schedule = k;
        call->tile_h = h;
        call->tile_w = w;
        return;
    }
    heddle__option_bad("wavefront", value);
}

/* Tiles are not larger than the nest, whatever was asked for. */
static void clamp_tile(struct heddle_wavefront *call, long rows, long columns) {
    if (call->tile_h < 0 || call->tile_h > rows)
        call->tile_h = call->tile_h < 0 ? 0 : rows;
    const long steps = columns + (rows - 1) * call->nest->skew;
    if (call->tile_w < 0 || call->tile_w > steps)
        call->tile_w = call->tile_w < 0 ? 0 : steps;
}

static int resolve_schedule(const struct heddle_wavefront *call) {
    const unsigned flags = call->nest->flags;
    int schedule = call->schedule;
    if (schedule == HEDDLE_SCHEDULE_AUTO)
        schedule = call->nest->prefix ? HEDDLE_SCHEDULE_SCAN : HEDDLE_SCHEDULE_REGISTERS;
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

bool heddle__in_memory(int schedule) {
    return schedule == HEDDLE_SCHEDULE_PEER || schedule == HEDDLE_SCHEDULE_BARRIER ||
           schedule == HEDDLE_SCHEDULE_PEER_SQUARE || schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE ||
           schedule == HEDDLE_SCHEDULE_FLEXIBLE;
}

/* Arrays that hold a few rows only have a memory form on GPUs alone, where the engine keeps all rows itself. */
static int settle_schedule(const struct heddle_wavefront *call, int schedule, int device) {
    const unsigned flags = call->nest->flags;
    if (device == HEDDLE_DEVICE_ALL || !heddle__in_memory(schedule) || flags & HEDDLE_NEST_MEMORY ||
        (device != HEDDLE_DEVICE_HOST && !(flags & HEDDLE_NEST_WIDE) &&
         heddle__architecture(&call->nest->site, device) == HEDDLE_ARCH_NVPTX))
        return schedule;
    return HEDDLE_SCHEDULE_REGISTERS;
}

/* Which kind of device a directive's image runs on, asked once per directive and device. */
int heddle__architecture(const struct heddle_site *site, int device) {
    static struct {
        const struct heddle_site *site;
        int device, arch;
    } seen[256];
    static int count;
    int arch = -1;
#pragma omp critical(heddle_architecture)
    {
        for (int k = 0; k < count && arch < 0; k++)
            if (seen[k].site == site && seen[k].device == device)
                arch = seen[k].arch;
        if (arch < 0) {
            arch = site->probe(device);
            if (count < 256)
                seen[count].site = site, seen[count].device = device, seen[count++].arch = arch;
        }
    }
    return arch;
}

/* HEDDLE_DEVICE_ALL, or the one device that remains where they cannot share the nest. */
static int resolve_all(const struct heddle_wavefront *call, int schedule, int holder) {
    int devices[HEDDLE_PEERS_MAX];
    if (holder != HEDDLE_DEVICE_HOST && heddle__architecture(&call->nest->site, holder) != HEDDLE_ARCH_NONE)
        return holder;
    const int count = heddle__all_devices(call, schedule, devices);
    return count > 1 ? HEDDLE_DEVICE_ALL : count ? devices[0] : HEDDLE_DEVICE_HOST;
}

/* Returns a device number with an image for it, HEDDLE_DEVICE_ALL or HEDDLE_DEVICE_HOST. */
static int resolve_device(const struct heddle_wavefront *call, double cells, int schedule, int holder) {
    char option[HEDDLE__OPTION_MAX];
    int device = call->device;
    const bool by_clause = device != HEDDLE_DEVICE_AUTO;
    heddle__option_read("device", option, sizeof option);
    if (!by_clause && !strcmp(option, "host"))
        return HEDDLE_DEVICE_HOST;
    const int count = heddle_device_count();
    if (!by_clause && !strcmp(option, "all")) {
        device = HEDDLE_DEVICE_ALL;
    } else if (!by_clause && strcmp(option, "auto") != 0) {
        char *end;
        const long number = strtol(option, &end, 10);
        if (*end || end == option || number < 0)
            heddle__option_bad("device", option);
        else
            device = number > INT_MAX ? INT_MAX : (int)number;
    }
    if (heddle__is_host(device))
        return HEDDLE_DEVICE_HOST;
    if (device == HEDDLE_DEVICE_ALL)
        return resolve_all(call, schedule, holder);
    if (device == HEDDLE_DEVICE_AUTO) {
        if (holder != HEDDLE_DEVICE_HOST && heddle__architecture(&call->nest->site, holder) != HEDDLE_ARCH_NONE)
            return holder;
        if (count == 0 || cells < GPU_FROM)
            return HEDDLE_DEVICE_HOST;
        for (int d = 0; d < count; d++)
            if (heddle__architecture(&call->nest->site, d) == HEDDLE_ARCH_NVPTX)
                return d;
        return HEDDLE_DEVICE_HOST;
    }
    if (device < 0 || device >= count) {
        heddle__warn(&call->nest->site,
                     "device %d is not there (%d found); running on the host. `heddle doctor` shows the devices",
                     device, count);
        return HEDDLE_DEVICE_HOST;
    }
    if (heddle__architecture(&call->nest->site, device) == HEDDLE_ARCH_NONE) {
        heddle__warn(&call->nest->site,
                     "the program holds no code for device %d; running on the host. Compile with heddle cc "
                     "--targets=native on this machine",
                     device);
        return HEDDLE_DEVICE_HOST;
    }
    return device;
}

/* Runs where the arrays are, or takes them from `holder` and brings them back. */
static int run_on(struct heddle_wavefront *call, int schedule, int device, int holder);

/* The parts of a flexible nest find the arrays on the device instead of moving them one by one. */
static int run_flexible(struct heddle_wavefront *call, int device, int holder) {
    const struct heddle__runner runner = {.run = run_on, .device = device, .holder = holder};
    const bool maps = device != HEDDLE_DEVICE_HOST && (holder == HEDDLE_DEVICE_HOST || holder == device);
    char *scratch = maps ? malloc(call->nest->env_bytes + 1) : NULL;
    int error = scratch ? heddle__maps_enter(call->maps, call->nmaps, device, scratch) : HEDDLE_OK;
    if (!error) {
        error = heddle__flexible(call, &runner);
        if (scratch)
            heddle__maps_exit(call->maps, call->nmaps, device, !error);
    }
    free(scratch);
    return error;
}

static int run_on(struct heddle_wavefront *call, int schedule, int device, int holder) {
    int devices[HEDDLE_PEERS_MAX] = {device};
    const int count = device == HEDDLE_DEVICE_ALL ? heddle__all_devices(call, schedule, devices) : 1;
    if (device != HEDDLE_DEVICE_HOST && holder == HEDDLE_DEVICE_HOST && heddle__needs_panels(call, devices[0]))
        return heddle__wavefront_panels(call, schedule, devices, count);
    if (schedule == HEDDLE_SCHEDULE_FLEXIBLE && !call->tile_w)
        return run_flexible(call, device, holder);
    const bool elsewhere = holder != HEDDLE_DEVICE_HOST && holder != device;
    if (elsewhere)
        heddle__maps_pull(call->maps, call->nmaps, holder);
    const int error = device == HEDDLE_DEVICE_HOST  ? heddle__wavefront_cpu(call, schedule)
                      : device == HEDDLE_DEVICE_ALL ? heddle__wavefront_all(call, devices, count)
                                                    : heddle__wavefront_gpu(call, schedule, device);
    if (elsewhere && !error)
        heddle__maps_push(call->maps, call->nmaps, holder);
    return error;
}

static int dispatch(struct heddle_wavefront *call, int schedule, int device, int holder) {
    if (device != HEDDLE_DEVICE_HOST) {
        const int error = run_on(call, schedule, device, holder);
        if (error == HEDDLE_OK || error == HEDDLE_ETIMEDOUT)
            return error;
        if (device == HEDDLE_DEVICE_ALL)
            heddle__warn(&call->nest->site, "all devices: %s; running on the host", heddle_strerror(error));
        else
            heddle__warn(&call->nest->site, "device %d: %s; running on the host", device, heddle_strerror(error));
    }
    heddle__report()->device = HEDDLE_DEVICE_HOST;
    return run_on(call, schedule, HEDDLE_DEVICE_HOST, holder);
}

/* A kernel gave up, and the program keeps an array that it writes on that device: the host has old values, the device
   some of the new ones. Nothing right can be computed from either. */
static void end_if_lost(const struct heddle_wavefront *call, int device, int holder) {
    if (device == HEDDLE_DEVICE_HOST || device != holder)
        return;
    for (int k = 0; k < call->nmaps; k++)
        if (call->maps[k].kind & HEDDLE_MAP_W &&
            omp_target_is_present((char *)call->maps[k].base + call->maps[k].first, device)) {
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
                      "the program. Bring them to "
                      "the host before the loop (target exit data)",
                      holder);
}

/* One span for the whole call on the thread's track, named by the nest's place. */
static void trace_call(const struct heddle_site *site, const char *schedule, int64_t begin) {
    char name[512];
    snprintf(name, sizeof name, "%s:%d %s %s", site->file, site->line, site->kind, schedule);
    heddle__trace_span(heddle__trace_thread(), heddle__trace_name(name), begin, heddle__trace_now());
}

static int run_call(struct heddle_wavefront *call) {
    struct heddle_report *report = heddle__report();
    const double start = heddle__now();
    const long rows = call->i1 - call->i0 + 1, columns = call->j1 - call->j0 + 1;
    *report = (struct heddle_report){.file = call->nest->site.file,
                                     .line = call->nest->site.line,
                                     .device = HEDDLE_DEVICE_HOST,
                                     .schedule = "serial",
                                     .layout = "",
                                     .rows = rows,
                                     .columns = columns,
                                     .workers = 1};
    if (rows <= 0 || columns <= 0 || call->t1 < call->t0)
        return HEDDLE_OK;
    read_schedule(call);
    const bool chosen = call->schedule != HEDDLE_SCHEDULE_AUTO;
    clamp_tile(call, rows, columns);
    const int holder = heddle__maps_holder(call->maps, call->nmaps);
    const double cells = (double)rows * (double)columns * (double)(call->t1 - call->t0 + 1);
    int schedule = resolve_schedule(call);
    if (schedule == HEDDLE_SCHEDULE_SERIAL &&
        holder != HEDDLE_DEVICE_HOST) { /* the loop as written would not see the device's values */
        call->schedule = HEDDLE_SCHEDULE_AUTO;
        schedule = resolve_schedule(call);
    }
    if (schedule == HEDDLE_SCHEDULE_SERIAL ||
        (!chosen && call->device == HEDDLE_DEVICE_AUTO && holder == HEDDLE_DEVICE_HOST &&
         (cells < SERIAL_BELOW || rows < SERIAL_SIDE || columns < SERIAL_SIDE)))
        return report->error = HEDDLE_ESERIAL;
    if (!heddle__maps_apart(&call->nest->site, call->maps, call->nmaps + call->nkept)) {
        end_if_elsewhere(call, holder);
        return report->error = HEDDLE_EOVERLAP;
    }
    heddle__own_nest++;
    const int device = report->device = resolve_device(call, cells, schedule, holder);
    schedule = settle_schedule(call, schedule, device);
    report->schedule = names[schedule];
    report->error = dispatch(call, schedule, device, holder);
    heddle__own_nest--;
    report->seconds = heddle__now() - start;
    if (report->error == HEDDLE_ETIMEDOUT)
        end_if_lost(call, device, holder);
    if (report->error)
        heddle__warn(&call->nest->site, "%s; running this loop serially", heddle_strerror(report->error));
    else
        heddle__verbose("%s:%d: wavefront %ld x %ld, %s on %s%d, %d workers of %d rows, %.6f s (%.6f s computing)",
                        report->file, report->line, rows, columns, report->schedule,
                        report->device == HEDDLE_DEVICE_ALL ? "all devices "
                        : report->device < 0                ? "host "
                                                            : "device ",
                        report->device < 0 ? 0 : report->device, report->workers, report->rows_per_worker,
                        report->seconds, report->kernel_seconds);
    return report->error;
}

int heddle_wavefront_run(struct heddle_wavefront *call) {
    heddle__options_check();
    if (!heddle__enter(&call->nest->site))
        return HEDDLE_ESERIAL;
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    const int error = run_call(call);
    if (begin)
        trace_call(&call->nest->site, heddle__report()->schedule, begin);
    heddle__leave();
    return error;
}
