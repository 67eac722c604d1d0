/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches on a CPU core: each SIMD lane holds a problem (Rognes, BMC Bioinformatics 12 (2011) 221, aligns a query to
 * sequences that way), so cells of a step never depend on each other and nothing moves between lanes. A strip of
 * HEDDLE_B columns goes down all rows with what is above it in registers; what is left of it waits in memory, a vector
 * of lanes for each row.
 *
 * What a table holds for a row and the strip's columns is looked up when a row with these values comes for the first
 * time: rows that all problems share have few different ones (letters of an alphabet).
 *
 * Included by heddle/engine/wavefront/wavefront.h behind cpu.h, with the same macros. No include guard.
 */
#define HEDDLE_B 8

/* Data of rows and columns in lanes as wide as those of cells, where cells are narrow and the values fit. */
#define HEDDLE_NARROWED(type)                                                                                          \
    __typeof__(__builtin_choose_expr(                                                                                  \
        sizeof(union HEDDLE_N(any)) == 2,                                                                              \
        _Generic(*(__typeof__(type) *)0,                                                                               \
            HEDDLE_BOOL: (short)0,                                                                                     \
            char: (short)0,                                                                                            \
            signed char: (short)0,                                                                                     \
            unsigned char: (short)0,                                                                                   \
            short: (short)0,                                                                                           \
            unsigned short: (unsigned short)0,                                                                         \
            default: *(__typeof__(type) *)0),                                                                          \
        __builtin_choose_expr(sizeof(union HEDDLE_N(any)) == 1, *(__typeof__(type) *)0, *(HEDDLE_PROMOTED(type) *)0)))
#define HEDDLE_NARROW_LANES(type, name, ...) HEDDLE_LANE_ARRAY(HEDDLE_NARROWED(type), name)

#define HEDDLE_BATCH_LANES(lanes_name, kind, LIST, FIELD) HEDDLE_LANES_OF(lanes_name, lanes_name, kind, LIST, FIELD)
HEDDLE_BATCH_LANES(left, cell, HEDDLE_N(LEFT), HEDDLE_LANE_ARRAY)
HEDDLE_BATCH_LANES(rows, row, HEDDLE_N(ROW), HEDDLE_NARROW_LANES)
HEDDLE_BATCH_LANES(cols, col, HEDDLE_N(COL), HEDDLE_NARROW_LANES)
HEDDLE_BATCH_LANES(look, look, HEDDLE_N(LOOK), HEDDLE_LANE_ARRAY)
HEDDLE_BATCH_LANES(own, env, HEDDLE_N(OWN), HEDDLE_LANE_ARRAY)
#undef HEDDLE_BATCH_LANES

#define HEDDLE_ONE(...) +1
enum {
    HEDDLE_I(LOOKS) = 0 HEDDLE_N(LOOK)(HEDDLE_ONE),
    HEDDLE_I(SHARED) = HEDDLE_N(UNIFORM_ROWS),                        /* rows have the same data in all lanes */
    HEDDLE_I(PROFILES) = HEDDLE_I(LOOKS) && HEDDLE_I(SHARED) ? 64 : 1 /* looked up rows that are kept */
};
#undef HEDDLE_ONE

/* Masks as wide as a cell. */
typedef __typeof__(__builtin_choose_expr(
    sizeof(union HEDDLE_N(any)) == 1, (signed char)0,
    __builtin_choose_expr(sizeof(union HEDDLE_N(any)) == 2, (short)0, 0))) HEDDLE_I(mask);

struct HEDDLE_I(group) {
    const struct HEDDLE_N(env) *env; /* of each lane; lanes without a problem have another one's */
    long i0[HEDDLE_L], j0[HEDDLE_L], rows[HEDDLE_L], columns[HEDDLE_L];
    long i1[HEDDLE_L], j1[HEDDLE_L]; /* beyond these nothing is loaded */
    long most_rows, most_columns, least_rows, least_columns;
    struct HEDDLE_I(left) *left; /* of each row: what lies left of the strip */
    struct HEDDLE_I(rows) *row;  /* NULL: rows are shared */
};

struct HEDDLE_I(strip) {
    struct HEDDLE_I(cols) col[HEDDLE_B];
    struct HEDDLE_I(edge_lanes) up[HEDDLE_B], corner;
    struct HEDDLE_I(own) own;
    struct HEDDLE_I(red_lanes) red;
    struct HEDDLE_I(cell_lanes) last;
    HEDDLE_I(mask) inside[HEDDLE_B][HEDDLE_L], at_end[HEDDLE_B][HEDDLE_L]; /* the column exists, is the last one */
    struct HEDDLE_I(look) look[HEDDLE_I(PROFILES)][HEDDLE_B];
    struct HEDDLE_N(row) key[HEDDLE_I(PROFILES)]; /* for rows like this one */
    char known[HEDDLE_I(PROFILES)];
};

/* Where a row's tables are kept: by its data. */
static HEDDLE_INLINE unsigned HEDDLE_I(slot)(const struct HEDDLE_N(row) *row) {
    uint32_t word[sizeof *row / 4 + 1] = {0}, sum = 0;
    memcpy(word, row, sizeof *row);
    for (unsigned k = 0; k < sizeof *row / 4 + 1; k++)
        sum = sum * 31 + word[k];
    return sum % HEDDLE_I(PROFILES);
}

/* A row of a table as a vector, of which each lane takes the element that its column chooses. Arguments but `to`,
   `table` and `by` are constants. 0: this instruction set has nothing for them. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE int HEDDLE_I(permute)(void *to, int bytes, const void *table, int entries,
                                                                const void *by, int by_bytes) {
    (void)to, (void)bytes, (void)table, (void)entries, (void)by, (void)by_bytes;
#ifdef HEDDLE_PERMUTE
    if (bytes == by_bytes && bytes * HEDDLE_L == HEDDLE_VECTOR) {
        char row[2 * HEDDLE_VECTOR] = {0};
        memcpy(row, table, (size_t)(entries * bytes) < sizeof row ? (size_t)(entries * bytes) : sizeof row);
        return HEDDLE_PERMUTE(to, bytes, row, entries, by);
    }
#endif
    return 0;
}

#define HEDDLE_ONE(...) +1
#define HEDDLE_PERMUTED(type, name, entries, by)                                                                       \
    done &= HEDDLE_I(permute)(look[k].name, sizeof look[k].name[0], HEDDLE_N(table_##name)(g->env, shared), entries,   \
                              st->col[k].by, sizeof st->col[k].by[0]);
/* Of a shared row; 0: the elements have to be looked up one by one. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE int HEDDLE_I(permute_all)(const struct HEDDLE_I(group) *g,
                                                                    const struct HEDDLE_I(strip) *st,
                                                                    const struct HEDDLE_N(row) *shared,
                                                                    struct HEDDLE_I(look) *look) {
    int done = 0 HEDDLE_N(PERMUTE)(HEDDLE_ONE) == HEDDLE_I(LOOKS);
    (void)g, (void)st, (void)shared, (void)look;
    for (int k = 0; done && k < HEDDLE_B; k++) {
        HEDDLE_N(PERMUTE)(HEDDLE_PERMUTED)
    }
    return done;
}
#undef HEDDLE_PERMUTED
#undef HEDDLE_ONE

static HEDDLE_INLINE void HEDDLE_I(look_up)(const struct HEDDLE_I(group) *g, const struct HEDDLE_I(strip) *st,
                                            const struct HEDDLE_N(row) *shared, const struct HEDDLE_I(rows) *rows,
                                            struct HEDDLE_I(look) *look) {
    for (int k = 0; k < HEDDLE_B; k++)
        for (int l = 0; l < HEDDLE_L; l++) {
            const struct HEDDLE_N(row) row = rows ? HEDDLE_I(get_rows)(rows, l) : *shared;
            const struct HEDDLE_N(col) col = HEDDLE_I(get_cols)(&st->col[k], l);
            struct HEDDLE_N(look) value;
            HEDDLE_N(look_up)(&g->env[l], &row, &col, &value);
            HEDDLE_I(put_look)(&look[k], l, value);
        }
}

/* The tables of a row, for all columns of the strip. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE const struct HEDDLE_I(look) *
HEDDLE_I(tables)(const struct HEDDLE_I(group) *g, struct HEDDLE_I(strip) *st, const struct HEDDLE_N(row) *shared,
                 const struct HEDDLE_I(rows) *rows) {
    const unsigned slot = HEDDLE_I(SHARED) ? HEDDLE_I(slot)(shared) : 0;
    if (HEDDLE_I(LOOKS) && !(HEDDLE_I(SHARED) && st->known[slot] && !memcmp(&st->key[slot], shared, sizeof *shared))) {
        if (!HEDDLE_I(SHARED) || !HEDDLE_I(permute_all)(g, st, shared, st->look[slot]))
            HEDDLE_I(look_up)(g, st, shared, rows, st->look[slot]);
        st->known[slot] = 1;
        st->key[slot] = *shared;
    }
    return st->look[slot];
}

#define HEDDLE_TAKE_OWN(type, name, ...) env.name = st->own.name[l];
/* Rows r0 … r1 - 1 of a strip. Constants: `columns`, some lanes' problems may be narrower; `ends`, they may be lower,
   too, or have their last cell here. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(strip_rows)(const struct HEDDLE_I(group) *g,
                                                                    struct HEDDLE_I(strip) *st, long c0, long r0,
                                                                    long r1, int columns, int ends) {
    const struct HEDDLE_N(env) first = *g->env;
    struct HEDDLE_I(edge_lanes) up[HEDDLE_B], corner = st->corner;
    struct HEDDLE_I(red_lanes) red = st->red;
    HEDDLE_I(mask) row_inside[HEDDLE_L], row_last[HEDDLE_L];
    long i0[HEDDLE_L], j0[HEDDLE_L];
    memcpy(up, st->up, sizeof up);
    memcpy(i0, g->i0, sizeof i0);
    memcpy(j0, g->j0, sizeof j0);
#pragma clang loop unroll(disable)
    for (long r = r0; r < r1; r++) {
        struct HEDDLE_N(row) shared;
        memset(&shared, 0, sizeof shared);
        if (HEDDLE_I(SHARED))
            HEDDLE_N(load_row)(g->env, g->i0[0] + r, &shared);
        const struct HEDDLE_I(rows) *rows = HEDDLE_I(SHARED) ? NULL : &g->row[r];
        const struct HEDDLE_I(look) *look = HEDDLE_I(tables)(g, st, &shared, rows);
        struct HEDDLE_I(left) left = g->left[r];
        struct HEDDLE_I(edge_lanes) diagonal = corner;
        for (int l = 0; ends && l < HEDDLE_L; l++) {
            row_inside[l] = (HEDDLE_I(mask)) - (r < g->rows[l]);
            row_last[l] = (HEDDLE_I(mask)) - (r == g->rows[l] - 1);
        }
        struct HEDDLE_I(cell_lanes) cells;
#pragma clang loop vectorize(assume_safety) interleave(disable) unroll(disable)
        for (int l = 0; l < HEDDLE_L; l++) {
            const struct HEDDLE_N(cell) w = HEDDLE_I(get_left)(&left, l);
            HEDDLE_I(put_cell)(&cells, l, w);
            HEDDLE_I(put_edge)(&corner, l, HEDDLE_N(edge_of)(&w));
        }
#pragma clang loop unroll(full)
        for (int k = 0; k < HEDDLE_B; k++) {
#pragma clang loop vectorize(assume_safety) interleave(disable) unroll(disable)
            for (int l = 0; l < HEDDLE_L; l++) {
                struct HEDDLE_N(env) env = first;
                HEDDLE_N(OWN)(HEDDLE_TAKE_OWN)
                const struct HEDDLE_N(row) row = rows ? HEDDLE_I(get_rows)(rows, l) : shared;
                const struct HEDDLE_N(col) col = HEDDLE_I(get_cols)(&st->col[k], l);
                const struct HEDDLE_N(look) value = HEDDLE_I(get_look)(&look[k], l);
                const struct HEDDLE_N(cell) w = HEDDLE_I(get_cell)(&cells, l);
                const struct HEDDLE_N(edge) n = HEDDLE_I(get_edge)(&up[k], l), nw = HEDDLE_I(get_edge)(&diagonal, l);
                const struct HEDDLE_N(red) kept = HEDDLE_I(get_red)(&red, l);
                struct HEDDLE_N(red) now = kept;
                const struct HEDDLE_N(cell) v =
                    HEDDLE_N(compute_look)(&env, i0[HEDDLE_N(SAME_I) ? 0 : l] + r,
                                           j0[HEDDLE_N(SAME_J) ? 0 : l] + c0 + k, &row, &col, &value, n, w, nw, &now);
                if (columns || ends)
                    now = HEDDLE_N(select_red)(st->inside[k][l] & (ends ? row_inside[l] : -1), now, kept);
                if (ends && HEDDLE_N(LAST_CELL)) {
                    const struct HEDDLE_N(cell) before = HEDDLE_I(get_cell)(&st->last, l);
                    HEDDLE_I(put_cell)(&st->last, l, HEDDLE_N(select_cell)(st->at_end[k][l] & row_last[l], v, before));
                }
                HEDDLE_I(put_red)(&red, l, now);
                HEDDLE_I(put_edge)(&diagonal, l, n);
                HEDDLE_I(put_edge)(&up[k], l, HEDDLE_N(edge_of)(&v));
                HEDDLE_I(put_cell)(&cells, l, v);
            }
        }
#pragma clang loop vectorize(assume_safety) interleave(disable) unroll(disable)
        for (int l = 0; l < HEDDLE_L; l++)
            HEDDLE_I(put_left)(&left, l, HEDDLE_I(get_cell)(&cells, l));
        g->left[r] = left;
    }
    memcpy(st->up, up, sizeof up);
    st->corner = corner;
    st->red = red;
}
#undef HEDDLE_TAKE_OWN

static HEDDLE_INLINE long HEDDLE_I(at_most)(long a, long b) { return a < b ? a : b; }

/* What enters a strip from above, and its columns' data. */
static HEDDLE_INLINE void HEDDLE_I(enter_strip)(const struct HEDDLE_I(group) *g, struct HEDDLE_I(strip) *st, long c0,
                                                struct HEDDLE_I(edge_lanes) *top) {
    memset(st->known, 0, sizeof st->known);
    for (int l = 0; l < HEDDLE_L; l++) {
        struct HEDDLE_N(edge) e;
        memset(&e, 0, sizeof e);
        if (!c0 && HEDDLE_N(CORNER))
            HEDDLE_N(load_corner)(&g->env[l], g->i0[l] - 1, g->j0[l] - 1, &e);
        else if (c0)
            e = HEDDLE_I(get_edge)(top, l);
        HEDDLE_I(put_edge)(&st->corner, l, e);
        for (int k = 0; k < HEDDLE_B; k++) {
            const long j = HEDDLE_I(at_most)(g->j0[l] + c0 + k, g->j1[l]);
            struct HEDDLE_N(col) col;
            HEDDLE_N(load_col)(&g->env[l], j, &col);
            HEDDLE_I(put_cols)(&st->col[k], l, col);
            HEDDLE_N(load_top)(&g->env[l], g->i0[l] - 1, j, &e);
            HEDDLE_I(put_edge)(&st->up[k], l, e);
            st->inside[k][l] = (HEDDLE_I(mask)) - (c0 + k < g->columns[l]);
            st->at_end[k][l] = (HEDDLE_I(mask)) - (c0 + k == g->columns[l] - 1);
        }
    }
    *top = st->up[HEDDLE_B - 1];
}

/* All strips of a group with at least one cell. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(strips)(const struct HEDDLE_I(group) *g,
                                                                struct HEDDLE_I(strip) *st) {
    struct HEDDLE_I(edge_lanes) top;
    memset(&top, 0, sizeof top);
    for (long r = 0; r < g->most_rows; r++)
        for (int l = 0; l < HEDDLE_L; l++) {
            const long i = HEDDLE_I(at_most)(g->i0[l] + r, g->i1[l]);
            struct HEDDLE_N(cell) w;
            memset(&w, 0, sizeof w);
            HEDDLE_N(load_left)(&g->env[l], i, g->j0[l] - 1, &w);
            HEDDLE_I(put_left)(&g->left[r], l, w);
            if (!HEDDLE_I(SHARED)) {
                struct HEDDLE_N(row) row;
                HEDDLE_N(load_row)(&g->env[l], i, &row);
                HEDDLE_I(put_rows)(&g->row[r], l, row);
            }
        }
    for (long c0 = 0; c0 < g->most_columns; c0 += HEDDLE_B) {
        HEDDLE_I(enter_strip)(g, st, c0, &top);
        const int inside = c0 + HEDDLE_B <= g->least_columns;
        const long ends = HEDDLE_N(LAST_CELL) && c0 + HEDDLE_B >= g->least_columns; /* in the lowest row, perhaps */
        const long whole = g->least_rows > ends ? g->least_rows - ends : 0;
        if (inside)
            HEDDLE_I(strip_rows)(g, st, c0, 0, whole, 0, 0);
        else
            HEDDLE_I(strip_rows)(g, st, c0, 0, whole, 1, 0);
        HEDDLE_I(strip_rows)(g, st, c0, whole, g->most_rows, 1, 1);
    }
}

#define HEDDLE_PUT_OWN(type, name, ...) st->own.name[l] = env->name;
static HEDDLE_INLINE void HEDDLE_I(fill_lane)(struct HEDDLE_I(strip) *st, int l, const struct HEDDLE_N(env) *env) {
    (void)st, (void)l, (void)env;
    HEDDLE_N(OWN)(HEDDLE_PUT_OWN)
}
#undef HEDDLE_PUT_OWN

HEDDLE_ISA_ATTRIBUTE static HEDDLE_UNUSED void HEDDLE_I(batch)(const struct heddle_cpu_batch *b) {
    struct HEDDLE_N(env) env[HEDDLE_L];
    struct HEDDLE_I(strip) st;
    struct HEDDLE_I(group) g = {.env = env, .left = HEDDLE_PTR(b->memory)};
    int some = -1;
    memset(&st, 0, sizeof st);
    for (int l = 0; l < HEDDLE_L; l++) {
        struct heddle_problem at = {0, -1, 0, -1};
        struct HEDDLE_N(red) red;
        memset(&red, 0, sizeof red);
        if (l < b->count)
            HEDDLE_N(problem)(HEDDLE_PTR(b->outer), b->problems[l], &env[l], &red, &at);
        HEDDLE_I(put_red)(&st.red, l, red);
        const int any = at.i1 >= at.i0 && at.j1 >= at.j0;
        g.i0[l] = at.i0, g.i1[l] = at.i1;
        g.j0[l] = at.j0, g.j1[l] = at.j1;
        g.rows[l] = any ? at.i1 - at.i0 + 1 : 0, g.columns[l] = any ? at.j1 - at.j0 + 1 : 0;
        g.most_rows = g.rows[l] > g.most_rows ? g.rows[l] : g.most_rows;
        g.most_columns = g.columns[l] > g.most_columns ? g.columns[l] : g.most_columns;
        some = any && some < 0 ? l : some;
    }
    g.least_rows = g.most_rows, g.least_columns = g.most_columns;
    for (int l = 0; l < HEDDLE_L && some >= 0; l++) {
        if (!g.rows[l]) { /* its cells are computed like those of a problem that exists, and dropped */
            env[l] = env[some];
            g.i0[l] = g.i0[some], g.i1[l] = g.i1[some];
            g.j0[l] = g.j0[some], g.j1[l] = g.j1[some];
        }
        HEDDLE_I(fill_lane)(&st, l, &env[l]);
        g.least_rows = g.rows[l] < g.least_rows ? g.rows[l] : g.least_rows;
        g.least_columns = g.columns[l] < g.least_columns ? g.columns[l] : g.least_columns;
    }
    if (some >= 0) {
        g.row = HEDDLE_I(SHARED) ? NULL : (struct HEDDLE_I(rows) *)(g.left + g.most_rows);
        HEDDLE_I(strips)(&g, &st);
    }
    for (int l = 0; l < b->count; l++) {
        const struct HEDDLE_N(red) red = HEDDLE_I(get_red)(&st.red, l);
        struct HEDDLE_N(cell) last = HEDDLE_I(get_cell)(&st.last, l);
        if (!g.rows[l]) {
            struct heddle_problem at;
            struct HEDDLE_N(red) none;
            HEDDLE_N(problem)(HEDDLE_PTR(b->outer), b->problems[l], &env[l], &none, &at);
            HEDDLE_N(before)(&env[l], at.i1, at.j1, &last);
        }
        HEDDLE_N(finish)(HEDDLE_PTR(b->outer), b->problems[l], &red, &last);
    }
}

static HEDDLE_UNUSED size_t HEDDLE_I(batch_memory)(long rows) {
    return (size_t)rows * (sizeof(struct HEDDLE_I(left)) + (HEDDLE_I(SHARED) ? 0 : sizeof(struct HEDDLE_I(rows)))) + 64;
}
#undef HEDDLE_B
#undef HEDDLE_NARROWED
#undef HEDDLE_NARROW_LANES
