/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data operations as libomptarget tells them to an OMPT tool: how many allocations, frees and transfers each device
 * saw, with bytes and times, for the summary at exit and the timeline. The program's, the selector's and libomptarget's
 * own are all in it. Callbacks come on any thread and hold no lock of ours.
 *
 * The time is that of the call: a copy from pageable memory is done when it returns, and one back to the host waits for
 * the kernel before it; a copy from pinned memory is only on its way.
 */
#include "trace/record.h"
#include "selector.h"
#include <omp-tools.h>
#include <stdatomic.h>

enum kind { TO, FROM, ACROSS, KINDS };
static struct device {
    atomic_ulong count[KINDS], bytes[KINDS], ns[KINDS];
    atomic_ulong allocations, frees;
} devices[PLACES];
static _Thread_local int64_t began;
static atomic_int host_number = -1; /* what libomptarget calls the host; allocations tell */
static const char *const arrows[KINDS] = {"to device", "from device", "between devices"};

static bool is_device(int d) {
    return d >= 0 && d < HOST && d != atomic_load_explicit(&host_number, memory_order_relaxed);
}

/* "to device, up to 4 KiB": powers of two, so that names are few. */
static int span_name(enum kind kind, size_t bytes) {
    static _Atomic int names[KINDS][48]; /* number + 1 */
    int power = 0;
    while (power < 47 && (size_t)1 << power < bytes)
        power++;
    int name = atomic_load_explicit(&names[kind][power], memory_order_relaxed) - 1;
    if (name < 0) {
        static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
        char text[64];
        snprintf(text, sizeof text, "%s, up to %d %s", arrows[kind], 1 << power % 10, units[power / 10]);
        name = heddle__trace_name(text);
        atomic_store_explicit(&names[kind][power], name + 1, memory_order_relaxed);
    }
    return name;
}

static void transfer(enum kind kind, int device, size_t bytes) {
    struct device *d = &devices[device];
    const int64_t now = heddle__trace_now();
    atomic_fetch_add_explicit(&d->count[kind], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&d->bytes[kind], bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&d->ns[kind], (unsigned long)(now - began), memory_order_relaxed);
    if (heddle__trace_on()) {
        char group[32];
        snprintf(group, sizeof group, "device %d", device);
        heddle__trace_span(heddle__trace_track(group, "transfers"), span_name(kind, bytes), began, now);
    }
}

static void data_op(ompt_scope_endpoint_t endpoint, ompt_data_t *task, ompt_data_t *target, ompt_id_t *id,
                    ompt_target_data_op_t op, void *from, int from_device, void *to, int to_device, size_t bytes,
                    const void *code) {
    (void)task, (void)target, (void)id, (void)from, (void)to, (void)code;
    if (endpoint == ompt_scope_begin) {
        began = heddle__trace_now();
        return;
    }
    if (op == ompt_target_data_alloc && to) {
        atomic_store_explicit(&host_number, from_device, memory_order_relaxed);
        if (is_device(to_device))
            atomic_fetch_add_explicit(&devices[to_device].allocations, 1, memory_order_relaxed);
    } else if (op == ompt_target_data_delete && is_device(from_device)) {
        atomic_fetch_add_explicit(&devices[from_device].frees, 1, memory_order_relaxed);
    } else if (op == ompt_target_data_transfer_to_device || op == ompt_target_data_transfer_from_device) {
        const bool to_one = is_device(to_device), from_one = is_device(from_device);
        if (to_one || from_one)
            transfer(to_one && from_one ? ACROSS : to_one ? TO : FROM, to_one ? to_device : from_device, bytes);
    }
}

static bool started;

bool heddle__data_ops_start(ompt_set_callback_t set) {
    started = set(ompt_callback_target_data_op_emi, (ompt_callback_t)data_op) == ompt_set_always;
    return started;
}

static double in_unit(unsigned long bytes, const char **unit) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes;
    int k = 0;
    for (; v >= 1024 && k < 4; k++)
        v /= 1024;
    *unit = units[k];
    return v;
}

void heddle__data_ops_summary(bool expected) {
    bool any = false;
    for (int k = 0; k < PLACES; k++) {
        struct device *d = &devices[k];
        if (!d->allocations && !d->frees)
            continue;
        any = true;
        fprintf(stderr, "heddle: device %d: %lu allocations, %lu freed, %ld left", k, d->allocations, d->frees,
                (long)(d->allocations - d->frees));
        for (int j = 0; j < KINDS; j++) {
            const char *unit;
            const double v = in_unit(d->bytes[j], &unit);
            if (d->count[j])
                fprintf(stderr, "; %lu %s, %.4g %s, %.3f ms", d->count[j], arrows[j], v, unit, 1e-6 * (double)d->ns[j]);
        }
        fputc('\n', stderr);
    }
    if (!any && expected)
        fprintf(stderr, "heddle: allocations and transfers are not known: %s\n",
                started ? "libomptarget tells of them only where it finds libomp under the name libomp.so (a link to "
                          "libomp.so.5 is enough)"
                        : "another OMPT tool is there, or this libomp has none");
}
