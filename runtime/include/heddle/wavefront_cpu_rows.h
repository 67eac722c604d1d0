/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Interleaved form of a wavefront nest on a CPU core: strips of HEDDLE_R rows, row r one column behind row r - 1,
 * each cell by ordinary scalar code. A row as written is one chain of dependent operations, so the core waits for
 * their latency; the rows of a step do not depend on each other, so it works on all of them at once. Cells are
 * loaded and stored along their rows as the loop itself would: this is the form for bodies that move much and
 * compute little, and for nests too small to fill SIMD lanes.
 *
 * Rows that read on the right in the row above (wide nests) are two columns behind each other: what a row takes from the one
 * above is still that row's cell of the step before. They take in a value each step and keep the last few; they begin AFTER
 * columns early, when they only do that, and end as many late, when they only hand on the border on their right.
 *
 * A block is HEDDLE_STRIPS strips, done one after the other in each chunk of columns: the row between two strips is
 * then still in the cache, and other threads share only the row between blocks.
 *
 * Included by heddle/wavefront.h once with HEDDLE_R and HEDDLE_STRIPS set. No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, interleaved), name)

/* A row while it goes over the columns. Apart in memory, or the compiler joins values of two rows in one vector, and
   every cell then pays for taking them apart. */
#define HEDDLE_APART __attribute__((aligned(64)))
struct HEDDLE_I(state) {
    struct HEDDLE_N(cell) left HEDDLE_APART;     /* the cell last computed */
#if HEDDLE_WIDE
    struct HEDDLE_N(edge) up[3] HEDDLE_APART;    /* of the row above: what came last, before that, and before that */
#else
    struct HEDDLE_N(edge) diagonal HEDDLE_APART; /* above that one */
#endif
    struct HEDDLE_N(row) row HEDDLE_APART;
    struct HEDDLE_N(red) red HEDDLE_APART;
};
#undef HEDDLE_APART

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

#if HEDDLE_WIDE
/* Right of the nest, as a cell of which nobody reads more than that. */
static void HEDDLE_I(get_east)(const struct HEDDLE_I(sweep) *sw, long i, long j, struct HEDDLE_N(cell) *v)
{
    struct HEDDLE_N(edge) e;
    memset(&e, 0, sizeof e);
    memset(v, 0, sizeof *v);
    HEDDLE_N(load_east)(sw->env, i, j, &e);
#define HEDDLE_TO_CELL(type, name) v->name = e.name;
    HEDDLE_N(EDGE)(HEDDLE_TO_CELL)
#undef HEDDLE_TO_CELL
}
#endif

/* Row r's cell of step s; `inside`: there is one. Called for the lowest row first: what a row needs from the one above is then still
   that row's cell of the step before. */
static HEDDLE_INLINE void HEDDLE_I(cell)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, int r, int s,
                                         int last, int inside)
{
    const int column = s - r * HEDDLE_N(PACE) - HEDDLE_N(AFTER);
    const long i = sw->row + r, j = sw->j0 + column;
    const struct HEDDLE_N(edge) n = r ? HEDDLE_N(edge_of)(&st[r - 1].left) : sw->in[column + HEDDLE_N(AFTER) - sw->in_first];
#if HEDDLE_WIDE
    if (inside || (column >= 0 && column < sw->columns)) {
        struct HEDDLE_N(col) col;
        HEDDLE_N(load_col)(sw->env, j, &col);
        st[r].left = HEDDLE_N(compute_wide)(sw->env, i, j, &st[r].row, &col, HEDDLE_N(AFTER) ? st[r].up[0] : n, st[r].left,
                                            st[r].up[HEDDLE_N(AFTER)], n, st[r].up[HEDDLE_N(AFTER) + 1], &st[r].red, NULL);
    } else if (column >= sw->columns && i < sw->i1) {
        HEDDLE_I(get_east)(sw, i, j, &st[r].left);
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
    struct HEDDLE_N(col) col;
    (void)inside;
    HEDDLE_N(load_col)(sw->env, j, &col);
    const struct HEDDLE_N(cell) v =
        HEDDLE_N(compute)(sw->env, i, j, &st[r].row, &col, n, st[r].left, st[r].diagonal, &st[r].red, NULL);
    st[r].left = v;
    st[r].diagonal = n;
#endif
    if (HEDDLE_N(STORE))
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
                                           int s1, int live, int last)
{
    const struct HEDDLE_N(env) env = *sweep->env;
    struct HEDDLE_I(sweep) copy = *sweep, *sw = &copy;
    struct HEDDLE_I(state) st[HEDDLE_R];
    memcpy(st, state, sizeof st);
    sw->env = &env;
#pragma clang loop vectorize(disable) unroll(disable)
    for (int s = s0; s < s1; s++) {
#pragma clang loop unroll(full)
        for (int r = HEDDLE_R - 1; r >= 0; r--)
            if (r < live)
                HEDDLE_I(cell)(sw, st, r, s, last, 1);
    }
    memcpy(state, st, sizeof st);
}

/* Steps at the nest's left and right end. */
static __attribute__((noinline)) void HEDDLE_I(ends)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                                     int s0, int s1)
{
    for (int s = s0; s < s1; s++) {
        const int past = s - sw->columns - 2 * HEDDLE_N(AFTER) + 1, begun = s / HEDDLE_N(PACE);
        const int first = past > 0 ? (past + HEDDLE_N(PACE) - 1) / HEDDLE_N(PACE) : 0;
#pragma clang loop vectorize(disable) unroll(disable)
        for (int r = begun < sw->live - 1 ? begun : sw->live - 1; r >= first; r--)
            HEDDLE_I(cell)(sw, st, r, s, sw->last, 0);
    }
}

/* Steps s0 … s1 - 1 of a strip. */
static HEDDLE_INLINE void HEDDLE_I(strip)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, int s0, int s1)
{
    const int all = (sw->live - 1) * HEDDLE_N(PACE) + HEDDLE_N(AFTER), some = sw->columns + HEDDLE_N(AFTER);
    int from = s0 > all ? s0 : all, to = s1 < some ? s1 : some;
    if (from >= to)
        from = to = s1;
    HEDDLE_I(ends)(sw, st, s0, from);
    if (sw->live == HEDDLE_R && !(HEDDLE_N(LAST_ROWS) && sw->last))
        HEDDLE_I(inside)(sw, st, from, to, HEDDLE_R, 0);
    else
        HEDDLE_I(inside)(sw, st, from, to, sw->live, HEDDLE_N(LAST_ROWS) > 0);
    HEDDLE_I(ends)(sw, st, to, s1);
}

static void HEDDLE_I(begin)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, const struct heddle_cpu_block *b)
{
    for (int r = 0; r < sw->live; r++) {
        const long i = sw->row + r;
        struct HEDDLE_N(cell) above;
        memset(&above, 0, sizeof above);
        if (i > b->row && HEDDLE_N(CORNER))
            HEDDLE_N(load_west)(sw->env, i - 1, b->j0 - 1, &above);
#if HEDDLE_WIDE
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
        HEDDLE_N(load_west)(sw->env, i, b->j0 - 1, &st[r].left);
    }
}

static void HEDDLE_I(end)(const struct HEDDLE_I(sweep) *sw, const struct HEDDLE_I(state) *st, const struct heddle_cpu_block *b)
{
    for (int r = 0; r < sw->live; r++) {
        HEDDLE_N(red_join)(b->red, &st[r].red);
        if (HEDDLE_N(LAST_COL) && !HEDDLE_WIDE)
            HEDDLE_N(store_last_col)(sw->env, sw->row + r, b->j1, &st[r].left);
    }
}

/* Strip q of a block. */
static struct HEDDLE_I(sweep) HEDDLE_I(sweep_of)(const struct heddle_cpu_block *b, int q)
{
    const long row = b->row + (long)q * HEDDLE_R, rows = b->i1 - row + 1;
    return (struct HEDDLE_I(sweep)){.env = b->env, .row = row, .i1 = b->i1, .j0 = (int)b->j0,
                                    .columns = (int)(b->j1 - b->j0 + 1), .live = rows < HEDDLE_R ? (int)rows : HEDDLE_R,
                                    .last = rows - HEDDLE_R < HEDDLE_N(LAST_ROWS)};
}

/* The chunk of columns that starts at `base`: each strip is so many columns behind the one above as its last row is behind
   its first. What a strip's last row hands on waits in one of two short buffers. */
static void HEDDLE_I(chunk)(struct heddle_cpu_block *b, struct HEDDLE_I(state) (*st)[HEDDLE_R], int strips, int base, int width)
{
    enum { BEHIND = (HEDDLE_R - 1) * HEDDLE_N(PACE) + HEDDLE_N(AFTER) };
    struct HEDDLE_N(edge) between[2][HEDDLE_ROWS_CHUNK];
    for (int q = 0; q < strips; q++) {
        struct HEDDLE_I(sweep) sw = HEDDLE_I(sweep_of)(b, q);
        const int first = base - q * BEHIND, steps = sw.columns + 2 * HEDDLE_N(AFTER) + (sw.live - 1) * HEDDLE_N(PACE);
        sw.in = q ? between[q & 1] : b->edge_in;
        sw.in_first = q ? first : -HEDDLE_N(BEFORE);
        sw.out = q + 1 < strips ? between[~q & 1] : b->edge_out;
        sw.out_first = q + 1 < strips ? first - BEHIND : -HEDDLE_N(BEFORE);
        const int s0 = first > 0 ? first : 0, s1 = first + width < steps ? first + width : steps;
        if (s0 < s1)
            HEDDLE_I(strip)(&sw, st[q], s0, s1);
    }
}

static int HEDDLE_I(block)(struct heddle_cpu_block *b)
{
    struct HEDDLE_I(state) st[HEDDLE_STRIPS][HEDDLE_R];
    const long rows = b->i1 - b->row + 1;
    const int columns = (int)(b->j1 - b->j0 + 1) + HEDDLE_N(AFTER); /* that the row above sends */
    const int behind = (HEDDLE_R - 1) * HEDDLE_N(PACE) + HEDDLE_N(AFTER);
    const int strips = rows > HEDDLE_STRIPS * HEDDLE_R ? HEDDLE_STRIPS : (int)((rows + HEDDLE_R - 1) / HEDDLE_R);
    const int width = b->chunk > 0 && b->chunk < HEDDLE_ROWS_CHUNK ? (int)b->chunk : HEDDLE_ROWS_CHUNK;
    if (b->wait && b->wait(b, 1)) /* the corner comes with the first columns */
        return 1;
    memset(st, 0, sizeof st);
    for (int q = 0; q < strips; q++) {
        const struct HEDDLE_I(sweep) sw = HEDDLE_I(sweep_of)(b, q);
        HEDDLE_I(begin)(&sw, st[q], b);
    }
    if (b->edge_out) { /* the block below starts with this one's west border */
        struct HEDDLE_N(edge) *out = b->edge_out;
        out[HEDDLE_N(BEFORE) - 1] = HEDDLE_N(edge_of)(&st[HEDDLE_STRIPS - 1][HEDDLE_R - 1].left);
#if HEDDLE_WIDE
        memset(out, 0, sizeof *out);
        HEDDLE_N(load_behind)(b->env, b->row + HEDDLE_STRIPS * HEDDLE_R - 1, b->j0 - 2, out);
#endif
    }
    for (int base = 0; base < columns + strips * behind; base += width) {
        if (b->wait && b->wait(b, base + width < columns ? base + width : columns))
            return 1;
        HEDDLE_I(chunk)(b, st, strips, base, width);
        const int done = base + width - strips * behind;
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
