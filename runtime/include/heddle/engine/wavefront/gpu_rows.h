/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form of a wavefront nest on a GPU: a warp owns 32 x HEDDLE_K rows, lane l HEDDLE_K consecutive
 * ones, and works one column behind lane l - 1. Carried values stay in registers; a shuffle hands each
 * lane's bottom cell to the next lane; the last lane sends the warp's bottom row to the warp below.
 *
 * A row travels as 64-bit words of 32 bits of data and a tag that names the row block, so each word says by
 * itself whether it has arrived: no flag, no fence, and the words of the next 32 columns are read while these
 * are computed. (PeerWave, ICS 2015, signals each tile by a flag in memory; a release after the data and an
 * acquire before it cost more than the 32 columns between them.)
 *
 * Row blocks are taken by an atomic ticket in dependence order, so the block a warp waits for has been taken
 * by a warp that is running: no deadlock whatever the number of warps. Several GPUs are dealt groups of row blocks in
 * turn; each takes its own in order, so the lowest block that is not done runs, and a row's words go to the GPU that
 * reads them.
 *
 * Included by heddle/engine/wavefront/wavefront.h once per HEDDLE_K. No include guard.
 */
#define HEDDLE_G(name) HEDDLE_PASTE(HEDDLE_N(name), HEDDLE_K)
#include <heddle/engine/wavefront/gpu_stage.h>
#include <heddle/engine/wavefront/gpu_stream.h>
#include <heddle/engine/wavefront/gpu_coming.h>

struct HEDDLE_G(warp) {
    struct HEDDLE_N(row) row[HEDDLE_K];
    struct HEDDLE_N(cell) left[HEDDLE_K];
    struct HEDDLE_N(edge) diagonal, bottom;
    struct HEDDLE_N(col) col; /* of this lane's column */
    long i;                   /* this lane's first row */
    int live;                 /* how many of its rows exist */
    int lane;
    struct HEDDLE_G(stage) stage;
    struct HEDDLE_G(stream) stream;
};

/* One column of a lane, at step s. `all` is a constant: every row exists and none is to be given back at the end.
   Otherwise a pure body is still run for all rows, and what came of rows that do not exist is dropped: no branch then.
 */
static HEDDLE_INLINE void HEDDLE_G(column)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp, long s,
                                           const struct HEDDLE_N(col) *col, struct HEDDLE_N(edge) up, int all,
                                           const struct heddle_gpu_control *c, struct HEDDLE_N(red) *red) {
    const long j = c->j0 + s - wp->lane;
    struct HEDDLE_N(edge) nw = wp->diagonal, n = up;
    struct HEDDLE_N(early) early[HEDDLE_K];
    wp->diagonal = up;
    /* all rows' loads before the first row's store to shared memory, which they would have to wait for */
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++)
        if (HEDDLE_G(STREAMED))
            HEDDLE_G(stream_get)(&wp->stream, wp->lane, k, (unsigned)s, &early[k]);
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++) {
        const int live = all || k < wp->live;
        if (!HEDDLE_N(PURE) && !live)
            break;
        const struct HEDDLE_N(red) kept = *red;
        struct HEDDLE_N(cell) w = wp->left[k];
        struct HEDDLE_N(cell) v = HEDDLE_N(compute)(env, wp->i + k, j, &wp->row[k], col, n, w, nw, red,
                                                    HEDDLE_G(STREAMED) ? &early[k] : NULL);
        if (!all)
            *red = HEDDLE_N(select_red)(live, *red, kept);
        nw = HEDDLE_N(edge_of)(&w);
        n = HEDDLE_N(edge_of)(&v);
        wp->left[k] = v;
        if (HEDDLE_G(STAGED))
            HEDDLE_G(stage_put)(&wp->stage, wp->lane, k, (unsigned)s, &v);
        else if (HEDDLE_N(STORE) && live)
            HEDDLE_N(store)(env, wp->i + k, j, &v);
        if (!all && HEDDLE_N(LAST_ROWS) > 0 && live && wp->i + k > c->i1 - HEDDLE_N(LAST_ROWS))
            HEDDLE_N(put_last_row)(env, c, wp->i + k, j, &v);
    }
    wp->bottom = n;
}

static HEDDLE_INLINE void HEDDLE_G(begin)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                          const struct heddle_gpu_control *c, long block) {
    const long rows = HEDDLE_WARP * HEDDLE_K;
    wp->i = c->i0 + block * rows + (long)wp->lane * HEDDLE_K;
    wp->live = wp->i > c->i1 ? 0 : wp->i + HEDDLE_K - 1 <= c->i1 ? HEDDLE_K : (int)(c->i1 - wp->i + 1);
    memset(&wp->col, 0, sizeof wp->col);
    memset(&wp->diagonal, 0, sizeof wp->diagonal);
    memset(&wp->bottom, 0, sizeof wp->bottom);
    if (HEDDLE_N(CORNER) && wp->live > 0) {
        if (wp->i == c->i0) {
            HEDDLE_N(get_top)(env, c, -1, &wp->diagonal);
        } else {
            struct HEDDLE_N(cell) w;
            HEDDLE_N(get_left)(env, c, wp->i - 1, &w);
            wp->diagonal = HEDDLE_N(edge_of)(&w);
        }
    }
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++) {
        const long i = wp->i + k <= c->i1 ? wp->i + k : c->i1;
        HEDDLE_N(load_row)(env, i, &wp->row[k]);
        HEDDLE_N(get_left)(env, c, i, &wp->left[k]);
    }
}

/* What enters lane 0 from the block above, and what enters the other lanes from the one before. */
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_G(above)(const struct HEDDLE_G(warp) *wp,
                                                           struct HEDDLE_N(edge) entering, int t) {
    const struct HEDDLE_N(edge) up = HEDDLE_N(shuffle_up)(wp->bottom), first = HEDDLE_N(shuffle)(entering, t);
    return HEDDLE_N(select_edge)(wp->lane == 0, first, up);
}

/* Column data travels down the lanes as the edges do: lane 0's is that of column t of the chunk. */
static HEDDLE_INLINE void HEDDLE_G(next_col)(struct HEDDLE_G(warp) *wp, const struct HEDDLE_N(col) *cols, int t) {
    const struct HEDDLE_N(col) before = HEDDLE_N(shuffle_col_up)(wp->col), first = HEDDLE_N(shuffle_col)(*cols, t);
    wp->col = HEDDLE_N(select_col)(wp->lane == 0, first, before);
}
static HEDDLE_INLINE void HEDDLE_G(load_cols)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                              long column, struct HEDDLE_N(col) *cols) {
    const long j = c->j0 + column;
    HEDDLE_N(load_col)(env, j < c->j1 ? j : c->j1, cols);
}

/* Step s at the left and right end of the nest, where some lanes are outside. */
static HEDDLE_INLINE void HEDDLE_G(step_at_end)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                                const struct heddle_gpu_control *c, const struct HEDDLE_N(link) *out,
                                                struct HEDDLE_N(edge) entering, const struct HEDDLE_N(col) *cols,
                                                long s, struct HEDDLE_N(red) *red) {
    const long j = s - wp->lane;
    const struct HEDDLE_N(edge) up = HEDDLE_G(above)(wp, entering, (int)(s % HEDDLE_GPU_CHUNK));
    HEDDLE_G(stream_advance)(&wp->stream, wp->lane, s);
    HEDDLE_G(next_col)(wp, cols, (int)(s % HEDDLE_GPU_CHUNK));
    if (j >= 0 && j <= c->j1 - c->j0) {
        HEDDLE_G(column)(env, wp, s, &wp->col, up, 0, c, red);
        if (wp->lane == HEDDLE_WARP - 1)
            HEDDLE_N(send)(out, j, wp->bottom);
    }
    HEDDLE_G(stage_flush)(&wp->stage, c, wp->lane, wp->i - wp->lane * HEDDLE_K, s + 1, 0);
}

/* Step s with all lanes inside. */
static HEDDLE_INLINE void HEDDLE_G(step)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                         const struct heddle_gpu_control *c, const struct HEDDLE_N(link) *out,
                                         struct HEDDLE_N(edge) entering, const struct HEDDLE_N(col) *cols, long s0,
                                         int t, int all, struct HEDDLE_N(red) *red) {
    const struct HEDDLE_N(edge) up = HEDDLE_G(above)(wp, entering, t);
    HEDDLE_G(next_col)(wp, cols, t);
    HEDDLE_G(stream_advance)(&wp->stream, wp->lane, s0 + t);
    HEDDLE_G(column)(env, wp, s0 + t, &wp->col, up, all, c, red);
    if (wp->lane == HEDDLE_WARP - 1)
        HEDDLE_N(send)(out, s0 + t - wp->lane, wp->bottom);
    HEDDLE_G(stage_flush)(&wp->stage, c, wp->lane, wp->i - wp->lane * HEDDLE_K, s0 + t + 1, 0);
}

/* A block can follow the one above it the more closely the later it asks for the next columns; they have to be there at
   the end of the chunk all the same. */
static HEDDLE_INLINE void HEDDLE_G(chunk)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                          const struct heddle_gpu_control *c, const struct HEDDLE_N(link) *out,
                                          struct HEDDLE_N(edge) entering, const struct HEDDLE_N(col) *cols, long s0,
                                          int all, struct HEDDLE_G(coming) *next, struct HEDDLE_N(red) *red) {
    if (s0 < HEDDLE_WARP - 1 || s0 + HEDDLE_GPU_CHUNK > c->j1 - c->j0 + 1) {
        HEDDLE_G(fetch_next)(next);
#pragma clang loop unroll(disable)
        for (int t = 0; t < HEDDLE_GPU_CHUNK; t++)
            HEDDLE_G(step_at_end)(env, wp, c, out, entering, cols, s0 + t, red);
        return;
    }
    if (all) {
#pragma unroll
        for (int t = 0; t < HEDDLE_GPU_CHUNK; t++) {
            if (t == HEDDLE_GPU_FETCH)
                HEDDLE_G(fetch_next)(next);
            HEDDLE_G(step)(env, wp, c, out, entering, cols, s0, t, 1, red);
        }
    } else {
        HEDDLE_G(fetch_next)(next);
#pragma clang loop unroll_count(2)
        for (int t = 0; t < HEDDLE_GPU_CHUNK; t++)
            HEDDLE_G(step)(env, wp, c, out, entering, cols, s0, t, 0, red);
    }
}

#include <heddle/engine/wavefront/gpu_blocks.h>
#undef HEDDLE_G
