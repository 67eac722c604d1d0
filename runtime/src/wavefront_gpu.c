/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wavefront nests on an offload device: sizes, buffers, packed borders, launch and results. The kernels are
 * in heddle/wavefront_gpu_*.h, compiled with the nest.
 *
 * One block of device memory per nest call holds the control record, the environment, the reductions and the
 * progress words, so that one copy each way is enough. It is kept for the next call.
 */
#include "internal.h"
#include "trace/record.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 64, SCAN_WARPS = 16, SCAN_WARPS_PER_SM = 32 };

/* Device memory kept between calls, grown when needed. One nest at a time per device. The edge buffers are
   apart: they hold tagged words and nothing else ever, and tags only grow, so old words never look new. */
static struct workspace {
    pthread_mutex_t lock;
    void *base;
    size_t bytes;
    void *edges;
    size_t edge_bytes;
    uint32_t next_tag;
} workspaces[MAX_DEVICES];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int fallback_noted;

static void init_locks(void)
{
    for (int k = 0; k < MAX_DEVICES; k++)
        pthread_mutex_init(&workspaces[k].lock, NULL);
}

void heddle_note_fallback(void) { fallback_noted = 1; }

int heddle__take_fallback(void)
{
    const int noted = fallback_noted;
    fallback_noted = 0;
    return noted;
}

/* Where things lie in the device block, in bytes. `head` is copied to the device, `back` comes back. */
struct layout {
    size_t env, red_start, red, progress, items, head, edges, north, west, last_row, last_col, total;
};

struct job {
    struct heddle_wavefront *call;
    struct heddle_gpu_call launch;
    struct heddle_gpu_control control; /* host image, with device pointers */
    struct layout at;
    char *host;    /* image of the first at.head bytes */
    char *device;
    long rows, columns, results;
    int host_border, host_device, hybrid, schedule;
    int star; /* several sweeps in a launch: wavefront_gpu_sweeps.c */
};

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }

static int multiprocessors(int device)
{
    struct heddle_device_info info;
    return heddle_device_info(device, &info) ? 1 : info.units;
}

/* Rows per lane and warps per multiprocessor. Eight rows make the cheapest cells once every scheduler has two
   warps; below that, latency counts and shorter chains of four rows win. Warps that only wait cost the others
   time, so there are no more than row blocks, and no more than fit between the first and the last column at
   the distance that neighbours keep. Found on an H100 with bench-score under HEDDLE_ROWS_PER_LANE and HEDDLE_WARPS. */
enum { NEIGHBOUR_DISTANCE = 96 /* columns: 31 of skew, two chunks */, SHARED_BYTES = 164 * 1024 };

static size_t memory_free(int device)
{
    struct heddle_device_info info;
    return heddle_device_info(device, &info) || !info.memory_free ? SIZE_MAX : info.memory_free;
}

/* Of `ring` row blocks' bottom rows under way. */
static size_t edge_bytes(const struct job *j, long ring)
{
    const size_t words = (j->call->nest->edge_bytes + 3) / 4;
    if (j->star)
        return heddle__sweeps_edge_bytes(j->call);
    return (size_t)ring * words * aligned((size_t)j->columns + HEDDLE_WARP + 1) * sizeof(uint64_t);
}

static long clamp(long v, long low, long high) { return v < low ? low : v > high ? high : v; }

static void size_registers(struct job *j, int device)
{
    const int sms = multiprocessors(device);
    const long forced_rows = heddle__option_long("rows-per-lane", 0, 8);
    const long forced_warps = clamp(heddle__option_long("warps", 0, 64), 0, 16);
    const size_t state = j->call->nest->cell_bytes + j->call->nest->edge_bytes; /* times eight rows: registers */
    const long k = forced_rows == 4 || forced_rows == 8 ? forced_rows
                   : j->call->nest->rows_per_lane      ? j->call->nest->rows_per_lane
                   : state <= 8 && j->rows / (HEDDLE_WARP * 8) >= 6L * sms ? 8 : 4;
    const long blocks = (j->rows + HEDDLE_WARP * k - 1) / (HEDDLE_WARP * k);
    const long useful = clamp(j->columns / NEIGHBOUR_DISTANCE + 1, 1, blocks);
    long warps = forced_warps ? forced_warps : clamp((useful + sms - 1) / sms, 1, 8);
    /* shared memory of a multiprocessor since sm_80, less what each block costs beside; a block has one warp then */
    const int shared = j->call->nest->shared_bytes[k == 8];
    if (shared && warps > SHARED_BYTES / (shared + 1024))
        warps = SHARED_BYTES / (shared + 1024);
    while (warps > 1 && edge_bytes(j, sms * warps + 1) > memory_free(device) / 2)
        warps /= 2; /* very long rows: fewer in flight */
    j->launch.what = HEDDLE_GPU_REGISTERS;
    j->launch.rows_per_lane = (int)k;
    const long teams = shared ? warps * sms : sms;
    j->launch.teams = (int)(blocks < teams ? blocks : teams);
    j->launch.threads = shared ? HEDDLE_WARP : (int)warps * HEDDLE_WARP;
    j->control.row_blocks = blocks;
    j->results = (long)j->launch.teams * (j->launch.threads / HEDDLE_WARP);
    j->control.ring = j->results + 1;
}

/* Sweeps from which they run several at once: the pipeline's fill takes as long as many sweeps do. A rough bound. */
enum { STAR_FROM = 16 };

/* Row blocks of many passes run at once, so it is registers that bound the warps: blocks of four leave none over. */
static void size_sweeps(struct job *j, int device)
{
    enum { TEAM_WARPS = 4, WARPS = 16 /* per multiprocessor */ };
    const int sms = multiprocessors(device);
    const long forced = heddle__option_long("warps", 0, 64), warps = forced ? forced : WARPS;
    const long passes = heddle__sweeps_passes(j->call), blocks = heddle__sweeps_blocks(j->call);
    const long teams = (clamp(passes * blocks, 1, sms * warps) + TEAM_WARPS - 1) / TEAM_WARPS;
    j->star = 1;
    j->launch.what = HEDDLE_GPU_SWEEPS;
    j->launch.teams = (int)teams;
    j->launch.threads = TEAM_WARPS * HEDDLE_WARP;
    j->control.row_blocks = blocks;
    j->control.edge_stride = heddle__sweeps_stride(j->call);
    j->results = teams * TEAM_WARPS;
}

static void size_tiles(struct job *j, int schedule, int device)
{
    const struct heddle__tiling t = heddle__tiling(j->call, schedule, device);
    heddle__tile_control(&j->control, j->call->nest, &t);
    j->hybrid = t.hybrid;
    j->launch.what = t.hybrid ? HEDDLE_GPU_HYBRID : HEDDLE_GPU_TILES;
    j->launch.teams = (int)t.teams;
    j->launch.threads = (int)clamp(t.h, HEDDLE_WARP, HEDDLE_TILE_THREADS);
    j->results = t.teams * (j->launch.threads / HEDDLE_WARP);
}

/* Prefix sums: tiles of `warps` parts. Two words of mail per row and column of each. */
static size_t scan_mail_bytes(const struct job *j)
{
    const struct heddle_gpu_control *c = &j->control;
    return (size_t)(c->row_blocks * c->tiles_across) * (size_t)(c->tile_h + c->tile_w) * (j->call->nest->sum_bytes * 2);
}

static void size_scan(struct job *j, int device)
{
    const struct heddle_nest *nest = j->call->nest;
    const long forced_warps = heddle__option_long("warps", 0, 16), columns = nest->scan_columns;
    const long warps = clamp(forced_warps ? forced_warps : SCAN_WARPS, columns / HEDDLE_WARP, HEDDLE_SCAN_WARPS);
    j->launch.what = HEDDLE_GPU_SCAN;
    j->launch.rows_per_lane = nest->scan_rows;
    j->control.tile_h = warps * nest->scan_rows;
    j->control.tile_w = columns;
    j->control.row_blocks = (j->rows + j->control.tile_h - 1) / j->control.tile_h;
    j->control.tiles_across = (j->columns + columns - 1) / columns;
    const long tiles = j->control.row_blocks * j->control.tiles_across;
    /* more than fit at once: those that start late find no ticket left */
    j->launch.teams = (int)clamp(tiles, 1, (long)multiprocessors(device) * (SCAN_WARPS_PER_SM / warps));
    j->launch.threads = (int)warps * HEDDLE_WARP;
    j->control.ring = 1;
}

/* On an x86_64 device the CPU engine runs in the kernel, on one thread. */
static void size_host_device(struct job *j, int schedule)
{
    const struct heddle_nest *nest = j->call->nest;
    j->launch.teams = j->launch.threads = 1;
    j->launch.rows_per_lane = 4;
    j->launch.what = schedule == HEDDLE_SCHEDULE_SCAN ? HEDDLE_GPU_SCAN : HEDDLE_GPU_REGISTERS;
    j->results = 1;
    if (heddle__in_memory(schedule)) {
        const long h = j->call->tile_h ? j->call->tile_h : 64;
        const struct heddle__tiling t = {.schedule = schedule, .rows = j->rows, .columns = j->columns, .h = h,
                                         .w = j->call->tile_w ? j->call->tile_w : h, .teams = 1};
        heddle__tile_control(&j->control, nest, &t);
        j->launch.what = HEDDLE_GPU_TILES;
        return;
    }
    j->control.tile_h = 0;
    const long rows = schedule == HEDDLE_SCHEDULE_SCAN ? HEDDLE_SCAN_BAND : nest->cpu_rows(HEDDLE_ISA_BASE);
    j->control.row_blocks = (j->rows + rows - 1) / rows;
    j->control.ring = 2;
}

static void lay_out(struct job *j)
{
    const struct heddle_nest *nest = j->call->nest;
    struct layout *at = &j->at;
    const size_t columns = (size_t)j->columns, rows = (size_t)j->rows;
    if (!j->star)
        j->control.edge_stride = (long)aligned(columns + HEDDLE_WARP + 1);
    at->env = aligned(sizeof j->control);
    at->red_start = at->env + aligned(nest->env_bytes);
    at->red = at->red_start + aligned(nest->red_bytes);
    at->progress = at->red + aligned((size_t)j->results * nest->red_bytes);
    at->items = at->progress + (size_t)j->control.ring * HEDDLE_FLAG_WORDS * sizeof(uint64_t);
    if (j->star)
        at->items = at->progress + (size_t)(heddle__sweeps_passes(j->call) * j->control.row_blocks) * sizeof(uint64_t);
    at->head = at->items + (j->star ? (at->items - at->progress) / 2 : 0);
    at->edges = aligned(at->head);
    /* an x86_64 device has plain edge cells here; a GPU's edge buffers are apart */
    at->north = at->edges + (j->host_device ? aligned(2 * (size_t)j->control.edge_stride * nest->edge_bytes) : 0);
    at->west = at->north + (j->host_border ? aligned((columns + 1) * nest->edge_bytes) : 0);
    at->last_row = at->west + (j->host_border ? aligned(rows * nest->cell_bytes) : 0);
    at->last_col = at->last_row + (j->host_border ? aligned((size_t)nest->last_rows * columns * nest->cell_bytes) : 0);
    at->total = at->last_col + (j->host_border && nest->last_col ? aligned(rows * nest->cell_bytes) : 0) + 256;
}

static int reserve(struct workspace *w, size_t bytes, int device)
{
    struct heddle_device_info info;
    if (bytes <= w->bytes)
        return HEDDLE_OK;
    if (!heddle_device_info(device, &info) && info.memory_free && bytes > info.memory_free + w->bytes)
        return HEDDLE_ENOMEM;
    if (w->base)
        omp_target_free(w->base, device);
    w->base = omp_target_alloc(bytes, device);
    w->bytes = w->base ? bytes : 0;
    return w->base ? HEDDLE_OK : HEDDLE_ENOMEM;
}

/* Zeroed when new and when the tags start again. */
static int reserve_edges(struct workspace *w, struct job *j)
{
    const size_t bytes = j->launch.what == HEDDLE_GPU_SCAN ? scan_mail_bytes(j) : edge_bytes(j, j->control.ring);
    const uint32_t tags = (uint32_t)(j->control.row_blocks * (j->star ? heddle__sweeps_passes(j->call) : 1));
    const int device = j->launch.device;
    bool clean = true;
    if (bytes > w->edge_bytes) {
        if (w->edges)
            omp_target_free(w->edges, device);
        w->edges = bytes <= memory_free(device) ? omp_target_alloc(bytes, device) : NULL;
        w->edge_bytes = w->edges ? bytes : 0;
        clean = false;
    }
    if (bytes && !w->edges)
        return HEDDLE_ENOMEM;
    if (w->next_tag > UINT32_MAX - 1 - tags)
        clean = false;
    if (!clean) {
        w->next_tag = 1;
        if (w->edge_bytes && !omp_target_memset(w->edges, 0, w->edge_bytes, device))
            return HEDDLE_ELAUNCH;
    }
    j->control.edges = w->edges;
    j->control.tag_base = w->next_tag;
    w->next_tag += tags;
    return HEDDLE_OK;
}

static int to_device(const struct job *j, size_t at, const void *from, size_t bytes)
{
    return bytes && omp_target_memcpy(j->device + at, from, bytes, 0, 0, j->launch.device, omp_get_initial_device());
}
static int from_device(const struct job *j, size_t at, void *to, size_t bytes)
{
    return bytes && omp_target_memcpy(to, j->device + at, bytes, 0, 0, omp_get_initial_device(), j->launch.device);
}

/* keep(none) and keep(last) arrays stay on the host; their borders travel packed. */
static int pack_borders(const struct job *j)
{
    const struct heddle_wavefront *c = j->call;
    const struct heddle_nest *nest = c->nest;
    char *north = calloc((size_t)j->columns + 1, nest->edge_bytes + 1), *west = calloc((size_t)j->rows, nest->cell_bytes + 1);
    int error = !north || !west ? HEDDLE_ENOMEM : HEDDLE_OK;
    if (!error) {
        nest->north(c->env, c->i0 - 1, c->j0 - 1, 1, north);
        for (long q = 0; q < j->columns; q++)
            nest->north(c->env, c->i0 - 1, c->j0 + q, 0, north + (size_t)(q + 1) * nest->edge_bytes);
        for (long q = 0; q < j->rows; q++)
            nest->west(c->env, c->i0 + q, c->j0 - 1, west + (size_t)q * nest->cell_bytes);
        if (to_device(j, j->at.north, north, ((size_t)j->columns + 1) * nest->edge_bytes) ||
            to_device(j, j->at.west, west, (size_t)j->rows * nest->cell_bytes))
            error = HEDDLE_ELAUNCH;
    }
    free(north);
    free(west);
    return error;
}

static int unpack_results(const struct job *j)
{
    const struct heddle_wavefront *c = j->call;
    const struct heddle_nest *nest = c->nest;
    const size_t row_cells = (size_t)nest->last_rows * (size_t)j->columns;
    const size_t col_cells = nest->last_col ? (size_t)j->rows : 0;
    char *cells = malloc((row_cells > col_cells ? row_cells : col_cells) * nest->cell_bytes + 1);
    if (!cells)
        return HEDDLE_ENOMEM;
    int error = from_device(j, j->at.last_row, cells, row_cells * nest->cell_bytes) ? HEDDLE_ELAUNCH : HEDDLE_OK;
    for (long left = 0; !error && left < nest->last_rows && left < j->rows; left++)
        for (long q = 0; q < j->columns; q++)
            nest->put_last_row(c->env, c->i1 - left, c->j0 + q, left,
                           cells + ((size_t)left * (size_t)j->columns + (size_t)q) * nest->cell_bytes);
    if (!error && col_cells)
        error = from_device(j, j->at.last_col, cells, col_cells * nest->cell_bytes) ? HEDDLE_ELAUNCH : HEDDLE_OK;
    for (long q = 0; !error && col_cells && q < j->rows; q++)
        nest->put_last_col(c->env, c->i0 + q, c->j1, cells + (size_t)q * nest->cell_bytes);
    free(cells);
    return error;
}

static void fill_control(struct job *j)
{
    const struct heddle_wavefront *c = j->call;
    struct heddle_gpu_control *k = &j->control;
    k->i0 = c->i0, k->i1 = c->i1, k->j0 = c->j0, k->j1 = c->j1;
    k->timeout_ns = (uint64_t)(heddle__option_seconds("timeout") * 1e9);
    k->progress = (uint64_t *)(void *)(j->device + j->at.progress);
    if (j->host_device)
        k->edges = j->device + j->at.edges;
    k->env = j->device + j->at.env;
    k->red_start = j->device + j->at.red_start;
    k->red = j->device + j->at.red;
    if (j->host_border) {
        k->north = j->device + j->at.north;
        k->west = j->device + j->at.west;
        k->last_row = j->device + j->at.last_row;
        k->last_col = j->device + j->at.last_col;
    }
    memset(j->host + j->at.progress, 0, j->at.head - j->at.progress);
    if (j->star) {
        heddle__sweeps_items(k, (uint32_t *)(void *)(j->host + j->at.items));
        k->item = (const uint32_t *)(const void *)(j->device + j->at.items);
    }
    memcpy(j->host, k, sizeof *k);
    memcpy(j->host + j->at.red_start, c->red, c->nest->red_bytes);
    c->nest->red_start(j->host + j->at.red_start);
}

static void trace_device(const struct job *j, const char *what, int64_t begin)
{
    char group[32];
    if (!heddle__trace_on())
        return;
    snprintf(group, sizeof group, "device %d", j->launch.device);
    heddle__trace_span(heddle__trace_track(group, "nests"), heddle__trace_name(what), begin, heddle__trace_now());
}

/* ---- hybrid layout: cells and gathered inputs in buffers of their own ---- */

static size_t hybrid_cells(const struct job *j)
{
    const struct heddle_hybrid at = {.rows = j->rows, .columns = j->columns, .h = j->control.tile_h};
    return j->hybrid ? heddle_hybrid_count(&at) : 0;
}

static void free_hybrid(struct job *j)
{
    if (j->control.cells)
        omp_target_free(j->control.cells, j->launch.device);
    if (j->control.far)
        omp_target_free(j->control.far, j->launch.device);
    j->control.cells = j->control.far = NULL;
}

/* `maps`: bytes that mapping the arrays will take as well. */
static int reserve_hybrid(struct job *j, size_t maps)
{
    const struct heddle_nest *nest = j->call->nest;
    const size_t count = hybrid_cells(j);
    if (!count)
        return HEDDLE_OK;
    if (count > (SIZE_MAX >> 8) / (nest->cell_bytes + nest->far_bytes + 1) ||
        count * (nest->cell_bytes + nest->far_bytes) + maps + (64u << 20) > memory_free(j->launch.device))
        return HEDDLE_ENOMEM;
    j->control.cells = omp_target_alloc(count * nest->cell_bytes, j->launch.device);
    if (nest->far_bytes)
        j->control.far = omp_target_alloc(count * nest->far_bytes, j->launch.device);
    if (j->control.cells && (j->control.far || !nest->far_bytes))
        return HEDDLE_OK;
    free_hybrid(j);
    return HEDDLE_ENOMEM;
}

/* Gathers what cells read before the nest, or scatters what they became after it. */
static int convert(struct job *j, bool scatter)
{
    const struct heddle_nest *nest = j->call->nest;
    struct heddle_gpu_call call = j->launch;
    const int64_t which = scatter;
    const double start = heddle__now();
    if (!j->hybrid || (scatter ? !(nest->flags & HEDDLE_NEST_STORE) || j->call->trial : !nest->far_bytes))
        return HEDDLE_OK;
    call.what = HEDDLE_GPU_CONVERT;
    call.teams = 8 * multiprocessors(call.device);
    if (to_device(j, offsetof(struct heddle_gpu_control, scatter), &which, sizeof which))
        return HEDDLE_ELAUNCH;
    nest->gpu(&call);
    heddle__verbose("device %d: %s the hybrid layout, %.6f s", call.device, scatter ? "from" : "into", heddle__now() - start);
    return fallback_noted ? HEDDLE_ELAUNCH : HEDDLE_OK;
}

static int launch(struct job *j)
{
    const struct heddle_nest *nest = j->call->nest;
    const double start = heddle__now();
    fallback_noted = 0;
    if (to_device(j, 0, j->host, j->at.head))
        return HEDDLE_ELAUNCH;
    if (convert(j, false))
        return HEDDLE_ELAUNCH;
    const double kernel = heddle__now();
    const int64_t begin = heddle__trace_now();
    nest->gpu(&j->launch);
    heddle__report()->kernel_seconds = heddle__now() - kernel;
    trace_device(j, "kernel", begin);
    if (fallback_noted || from_device(j, 0, j->host, j->at.progress))
        return HEDDLE_ELAUNCH;
    struct heddle_gpu_control came;
    const struct heddle_gpu_control *back = memcpy(&came, j->host, sizeof came);
    if (heddle__in_memory(j->schedule)) {
        heddle__report()->device_seconds += came.ended > came.began ? 1e-9 * (double)(came.ended - came.began) : 0;
        heddle__timers_end(&came, j->launch.teams, j->launch.device);
    }
    heddle__verbose("device %d: %d teams of %d threads, %d rows a lane, transfers of control %.6f s", j->launch.device,
                    j->launch.teams, j->launch.threads, j->launch.rows_per_lane,
                    heddle__now() - start - heddle__report()->kernel_seconds);
    if (back->error) {
        heddle__warn(j->call->nest, "device %d: tile row %ld saw no progress from the one above for %s s (HEDDLE_TIMEOUT)",
                     j->launch.device, (long)back->error - 1, heddle_option_get("timeout"));
        return HEDDLE_ETIMEDOUT;
    }
    return convert(j, true);
}

/* Do a launch's row blocks hand on words with tags? */
static bool has_edges(const struct job *j)
{
    const bool words = j->launch.what == HEDDLE_GPU_REGISTERS || j->launch.what == HEDDLE_GPU_SCAN || j->star || j->control.tagged;
    return words && !j->host_device;
}

/* Sweep t, which is all there is where no loop over sweeps is around the nest; of stars, `sweeps` from t on. */
static int run_sweep(struct job *j, struct workspace *w, long t, long sweeps)
{
    const struct heddle_nest *nest = j->call->nest;
    int error = has_edges(j) ? reserve_edges(w, j) : HEDDLE_OK; /* tags of its own */
    if (error)
        return error;
    j->control.sweep0 = t;
    j->control.sweeps = sweeps;
    if (nest->set_sweep)
        nest->set_sweep(j->host + j->at.env, t);
    if (!j->host_device && heddle__in_memory(j->schedule) &&
        (error = heddle__timers_begin(&j->control, j->launch.teams, j->launch.device)) != HEDDLE_OK)
        return error;
    fill_control(j);
    error = launch(j);
    for (long k = 0; !error && !j->call->trial && k < j->results; k++)
        nest->red_join(j->call->red, j->host + j->at.red + (size_t)k * nest->red_bytes);
    return error;
}

/* With the device locked, its memory reserved and the arrays mapped. */
static int run_mapped(struct job *j, struct workspace *w)
{
    const long most = j->star ? heddle__sweeps_passes(j->call) * HEDDLE_SWEEP_DEPTH : 1;
    int error = j->host_border ? pack_borders(j) : HEDDLE_OK;
    for (long t = j->call->t0; !error && t <= j->call->t1; t += most)
        error = run_sweep(j, w, t, most < j->call->t1 - t + 1 ? most : j->call->t1 - t + 1);
    return error;
}

static int run_locked(struct job *j, struct workspace *w)
{
    struct heddle_wavefront *c = j->call;
    const int device = j->launch.device;
    struct heddle_device_info info;
    const size_t maps = heddle__maps_bytes(c->maps, c->nmaps, device);
    int error = reserve(w, j->at.total, device);
    if (!error && has_edges(j)) /* before the arrays take what memory there is */
        error = reserve_edges(w, j);
    if (error)
        return error;
    /* libomptarget aborts the program when a mapping does not fit: look first */
    if (!heddle_device_info(device, &info) && info.memory_free && maps + (64u << 20) > info.memory_free)
        return HEDDLE_ENOMEM;
    if ((error = reserve_hybrid(j, maps)) != HEDDLE_OK)
        return error;
    j->device = w->base;
    j->launch.control = w->base;
    j->host = malloc(j->at.head);
    if (!j->host)
        return free_hybrid(j), HEDDLE_ENOMEM;
    memset(j->host, 0, j->at.head);
    memcpy(j->host + j->at.env, c->env, c->nest->env_bytes);
    int64_t begin = heddle__trace_now();
    error = heddle__maps_enter(c->maps, c->nmaps, device, j->host + j->at.env);
    trace_device(j, "map to the device", begin);
    if (!error) {
        error = run_mapped(j, w);
        begin = heddle__trace_now();
        heddle__maps_exit(c->maps, c->nmaps, device, !error);
        trace_device(j, "map from the device", begin);
        if (!error && j->host_border && !c->trial)
            error = unpack_results(j);
    }
    free(j->host);
    free_hybrid(j);
    return error;
}

int heddle__wavefront_gpu(struct heddle_wavefront *call, int schedule, int device)
{
    struct job j = {.call = call, .rows = call->i1 - call->i0 + 1, .columns = call->j1 - call->j0 + 1};
    const int arch = heddle__architecture(call->nest, device);
    if (device >= MAX_DEVICES)
        return HEDDLE_ENODEV;
    pthread_once(&once, init_locks);
    j.launch.device = device;
    j.schedule = schedule;
    heddle__report()->device_seconds = 0;
    j.host_border = arch != HEDDLE_ARCH_HOST && (call->nest->flags & HEDDLE_NEST_HOST_BORDER);
    j.host_device = arch == HEDDLE_ARCH_HOST;
    if (j.host_device)
        size_host_device(&j, schedule);
    else if (schedule == HEDDLE_SCHEDULE_REGISTERS && call->nest->star && call->t1 - call->t0 + 1 >= STAR_FROM)
        size_sweeps(&j, device);
    else if (schedule == HEDDLE_SCHEDULE_REGISTERS)
        size_registers(&j, device);
    else if (schedule == HEDDLE_SCHEDULE_SCAN)
        size_scan(&j, device);
    else
        size_tiles(&j, schedule, device);
    lay_out(&j);
    struct workspace *w = &workspaces[device];
    pthread_mutex_lock(&w->lock);
    const int error = run_locked(&j, w);
    pthread_mutex_unlock(&w->lock);
    heddle__report()->workers = schedule == HEDDLE_SCHEDULE_REGISTERS ? (int)j.results : j.launch.teams;
    heddle__report()->layout = !heddle__in_memory(schedule) ? "" : j.hybrid ? "hybrid" : "row";
    heddle__report()->tile_h = heddle__in_memory(schedule) ? (long)j.control.tile_h : 0;
    heddle__report()->tile_w = heddle__in_memory(schedule) ? (long)j.control.tile_w : 0;
    heddle__report()->rows_per_worker = (int)(j.rows / (j.control.row_blocks ? j.control.row_blocks : 1));
    return error;
}
