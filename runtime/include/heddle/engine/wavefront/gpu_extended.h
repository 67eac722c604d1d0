/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form of a nest whose rows read further along the row above, on a GPU: from one column on the right (then
 * every row is two columns behind the one above, else one) to two on the left. As in heddle/engine/wavefront/gpu_rows.h
 * a warp owns 32 x HEDDLE_K rows and a lane HEDDLE_K consecutive ones; but a row takes what the one above it computed a
 * step before, in the lane too. Each keeps the last values of the row above; in a step
 *
 *     row r is at column   s - AFTER - r * PACE,   and what the row above computed in column   s - r * PACE   enters
 * it.
 *
 * So no row of a step waits for another one: a lane has HEDDLE_K independent chains, which makes up for part of the
 * longer way from the warp's first row to its last.
 *
 * A row begins AFTER columns early, when it only takes values in, and ends as many late, when it only hands on the
 * border on its right. Included by heddle/engine/wavefront/wavefront.h once per HEDDLE_K. No include guard.
 */
#define HEDDLE_G(name) HEDDLE_PASTE(HEDDLE_N(name), HEDDLE_K)
#include <heddle/engine/wavefront/gpu_stage.h>
#include <heddle/engine/wavefront/gpu_stream.h>
#include <heddle/engine/wavefront/gpu_coming.h>

struct HEDDLE_G(warp) {
    struct HEDDLE_N(row) row[HEDDLE_K];
    struct HEDDLE_N(cell) left[HEDDLE_K];
    struct HEDDLE_N(edge) up[HEDDLE_K][3]; /* of the row above: what entered last, before that, and before that */
    struct HEDDLE_N(col) col[HEDDLE_K][HEDDLE_N(PACE)]; /* of each row's column, and of the one before */
    long i;                                             /* this lane's first row */
    int live;                                           /* how many of its rows exist */
    int lane;
    struct HEDDLE_G(stage) stage;
    struct HEDDLE_G(stream) stream;
};

/* Left of the nest in row i, two columns away. */
static HEDDLE_INLINE void HEDDLE_G(get_behind)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                               long i, struct HEDDLE_N(edge) *e) {
    memset(e, 0, sizeof *e);
    if (!HEDDLE_N(HOST_BORDER))
        HEDDLE_N(load_behind)(env, i, c->j0 - 2, e);
    else if (i < c->i0)
        *e = ((const struct HEDDLE_N(edge) *)c->top_halo)[0];
    else
        *e = ((const struct HEDDLE_N(edge) *)c->side_halo)[(i - c->i0) * 2];
}

/* On its right, as a cell of which nobody reads more than that. */
static HEDDLE_INLINE struct HEDDLE_N(cell) HEDDLE_G(get_right)(const struct HEDDLE_N(env) *env,
                                                               const struct heddle_gpu_control *c, long i) {
    struct HEDDLE_N(edge) e;
    struct HEDDLE_N(cell) v;
    memset(&e, 0, sizeof e);
    memset(&v, 0, sizeof v);
    if (HEDDLE_N(HOST_BORDER))
        e = ((const struct HEDDLE_N(edge) *)c->side_halo)[(i - c->i0) * 2 + 1];
    else
        HEDDLE_N(load_right)(env, i, c->j1 + 1, &e);
#define HEDDLE_TO_CELL(type, name) v.name = e.name;
    HEDDLE_N(EDGE)(HEDDLE_TO_CELL)
#undef HEDDLE_TO_CELL
    return v;
}

/* What comes in from the lane above, or for lane 0 from the chunk that `first` of lane t belongs to. */
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_G(above)(const struct HEDDLE_G(warp) *wp,
                                                           struct HEDDLE_N(edge) entering, int t) {
    const struct HEDDLE_N(edge) up = HEDDLE_N(shuffle_up)(HEDDLE_N(edge_of)(&wp->left[HEDDLE_K - 1]));
    return HEDDLE_N(select_edge)(wp->lane == 0, HEDDLE_N(shuffle)(entering, t), up);
}
static HEDDLE_INLINE struct HEDDLE_N(col) HEDDLE_G(next_col)(const struct HEDDLE_G(warp) *wp,
                                                             const struct HEDDLE_N(col) *cols, int t) {
    const struct HEDDLE_N(col) before = HEDDLE_N(shuffle_col_up)(wp->col[HEDDLE_K - 1][HEDDLE_N(PACE) - 1]);
    return HEDDLE_N(select_col)(wp->lane == 0, HEDDLE_N(shuffle_col)(*cols, t), before);
}
static HEDDLE_INLINE void HEDDLE_G(load_cols)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                              long step, struct HEDDLE_N(col) *cols) {
    const long j = c->j0 + step - HEDDLE_N(AFTER);
    HEDDLE_N(load_col)(env, j < c->j0 ? c->j0 : j < c->j1 ? j : c->j1, cols);
}

/* Row k's cell of step s. `all` is a constant: every row is inside the nest, and none is to be given back at the end */
static HEDDLE_INLINE void HEDDLE_G(cell)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp, int k, long s,
                                         struct HEDDLE_N(edge) in, const struct HEDDLE_N(early) *early, int all,
                                         const struct heddle_gpu_control *c, struct HEDDLE_N(red) *red) {
    enum { A = HEDDLE_N(AFTER) };
    const long column = s - HEDDLE_BEHIND(wp->lane * HEDDLE_K + k), i = wp->i + k, columns = c->j1 - c->j0 + 1;
    const int inside = all || (column >= 0 && column < columns && k < wp->live);
    struct HEDDLE_N(edge) *up = wp->up[k];
    if (HEDDLE_N(PURE) || inside) {
        const struct HEDDLE_N(red) kept = *red;
        const struct HEDDLE_N(cell) v =
            HEDDLE_N(compute_wide)(env, i, c->j0 + column, &wp->row[k], &wp->col[k][0], A ? up[0] : in, wp->left[k],
                                   up[A], in, up[A + 1], red, HEDDLE_G(STREAMED) ? early : NULL);
        if (!all)
            *red = HEDDLE_N(select_red)(inside, *red, kept);
        wp->left[k] = all ? v : HEDDLE_N(select_cell)(inside, v, wp->left[k]);
        if (HEDDLE_G(STAGED))
            HEDDLE_G(stage_put)(&wp->stage, wp->lane, k, (unsigned)s, &v);
        else if (HEDDLE_N(STORE) && inside)
            HEDDLE_N(store)(env, i, c->j0 + column, &v);
        if (!all && HEDDLE_N(LAST_ROWS) > 0 && inside && i > c->i1 - HEDDLE_N(LAST_ROWS))
            HEDDLE_N(put_last_row)(env, c, i, c->j0 + column, &v);
        if (!all && HEDDLE_N(LAST_COL) && inside && column == columns - 1)
            HEDDLE_N(put_last_col)(env, c, i, &v);
    }
    if (!all && A && column == columns && i < c->i1)
        wp->left[k] = HEDDLE_G(get_right)(env, c, i);
    if (all || column >= -A) {
        up[2] = up[1];
        up[1] = up[0];
        up[0] = in;
    }
}

/* Step s0 + t: from the last row to the first, so that each finds what the one above computed a step before. */
static HEDDLE_INLINE void HEDDLE_G(step)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                         const struct heddle_gpu_control *c, const struct HEDDLE_N(link) *out,
                                         struct HEDDLE_N(edge) entering, const struct HEDDLE_N(col) *cols, long s0,
                                         int t, int all, struct HEDDLE_N(red) *red) {
    const long s = s0 + t, sent = s - HEDDLE_BEHIND(HEDDLE_G(ROWS) - 1);
    const struct HEDDLE_N(edge) up = HEDDLE_G(above)(wp, entering, t);
    const struct HEDDLE_N(col) col = HEDDLE_G(next_col)(wp, cols, t);
    struct HEDDLE_N(early) early[HEDDLE_K];
    HEDDLE_G(stream_advance)(&wp->stream, wp->lane, s);
    /* all rows' loads before the first store to shared memory, which they would have to wait for */
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++)
        if (HEDDLE_G(STREAMED))
            HEDDLE_G(stream_get)(&wp->stream, wp->lane, k, (unsigned)s, &early[k]);
#pragma unroll
    for (int k = HEDDLE_K - 1; k >= 0; k--) {
        const struct HEDDLE_N(edge) in = k ? HEDDLE_N(edge_of)(&wp->left[k ? k - 1 : 0]) : up;
        if (HEDDLE_N(PACE) > 1)
            wp->col[k][HEDDLE_N(PACE) - 1] = wp->col[k][0];
        wp->col[k][0] = k ? wp->col[k ? k - 1 : 0][HEDDLE_N(PACE) - 1] : col;
        HEDDLE_G(cell)(env, wp, k, s, in, &early[k], all, c, red);
    }
    if (wp->lane == HEDDLE_WARP - 1 && (all || (sent >= 0 && sent < c->j1 - c->j0 + 1 + HEDDLE_N(AFTER))))
        HEDDLE_N(send)(out, sent, HEDDLE_N(edge_of)(&wp->left[HEDDLE_K - 1]));
    HEDDLE_G(stage_flush)(&wp->stage, c, wp->lane, wp->i - wp->lane * HEDDLE_K, s + 1, 0);
}

/* Row k's left border, and of the row above it what precedes the first column. */
static HEDDLE_INLINE void HEDDLE_G(begin_row)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                              const struct heddle_gpu_control *c, int k) {
    const long i = wp->i + k <= c->i1 ? wp->i + k : c->i1;
    HEDDLE_N(load_row)(env, i, &wp->row[k]);
    HEDDLE_N(get_left)(env, c, i, &wp->left[k]);
    memset(wp->up[k], 0, sizeof wp->up[k]);
    if (!HEDDLE_N(CORNER))
        return;
    if (i == c->i0) {
        HEDDLE_N(get_top)(env, c, -1, &wp->up[k][0]);
    } else {
        struct HEDDLE_N(cell) w;
        HEDDLE_N(get_left)(env, c, i - 1, &w);
        wp->up[k][0] = HEDDLE_N(edge_of)(&w);
    }
    HEDDLE_G(get_behind)(env, c, i - 1, &wp->up[k][1]);
}

static HEDDLE_INLINE void HEDDLE_G(begin)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                          const struct heddle_gpu_control *c, long block) {
    wp->i = c->i0 + block * HEDDLE_G(ROWS) + (long)wp->lane * HEDDLE_K;
    wp->live = wp->i > c->i1 ? 0 : wp->i + HEDDLE_K - 1 <= c->i1 ? HEDDLE_K : (int)(c->i1 - wp->i + 1);
    memset(wp->col, 0, sizeof wp->col);
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++)
        HEDDLE_G(begin_row)(env, wp, c, k);
}

/* A chunk of steps from s0 on. */
static HEDDLE_INLINE void HEDDLE_G(chunk)(const struct HEDDLE_N(env) *env, struct HEDDLE_G(warp) *wp,
                                          const struct heddle_gpu_control *c, const struct HEDDLE_N(link) *out,
                                          struct HEDDLE_N(edge) entering, const struct HEDDLE_N(col) *cols, long s0,
                                          int all, struct HEDDLE_G(coming) *next, struct HEDDLE_N(red) *red) {
    const long behind = HEDDLE_BEHIND(HEDDLE_G(ROWS) - 1), after = HEDDLE_N(AFTER);
    if (all && s0 >= behind && s0 + HEDDLE_GPU_CHUNK - after < c->j1 - c->j0 + 1) {
#pragma unroll
        for (int t = 0; t < HEDDLE_GPU_CHUNK; t++) {
            if (t == HEDDLE_GPU_FETCH)
                HEDDLE_G(fetch_next)(next);
            HEDDLE_G(step)(env, wp, c, out, entering, cols, s0, t, 1, red);
        }
    } else { /* rows are outside or missing */
        HEDDLE_G(fetch_next)(next);
#pragma clang loop unroll(disable)
        for (int t = 0; t < HEDDLE_GPU_CHUNK; t++)
            HEDDLE_G(step)(env, wp, c, out, entering, cols, s0, t, 0, red);
    }
}

#include <heddle/engine/wavefront/gpu_blocks.h>
#undef HEDDLE_G
