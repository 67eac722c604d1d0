/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several devices in one wavefront: row blocks of the register form are dealt over them in groups, a device receives
 * its upper rows in its own memory from whichever device computed them, as tagged words (GPUs) or cells and progress
 * words (x86_64 devices). Each device takes its blocks in order, so the lowest block that is not done is always
 * running: no deadlock. Every device has the arrays whole; rows that it wrote come back from it.
 */
#include "job.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Row blocks in a group. Each hop between devices costs a fraction of what a block is behind the one above it, so a few
   blocks hide it; and with small groups all devices' multiprocessors fill and drain evenly. */
enum { DEAL = 8 };

static const char *why_not(const struct heddle_wavefront *call, int schedule, const struct heddle_map **map) {
    if (schedule != HEDDLE_SCHEDULE_REGISTERS)
        return "only the register form runs on several";
    if (call->t1 > call->t0)
        return "a loop over sweeps needs all rows on one";
    for (int k = 0; k < call->nmaps; k++)
        if (call->maps[k].kind & HEDDLE_MAP_W && (call->maps[k].slope <= 0 || call->maps[k].row < 0)) {
            *map = &call->maps[k];
            return "rows of an array that it writes are not contiguous";
        }
    return NULL;
}

/* Once for each nest. */
static void tell(const struct heddle_site *site, const char *reason, const struct heddle_map *map, int device) {
    enum { TOLD = 64 };
    static const struct heddle_site *told[TOLD];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int k = 0;
    pthread_mutex_lock(&lock);
    while (k < TOLD && told[k] && told[k] != site)
        k++;
    const bool again = k < TOLD && told[k];
    if (k < TOLD)
        told[k] = site;
    pthread_mutex_unlock(&lock);
    if (!again)
        heddle__warn(site, "device(all): %s%s%s%s; running on device %d", reason, map ? " ('" : "",
                     map ? map->name : "", map ? "')" : "", device);
}

int heddle__all_devices(const struct heddle_wavefront *call, int schedule, int *devices) {
    const struct heddle_map *map = NULL;
    const int count = heddle_device_count();
    int found = 0;
    struct heddle_image image = {.arch = HEDDLE_ARCH_NONE};
    for (int d = 0; d < count && found < HEDDLE_PEERS_MAX; d++) {
        const struct heddle_image is = heddle__image(&call->nest->site, d);
        if (is.arch == HEDDLE_ARCH_NONE || (found && (is.arch != image.arch || is.warp != image.warp)))
            continue;
        image = is;
        devices[found++] = d;
    }
    /* panels are computed one after the other, by prefix sums too and sweep after sweep */
    const bool panels = found > 1 && !heddle__in_memory(schedule) && heddle__needs_panels(call, devices[0]);
    const char *reason = found > 1 && !panels ? why_not(call, schedule, &map) : NULL;
    if (reason) {
        tell(&call->nest->site, reason, map, devices[0]);
        found = 1;
    }
    return found;
}

/* Equal devices: the same row blocks, and buffers as for the one with the most workers. */
static int size_all(struct job *jobs, int count) {
    long ring = 0;
    const long forced = heddle__option_long("deal", 0, 1 << 20);
    for (int d = 0; d < count; d++) {
        struct job *j = &jobs[d];
        heddle__job_size(j, HEDDLE_SCHEDULE_REGISTERS, count);
        if (j->control.row_blocks != jobs[0].control.row_blocks ||
            j->launch.rows_per_lane != jobs[0].launch.rows_per_lane)
            return HEDDLE_ENODEV;
        ring = j->control.ring > ring ? j->control.ring : ring;
    }
    const long blocks = jobs[0].control.row_blocks;
    long deal = forced ? forced : DEAL;
    while (!forced && deal > 1 && deal * count > blocks)
        deal /= 2;
    for (int d = 0; d < count; d++) {
        struct heddle_gpu_control *c = &jobs[d].control;
        c->devices = count, c->self = d, c->deal = deal, c->ring = ring;
        c->tickets = 0;
        while (heddle_deal_block(c, c->tickets) < blocks)
            c->tickets++;
    }
    return HEDDLE_OK;
}

/* libomptarget lets one GPU reach another's memory after the first copy between them. */
static int connect(struct job *jobs, int count) {
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            if (a != b && heddle__device_copy_across(jobs[b].launch.device, jobs[b].device, jobs[a].launch.device,
                                                     jobs[a].device, sizeof(uint64_t)))
                return HEDDLE_ELAUNCH;
    return HEDDLE_OK;
}

/* Equal tags on all devices, and the others' addresses. */
static void introduce(struct job *jobs, int count) {
    uint32_t tag = 0;
    for (int d = 0; d < count; d++)
        tag = jobs[d].control.tag_base > tag ? jobs[d].control.tag_base : tag;
    for (int d = 0; d < count; d++) {
        struct job *j = &jobs[d];
        j->control.tag_base = tag;
        struct heddle__arena *edges = &j->on->arena[HEDDLE__ARENA_EDGES];
        edges->next_tag = tag + (uint32_t)j->control.row_blocks;
        struct heddle_gpu_peer me = {.edges = j->host_device ? j->device + j->at.edges : edges->memory,
                                     .progress = (uint64_t *)(void *)(j->device + j->at.progress),
                                     .error =
                                         (uint64_t *)(void *)(j->device + offsetof(struct heddle_gpu_control, error))};
        for (int other = 0; other < count; other++)
            jobs[other].control.peer[d] = me;
    }
}

struct step {
    pthread_t thread;
    struct job *job;
    int (*run)(struct job *);
    int error;
    bool started;
};

static void *step(void *with) {
    struct step *s = with;
    s->error = s->run(s->job);
    return NULL;
}

/* A thread for each device: libomptarget waits for a kernel's end in the call that starts it, and arrays travel by one
   core for each link. Where a kernel's thread does not start the others wait for it in vain, HEDDLE_TIMEOUT long. */
static int on_all(struct job *jobs, int count, int (*run)(struct job *)) {
    struct step *s = calloc((size_t)count, sizeof *s);
    int error = s ? HEDDLE_OK : HEDDLE_ENOMEM;
    for (int d = 0; !error && d < count; d++) {
        s[d].job = &jobs[d];
        s[d].run = run;
        s[d].started = d && !pthread_create(&s[d].thread, NULL, step, &s[d]);
        if (d && !s[d].started)
            error = HEDDLE_ENOMEM;
    }
    if (!error)
        step(&s[0]);
    for (int d = 0; s && d < count; d++) {
        if (s[d].started)
            pthread_join(s[d].thread, NULL);
        error = error ? error : s[d].error;
    }
    free(s);
    return error;
}

/* Rows i … last, which device j wrote, of one array. Whole rows at once where the device has what lies between them. */
static int bring_rows(const struct job *j, const struct heddle_map *m, long i, long last) {
    char *device;
    memcpy(&device, j->host + j->at.env + m->slot, sizeof device);
    const size_t wide = (size_t)j->columns * m->size, pitch = (size_t)m->slope;
    const size_t at = (size_t)(m->row + (i - j->call->i0) * m->slope), rows = (size_t)(last - i + 1);
    const bool whole = wide == pitch || m->kind & HEDDLE_MAP_TO;
    for (size_t r = 0; r < (whole ? 1 : rows); r++)
        if (heddle__device_copy_out(j->launch.device, (char *)m->base + at + r * pitch, device + at + r * pitch,
                                    whole ? (rows - 1) * pitch + wide : wide))
            return HEDDLE_ELAUNCH;
    return HEDDLE_OK;
}

static int copy_to_host(struct job *j) {
    const struct heddle_wavefront *c = j->call;
    const struct heddle_gpu_control *k = &j->control;
    const long rows = heddle__job_block_rows(j);
    int error = HEDDLE_OK;
    for (int m = 0; m < c->nmaps; m++)
        for (long t = 0;
             !error && c->maps[m].kind & HEDDLE_MAP_W && c->maps[m].kind & HEDDLE_MAP_FROM && t < k->tickets;
             t += k->deal) {
            const long block = heddle_deal_block(k, t), i = c->i0 + block * rows, end = i + k->deal * rows - 1;
            error = bring_rows(j, &c->maps[m], i, end < c->i1 ? end : c->i1);
        }
    return error;
}

static int run_all(struct job *jobs, int count) {
    const double start = heddle__now();
    int error = connect(jobs, count);
    if (!error)
        introduce(jobs, count);
    if (!error)
        error = jobs->host_border ? heddle__job_borders(jobs, count) : HEDDLE_OK;
    for (int d = 0; d < count && jobs[d].call->nest->set_sweep; d++) /* the only one */
        jobs[d].call->nest->set_sweep(jobs[d].host + jobs[d].at.env, jobs[d].call->t0);
    for (int d = 0; !error && d < count; d++)
        error = heddle__job_upload(&jobs[d]);
    const double kernel = heddle__now();
    if (!error)
        error = on_all(jobs, count, heddle__job_launch);
    heddle__report()->kernel_seconds = heddle__now() - kernel;
    heddle__verbose("%d devices: %ld row blocks in groups of %ld, %.6f s before the kernels", count,
                    (long)jobs[0].control.row_blocks, (long)jobs[0].control.deal, kernel - start);
    if (!error)
        error = on_all(jobs, count, copy_to_host);
    for (int d = 0; !error && d < count; d++)
        heddle__job_join(&jobs[d]);
    return error;
}

int heddle__wavefront_all(struct heddle_wavefront *call, const int *devices, int count) {
    struct job *jobs = calloc((size_t)count, sizeof *jobs);
    int begun = 0;
    if (!jobs)
        return HEDDLE_ENOMEM;
    for (int d = 0; d < count; d++)
        heddle__job_make(&jobs[d], call, HEDDLE_SCHEDULE_REGISTERS, devices[d]);
    int error = size_all(jobs, count);
    while (!error && begun < count)
        error = heddle__job_prepare(&jobs[begun++]);
    if (!error)
        error = on_all(jobs, count, heddle__job_map);
    if (!error)
        error = run_all(jobs, count);
    long workers = 0;
    for (int d = begun - 1; d >= 0; d--) {
        workers += jobs[d].results;
        error = heddle__job_end(&jobs[d], error, false, true);
    }
    heddle__job_report(&jobs[0]);
    heddle__report()->workers = (int)workers;
    free(jobs);
    return error;
}
