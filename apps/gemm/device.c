/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: their memory, opening and closing them. */
#include "device.h"

#include "app.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static long least(long a, long b) { return a < b ? a : b; }
static long most(long a, long b) { return a > b ? a : b; }

static size_t align(size_t bytes) { return (bytes + 511) / 512 * 512; }

/* Slots for segments in `rest` bytes: whole panels if all fit, else short ones, since many are needed at once. False:
 * too few to go on with. */
static bool divide_rest(struct device *d, double rest, size_t row, int *slots) {
    const struct gemm *g = d->g;
    const long panels = g->tile_rows + g->tile_cols;
    long length = g->k, count = panels;
    if ((double)panels * (double)align((size_t)g->k * row) > rest) {
        length = least(g->k, most((long)(rest / 128 / (double)row) / 64 * 64, 128));
        count = rest > 0 ? (long)(rest / (double)align((size_t)length * row)) : 0;
    }
    d->segment_length = length;
    d->segments = (g->k + length - 1) / length;
    *slots = (int)least(count, 1 << 20);
    return count >= least(4, panels * (g->k > length ? 2 : 1));
}

/* A window of tiles of C in at most a third of the memory, segments in the rest. 0: that much memory is not enough;
 * otherwise how much is used. */
static size_t divide(struct device *d, double budget, long slab_bytes, int *slots) {
    const struct gemm *g = d->g;
    const size_t row = (size_t)gemm_pitch(least(g->tile, most(g->m, g->n))) * gemm_element(g);
    d->c_bytes = align((size_t)least(g->tile, g->m) * (size_t)gemm_pitch(least(g->tile, g->n)) * gemm_element(g));
    d->window = (int)least(g->tiles, WINDOW_MOST);
    while (d->window > 2 && (double)d->window * (double)d->c_bytes > budget / 3)
        d->window--;
    while (!divide_rest(d, budget - (double)d->window * (double)d->c_bytes, row, slots)) {
        if (d->window <= 2)
            return 0;
        d->window--;
    }
    d->slab = least(d->segment_length, most(slab_bytes / (long)row, 16));
    d->segment_bytes = align((size_t)d->segment_length * row);
    return (size_t)d->window * d->c_bytes + (size_t)*slots * d->segment_bytes;
}

/* For tiles, before anything is taken: what is free less a margin for the library. */
static double budget_of(struct device *d, const struct devices_config *config) {
    const size_t room = d->port.ops->room(&d->port);
    return config->cache_bytes > 0 ? config->cache_bytes : room ? (double)room * 0.9 : 2e9;
}

/* Less than what is said to be free may be in one piece. */
static bool take_memory(struct device *d, const struct devices_config *config, double budget) {
    const long slab = config->slab_bytes ? config->slab_bytes : 4L << 20;
    d->step = config->step ? config->step : 1024;
    d->lanes = config->lanes ? config->lanes : PORT_LANES;
    int slots = 0;
    size_t bytes;
    for (int attempt = 0; attempt < 4 && (bytes = divide(d, budget, slab, &slots)); attempt++) {
        d->memory = d->port.ops->alloc(&d->port, bytes);
        if (d->memory) {
            d->c_memory = (char *)d->memory + (size_t)slots * d->segment_bytes;
            return cache_open(&d->cache, slots, d->memory, d->segment_bytes);
        }
        budget *= 0.8;
    }
    return false;
}

static bool make_events(struct device *d) {
    void *(*event)(struct port *) = d->port.ops->event;
    bool ok = true;
    for (int k = 0; k < LOADS; k++)
        ok &= (d->load[k].event = event(&d->port)) != NULL;
    for (int lane = 0; lane < PORT_LANES; lane++)
        for (int k = 0; k < DEPTH; k++)
            ok &= (d->lane[lane][k].event = event(&d->port)) != NULL;
    for (int k = 0; k < WINDOW_MOST; k++)
        ok &= (d->store[k].event = event(&d->port)) != NULL;
    return ok;
}

static void free_event(struct device *d, void *event) {
    if (event)
        d->port.ops->event_free(&d->port, event);
}

static void free_device(struct device *d) {
    if (d->started) {
        pthread_mutex_lock(&d->lock);
        d->closing = true;
        pthread_cond_signal(&d->more);
        pthread_mutex_unlock(&d->lock);
        pthread_join(d->thread, NULL);
    }
    if (d->port.ops && !d->port.ops->enter(&d->port)) {
        for (int k = 0; k < LOADS; k++)
            free_event(d, d->load[k].event);
        for (int lane = 0; lane < PORT_LANES; lane++)
            for (int k = 0; k < DEPTH; k++)
                free_event(d, d->lane[lane][k].event);
        for (int k = 0; k < WINDOW_MOST; k++)
            free_event(d, d->store[k].event);
        if (d->memory)
            d->port.ops->free(&d->port, d->memory);
        d->port.ops->close(&d->port);
        d->port.ops->leave(&d->port);
    }
    cache_close(&d->cache);
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->more);
    pthread_cond_destroy(&d->less);
    free(d->reaches);
    free(d->work);
    free(d->incoming);
    free(d);
}

static bool wait_event(struct device *d, void *event) {
    int done;
    while (!(done = d->port.ops->done(&d->port, event)))
        sched_yield();
    return done > 0;
}

/* A library loads its kernels when they are first used, which takes longer than a product. Which ones it takes depends
 * on the sizes: inner tiles and those at the edges, a part of the depth and all of it. The values do not matter. */
static bool warm_up(struct device *d) {
    const struct gemm *g = d->g;
    const long rows[] = {least(g->tile, g->m), gemm_side(g, g->m, g->tile_rows - 1)};
    const long cols[] = {least(g->tile, g->n), gemm_side(g, g->n, g->tile_cols - 1)};
    const long depth[] = {least(d->slab, g->k), least(1024, d->segment_length), d->segment_length};
    for (int k = 0; k < 12; k++) {
        struct product p = {.is_double = g->is_double,
                            .m = rows[k & 1],
                            .n = cols[k >> 1 & 1],
                            .k = depth[k >> 2],
                            .alpha = 1,
                            .beta = k > 3,
                            .a = d->memory,
                            .b = (char *)d->memory + d->segment_bytes,
                            .c = d->c_memory};
        p.lda = gemm_pitch(p.m);
        p.ldb = p.ldc = gemm_pitch(p.n);
        void *event = d->lane[0][0].event;
        const double start = app_seconds();
        if (d->port.ops->multiply(&d->port, 0, &p, (void *const[3]){NULL, NULL, NULL}, event) || !wait_event(d, event))
            return false;
        if (!strcmp(d->port.library, "OpenMP kernel")) /* one kernel for all sizes */
            return true;
        d->rate = fmax(d->rate, 2 * (double)p.m * (double)p.n * (double)p.k / (app_seconds() - start));
    }
    return true;
}

static bool prepare(struct device *d, const struct devices_config *config, char *message, size_t size) {
    if (d->port.ops->enter(&d->port)) {
        snprintf(message, size, "device %d cannot be used", d->port.device);
        return false;
    }
    const double budget = budget_of(d, config);
    const bool memory = take_memory(d, config, budget);
    const bool ok = memory && make_events(d) && (!d->port.is_gpu || warm_up(d));
    d->port.ops->leave(&d->port);
    if (!memory)
        snprintf(message, size,
                 "device %d: %.3g MB are too little memory for tiles of %ld x %ld; a smaller --tile or a larger "
                 "--cache would do",
                 d->port.device, budget * 1e-6, d->g->tile, d->g->tile);
    else if (!ok || pthread_create(&d->thread, NULL, device_drive, d))
        snprintf(message, size, "device %d: out of resources", d->port.device);
    else
        d->started = true;
    return d->started;
}

static struct device *open_device(struct gemm *g, int device, const struct devices_config *config, char *message,
                                  size_t size) {
    struct device *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    *d = (struct device){.g = g};
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->more, NULL);
    pthread_cond_init(&d->less, NULL);
    message[0] = 0;
    bool ok = port_cuda_open(&d->port, device, config->cublas, message, size);
    if (ok && message[0]) /* goes on by its own kernel */
        fprintf(stderr, "gemm: device %d: %s; using an OpenMP kernel, which is much slower\n", device, message);
    if (!ok && !message[0] && !(ok = port_omp_open(&d->port, device)))
        snprintf(message, size, "there is no device %d", device);
    d->port.plain = config->plain;
    if (ok && prepare(d, config, message, size))
        return d;
    free_device(d);
    return NULL;
}

/* Which of them can copy from which others. False: no memory. */
static bool connect(struct devices *all) {
    for (int k = 0; k < all->count; k++) {
        struct device *d = all->device[k];
        const struct port_ops *ops = d->port.ops;
        d->rank = k;
        d->reaches = calloc((size_t)all->count, sizeof *d->reaches);
        if (!d->reaches)
            return false;
        if (!ops->reaches || ops->enter(&d->port))
            continue;
        for (int other = 0; other < all->count; other++) {
            const struct device *o = all->device[other];
            d->reaches[other] = other != k && o->port.ops == ops && o->segment_length == d->segment_length &&
                                ops->reaches(&d->port, &o->port);
        }
        ops->leave(&d->port);
    }
    return true;
}

int devices_open(struct gemm *g, int device, const struct devices_config *config, char *message, size_t size) {
    int count = 0;
#ifdef _OPENMP
    count = omp_get_num_devices();
#endif
    g->devices = calloc(1, sizeof *g->devices);
    struct device **list = calloc((size_t)count + 1, sizeof *list);
    if (!g->devices || !list) {
        snprintf(message, size, "out of memory");
        return -1;
    }
    g->devices->device = list;
    if (!g->k || !g->tiles) /* nothing to multiply: the host does what there is */
        return 0;
    const int first = device < 0 ? 0 : device, end = device < 0 ? count : device + 1;
    for (int k = first; k < end; k++) {
        struct device *d = open_device(g, k, config, message, size);
        if (d)
            list[g->devices->count++] = d;
        else if (device < 0)
            fprintf(stderr, "gemm: %s; it is left out\n", message);
        else
            return -1;
    }
    if (connect(g->devices))
        return 0;
    snprintf(message, size, "out of memory");
    return -1;
}

static void unlock(struct gemm *g) {
    void *const at[] = {g->a, g->b, g->c};
    while (g->devices->locked)
        port_cuda_unlock(at[--g->devices->locked]);
}

void devices_close(struct gemm *g) {
    if (!g->devices)
        return;
    unlock(g);
    for (int k = 0; k < g->devices->count; k++)
        free_device(g->devices->device[k]);
    free(g->devices->device);
    free(g->devices);
    g->devices = NULL;
}

double devices_rate(const struct gemm *g, char *list, size_t size) {
    double sum = 0;
    size_t at = 0;
    list[0] = 0;
    for (int k = 0; k < devices_count(g); k++) {
        const struct device *d = g->devices->device[k];
        if (!(d->rate > 0))
            return 0;
        sum += d->rate;
        at += (size_t)snprintf(list + at, at < size ? size - at : 0, "%s%d", k ? "," : "", d->port.device);
    }
    return at < size ? sum : 0;
}

bool devices_lock(struct gemm *g) {
    void *const at[] = {g->a, g->b, g->c};
    const size_t bytes[] = {gemm_operand_bytes(g, g->m), gemm_operand_bytes(g, g->n), gemm_c_bytes(g)};
    bool gpu = false;
    for (int k = 0; k < devices_count(g); k++)
        gpu |= g->devices->device[k]->port.is_gpu;
    while (gpu && g->devices->locked < 3 && bytes[g->devices->locked] &&
           port_cuda_lock(at[g->devices->locked], bytes[g->devices->locked]))
        g->devices->locked++;
    return gpu && g->devices->locked == 3;
}

int devices_count(const struct gemm *g) { return g->devices ? g->devices->count : 0; }

/* Done by the drivers, before they take in the next tile. */
void devices_forget(struct gemm *g) {
    for (int k = 0; k < devices_count(g); k++) {
        struct device *d = g->devices->device[k];
        pthread_mutex_lock(&d->lock);
        d->forget = true;
        pthread_mutex_unlock(&d->lock);
        cache_stale(&d->cache);
    }
}

struct device_totals devices_totals(const struct gemm *g, int which) {
    struct device *d = g->devices->device[which];
    pthread_mutex_lock(&d->lock);
    struct device_totals t = d->published;
    pthread_mutex_unlock(&d->lock);
    t.device = d->port.device;
    t.library = d->port.library;
    return t;
}
