/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wavefront nests on an offload device: buffers, packed borders, launch and results. The kernels are
 * in heddle/engine/wavefront/gpu_*.h, compiled with the nest.
 *
 * One block of device memory per nest call holds the control record, the environment, the reductions and the
 * progress words, so that one copy each way is enough. It is kept for the next call.
 */
#include "job.h"
#include "trace/record.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Zeroed when new and when the tags start again. */
int heddle__job_tags(struct job *j) {
    if (!j->tagged)
        return HEDDLE_OK;
    const size_t bytes =
        j->launch.what == HEDDLE_GPU_SCAN ? heddle__job_mail_bytes(j) : heddle__job_edge_bytes(j, j->control.ring);
    const uint32_t tags = (uint32_t)(j->control.row_blocks * (j->in_place ? heddle__sweeps_passes(j->call) : 1));
    const int device = j->launch.device;
    struct heddle__arena *edges = &j->on->arena[HEDDLE__ARENA_EDGES];
    const bool clean = bytes <= edges->bytes && edges->next_tag <= UINT32_MAX - 1 - tags;
    if (bytes > edges->bytes && !heddle__arena_reserve(device, HEDDLE__ARENA_EDGES, bytes))
        return HEDDLE_ENOMEM;
    if (!clean) {
        edges->next_tag = 1;
        if (heddle__device_zero(device, edges->memory, edges->bytes))
            return HEDDLE_ELAUNCH;
    }
    j->control.edges = edges->memory;
    j->control.tag_base = edges->next_tag;
    edges->next_tag += tags;
    return HEDDLE_OK;
}

static int to_device(const struct job *j, size_t at, const void *from, size_t bytes) {
    return heddle__device_copy_in(j->launch.device, j->device + at, from, bytes);
}
static int from_device(const struct job *j, size_t at, void *to, size_t bytes) {
    return heddle__device_copy_out(j->launch.device, to, j->device + at, bytes);
}

/* What an extended stencil reads beside the rows of the nest: an edge on the left and one on the right of each. */
static size_t side_bytes(const struct job *j) {
    const struct heddle_nest *nest = j->call->nest;
    return nest->flags & HEDDLE_NEST_EXTENDED ? (size_t)j->rows * 2 * nest->edge_bytes : 0;
}

static void pack_borders(const struct job *j, char *top_halo, char *left_halo, char *side_halo) {
    const struct heddle_wavefront *c = j->call;
    const struct heddle_nest *nest = c->nest;
    heddle__top_halo(c, top_halo);
    for (long q = 0; q < j->rows; q++)
        nest->left_halo(c->env, c->i0 + q, c->j0 - 1, left_halo + (size_t)q * nest->cell_bytes);
    for (long q = 0; side_bytes(j) && q + 1 < j->rows; q++) { /* nobody reads beside the last row */
        nest->top_halo(c->env, c->i0 + q, c->j0 - 2, HEDDLE_HALO_BEHIND, side_halo + (size_t)q * 2 * nest->edge_bytes);
        nest->top_halo(c->env, c->i0 + q, c->j1 + 1, HEDDLE_HALO_RIGHT,
                       side_halo + ((size_t)q * 2 + 1) * nest->edge_bytes);
    }
}

/* keep(none) and keep(last) arrays stay on the host; their borders travel packed. */
int heddle__job_borders(const struct job *jobs, int count) {
    const struct job *j = jobs;
    const struct heddle_nest *nest = j->call->nest;
    const size_t top_bytes = (size_t)(j->columns + nest->before + nest->after) * nest->edge_bytes;
    char *top_halo = calloc(top_bytes + 1, 1), *left_halo = calloc((size_t)j->rows, nest->cell_bytes + 1),
         *side_halo = calloc(side_bytes(j) + 1, 1);
    int error = !top_halo || !left_halo || !side_halo ? HEDDLE_ENOMEM : HEDDLE_OK;
    if (!error)
        pack_borders(j, top_halo, left_halo, side_halo);
    for (int d = 0; d < count && !error; d++)
        if (to_device(&jobs[d], jobs[d].at.top_halo, top_halo, top_bytes) ||
            to_device(&jobs[d], jobs[d].at.left_halo, left_halo, (size_t)j->rows * nest->cell_bytes) ||
            to_device(&jobs[d], jobs[d].at.side_halo, side_halo, side_bytes(j)))
            error = HEDDLE_ELAUNCH;
    free(top_halo);
    free(left_halo);
    free(side_halo);
    return error;
}

/* Is row i one of this device's? */
static bool owns(const struct job *j, long i) {
    const struct heddle_gpu_control *k = &j->control;
    return k->devices == 1 || heddle_deal_owner(k, (i - j->call->i0) / heddle__job_block_rows(j)) == k->self;
}

static int unpack_results(const struct job *j) {
    const struct heddle_wavefront *c = j->call;
    const struct heddle_nest *nest = c->nest;
    const size_t row_cells = (size_t)nest->last_rows * (size_t)j->columns;
    const size_t col_cells = nest->last_col ? (size_t)j->rows : 0;
    char *cells = malloc((row_cells > col_cells ? row_cells : col_cells) * nest->cell_bytes + 1);
    if (!cells)
        return HEDDLE_ENOMEM;
    int error = from_device(j, j->at.last_row, cells, row_cells * nest->cell_bytes) ? HEDDLE_ELAUNCH : HEDDLE_OK;
    for (long left = 0; !error && left < nest->last_rows && left < j->rows; left++)
        for (long q = 0; owns(j, c->i1 - left) && q < j->columns; q++)
            nest->put_last_row(c->env, c->i1 - left, c->j0 + q, left,
                               cells + ((size_t)left * (size_t)j->columns + (size_t)q) * nest->cell_bytes);
    if (!error && col_cells)
        error = from_device(j, j->at.last_col, cells, col_cells * nest->cell_bytes) ? HEDDLE_ELAUNCH : HEDDLE_OK;
    for (long q = 0; !error && col_cells && q < j->rows; q++)
        if (owns(j, c->i0 + q))
            nest->put_last_col(c->env, c->i0 + q, c->j1, cells + (size_t)q * nest->cell_bytes);
    free(cells);
    return error;
}

static void trace_device(const struct job *j, const char *what, double begin, double end) {
    char group[32];
    if (!heddle__trace_on())
        return;
    snprintf(group, sizeof group, "device %d", j->launch.device);
    heddle__trace_span(heddle__trace_track(group, "nests"), heddle__trace_name(what), (int64_t)(begin * 1e9),
                       (int64_t)(end * 1e9));
}

/* ---- hybrid layout: cells and gathered inputs in buffers of their own ---- */

static void free_hybrid(struct job *j) {
    heddle__device_free(j->launch.device, j->control.cells);
    heddle__device_free(j->launch.device, j->control.far);
    j->control.cells = j->control.far = NULL;
}

/* What the arrays will take has to be left. Without a limit it is tried for when they are mapped. */
static int reserve_beside_arrays(struct job *j) {
    const struct heddle_nest *nest = j->call->nest;
    const size_t maps = heddle__maps_bytes(j->call->maps, j->call->nmaps, j->launch.device);
    const struct heddle_hybrid at = {.rows = j->rows, .columns = j->columns, .h = j->control.tile_h};
    const size_t count = j->hybrid ? heddle_hybrid_count(&at) : 0;
    if (maps > heddle_device_room(j->launch.device))
        return HEDDLE_ENOMEM;
    if (!count)
        return HEDDLE_OK;
    if (count > (SIZE_MAX >> 8) / (nest->cell_bytes + nest->far_bytes + 1) ||
        count * (nest->cell_bytes + nest->far_bytes) + maps + (64u << 20) > heddle__memory_free(j->launch.device))
        return HEDDLE_ENOMEM;
    j->control.cells = heddle__device_alloc(j->launch.device, count * nest->cell_bytes);
    if (nest->far_bytes)
        j->control.far = heddle__device_alloc(j->launch.device, count * nest->far_bytes);
    if (j->control.cells && (j->control.far || !nest->far_bytes))
        return HEDDLE_OK;
    free_hybrid(j);
    return HEDDLE_ENOMEM;
}

/* Gathers what cells read before the nest, or scatters what they became after it. */
static int convert(struct job *j, bool scatter) {
    const struct heddle_nest *nest = j->call->nest;
    struct heddle_gpu_call call = j->launch;
    const int64_t which = scatter;
    const double start = heddle__now();
    if (scatter ? !(nest->flags & HEDDLE_NEST_STORE) || j->call->trial : !nest->far_bytes)
        return HEDDLE_OK;
    call.what = HEDDLE_GPU_CONVERT;
    call.teams = 8 * heddle__multiprocessors(call.device);
    if (to_device(j, offsetof(struct heddle_gpu_control, scatter), &which, sizeof which))
        return HEDDLE_ELAUNCH;
    heddle__launch_begin();
    nest->gpu(&call);
    const int error = heddle__launch_end();
    heddle__verbose("device %d: %s the hybrid layout, %.6f s", call.device, scatter ? "from" : "into",
                    heddle__now() - start);
    return error;
}

int heddle__job_upload(struct job *j) {
    const struct heddle_wavefront *c = j->call;
    struct heddle_gpu_control *k = &j->control;
    k->i0 = c->i0, k->i1 = c->i1, k->j0 = c->j0, k->j1 = c->j1;
    k->progress = (uint64_t *)(void *)(j->device + j->at.progress);
    if (j->host_device)
        k->edges = j->device + j->at.edges;
    k->env = j->device + j->at.env;
    k->red_start = j->device + j->at.red_start;
    k->red = j->device + j->at.red;
    if (j->host_border) {
        k->top_halo = j->device + j->at.top_halo;
        k->left_halo = j->device + j->at.left_halo;
        k->side_halo = j->device + j->at.side_halo;
        k->last_row = j->device + j->at.last_row;
        k->last_col = j->device + j->at.last_col;
    }
    memset(j->host + j->at.progress, 0, j->at.head - j->at.progress);
    if (j->in_place) {
        heddle__sweeps_items(k, (uint32_t *)(void *)(j->host + j->at.items));
        k->item = (const uint32_t *)(const void *)(j->device + j->at.items);
    }
    memcpy(j->host, k, sizeof *k);
    memcpy(j->host + j->at.red_start, c->red, c->nest->red_bytes);
    c->nest->red_start(j->host + j->at.red_start);
    return j->on->ops->copy_in(j->on, j->device, j->host, j->at.head) ? HEDDLE_ELAUNCH : HEDDLE_OK;
}

int heddle__job_launch(struct job *j) {
    if (j->hybrid && convert(j, false))
        return HEDDLE_ELAUNCH;
    const double start = heddle__now();
    heddle__launch_begin();
    j->call->nest->gpu(&j->launch);
    const int refused = heddle__launch_end();
    const double end = heddle__now();
    j->kernel_seconds = end - start;
    trace_device(j, "kernel", start, end);
    if (refused || from_device(j, 0, j->host, j->at.progress))
        return HEDDLE_ELAUNCH;
    struct heddle_gpu_control came;
    const struct heddle_gpu_control *back = memcpy(&came, j->host, sizeof came);
    if (heddle__in_memory(j->schedule)) {
        heddle__report()->device_seconds += came.ended > came.began ? 1e-9 * (double)(came.ended - came.began) : 0;
        heddle__timers_end(&came, j->launch.teams, j->launch.device);
    }
    heddle__verbose("device %d: %d teams of %d threads, %d rows a lane, kernel %.6f s", j->launch.device,
                    j->launch.teams, j->launch.threads, j->launch.rows_per_lane, j->kernel_seconds);
    if (back->error) {
        heddle__warn(&j->call->nest->site,
                     "device %d: tile row %ld saw no progress from the one above for %s s (HEDDLE_TIMEOUT)",
                     j->launch.device, (long)back->error - 1, heddle_option_get("timeout"));
        return HEDDLE_ETIMEDOUT;
    }
    return j->hybrid ? convert(j, true) : HEDDLE_OK;
}

void heddle__job_join(struct job *j) {
    const struct heddle_nest *nest = j->call->nest;
    for (long k = 0; !j->call->trial && k < j->results; k++)
        nest->red_join(j->call->red, j->host + j->at.red + (size_t)k * nest->red_bytes);
}

/* Sweep t, which is all there is where no loop over sweeps is around the nest; of in-place stencils, `sweeps` from t
 * on. */
static int run_sweep(struct job *j, long t, long sweeps) {
    const struct heddle_nest *nest = j->call->nest;
    int error = heddle__job_tags(j); /* of its own */
    if (error)
        return error;
    j->control.sweep0 = t;
    j->control.sweeps = sweeps;
    j->control.batch = j->in_place ? 1 : sweeps;
    if (nest->set_sweep)
        nest->set_sweep(j->host + j->at.env, t);
    if (!j->host_device && heddle__in_memory(j->schedule) &&
        (error = heddle__timers_begin(&j->control, j->launch.teams, j->launch.device)) != HEDDLE_OK)
        return error;
    if ((error = heddle__job_upload(j)) == HEDDLE_OK && (error = heddle__job_launch(j)) == HEDDLE_OK)
        heddle__job_join(j);
    heddle__report()->kernel_seconds = j->kernel_seconds;
    return error;
}

static int run_sweeps(struct job *j) {
    const bool batched = j->launch.what == HEDDLE_GPU_SCAN && j->control.batch > 1;
    const long most = j->in_place ? heddle__sweeps_passes(j->call) * HEDDLE_SWEEP_DEPTH
                      : batched   ? j->control.batch
                                  : 1;
    int error = j->host_border ? heddle__job_borders(j, 1) : HEDDLE_OK;
    for (long t = j->call->t0; !error && t <= j->call->t1; t += most)
        error = run_sweep(j, t, most < j->call->t1 - t + 1 ? most : j->call->t1 - t + 1);
    return error;
}

int heddle__job_prepare(struct job *j) {
    const struct heddle_wavefront *c = j->call;
    const int device = j->launch.device;
    struct heddle__arena *block = &j->on->arena[HEDDLE__ARENA_NEST];
    pthread_mutex_lock(&block->lock);
    if (!j->at.total)
        heddle__job_lay_out(j);
    j->device =
        j->at.total <= block->bytes ? block->memory : heddle__arena_reserve(device, HEDDLE__ARENA_NEST, j->at.total);
    int error = j->device ? HEDDLE_OK : HEDDLE_ENOMEM;
    if (!error) /* before the arrays take what memory there is */
        error = heddle__job_tags(j);
    if (!error && (j->limited || j->hybrid))
        error = reserve_beside_arrays(j);
    if (error)
        return error;
    j->launch.control = (struct heddle_gpu_control *)(void *)j->device;
    j->host = calloc(1, j->at.head);
    if (!j->host)
        return HEDDLE_ENOMEM;
    memcpy(j->host + j->at.env, c->device_env ? c->device_env : c->env, c->nest->env_bytes);
    return HEDDLE_OK;
}

int heddle__job_map(struct job *j) {
    const struct heddle_wavefront *c = j->call;
    j->map_begin = heddle__now();
    const int error = heddle__maps_enter(c->maps, c->nmaps, j->launch.device, j->host + j->at.env);
    j->map_end = heddle__now();
    j->mapped = !error;
    return error;
}

int heddle__job_begin(struct job *j) {
    const int error = heddle__job_prepare(j);
    return error ? error : heddle__job_map(j);
}

int heddle__job_end(struct job *j, int error, bool arrays, bool results) {
    const double begin = heddle__now();
    if (j->mapped) {
        heddle__maps_exit(j->call->maps, j->call->nmaps, j->launch.device, arrays && !error);
        trace_device(j, "map to the device", j->map_begin, j->map_end);
        trace_device(j, "map from the device", begin, heddle__now());
    }
    if (!error && results && j->host_border && !j->call->trial)
        error = unpack_results(j);
    free(j->host);
    if (j->hybrid)
        free_hybrid(j);
    pthread_mutex_unlock(&j->on->arena[HEDDLE__ARENA_NEST].lock);
    return error;
}

void heddle__job_make(struct job *j, struct heddle_wavefront *call, int schedule, int device) {
    const struct heddle_image image = heddle__image(&call->nest->site, device);
    *j = (struct job){.call = call,
                      .rows = call->i1 - call->i0 + 1,
                      .columns = call->j1 - call->j0 + 1,
                      .schedule = schedule,
                      .image = image,
                      .on = heddle__device(device),
                      .limited = heddle__option_bytes("memory-limit")};
    j->control.timeout_ns = (uint64_t)(heddle__option_seconds("timeout") * 1e9);
    j->launch.device = device;
    j->host_border = image.arch != HEDDLE_ARCH_HOST && (call->nest->flags & HEDDLE_NEST_HOST_BORDER);
    j->host_device = image.arch == HEDDLE_ARCH_HOST;
}

void heddle__job_report(const struct job *j) {
    struct heddle_report *r = heddle__report();
    const bool memory = heddle__in_memory(j->schedule);
    r->workers = j->schedule == HEDDLE_SCHEDULE_REGISTERS ? (int)j->results : j->launch.teams;
    r->layout = !memory ? "" : j->hybrid ? "hybrid" : "row";
    r->tile_h = memory ? (long)j->control.tile_h : 0;
    r->tile_w = memory ? (long)j->control.tile_w : 0;
    r->rows_per_worker = (int)(j->rows / (j->control.row_blocks ? j->control.row_blocks : 1));
}

int heddle__wavefront_gpu(struct heddle_wavefront *call, int schedule, int device, struct job *sized) {
    struct job j;
    if (sized && sized->call) {
        j = *sized;
        j.call = call;
    } else {
        if (!heddle__device(device))
            return HEDDLE_ENODEV;
        heddle__job_make(&j, call, schedule, device);
        heddle__job_size(&j, schedule, 1);
        heddle__job_lay_out(&j);
        if (sized)
            *sized = j;
    }
    heddle__report()->device_seconds = 0;
    int error = heddle__job_begin(&j);
    if (!error)
        error = run_sweeps(&j);
    error = heddle__job_end(&j, error, true, true);
    heddle__job_report(&j);
    return error;
}
