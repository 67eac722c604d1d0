/* SPDX-License-Identifier: Apache-2.0 */
/* The memory form on a GPU: how large the tiles are, how many blocks take them, and the times from inside. */
#include "device/device.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static long at_most(long v, long high) { return v < high ? v : high; }

static int units(int device) {
    struct heddle_device_info info;
    return heddle_device_info(device, &info) ? 1 : info.units;
}

/* Left to the runtime, the hybrid layout serves nests whose cells need not go back to the user's arrays: where they do,
   bringing them there costs more than the layout gains (bench-methods with HEDDLE_VERBOSE=1 prints both times). */
static bool wants_hybrid(const struct heddle_wavefront *call) {
    const unsigned flags = call->nest->flags;
    char value[HEDDLE__OPTION_MAX];
    int layout = call->layout;
    heddle__option_read("layout", value, sizeof value);
    if (!strcmp(value, "row"))
        layout = HEDDLE_LAYOUT_ROW;
    else if (!strcmp(value, "hybrid"))
        layout = HEDDLE_LAYOUT_HYBRID;
    else if (strcmp(value, "auto") != 0)
        heddle__option_bad("layout", value);
    if (!(flags & HEDDLE_NEST_REGISTERS) || flags & HEDDLE_NEST_EXTENDED || call->nest->set_sweep)
        return false;
    return layout == HEDDLE_LAYOUT_HYBRID || !(flags & HEDDLE_NEST_MEMORY) ||
           (layout == HEDDLE_LAYOUT_AUTO && !(flags & HEDDLE_NEST_STORE));
}

long heddle__group_steps(long steps) {
    enum { GROUP = HEDDLE_STAGGER * HEDDLE_FEED_GROUPS };
    return (steps + GROUP - 1) / GROUP * GROUP;
}

/* Steps that the last row of a tile is behind its first. */
static long tile_delay(const struct heddle_nest *nest, const struct heddle__tiling *t) {
    return (t->h - 1) * nest->skew + (t->hybrid ? (t->h / t->warp - 1) * HEDDLE_STAGGER : 0);
}

/* As many steps as rows; in the hybrid layout hyper-tiles as many as the last row is behind, so that a row of tiles is
   two tiles behind the one above as it would be without the stagger, and whole groups of steps. */
static long equal_width(const struct heddle_nest *nest, int schedule, const struct heddle__tiling *t) {
    const long steps = schedule == HEDDLE_SCHEDULE_PEER || schedule == HEDDLE_SCHEDULE_BARRIER
                           ? tile_delay(nest, t) / nest->skew + 1
                           : t->h;
    return t->hybrid ? heddle__group_steps(steps) : steps;
}

/* Tiles have equal sides unless the user gives both; the flexible ones' width comes with the call. */
struct heddle__tiling heddle__tiling(const struct heddle_wavefront *call, int schedule, int device) {
    struct heddle__tiling t = {.schedule = schedule,
                               .hybrid = wants_hybrid(call),
                               .rows = call->i1 - call->i0 + 1,
                               .columns = call->j1 - call->j0 + 1,
                               .warp = heddle__image(&call->nest->site, device).warp};
    const long sms = units(device), warps = heddle__option_long("warps", 0, 64);
    t.h = call->tile_h ? call->tile_h : 256;
    t.h = (t.h + t.warp - 1) / t.warp * t.warp;
    t.h = at_most(t.h, t.hybrid ? HEDDLE_TILE_THREADS : 1024);
    t.w = call->tile_w                           ? call->tile_w
          : schedule == HEDDLE_SCHEDULE_FLEXIBLE ? 32
                                                 : equal_width(call->nest, schedule, &t);
    if (t.hybrid) /* steps of a tile are counted in int there */
        t.w = at_most(t.w, 1L << 24);
    const bool barrier = schedule == HEDDLE_SCHEDULE_BARRIER || schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE;
    const long row_blocks = (t.rows + t.h - 1) / t.h;
    long per_sm = warps * t.warp / t.h;
    if (barrier) /* all blocks must be resident, and so many always are */
        per_sm = at_most(per_sm, HEDDLE_TILE_THREADS / t.h);
    t.teams = at_most(row_blocks, sms * (per_sm > 1 ? per_sm : 1));
    return t;
}

void heddle__tile_control(struct heddle_gpu_control *c, const struct heddle_nest *nest,
                          const struct heddle__tiling *t) {
    const bool square = t->schedule == HEDDLE_SCHEDULE_PEER_SQUARE || t->schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE;
    c->barrier = t->schedule == HEDDLE_SCHEDULE_BARRIER || t->schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE;
    c->tile_h = t->h;
    c->tile_w = t->w;
    c->tagged = t->hybrid && !c->barrier;
    c->skew = square ? 0 : nest->skew;
    c->delay = tile_delay(nest, t);
    c->behind = square ? 0 : c->delay;
    c->ahead = nest->ahead;
    c->row_blocks = (t->rows + t->h - 1) / t->h;
    c->ring = t->teams + 1;
    c->steps = t->columns + c->behind;
    c->tiles = (c->steps + t->w - 1) / t->w;
    c->lag = (c->behind + nest->ahead + t->w - 1) / t->w + 1;
    c->diagonals = c->tiles + (c->row_blocks - 1) * c->lag;
    c->began = UINT64_MAX;
}

/* ---- times from inside the kernel ------------------------------------------------------------------------- */

static _Thread_local struct heddle_times last;
static _Thread_local struct heddle_block_times *blocks_kept;
static _Thread_local struct heddle_tile_times *tiles_kept;

void heddle_last_times(struct heddle_times *times) { *times = last; }

static void forget(void) {
    free(blocks_kept);
    free(tiles_kept);
    blocks_kept = NULL;
    tiles_kept = NULL;
    last = (struct heddle_times){0};
}

int heddle__timers_begin(struct heddle_gpu_control *c, long blocks, int device) {
    const long room = heddle__option_long("timers", 0, 1L << 24);
    forget();
    c->timers = NULL;
    c->tile_times = NULL;
    c->tile_room = c->tile_count = 0;
    if (!room)
        return HEDDLE_OK;
    c->timers = heddle__device_alloc(device, (size_t)blocks * sizeof *c->timers);
    if (!c->timers)
        return HEDDLE_ENOMEM;
    c->tile_times = room > 1 ? heddle__device_alloc(device, (size_t)room * sizeof *c->tile_times) : NULL;
    c->tile_room = c->tile_times ? (uint64_t)room : 0;
    return HEDDLE_OK;
}

static void *fetched(const void *from, size_t bytes, int device) {
    void *to = malloc(bytes + 1);
    if (to && heddle__device_copy_out(device, to, from, bytes)) {
        free(to);
        to = NULL;
    }
    return to;
}

/* From the end of a block's last tile to the end of the last block's, fewer tiles than blocks were left. */
static void keep_blocks(const struct heddle_gpu_control *c, long blocks, const struct heddle_gpu_timer *t) {
    blocks_kept = calloc((size_t)blocks, sizeof *blocks_kept);
    for (long k = 0; blocks_kept && k < blocks; k++)
        blocks_kept[k] = (struct heddle_block_times){
            .multiprocessor = (int)t[k].sm,
            .tiles = (long)t[k].tiles,
            .busy = 1e-9 * (double)t[k].busy,
            .corner = 1e-9 * ((double)t[k].corner + (double)(t[k].begin - c->began) + (double)(c->ended - t[k].last)),
            .middle = 1e-9 * (double)t[k].middle,
            .sync = 1e-9 * (double)t[k].sync};
    last.block = blocks_kept;
    last.blocks = blocks_kept ? (int)blocks : 0;
}

static void keep_tiles(const struct heddle_gpu_control *c, const struct heddle_gpu_tile_time *t, size_t count) {
    tiles_kept = calloc(count + 1, sizeof *tiles_kept);
    for (size_t k = 0; tiles_kept && k < count; k++)
        tiles_kept[k] = (struct heddle_tile_times){1e-9 * (double)(t[k].begin - c->began),
                                                   1e-9 * (double)(t[k].end - c->began),
                                                   (int)t[k].row,
                                                   (int)t[k].tile,
                                                   (int)t[k].sm,
                                                   (int)t[k].block};
    last.tile = tiles_kept;
    last.tiles = tiles_kept ? (long)count : 0;
    last.dropped = (long)(c->tile_count - count);
}

/* `c` is the control record as it came back. */
void heddle__timers_end(struct heddle_gpu_control *c, long blocks, int device) {
    if (!c->timers)
        return;
    const size_t count = c->tile_count < c->tile_room ? c->tile_count : c->tile_room;
    struct heddle_gpu_timer *t = fetched(c->timers, (size_t)blocks * sizeof *t, device);
    struct heddle_gpu_tile_time *tiles = count ? fetched(c->tile_times, count * sizeof *tiles, device) : NULL;
    last.seconds = c->ended > c->began ? 1e-9 * (double)(c->ended - c->began) : 0;
    if (t && last.seconds > 0)
        keep_blocks(c, blocks, t);
    if (tiles)
        keep_tiles(c, tiles, count);
    free(t);
    free(tiles);
    heddle__device_free(device, c->timers);
    heddle__device_free(device, c->tile_times);
}
