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

struct flight {
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
static bool fixed_order(const struct flight *f) {
    return f->run->schedule == HEDDLE_POOL_STATIC || f->run->schedule == HEDDLE_POOL_BARRIER;
}

/* A pool of one loop with sinks has only so many tasks at a time, and workers that wait get in the way of the others.
 */
static long useful_workers(const struct flight *f, long workers, long sms) {
    const struct heddle_job *j = &f->job[0];
    const long levels =
        f->run->segment->jobs == 1 && f->run->pool->type->kinds == 1 && j->sinks ? heddle__level_count(j) : 0;
    const long useful = levels > 0 ? 2 * (long)(j->total / levels) : workers;
    const long least = 2 * sms < workers ? 2 * sms : workers;
    return useful < least ? least : useful < workers ? useful : workers;
}

static long multiprocessors(int device) {
    const struct heddle_device_info *facts = heddle__device_facts(device);
    return facts && facts->units > 0 ? facts->units : 64;
}

static void size_workers(struct flight *f, int try) {
    const struct heddle_pool_type *type = f->run->pool->type;
    const int device = f->run->device;
    const long asked = heddle__option_long("workers", 0, 1 << 20);
    const long sms = multiprocessors(device);
    long workers =
        asked ? asked : useful_workers(f, sms * (type->worker == HEDDLE_WORKER_BLOCK ? 4 : WORKERS_PER_SM), sms);
    f->launch.device = device;
    const struct heddle_image image = heddle__image(&type->site, device);
    if (image.arch != HEDDLE_ARCH_GPU)
        workers = 1;
    for (; try > 0 && workers > 1; try--) /* they were not all resident */
        workers /= 2;
    const long spread = (workers + sms - 1) / sms; /* over all multiprocessors first */
    const long per_block = spread < type->workers_per_block ? spread : type->workers_per_block;
    f->launch.teams = (int)((workers + per_block - 1) / per_block);
    f->launch.threads = type->worker == HEDDLE_WORKER_BLOCK ? HEDDLE_LANES_MAX : (int)per_block * image.warp;
    if (image.arch != HEDDLE_ARCH_GPU)
        f->launch.threads = 1;
    f->run->workers = f->launch.teams * (int)per_block;
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

static size_t zero_bytes(const struct flight *f, const struct heddle_job *j) {
    if (fixed_order(f))
        return f->run->schedule == HEDDLE_POOL_STATIC ? aligned((size_t)j->total * 4) : 0;
    return j->form == HEDDLE_FORM_NODE || j->sinks ? aligned((size_t)j->total * 4) : 0;
}

/* Few: tasks that go through a small region of memory are handed over faster (fork and join 0.3 us). */
static uint64_t queue_slots(const struct flight *f) {
    uint64_t slots = 1024;
    while (slots < (f->run->schedule == HEDDLE_POOL_GLOBAL ? 32u : 12u) * (uint64_t)f->run->workers)
        slots *= 2;
    return slots;
}

static bool any_kind(const struct flight *f, int flag) {
    const struct heddle_pool_type *type = f->run->pool->type;
    bool any = false;
    for (int k = 0; k < type->kinds; k++)
        any |= (type->flags[k] & flag) != 0;
    return any;
}

/* The workers' tables of intra-task dependences. */
static size_t table_bytes(const struct flight *f) {
    return any_kind(f, HEDDLE_TASK_DEPENDS) ? aligned((size_t)f->run->workers * sizeof(struct heddle_depend_table)) : 0;
}

/* Their own queues. */
static size_t own_bytes(const struct flight *f) {
    const size_t slot = HEDDLE_SLOT_HEAD + f->run->pool->type->record_bytes;
    return f->run->schedule == HEDDLE_POOL_STEAL ? aligned((size_t)f->run->workers * HEDDLE_OWN_BYTES(slot)) : 0;
}

/* ---- the image --------------------------------------------------------------------------------------------------- */
/* Copies into the image; returns where it will be on the device. */
static void *send(struct flight *f, const void *from, size_t bytes) {
    const size_t at = f->image_used;
    if (bytes)
        memcpy((char *)f->control + at, from, bytes);
    f->image_used = aligned(at + bytes);
    return f->device + at;
}

static void send_job(struct flight *f, int k, size_t *zero_at) {
    const struct heddle_job *from = &f->job[k];
    struct heddle_job *j = &f->control->job[k];
    const size_t n = (size_t)from->total, record_bytes = f->run->pool->type->record_bytes;
    *j = *from;
    j->record = send(f, from->record, from->form == HEDDLE_FORM_NODE ? n * record_bytes : record_bytes);
    if (from->form == HEDDLE_FORM_NODE) {
        const size_t edges = from->before_start[n];
        j->node = send(f, from->node, n * 8);
        j->wanted = send(f, from->wanted, n * 4);
        j->next_start = send(f, from->next_start, (n + 1) * 4);
        j->next = send(f, from->next, edges * 4);
        j->before_start = send(f, from->before_start, (n + 1) * 4);
        j->before = send(f, from->before, edges * 4);
    }
    if (from->order) {
        j->order = send(f, from->order, n * 4);
        j->level_start = send(f, from->level_start, ((size_t)from->levels + 1) * 4);
    }
    j->counters = j->done = (uint32_t *)(void *)(f->device + *zero_at);
    j->round = 1;
    *zero_at += zero_bytes(f, from);
}

static void fill_queue(struct flight *f, int level, uint64_t slots, size_t *zero_at) {
    struct heddle_pool_control *c = f->control;
    c->queue[level].slots = f->device + *zero_at;
    c->queue[level].mask = slots - 1;
    c->queue[level].shift = (uint64_t)__builtin_ctzll(slots);
    c->queue[level].room = slots - 9 * (uint64_t)f->run->workers;
    *zero_at += aligned(slots * c->slot_bytes);
}

/* Sizes of everything; 0 device memory yet. */
static size_t plan(struct flight *f) {
    const struct heddle__run *run = f->run;
    const struct heddle_pool_type *type = run->pool->type;
    f->image_bytes = aligned(sizeof *f->control) + aligned(type->env_bytes);
    f->zero_bytes = 0;
    for (int k = 0; k < run->segment->jobs; k++) {
        f->image_bytes += aligned(list_bytes(&f->job[k], type->record_bytes));
        f->zero_bytes += zero_bytes(f, &f->job[k]);
    }
    if (!fixed_order(f))
        f->zero_bytes += aligned(queue_slots(f) * (HEDDLE_SLOT_HEAD + type->record_bytes)) *
                         (run->segment->levels_used ? HEDDLE_LEVELS : 1);
    f->zero_bytes += table_bytes(f) + own_bytes(f);
    return f->image_bytes + f->zero_bytes;
}

static void fill_control(struct flight *f, size_t raw_bytes) {
    const struct heddle__run *run = f->run;
    const struct heddle_pool_type *type = run->pool->type;
    struct heddle_pool_control *c = f->control;
    size_t zero_at = f->image_bytes, raw_at = f->image_bytes + f->zero_bytes;
    memset(c, 0, sizeof *c);
    f->image_used = aligned(sizeof *c);
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
    c->slot_bytes = HEDDLE_SLOT_HEAD + type->record_bytes;
    f->env_at = f->image_used;
    c->env = send(f, run->ring ? run->device_env : run->pool->env, type->env_bytes);
    for (int k = 0; k < c->jobs; k++)
        send_job(f, k, &zero_at);
    if (!fixed_order(f))
        for (int level = 0; level < (c->levels_used ? HEDDLE_LEVELS : 1); level++)
            fill_queue(f, level, queue_slots(f), &zero_at);
    if (table_bytes(f))
        c->depend_tables = f->device + zero_at;
    if (own_bytes(f))
        c->own = f->device + zero_at + table_bytes(f);
    if (run->ring) {
        c->ring = run->ring;
        c->ring_ticket = run->ring_first;
        c->ring_system = run->ring_system;
        c->pollers = (uint64_t)run->pollers;
        c->timeout_ns = UINT64_MAX; /* the host says when to leave */
    }
    const size_t frames = run->ring || any_kind(f, HEDDLE_TASK_WAITS | HEDDLE_TASK_DEPENDS) ? raw_bytes / 2 : 0;
    c->chunk_bytes = HEDDLE_CHUNK_HEAD + HEDDLE_CHUNK_SLOTS * c->slot_bytes;
    c->chunk_count = (raw_bytes - frames) / c->chunk_bytes;
    c->chunks = f->device + raw_at;
    c->frame_bytes = sizeof(struct heddle_frame) + type->record_bytes;
    c->frame_count = frames / c->frame_bytes < MOST_FRAMES ? frames / c->frame_bytes : MOST_FRAMES;
    c->frames = f->device + aligned(raw_at + raw_bytes - frames);
    const size_t more_chunks = (frames ? f->more_bytes / 2 : f->more_bytes) / 256 * 256,
                 most = MOST_FRAMES - c->frame_count;
    c->more_chunks = f->more;
    c->more_chunk_count = more_chunks / c->chunk_bytes;
    c->more_frames = f->more ? f->more + more_chunks : NULL;
    c->more_frame_count = frames ? (f->more_bytes - more_chunks) / c->frame_bytes : 0;
    if (c->more_frame_count > most)
        c->more_frame_count = most;
}

/* ---- device memory ------------------------------------------------------------------------------------------------
 */
static int too_large(const struct flight *f, double bytes, size_t room) {
    const struct heddle_pool *pool = f->run->pool;
    char there[48] = "less";
    if (room)
        snprintf(there, sizeof there, "%zu MB free", room >> 20);
    heddle__warn(&pool->type->site,
                 "a pool of %.0f MB was asked for (%llu tasks at the start and memory(%zu MB)), device %d has %s; "
                 "running it on the host",
                 bytes * 0x1p-20, (unsigned long long)f->run->expected,
                 (pool->memory ? pool->memory : default_memory) >> 20, f->run->device, there);
    f->run->said = true;
    return HEDDLE_ENOMEM;
}

static int reserve(struct flight *f, size_t bytes) {
    struct heddle_device_info info;
    f->device = heddle__arena_reserve(f->run->device, f->use, bytes);
    if (f->device)
        return HEDDLE_OK;
    const size_t kept = heddle__arena(f->run->device, f->use)->bytes;
    const size_t room = heddle_device_info(f->run->device, &info) || !info.memory_free ? 0 : info.memory_free + kept;
    return too_large(f, (double)bytes, room < bytes ? room : 0);
}

/* Memory that host and device share takes no room until it is used, and may then be larger than the device's. Without
   it a pool that runs full stops. */
static void reserve_more(struct flight *f, size_t raw_bytes) {
    const enum heddle__arena_use spill =
        f->use == HEDDLE__ARENA_POOL ? HEDDLE__ARENA_POOL_SPILL : HEDDLE__ARENA_RING_SPILL;
    const size_t ram = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    const size_t wanted = raw_bytes > ram / 2 / SPILL_TIMES ? ram / 2 : raw_bytes * SPILL_TIMES;
    const bool cuda = heddle__architecture(&f->run->pool->type->site, f->run->device) == HEDDLE_ARCH_GPU;
    const bool known = wanted <= heddle__arena(f->run->device, spill)->bytes;
    f->more = known || cuda || heddle__device_fits(f->run->device, &wanted, 1)
                  ? heddle__arena_reserve(f->run->device, spill, wanted)
                  : NULL;
    f->more_bytes = f->more ? wanted : 0;
}

static int zero(const struct flight *f) {
    return heddle__device_zero(f->run->device, f->device + f->image_bytes, f->zero_bytes);
}

/* ---- one run --------------------------------------------------------------------------------------------------------
 */
static int outcome(struct flight *f) {
    const struct heddle_pool_control *c = f->control;
    const struct heddle_site *site = &f->run->pool->type->site;
    switch (c->error) {
    case HEDDLE_POOL_ERROR_NONE:
        break;
    case HEDDLE_POOL_ERROR_MEMORY:
        heddle__warn(site,
                     "device %d: no room for more tasks (%llu chunks of %d and %llu frames in %zu MB); give the pool "
                     "memory(bytes)",
                     f->run->device, (unsigned long long)(c->chunk_count + c->more_chunk_count), HEDDLE_CHUNK_SLOTS,
                     (unsigned long long)(c->frame_count + c->more_frame_count),
                     ((f->run->pool->memory ? f->run->pool->memory : default_memory) + f->more_bytes) >> 20);
        return HEDDLE_ENOMEM;
    default:
        heddle__warn(site, "device %d: nothing moved for %s s (HEDDLE_TIMEOUT) with %llu tasks done", f->run->device,
                     heddle_option_get("timeout"), (unsigned long long)c->done);
        return HEDDLE_ETIMEDOUT;
    }
    f->run->done = c->done;
    f->run->spawned = c->spawned;
    f->run->sum = c->checksum;
    f->run->handed = c->handed;
    f->run->queued = c->queued;
    if (c->chunk_ticket > c->chunk_count || c->frame_ticket > c->frame_count)
        heddle__verbose("device %d: %llu chunks of tasks and %llu frames beyond the pool's %zu KB", f->run->device,
                        (unsigned long long)(c->chunk_ticket > c->chunk_count ? c->chunk_ticket - c->chunk_count : 0),
                        (unsigned long long)(c->frame_ticket > c->frame_count ? c->frame_ticket - c->frame_count : 0),
                        (f->run->pool->memory ? f->run->pool->memory : default_memory) >> 10);
    if (c->jobs == 1 && c->job[0].form == HEDDLE_FORM_LOOP && !c->spawned && c->done && c->busy)
        heddle__tile_learn(f->run->pool->type, (double)c->busy / (double)c->done, c->job[0].tile_rows != 0);
    return HEDDLE_OK;
}

static int launch(struct flight *f) {
    const int device = f->run->device;
    const double start = heddle__now();
    heddle__pool_trace_begin(f->control, device);
    if (heddle__device_copy_in(device, f->device, f->control, f->image_used) || zero(f))
        return HEDDLE_ELAUNCH;
    f->launch.control = (struct heddle_pool_control *)(void *)f->device;
    const double kernel = heddle__now();
    const int64_t begin = heddle__trace_now();
    heddle__launch_begin();
    f->run->pool->type->gpu(&f->launch);
    const int refused = heddle__launch_end();
    heddle__report()->kernel_seconds = heddle__now() - kernel;
    if (refused || heddle__device_copy_out(device, f->control, f->device, sizeof *f->control))
        return HEDDLE_ELAUNCH;
    heddle__pool_trace_end(f->run->pool->type, f->control, device, begin);
    if (!f->run->ring_turn)
        heddle__verbose("device %d: %d teams of %d threads, image %zu KB, zeroed %zu KB, preparation %.6f s", device,
                        f->launch.teams, f->launch.threads, f->image_used >> 10, f->zero_bytes >> 10, kernel - start);
    return HEDDLE_OK;
}

static int run_mapped(struct flight *f, size_t raw_bytes) {
    int error = HEDDLE_OK;
    fill_control(f, raw_bytes);
    if (f->run->ring) {
        error = launch(f);
        return error ? error : outcome(f);
    }
    error = heddle__maps_enter(f->run->pool->maps, f->run->pool->nmaps, f->run->device, (char *)f->control + f->env_at);
    if (error)
        return error;
    error = launch(f);
    const bool again = !error && f->control->error == HEDDLE_POOL_ERROR_RESIDENT;
    if (!error && !again)
        error = outcome(f);
    heddle__maps_exit(f->run->pool->maps, f->run->pool->nmaps, f->run->device, !error && !again);
    return again ? HEDDLE_EINVAL : error;
}

/* A fixed order is one of tiles then. Without memory for it the tasks stay alone. */
static void make_jobs(struct flight *f) {
    for (int k = 0; k < f->run->segment->jobs; k++) {
        const struct heddle_job *from = &f->run->segment->job[k];
        if (!heddle__tile(f->run->pool->type, from, &f->job[k]) || !fixed_order(f))
            continue;
        f->own_order[k] = heddle__level_order(&f->job[k]) == HEDDLE_OK;
        if (!f->own_order[k])
            f->job[k] = *from;
    }
}

static void free_jobs(struct flight *f) {
    for (int k = 0; k < f->run->segment->jobs; k++)
        if (f->own_order[k]) {
            free((void *)(uintptr_t)f->job[k].order);
            free((void *)(uintptr_t)f->job[k].level_start);
        }
}

/* Finding out that not all workers fit takes 50 ms, so that is done once. */
static int *halved(const struct flight *f, int *none) {
    struct heddle__kernel_facts *known = heddle__kernel_facts(&f->run->pool->type->site, f->run->device);
    return known && fixed_order(f) ? &known->halved : none;
}

static int run_locked(struct flight *f) {
    struct heddle_pool *pool = f->run->pool;
    const size_t raw_bytes = pool->memory ? pool->memory : default_memory;
    int error = HEDDLE_EINVAL;
    if (raw_bytes > SIZE_MAX / 8) /* as of a negative number: sums with it would not fit */
        return too_large(f, (double)raw_bytes, 0);
    make_jobs(f);
    int none = 0, *first = halved(f, &none);
    for (int try = *first; error == HEDDLE_EINVAL && try < TRIES; try++) {
        *first = try;
        size_workers(f, try);
        const int pollers = f->run->workers < HEDDLE_POLLERS ? f->run->workers : HEDDLE_POLLERS;
        __atomic_store_n(&f->run->pollers, pollers, __ATOMIC_RELEASE); /* resident.c looks at it from other threads */
        f->total = plan(f) + aligned(raw_bytes) + 512;
        if ((error = reserve(f, f->total)))
            break;
        error = HEDDLE_ENOMEM;
        f->control = malloc(f->image_bytes);
        reserve_more(f, raw_bytes);
        if (f->control)
            error = run_mapped(f, raw_bytes);
        free(f->control);
    }
    free_jobs(f);
    return error;
}

static int run_in(struct heddle__run *run, enum heddle__arena_use use) {
    struct flight f = {.run = run, .use = use};
    struct heddle__arena *a = heddle__arena(run->device, use);
    if (!a)
        return HEDDLE_ENODEV;
    pthread_mutex_lock(&a->lock);
    const int error = run_locked(&f);
    pthread_mutex_unlock(&a->lock);
    return error;
}

/* The kernel keeps its memory while it is there, so it has its own. */
int heddle__pool_ring(struct heddle__run *run) { return run_in(run, HEDDLE__ARENA_RING); }

int heddle__pool_gpu(struct heddle__run *run) {
    heddle__stream_yield(run->device);
    const int error = run_in(run, HEDDLE__ARENA_POOL);
    heddle__stream_resume(run->device);
    return error;
}
