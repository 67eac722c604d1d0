/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial engines for one nest: register form row by row with explicit borders; memory form along skewed
 * diagonals, last row first, so that a skew that is too small shows. No include guard.
 */
#ifndef HEDDLE_STUB_ENGINE
#define HEDDLE_STUB_ENGINE
#define HEDDLE_TO_EDGE(type, name) e.name = v->name;
#endif

static inline struct HEDDLE_N(edge) HEDDLE_N(edge_of)(const struct HEDDLE_N(cell) *v) {
    struct HEDDLE_N(edge) e;
    (void)v;
    HEDDLE_N(EDGE)(HEDDLE_TO_EDGE) return e;
}

/* What a cell leaves in memory. */
static void HEDDLE_N(leave)(const struct heddle_wavefront *c, const struct HEDDLE_N(env) *env,
                            const struct HEDDLE_N(env) *border, long i, long j, const struct HEDDLE_N(cell) *v) {
    if (HEDDLE_N(STORE))
        HEDDLE_N(store)(env, i, j, v);
    if (c->i1 - i < HEDDLE_N(LAST_ROWS))
        HEDDLE_N(store_last_row)(border, i, j, c->i1 - i, v);
    if (HEDDLE_N(LAST_COL) && j == c->j1)
        HEDDLE_N(store_last_col)(border, i, c->j1, v);
}

#ifdef HEDDLE_EXTENDED
/* Row by row; above[2] is column j0 of the row above. */
static void HEDDLE_N(run_registers)(const struct heddle_wavefront *c, const void *device) {
    const struct HEDDLE_N(env) *env = device;
    const struct HEDDLE_N(env) *border = HEDDLE_N(HOST_BORDER) ? c->env : device;
    const long columns = c->j1 - c->j0 + 1, ahead = HEDDLE_N(AHEAD);
    struct HEDDLE_N(edge) *above = calloc((size_t)columns + 3, sizeof *above + 1),
                          *now = calloc((size_t)columns + 3, sizeof *now + 1);
    HEDDLE_N(load_behind)(border, c->i0 - 1, c->j0 - 2, &above[0]);
    HEDDLE_N(load_corner)(border, c->i0 - 1, c->j0 - 1, &above[1]);
    for (long s = 0; s < columns; s++)
        HEDDLE_N(load_top)(border, c->i0 - 1, c->j0 + s, &above[2 + s]);
    if (ahead)
        HEDDLE_N(load_right)(border, c->i0 - 1, c->j1 + 1, &above[2 + columns]);
    for (long i = c->i0; i <= c->i1; i++) {
        struct HEDDLE_N(row) row;
        struct HEDDLE_N(cell) left;
        memset(&left, 0x5a, sizeof left);
        HEDDLE_N(load_row)(env, i, &row);
        HEDDLE_N(load_left)(border, i, c->j0 - 1, &left);
        now[1] = HEDDLE_N(edge_of)(&left);
        for (long s = 0; s < columns; s++) {
            struct HEDDLE_N(col) col;
            HEDDLE_N(load_col)(env, c->j0 + s, &col);
            struct HEDDLE_N(cell) v =
                HEDDLE_N(compute_wide)(env, i, c->j0 + s, &row, &col, above[2 + s], left, above[1 + s],
                                       above[2 + s + ahead], above[s], c->red, NULL);
            now[2 + s] = HEDDLE_N(edge_of)(&v);
            left = v;
            HEDDLE_N(leave)(c, env, border, i, c->j0 + s, &v);
        }
        if (i < c->i1)
            HEDDLE_N(load_behind)(border, i, c->j0 - 2, &now[0]);
        if (ahead && i < c->i1)
            HEDDLE_N(load_right)(border, i, c->j1 + 1, &now[2 + columns]);
        memcpy(above, now, ((size_t)columns + 3) * sizeof *above);
    }
    free(above);
    free(now);
}
#else
static void HEDDLE_N(run_registers)(const struct heddle_wavefront *c, const void *device) {
    const struct HEDDLE_N(env) *env = device;
    const struct HEDDLE_N(env) *border = HEDDLE_N(HOST_BORDER) ? c->env : device;
    long columns = c->j1 - c->j0 + 1;
    struct HEDDLE_N(edge) *above = calloc((size_t)columns + 1, sizeof *above + 1);
    if (HEDDLE_N(CORNER))
        HEDDLE_N(load_corner)(border, c->i0 - 1, c->j0 - 1, &above[0]);
    for (long s = 0; s < columns; s++)
        HEDDLE_N(load_top)(border, c->i0 - 1, c->j0 + s, &above[1 + s]);
    for (long i = c->i0; i <= c->i1; i++) {
        struct HEDDLE_N(row) row;
        struct HEDDLE_N(cell) left;
        struct HEDDLE_N(edge) diagonal = above[0];
        memset(&left, 0x5a, sizeof left);
        HEDDLE_N(load_row)(env, i, &row);
        HEDDLE_N(load_left)(border, i, c->j0 - 1, &left);
        above[0] = HEDDLE_N(edge_of)(&left);
        for (long s = 0; s < columns; s++) {
            struct HEDDLE_N(col) col;
            HEDDLE_N(load_col)(env, c->j0 + s, &col);
            struct HEDDLE_N(cell) v =
                HEDDLE_N(compute)(env, i, c->j0 + s, &row, &col, above[1 + s], left, diagonal, c->red, NULL);
            diagonal = above[1 + s];
            above[1 + s] = HEDDLE_N(edge_of)(&v);
            left = v;
            HEDDLE_N(leave)(c, env, border, i, c->j0 + s, &v);
        }
    }
    free(above);
}
#endif

static void HEDDLE_N(run_memory)(const struct heddle_wavefront *c, const void *device) {
    const long skew = HEDDLE_N(SKEW), columns = c->j1 - c->j0 + 1;
    for (long t = 0; t <= skew * (c->i1 - c->i0) + columns - 1; t++)
        for (long i = c->i1; i >= c->i0; i--) {
            long s = t - skew * (i - c->i0);
            if (s >= 0 && s < columns)
                HEDDLE_N(visit)(device, i, c->j0 + s, c->red);
        }
}

/* Sums of the term and of the border: along each row first, then down. */
static void HEDDLE_N(run_scan)(const struct heddle_wavefront *c, const void *device) {
#if HEDDLE_N(PREFIX)
    const struct HEDDLE_N(env) *env = device;
    const int row = (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_ROW) != 0,
              column = (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_COLUMN) != 0;
    const int top = (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_GUARD_I) && c->i0 == 0;
    const int side = (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_GUARD_J) && c->j0 == 0;
    HEDDLE_N(SUM) corner = row && column && !top && !side ? *HEDDLE_N(at)(env, c->i0 - 1, c->j0 - 1) : 0;
    for (long i = c->i0; i <= c->i1; i++) {
        HEDDLE_N(SUM) left = row && !side ? *HEDDLE_N(at)(env, i, c->j0 - 1) : 0, sum = left;
        if (row && column)
            sum = (HEDDLE_N(SUM))(sum - corner);
        corner = left;
        for (long j = c->j0; j <= c->j1; j++) {
            const HEDDLE_N(SUM) above = column && !(top && i == c->i0) ? *HEDDLE_N(at)(env, i - 1, j) : 0;
            sum = (HEDDLE_N(SUM))((row ? sum : 0) + HEDDLE_N(term)(env, i, j));
            *HEDDLE_N(at)(env, i, j) = (HEDDLE_N(SUM))(sum + above);
        }
    }
#else
    (void)c, (void)device;
#endif
}

#if defined(HEDDLE_SWEEPS) && HEDDLE_SWEEPS == 2
/* A cell or what is known beside the nest. `side` also says where it lies: 1 above, 2 below, 4 left, 8 right. */
static inline struct HEDDLE_N(cell) HEDDLE_N(old)(const struct HEDDLE_N(env) *env, long i, long j, int side) {
    struct HEDDLE_N(cell) v;
    memset(&v, 0x5a, sizeof v);
    HEDDLE_N(load_old)(env, i, j, side, &v);
    return v;
}

static void HEDDLE_N(run_stencil)(const struct heddle_wavefront *c, void *device) {
    const struct HEDDLE_N(env) *env = device;
    for (long t = c->t0; t <= c->t1; t++) {
        HEDDLE_N(set_sweep)(device, -99); /* the number comes as an argument */
        for (long i = c->i0; i <= c->i1; i++)
            for (long j = c->j0; j <= c->j1; j++) {
                struct HEDDLE_N(early) early;
                memset(&early, 0x5a, sizeof early); /* what the cell reads of other arrays may come before */
                HEDDLE_N(load_fixed)(env, i, j, &early);
                struct HEDDLE_N(cell) v = HEDDLE_N(stencil)(
                    env, t, i, j, HEDDLE_N(old)(env, i, j, 0), HEDDLE_N(old)(env, i - 1, j, i == c->i0),
                    HEDDLE_N(old)(env, i, j - 1, (j == c->j0) * 4), HEDDLE_N(old)(env, i, j + 1, (j == c->j1) * 8),
                    HEDDLE_N(old)(env, i + 1, j, (i == c->i1) * 2), c->red, t % 2 ? &early : NULL);
                HEDDLE_N(store)(env, i, j, &v);
            }
    }
}
#endif

static const struct heddle_nest HEDDLE_N(nest) __attribute__((__unused__)) = {
    .file = HEDDLE_N(FILE),
    .function = HEDDLE_N(FUNCTION),
    .line = HEDDLE_N(LINE),
    .registers = HEDDLE_N(REGISTERS),
    .memory = HEDDLE_N(MEMORY),
    .host_border = HEDDLE_N(HOST_BORDER),
    .store = HEDDLE_N(STORE),
    .skew = HEDDLE_N(SKEW),
    .prefix = HEDDLE_N(PREFIX),
    .run_scan = HEDDLE_N(run_scan),
    .env_bytes = sizeof(struct HEDDLE_N(env)),
    .run_registers = HEDDLE_N(run_registers),
    .run_memory = HEDDLE_N(run_memory),
#ifdef HEDDLE_SWEEPS
    .set_sweep = HEDDLE_N(set_sweep),
#if HEDDLE_SWEEPS == 2
    .run_stencil = HEDDLE_N(run_stencil),
#endif
#endif
};
