/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests whose cells read from memory (old values, other arrays): HEDDLE_GROUP steps at a time, squares of what the rows
 * read are turned to vectors of lanes, and squares of cells back to rows. Row x of lane l (x counts from the lane's
 * first) is in step s at column s - behind(l, x), so the value that is di rows and dj columns away from row k's cell is
 * row k + di of step s + di + dj. Nothing is read that no cell reads, and every element but the border between lanes
 * once.
 *
 * Included by heddle/engine/wavefront/cpu.h once per instruction set. No include guard.
 */
#define HEDDLE_TURNED(type, name, r0, r1, c0, c1)                                                                      \
    __typeof__(type) name[HEDDLE_I(SQUARES) ? HEDDLE_K + (r1) - (r0) : 1]                                              \
                         [HEDDLE_I(SQUARES) ? HEDDLE_GROUP + (r1) - (r0) + (c1) - (c0) : 1][HEDDLE_L]                  \
        __attribute__((aligned(64)));
/* Where a stream's rows are in step 0, at the last element that a step's readers want, which steps after a group's
   first their readers want, and how far from the nest's first and last column the elements lie that some cell reads. */
struct HEDDLE_I(source) {
    const char *row[HEDDLE_L];
    int low, high, first, last;
};
struct HEDDLE_I(early) {
    HEDDLE_N(STREAM)(HEDDLE_TURNED)
    struct HEDDLE_I(source) from[HEDDLE_N(STREAMS) + 1][HEDDLE_K + HEDDLE_STREAM_SPAN];
    char *to[HEDDLE_N(STAGED_ARRAYS) + 1][HEDDLE_K][HEDDLE_L];
};
#undef HEDDLE_TURNED

/* Stream's row x in step q, both counted from the first that any row reads. */
static HEDDLE_INLINE size_t HEDDLE_I(early_at)(int stream, int x, long q) {
#define HEDDLE_X(type, name, r0, r1, c0, c1) offsetof(struct HEDDLE_I(early), name),
    const size_t offset[] = {HEDDLE_N(STREAM)(HEDDLE_X) 0};
#undef HEDDLE_X
    const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
    const long steps = HEDDLE_GROUP + box.row_last - box.row_first + box.col_last - box.col_first;
    return offset[stream] + (size_t)((x * steps + q) * HEDDLE_L * HEDDLE_N(stream_size)(stream));
}

/* What row k of lane l reads in the group's step q. */
static HEDDLE_INLINE struct HEDDLE_N(early) HEDDLE_I(take)(const struct HEDDLE_I(early) *from, long q, int k, int l) {
    struct HEDDLE_N(early) e;
    (void)from, (void)q, (void)k, (void)l;
#define HEDDLE_X(type, name, stream, di, dj)                                                                           \
    {                                                                                                                  \
        const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);                                        \
        const size_t at =                                                                                              \
            HEDDLE_I(early_at)(stream, k + (di) - box.row_first, q + (di) + (dj) - box.row_first - box.col_first);     \
        e.name = ((const __typeof__(type) *)(const void *)((const char *)from + at))[l];                               \
    }
    HEDDLE_N(EARLY)(HEDDLE_X)
#undef HEDDLE_X
    return e;
}

/* Vectors of lanes of row x from step q on. */
static HEDDLE_INLINE char *HEDDLE_I(early_lanes)(struct HEDDLE_I(early) *early, int stream, int x, int q) {
    const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
    return (char *)early + HEDDLE_I(early_at)(stream, x, q - box.row_first - box.col_first);
}

static HEDDLE_INLINE void HEDDLE_I(open_source)(const struct HEDDLE_I(sweep) *sw, int stream, int x, long s,
                                                struct HEDDLE_I(early) *early) {
    const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
    const int row = x + box.row_first, size = HEDDLE_N(stream_size)(stream);
    struct HEDDLE_I(source) *from = &early->from[stream][x];
    *from = (struct HEDDLE_I(source)){.low = 1};
    for (int e = 0; e < HEDDLE_N(EARLIES); e++) {
        const struct HEDDLE_N(early_place) at = HEDDLE_N(early_facts)(e);
        const int away = at.di + at.dj, none = from->low > from->high;
        if (at.stream != stream || row - at.di < 0 || row - at.di >= HEDDLE_K)
            continue;
        from->low = none || away < from->low ? away : from->low;
        from->high = none || away > from->high ? away : from->high;
        from->first = none || at.dj < from->first ? at.dj : from->first;
        from->last = none || at.dj > from->last ? at.dj : from->last;
    }
    for (int l = 0; from->low <= from->high && l < HEDDLE_L; l++) {
        const char *p[HEDDLE_N(STREAMS) + 1];
        const long column = s - HEDDLE_I(behind)(sw, l, row);
        HEDDLE_N(stream_place)(sw->env, sw->block->row + l * HEDDLE_K + row, sw->block->j0, p);
        from->row[l] = p[stream] + (column - s + from->high) * size;
        for (int q = from->low; q < from->high; q++) { /* as if they came with the group before */
            char *to = HEDDLE_I(early_lanes)(early, stream, x, q + HEDDLE_GROUP) + l * size;
            if (column + q >= from->first && column + q < sw->columns + from->last)
                memcpy(to, p[stream] + (column + q) * size, (size_t)size);
            else
                memset(to, 0, (size_t)size);
        }
    }
}

/* Rows whose pitch is near a multiple of 4 KB all want the same few places of a first-level cache: those of different
   lanes are then kept lines apart, unless the nest is so narrow that its ends, which are scalar, would take longer. */
static HEDDLE_INLINE int HEDDLE_I(delay)(const struct heddle_cpu_block *b, const struct HEDDLE_N(env) *env) {
    enum { PAGE = 4096, NEAR = 256 };
    const char *one[HEDDLE_N(STREAMS) + 1], *next[HEDDLE_N(STREAMS) + 1];
    int delay = 0;
    if (!HEDDLE_I(DELAYS) || b->j1 - b->j0 + 1 < (long)HEDDLE_L * HEDDLE_DELAY * 8)
        return 0;
    HEDDLE_N(stream_place)(env, b->row, b->j0, one);
    HEDDLE_N(stream_place)(env, b->row + HEDDLE_K, b->j0, next);
    for (int stream = 0; stream < HEDDLE_N(STREAMS); stream++)
        if (next[stream] != one[stream] && ((uintptr_t)next[stream] - (uintptr_t)one[stream] + NEAR) % PAGE < 2 * NEAR)
            delay = HEDDLE_DELAY;
    return delay;
}

/* Before the first group, which begins with step s. */
static void HEDDLE_I(open)(const struct HEDDLE_I(sweep) *sw, long s, struct HEDDLE_I(early) *early) {
    for (int stream = 0; stream < HEDDLE_I(SQUARES) * HEDDLE_N(STREAMS); stream++) {
        const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
        for (int x = 0; x < HEDDLE_K + box.row_last - box.row_first; x++)
            HEDDLE_I(open_source)(sw, stream, x, s, early);
    }
    for (int r = 0; r < HEDDLE_I(SQUARES) * HEDDLE_N(STORE) * HEDDLE_K * HEDDLE_L; r++) {
        char *to[HEDDLE_N(STAGED_ARRAYS) + 1];
        HEDDLE_N(place)(sw->env, sw->block->row + r, sw->block->j0, to);
        for (int f = 0; f < HEDDLE_N(STAGED_ARRAYS); f++)
            early->to[f][r % HEDDLE_K][r / HEDDLE_K] =
                to[f] - HEDDLE_I(behind)(sw, r / HEDDLE_K, r % HEDDLE_K) * HEDDLE_N(staged_size)(f);
    }
}

/* Steps at the ends read element by element, and the first ones what no core has asked for yet: the lines that step s
   and the next ones read HEDDLE_AHEAD bytes later, before the first step also those until then. */
static void HEDDLE_I(ask)(const struct HEDDLE_I(sweep) *sw, long s) {
    for (int stream = 0; stream < HEDDLE_I(SQUARES) * HEDDLE_N(STREAMS); stream++) {
        const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
        const int size = HEDDLE_N(stream_size)(stream);
        for (int r = box.row_first; r < sw->rows + box.row_last; r++) {
            const int row = r < 0 ? 0 : r;
            const long to =
                s - HEDDLE_I(behind)(sw, row / HEDDLE_K, row % HEDDLE_K) + HEDDLE_AHEAD / size + HEDDLE_GROUP;
            const long from = s > 0 && to > HEDDLE_GROUP ? to - HEDDLE_GROUP : 0,
                       end = to < sw->columns ? to : sw->columns;
            const char *p[HEDDLE_N(STREAMS) + 1];
            if (from >= end)
                continue;
            HEDDLE_N(stream_place)(sw->env, sw->block->row + r, sw->block->j0, p);
            for (long byte = from * size; byte < end * size; byte += 64)
                __builtin_prefetch(p[stream] + byte);
        }
    }
}

/* At the ends of the nest: of a group's elements, the first one at `column`, those from `first` to `last` exist. */
static HEDDLE_INLINE int HEDDLE_I(exist)(long column, long first, long last, long *from, long *to) {
    *from = column < first ? first : column;
    *to = column + HEDDLE_GROUP - 1 > last ? last : column + HEDDLE_GROUP - 1;
    return *from > *to ? 0 : (int)(*to - *from + 1);
}

/* Stands for a row of which some elements of the group do not exist. */
struct HEDDLE_I(stand_in) {
    char bytes[HEDDLE_I(SQUARES) ? HEDDLE_GROUP * 16 : 1] __attribute__((aligned(64)));
};

static HEDDLE_INLINE const char *HEDDLE_I(row_there)(const struct HEDDLE_I(sweep) *sw,
                                                     const struct HEDDLE_I(source) *from, const char *row, long column,
                                                     int size, struct HEDDLE_I(stand_in) *stand_in) {
    long a, b;
    const int there = HEDDLE_I(exist)(column, from->first, sw->columns - 1 + from->last, &a, &b);
    if (there == HEDDLE_GROUP)
        return row;
    memset(stand_in->bytes, 0, (size_t)(HEDDLE_GROUP * size));
    if (there)
        memcpy(stand_in->bytes + (a - column) * size, row + (a - column) * size, (size_t)(there * size));
    return stand_in->bytes;
}

/* What the next group, from step s on, reads. `end`, a constant: of some rows it is left or right of the nest. */
static HEDDLE_INLINE void HEDDLE_I(turn)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(early) *early, long s,
                                         int end) {
#pragma clang loop unroll(full)
    for (int stream = 0; stream < HEDDLE_I(SQUARES) * HEDDLE_N(STREAMS); stream++) {
        const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(stream);
        const int size = HEDDLE_N(stream_size)(stream);
        for (int x = 0; x < HEDDLE_K + box.row_last - box.row_first; x++) {
            struct HEDDLE_I(source) *from = &early->from[stream][x];
            char *lanes[HEDDLE_GROUP];
            if (from->low > from->high)
                continue;
            for (int q = from->low; q < from->high; q++) /* of the group before */
                memcpy(HEDDLE_I(early_lanes)(early, stream, x, q),
                       HEDDLE_I(early_lanes)(early, stream, x, q + HEDDLE_GROUP), (size_t)(HEDDLE_L * size));
#pragma clang loop unroll(full)
            for (int q = 0; q < HEDDLE_GROUP; q++)
                lanes[q] = HEDDLE_I(early_lanes)(early, stream, x, from->high + q);
            const char *rows[HEDDLE_L];
            struct HEDDLE_I(stand_in) stand_in[HEDDLE_L];
#pragma clang loop unroll(full)
            for (int l = 0; l < HEDDLE_L; l++)
                rows[l] = from->row[l] + s * size;
            for (int l = 0; end && l < HEDDLE_L; l++)
                rows[l] = HEDDLE_I(row_there)(
                    sw, from, rows[l], s + from->high - HEDDLE_I(behind)(sw, l, x + box.row_first), size, &stand_in[l]);
            heddle_transpose_rows(rows, lanes, size, HEDDLE_L, HEDDLE_GROUP);
#pragma clang loop unroll(full)
            for (int l = 0; !end && l < HEDDLE_L; l++)
                for (int byte = 0; byte < HEDDLE_GROUP * size; byte += 64)
                    __builtin_prefetch(rows[l] + HEDDLE_AHEAD + byte);
        }
    }
}

/* A group's cells, step q's at cells[q][k], to their rows; `end` as above. */
#define HEDDLE_TO_ROWS(type, name, ...)                                                                                \
    {                                                                                                                  \
        enum { SIZE = sizeof(__typeof__(type)) };                                                                      \
        const char *lanes[HEDDLE_GROUP];                                                                               \
        char *rows[HEDDLE_L], *there[HEDDLE_L];                                                                        \
        struct HEDDLE_I(stand_in) stand_in[HEDDLE_L];                                                                  \
        _Pragma("clang loop unroll(full)") for (int q = 0; q < HEDDLE_GROUP; q++) lanes[q] =                           \
            (const char *)cells[q][k].name;                                                                            \
        _Pragma("clang loop unroll(full)") for (int l = 0; l < HEDDLE_L; l++) rows[l] = early->to[f][k][l] + s * SIZE; \
        for (int l = 0; end && l < HEDDLE_L; l++)                                                                      \
            there[l] = HEDDLE_I(exist)(s - HEDDLE_I(behind)(sw, l, k), 0, sw->columns - 1, &a, &b) == HEDDLE_GROUP     \
                           ? rows[l]                                                                                   \
                           : stand_in[l].bytes;                                                                        \
        heddle_transpose_rows(lanes, end ? there : rows, SIZE, HEDDLE_GROUP, HEDDLE_L);                                \
        for (int l = 0; end && l < HEDDLE_L; l++) {                                                                    \
            const long column = s - HEDDLE_I(behind)(sw, l, k);                                                        \
            const int some = HEDDLE_I(exist)(column, 0, sw->columns - 1, &a, &b);                                      \
            if (some && some < HEDDLE_GROUP)                                                                           \
                memcpy(rows[l] + (a - column) * SIZE, stand_in[l].bytes + (a - column) * SIZE, (size_t)(some * SIZE)); \
        }                                                                                                              \
        f++;                                                                                                           \
    }
static HEDDLE_INLINE void HEDDLE_I(scatter)(const struct HEDDLE_I(sweep) *sw, struct HEDDLE_I(early) *early,
                                            const struct HEDDLE_I(cell_lanes) (*cells)[HEDDLE_K], long s, int end) {
    (void)sw, (void)early, (void)cells, (void)s, (void)end;
    for (int k = 0; k < HEDDLE_I(SQUARES) * HEDDLE_N(STORE) * HEDDLE_K; k++) {
        int f = 0;
        long a, b;
        HEDDLE_N(STAGED)(HEDDLE_TO_ROWS)
        (void)f, (void)a, (void)b;
    }
}
#undef HEDDLE_TO_ROWS
