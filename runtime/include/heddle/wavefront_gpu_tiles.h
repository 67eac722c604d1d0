/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory form of a wavefront nest on a GPU: the user's body with its arrays in memory, on hyper-tiles of
 * tile_h rows (one thread each, SKEW columns apart) by tile_w steps, with a block barrier after every step.
 * Peer schedule: a tile row belongs to a block, neighbours signal by progress words (PeerWave, ICS 2015,
 * sections 3.1 to 3.3). Barrier schedule: a grid barrier after every diagonal of tiles, the form peers are
 * compared with. Both run the same tiles.
 *
 * Included by heddle/wavefront.h. No include guard.
 */
#ifdef __NVPTX__
/* One tile: steps s0 … s1 - 1 of the tile row whose first row is i0. */
static HEDDLE_INLINE void HEDDLE_N(gpu_tile)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                             long i, long s0, long s1, struct HEDDLE_N(red) *red)
{
    const long columns = c->j1 - c->j0 + 1, shift = (long)heddle_thread() * HEDDLE_N(SKEW);
    const int live = i <= c->i1;
#pragma clang loop unroll(disable)
    for (long s = s0; s < s1; s++) {
        const long column = s - shift;
        if (live && column >= 0 && column < columns)
            HEDDLE_N(visit)(env, i, c->j0 + column, red);
        heddle_block_sync();
    }
}

/* Steps of the row above that must be done before step `s` may run: its last row is that far behind. */
static HEDDLE_INLINE long HEDDLE_N(gpu_need)(const struct heddle_gpu_control *c, long s, long steps)
{
    const long need = s + HEDDLE_N(AHEAD) + (c->tile_h - 1) * HEDDLE_N(SKEW);
    return need < steps ? need : steps;
}

/* Block-wide values go through a word of shared memory. */
static HEDDLE_INLINE long HEDDLE_N(gpu_share)(long value)
{
    static uint64_t word;
#pragma omp allocate(word) allocator(omp_pteam_mem_alloc)
    if (heddle_thread() == 0)
        word = (uint64_t)value;
    heddle_block_sync();
    const long v = (long)word;
    heddle_block_sync();
    return v;
}

static HEDDLE_INLINE void HEDDLE_N(gpu_peer)(struct heddle_gpu_control *control, const struct HEDDLE_N(env) *env,
                               const struct heddle_gpu_control *c, struct HEDDLE_N(red) *red)
{
    const long steps = c->j1 - c->j0 + 1 + (c->tile_h - 1) * HEDDLE_N(SKEW);
    for (;;) {
        long row = 0;
        if (heddle_thread() == 0)
            row = (long)heddle_add_relaxed(&control->ticket, 1);
        row = HEDDLE_N(gpu_share)(row);
        if (row >= c->row_blocks)
            return;
        uint64_t *done = c->progress + row % c->ring * HEDDLE_FLAG_WORDS;
        const uint64_t *ready = c->progress + (row + c->ring - 1) % c->ring * HEDDLE_FLAG_WORDS;
        const long i = c->i0 + row * c->tile_h + heddle_thread();
        long available = row ? 0 : steps;
#pragma clang loop unroll(disable)
        for (long s0 = 0; s0 < steps; s0 += c->tile_w) {
            const long s1 = s0 + c->tile_w < steps ? s0 + c->tile_w : steps;
            if (available < HEDDLE_N(gpu_need)(c, s1, steps)) {
                if (heddle_thread() == 0)
                    available = heddle_spin(c, ready, row - 1, HEDDLE_N(gpu_need)(c, s1, steps));
                available = HEDDLE_N(gpu_share)(available);
                if (available < 0) {
                    if (heddle_thread() == 0) {
                        heddle_publish(done, row, -1);
                        heddle_store_release(&control->error, (uint64_t)row + 1);
                    }
                    break;
                }
            }
            HEDDLE_N(gpu_tile)(env, c, i, s0, s1, red);
            if (heddle_thread() == 0)
                heddle_publish(done, row, s1);
        }
    }
}

/* All blocks are resident (one per multiprocessor at most), so they may wait for each other. */
static HEDDLE_INLINE int HEDDLE_N(gpu_grid_barrier)(struct heddle_gpu_control *control,
                                                    const struct heddle_gpu_control *c, uint64_t round)
{
    long ok = 1;
    heddle_block_sync();
    if (heddle_thread() == 0) {
        const uint64_t goal = round * (uint64_t)heddle_blocks(), start = heddle_clock_ns();
        heddle_add_acq_rel(&control->arrived, 1);
        while (heddle_load_acquire(&control->arrived) < goal)
            if (heddle_clock_ns() - start > c->timeout_ns) {
                heddle_store_release(&control->error, round);
                ok = 0;
                break;
            }
    }
    return (int)HEDDLE_N(gpu_share)(ok);
}

static HEDDLE_INLINE void HEDDLE_N(gpu_diagonals)(struct heddle_gpu_control *control, const struct HEDDLE_N(env) *env,
                                    const struct heddle_gpu_control *c, struct HEDDLE_N(red) *red)
{
    const long steps = c->j1 - c->j0 + 1 + (c->tile_h - 1) * HEDDLE_N(SKEW);
    const long tiles = (steps + c->tile_w - 1) / c->tile_w;
    /* tile (r, t) runs on diagonal t + r * lag, after every tile of row r - 1 it needs */
    const long lag = ((c->tile_h - 1) * HEDDLE_N(SKEW) + HEDDLE_N(AHEAD) + c->tile_w - 1) / c->tile_w + 1;
    const long diagonals = tiles + (c->row_blocks - 1) * lag;
    for (long d = 0; d < diagonals; d++) {
        long first = d < tiles ? 0 : (d - tiles) / lag + 1;
        first += (heddle_block() - first % heddle_blocks() + heddle_blocks()) % heddle_blocks();
        for (long r = first; r < c->row_blocks && r * lag <= d; r += heddle_blocks()) {
            const long s0 = (d - r * lag) * c->tile_w;
            const long s1 = s0 + c->tile_w < steps ? s0 + c->tile_w : steps;
            HEDDLE_N(gpu_tile)(env, c, c->i0 + r * c->tile_h + heddle_thread(), s0, s1, red);
        }
        if (!HEDDLE_N(gpu_grid_barrier)(control, c, (uint64_t)d + 1))
            return;
    }
}

static HEDDLE_INLINE void HEDDLE_N(gpu_tiles)(struct heddle_gpu_control *control, int barrier)
{
    /* the control record is read where it is: a copy would cost the registers that 1024 threads need */
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)control->env;
    struct HEDDLE_N(red) red = *(const struct HEDDLE_N(red) *)control->red_start;
    if (barrier)
        HEDDLE_N(gpu_diagonals)(control, &env, control, &red);
    else
        HEDDLE_N(gpu_peer)(control, &env, control, &red);
    HEDDLE_N(reduce_warp)(&red);
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        ((struct HEDDLE_N(red) *)control->red)[(heddle_block() * heddle_threads() + heddle_thread()) / HEDDLE_WARP] = red;
}
#endif

/* Two kernels rather than one with a flag: each then needs at most 64 registers for most bodies, and a block
   can have 1024 threads. */
#define HEDDLE_TILES_LAUNCH(name, barrier)                                                         \
    static void HEDDLE_N(name)(const struct heddle_gpu_call *call)                                 \
    {                                                                                              \
        struct heddle_gpu_control *control = call->control;                                        \
        const int teams = call->teams, threads = call->threads, device = call->device;             \
        _Pragma("omp target teams ompx_bare num_teams(teams) thread_limit(threads) is_device_ptr(control) device(device)") \
        {                                                                                          \
            HEDDLE_TILES_BODY(barrier);                                                            \
        }                                                                                          \
    }
#ifdef __NVPTX__
#define HEDDLE_TILES_BODY(barrier) HEDDLE_N(gpu_tiles)(control, barrier)
#else
#define HEDDLE_TILES_BODY(barrier) HEDDLE_N(host_device)(control)
#endif
HEDDLE_TILES_LAUNCH(launch_peer, 0)
HEDDLE_TILES_LAUNCH(launch_barrier, 1)
#undef HEDDLE_TILES_BODY
#undef HEDDLE_TILES_LAUNCH
