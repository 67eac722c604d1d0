/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel of batches for HEDDLE_K rows a lane; runtime/include/heddle/engine/wavefront/gpu_batch.h describes it and
 * includes it. No include guard.
 */
#define HEDDLE_G(name) HEDDLE_PASTE(HEDDLE_N(batch_##name), HEDDLE_K)

#if HEDDLE_N(PROFILE)
typedef uint32_t HEDDLE_G(scores) __attribute__((vector_size(2 * HEDDLE_K)));
#endif

struct HEDDLE_G(warp) {
    struct HEDDLE_N(row) row[HEDDLE_K][HEDDLE_N(UNIFORM_ROWS) ? 1 : HEDDLE_N(PER_LANE)];
    struct HEDDLE_N(both_cell) left[HEDDLE_K];
    struct HEDDLE_N(both_edge) diagonal, bottom;
    struct HEDDLE_N(col_words) col; /* of this lane's column */
    struct HEDDLE_N(both_red) red;
    struct HEDDLE_N(both_cell) last;
    long top;                       /* rows of the problem above this lane's */
    int live[HEDDLE_N(PER_LANE)];   /* how many of its rows exist */
    int sub, lanes;                 /* its place in a group of so many */
    int base;                       /* the group's first lane */
    int keep, kept;                 /* columns of the bottom row that another pass reads; that this one does */
    const char *profiles, *profile; /* of all rows, from this lane's rows on */
    int value_bytes;
    uint32_t *rows; /* of the group: the bottom row of a pass */
    long stride;    /* columns */
};

#if HEDDLE_N(NARROW)
/* Halves of reductions that are new where the lane's row k and column j exist. By masks: a choice for each half would
   part what the vectorizer keeps together. */
static HEDDLE_INLINE struct HEDDLE_N(both_red) HEDDLE_G(choose_red)(const struct HEDDLE_N(lane_problems) *w,
                                                                    const struct HEDDLE_G(warp) *wp, int k, int j,
                                                                    int ends, struct HEDDLE_N(both_red) now,
                                                                    struct HEDDLE_N(both_red) kept) {
    uint32_t a[sizeof now / 4 + 1], b[sizeof now / 4 + 1];
    const uint32_t rows = (k < wp->live[0] ? 0xffffu : 0) | (k < wp->live[1] ? 0xffff0000u : 0),
                   columns = (j < w->columns[0] ? 0xffffu : 0) | (j < w->columns[1] ? 0xffff0000u : 0),
                   mask = ends ? rows & columns : rows;
    memcpy(a, &now, sizeof now);
    memcpy(b, &kept, sizeof kept);
#pragma unroll
    for (int q = 0; q < (int)(sizeof now / 4); q++)
        a[q] = (a[q] & mask) | (b[q] & ~mask);
    memcpy(&now, a, sizeof now);
    return now;
}
#endif

/* Column j of a lane. Constants: `ends`, some lanes are outside of their problem; `all`, all rows exist, and none is a
 * problem's last one where that is wanted. */
static HEDDLE_INLINE void HEDDLE_G(column)(const struct HEDDLE_N(lane_problems) *w, struct HEDDLE_G(warp) *wp, int j,
                                           struct HEDDLE_N(both_edge) up, int ends, int all) {
    struct HEDDLE_N(both_edge) nw = wp->diagonal, n = up;
    struct HEDDLE_N(both_col) cols;
    memcpy(&cols, &wp->col, sizeof cols);
    wp->diagonal = up;
#if HEDDLE_N(PROFILE)
    HEDDLE_G(scores) loaded[2];
#pragma unroll
    for (int p = 0; p < 2; p++)
        loaded[p] = *(const HEDDLE_G(scores) *)(wp->profile + (uint64_t)HEDDLE_N(PERMUTE)(HEDDLE_UNSIGNED_VALUE) *
                                                                  (uint32_t)wp->value_bytes);
#endif
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++) {
        const struct HEDDLE_N(both_cell) left = wp->left[k];
        struct HEDDLE_N(both_cell) cell;
        struct HEDDLE_N(both_red) red;
        if (!HEDDLE_N(PURE) && !all && k >= wp->live[0])
            break;
#if HEDDLE_N(PROFILE) /* a pair in one word: the vectorizer shall not see where from */
        const uint32_t a = loaded[0][k / 2], b = loaded[1][k / 2],
                       pair = k % 2 ? heddle_upper_halves(a, b) : heddle_lower_halves(a, b);
        __attribute__((vector_size(4))) short score;
        memcpy(&score, &pair, sizeof score);
#endif
#pragma unroll
        for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
            const struct HEDDLE_N(col) col = HEDDLE_N(get_half_col)(&cols, p);
            const struct HEDDLE_N(red) kept = HEDDLE_N(get_half_red)(&wp->red, p);
            struct HEDDLE_N(red) now = kept;
#if HEDDLE_N(PROFILE)
            struct HEDDLE_N(look) value;
            HEDDLE_N(PERMUTE)(HEDDLE_SET_LOOK);
            const struct HEDDLE_N(cell) v =
                HEDDLE_N(compute_look)(&w->env[p], w->at[p].i0 + wp->top + k, w->at[p].j0 + j, &wp->row[k][0], &col,
                                       &value, HEDDLE_N(get_half_edge)(&n, p), HEDDLE_N(get_half_cell)(&left, p),
                                       HEDDLE_N(get_half_edge)(&nw, p), &now);
#else
            const struct HEDDLE_N(cell) v =
                HEDDLE_N(compute)(&w->env[p], w->at[p].i0 + wp->top + k, w->at[p].j0 + j,
                                  &wp->row[k][HEDDLE_N(UNIFORM_ROWS) ? 0 : p], &col, HEDDLE_N(get_half_edge)(&n, p),
                                  HEDDLE_N(get_half_cell)(&left, p), HEDDLE_N(get_half_edge)(&nw, p), &now, NULL);
#endif
            if (!HEDDLE_N(NARROW) && !all)
                now = HEDDLE_N(select_red)(k < wp->live[p] && j < w->columns[p], now, kept);
            if (!all && HEDDLE_N(LAST_CELL))
                HEDDLE_N(put_half_cell)(&wp->last, p,
                                        HEDDLE_N(select_cell)(wp->top + k == w->rows[p] - 1 && j == w->columns[p] - 1,
                                                              v, HEDDLE_N(get_half_cell)(&wp->last, p)));
            HEDDLE_N(put_half_red)(&red, p, now);
            HEDDLE_N(put_half_cell)(&cell, p, v);
        }
#if HEDDLE_N(NARROW)
        if (!all)
            red = HEDDLE_G(choose_red)(w, wp, k, j, ends, red, wp->red);
#else
        (void)ends;
#endif
        wp->red = red;
        wp->left[k] = cell;
        nw = HEDDLE_N(both_edge_of)(&left);
        n = HEDDLE_N(both_edge_of)(&cell);
    }
    wp->bottom = n;
}

/* This lane's rows in the pass that begins at row `top` of the problem. */
static HEDDLE_INLINE void HEDDLE_G(begin)(const struct HEDDLE_N(lane_problems) *w, struct HEDDLE_G(warp) *wp,
                                          long top) {
    wp->top = top + wp->sub * HEDDLE_K;
    wp->profile = wp->profiles + (wp->top < w->most_rows ? 2 * wp->top : 0); /* others' results are dropped */
    memset(&wp->col, 0, sizeof wp->col);
    memset(&wp->diagonal, 0, sizeof wp->diagonal);
    memset(&wp->bottom, 0, sizeof wp->bottom);
    memset(wp->left, 0, sizeof wp->left);
    memset(wp->row, 0, sizeof wp->row);
#pragma unroll
    for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
        const long left = w->rows[p] - wp->top, i = w->at[p].i0 + wp->top;
        wp->live[p] = left < 0 ? 0 : left > HEDDLE_K ? HEDDLE_K : (int)left;
        if (HEDDLE_N(CORNER) && left > 0) {
            struct HEDDLE_N(edge) e;
            struct HEDDLE_N(cell) v;
            memset(&e, 0, sizeof e);
            memset(&v, 0, sizeof v);
            if (wp->top == 0) {
                HEDDLE_N(load_corner)(&w->env[p], i - 1, w->at[p].j0 - 1, &e);
            } else {
                HEDDLE_N(load_left)(&w->env[p], i - 1, w->at[p].j0 - 1, &v);
                e = HEDDLE_N(edge_of)(&v);
            }
            HEDDLE_N(put_half_edge)(&wp->diagonal, p, e);
        }
#pragma unroll
        for (int k = 0; k < HEDDLE_K; k++) {
            struct HEDDLE_N(cell) v;
            const long r = i + k <= w->at[p].i1 ? i + k : w->at[p].i1;
            memset(&v, 0, sizeof v);
            if (!w->rows[p])
                continue;
            HEDDLE_N(load_left)(&w->env[p], r, w->at[p].j0 - 1, &v);
            HEDDLE_N(put_half_cell)(&wp->left[k], p, v);
            if (!HEDDLE_N(UNIFORM_ROWS))
                HEDDLE_N(load_row)(&w->env[p], r, &wp->row[k][HEDDLE_N(UNIFORM_ROWS) ? 0 : p]);
        }
    }
    /* what rows load is the same for both problems: as many as the higher one has */
#pragma unroll
    for (int k = 0; k < HEDDLE_K; k++) {
        const long r = wp->top + k < w->most_rows ? wp->top + k : w->most_rows - 1;
        if (HEDDLE_N(UNIFORM_ROWS) && w->most_rows)
            HEDDLE_N(load_row)(&w->env[0], w->at[0].i0 + r, &wp->row[k][0]);
    }
}

/* A column's data, and what enters from above. */
static HEDDLE_INLINE void HEDDLE_G(load)(const struct HEDDLE_N(lane_problems) *w, const struct HEDDLE_G(warp) *wp,
                                         int pass, int column, struct HEDDLE_N(col_words) *cols,
                                         struct HEDDLE_N(both_edge) *entering) {
    struct HEDDLE_N(both_col) both;
    memset(&both, 0, sizeof both);
    memset(entering, 0, sizeof *entering);
#pragma unroll
    for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
        const long j = w->at[p].j0 + (column < w->columns[p] ? column : w->columns[p] - 1);
        struct HEDDLE_N(col) col;
        struct HEDDLE_N(edge) e;
        memset(&col, 0, sizeof col);
        memset(&e, 0, sizeof e);
        if (!w->rows[p])
            continue;
        HEDDLE_N(load_col)(&w->env[p], j, &col);
        HEDDLE_N(put_half_col)(&both, p, col);
        if (!pass) {
            HEDDLE_N(load_top)(&w->env[p], w->at[p].i0 - 1, j, &e);
            HEDDLE_N(put_half_edge)(entering, p, e);
        }
    }
    memset(cols, 0, sizeof *cols);
    memcpy(cols, &both, sizeof both);
    if (column < wp->kept) {
        uint32_t word[sizeof *entering / 4 + 1];
#pragma unroll
        for (int q = 0; q < (int)((sizeof *entering + 3) / 4); q++)
            word[q] = wp->rows[q * wp->stride + column];
        memcpy(entering, word, sizeof *entering);
    }
}

static HEDDLE_INLINE void HEDDLE_G(leave)(const struct HEDDLE_G(warp) *wp, int column, int inside) {
    uint32_t word[sizeof wp->bottom / 4 + 1];
    memcpy(word, &wp->bottom, sizeof wp->bottom);
    if (inside && wp->sub == wp->lanes - 1 && column < wp->keep)
#pragma unroll
        for (int q = 0; q < (int)((sizeof wp->bottom + 3) / 4); q++)
            wp->rows[q * wp->stride + column] = word[q];
}

/* Step s, number t of a chunk. ends: some lanes are outside of their problem; all: as above. Both are constants. */
static HEDDLE_INLINE void HEDDLE_G(step)(const struct HEDDLE_N(lane_problems) *w, struct HEDDLE_G(warp) *wp,
                                         const struct HEDDLE_N(col_words) *cols,
                                         const struct HEDDLE_N(both_edge) *entering, int s, int t, int ends, int all) {
    const struct HEDDLE_N(both_edge) before = HEDDLE_N(both_up)(wp->bottom),
                                     first = HEDDLE_N(both_from)(*entering, wp->base + t);
    const struct HEDDLE_N(both_edge) up = HEDDLE_N(both_select_edge)(wp->sub == 0, first, before);
    const int j = s - wp->sub;
#pragma unroll
    for (int q = 0; q < HEDDLE_N(COL_WORDS); q++) {
        const uint32_t from_before = heddle_shuffle_up_word(wp->col.word[q]),
                       fresh = heddle_shuffle_word(cols->word[q], wp->base + t);
        wp->col.word[q] = wp->sub == 0 ? fresh : from_before;
    }
    const int inside = !ends || (j >= 0 && j < w->most_columns);
    if (inside)
        HEDDLE_G(column)(w, wp, j, up, ends, all);
    HEDDLE_G(leave)(wp, j, inside);
}

static HEDDLE_INLINE void HEDDLE_G(pass)(const struct HEDDLE_N(lane_problems) *w, struct HEDDLE_G(warp) *wp, int pass,
                                         int columns, int least) {
    struct HEDDLE_N(col_words) cols, next_cols;
    struct HEDDLE_N(both_edge) entering, next_entering;
    HEDDLE_G(begin)(w, wp, (long)pass * wp->lanes * HEDDLE_K);
    int whole = 1, rows = 1;
#pragma unroll
    for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
        whole &= wp->live[p] == HEDDLE_K;
        rows &= !HEDDLE_N(LAST_CELL) || (long)(pass + 1) * wp->lanes * HEDDLE_K < w->rows[p];
    }
    const int all = heddle_all(whole), last = !heddle_all(rows); /* a last row is among them */
    const int inside = least - last;
    HEDDLE_G(load)(w, wp, pass, wp->sub, &next_cols, &next_entering);
#pragma clang loop unroll(disable)
    for (int s0 = 0; s0 < columns + wp->lanes - 1; s0 += wp->lanes) {
        cols = next_cols;
        entering = next_entering;
        HEDDLE_G(load)(w, wp, pass, s0 + wp->lanes + wp->sub, &next_cols, &next_entering);
        if (s0 < wp->lanes - 1 || s0 + wp->lanes > inside) {
#pragma clang loop unroll(disable)
            for (int t = 0; t < wp->lanes; t++)
                HEDDLE_G(step)(w, wp, &cols, &entering, s0 + t, t, 1, 0);
        } else if (all) {
#pragma clang loop unroll(disable)
            for (int t = 0; t < wp->lanes; t += 4)
#pragma unroll
                for (int u = 0; u < 4; u++)
                    HEDDLE_G(step)(w, wp, &cols, &entering, s0 + t + u, t + u, 0, 1);
        } else {
#pragma clang loop unroll(disable)
            for (int t = 0; t < wp->lanes; t++)
                HEDDLE_G(step)(w, wp, &cols, &entering, s0 + t, t, 0, 0);
        }
    }
}

#if HEDDLE_ON_GPU
/* The results of a group's lanes, and the statements behind the nest. */
static HEDDLE_INLINE void HEDDLE_G(end)(const struct HEDDLE_N(outer_env) *outer,
                                        const struct HEDDLE_N(lane_problems) *w, const struct HEDDLE_G(warp) *wp) {
#pragma unroll
    for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
        struct HEDDLE_N(red) red = HEDDLE_N(get_half_red)(&wp->red, p), all = w->first[p];
        struct HEDDLE_N(cell) last = HEDDLE_N(get_half_cell)(&wp->last, p);
        for (int mask = wp->lanes / 2; mask; mask /= 2) {
            const struct HEDDLE_N(red) other = HEDDLE_N(shuffle_xor)(red, mask);
            HEDDLE_N(red_join)(&red, &other);
        }
        if (HEDDLE_N(LAST_CELL)) {
            const int row = w->rows[p] ? (w->rows[p] - 1) % (wp->lanes * HEDDLE_K) : 0;
            last = HEDDLE_N(cell_from)(last, wp->base + row / HEDDLE_K);
            if (!w->rows[p])
                HEDDLE_N(before)(&w->env[p], w->at[p].i1, w->at[p].j1, &last);
        }
        if (w->rows[p])
            HEDDLE_N(red_join)(&all, &red);
        if (wp->sub == 0 && w->is[p])
            HEDDLE_N(finish)(outer, w->p[p], &all, &last);
    }
}

/* Problems of a ticket: as many as the warp has groups and halves. */
static HEDDLE_INLINE void HEDDLE_G(run)(const struct HEDDLE_N(outer_env) *outer, const struct heddle_batch_control *c,
                                        const char *profile, const struct heddle_batch_class *of, long ticket) {
    struct HEDDLE_N(lane_problems) w;
    struct HEDDLE_G(warp) wp;
    const int lane = heddle_thread() & (HEDDLE_WARP - 1), lanes = (int)of->lanes, groups = HEDDLE_WARP / lanes;
    wp.lanes = lanes;
    wp.profiles = profile;
    wp.value_bytes = (int)(2 * c->profile_stride);
    wp.sub = lane & (lanes - 1);
    wp.base = lane - wp.sub;
    HEDDLE_N(open_problems)(outer, c, of, (ticket * groups + lane / lanes) * HEDDLE_N(PER_LANE), &w);
#pragma unroll
    for (int p = 0; p < HEDDLE_N(PER_LANE); p++) {
        struct HEDDLE_N(red) start = w.first[p];
        HEDDLE_N(use_tables)(c, &w.env[p]);
        HEDDLE_N(set_apart)(&w.env[p]);
        HEDDLE_N(red_start)(&start);
        HEDDLE_N(put_half_red)(&wp.red, p, start);
    }
    memset(&wp.last, 0, sizeof wp.last);
    wp.keep = 0;
    int least = w.columns[0];
#pragma unroll
    for (int p = 1; p < HEDDLE_N(PER_LANE); p++)
        least = w.columns[p] < least ? w.columns[p] : least;
    const int rows = HEDDLE_N(warp_most)(w.most_rows), columns = HEDDLE_N(warp_most)(w.most_columns);
    least = -HEDDLE_N(warp_most)(-least);
    const long warp = (heddle_block() * heddle_threads() + heddle_thread()) / HEDDLE_WARP;
    wp.stride = c->row_bytes / 4 / groups / (long)((sizeof(struct HEDDLE_N(both_edge)) + 3) / 4);
    wp.rows = (uint32_t *)(c->rows + warp * c->row_bytes) +
              lane / lanes * wp.stride * (long)((sizeof(struct HEDDLE_N(both_edge)) + 3) / 4);
#pragma clang loop unroll(disable)
    for (int pass = 0; (long)pass * lanes * HEDDLE_K < rows; pass++) {
        wp.kept = wp.keep;
        wp.keep = 0;
#pragma unroll
        for (int p = 0; p < HEDDLE_N(PER_LANE); p++)
            if ((long)(pass + 1) * lanes * HEDDLE_K < w.rows[p] && w.columns[p] > wp.keep)
                wp.keep = w.columns[p];
        HEDDLE_G(pass)(&w, &wp, pass, columns, least);
        heddle_warp_sync();
    }
    HEDDLE_G(end)(outer, &w, &wp);
}

static HEDDLE_UNUSED void HEDDLE_G(kernel)(struct heddle_batch_control *c) {
    const struct HEDDLE_N(outer_env) outer = *(const struct HEDDLE_N(outer_env) *)c->outer;
    HEDDLE_N(copy_tables)(c);
    const char *profile = HEDDLE_N(copy_profile)(c);
    for (;;) {
        long ticket = heddle_take_ticket(&c->ticket);
        int s = 0;
        while (s < HEDDLE_BATCH_CLASSES && ticket >= c->of[s].tickets)
            ticket -= c->of[s++].tickets;
        if (s == HEDDLE_BATCH_CLASSES)
            break;
        HEDDLE_G(run)(&outer, c, profile, &c->of[s], ticket);
    }
}
#endif

static void HEDDLE_G(launch)(const struct heddle_gpu_batch *call) {
    HEDDLE_LAUNCH(call, HEDDLE_G(kernel), HEDDLE_N(batch_on_host));
}
#undef HEDDLE_G
