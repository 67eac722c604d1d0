/* SPDX-License-Identifier: Apache-2.0 */
/* How many workers, row blocks and bytes a wavefront nest takes on an offload device, for each schedule. */
#include "job.h"
#include <string.h>

enum { SCAN_WARPS = 16, SCAN_WARPS_PER_SM = 32 };

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }

int heddle__multiprocessors(int device) {
    const struct heddle_device_info *facts = heddle__device_facts(device);
    return facts ? facts->units : 1;
}

/* Rows per lane and warps per multiprocessor. Eight rows make the cheapest cells once every scheduler has two
   warps; below that, latency counts and shorter chains of four rows win. Warps that only wait cost the others
   time, so there are no more than row blocks, and no more than fit between the first and the last column at
   the distance that neighbours keep. Found on an H100 with bench-score under HEDDLE_TUNE=rows-per-lane and warps. */
enum { NEIGHBOUR_WARPS = 3 /* columns, in warps' widths: one of skew, two chunks */, SHARED_BYTES = 164 * 1024 };

size_t heddle__memory_free(int device) {
    struct heddle_device_info info;
    return heddle_device_info(device, &info) || !info.memory_free ? SIZE_MAX : info.memory_free;
}

/* Columns of an edge buffer: a warp writes as many more as it has lanes, and a processor's vectors read some. */
static long edge_columns(const struct job *j) {
    return (long)aligned((size_t)(j->columns + (j->image.warp > 32 ? j->image.warp : 32) + 1));
}

/* Of `ring` row blocks' bottom rows under way. */
size_t heddle__job_edge_bytes(const struct job *j, long ring) {
    const size_t words = (j->call->nest->edge_bytes + 3) / 4;
    if (j->in_place)
        return heddle__sweeps_edge_bytes(j->call, j->image.warp);
    return (size_t)ring * words * (size_t)edge_columns(j) * sizeof(uint64_t);
}

static long clamp(long v, long low, long high) { return v < low ? low : v > high ? high : v; }

static void size_registers(struct job *j, int device, int devices) {
    const int sms = heddle__multiprocessors(device) * devices;
    const long forced_rows = heddle__option_long("rows-per-lane", 0, 8);
    const long forced_warps = clamp(heddle__option_long("warps", 0, 64), 0, 16);
    const struct heddle_nest *nest = j->call->nest;
    const bool extended = nest->flags & HEDDLE_NEST_EXTENDED;
    const long warp = j->image.warp;
    const size_t state = nest->cell_bytes + nest->edge_bytes; /* times eight rows: registers */
    const long k = forced_rows == 4 || forced_rows == (extended ? 2 : 8) ? forced_rows
                   : j->image.rows_per_lane                              ? j->image.rows_per_lane
                   : extended                                            ? 2
                   : state <= 8 && j->rows / (warp * 8) >= 6L * sms      ? 8
                                                                         : 4;
    const long blocks = (j->rows + warp * k - 1) / (warp * k);
    const long distance = NEIGHBOUR_WARPS * warp + (extended ? (1 + nest->after) * warp * k - warp : 0);
    const long useful = clamp(j->columns / distance + 1, 1, blocks);
    long warps = forced_warps ? forced_warps : clamp((useful + sms - 1) / sms, 1, 8);
    /* shared memory of a multiprocessor since sm_80, less what each block costs beside; a block has one warp then */
    const int shared = j->image.shared_bytes[k != 4];
    if (shared && warps > SHARED_BYTES / (shared + 1024))
        warps = SHARED_BYTES / (shared + 1024);
    while (warps > 1 && heddle__job_edge_bytes(j, sms * warps + 1) > heddle__memory_free(device) / 2)
        warps /= 2; /* very long rows: fewer in flight */
    j->launch.what = HEDDLE_GPU_REGISTERS;
    j->launch.rows_per_lane = (int)k;
    const long own = heddle__multiprocessors(device), teams = shared ? warps * own : own,
               most = (blocks + devices - 1) / devices;
    j->launch.teams = (int)(most < teams ? most : teams);
    j->launch.threads = (int)(shared ? warp : warps * warp);
    j->control.row_blocks = blocks;
    j->results = (long)j->launch.teams * (j->launch.threads / j->image.warp);
    j->control.ring = j->results + 1;
}

/* Sweeps from which they run several at once: the pipeline's fill takes as long as so many launches of one sweep, found
   on an H100 with bench-methods --recurrence=heat2d-sweeps under HEDDLE_TUNE=sweeps. */
static long many_sweeps_from(long rows) { return rows <= 1024 ? 5 : rows <= 4096 ? 6 : 7; }

static bool many_sweeps(const struct heddle_wavefront *call) {
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read("sweeps", option, sizeof option);
    if (!strcmp(option, "one") || !strcmp(option, "many"))
        return option[0] == 'm';
    if (strcmp(option, "auto") != 0)
        heddle__option_bad("sweeps", option);
    return call->t1 - call->t0 + 1 >= many_sweeps_from(call->i1 - call->i0 + 1);
}

/* Row blocks of many passes run at once, so it is registers that bound the warps: blocks of four leave none over. */
static void size_sweeps(struct job *j, int device) {
    enum { TEAM_WARPS = 4, WARPS = 16 /* per multiprocessor */ };
    const int sms = heddle__multiprocessors(device);
    const long forced = heddle__option_long("warps", 0, 64), warps = forced ? forced : WARPS;
    const long passes = heddle__sweeps_passes(j->call), blocks = heddle__sweeps_blocks(j->call, j->image.warp);
    const long teams = (clamp(passes * blocks, 1, sms * warps) + TEAM_WARPS - 1) / TEAM_WARPS;
    j->in_place = 1;
    j->launch.what = HEDDLE_GPU_SWEEPS;
    j->launch.teams = (int)teams;
    j->launch.threads = TEAM_WARPS * j->image.warp;
    j->control.row_blocks = blocks;
    j->control.edge_stride = heddle__sweeps_stride(j->call, j->image.warp);
    j->results = teams * TEAM_WARPS;
}

static void size_tiles(struct job *j, int schedule, int device) {
    const struct heddle__tiling t = heddle__tiling(j->call, schedule, device);
    heddle__tile_control(&j->control, j->call->nest, &t);
    j->hybrid = t.hybrid;
    j->launch.what = t.hybrid ? HEDDLE_GPU_HYBRID : HEDDLE_GPU_TILES;
    j->launch.teams = (int)t.teams;
    j->launch.threads = (int)clamp(t.h, j->image.warp, HEDDLE_TILE_THREADS);
    j->results = t.teams * (j->launch.threads / j->image.warp);
}

/* Prefix sums: tiles of `warps` parts. Two words of mail per row and column of each. */
size_t heddle__job_mail_bytes(const struct job *j) {
    const struct heddle_gpu_control *c = &j->control;
    return (size_t)(c->batch * c->row_blocks * c->tiles_across) * (size_t)(c->tile_h + c->tile_w) *
           (j->call->nest->sum_bytes * 2);
}

static void size_scan(struct job *j, int device) {
    enum { MAIL = 1 << 28 /* bytes: so many independent sums in one launch */ };
    const struct heddle_nest *nest = j->call->nest;
    const long forced_warps = heddle__option_long("warps", 0, 16), columns = HEDDLE_SCAN_COLUMNS;
    const long warps = clamp(forced_warps ? forced_warps : SCAN_WARPS, columns / j->image.warp, HEDDLE_SCAN_WARPS);
    j->launch.what = HEDDLE_GPU_SCAN;
    j->launch.rows_per_lane = j->image.scan_rows;
    j->control.tile_h = warps * j->image.scan_rows;
    j->control.tile_w = columns;
    j->control.row_blocks = (j->rows + j->control.tile_h - 1) / j->control.tile_h;
    j->control.tiles_across = (j->columns + columns - 1) / columns;
    const long tiles = j->control.row_blocks * j->control.tiles_across;
    j->control.batch = 1;
    if (nest->flags & HEDDLE_NEST_BATCH)
        j->control.batch = clamp(MAIL / (long)heddle__job_mail_bytes(j), 1, j->call->t1 - j->call->t0 + 1);
    /* more than fit at once: those that start late find no ticket left */
    j->launch.teams =
        (int)clamp(tiles * j->control.batch, 1, (long)heddle__multiprocessors(device) * (SCAN_WARPS_PER_SM / warps));
    j->launch.threads = (int)warps * j->image.warp;
    j->control.ring = 1;
}

/* On an x86_64 device the CPU engine runs in the kernel, on one thread. */
static void size_host_device(struct job *j, int schedule) {
    const struct heddle_nest *nest = j->call->nest;
    j->launch.teams = j->launch.threads = 1;
    j->launch.rows_per_lane = 4;
    j->launch.what = schedule == HEDDLE_SCHEDULE_SCAN ? HEDDLE_GPU_SCAN : HEDDLE_GPU_REGISTERS;
    j->results = 1;
    if (heddle__in_memory(schedule)) {
        const long h = j->call->tile_h ? j->call->tile_h : 64;
        const struct heddle__tiling t = {.schedule = schedule,
                                         .rows = j->rows,
                                         .columns = j->columns,
                                         .h = h,
                                         .w = j->call->tile_w ? j->call->tile_w : h,
                                         .teams = 1};
        heddle__tile_control(&j->control, nest, &t);
        j->launch.what = HEDDLE_GPU_TILES;
        return;
    }
    j->control.tile_h = 0;
    const long rows = nest->cpu_rows(HEDDLE_ISA_BASE);
    j->control.row_blocks = (j->rows + rows - 1) / rows;
    j->control.ring = 2;
}

long heddle__job_block_rows(const struct job *j) {
    return j->host_device ? j->call->nest->cpu_rows(HEDDLE_ISA_BASE) : (long)j->image.warp * j->launch.rows_per_lane;
}

void heddle__job_lay_out(struct job *j) {
    const struct heddle_nest *nest = j->call->nest;
    struct layout *at = &j->at;
    const size_t columns = (size_t)j->columns, rows = (size_t)j->rows;
    if (!j->in_place)
        j->control.edge_stride = edge_columns(j);
    at->env = aligned(sizeof j->control);
    at->red_start = at->env + aligned(nest->env_bytes);
    at->red = at->red_start + aligned(nest->red_bytes);
    at->progress = at->red + aligned((size_t)j->results * nest->red_bytes);
    at->items = at->progress + (size_t)j->control.ring * HEDDLE_FLAG_WORDS * sizeof(uint64_t);
    if (j->in_place)
        at->items = at->progress + (size_t)(heddle__sweeps_passes(j->call) * j->control.row_blocks) * sizeof(uint64_t);
    at->head = at->items + (j->in_place ? (at->items - at->progress) / 2 : 0);
    at->edges = aligned(at->head);
    /* an x86_64 device has plain edge cells here; a GPU's edge buffers are apart */
    at->top_halo =
        at->edges +
        (j->host_device ? aligned((size_t)j->control.ring * (size_t)j->control.edge_stride * nest->edge_bytes) : 0);
    at->left_halo = at->top_halo +
                    (j->host_border ? aligned((columns + (size_t)(nest->before + nest->after)) * nest->edge_bytes) : 0);
    at->side_halo = at->left_halo + (j->host_border ? aligned(rows * nest->cell_bytes) : 0);
    at->last_row = at->side_halo +
                   (j->host_border && nest->flags & HEDDLE_NEST_EXTENDED ? aligned(rows * 2 * nest->edge_bytes) : 0);
    at->last_col = at->last_row + (j->host_border ? aligned((size_t)nest->last_rows * columns * nest->cell_bytes) : 0);
    at->total = at->last_col + (j->host_border && nest->last_col ? aligned(rows * nest->cell_bytes) : 0) + 256;
}

void heddle__job_size(struct job *j, int schedule, int devices) {
    const int device = j->launch.device;
    if (j->host_device)
        size_host_device(j, schedule);
    else if (schedule == HEDDLE_SCHEDULE_REGISTERS && j->call->nest->in_place && many_sweeps(j->call))
        size_sweeps(j, device);
    else if (schedule == HEDDLE_SCHEDULE_REGISTERS)
        size_registers(j, device, devices);
    else if (schedule == HEDDLE_SCHEDULE_SCAN)
        size_scan(j, device);
    else
        size_tiles(j, schedule, device);
    const int what = j->launch.what;
    j->tagged = !j->host_device &&
                (what == HEDDLE_GPU_REGISTERS || what == HEDDLE_GPU_SCAN || j->in_place || j->control.tagged);
    j->control.devices = j->control.deal = 1;
    j->control.self = 0;
    j->control.tickets = j->control.row_blocks;
}
