/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads of the register form on a GPU: values that the body reads from arrays in memory at a constant distance
 * from its cell, such as old values from the right and from below, or another array's element. As with stores,
 * each lane has a row of its own, so loads by the lanes would touch a sector each and wait for memory at every step.
 *
 * A warp's rows of such an array (and the few below or above that its cells read) pass through shared memory as
 * streams: granules of 64 or 32 bytes, copied there asynchronously one granule ahead of the first lane that reads
 * them. Each row has a ring of four granules; a value's place in it is its own address modulo the ring.
 *
 * What is read early has not been written by the nest: a read that sees a value of the nest is a carried one.
 * Copies that overlap the referenced part of the array in no byte are left out.
 *
 * Included by heddle/engine/wavefront/gpu_rows.h once per HEDDLE_K. No include guard.
 */
struct HEDDLE_G(stream) {
    const char *row[HEDDLE_N(STREAMS) + 1]; /* what the lane copies at step 0 */
    long pitch[HEDDLE_N(STREAMS) + 1];
    const char *low[HEDDLE_N(STREAMS) + 1], *high[HEDDLE_N(STREAMS) + 1]; /* what the nest reads */
    unsigned at[HEDDLE_N(STREAMS) + 1]
               [HEDDLE_K + HEDDLE_STREAM_SPAN]; /* low bits of the address of the lane's rows at step 0 */
};

static HEDDLE_INLINE int HEDDLE_G(stream_granule)(int size) {
    return HEDDLE_WARP * size < HEDDLE_G(STREAM_GRANULE) ? HEDDLE_WARP * size : HEDDLE_G(STREAM_GRANULE);
}

static HEDDLE_INLINE heddle_shared_char *HEDDLE_G(stream_ring)(int f) {
    return HEDDLE_G(ring)() + HEDDLE_G(RING_BYTES) + f * HEDDLE_G(STREAM_ROWS) * 4 * HEDDLE_G(STREAM_GRANULE);
}

/* The next granule of each row, the first that is read after another granule's worth of steps. */
static HEDDLE_INLINE void HEDDLE_G(stream_fetch)(const struct HEDDLE_G(stream) *st, int lane, long steps, int f) {
    const int size = HEDDLE_N(stream_size)(f), granule = HEDDLE_G(stream_granule)(size), lanes = granule / 16;
    const int rows = HEDDLE_WARP / lanes; /* that one copy of the warp covers; a multiple of HEDDLE_K */
    const int all = HEDDLE_G(ROWS) + HEDDLE_N(stream_facts)(f).row_last - HEDDLE_N(stream_facts)(f).row_first;
    const unsigned part = (unsigned)(lane % lanes * 16);
    heddle_shared_char *ring = HEDDLE_G(stream_ring)(f) + lane / lanes * 4 * granule;
    const char *at = st->row[f] + steps * size;
    const long next = rows * st->pitch[f] - (HEDDLE_BEHIND(rows) - HEDDLE_BEHIND(0)) * size;
#pragma unroll
    for (int m = 0; m * rows < all; m++) {
        const char *from = (const char *)((uintptr_t)at & ~(uintptr_t)(granule - 1)) + part;
        const unsigned slot = (unsigned)(uintptr_t)from & (unsigned)(4 * granule - 1);
        if ((m * rows + rows <= all || m * rows + lane / lanes < all) && from + 16 > st->low[f] && from < st->high[f])
            heddle_copy_async(ring + m * rows * 4 * granule + slot, from);
        at += next;
    }
}

static HEDDLE_INLINE void HEDDLE_G(stream_begin)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 struct HEDDLE_G(stream) *st, int lane, long block) {
    const long i = c->i0 + block * HEDDLE_G(ROWS);
    const char *p[HEDDLE_N(STREAMS) + 1], *below[HEDDLE_N(STREAMS) + 1], *start[HEDDLE_N(STREAMS) + 1];
    if (!HEDDLE_G(STREAMED))
        return;
    HEDDLE_N(stream_place)(env, i, c->j0, p);
    HEDDLE_N(stream_place)(env, i + 1, c->j0, below);
    HEDDLE_N(stream_place)(env, c->i0, c->j0, start);
    heddle_copy_wait(); /* the row block before this one is done with the rings */
    heddle_warp_sync();
#pragma unroll
    for (int f = 0; f < HEDDLE_N(STREAMS); f++) {
        const int size = HEDDLE_N(stream_size)(f), granule = HEDDLE_G(stream_granule)(size), lanes = granule / 16;
        const struct HEDDLE_N(stream_box) box = HEDDLE_N(stream_facts)(f);
        st->pitch[f] = below[f] - p[f];
        const char *first = p[f] + box.row_first * st->pitch[f];
        /* begin of the granule after the last that is read in the next granule's worth of steps: rounded up. A row is
           read by those above it, too, which are ahead of it. */
        const int ahead = 1 + (HEDDLE_EXTENDED ? (box.row_last - box.row_first) * HEDDLE_N(PACE) : 0);
        st->row[f] = first + lane / lanes * st->pitch[f] - HEDDLE_BEHIND(lane / lanes) * size + granule +
                     (box.col_last + ahead) * size + granule - 1;
#pragma unroll
        for (int k = 0; k < HEDDLE_K + HEDDLE_STREAM_SPAN; k++)
            st->at[f][k] = (unsigned)(uintptr_t)(first + (lane * HEDDLE_K + k) * st->pitch[f]) -
                           (unsigned)(HEDDLE_BEHIND(lane * HEDDLE_K) * size);
        HEDDLE_N(stream_range)(f, c, st->pitch[f], start[f], &st->low[f], &st->high[f]);
#pragma clang loop unroll(disable)
        for (int q = -3; q < 0; q++)
            HEDDLE_G(stream_fetch)(st, lane, q * (granule / size), f);
    }
}

/* To be called before every step; `steps` have been done. */
static HEDDLE_INLINE void HEDDLE_G(stream_advance)(const struct HEDDLE_G(stream) *st, int lane, long steps) {
#pragma unroll
    for (int f = 0; f < HEDDLE_N(STREAMS); f++) {
        const int size = HEDDLE_N(stream_size)(f);
        if (!HEDDLE_G(STREAMED) || steps % (HEDDLE_G(stream_granule)(size) / size))
            continue;
        heddle_copy_wait();
        heddle_warp_sync();
        HEDDLE_G(stream_fetch)(st, lane, steps, f);
    }
}

/* What the lane's row k reads at step s. */
static HEDDLE_INLINE void HEDDLE_G(stream_get)(const struct HEDDLE_G(stream) *st, int lane, int k, unsigned s,
                                               struct HEDDLE_N(early) *x) {
#pragma unroll
    for (int e = 0; e < HEDDLE_N(EARLIES); e++) {
        const struct HEDDLE_N(early_place) early = HEDDLE_N(early_facts)(e);
        const int f = early.stream;
        const int size = HEDDLE_N(stream_size)(f), ring = 4 * HEDDLE_G(stream_granule)(size);
        const int row = k + early.di - HEDDLE_N(stream_facts)(f).row_first;
        const int dj = early.dj - (HEDDLE_BEHIND(k) -
                                   HEDDLE_BEHIND(0)); /* row k of an extended stencil is behind the lane's first */
        const unsigned slot = (st->at[f][row] + s * (unsigned)size + (unsigned)(dj * size)) & (unsigned)(ring - 1);
        heddle_shared_get((char *)x + early.offset, HEDDLE_G(stream_ring)(f) + (lane * HEDDLE_K + row) * ring + slot,
                          size);
    }
}
