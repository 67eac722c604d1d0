/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form of a wavefront nest on a CPU core: HEDDLE_L SIMD lanes, lane l owns HEDDLE_K consecutive
 * rows and works one column behind lane l - 1. A step computes L x K cells; then the bottom cell of each
 * lane moves to the next lane, and the last lane's goes to the row block below. Lanes do not depend on each
 * other within a step, so the compiler turns the user's body into vector code.
 *
 * Included by heddle/wavefront.h once per instruction set with HEDDLE_ISA (a name), HEDDLE_ISA_ATTRIBUTE,
 * HEDDLE_VECTOR (bytes of lanes of the widest carried field) and HEDDLE_K set. No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, HEDDLE_ISA), name)
#define HEDDLE_L ((int)(HEDDLE_VECTOR / sizeof(union HEDDLE_N(any))))

/* Structures of lanes, and moving one lane out of and into them. */
#define HEDDLE_ALIGN(size) ((size) & ((size) - 1) ? 64 : (size) * HEDDLE_L)
#define HEDDLE_LANES(type, name, ...)                                                              \
    __typeof__(type) name[HEDDLE_L] __attribute__((aligned(HEDDLE_ALIGN(sizeof(type)))));
#define HEDDLE_HOISTED_LANES(type, name, ...) HEDDLE_LANES(HEDDLE_PROMOTED(type), name)
#define HEDDLE_GET(type, name, ...) v.name = lanes->name[l];
#define HEDDLE_PUT(type, name, ...) lanes->name[l] = v.name;

#define HEDDLE_LANE_TYPE(kind, LIST, FIELD)                                                        \
    struct HEDDLE_I(kind##_lanes) { LIST(FIELD) };                                                 \
    static HEDDLE_INLINE struct HEDDLE_N(kind)                                                     \
        HEDDLE_I(get_##kind)(const struct HEDDLE_I(kind##_lanes) *lanes, int l)                    \
    {                                                                                              \
        struct HEDDLE_N(kind) v;                                                                   \
        (void)lanes, (void)l;                                                                      \
        LIST(HEDDLE_GET)                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    static HEDDLE_INLINE void HEDDLE_I(put_##kind)(struct HEDDLE_I(kind##_lanes) *lanes, int l,    \
                                                   struct HEDDLE_N(kind) v)                        \
    {                                                                                              \
        (void)lanes, (void)l, (void)v;                                                             \
        LIST(HEDDLE_PUT)                                                                           \
    }
HEDDLE_LANE_TYPE(cell, HEDDLE_N(CELL), HEDDLE_LANES)
HEDDLE_LANE_TYPE(edge, HEDDLE_N(EDGE), HEDDLE_LANES)
HEDDLE_LANE_TYPE(row, HEDDLE_N(ROW), HEDDLE_HOISTED_LANES)
HEDDLE_LANE_TYPE(col, HEDDLE_N(COL), HEDDLE_HOISTED_LANES)
HEDDLE_LANE_TYPE(red, HEDDLE_N(RED), HEDDLE_LANES)

/* Lane l takes lane l - 1's value, lane 0 takes `v`'s: one vector permutation per field. */
#define HEDDLE_SHIFT(type, name, ...)                                                              \
    {                                                                                              \
        __typeof__(lanes->name[0]) in = v.name;                                                    \
        heddle_shift_lanes(lanes->name, &in, (int)sizeof in, HEDDLE_L);                            \
    }
static HEDDLE_INLINE void HEDDLE_I(shift_edge)(struct HEDDLE_I(edge_lanes) *lanes,
                                               struct HEDDLE_N(edge) v)
{
    (void)lanes, (void)v;
    HEDDLE_N(EDGE)(HEDDLE_SHIFT)
}
static HEDDLE_INLINE void HEDDLE_I(shift_col)(struct HEDDLE_I(col_lanes) *lanes,
                                              struct HEDDLE_N(col) v)
{
    (void)lanes, (void)v;
    HEDDLE_N(COL)(HEDDLE_SHIFT)
}

/* Steps between two looks at the neighbours, and those after which stored cells leave: while the cells of one part leave, those of
   the next are computed, and both parts stay in the first-level cache. A row's cells of one part are a line or more. */
#define HEDDLE_ONE(...) +1
enum {
    HEDDLE_I(CELLS) = HEDDLE_K * (int)sizeof(struct HEDDLE_I(cell_lanes)),
    HEDDLE_I(PART) = (HEDDLE_I(CELLS) <= 512 ? 64 : 32) * (sizeof(union HEDDLE_N(any)) < 2 ? 2 : 1),
    HEDDLE_I(ARRAYS) = 0 HEDDLE_N(STAGED)(HEDDLE_ONE), /* rows of these are contiguous */
    HEDDLE_I(FIELDS) = 0 HEDDLE_N(CELL)(HEDDLE_ONE),
    HEDDLE_I(STREAMS) = HEDDLE_N(STORE) && HEDDLE_I(ARRAYS) == 1 && HEDDLE_I(FIELDS) == 1 && 64 % sizeof(struct HEDDLE_N(cell)) == 0
};
#undef HEDDLE_ONE

/* What one row block keeps while it sweeps over the columns. */
struct HEDDLE_I(state) {
    /* [0] the cells of the step before, [1 + q] those of step q of the part where they are collected, else [0] again; twice: of the part
       before, too */
    struct HEDDLE_I(cell_lanes) cells[HEDDLE_N(STORE) ? 2 * (HEDDLE_I(PART) + 1) : 1][HEDDLE_K];
    char rest[HEDDLE_I(STREAMS) ? HEDDLE_K * HEDDLE_L : 1][64]; /* the last cells of each row: the line that they begin leaves whole */
    struct HEDDLE_I(row_lanes) row[HEDDLE_K];
    struct HEDDLE_I(edge_lanes) bottom, diagonal;
    struct HEDDLE_I(col_lanes) col;
    struct HEDDLE_I(red_lanes) red;
};
#define HEDDLE_BEFORE(st, q) ((st)->cells[HEDDLE_N(STORE) ? (q) : 0])
#define HEDDLE_NOW(st, q) ((st)->cells[HEDDLE_N(STORE) ? (q) + 1 : 0])

/* Lane l's cells of column j in step q, the first `live` of its HEDDLE_K rows. */
static HEDDLE_INLINE void HEDDLE_I(lane)(const struct HEDDLE_N(env) *env,
                                         struct HEDDLE_I(state) *st, long q, int l, long i, long j, int live)
{
    struct HEDDLE_N(edge) nw = HEDDLE_I(get_edge)(&st->diagonal, l);
    struct HEDDLE_N(edge) n = HEDDLE_I(get_edge)(&st->bottom, l);
    struct HEDDLE_N(col) col = HEDDLE_I(get_col)(&st->col, l);
    struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&st->red, l);
    HEDDLE_I(put_edge)(&st->diagonal, l, n);
#pragma clang loop unroll(full)
    for (int k = 0; k < HEDDLE_K; k++) {
        if (k >= live)
            break;
        struct HEDDLE_N(row) row = HEDDLE_I(get_row)(&st->row[k], l);
        struct HEDDLE_N(cell) w = HEDDLE_I(get_cell)(&HEDDLE_BEFORE(st, q)[k], l);
        struct HEDDLE_N(cell) v = HEDDLE_N(compute)(env, i + k, j, &row, &col, n, w, nw, &red, NULL);
        nw = HEDDLE_N(edge_of)(&w);
        n = HEDDLE_N(edge_of)(&v);
        HEDDLE_I(put_cell)(&HEDDLE_NOW(st, q)[k], l, v);
    }
    HEDDLE_I(put_edge)(&st->bottom, l, n);
    HEDDLE_I(put_red)(&st->red, l, red);
}

/* The same without branches, for pure bodies: all HEDDLE_K cells are computed, and kept only where the
   column is inside the nest; rows past `live` do not reach the reduction. */
static HEDDLE_INLINE void HEDDLE_I(lane_masked)(const struct HEDDLE_N(env) *env,
                                                struct HEDDLE_I(state) *st, long q, int l, long i,
                                                long j, int live, int inside)
{
    struct HEDDLE_N(edge) diagonal = HEDDLE_I(get_edge)(&st->diagonal, l);
    struct HEDDLE_N(edge) bottom = HEDDLE_I(get_edge)(&st->bottom, l);
    struct HEDDLE_N(edge) nw = diagonal, n = bottom;
    struct HEDDLE_N(col) col = HEDDLE_I(get_col)(&st->col, l);
    struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&st->red, l), kept = red;
#pragma clang loop unroll(full)
    for (int k = 0; k < HEDDLE_K; k++) {
        struct HEDDLE_N(row) row = HEDDLE_I(get_row)(&st->row[k], l);
        struct HEDDLE_N(cell) w = HEDDLE_I(get_cell)(&HEDDLE_BEFORE(st, q)[k], l);
        struct HEDDLE_N(cell) v = HEDDLE_N(compute)(env, i + k, j, &row, &col, n, w, nw, &red, NULL);
        kept = HEDDLE_N(select_red)(inside & (k < live), red, kept);
        nw = HEDDLE_N(edge_of)(&w);
        n = HEDDLE_N(edge_of)(&v);
        HEDDLE_I(put_cell)(&HEDDLE_NOW(st, q)[k], l, HEDDLE_N(select_cell)(inside, v, w));
        red = kept;
    }
    HEDDLE_I(put_edge)(&st->diagonal, l, HEDDLE_N(select_edge)(inside, bottom, diagonal));
    HEDDLE_I(put_edge)(&st->bottom, l, HEDDLE_N(select_edge)(inside, n, bottom));
    HEDDLE_I(put_red)(&st->red, l, kept);
}

/* One row block's constants, worked out once. */
struct HEDDLE_I(sweep) {
    const struct heddle_cpu_block *block;
    const struct HEDDLE_N(env) *env;
    const struct HEDDLE_N(edge) *in;
    struct HEDDLE_N(edge) *out;
    long columns;       /* of the nest */
    int live[HEDDLE_L]; /* rows of each lane that exist */
    int full;           /* all of them do */
};

static HEDDLE_INLINE void HEDDLE_I(enter)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                          long s)
{
    const long last = sw->columns - 1, column = s < last ? s : last;
    struct HEDDLE_N(col) col;
    HEDDLE_N(load_col)(sw->env, sw->block->j0 + column, &col);
    HEDDLE_I(shift_col)(&st->col, col);
    HEDDLE_I(shift_edge)(&st->bottom, sw->in[1 + column]);
}

/* Step s with every lane inside the nest: the loop that takes the time. */
static HEDDLE_INLINE void HEDDLE_I(step)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                         long s, long q)
{
    const long row = sw->block->row, j0 = sw->block->j0;
#pragma clang loop vectorize(assume_safety) interleave(disable)
    for (int l = 0; l < HEDDLE_L; l++)
        HEDDLE_I(lane)(sw->env, st, q, l, row + l * HEDDLE_K, j0 + s - l, HEDDLE_K);
}

/* Step s at the nest's left, right or lower end. */
static HEDDLE_INLINE void HEDDLE_I(step_masked)(const struct HEDDLE_I(sweep) *sw,
                                                struct HEDDLE_I(state) *st, long s, long q)
{
    const long row = sw->block->row, j0 = sw->block->j0, past = s - sw->columns;
    /* lanes above `left` and up to `right` are inside; as int, for masks as wide as most cells */
    const int right = s < HEDDLE_L ? (int)s : HEDDLE_L, left = past < -1 ? -1 : (int)past;
    if (HEDDLE_N(PURE)) {
#pragma clang loop vectorize(assume_safety) interleave(disable)
        for (int l = 0; l < HEDDLE_L; l++)
            HEDDLE_I(lane_masked)(sw->env, st, q, l, row + l * HEDDLE_K, j0 + s - l, sw->live[l],
                                  (l <= right) & (l > left));
        return;
    }
    if (HEDDLE_N(STORE))
        memcpy(HEDDLE_NOW(st, q), HEDDLE_BEFORE(st, q), sizeof st->cells[0]);
#pragma clang loop vectorize(disable) unroll(disable)
    for (int l = 0; l < HEDDLE_L; l++)
        if (l <= right && l > left && sw->live[l] > 0)
            HEDDLE_I(lane)(sw->env, st, q, l, row + l * HEDDLE_K, j0 + s - l, sw->live[l]);
}

/* Stored cells leave a part at a time and a row after the other, so that memory sees whole lines: the lanes of a row of
   steps become rows of cells, in the first-level cache, which an ordinary loop along the row then copies out. */
#define HEDDLE_TURNED(type, name, ...) __typeof__(type) name[HEDDLE_L][HEDDLE_I(LEAD) + HEDDLE_I(PART)] __attribute__((aligned(64)));
#define HEDDLE_TRANSPOSE(type, name, ...)                                                          \
    heddle_transpose(cells[0][k].name, sizeof st->cells[0], &turned.name[0][HEDDLE_I(LEAD)], sizeof turned.name[0], (int)sizeof(type), \
                     steps, HEDDLE_L);
#define HEDDLE_TURNED_GET(type, name, ...) v.name = turned.name[l][HEDDLE_I(LEAD) + q];
#define HEDDLE_TURNED_FIRST(type, name, ...) (char *)&turned.name[l][HEDDLE_I(LEAD)],
enum { HEDDLE_I(LEAD) = HEDDLE_I(STREAMS) ? 64 / sizeof(struct HEDDLE_N(cell)) : 0 };

/* A part whose cells are to leave. */
struct HEDDLE_I(part) {
    long s0, s1; /* steps; none: none */
    int first;   /* step s0 in the state's cells */
};

/* Cells from … to - 1 of a row that begins at `p`, past the caches. With them goes what the part before left of their first line. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(send)(char *p, char *row, size_t from, size_t to, size_t before, char *rest, int last)
{
    const size_t lead = (uintptr_t)p % 64, unsent = lead < before ? lead : before;
    if (before)
        memcpy(row - 64, rest, 64);
    HEDDLE_PASTE(heddle_stream, HEDDLE_VECTOR)(p - unsent, row + from - unsent, to - from + unsent, last);
    memcpy(rest, row + to - 64, 64);
}

/* Row k of each lane. */
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline)) void HEDDLE_I(flush)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                                                           const struct HEDDLE_I(part) *part, int k)
{
    const struct HEDDLE_N(env) env = *sw->env;
    struct { HEDDLE_N(CELL)(HEDDLE_TURNED) } turned;
    struct HEDDLE_I(cell_lanes) (*cells)[HEDDLE_K] = &st->cells[part->first + 1];
    const long s0 = part->s0;
    const int steps = (int)(part->s1 - s0);
    HEDDLE_N(CELL)(HEDDLE_TRANSPOSE)
#pragma clang loop unroll(disable)
    for (int l = 0; l < HEDDLE_L; l++) {
        const int from = s0 > l ? 0 : (int)(l - s0);
        const int to = part->s1 < sw->columns + l ? steps : (int)(sw->columns + l - s0);
        const long i = sw->block->row + l * HEDDLE_K + k, j = sw->block->j0 + s0 - l;
        if (k >= sw->live[l] || from >= to)
            continue;
        if (HEDDLE_I(STREAMS) && sw->block->stream) {
            char *rows[] = {HEDDLE_N(CELL)(HEDDLE_TURNED_FIRST) NULL}, *p[HEDDLE_I(ARRAYS) + 1];
            const size_t size = sizeof(struct HEDDLE_N(cell));
            HEDDLE_N(place)(&env, i, j + from, p);
            HEDDLE_I(send)(p[0], rows[0], (size_t)from * size, (size_t)to * size, (size_t)(s0 - l + from) * size,
                           st->rest[k * HEDDLE_L + l], s0 - l + to == sw->columns);
            continue;
        }
#pragma clang loop vectorize(assume_safety) interleave(disable)
        for (int q = from; q < to; q++) {
            struct HEDDLE_N(cell) v;
            HEDDLE_N(CELL)(HEDDLE_TURNED_GET)
            HEDDLE_N(store)(&env, i, j + q, &v);
        }
    }
}
#undef HEDDLE_TURNED
#undef HEDDLE_TRANSPOSE
#undef HEDDLE_TURNED_GET
#undef HEDDLE_TURNED_FIRST

/* Rolling arrays, arrays indexed by the column alone and keep(last): the nest's last rows go to memory. */
static inline void HEDDLE_I(store_last_rows)(const struct HEDDLE_I(sweep) *sw,
                                             const struct HEDDLE_I(state) *st, long s, long q)
{
    const struct heddle_cpu_block *b = sw->block;
    for (int left = 0; left < HEDDLE_N(LAST_ROWS); left++) {
        const long i = b->i1 - left, at = i - b->row;
        if (at < 0 || at >= HEDDLE_L * HEDDLE_K || i < b->i0)
            continue;
        const int l = (int)(at / HEDDLE_K);
        if (s - l < 0 || s - l >= sw->columns)
            continue;
        struct HEDDLE_N(cell) v = HEDDLE_I(get_cell)(&HEDDLE_NOW(st, q)[at % HEDDLE_K], l);
        HEDDLE_N(store_last_row)(sw->env, i, b->j0 + s - l, left, &v);
    }
}

static inline void HEDDLE_I(begin)(struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st)
{
    const struct heddle_cpu_block *b = sw->block;
    struct HEDDLE_N(col) col;
    struct HEDDLE_N(edge) zero;
    HEDDLE_N(load_col)(sw->env, b->j0, &col);
    memset(&zero, 0, sizeof zero);
    sw->full = 1;
    for (int l = 0; l < HEDDLE_L; l++) {
        const long first = b->row + l * HEDDLE_K;
        struct HEDDLE_N(cell) w;
        memset(&w, 0, sizeof w);
        sw->live[l] = first + HEDDLE_K <= b->i1 + 1 ? HEDDLE_K : first > b->i1 ? 0 : (int)(b->i1 + 1 - first);
        sw->full &= sw->live[l] == HEDDLE_K;
        if (l > 0 && HEDDLE_N(CORNER) && first <= b->i1 + 1)
            HEDDLE_N(load_west)(sw->env, first - 1, b->j0 - 1, &w);
        HEDDLE_I(put_edge)(&st->diagonal, l, l ? HEDDLE_N(edge_of)(&w) : sw->in[0]);
        HEDDLE_I(put_edge)(&st->bottom, l, zero);
        HEDDLE_I(put_col)(&st->col, l, col);
        HEDDLE_I(put_red)(&st->red, l, *(const struct HEDDLE_N(red) *)b->red_start);
        for (int k = 0; k < HEDDLE_K; k++) {
            const long i = first + k < b->i1 ? first + k : b->i1;
            struct HEDDLE_N(row) row;
            HEDDLE_N(load_row)(sw->env, i, &row);
            HEDDLE_N(load_west)(sw->env, i, b->j0 - 1, &w);
            HEDDLE_I(put_row)(&st->row[k], l, row);
            HEDDLE_I(put_cell)(&st->cells[0][k], l, w);
        }
    }
    if (sw->out) /* the row block below starts with this one's west border */
        sw->out[0] = ({ struct HEDDLE_N(cell) w = HEDDLE_I(get_cell)(&st->cells[0][HEDDLE_K - 1], HEDDLE_L - 1);
                        HEDDLE_N(edge_of)(&w); });
}

static inline void HEDDLE_I(end)(const struct HEDDLE_I(sweep) *sw, const struct HEDDLE_I(state) *st)
{
    const struct heddle_cpu_block *b = sw->block;
    for (int l = 0; l < HEDDLE_L; l++) {
        struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&st->red, l);
        HEDDLE_N(red_join)(b->red, &red);
        for (int k = 0; HEDDLE_N(LAST_COL) && k < sw->live[l]; k++) {
            struct HEDDLE_N(cell) v = HEDDLE_I(get_cell)(&st->cells[0][k], l);
            HEDDLE_N(store_last_col)(sw->env, b->row + l * HEDDLE_K + k, b->j1, &v);
        }
    }
}

/* Steps s0 … s1 - 1; cells of step `base` are the first ones. `fast` is a constant at each call. */
static HEDDLE_INLINE void HEDDLE_I(steps)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                          long base, long s0, long s1, int fast)
{
    const int last = HEDDLE_N(LAST_ROWS) &&
                     sw->block->row + HEDDLE_L * HEDDLE_K - 1 > sw->block->i1 - HEDDLE_N(LAST_ROWS);
    for (long s = s0; s < s1; s++) {
        HEDDLE_I(enter)(sw, st, s);
        if (fast)
            HEDDLE_I(step)(sw, st, s, s - base);
        else
            HEDDLE_I(step_masked)(sw, st, s, s - base);
        if (sw->out && s >= HEDDLE_L - 1)
            sw->out[1 + s - (HEDDLE_L - 1)] = HEDDLE_I(get_edge)(&st->bottom, HEDDLE_L - 1);
        if (last)
            HEDDLE_I(store_last_rows)(sw, st, s, s - base);
    }
}

/* Only the first and last L - 1 steps, and incomplete blocks, need masks. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(any_steps)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, long base, long s0, long s1)
{
    const long from = !sw->full ? s1 : s0 > HEDDLE_L - 1 ? s0 : HEDDLE_L - 1 < s1 ? HEDDLE_L - 1 : s1;
    const long to = s1 < sw->columns ? s1 : sw->columns > from ? sw->columns : from;
    HEDDLE_I(steps)(sw, st, base, s0, from, 0);
    HEDDLE_I(steps)(sw, st, base, from, to, 1);
    HEDDLE_I(steps)(sw, st, base, to > from ? to : from, s1, 0);
}

/* Steps s0 … s1 - 1, whose cells are kept; those of the part before leave meanwhile, a row of each lane after a few steps: memory
   takes them while the next steps are computed. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(store_part)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                                                    struct HEDDLE_I(part) *before, long s0, long s1)
{
    enum { FEW = HEDDLE_I(PART) / HEDDLE_K };
    const int first = before->first ? 0 : HEDDLE_I(PART) + 1;
    memcpy(st->cells[first], st->cells[before->first + before->s1 - before->s0], sizeof st->cells[0]);
    for (int k = 0; k < HEDDLE_K; k++) {
        const long a = s0 + k * FEW < s1 ? s0 + k * FEW : s1, b = a + FEW < s1 ? a + FEW : s1;
        HEDDLE_I(any_steps)(sw, st, s0 - first, a, b);
        if (before->s0 < before->s1)
            HEDDLE_I(flush)(sw, st, before, k);
    }
    *before = (struct HEDDLE_I(part)){s0, s1, first};
}

HEDDLE_ISA_ATTRIBUTE static int HEDDLE_I(block)(struct heddle_cpu_block *b)
{
    struct HEDDLE_I(state) st;
    struct HEDDLE_I(sweep) sw = {.block = b, .env = b->env, .in = b->edge_in, .out = b->edge_out,
                                 .columns = b->j1 - b->j0 + 1};
    struct HEDDLE_N(env) env = *sw.env; /* a copy that nothing can alias */
    sw.env = &env;
    /* begin() reads the corner that the block above leaves with its first columns */
    if (b->wait && b->wait(b, 1))
        return 1;
    HEDDLE_I(begin)(&sw, &st);
    const long steps = sw.columns + HEDDLE_L - 1;
    struct HEDDLE_I(part) before = {0};
    for (long s0 = 0; s0 < steps; s0 += HEDDLE_CPU_CHUNK) {
        const long s1 = s0 + HEDDLE_CPU_CHUNK < steps ? s0 + HEDDLE_CPU_CHUNK : steps;
        if (b->wait && b->wait(b, s1 < sw.columns ? s1 : sw.columns))
            return 1;
        if (HEDDLE_N(STORE))
            for (long s = s0; s < s1; s += HEDDLE_I(PART))
                HEDDLE_I(store_part)(&sw, &st, &before, s, s + HEDDLE_I(PART) < s1 ? s + HEDDLE_I(PART) : s1);
        else
            HEDDLE_I(any_steps)(&sw, &st, s0, s0, s1);
        if (b->publish && s1 >= HEDDLE_L)
            b->publish(b, s1 - (HEDDLE_L - 1));
    }
    for (int k = 0; HEDDLE_N(STORE) && before.s0 < before.s1 && k < HEDDLE_K; k++)
        HEDDLE_I(flush)(&sw, &st, &before, k);
    if (HEDDLE_N(STORE))
        memcpy(st.cells[0], st.cells[before.first + before.s1 - before.s0], sizeof st.cells[0]);
    HEDDLE_I(end)(&sw, &st);
    if (HEDDLE_N(STORE))
        heddle_stream_end();
    return 0;
}
#if defined(HEDDLE_SWEEPS) && HEDDLE_SWEEPS == 2
#include <heddle/wavefront_cpu_sweeps.h>
#endif
#undef HEDDLE_BEFORE
#undef HEDDLE_NOW
#undef HEDDLE_I
#undef HEDDLE_L
