/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interleaved form of a wavefront nest on a CPU core: strips of HEDDLE_R rows, row r one column behind row r - 1,
 * each cell by ordinary scalar code. A row as written is one chain of dependent operations, so the core waits for
 * their latency; the rows of a step do not depend on each other, so it works on all of them at once. Cells are
 * loaded and stored along their rows as the loop itself would: this is the form for bodies that move much and
 * compute little, and for nests too small to fill SIMD lanes.
 *
 * Rows that read on the right in the row above (extended stencils) are two columns behind each other: what a row takes
 * from the one above is still that row's cell of the step before. They take in a value each step and keep the last few;
 * they begin AFTER columns early, when they only do that, and end as many late, when they only hand on the border on
 * their right.
 *
 * A block is HEDDLE_STRIPS strips, done one after the other in each chunk of columns: the row between two strips is
 * then still in the cache, and other threads share only the row between blocks.
 *
 * Included by heddle/engine/wavefront/wavefront.h once with HEDDLE_R and HEDDLE_STRIPS set. No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, interleaved), name)

/* A row while it goes over the columns. Apart in memory, or the compiler joins values of two rows in one vector, and
   every cell then pays for taking them apart. */
#define HEDDLE_APART __attribute__((aligned(64)))
struct HEDDLE_I(state) {
    struct HEDDLE_N(cell) left HEDDLE_APART; /* the cell last computed */
#if HEDDLE_EXTENDED
    struct HEDDLE_N(edge) up[3] HEDDLE_APART; /* of the row above: what came last, before that, and before that */
#else
    struct HEDDLE_N(edge) diagonal HEDDLE_APART; /* above that one */
#endif
    struct HEDDLE_N(row) row HEDDLE_APART;
    struct HEDDLE_N(red) red HEDDLE_APART;
};

enum {
#define HEDDLE_ONE_ROW(type, name, r0, r1, c0, c1) +((r0) == (r1) ? (int)sizeof(__typeof__(type)) : 0)
    HEDDLE_I(EARLY) = !HEDDLE_EXTENDED && HEDDLE_N(STREAMS_FIT), /* all that a cell reads from memory is in streams */
    HEDDLE_I(PLACED) =
        !HEDDLE_EXTENDED && HEDDLE_N(STORE) && HEDDLE_N(STAGED_FIT), /* rows of what is stored are contiguous */
    HEDDLE_I(FETCHED) = HEDDLE_I(EARLY) * (0 HEDDLE_N(STREAM)(HEDDLE_ONE_ROW)), /* bytes for each cell; see fetch() */
    HEDDLE_I(FIT) =
        HEDDLE_FETCH_BYTES / HEDDLE_R / (HEDDLE_I(FETCHED) > 0 ? HEDDLE_I(FETCHED) : 1) / 32 * 32, /* columns */
    HEDDLE_I(FETCHES) = HEDDLE_I(FETCHED) > 0 && HEDDLE_I(FIT) >= 64,
    HEDDLE_I(WIDTH) = HEDDLE_I(FETCHES) > 0 && HEDDLE_I(FIT) < HEDDLE_ROWS_CHUNK ? HEDDLE_I(FIT) : HEDDLE_ROWS_CHUNK,
    HEDDLE_I(PAD) = 32
#undef HEDDLE_ONE_ROW
};
static HEDDLE_INLINE int HEDDLE_I(fetches)(int stream) {
    return HEDDLE_I(FETCHES) > 0 && HEDDLE_N(stream_facts)(stream).row_first == HEDDLE_N(stream_facts)(stream).row_last;
}

/* Copies of streams. From row to row more than a power of two, or they would share places in the cache, too. */
#define HEDDLE_FETCHED_ROWS(type, name, r0, r1, c0, c1)                                                                \
    __typeof__(type) name[HEDDLE_I(FETCHES) > 0 && (r0) == (r1) ? HEDDLE_R : 1]                                        \
                         [HEDDLE_I(WIDTH) + HEDDLE_I(PAD)] HEDDLE_APART;
struct HEDDLE_I(fetched) {
    HEDDLE_N(STREAM)(HEDDLE_FETCHED_ROWS) char none;
};
#undef HEDDLE_FETCHED_ROWS
#undef HEDDLE_APART

/* Where rows are, at the column that row r has in the first of a stretch of steps: one number of steps then counts for
   all of them. Streams' rows count from the first one that the strip reads; those below the strip's last row begin at
   that row's column. */
struct HEDDLE_I(at) {
    const char *from[HEDDLE_N(STREAMS) + 1][HEDDLE_R + HEDDLE_STREAM_SPAN];
    char *to[HEDDLE_N(STAGED_ARRAYS) + 1][HEDDLE_R];
};

/* One strip's constants. */
struct HEDDLE_I(sweep) {
    const struct HEDDLE_N(env) *env;
    long row, i1;                    /* the strip's first row, the nest's last */
    int j0, columns;                 /* of the nest; int, as indices mostly are: addresses are then found by adding */
    const struct HEDDLE_N(edge) *in; /* the row above, from column in_first on */
    struct HEDDLE_N(edge) *out;      /* the strip's last row, from column out_first on; NULL: nobody reads it */
    int in_first, out_first;
    int live; /* rows that exist */
    int last; /* some of them are among the nest's last rows, which are given back */
};

/* Stream's row r as it was copied. */
static HEDDLE_INLINE char *HEDDLE_I(fetched_row)(const struct HEDDLE_I(fetched) *f, int stream, int r) {
#define HEDDLE_X(type, name, r0, r1, c0, c1) offsetof(struct HEDDLE_I(fetched), name),
    const size_t offset[] = {HEDDLE_N(STREAM)(HEDDLE_X) 0};
#undef HEDDLE_X
    return (char *)(uintptr_t)f + offset[stream] +
           (size_t)(r * (HEDDLE_I(WIDTH) + HEDDLE_I(PAD)) * HEDDLE_N(stream_size)(stream));
}

/* Streams of which each row is read by one row of the nest alone, such as a right-hand side, are copied to rows beside
   each other before a strip is computed: rows whose pitch is near a power of two share their places in a first-level
   cache of 8 ways, which those that are stored fill alone, and a copy reads far ahead. Here for steps s0 … s1 - 1,
   WIDTH at most. */
static HEDDLE_INLINE void HEDDLE_I(fetch)(const struct HEDDLE_I(sweep) *sw, int s0, int s1,
                                          struct HEDDLE_I(fetched) *f) {
    const char *p[HEDDLE_N(STREAMS) + 1];
    for (int r = 0; HEDDLE_I(FETCHES) > 0 && s0 < s1 && r < sw->live; r++)
        for (int stream = 0; stream < HEDDLE_N(STREAMS); stream++) {
            const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
            const int size = HEDDLE_N(stream_size)(stream), columns = s1 - s0 + box.col_last - box.col_first;
            if (!HEDDLE_I(fetches)(stream))
                continue;
            HEDDLE_N(stream_place)(sw->env, sw->row + r + box.row_first, sw->j0 + s0 - r, p);
            memcpy(HEDDLE_I(fetched_row)(f, stream, r), p[stream] + box.col_first * size, (size_t)(columns * size));
        }
}

/* Step s0 is inside the nest for the first `live` rows; of others nothing is read. */
static HEDDLE_INLINE void HEDDLE_I(find)(const struct HEDDLE_I(sweep) *sw, int s0, int live,
                                         const struct HEDDLE_I(fetched) *f, struct HEDDLE_I(at) *at) {
    const char *from[HEDDLE_N(STREAMS) + 1];
    char *to[HEDDLE_N(STAGED_ARRAYS) + 1];
#pragma clang loop unroll(full)
    for (int stream = 0; stream < HEDDLE_I(EARLY) * HEDDLE_N(STREAMS); stream++) {
        const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
#pragma clang loop unroll(full)
        for (int x = 0; x < HEDDLE_R + box.row_last - box.row_first; x++) {
            const int size = HEDDLE_N(stream_size)(stream), rows = live + box.row_last - box.row_first,
                      real = x < rows ? x : rows - 1;
            HEDDLE_N(stream_place)(sw->env, sw->row + real + box.row_first, sw->j0 + s0, from);
            at->from[stream][x] = HEDDLE_I(fetches)(stream) ? HEDDLE_I(fetched_row)(f, stream, x) - box.col_first * size
                                                            : from[stream] - (x < HEDDLE_R ? x : HEDDLE_R - 1) * size;
        }
    }
#pragma clang loop unroll(full)
    for (int r = 0; r < HEDDLE_I(PLACED) * HEDDLE_R; r++) {
        HEDDLE_N(place)(sw->env, sw->row + (r < live ? r : live - 1), sw->j0 + s0, to);
#pragma clang loop unroll(full)
        for (int f_to = 0; f_to < HEDDLE_N(STAGED_ARRAYS); f_to++)
            at->to[f_to][r] = to[f_to] - r * HEDDLE_N(staged_size)(f_to);
    }
}

/* What row r's cell reads from memory, `step` steps later. */
static HEDDLE_INLINE struct HEDDLE_N(early) HEDDLE_I(take)(const struct HEDDLE_I(at) *at, int r, long step) {
    struct HEDDLE_N(early) e;
    memset(&e, 0, sizeof e);
    (void)at, (void)r, (void)step;
#define HEDDLE_X(type, name, stream, di, dj)                                                                           \
    {                                                                                                                  \
        const int x = r + (di) - HEDDLE_N(stream_facts)(stream).row_first,                                             \
                  column = (x < HEDDLE_R ? x : HEDDLE_R - 1) - r + (dj);                                               \
        e.name = ((const __typeof__(type) *)at->from[stream][x])[step + column];                                       \
    }
    HEDDLE_N(EARLY)(HEDDLE_X)
#undef HEDDLE_X
    return e;
}

static HEDDLE_INLINE void HEDDLE_I(put)(const struct HEDDLE_I(at) *at, int r, long step,
                                        const struct HEDDLE_N(cell) *v) {
#pragma clang loop unroll(full)
    for (int f = 0; f < HEDDLE_N(STAGED_ARRAYS); f++) {
        const int size = HEDDLE_N(staged_size)(f);
        memcpy(at->to[f][r] + step * size, (const char *)v + HEDDLE_N(staged_offset)(f), (size_t)size);
    }
}

#if HEDDLE_EXTENDED
/* Right of the nest, as a cell of which nobody reads more than that. */
static void HEDDLE_I(get_right)(const struct HEDDLE_I(sweep) *sw, long i, long j, struct HEDDLE_N(cell) *v) {
    struct HEDDLE_N(edge) e;
    memset(&e, 0, sizeof e);
    memset(v, 0, sizeof *v);
    HEDDLE_N(load_right)(sw->env, i, j, &e);
#define HEDDLE_TO_CELL(type, name) v->name = e.name;
    HEDDLE_N(EDGE)(HEDDLE_TO_CELL)
#undef HEDDLE_TO_CELL
}
#endif

/* Row r's cell of step s; `inside`: there is one. Called for the lowest row first: what a row needs from the one above
   is then still that row's cell of the step before. */
static HEDDLE_INLINE void HEDDLE_I(cell)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, int r, int s,
                                         int last, int inside, const struct HEDDLE_I(at) *at, long step) {
    const int column = s - r * HEDDLE_N(PACE) - HEDDLE_N(AFTER);
    const long i = sw->row + r, j = sw->j0 + column;
    const struct HEDDLE_N(edge) n =
        r ? HEDDLE_N(edge_of)(&st[r - 1].left) : sw->in[column + HEDDLE_N(AFTER) - sw->in_first];
#if HEDDLE_EXTENDED
    (void)at, (void)step;
    if (inside || (column >= 0 && column < sw->columns)) {
        struct HEDDLE_N(col) col;
        HEDDLE_N(load_col)(sw->env, j, &col);
        st[r].left =
            HEDDLE_N(compute_wide)(sw->env, i, j, &st[r].row, &col, HEDDLE_N(AFTER) ? st[r].up[0] : n, st[r].left,
                                   st[r].up[HEDDLE_N(AFTER)], n, st[r].up[HEDDLE_N(AFTER) + 1], &st[r].red, NULL);
    } else if (column >= sw->columns && i < sw->i1) {
        HEDDLE_I(get_right)(sw, i, j, &st[r].left);
    }
    st[r].up[2] = st[r].up[1];
    st[r].up[1] = st[r].up[0];
    st[r].up[0] = n;
    const struct HEDDLE_N(cell) v = st[r].left;
    if (!inside && (column < 0 || column >= sw->columns)) {
        if (r == HEDDLE_R - 1 && sw->out && column >= 0)
            sw->out[column - sw->out_first] = HEDDLE_N(edge_of)(&v);
        return;
    }
    if (HEDDLE_N(LAST_COL) && column == sw->columns - 1)
        HEDDLE_N(store_last_col)(sw->env, i, j, &v);
#else
    struct HEDDLE_N(early) early;
    struct HEDDLE_N(col) col;
    (void)inside;
    memset(&early, 0, sizeof early);
    if (HEDDLE_I(EARLY) && at)
        early = HEDDLE_I(take)(at, r, step);
    HEDDLE_N(load_col)(sw->env, j, &col);
    const struct HEDDLE_N(cell) v = HEDDLE_N(compute)(sw->env, i, j, &st[r].row, &col, n, st[r].left, st[r].diagonal,
                                                      &st[r].red, HEDDLE_I(EARLY) && at ? &early : NULL);
    st[r].left = v;
    st[r].diagonal = n;
#endif
    if (HEDDLE_I(PLACED) && at)
        HEDDLE_I(put)(at, r, step, &v);
    else if (HEDDLE_N(STORE))
        HEDDLE_N(store)(sw->env, i, j, &v);
    if (last && sw->i1 - i < HEDDLE_N(LAST_ROWS))
        HEDDLE_N(store_last_row)(sw->env, i, j, sw->i1 - i, &v);
    if (r == HEDDLE_R - 1 && sw->out)
        sw->out[column - sw->out_first] = HEDDLE_N(edge_of)(&v);
    /* The compiler keeps to this order: left to itself it joins rows to vectors, which costs more than it gains. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Steps s0 … s1 - 1 with all rows inside the nest: the loop that takes the time. It works on copies whose address
   nobody has, so that the compiler keeps them in registers. */
static HEDDLE_INLINE void HEDDLE_I(inside)(const struct HEDDLE_I(sweep) *sweep, struct HEDDLE_I(state) *state, int s0,
                                           int s1, int live, int last, const struct HEDDLE_I(fetched) *fetched) {
    const struct HEDDLE_N(env) env = *sweep->env;
    struct HEDDLE_I(sweep) copy = *sweep, *sw = &copy;
    struct HEDDLE_I(state) st[HEDDLE_R];
    struct HEDDLE_I(at) at;
    memcpy(st, state, sizeof st);
    sw->env = &env;
    HEDDLE_I(find)(sw, s0, live, fetched, &at);
#pragma clang loop vectorize(disable) unroll(disable)
    for (int s = s0; s < s1; s++) {
#pragma clang loop unroll(full)
        for (int r = HEDDLE_R - 1; r >= 0; r--)
            if (r < live)
                HEDDLE_I(cell)(sw, st, r, s, last, 1, &at, s - s0);
    }
    memcpy(state, st, sizeof st);
}

/* Steps at the nest's left and right end. */
static __attribute__((noinline)) void HEDDLE_I(ends)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                                     int s0, int s1) {
    for (int s = s0; s < s1; s++) {
        const int past = s - sw->columns - 2 * HEDDLE_N(AFTER) + 1, begun = s / HEDDLE_N(PACE);
        const int first = past > 0 ? (past + HEDDLE_N(PACE) - 1) / HEDDLE_N(PACE) : 0;
#pragma clang loop vectorize(disable) unroll(disable)
        for (int r = begun < sw->live - 1 ? begun : sw->live - 1; r >= first; r--)
            HEDDLE_I(cell)(sw, st, r, s, sw->last, 0, NULL, 0);
    }
}

/* Steps s0 … s1 - 1 of a strip. */
static HEDDLE_INLINE void HEDDLE_I(strip)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, int s0,
                                          int s1) {
    const int all = (sw->live - 1) * HEDDLE_N(PACE) + HEDDLE_N(AFTER), some = sw->columns + HEDDLE_N(AFTER);
    int from = s0 > all ? s0 : all, to = s1 < some ? s1 : some;
    if (from >= to)
        from = to = s1;
    struct HEDDLE_I(fetched) fetched;
    HEDDLE_I(ends)(sw, st, s0, from);
    HEDDLE_I(fetch)(sw, from, to, &fetched);
    if (from < to && sw->live == HEDDLE_R && !(HEDDLE_N(LAST_ROWS) && sw->last))
        HEDDLE_I(inside)(sw, st, from, to, HEDDLE_R, 0, &fetched);
    else if (from < to)
        HEDDLE_I(inside)(sw, st, from, to, sw->live, HEDDLE_N(LAST_ROWS) > 0, &fetched);
    HEDDLE_I(ends)(sw, st, to, s1);
}

static void HEDDLE_I(begin)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                            const struct heddle_cpu_block *b) {
    for (int r = 0; r < sw->live; r++) {
        const long i = sw->row + r;
        struct HEDDLE_N(cell) above;
        memset(&above, 0, sizeof above);
        if (i > b->row && HEDDLE_N(CORNER))
            HEDDLE_N(load_left)(sw->env, i - 1, b->j0 - 1, &above);
#if HEDDLE_EXTENDED
        const struct HEDDLE_N(edge) *in = b->edge_in;
        memset(st[r].up, 0, sizeof st[r].up);
        st[r].up[0] = i > b->row ? HEDDLE_N(edge_of)(&above) : in[1];
        if (i > b->row)
            HEDDLE_N(load_behind)(sw->env, i - 1, b->j0 - 2, &st[r].up[1]);
        else
            st[r].up[1] = in[0];
#else
        st[r].diagonal = i > b->row ? HEDDLE_N(edge_of)(&above) : *(const struct HEDDLE_N(edge) *)b->edge_in;
#endif
        st[r].red = *(const struct HEDDLE_N(red) *)b->red_start;
        HEDDLE_N(load_row)(sw->env, i, &st[r].row);
        memset(&st[r].left, 0, sizeof st[r].left);
        HEDDLE_N(load_left)(sw->env, i, b->j0 - 1, &st[r].left);
    }
}

static void HEDDLE_I(end)(const struct HEDDLE_I(sweep) *sw, const struct HEDDLE_I(state) *st,
                          const struct heddle_cpu_block *b) {
    for (int r = 0; r < sw->live; r++) {
        HEDDLE_N(red_join)(b->red, &st[r].red);
        if (HEDDLE_N(LAST_COL) && !HEDDLE_EXTENDED)
            HEDDLE_N(store_last_col)(sw->env, sw->row + r, b->j1, &st[r].left);
    }
}

/* Strip q of a block. */
static struct HEDDLE_I(sweep) HEDDLE_I(sweep_of)(const struct heddle_cpu_block *b, int q) {
    const long row = b->row + (long)q * HEDDLE_R, rows = b->i1 - row + 1;
    return (struct HEDDLE_I(sweep)){.env = HEDDLE_PTR(b->env),
                                    .row = row,
                                    .i1 = b->i1,
                                    .j0 = (int)b->j0,
                                    .columns = (int)(b->j1 - b->j0 + 1),
                                    .live = rows < HEDDLE_R ? (int)rows : HEDDLE_R,
                                    .last = rows - HEDDLE_R < HEDDLE_N(LAST_ROWS)};
}

/* The chunk of columns that starts at `base`: each strip is so many columns behind the one above as its last row is
   behind its first. What a strip's last row hands on waits in one of two short buffers. */
static void HEDDLE_I(chunk)(struct heddle_cpu_block *b, struct HEDDLE_I(state) (*st)[HEDDLE_R], int strips, int base,
                            int width) {
    enum { BEHIND = (HEDDLE_R - 1) * HEDDLE_N(PACE) + HEDDLE_N(AFTER) };
    struct HEDDLE_N(edge) between[2][HEDDLE_I(WIDTH)];
    for (int q = 0; q < strips; q++) {
        struct HEDDLE_I(sweep) sw = HEDDLE_I(sweep_of)(b, q);
        const int first = base - q * BEHIND, steps = sw.columns + 2 * HEDDLE_N(AFTER) + (sw.live - 1) * HEDDLE_N(PACE);
        sw.in = HEDDLE_PTR(q ? between[q & 1] : b->edge_in);
        sw.in_first = q ? first : -HEDDLE_N(BEFORE);
        sw.out = HEDDLE_PTR(q + 1 < strips ? between[~q & 1] : b->edge_out);
        sw.out_first = q + 1 < strips ? first - BEHIND : -HEDDLE_N(BEFORE);
        const int s0 = first > 0 ? first : 0, s1 = first + width < steps ? first + width : steps;
        if (s0 < s1)
            HEDDLE_I(strip)(&sw, st[q], s0, s1);
    }
}

static int HEDDLE_I(block)(struct heddle_cpu_block *b) {
    struct HEDDLE_I(state) st[HEDDLE_STRIPS][HEDDLE_R];
    const long rows = b->i1 - b->row + 1;
    const int columns = (int)(b->j1 - b->j0 + 1) + HEDDLE_N(AFTER); /* that the row above sends */
    const int behind = (HEDDLE_R - 1) * HEDDLE_N(PACE) + HEDDLE_N(AFTER);
    const int strips = rows > HEDDLE_STRIPS * HEDDLE_R ? HEDDLE_STRIPS : (int)((rows + HEDDLE_R - 1) / HEDDLE_R);
    const int width = b->chunk > 0 && b->chunk < HEDDLE_I(WIDTH) ? (int)b->chunk : HEDDLE_I(WIDTH);
    if (b->wait && b->wait(b, 1)) /* the corner comes with the first columns */
        return 1;
    memset(st, 0, sizeof st);
    for (int q = 0; q < strips; q++) {
        const struct HEDDLE_I(sweep) sw = HEDDLE_I(sweep_of)(b, q);
        HEDDLE_I(begin)(&sw, st[q], b);
    }
    if (b->edge_out) { /* the block below starts with this one's left halo */
        struct HEDDLE_N(edge) *out = HEDDLE_PTR(b->edge_out);
        out[HEDDLE_N(BEFORE) - 1] = HEDDLE_N(edge_of)(&st[HEDDLE_STRIPS - 1][HEDDLE_R - 1].left);
#if HEDDLE_EXTENDED
        memset(out, 0, sizeof *out);
        HEDDLE_N(load_behind)(b->env, b->row + HEDDLE_STRIPS * HEDDLE_R - 1, b->j0 - 2, out);
#endif
    }
    for (int base = 0, end; base < columns + strips * behind; base = end) {
        end = (int)heddle_follow(b, base, base + width, columns, HEDDLE_CPU_UNIT);
        if (!end)
            return 1;
        HEDDLE_I(chunk)(b, st, strips, base, end - base);
        const int done = end - strips * behind;
        if (b->publish && done > 0)
            b->publish(b, done < columns ? done : columns);
    }
    for (int q = 0; q < strips; q++) {
        const struct HEDDLE_I(sweep) sw = HEDDLE_I(sweep_of)(b, q);
        HEDDLE_I(end)(&sw, st[q], b);
    }
    return 0;
}
#undef HEDDLE_I
