/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Register form of a wavefront nest on a CPU core: HEDDLE_L SIMD lanes, lane l owns HEDDLE_K consecutive rows. Each row
 * works one column behind the one above, inside a lane as between lanes, so the L x K cells of a step do not depend on
 * each other: the compiler turns the user's body into vector code, and the core works on K vectors at once. Then the
 * bottom cell of each lane moves to the next lane, and the last lane's goes to the row block below. Short cells
 * (HEDDLE_N(CHAIN)) are different inside a lane: its rows work on the same column, one after the other.
 *
 * Included by heddle/engine/wavefront/wavefront.h once per instruction set with HEDDLE_ISA (a name),
 * HEDDLE_ISA_ATTRIBUTE, HEDDLE_VECTOR (bytes of lanes of the widest carried field) and HEDDLE_K set. No include guard.
 */
#define HEDDLE_I(name) HEDDLE_PASTE(HEDDLE_PASTE(HEDDLE_NEST, HEDDLE_ISA), name)
#define HEDDLE_L ((int)(HEDDLE_VECTOR / sizeof(union HEDDLE_N(any))))

#include <heddle/engine/wavefront/cpu_lanes.h>

/* Steps between two looks at the neighbours, and those after which stored cells leave: while the cells of one part
   leave, those of the next are computed, and both parts stay in the first-level cache. A row's cells of one part are a
   line or more. */
#define HEDDLE_ONE(...) +1
enum {
    HEDDLE_I(ROWS) = HEDDLE_L * HEDDLE_K,
    HEDDLE_I(CELLS) = HEDDLE_K * (int)sizeof(struct HEDDLE_I(cell_lanes)),
    HEDDLE_I(PART) = (HEDDLE_I(CELLS) <= 512 ? 64 : 32) * (sizeof(union HEDDLE_N(any)) < 2 ? 2 : 1),
    HEDDLE_I(ARRAYS) = 0 HEDDLE_N(STAGED)(HEDDLE_ONE), /* rows of these are contiguous */
    HEDDLE_I(FIELDS) = 0 HEDDLE_N(CELL)(HEDDLE_ONE),
    HEDDLE_I(STREAMS) =
        HEDDLE_N(STORE) && HEDDLE_I(ARRAYS) == 1 && HEDDLE_I(FIELDS) == 1 && 64 % sizeof(struct HEDDLE_N(cell)) == 0,
    /* what cells read from memory comes as lanes, too: cpu_streams.h */
    HEDDLE_I(SQUARES) = HEDDLE_N(STREAMS_FIT) && (!HEDDLE_N(STORE) || HEDDLE_N(STAGED_FIT)),
    HEDDLE_I(ENDS) = HEDDLE_I(SQUARES) && HEDDLE_N(EARLY_PURE), /* steps at the ends are vector code, too */
    HEDDLE_I(DELAYS) = HEDDLE_I(SQUARES) && !HEDDLE_N(CHAIN),
    HEDDLE_I(HISTORY) =
        HEDDLE_N(CHAIN)
            ? 1
            : HEDDLE_K + (HEDDLE_I(DELAYS) ? HEDDLE_DELAY : 0) /* steps of which column data is still wanted */
};
#undef HEDDLE_ONE

/* One row block's constants, worked out once. */
struct HEDDLE_I(sweep) {
    const struct heddle_cpu_block *block;
    const struct HEDDLE_N(env) *env;
    const struct HEDDLE_N(edge) *in;
    struct HEDDLE_N(edge) *out;
    long columns; /* of the nest */
    int rows;     /* of the block that exist */
    int delay;    /* steps that what leaves a lane waits before the next lane takes it: 0 or HEDDLE_DELAY */
};

/* Columns that a lane is behind the one before, that row k of lane l is behind the first row, and the last row. */
static HEDDLE_INLINE int HEDDLE_I(pace)(const struct HEDDLE_I(sweep) *sw) {
    return HEDDLE_N(CHAIN) ? 1 : HEDDLE_K + (HEDDLE_I(DELAYS) ? sw->delay : 0);
}
static HEDDLE_INLINE int HEDDLE_I(behind)(const struct HEDDLE_I(sweep) *sw, int l, int k) {
    return l * HEDDLE_I(pace)(sw) + (HEDDLE_N(CHAIN) ? 0 : k);
}
static HEDDLE_INLINE int HEDDLE_I(lag)(const struct HEDDLE_I(sweep) *sw) {
    return HEDDLE_I(behind)(sw, HEDDLE_L - 1, HEDDLE_K - 1);
}

#include <heddle/engine/wavefront/cpu_streams.h>

/* What a step leaves for the next one: each row's last cell, the one above that, and in a chain its column's data. */
struct HEDDLE_I(moving) {
    struct HEDDLE_I(cell_lanes) cell[HEDDLE_K];
    struct HEDDLE_I(edge_lanes) diagonal[HEDDLE_K];
    struct HEDDLE_I(col_lanes) col;
    struct HEDDLE_I(red_lanes) red;
};

/* What one row block keeps while it sweeps over the columns. */
struct HEDDLE_I(state) {
    struct HEDDLE_I(cell_lanes) cells[HEDDLE_N(STORE) ? 2 : 1][HEDDLE_N(STORE) ? HEDDLE_I(PART) : 1]
                                     [HEDDLE_K]; /* of two parts' steps */
    char rest[HEDDLE_I(STREAMS) ? HEDDLE_K * HEDDLE_L : 1]
             [64]; /* the last cells of each row: the line that they begin leaves whole */
    struct HEDDLE_I(row_lanes) row[HEDDLE_K];
    struct HEDDLE_I(moving) moving;
    struct HEDDLE_I(
        col_lanes) cols[HEDDLE_I(HISTORY) + HEDDLE_I(PART)]; /* of the first rows, for some steps from `first_col` on */
    long first_col;
    struct HEDDLE_I(early) early;
    struct HEDDLE_I(
        edge_lanes) late[HEDDLE_I(DELAYS) ? HEDDLE_DELAY : 1]; /* of the lanes' last rows, from steps before: step s
                                                                  takes and leaves at s % HEDDLE_DELAY */
};

/* Some steps of a part, from s0 on; `half`: where its cells are kept. */
struct HEDDLE_I(part) {
    long s0, s1;
    int half;
};

/* The rows of a lane in the order of a step: what is above a row is its cell of this step in a chain, else of the step
 * before. */
#define HEDDLE_NTH(q) (HEDDLE_N(CHAIN) ? (q) : HEDDLE_K - 1 - (q))

/* Row k of lane l in step s; `above` it is the row before; in a chain `from_left` is that row's cell of the step
   before. Constants: `fast`, it is inside the nest; `group`, what it reads and stores is turned. */
static HEDDLE_INLINE void HEDDLE_I(cell)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                         struct HEDDLE_I(moving) *m, const struct HEDDLE_I(edge_lanes) *above,
                                         struct HEDDLE_I(edge_lanes) *from_left, const struct HEDDLE_I(part) *part,
                                         long s, int k, int l, int fast, int group, int inside) {
    const long r = l * HEDDLE_K + k, i = sw->block->row + r, j = sw->block->j0 + s - HEDDLE_I(behind)(sw, l, k);
    const struct HEDDLE_N(row) row = HEDDLE_I(get_row)(&st->row[k], l);
    const struct HEDDLE_N(col) col = HEDDLE_I(get_col)(HEDDLE_N(CHAIN) ? &m->col : &st->cols[s - st->first_col - k], l);
    const struct HEDDLE_N(cell) w = HEDDLE_I(get_cell)(&m->cell[k], l),
                                up = HEDDLE_I(get_cell)(&m->cell[k ? k - 1 : 0], l);
    const struct HEDDLE_N(edge) n = k ? HEDDLE_N(edge_of)(&up) : HEDDLE_I(get_edge)(above, l);
    const struct HEDDLE_N(edge) nw =
        HEDDLE_N(CORNER) ? HEDDLE_I(get_edge)(HEDDLE_N(CHAIN) && k ? from_left : &m->diagonal[k], l) : n;
    struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&m->red, l);
    const struct HEDDLE_N(red) kept = red;
    struct HEDDLE_N(early) early;
    if (group)
        early = HEDDLE_I(take)(&st->early, s - part->s0, k, l);
    struct HEDDLE_N(cell) v = HEDDLE_N(compute)(sw->env, i, j, &row, &col, n, w, nw, &red, group ? &early : NULL);
    if (!fast) {
        v = HEDDLE_N(select_cell)(inside, v, w);
        red = HEDDLE_N(select_red)(inside & ((int)r < sw->rows), red, kept);
    }
    HEDDLE_I(put_cell)(&m->cell[k], l, v);
    if (HEDDLE_N(CORNER) && HEDDLE_N(CHAIN))
        HEDDLE_I(put_edge)(from_left, l, HEDDLE_N(edge_of)(&w));
    if (HEDDLE_N(CORNER) && !(HEDDLE_N(CHAIN) && k))
        HEDDLE_I(put_edge)(&m->diagonal[k], l, n);
    HEDDLE_I(put_red)(&m->red, l, red);
    if (HEDDLE_N(STORE) && (group || !HEDDLE_I(SQUARES)))
        HEDDLE_I(put_cell)(&st->cells[part->half][s - part->s0][k], l, v);
    else if (HEDDLE_N(STORE))
        HEDDLE_N(store)(sw->env, i, j, &v);
}

#define HEDDLE_BOTTOM(type, name, ...) memcpy(above->name, m->cell[HEDDLE_K - 1].name, sizeof above->name);
/* Data of the columns that enter in steps s0 … s1 - 1, PART at most, for the first row of each lane: the others want it
   in later steps. In memory, which costs a core less than to hand it from register to register. */
static HEDDLE_INLINE void HEDDLE_I(load_cols)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st, long s0,
                                              long s1, int fast) {
    const long last = sw->columns - 1;
    if (HEDDLE_N(CHAIN))
        return;
    const long first = s0 - HEDDLE_I(HISTORY);
    memmove(st->cols, &st->cols[first - st->first_col], HEDDLE_I(HISTORY) * sizeof *st->cols);
    st->first_col = first;
#pragma clang loop vectorize(disable)
    for (long s = s0; s < s1; s++) {
        struct HEDDLE_I(col_lanes) *to = &st->cols[s - first];
        struct HEDDLE_I(col_lanes) entering = to[-HEDDLE_I(pace)(sw)];
        struct HEDDLE_N(col) col;
        HEDDLE_N(load_col)(sw->env, sw->block->j0 + (fast || s < last ? s : last), &col);
        HEDDLE_I(shift_col)(&entering, col);
        *to = entering;
    }
}

/* What is above the rows. */
static HEDDLE_INLINE void HEDDLE_I(enter)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(moving) *m,
                                          struct HEDDLE_I(edge_lanes) *late, struct HEDDLE_I(edge_lanes) *above, long s,
                                          int fast) {
    const long last = sw->columns - 1, column = fast || s < last ? s : last;
    (void)above, (void)late;
    if (HEDDLE_N(CHAIN)) {
        struct HEDDLE_N(col) col;
        HEDDLE_N(load_col)(sw->env, sw->block->j0 + column, &col);
        HEDDLE_I(shift_col)(&m->col, col);
    }
    HEDDLE_N(EDGE)(HEDDLE_BOTTOM) if (HEDDLE_I(DELAYS) && sw->delay) {
        const struct HEDDLE_I(edge_lanes) then = late[s % HEDDLE_DELAY];
        late[s % HEDDLE_DELAY] = *above;
        *above = then;
    }
    HEDDLE_I(shift_edge)(above, sw->in[1 + column]);
}
#undef HEDDLE_BOTTOM

/* Step s with every row inside the nest: the loop that takes the time. The lowest row of a lane comes first: what a row
   needs from the one above is then still that row's cell of the step before. */
static HEDDLE_INLINE void HEDDLE_I(step)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                         struct HEDDLE_I(moving) *m, const struct HEDDLE_I(part) *part, long s) {
    struct HEDDLE_I(edge_lanes) above, from_left;
    HEDDLE_I(enter)(sw, m, st->late, &above, s, 1);
#pragma clang loop unroll(full)
    for (int q = 0; q < HEDDLE_K; q++) {
#pragma clang loop vectorize(assume_safety) interleave(disable) unroll(disable)
        for (int l = 0; l < HEDDLE_L; l++)
            HEDDLE_I(cell)(sw, st, m, &above, &from_left, part, s, HEDDLE_NTH(q), l, 1, HEDDLE_I(SQUARES), 1);
    }
}

/* Step s at the nest's left, right or lower end; `group` as in cell(). Pure bodies are computed for every row without
 * branches, and kept only inside. */
static HEDDLE_INLINE void HEDDLE_I(step_masked)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st,
                                                const struct HEDDLE_I(part) *part, long s, int group) {
    const long past = s - sw->columns;
    /* rows above `left` and up to `right` are inside; as int, for masks as wide as most cells */
    const int lag = HEDDLE_I(lag)(sw), right = s < lag ? (int)s : lag, left = past < -1 ? -1 : (int)past;
    struct HEDDLE_I(edge_lanes) above, from_left;
    HEDDLE_I(enter)(sw, &st->moving, st->late, &above, s, 0);
    if (group || (HEDDLE_N(PURE) && !HEDDLE_I(SQUARES))) {
#pragma clang loop unroll(full)
        for (int q = 0; q < HEDDLE_K; q++) {
            const int k = HEDDLE_NTH(q);
#pragma clang loop vectorize(assume_safety) interleave(disable) unroll(disable)
            for (int l = 0; l < HEDDLE_L; l++)
                HEDDLE_I(cell)(sw, st, &st->moving, &above, &from_left, part, s, k, l, 0, group,
                               (int)(HEDDLE_I(behind)(sw, l, k) <= right) & (int)(HEDDLE_I(behind)(sw, l, k) > left));
        }
        return;
    }
    /* lanes with a row inside */
    const int all = HEDDLE_I(behind)(sw, 0, HEDDLE_K - 1), pace = HEDDLE_I(pace)(sw),
              last = right / pace < HEDDLE_L ? right / pace : HEDDLE_L - 1;
    const int first = left < all ? 0 : (left - all) / pace + 1;
#pragma clang loop unroll(full)
    for (int q = 0; q < HEDDLE_K; q++) {
        const int k = HEDDLE_NTH(q);
#pragma clang loop vectorize(disable) unroll(disable)
        for (int l = first; l <= last; l++)
            if (HEDDLE_I(behind)(sw, l, k) <= right && HEDDLE_I(behind)(sw, l, k) > left && l * HEDDLE_K + k < sw->rows)
                HEDDLE_I(cell)(sw, st, &st->moving, &above, &from_left, part, s, k, l, 0, 0, 1);
    }
}

#include <heddle/engine/wavefront/cpu_stores.h>

/* Values on the left, in the first steps also of rows that come later. */
static inline void HEDDLE_I(begin)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(state) *st) {
    const struct heddle_cpu_block *b = sw->block;
    struct HEDDLE_I(moving) *m = &st->moving;
    struct HEDDLE_N(col) col;
    HEDDLE_N(load_col)(sw->env, b->j0, &col);
    memset(m, 0, sizeof *m);
    memset(st->late, 0, sizeof st->late);
    st->first_col = -HEDDLE_I(HISTORY);
    for (int l = 0; l < HEDDLE_L; l++) {
        HEDDLE_I(put_red)(&m->red, l, *(const struct HEDDLE_N(red) *)b->red_start);
        for (int k = 0; k < HEDDLE_K; k++) {
            const long at = b->row + l * HEDDLE_K + k, i = at < b->i1 ? at : b->i1;
            struct HEDDLE_N(row) row;
            struct HEDDLE_N(cell) w;
            memset(&w, 0, sizeof w);
            if (i > b->row && HEDDLE_N(CORNER))
                HEDDLE_N(load_left)(sw->env, i - 1, b->j0 - 1, &w);
            HEDDLE_I(put_edge)(&m->diagonal[k], l, i > b->row ? HEDDLE_N(edge_of)(&w) : sw->in[0]);
            HEDDLE_N(load_row)(sw->env, i, &row);
            HEDDLE_N(load_left)(sw->env, i, b->j0 - 1, &w);
            HEDDLE_I(put_row)(&st->row[k], l, row);
            HEDDLE_I(put_cell)(&m->cell[k], l, w);
        }
        HEDDLE_I(put_col)(&m->col, l, col);
        for (int q = 0; q < HEDDLE_I(HISTORY); q++)
            HEDDLE_I(put_col)(&st->cols[q], l, col);
    }
    if (sw->out) /* the row block below starts with this one's left halo */
        sw->out[0] = ({
            struct HEDDLE_N(cell) w = HEDDLE_I(get_cell)(&m->cell[HEDDLE_K - 1], HEDDLE_L - 1);
            HEDDLE_N(edge_of)(&w);
        });
}

static inline void HEDDLE_I(end)(const struct HEDDLE_I(sweep) *sw, const struct HEDDLE_I(moving) *m) {
    const struct heddle_cpu_block *b = sw->block;
    for (int l = 0; l < HEDDLE_L; l++) {
        struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&m->red, l);
        HEDDLE_N(red_join)(b->red, &red);
        for (int k = 0; HEDDLE_N(LAST_COL) && k < HEDDLE_K && l * HEDDLE_K + k < sw->rows; k++) {
            struct HEDDLE_N(cell) v = HEDDLE_I(get_cell)(&m->cell[k], l);
            HEDDLE_N(store_last_col)(sw->env, b->row + l * HEDDLE_K + k, b->j1, &v);
        }
    }
}

static HEDDLE_INLINE void HEDDLE_I(hand_on)(const struct HEDDLE_I(sweep) *sw, const struct HEDDLE_I(moving) *m, long s,
                                            int fast) {
    const struct HEDDLE_N(cell) bottom = HEDDLE_I(get_cell)(&m->cell[HEDDLE_K - 1], HEDDLE_L - 1);
    if (sw->out && (fast || s >= HEDDLE_I(lag)(sw)))
        sw->out[1 + s - HEDDLE_I(lag)(sw)] = HEDDLE_N(edge_of)(&bottom);
}

/* Steps s0 … s1 - 1 inside. They work on a copy that nobody else touches: indexed by constants alone once its loops are
   vector code, it stays in registers. */
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline)) void HEDDLE_I(steps)(const struct HEDDLE_I(sweep) *sweep,
                                                                           struct HEDDLE_I(state) *st,
                                                                           const struct HEDDLE_I(part) *part, long s0,
                                                                           long s1) {
    const struct HEDDLE_N(env) env = *sweep->env;
    struct HEDDLE_I(sweep) copy = *sweep, *sw = &copy;
    const struct HEDDLE_I(part) at = *part;
    copy.env = &env;
    struct HEDDLE_I(moving) m = st->moving;
    HEDDLE_I(load_cols)(sw, st, s0, s1, 1);
    enum { unroll = HEDDLE_N(CHAIN) ? 1 : 4 }; /* then nothing moves from register to register */
#pragma clang loop unroll_count(unroll) /* no macro: -save-temps reads it when macros are gone */
    for (long s = s0; s < s1; s++) {
        HEDDLE_I(step)(sw, st, &m, &at, s);
        HEDDLE_I(hand_on)(sw, &m, s, 1);
    }
    st->moving = m;
}

HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline)) void HEDDLE_I(steps_masked)(const struct HEDDLE_I(sweep) *sw,
                                                                                  struct HEDDLE_I(state) *st,
                                                                                  const struct HEDDLE_I(part) *part,
                                                                                  long s0, long s1) {
    for (long s = s0; s < s1; s++) {
        if ((s - s0) % HEDDLE_GROUP == 0) {
            HEDDLE_I(load_cols)(sw, st, s, s + HEDDLE_GROUP < s1 ? s + HEDDLE_GROUP : s1, 0);
            HEDDLE_I(ask)(sw, s);
        }
        HEDDLE_I(step_masked)(sw, st, part, s, 0);
        HEDDLE_I(hand_on)(sw, &st->moving, s, 0);
        if (HEDDLE_N(LAST_ROWS))
            HEDDLE_I(store_last_rows)(sw, &st->moving, s);
    }
}

/* Those of steps s0 … s1 - 1 that need no masks: not the first and last lag() ones, and none of an incomplete block. */
static HEDDLE_INLINE void HEDDLE_I(middle)(const struct HEDDLE_I(sweep) *sw, long s0, long s1, long *from, long *to) {
    *from = sw->rows < HEDDLE_I(ROWS) ? s1
            : s0 > HEDDLE_I(lag)(sw)  ? s0
            : HEDDLE_I(lag)(sw) < s1  ? HEDDLE_I(lag)(sw)
                                      : s1;
    *to = s1 < sw->columns ? s1 : sw->columns > *from ? sw->columns : *from;
}

HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(any_steps)(const struct HEDDLE_I(sweep) *sw,
                                                                   struct HEDDLE_I(state) *st,
                                                                   const struct HEDDLE_I(part) *part, long s0,
                                                                   long s1) {
    long from, to;
    HEDDLE_I(middle)(sw, s0, s1, &from, &to);
    if (s0 < from)
        HEDDLE_I(steps_masked)(sw, st, part, s0, from);
    if (HEDDLE_N(LAST_ROWS) && sw->block->row + HEDDLE_I(ROWS) - 1 > sw->block->i1 - HEDDLE_N(LAST_ROWS)) {
        for (long s = from; s < to; s++) {
            HEDDLE_I(steps)(sw, st, part, s, s + 1);
            HEDDLE_I(store_last_rows)(sw, &st->moving, s);
        }
    } else if (from < to) {
        HEDDLE_I(steps)(sw, st, part, from, to);
    }
    if (to < s1)
        HEDDLE_I(steps_masked)(sw, st, part, to, s1);
}

/* A part of the steps, whose cells are kept; those of the part before leave meanwhile, a row of each lane after a few
   steps: memory takes them while the next steps are computed. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(store_part)(const struct HEDDLE_I(sweep) *sw,
                                                                    struct HEDDLE_I(state) *st,
                                                                    const struct HEDDLE_I(part) *part,
                                                                    const struct HEDDLE_I(part) *before) {
    enum { FEW = HEDDLE_I(PART) / HEDDLE_K };
    for (int k = 0; k < HEDDLE_K; k++) {
        const long a = part->s0 + k * FEW, b = a + FEW < part->s1 ? a + FEW : part->s1;
        if (a < b)
            HEDDLE_I(any_steps)(sw, st, part, a, b);
        if (before->s0 < before->s1)
            HEDDLE_I(flush)(sw, st, before, k);
    }
}

/* Steps s0 … s1 - 1. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(parts)(const struct HEDDLE_I(sweep) *sw,
                                                               struct HEDDLE_I(state) *st,
                                                               struct HEDDLE_I(part) *before, long s0, long s1) {
    for (long s = s0; s < s1; s += HEDDLE_I(PART)) {
        const struct HEDDLE_I(part) part = {s, s + HEDDLE_I(PART) < s1 ? s + HEDDLE_I(PART) : s1, !before->half};
        if (HEDDLE_N(STORE))
            HEDDLE_I(store_part)(sw, st, &part, before);
        else
            HEDDLE_I(any_steps)(sw, st, &part, part.s0, part.s1);
        *before = part;
    }
}

/* Steps between two looks at the neighbours, which the runtime works out; whole groups of steps. */
static HEDDLE_INLINE long HEDDLE_I(chunk)(const struct heddle_cpu_block *b) {
    const long some = b->chunk / HEDDLE_CPU_UNIT * HEDDLE_CPU_UNIT;
    return b->chunk <= 0 ? HEDDLE_CPU_CHUNK : some < HEDDLE_CPU_UNIT ? HEDDLE_CPU_UNIT : some;
}

/* Another core has written what the rows of steps s0 … s1 - 1 read from above and has read the last it got: both lines
   come at once now, instead of one after the other in the middle of the steps. */
static HEDDLE_INLINE void HEDDLE_I(expect)(const struct HEDDLE_I(sweep) *sw, long s0, long s1) {
    enum { SIZE = sizeof(struct HEDDLE_N(edge)), LINE = SIZE > 0 && SIZE < 64 ? 64 / SIZE : 1 };
    for (long s = s0; sw->block->wait && s < s1; s += LINE) {
        if (s < sw->columns)
            __builtin_prefetch(&sw->in[1 + s]);
        if (sw->out && s >= HEDDLE_I(lag)(sw))
            __builtin_prefetch(&sw->out[1 + s - HEDDLE_I(lag)(sw)], 1);
    }
}

#include <heddle/engine/wavefront/cpu_groups.h>

HEDDLE_ISA_ATTRIBUTE static int HEDDLE_I(block)(struct heddle_cpu_block *b) {
    struct HEDDLE_I(state) st;
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)b->env; /* a copy that nothing can alias */
    const long left = b->i1 - b->row + 1, columns = b->j1 - b->j0 + 1;
    const struct HEDDLE_I(sweep) sw = {.block = b,
                                       .env = &env,
                                       .in = HEDDLE_PTR(b->edge_in),
                                       .out = HEDDLE_PTR(b->edge_out),
                                       .columns = columns,
                                       .rows = left < HEDDLE_I(ROWS) ? (int)left : HEDDLE_I(ROWS),
                                       .delay = HEDDLE_I(delay)(b, &env)};
    const long lag = HEDDLE_I(lag)(&sw), steps = columns + lag;
    /* begin() reads the corner that the block above leaves with its first columns */
    if (b->wait && b->wait(b, 1))
        return 1;
    HEDDLE_I(begin)(&sw, &st);
    if (HEDDLE_I(SQUARES))
        return HEDDLE_I(squares)(&sw, &st, b);
    struct HEDDLE_I(part) before = {0, 0, 1};
    const long chunk = HEDDLE_I(chunk)(b);
    for (long s0 = 0, s1; s0 < steps; s0 = s1) {
        s1 = heddle_follow(b, s0, s0 + chunk < steps ? s0 + chunk : steps, columns, HEDDLE_CPU_UNIT);
        if (!s1)
            return 1;
        HEDDLE_I(expect)(&sw, s0, s1);
        HEDDLE_I(parts)(&sw, &st, &before, s0, s1);
        if (b->publish && s1 > lag)
            b->publish(b, s1 - lag);
    }
    for (int k = 0; HEDDLE_N(STORE) && before.s0 < before.s1 && k < HEDDLE_K; k++)
        HEDDLE_I(flush)(&sw, &st, &before, k);
    HEDDLE_I(end)(&sw, &st.moving);
    if (HEDDLE_N(STORE))
        heddle_stream_end();
    return 0;
}
#if defined(HEDDLE_SWEEPS) && HEDDLE_SWEEPS == 2
#include <heddle/engine/wavefront/cpu_sweeps.h>
#endif
#ifdef HEDDLE_BATCH
#include <heddle/engine/wavefront/cpu_batch.h>
#endif
#undef HEDDLE_NTH
#undef HEDDLE_I
#undef HEDDLE_L
