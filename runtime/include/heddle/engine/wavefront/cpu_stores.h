/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stored cells leave a part at a time and a row after the other, so that memory sees whole lines: the lanes of a row of
 * steps become rows of cells, in the first-level cache, which an ordinary loop along the row then copies out.
 *
 * Included by heddle/engine/wavefront/cpu.h once per instruction set. No include guard.
 */
#define HEDDLE_TURNED(type, name, ...)                                                                                 \
    __typeof__(type) name[HEDDLE_L][HEDDLE_I(LEAD) + HEDDLE_I(PART)] __attribute__((aligned(64)));
#define HEDDLE_TRANSPOSE(type, name, ...)                                                                              \
    heddle_transpose(cells[0][k].name, sizeof cells[0], &turned.name[0][HEDDLE_I(LEAD)], sizeof turned.name[0],        \
                     (int)sizeof(type), steps, HEDDLE_L);
#define HEDDLE_TURNED_GET(type, name, ...) v.name = turned.name[l][HEDDLE_I(LEAD) + q];
#define HEDDLE_TURNED_FIRST(type, name, ...) (char *)&turned.name[l][HEDDLE_I(LEAD)],
enum { HEDDLE_I(LEAD) = HEDDLE_I(STREAMS) ? 64 / sizeof(struct HEDDLE_N(cell)) : 0 };

/* Cells from … to - 1 of a row that begins at `p`, past the caches. With them goes what the part before left of their
 * first line. */
HEDDLE_ISA_ATTRIBUTE static HEDDLE_INLINE void HEDDLE_I(send)(char *p, char *row, size_t from, size_t to, size_t before,
                                                              char *rest, int last) {
    const size_t lead = (uintptr_t)p % 64, unsent = lead < before ? lead : before;
    if (before)
        memcpy(row - 64, rest, 64);
    HEDDLE_PASTE(heddle_stream, HEDDLE_VECTOR)(p - unsent, row + from - unsent, to - from + unsent, last);
    memcpy(rest, row + to - 64, 64);
}

/* Row k of each lane. */
HEDDLE_ISA_ATTRIBUTE static __attribute__((noinline)) void HEDDLE_I(flush)(const struct HEDDLE_I(sweep) *sw,
                                                                           struct HEDDLE_I(state) *st,
                                                                           const struct HEDDLE_I(part) *part, int k) {
    const struct HEDDLE_N(env) env = *sw->env;
    struct {
        HEDDLE_N(CELL)(HEDDLE_TURNED)
    } turned;
    struct HEDDLE_I(cell_lanes)(*cells)[HEDDLE_K] = st->cells[part->half];
    const long s0 = part->s0;
    const int steps = (int)(part->s1 - s0);
    HEDDLE_N(CELL)(HEDDLE_TRANSPOSE)
#pragma clang loop unroll(disable)
    for (int l = 0; l < HEDDLE_L; l++) {
        const int r = l * HEDDLE_K + k, from = s0 > r ? 0 : (int)(r - s0);
        const int to = part->s1 < sw->columns + r ? steps : (int)(sw->columns + r - s0);
        const long i = sw->block->row + r, j = sw->block->j0 + s0 - r;
        if (r >= sw->rows || from >= to)
            continue;
        if (HEDDLE_I(STREAMS) && sw->block->stream) {
            char *rows[] = {HEDDLE_N(CELL)(HEDDLE_TURNED_FIRST) NULL}, *p[HEDDLE_I(ARRAYS) + 1];
            const size_t size = sizeof(struct HEDDLE_N(cell));
            HEDDLE_N(place)(&env, i, j + from, p);
            HEDDLE_I(send)(p[0], rows[0], (size_t)from * size, (size_t)to * size, (size_t)(s0 - r + from) * size,
                           st->rest[r], s0 - r + to == sw->columns);
            continue;
        }
#pragma clang loop vectorize(assume_safety) interleave(disable)
        for (int q = from; q < to; q++) {
            struct HEDDLE_N(cell) v;
            HEDDLE_N(CELL)(HEDDLE_TURNED_GET) HEDDLE_N(store)(&env, i, j + q, &v);
        }
    }
}
#undef HEDDLE_TURNED
#undef HEDDLE_TRANSPOSE
#undef HEDDLE_TURNED_GET
#undef HEDDLE_TURNED_FIRST

/* Rolling arrays, arrays indexed by the column alone and keep(last): the nest's last rows go to memory. */
static inline void HEDDLE_I(store_last_rows)(const struct HEDDLE_I(sweep) *sw, const struct HEDDLE_I(moving) *m,
                                             long s) {
    const struct heddle_cpu_block *b = sw->block;
    for (int left = 0; left < HEDDLE_N(LAST_ROWS); left++) {
        const long i = b->i1 - left, r = i - b->row;
        if (r < 0 || r >= HEDDLE_I(ROWS) || i < b->i0)
            continue;
        const long column = s - HEDDLE_I(behind)(sw, (int)(r / HEDDLE_K), (int)(r % HEDDLE_K));
        struct HEDDLE_N(cell) v = HEDDLE_I(get_cell)(&m->cell[r % HEDDLE_K], (int)(r / HEDDLE_K));
        if (column >= 0 && column < sw->columns)
            HEDDLE_N(store_last_row)(sw->env, i, b->j0 + column, left, &v);
    }
}
