/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task pools on an offload device: sizes, memory, launch, results. The kernel is in heddle/engine/pool/engine.h,
 * compiled with the pool.
 *
 * One block of device memory per device, kept between runs, has three parts: what the host sends (control record,
 * environment, records, lists), what must be zero (queues, counters, flags), and what needs no contents (stacks,
 * frames).
 */
#include "pool.h"
#include "trace/record.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    WORKERS_PER_SM = 16,
    TRIES = 4,
    SPILL_TIMES = 64,
    MOST_FRAMES = 1 << 29 /* places in lists of dependents are 32 bits */
};
static const size_t default_memory = (size_t)256 << 20;

struct device_run {
    struct heddle__run *run;
    enum heddle__arena_use use; /* of HEDDLE__ARENA_POOL and _RING */
    struct heddle_pool_launch launch;
    struct heddle_job job[HEDDLE_JOBS];  /* the segment's, some of them in tiles */
    bool own_order[HEDDLE_JOBS];         /* `order` and `level_start` are to be freed */
    struct heddle_pool_control *control; /* host image, with device pointers; starts the image */
    size_t image_bytes, image_used, zero_bytes, total;
    char *device, *more;
    size_t more_bytes;
    size_t env_at;
};

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }

/* ---- sizes ----------------------------------------------------------------------------------------------------- */
static bool fixed_order(const struct device_run *d) {
    return d->run->schedule == HEDDLE_POOL_STATIC || d->run->schedule == HEDDLE_POOL_BARRIER;
}

/* A pool of one loop with sinks has only so many tasks at a time, and workers that wait get in the way of the others */
static long useful_workers(const struct device_run *d, long workers, long sms) {
    const struct heddle_job *j = &d->job[0];
    const long levels =
        d->run->segment->jobs == 1 && d->run->pool->type->kinds == 1 && j->sinks ? heddle__count_levels(j) : 0;
    const long useful = levels > 0 ? 2 * (long)(j->total / levels) : workers;
    const long least = 2 * sms < workers ? 2 * sms : workers;
    return useful < least ? least : useful < workers ? useful : workers;
}

static long multiprocessors(int device) {
    const struct heddle_device_info *facts = heddle__device_facts(device);
    return facts && facts->units > 0 ? facts->units : 64;
}

static void size_workers(struct device_run *d, int try) {
    const struct heddle_pool_type *type = d->run->pool->type;
    const int device = d->run->device;
    const long asked = heddle__option_long("workers", 0, 1 << 20);
    const long sms = multiprocessors(device);
    long workers =
        asked ? asked : useful_workers(d, sms * (type->worker == HEDDLE_WORKER_BLOCK ? 4 : WORKERS_PER_SM), sms);
    d->launch.device = device;
    const struct heddle_image image = heddle__image(&type->site, device);
    if (image.arch != HEDDLE_ARCH_GPU)
        workers = 1;
    for (; try > 0 && workers > 1; try--) /* they were not all resident */
        workers /= 2;
    const long spread = (workers + sms - 1) / sms; /* over all multiprocessors first */
    const long per_block = spread < type->workers_per_block ? spread : type->workers_per_block;
    d->launch.teams = (int)((workers + per_block - 1) / per_block);
    d->launch.threads = type->worker == HEDDLE_WORKER_BLOCK ? HEDDLE_LANES_MAX : (int)per_block * image.warp;
    if (image.arch != HEDDLE_ARCH_GPU)
        d->launch.threads = 1;
    d->run->workers = d->launch.teams * (int)per_block;
}

static size_t list_bytes(const struct heddle_job *j, size_t record_bytes) {
    const size_t n = (size_t)j->total;
    size_t sum = 8 * 256;
    if (j->form == HEDDLE_FORM_NODE)
        sum += n * (record_bytes + 8 + 4) + 2 * (n + 2) * 4 + 2 * (size_t)j->before_start[n] * 4;
    else
        sum += record_bytes;
    if (j->order)
        sum += n * 4 + ((size_t)j->levels + 2) * 4;
    return sum;
}

static size_t zero_bytes(const struct device_run *d, const struct heddle_job *j) {
    if (fixed_order(d))
        return d->run->schedule == HEDDLE_POOL_STATIC ? aligned((size_t)j->total * 4) : 0;
    return j->form == HEDDLE_FORM_NODE || j->sinks ? aligned((size_t)j->total * 4) : 0;
}

/* Few: tasks that go through a small region of memory are handed over faster (fork and join 0.3 us). */
static uint64_t queue_slots(const struct device_run *d) {
    uint64_t slots = 1024;
    while (slots < (d->run->schedule == HEDDLE_POOL_GLOBAL ? 32u : 12u) * (uint64_t)d->run->workers)
        slots *= 2;
    return slots;
}

static bool any_kind(const struct device_run *d, int flag) {
    const struct heddle_pool_type *type = d->run->pool->type;
    bool any = false;
    for (int k = 0; k < type->kinds; k++)
        any |= (type->flags[k] & flag) != 0;
    return any;
}

/* The workers' tables of intra-task dependences. */
static size_t table_bytes(const struct device_run *d) {
    return any_kind(d, HEDDLE_TASK_DEPENDS) ? aligned((size_t)d->run->workers * sizeof(struct heddle_depend_table)) : 0;
}

/* Their own queues. */
static size_t own_bytes(const struct device_run *d) {
    const size_t slot = HEDDLE_SLOT_HEAD + d->run->pool->type->record_bytes;
    return d->run->schedule == HEDDLE_POOL_STEAL ? aligned((size_t)d->run->workers * HEDDLE_OWN_BYTES(slot)) : 0;
}

static bool on_lanes(const struct device_run *d) { return d->run->pool->type->worker == HEDDLE_WORKER_LANE; }

/* What stands behind the word in a queue's slot. */
static size_t slot_bytes(const struct device_run *d) {
    return HEDDLE_SLOT_HEAD + (on_lanes(d) ? (size_t)HEDDLE_LANE_PAYLOAD : d->run->pool->type->record_bytes);
}

/* A task and what is noted of it while it waits for others. */
static size_t frame_bytes(const struct device_run *d) {
    const size_t record = d->run->pool->type->record_bytes;
    return on_lanes(d) ? (sizeof(struct heddle_lane_task) + record + 31) / 32 * 32
                       : sizeof(struct heddle_frame) + record;
}

/* The rings of a warp, whose sizes are powers of two, and its free places. */
static size_t lane_classes(const struct device_run *d) {
    return (size_t)d->run->pool->type->kinds * HEDDLE_LANE_STATES;
}
static int lane_shift(const struct device_run *d) { return lane_classes(d) <= 16 ? 11 : 10; }
static size_t lane_bytes(const struct device_run *d) {
    return on_lanes(d) ? 4 * ((lane_classes(d) << lane_shift(d)) + HEDDLE_LANE_SPARE) : 0;
}
static size_t all_lanes_bytes(const struct device_run *d) { return aligned((size_t)d->run->workers * lane_bytes(d)); }

/* ---- the image --------------------------------------------------------------------------------------------------- */
/* Copies into the image; returns where it will be on the device. */
static void *send(struct device_run *d, const void *from, size_t bytes) {
    const size_t at = d->image_used;
    if (bytes)
        memcpy((char *)d->control + at, from, bytes);
    d->image_used = aligned(at + bytes);
    return d->device + at;
}

static void send_job(struct device_run *d, int k, size_t *zero_at) {
    const struct heddle_job *from = &d->job[k];
    struct heddle_job *j = &d->control->job[k];
    const size_t n = (size_t)from->total, record_bytes = d->run->pool->type->record_bytes;
    *j = *from;
    j->record = send(d, from->record, from->form == HEDDLE_FORM_NODE ? n * record_bytes : record_bytes);
    if (from->form == HEDDLE_FORM_NODE) {
        const size_t edges = from->before_start[n];
        j->node = send(d, from->node, n * 8);
        j->wanted = send(d, from->wanted, n * 4);
        j->next_start = send(d, from->next_start, (n + 1) * 4);
        j->next = send(d, from->next, edges * 4);
        j->before_start = send(d, from->before_start, (n + 1) * 4);
        j->before = send(d, from->before, edges * 4);
    }
    if (from->order) {
        j->order = send(d, from->order, n * 4);
        j->level_start = send(d, from->level_start, ((size_t)from->levels + 1) * 4);
    }
    j->counters = j->done = (uint32_t *)(void *)(d->device + *zero_at);
    j->round = 1;
    *zero_at += zero_bytes(d, from);
}

static void fill_queue(struct device_run *d, int level, uint64_t slots, size_t *zero_at) {
    struct heddle_pool_control *c = d->control;
    c->queue[level].slots = d->device + *zero_at;
    c->queue[level].mask = slots - 1;
    c->queue[level].shift = (uint64_t)__builtin_ctzll(slots);
    c->queue[level].room = slots - 9 * (uint64_t)d->run->workers;
    *zero_at += aligned(slots * c->slot_bytes);
}

/* Sizes of everything; 0 device memory yet. */
static size_t plan(struct device_run *d) {
    const struct heddle__run *run = d->run;
    const struct heddle_pool_type *type = run->pool->type;
    d->image_bytes = aligned(sizeof *d->control) + aligned(type->env_bytes);
    d->zero_bytes = 0;
    for (int k = 0; k < run->segment->jobs; k++) {
        d->image_bytes += aligned(list_bytes(&d->job[k], type->record_bytes));
        d->zero_bytes += zero_bytes(d, &d->job[k]);
    }
    if (!fixed_order(d))
        d->zero_bytes += aligned(queue_slots(d) * slot_bytes(d)) * (run->segment->levels_used ? HEDDLE_LEVELS : 1);
    d->zero_bytes += table_bytes(d) + own_bytes(d);
    return d->image_bytes + d->zero_bytes;
}

static void fill_control(struct device_run *d, size_t raw_bytes) {
    const struct heddle__run *run = d->run;
    const struct heddle_pool_type *type = run->pool->type;
    struct heddle_pool_control *c = d->control;
    size_t zero_at = d->image_bytes, raw_at = d->image_bytes + d->zero_bytes;
    memset(c, 0, sizeof *c);
    d->image_used = aligned(sizeof *c);
    c->schedule = run->schedule;
    c->jobs = run->segment->jobs;
    c->levels_used = run->segment->levels_used;
    c->workers = (uint64_t)run->workers;
    c->want = 2 * c->workers;
    while (1ull << c->batch_shift < 4 * c->workers)
        c->batch_shift++;
    c->pause_ns = 32;
    c->timeout_ns = (uint64_t)(heddle__option_seconds("timeout") * 1e9);
    c->record_bytes = type->record_bytes;
    c->slot_bytes = slot_bytes(d);
    d->env_at = d->image_used;
    c->env = send(d, run->ring ? run->device_env : run->pool->env, type->env_bytes);
    for (int k = 0; k < c->jobs; k++)
        send_job(d, k, &zero_at);
    if (!fixed_order(d))
        for (int level = 0; level < (c->levels_used ? HEDDLE_LEVELS : 1); level++)
            fill_queue(d, level, queue_slots(d), &zero_at);
    if (table_bytes(d))
        c->depend_tables = d->device + zero_at;
    if (own_bytes(d))
        c->own = d->device + zero_at + table_bytes(d);
    if (run->ring) {
        c->ring = run->ring;
        c->ring_ticket = run->ring_first;
        c->ring_system = run->ring_system;
        c->pollers = (uint64_t)run->pollers;
        c->timeout_ns = UINT64_MAX; /* the host says when to leave */
    }
    c->lanes = d->device + raw_at;
    c->lane_bytes = lane_bytes(d);
    c->lane_shift = (uint64_t)lane_shift(d);
    c->lane_classes = lane_classes(d);
    raw_at += all_lanes_bytes(d);
    const size_t frames = on_lanes(d)                                                         ? raw_bytes
                          : run->ring || any_kind(d, HEDDLE_TASK_WAITS | HEDDLE_TASK_DEPENDS) ? raw_bytes / 2
                                                                                              : 0;
    c->chunk_bytes = HEDDLE_CHUNK_HEAD + HEDDLE_CHUNK_SLOTS * c->slot_bytes;
    c->chunk_count = (raw_bytes - frames) / c->chunk_bytes;
    c->chunks = d->device + raw_at;
    c->frame_bytes = frame_bytes(d);
    c->frame_count = frames / c->frame_bytes < MOST_FRAMES ? frames / c->frame_bytes : MOST_FRAMES;
    c->frames = d->device + aligned(raw_at + raw_bytes - frames);
    const size_t more_chunks = (on_lanes(d) ? 0
                                : frames    ? d->more_bytes / 2
                                            : d->more_bytes) /
                               256 * 256,
                 most = MOST_FRAMES - c->frame_count;
    c->more_chunks = d->more;
    c->more_chunk_count = more_chunks / c->chunk_bytes;
    c->more_frames = d->more ? d->more + more_chunks : NULL;
    c->more_frame_count = frames ? (d->more_bytes - more_chunks) / c->frame_bytes : 0;
    if (c->more_frame_count > most)
        c->more_frame_count = most;
}

/* ---- device memory ---------------------------------------------------------------------------------------- */
static int too_large(const struct device_run *d, double bytes, size_t room) {
    const struct heddle_pool *pool = d->run->pool;
    char there[48] = "less";
    if (room)
        snprintf(there, sizeof there, "%zu MB free", room >> 20);
    heddle__warn(&pool->type->site,
                 "a pool of %.0f MB was asked for (%llu tasks at the start and memory(%zu MB)), device %d has %s; "
                 "running it on the host",
                 bytes * 0x1p-20, (unsigned long long)d->run->expected,
                 (pool->memory ? pool->memory : default_memory) >> 20, d->run->device, there);
    d->run->said = true;
    return HEDDLE_ENOMEM;
}

static int reserve(struct device_run *d, size_t bytes) {
    struct heddle_device_info info;
    d->device = heddle__arena_reserve(d->run->device, d->use, bytes);
    if (d->device)
        return HEDDLE_OK;
    const size_t kept = heddle__arena(d->run->device, d->use)->bytes;
    const size_t room = heddle_device_info(d->run->device, &info) || !info.memory_free ? 0 : info.memory_free + kept;
    return too_large(d, (double)bytes, room < bytes ? room : 0);
}

/* Memory that host and device share takes no room until it is used, and may then be larger than the device's. Without
   it a pool that runs full stops. */
static void reserve_more(struct device_run *d, size_t raw_bytes) {
    const enum heddle__arena_use spill =
        d->use == HEDDLE__ARENA_POOL ? HEDDLE__ARENA_POOL_SPILL : HEDDLE__ARENA_RING_SPILL;
    const size_t ram = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    const size_t wanted = raw_bytes > ram / 2 / SPILL_TIMES ? ram / 2 : raw_bytes * SPILL_TIMES;
    const bool cuda = heddle__architecture(&d->run->pool->type->site, d->run->device) == HEDDLE_ARCH_GPU;
    const bool known = wanted <= heddle__arena(d->run->device, spill)->bytes;
    d->more = known || cuda || heddle__device_fits(d->run->device, &wanted, 1)
                  ? heddle__arena_reserve(d->run->device, spill, wanted)
                  : NULL;
    d->more_bytes = d->more ? wanted : 0;
}

static int zero(const struct device_run *d) {
    return heddle__device_zero(d->run->device, d->device + d->image_bytes, d->zero_bytes);
}

/* ---- one run ------------------------------------------------------------------------------------------------ */
static int outcome(struct device_run *d) {
    const struct heddle_pool_control *c = d->control;
    const struct heddle_site *site = &d->run->pool->type->site;
    switch (c->error) {
    case HEDDLE_POOL_ERROR_NONE:
        break;
    case HEDDLE_POOL_ERROR_MEMORY:
        heddle__warn(site,
                     "device %d: no room for more tasks (%llu chunks of %d and %llu frames in %zu MB); give the pool "
                     "memory(bytes)",
                     d->run->device, (unsigned long long)(c->chunk_count + c->more_chunk_count), HEDDLE_CHUNK_SLOTS,
                     (unsigned long long)(c->frame_count + c->more_frame_count),
                     ((d->run->pool->memory ? d->run->pool->memory : default_memory) + d->more_bytes) >> 20);
        return HEDDLE_ENOMEM;
    default:
        heddle__warn(site, "device %d: nothing moved for %s s (HEDDLE_TIMEOUT) with %llu tasks done", d->run->device,
                     heddle_option_get("timeout"), (unsigned long long)c->done);
        return HEDDLE_ETIMEDOUT;
    }
    d->run->done = c->done;
    d->run->spawned = c->spawned;
    d->run->sum = c->checksum;
    d->run->handed = c->handed;
    d->run->queued = c->queued;
    if (c->chunk_ticket > c->chunk_count || c->frame_ticket > c->frame_count)
        heddle__verbose("device %d: %llu chunks of tasks and %llu frames beyond the pool's %zu KB", d->run->device,
                        (unsigned long long)(c->chunk_ticket > c->chunk_count ? c->chunk_ticket - c->chunk_count : 0),
                        (unsigned long long)(c->frame_ticket > c->frame_count ? c->frame_ticket - c->frame_count : 0),
                        (d->run->pool->memory ? d->run->pool->memory : default_memory) >> 10);
    if (c->jobs == 1 && c->job[0].form == HEDDLE_FORM_LOOP && !c->spawned && c->done && c->busy)
        heddle__learn_tiles(d->run->pool->type, (double)c->busy / (double)c->done, c->job[0].tile_rows != 0);
    return HEDDLE_OK;
}

static int launch(struct device_run *d) {
    const int device = d->run->device;
    const double start = heddle__now();
    heddle__pool_trace_begin(d->control, device);
    if (heddle__device_copy_in(device, d->device, d->control, d->image_used) || zero(d))
        return HEDDLE_ELAUNCH;
    d->launch.control = (struct heddle_pool_control *)(void *)d->device;
    const double kernel = heddle__now();
    const int64_t begin = heddle__trace_now();
    heddle__launch_begin();
    d->run->pool->type->gpu(&d->launch);
    const int refused = heddle__launch_end();
    heddle__report()->kernel_seconds = heddle__now() - kernel;
    if (refused || heddle__device_copy_out(device, d->control, d->device, sizeof *d->control))
        return HEDDLE_ELAUNCH;
    heddle__pool_trace_end(d->run->pool->type, d->control, device, begin);
    if (!d->run->ring_turn)
        heddle__verbose("device %d: %d teams of %d threads, image %zu KB, zeroed %zu KB, preparation %.6f s", device,
                        d->launch.teams, d->launch.threads, d->image_used >> 10, d->zero_bytes >> 10, kernel - start);
    return HEDDLE_OK;
}

static int run_mapped(struct device_run *d, size_t raw_bytes) {
    int error = HEDDLE_OK;
    fill_control(d, raw_bytes);
    if (d->run->ring) {
        error = launch(d);
        return error ? error : outcome(d);
    }
    error = heddle__maps_enter(d->run->pool->maps, d->run->pool->nmaps, d->run->device, (char *)d->control + d->env_at);
    if (error)
        return error;
    error = launch(d);
    const bool again = !error && d->control->error == HEDDLE_POOL_ERROR_RESIDENT;
    if (!error && !again)
        error = outcome(d);
    heddle__maps_exit(d->run->pool->maps, d->run->pool->nmaps, d->run->device, !error && !again);
    return again ? HEDDLE_EINVAL : error;
}

/* A fixed order is one of tiles then. Without memory for it the tasks stay alone. */
static void make_jobs(struct device_run *d) {
    for (int k = 0; k < d->run->segment->jobs; k++) {
        const struct heddle_job *from = &d->run->segment->job[k];
        if (!heddle__make_tiles(d->run->pool->type, from, &d->job[k]) || !fixed_order(d))
            continue;
        d->own_order[k] = heddle__order_by_level(&d->job[k]) == HEDDLE_OK;
        if (!d->own_order[k])
            d->job[k] = *from;
    }
}

static void free_jobs(struct device_run *d) {
    for (int k = 0; k < d->run->segment->jobs; k++)
        if (d->own_order[k]) {
            free((void *)(uintptr_t)d->job[k].order);
            free((void *)(uintptr_t)d->job[k].level_start);
        }
}

/* Finding out that not all workers fit takes 50 ms, so that is done once. */
static int *halved(const struct device_run *d, int *none) {
    struct heddle__kernel_facts *known = heddle__kernel_facts(&d->run->pool->type->site, d->run->device);
    return known && fixed_order(d) ? &known->halved : none;
}

static int run_locked(struct device_run *d) {
    struct heddle_pool *pool = d->run->pool;
    const size_t raw_bytes = pool->memory ? pool->memory : default_memory;
    int error = HEDDLE_EINVAL;
    if (raw_bytes > SIZE_MAX / 8) /* as of a negative number: sums with it would not fit */
        return too_large(d, (double)raw_bytes, 0);
    make_jobs(d);
    int none = 0, *first = halved(d, &none);
    for (int try = *first; error == HEDDLE_EINVAL && try < TRIES; try++) {
        *first = try;
        size_workers(d, try);
        const int pollers = d->run->workers < HEDDLE_POLLERS ? d->run->workers : HEDDLE_POLLERS;
        __atomic_store_n(&d->run->pollers, pollers, __ATOMIC_RELEASE); /* resident.c looks at it from other threads */
        d->total = plan(d) + all_lanes_bytes(d) + aligned(raw_bytes) + 512;
        if ((error = reserve(d, d->total)))
            break;
        error = HEDDLE_ENOMEM;
        d->control = malloc(d->image_bytes);
        reserve_more(d, raw_bytes);
        if (d->control)
            error = run_mapped(d, raw_bytes);
        free(d->control);
    }
    free_jobs(d);
    return error;
}

static int run_in(struct heddle__run *run, enum heddle__arena_use use) {
    struct device_run d = {.run = run, .use = use};
    struct heddle__arena *a = heddle__arena(run->device, use);
    if (!a)
        return HEDDLE_ENODEV;
    pthread_mutex_lock(&a->lock);
    const int error = run_locked(&d);
    pthread_mutex_unlock(&a->lock);
    return error;
}

/* The kernel keeps its memory while it is there, so it has its own. */
int heddle__pool_run_ring(struct heddle__run *run) { return run_in(run, HEDDLE__ARENA_RING); }

int heddle__pool_run_device(struct heddle__run *run) {
    heddle__stream_yield(run->device);
    const int error = run_in(run, HEDDLE__ARENA_POOL);
    heddle__stream_resume(run->device);
    return error;
}
