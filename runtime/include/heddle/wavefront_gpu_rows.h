/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form of a wavefront nest on a GPU: a warp owns 32 x HEDDLE_K rows, lane l HEDDLE_K consecutive
 * ones, and works one column behind lane l - 1. Carried values stay in registers; a shuffle hands each
 * lane's bottom cell to the next lane; the last lane writes the warp's bottom row to an edge buffer in
 * memory, and a progress word with release/acquire order tells the warp that owns the rows below.
 *
 * Row blocks are taken by an atomic ticket in dependence order, so the block a warp waits for has been taken
 * by a warp that is running: no deadlock whatever the number of warps. (PeerWave, ICS 2015, gives a tile row
 * to an SM and uses one flag per tile; here the row belongs to a warp and the flag is a counter.)
 *
 * Included by heddle/wavefront.h once per HEDDLE_K. No include guard.
 */
#define HEDDLE_G(name) HEDDLE_PASTE(HEDDLE_N(name), HEDDLE_K)

struct HEDDLE_G(warp) {
    struct HEDDLE_N(row) row[HEDDLE_K];
    struct HEDDLE_N(cell) left[HEDDLE_K];
    struct HEDDLE_N(edge) diagonal, bottom;
    long i;     /* this lane's first row */
    int live;   /* how many of its rows exist */
    int lane;
};

/* One column of a lane. `all` is a constant: every row exists. */
static HEDDLE_INLINE void HEDDLE_G(column)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp, long j,
                                           const struct HEDDLE_N(col) *col, struct HEDDLE_N(edge) up,
                                           int all, const struct heddle_gpu_control *c,
                                           struct HEDDLE_N(red) *red)
{
    struct HEDDLE_N(edge) nw = wp->diagonal, n = up;
    wp->diagonal = up;
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++) {
        if (!all && k >= wp->live)
            break;
        struct HEDDLE_N(cell) w = wp->left[k];
        struct HEDDLE_N(cell) v =
            HEDDLE_N(compute)(env, wp->i + k, j, &wp->row[k], col, n, w, nw, red);
        nw = HEDDLE_N(edge_of)(&w);
        n = HEDDLE_N(edge_of)(&v);
        wp->left[k] = v;
        if (HEDDLE_N(STORE))
            HEDDLE_N(store)(env, wp->i + k, j, &v);
        if (!all && HEDDLE_N(LAST_ROWS) && wp->i + k > c->i1 - HEDDLE_N(LAST_ROWS))
            HEDDLE_N(put_last_row)(env, c, wp->i + k, j, &v);
    }
    wp->bottom = n;
}

static HEDDLE_INLINE void HEDDLE_G(begin)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                          const struct heddle_gpu_control *c, long block)
{
    const long rows = HEDDLE_WARP * HEDDLE_K;
    wp->i = c->i0 + block * rows + (long)wp->lane * HEDDLE_K;
    wp->live = wp->i > c->i1 ? 0 : wp->i + HEDDLE_K - 1 <= c->i1 ? HEDDLE_K : (int)(c->i1 - wp->i + 1);
    memset(&wp->diagonal, 0, sizeof wp->diagonal);
    memset(&wp->bottom, 0, sizeof wp->bottom);
    if (HEDDLE_N(CORNER) && wp->live > 0) {
        if (wp->i == c->i0) {
            HEDDLE_N(get_north)(env, c, -1, &wp->diagonal);
        } else {
            struct HEDDLE_N(cell) w;
            HEDDLE_N(get_west)(env, c, wp->i - 1, &w);
            wp->diagonal = HEDDLE_N(edge_of)(&w);
        }
    }
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++) {
        const long i = wp->i + k <= c->i1 ? wp->i + k : c->i1;
        HEDDLE_N(load_row)(env, i, &wp->row[k]);
        HEDDLE_N(get_west)(env, c, i, &wp->left[k]);
    }
}

/* Rows of one block, all columns. Returns 0, or 1 when the row above gave up. */
static HEDDLE_INLINE int HEDDLE_G(block)(const struct HEDDLE_N(env) *env,
                                         const struct heddle_gpu_control *c, long block,
                                         struct HEDDLE_N(red) *red)
{
    struct HEDDLE_G(warp) wp;
    wp.lane = heddle_thread() & (HEDDLE_WARP - 1);
    HEDDLE_G(begin)(env, &wp, c, block);
    const long columns = c->j1 - c->j0 + 1;
    const int slot = (int)(block % c->ring), above = (int)((block + c->ring - 1) % c->ring);
    struct HEDDLE_N(edge) *out = (struct HEDDLE_N(edge) *)c->edges + slot * c->edge_stride;
    const struct HEDDLE_N(edge) *in = (const struct HEDDLE_N(edge) *)c->edges + above * c->edge_stride;
    uint64_t *done = c->progress + (long)slot * HEDDLE_FLAG_WORDS;
    const uint64_t *ready = c->progress + (long)above * HEDDLE_FLAG_WORDS;
    const int last_block = block == c->row_blocks - 1;
    /* blocks that hold rows to be stored at the end take the general path */
    const int all = c->i0 + (block + 1) * HEDDLE_WARP * HEDDLE_K - 1 <= c->i1 - HEDDLE_N(LAST_ROWS);
    long available = block ? 0 : columns;

    for (long s0 = 0; s0 < columns + HEDDLE_WARP - 1; s0 += HEDDLE_GPU_CHUNK) {
        struct HEDDLE_N(edge) entering;
        memset(&entering, 0, sizeof entering);
        const long need = s0 + HEDDLE_GPU_CHUNK < columns ? s0 + HEDDLE_GPU_CHUNK : columns;
        if (available < need) {
            available = heddle_wait_row(c, ready, block - 1, need);
            if (available < 0) {
                heddle_publish(done, block, -1);
                return 1;
            }
        }
        if (s0 + wp.lane < columns) {
            if (block)
                entering = in[s0 + wp.lane];
            else
                HEDDLE_N(get_north)(env, c, s0 + wp.lane, &entering);
        }
        if (all && s0 >= HEDDLE_WARP - 1 && s0 + HEDDLE_GPU_CHUNK <= columns) {
            struct HEDDLE_N(col) col, next;
            HEDDLE_N(load_col)(env, c->j0 + s0 - wp.lane, &next);
#pragma unroll
            for (int t = 0; t < HEDDLE_GPU_CHUNK; t++) {
                const long j = s0 + t - wp.lane;
                struct HEDDLE_N(edge) up = HEDDLE_N(shuffle_up)(wp.bottom);
                struct HEDDLE_N(edge) first = HEDDLE_N(shuffle)(entering, t);
                if (wp.lane == 0)
                    up = first;
                col = next;
                if (t + 1 < HEDDLE_GPU_CHUNK)
                    HEDDLE_N(load_col)(env, c->j0 + j + 1, &next);
                HEDDLE_G(column)(env, &wp, c->j0 + j, &col, up, 1, c, red);
                if (wp.lane == HEDDLE_WARP - 1)
                    out[j] = wp.bottom;
            }
        } else {
            for (int t = 0; t < HEDDLE_GPU_CHUNK; t++) {
                const long j = s0 + t - wp.lane;
                struct HEDDLE_N(edge) up = HEDDLE_N(shuffle_up)(wp.bottom);
                struct HEDDLE_N(edge) first = HEDDLE_N(shuffle)(entering, t);
                if (wp.lane == 0)
                    up = first;
                if (j >= 0 && j < columns) {
                    struct HEDDLE_N(col) col;
                    HEDDLE_N(load_col)(env, c->j0 + j, &col);
                    HEDDLE_G(column)(env, &wp, c->j0 + j, &col, up, 0, c, red);
                    if (wp.lane == HEDDLE_WARP - 1 && !last_block)
                        out[j] = wp.bottom;
                }
            }
        }
        heddle_warp_sync();
        if (wp.lane == HEDDLE_WARP - 1 && s0)
            heddle_publish(done, block, s0 + 1 < columns ? s0 + 1 : columns);
    }
    if (HEDDLE_N(LAST_COL))
        for (int k = 0; k < HEDDLE_K; k++)
            if (k < wp.live)
                HEDDLE_N(put_last_col)(env, c, wp.i + k, &wp.left[k]);
    return 0;
}

static HEDDLE_UNUSED void HEDDLE_G(kernel)(struct heddle_gpu_control *control)
{
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)control->env;
    const struct heddle_gpu_control c = *control;
    struct HEDDLE_N(red) red = *(const struct HEDDLE_N(red) *)c.red_start;
    for (;;) {
        const long block = heddle_take_ticket(&control->ticket);
        if (block >= c.row_blocks)
            break;
        if (HEDDLE_G(block)(&env, &c, block, &red))
            heddle_report(control, block);
    }
    HEDDLE_N(reduce_warp)(&red);
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        ((struct HEDDLE_N(red) *)c.red)[(heddle_block() * heddle_threads() + heddle_thread()) / HEDDLE_WARP] = red;
}

static void HEDDLE_G(launch)(const struct heddle_gpu_call *call)
{
    struct heddle_gpu_control *control = call->control;
    const int teams = call->teams, threads = call->threads, device = call->device;
#pragma omp target teams ompx_bare num_teams(teams) thread_limit(threads) is_device_ptr(control) device(device)
    {
#ifdef __NVPTX__
        HEDDLE_G(kernel)(control);
#else
        HEDDLE_N(host_device)(control);
#endif
    }
}
#undef HEDDLE_G
