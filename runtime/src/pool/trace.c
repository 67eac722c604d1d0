/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks on the timeline (HEDDLE_TRACE): those of host threads as they run, those of a device out of a bounded buffer
 * that the kernel fills (heddle_trace_end in heddle/engine/pool/trace.h) and the host reads after the run.
 */
#include "pool.h"
#include "trace/record.h"
#include <omp.h>
#include <stdlib.h>

enum { MOST_EVENTS = 1 << 22 };

int *heddle__pool_trace_names(const struct heddle_pool_type *type) {
    int *names = heddle__trace_on() ? malloc(((size_t)type->kinds + 1) * sizeof *names) : NULL;
    for (int k = 0; names && k < type->kinds; k++) {
        char text[512];
        snprintf(text, sizeof text, "%s:%d task %d", type->site.file, type->site.line, k);
        names[k] = heddle__trace_name(text);
    }
    return names;
}

void heddle__pool_trace_run(const struct heddle_pool_type *type, const char *schedule, int64_t begin) {
    char text[512];
    if (!heddle__trace_on())
        return;
    snprintf(text, sizeof text, "%s:%d pool %s", type->site.file, type->site.line, schedule);
    heddle__trace_span(heddle__trace_thread(), heddle__trace_name(text), begin, heddle__trace_now());
}

void heddle__pool_trace_begin(struct heddle_pool_control *control, int device) {
    control->trace = NULL;
    control->trace_count = control->trace_capacity = control->trace_lost = 0;
    if (!heddle__trace_on())
        return;
    const uint64_t events = (uint64_t)heddle__option_long("trace-events", 1, 1000000000);
    /* a worker takes a block at a time */
    const uint64_t least = control->workers * HEDDLE_TRACE_BLOCK, wanted = events < MOST_EVENTS ? events : MOST_EVENTS;
    control->trace_capacity = wanted > least ? wanted : least;
    control->trace = heddle__device_alloc(device, control->trace_capacity * sizeof *control->trace);
    if (!control->trace) {
        heddle__warn(NULL, "device %d has no memory for a timeline of %llu tasks", device,
                     (unsigned long long)control->trace_capacity);
        control->trace_capacity = 0;
    }
}

/* The device's clock is put on the host's by the launch that both saw. */
static void read_events(const struct heddle_pool_type *type, const struct heddle_trace_event *event, uint64_t count,
                        int device, int64_t begin, int64_t end) {
    int *names = heddle__pool_trace_names(type);
    uint64_t first = UINT64_MAX, last = 0;
    char group[32], text[64];
    snprintf(group, sizeof group, "device %d", device);
    for (uint64_t k = 0; k < count; k++) {
        if (!event[k].end)
            continue;
        first = event[k].begin < first ? event[k].begin : first;
        last = event[k].end > last ? event[k].end : last;
    }
    const int64_t offset = heddle__trace_offset(begin, end, (int64_t)first, (int64_t)last);
    int worker = -1, track = -1; /* events of a worker mostly stand together */
    for (uint64_t k = 0; names && k < count; k++) {
        if (!event[k].end)
            continue;
        if (track < 0 || (int)event[k].worker != worker) {
            worker = (int)event[k].worker;
            snprintf(text, sizeof text, "SM %u worker %d", event[k].multiprocessor, worker);
            track = heddle__trace_track(group, text);
        }
        heddle__trace_span(track, event[k].kind < (uint32_t)type->kinds ? names[event[k].kind] : 0,
                           (int64_t)event[k].begin + offset, (int64_t)event[k].end + offset);
    }
    free(names);
}

static int by_worker(const void *a, const void *b) {
    const struct heddle_trace_event *x = a, *y = b;
    return (x->worker > y->worker) - (x->worker < y->worker);
}

void heddle__pool_trace_end(const struct heddle_pool_type *type, const struct heddle_pool_control *came, int device,
                            int64_t begin) {
    const int64_t end = heddle__trace_now();
    const uint64_t count = came->trace_count < came->trace_capacity ? came->trace_count : came->trace_capacity;
    if (!came->trace)
        return;
    struct heddle_trace_event *event = malloc((count + 1) * sizeof *event);
    if (event && count && !heddle__device_copy_out(device, event, came->trace, count * sizeof *event)) {
        qsort(event, count, sizeof *event, by_worker);
        read_events(type, event, count, device, begin, end);
        heddle__trace_lost(came->trace_lost);
    } else if (count) {
        heddle__trace_lost(count + came->trace_lost);
    }
    free(event);
    heddle__device_free(device, came->trace);
}
