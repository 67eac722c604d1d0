/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A batch in ranges of problems: on several devices at once, each of which takes the next range when it is free, and on
 * one whose memory holds a part of the arrays only. Arrays whose elements are one problem's each travel with its range;
 * the others are on every device for the whole time. What a device could not do, the host does.
 */
#include "batch.h"
#include "job.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Ranges for each of several devices; ranges at most where memory is short. */
enum { EACH = 4, MOST = 4096 };

struct ranges {
    struct heddle_batch *call;
    const struct heddle__sizes *sizes;
    long count, *first; /* [count + 1] problems less p0 */
    char *failed;       /* [count] */
    atomic_long ticket;
    atomic_int error; /* of the last one that failed */
};

static bool is_cut(const struct heddle_map *m) { return m->slope > 0; }

/* Results of other problems must not come back with a range's own. */
static const char *why_not(const struct heddle_batch *call, const struct heddle_map **map) {
    const size_t problems = (size_t)(call->p1 - call->p0 + 1);
    for (int k = 0; k < call->nmaps; k++) {
        const struct heddle_map *m = &call->maps[k];
        *map = m;
        if (m->kind & HEDDLE_MAP_W && (!is_cut(m) || m->reach || m->bytes != problems * (size_t)m->slope))
            return "is written at other places than one for each problem";
        if (is_cut(m) && m->bytes < (problems - 1) * (size_t)m->slope)
            return "has fewer elements than there are problems";
    }
    return NULL;
}

/* The part of array m that problems q0 … q1 (less p0) need. */
static void cut(const struct heddle_batch *call, struct heddle_map *m, long q0, long q1) {
    const long last = call->p1 - call->p0;
    const ptrdiff_t whole = m->first + (ptrdiff_t)m->bytes;
    ptrdiff_t first = m->first + (q0 - m->reach) * m->slope, end = whole - (last - q1 - m->reach) * m->slope;
    first = first > m->first ? first : m->first;
    end = end < whole ? end : whole;
    m->first = first;
    m->bytes = (size_t)(end - first);
}

/* Ranges of about as many cells. */
static bool divide(struct ranges *r, long count) {
    const struct heddle__sizes *s = r->sizes;
    const double share = (s->cells + (double)s->count) / (double)count;
    double sum = 0;
    free(r->first);
    free(r->failed);
    r->first = malloc((size_t)(count + 1) * sizeof *r->first);
    r->failed = calloc((size_t)count, 1);
    if (!r->first || !r->failed)
        return false;
    r->count = 0;
    r->first[0] = 0;
    for (long k = 0; k < s->count; k++) {
        sum += (double)s->rows[k] * (double)s->columns[k] + 1;
        if (sum >= share * (double)(r->count + 1) && r->count + 1 < count)
            r->first[++r->count] = k + 1;
    }
    r->first[++r->count] = s->count;
    return true;
}

/* One range on a device, or on the host. */
static int run_range(const struct ranges *r, long number, int device) {
    const long q0 = r->first[number], q1 = r->first[number + 1] - 1;
    struct heddle_batch part = *r->call;
    struct heddle__sizes sizes;
    if (q1 < q0)
        return HEDDLE_OK;
    part.p0 = r->call->p0 + q0;
    part.p1 = r->call->p0 + q1;
    part.maps = malloc((size_t)part.nmaps * sizeof *part.maps + 1);
    int error = part.maps ? heddle__sizes_part(r->sizes, q0, q1, &sizes) : HEDDLE_ENOMEM;
    if (!error) {
        memcpy(part.maps, r->call->maps, (size_t)part.nmaps * sizeof *part.maps);
        for (int k = 0; k < part.nmaps; k++)
            if (is_cut(&part.maps[k]))
                cut(r->call, &part.maps[k], q0, q1);
        error =
            device == HEDDLE_DEVICE_HOST ? heddle__batch_cpu(&part, &sizes) : heddle__batch_gpu(&part, &sizes, device);
        free(sizes.order);
    }
    free(part.maps);
    return error;
}

/* Arrays that all problems may read, on a device for as long as it takes ranges. */
static int run_device(struct ranges *r, int device) {
    struct heddle_map *whole = malloc((size_t)r->call->nmaps * sizeof *whole + 1);
    char *outer = malloc(r->call->nest->outer_bytes + 1);
    int n = 0, error = whole && outer ? HEDDLE_OK : HEDDLE_ENOMEM;
    for (int k = 0; !error && k < r->call->nmaps; k++)
        if (!is_cut(&r->call->maps[k]))
            whole[n++] = r->call->maps[k];
    const bool entered = !error && (error = heddle__maps_enter(whole, n, device, outer)) == HEDDLE_OK;
    for (long k; !error && (k = atomic_fetch_add_explicit(&r->ticket, 1, memory_order_relaxed)) < r->count;)
        if ((error = run_range(r, k, device)))
            r->failed[k] = 1;
    if (entered)
        heddle__maps_exit(whole, n, device, true);
    free(whole);
    free(outer);
    return error;
}

/* The ranges that failed, and those that nobody took. */
static int finish_on_host(struct ranges *r) {
    int error = HEDDLE_OK;
    for (long k = 0; !error && k < r->count; k++)
        if (r->failed[k] || k >= atomic_load(&r->ticket))
            error = run_range(r, k, HEDDLE_DEVICE_HOST);
    return error;
}

static int run_all(struct ranges *r, const int *devices, int count) {
    const struct heddle_site *site = &r->call->nest->nest->site;
#pragma omp parallel num_threads(count) if (count > 1)
    {
        const int device = devices[omp_get_thread_num()];
        const int error = run_device(r, device);
        if (error && count > 1)
            heddle__warn(site, "device %d: %s; others do its problems", device, heddle_strerror(error));
        if (error)
            atomic_store(&r->error, error);
    }
    return atomic_load(&r->error);
}

int heddle__batch_all(struct heddle_batch *call, const struct heddle__sizes *sizes, const int *devices, int count) {
    const struct heddle_map *map;
    const char *reason = why_not(call, &map);
    struct ranges r = {.call = call, .sizes = sizes};
    int error = HEDDLE_ENOMEM;
    if (reason && count > 1)
        heddle__warn(&call->nest->nest->site, "device(all): '%s' %s; running on device %d", map->name, reason,
                     devices[0]);
    if (reason)
        return heddle__batch_gpu(call, sizes, devices[0]);
    if (count == 1 && (error = heddle__batch_gpu(call, sizes, devices[0])) != HEDDLE_ENOMEM)
        return error;
    /* smaller ranges while not even the first one fits */
    bool again = error == HEDDLE_ENOMEM;
    for (long n = (long)count * EACH; again; n *= 4) {
        const bool least = n >= MOST || n >= sizes->count;
        error = HEDDLE_ENOMEM;
        if (!divide(&r, n < sizes->count ? n : sizes->count))
            break;
        atomic_store(&r.ticket, 0);
        atomic_store(&r.error, HEDDLE_OK);
        error = run_all(&r, devices, count);
        again = error == HEDDLE_ENOMEM && count == 1 && atomic_load(&r.ticket) == 1 && !least;
        if (error && !again)
            error = finish_on_host(&r);
    }
    free(r.first);
    free(r.failed);
    return error;
}
