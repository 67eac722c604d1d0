/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores of the register form on a GPU. Each lane has a row of its own, so stores straight from the lanes touch
 * 32 rows at once, a few bytes in each: L2 takes about as long for 4 bytes of a sector as for its 32. Cells
 * therefore go to shared memory first and leave it as whole granules, 128, 64 or 32 bytes that begin at a multiple of
 * their size, several rows in one vector store of the warp.
 *
 * Each row has a ring of two granules per array. A cell's place in it is its own address modulo the ring, so
 * granules come out right whatever the row pitch or the array's alignment is. In as many steps as a granule has
 * cells each row completes one granule; it is stored then, and the last, incomplete one at the end.
 *
 * A block is one warp. Included by heddle/engine/wavefront/gpu_rows.h once per HEDDLE_K. No include guard.
 */
#define HEDDLE_STAGE(granule) (HEDDLE_N(STAGED_ARRAYS) * HEDDLE_G(ROWS) * 2 * (granule))
#define HEDDLE_STREAMING(granule) (HEDDLE_N(STREAMS) * HEDDLE_G(STREAM_ROWS) * 4 * (granule))
enum {
    HEDDLE_G(ROWS) = HEDDLE_WARP * HEDDLE_K,
    HEDDLE_G(STREAM_ROWS) = HEDDLE_G(ROWS) + HEDDLE_STREAM_SPAN,
    HEDDLE_G(STREAM_GRANULE) = HEDDLE_STREAMING(64) + HEDDLE_STAGE(32) <= HEDDLE_SHARED_MAX ? 64 : 32,
    HEDDLE_G(STREAMED) =
        HEDDLE_N(STREAMS_FIT) && HEDDLE_STREAMING(HEDDLE_G(STREAM_GRANULE)) + HEDDLE_STAGE(32) <= HEDDLE_SHARED_MAX,
    HEDDLE_G(STREAM_BYTES) = HEDDLE_G(STREAMED) * HEDDLE_STREAMING(HEDDLE_G(STREAM_GRANULE)),
    HEDDLE_G(GRANULE) =
        HEDDLE_STAGE(128) <= HEDDLE_STAGE_BYTES && HEDDLE_STAGE(128) + HEDDLE_G(STREAM_BYTES) <= HEDDLE_SHARED_MAX ? 128
        : HEDDLE_STAGE(64) <= HEDDLE_STAGE_BYTES && HEDDLE_STAGE(64) + HEDDLE_G(STREAM_BYTES) <= HEDDLE_SHARED_MAX ? 64
                                                                                                                   : 32,
    HEDDLE_G(STAGED) = HEDDLE_N(STAGED_FIT) && HEDDLE_STAGE(HEDDLE_G(GRANULE)) <= HEDDLE_STAGE_BYTES,
    HEDDLE_G(RING_BYTES) = HEDDLE_G(STAGED) * HEDDLE_STAGE(HEDDLE_G(GRANULE)),
    HEDDLE_G(SHARED_BYTES) = HEDDLE_G(RING_BYTES) + HEDDLE_G(STREAM_BYTES)
};
#undef HEDDLE_STAGE
#undef HEDDLE_STREAMING
/* first the staged arrays' rings, then the streams' */
HEDDLE_SHARED(HEDDLE_G(ring), HEDDLE_G(SHARED_BYTES) + 16);

struct HEDDLE_G(stage) {
    char *row[HEDDLE_N(STAGED_ARRAYS) + 1];             /* where the lane's part of a store goes, before all columns */
    long pitch[HEDDLE_N(STAGED_ARRAYS) + 1];            /* bytes from row to row */
    unsigned at[HEDDLE_N(STAGED_ARRAYS) + 1][HEDDLE_K]; /* low bits of the address of the lane's rows at step 0 */
    unsigned flip[HEDDLE_N(STAGED_ARRAYS) + 1];         /* which half of the ring the step's cells begin in */
    int whole;                                          /* all rows exist */
};

/* Bytes of array f that leave together, for elements of `size` bytes; never more than 32 columns. */
static HEDDLE_INLINE int HEDDLE_G(granule)(int size) {
    return HEDDLE_WARP * size < HEDDLE_G(GRANULE) ? HEDDLE_WARP * size : HEDDLE_G(GRANULE);
}

static HEDDLE_INLINE void HEDDLE_G(stage_begin)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                struct HEDDLE_G(stage) *st, int lane, long block) {
    const long i = c->i0 + block * HEDDLE_G(ROWS);
    char *p[HEDDLE_N(STAGED_ARRAYS) + 1], *below[HEDDLE_N(STAGED_ARRAYS) + 1];
    if (!HEDDLE_G(STAGED))
        return;
    HEDDLE_N(place)(env, i, c->j0, p);
    HEDDLE_N(place)(env, i + 1, c->j0, below);
    st->whole = i + HEDDLE_G(ROWS) - 1 <= c->i1;
#pragma unroll
    for (int f = 0; f < HEDDLE_N(STAGED_ARRAYS); f++) {
        const int size = HEDDLE_N(staged_size)(f), lanes = HEDDLE_G(granule)(size) / 16;
        st->pitch[f] = below[f] - p[f];
        st->flip[f] = 0;
        /* the row's lane is this many columns behind lane 0 */
        st->row[f] = p[f] + lane / lanes * st->pitch[f] - HEDDLE_BEHIND(lane / lanes) * size;
#pragma unroll
        for (int k = 0; k < HEDDLE_K; k++)
            st->at[f][k] = (unsigned)(uintptr_t)(p[f] + (lane * HEDDLE_K + k) * st->pitch[f]) -
                           (unsigned)(HEDDLE_BEHIND(lane * HEDDLE_K + k) * size);
    }
}

/* The cell of row k that the lane made at step s. */
static HEDDLE_INLINE void HEDDLE_G(stage_put)(const struct HEDDLE_G(stage) *st, int lane, int k, unsigned s,
                                              const struct HEDDLE_N(cell) *v) {
#pragma unroll
    for (int f = 0; f < HEDDLE_N(STAGED_ARRAYS); f++) {
        const int size = HEDDLE_N(staged_size)(f), ring = 2 * HEDDLE_G(granule)(size);
        /* the slots of one granule's steps stay in registers; those of the next are the same but for one bit */
        const unsigned slot =
            ((st->at[f][k] + s % (unsigned)(ring / 2 / size) * (unsigned)size) & (unsigned)(ring - 1)) ^ st->flip[f];
        heddle_shared_char *to = HEDDLE_G(ring)() + f * HEDDLE_G(ROWS) * 2 * HEDDLE_G(GRANULE);
        heddle_shared_put(to + (lane * HEDDLE_K + k) * ring + slot, (const char *)v + HEDDLE_N(staged_offset)(f), size);
    }
}

/* After `steps` steps: each row's newest complete granule of array f. */
static HEDDLE_INLINE void HEDDLE_G(stage_store)(const struct HEDDLE_G(stage) *st, int lane, long steps, int f) {
    const int size = HEDDLE_N(staged_size)(f), granule = HEDDLE_G(granule)(size), lanes = granule / 16;
    enum { BATCH = 4 };                   /* loads under way before the first store: registers are scarce here */
    const int rows = HEDDLE_WARP / lanes; /* that one store of the warp covers; a multiple of HEDDLE_K */
    const heddle_shared_char *from = HEDDLE_G(ring)() + f * HEDDLE_G(ROWS) * 2 * HEDDLE_G(GRANULE);
    const unsigned part = (unsigned)(lane % lanes * 16);
    char *at = st->row[f] + steps * size; /* where the row will go on */
    const long next = rows * st->pitch[f] - (HEDDLE_BEHIND(rows) - HEDDLE_BEHIND(0)) * size;
    from += lane / lanes * 2 * granule;
#pragma unroll
    for (int m = 0; m < HEDDLE_G(ROWS) / rows; m += BATCH) {
        heddle_vector v[BATCH];
        char *to[BATCH];
#pragma unroll
        for (int q = 0; q < BATCH; q++) {
            const unsigned slot = (~(unsigned)(uintptr_t)at & (unsigned)granule) | part;
            heddle_shared_get_vector(&v[q], from + (m + q) * rows * 2 * granule + slot);
            to[q] = (char *)(((uintptr_t)at & ~(uintptr_t)(granule - 1)) | part) - granule;
            at += next;
        }
#pragma unroll
        for (int q = 0; q < BATCH; q++)
            heddle_global_put_vector(to[q], &v[q]);
    }
}

/* The same where columns or rows may not exist. */
static HEDDLE_INLINE void HEDDLE_G(stage_store_some)(const struct HEDDLE_G(stage) *st,
                                                     const struct heddle_gpu_control *c, int lane, long i, long steps,
                                                     int f) {
    const int size = HEDDLE_N(staged_size)(f), granule = HEDDLE_G(granule)(size), lanes = granule / 16;
    const int rows = HEDDLE_WARP / lanes;
    const long row_bytes = (c->j1 - c->j0 + 1) * size;
    char *at = st->row[f] + steps * size;
#pragma clang loop unroll(disable)
    for (int r = lane / lanes; r < HEDDLE_G(ROWS); r += rows) {
        const heddle_shared_char *from =
            HEDDLE_G(ring)() + f * HEDDLE_G(ROWS) * 2 * HEDDLE_G(GRANULE) + r * 2 * granule;
        const unsigned part = (unsigned)(lane % lanes * 16),
                       slot = (~(unsigned)(uintptr_t)at & (unsigned)granule) | part;
        char *to = (char *)(((uintptr_t)at & ~(uintptr_t)(granule - 1)) | part) - granule;
        /* offset of `to` in its row; the row stands at column steps - lane, or further left */
        const long offset = (steps - HEDDLE_BEHIND(r)) * size - (at - to);
#pragma unroll
        for (int q = 0; q < 16; q += size)
            if (i + r <= c->i1 && offset + q >= 0 && offset + q < row_bytes)
                heddle_shared_to_global(to + q, from + slot + q, size);
        at += rows * st->pitch[f] - (HEDDLE_BEHIND(rows) - HEDDLE_BEHIND(0)) * size;
    }
}

/* To be called after every step; `steps` have been done. `end`: the last call of a row block. */
static HEDDLE_INLINE void HEDDLE_G(stage_flush)(struct HEDDLE_G(stage) *st, const struct heddle_gpu_control *c,
                                                int lane, long i, long steps, int end) {
#pragma unroll
    for (int f = 0; f < HEDDLE_N(STAGED_ARRAYS); f++) {
        const int columns = HEDDLE_G(granule)(HEDDLE_N(staged_size)(f)) / HEDDLE_N(staged_size)(f);
        if (!HEDDLE_G(STAGED) || (!end && steps % columns))
            continue;
        st->flip[f] =
            heddle_opaque((unsigned)(steps / columns & 1) * (unsigned)HEDDLE_G(granule)(HEDDLE_N(staged_size)(f)));
        heddle_warp_sync();
        if (!end && st->whole && steps >= HEDDLE_BEHIND(HEDDLE_G(ROWS) - 1) - 1 + 2 * columns &&
            steps <= c->j1 - c->j0 + 1)
            HEDDLE_G(stage_store)(st, lane, steps, f);
        else
            HEDDLE_G(stage_store_some)(st, c, lane, i, end ? steps + columns : steps, f);
        heddle_warp_sync();
    }
}
