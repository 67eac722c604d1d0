/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory form of a wavefront nest on a GPU in the hybrid layout (PeerWave, ICS 2015, section 3.4): every cell's carried
 * values lie in device memory, tile row after tile row, within a tile row diagonal after diagonal, so that the threads
 * of a warp, a column apart, load and store neighbouring words. What else a cell reads at places that depend on both
 * indices (`far`) is gathered into the same order before, and the user's arrays get their values from it afterwards.
 * Thread l of a block owns row l of the tile. A row's value goes to the next by a shuffle, from warp to warp through
 * shared memory (the paper's diagonal buffer). The row above the tile comes as words of data and tag as in the register
 * form (peers: no flag, no fence, asked for 32 columns before they are needed), or from memory (barrier).
 *
 * For nests with dependences (0,1), (1,0), (1,1), also those whose arrays hold a few rows only: here every row is kept.
 * The order of tiles and the waits are heddle/engine/wavefront/walk.h's, as for the other layout.
 *
 * Included by heddle/engine/wavefront/wavefront.h. No include guard.
 */
#if HEDDLE_ON_GPU
#include <limits.h>
struct HEDDLE_N(feed) {
    struct HEDDLE_N(col) col;
    struct HEDDLE_N(far) far;
};

/* One thread's row. Warp k is HEDDLE_STAGGER steps later than its distance alone asks for: then what the warp before
   hands over was written before the last block barrier, and one barrier every HEDDLE_STAGGER steps is enough. What a
   step reads of memory is loaded HEDDLE_FEED_GROUPS times that many steps earlier. */
struct HEDDLE_N(own) {
    struct HEDDLE_N(cell) *cells; /* of the tile row, at this thread's place */
    const struct HEDDLE_N(far) *far;
    struct HEDDLE_N(row) row;
    struct HEDDLE_N(cell) w;
    struct HEDDLE_N(edge) nw, above; /* above: warp 0, barrier schedule: of the next chunk */
    struct HEDDLE_N(words) words;    /* above: warp 0, peer schedule */
    struct HEDDLE_N(link) in, out;
    struct HEDDLE_N(feed) next[HEDDLE_FEED_GROUPS][HEDDLE_STAGGER];
    long i, row_block, tile;
    long fed, asked;             /* steps for which `next` and `words` hold something, or -1 */
    int live, lane, warp, shift; /* shift: steps behind the tile's first row */
    int sends;                   /* this thread hands the tile row's last row on */
};

/* What each warp's lane 0 reads of the row above: warp 0 the chunk that came, the others what the warp before left. */
struct HEDDLE_N(shared) {
    struct HEDDLE_N(edge) top[HEDDLE_WARP], ring[HEDDLE_TILE_THREADS / HEDDLE_WARP][HEDDLE_STAGGER_RING];
    int missing;
};

static HEDDLE_INLINE const struct HEDDLE_N(cell) *HEDDLE_N(hybrid_at)(const struct heddle_gpu_control *c, long i,
                                                                      long column) {
    const struct heddle_hybrid at = {.columns = c->j1 - c->j0 + 1, .h = c->tile_h};
    return (const struct HEDDLE_N(cell) *)c->cells + heddle_hybrid_index(&at, i - c->i0, column);
}

/* Row i's value above it in a column; column -1: the corner. */
static HEDDLE_INLINE struct HEDDLE_N(edge)
HEDDLE_N(hybrid_top_halo)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c, long i, long column) {
    struct HEDDLE_N(edge) e;
    memset(&e, 0, sizeof e);
    if (i == c->i0) {
        if (column >= 0 || HEDDLE_N(CORNER))
            HEDDLE_N(get_top)(env, c, column, &e);
    } else if (column >= 0) {
        const struct HEDDLE_N(cell) v = *HEDDLE_N(hybrid_at)(c, i - 1, column);
        e = HEDDLE_N(edge_of)(&v);
    } else if (HEDDLE_N(CORNER)) {
        struct HEDDLE_N(cell) v;
        HEDDLE_N(get_left)(env, c, i - 1, &v);
        e = HEDDLE_N(edge_of)(&v);
    }
    return e;
}

/* `inside` is a constant: the column exists. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_feed)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                const struct HEDDLE_N(own) *own, long s, int inside,
                                                struct HEDDLE_N(feed) *feed) {
    const long last = c->j1 - c->j0, q = s - own->shift;
    const long column = inside ? q : q < 0 ? 0 : q > last ? last : q;
    HEDDLE_N(load_col)(env, c->j0 + column, &feed->col);
    if (HEDDLE_N(FARS))
        feed->far = own->far[column * c->tile_h];
}

enum { HEDDLE_N(AHEAD_STEPS) = HEDDLE_STAGGER * HEDDLE_FEED_GROUPS };

static HEDDLE_INLINE void HEDDLE_N(hybrid_feed_all)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                    struct HEDDLE_N(own) *own, long s) {
#pragma unroll
    for (int u = 0; u < HEDDLE_N(AHEAD_STEPS); u++)
        HEDDLE_N(hybrid_feed)(env, c, own, s + u, 0, &own->next[u / HEDDLE_STAGGER][u % HEDDLE_STAGGER]);
    own->fed = s;
}

/* What the last rows of the warps left in the steps before `s`, for a tile that does not go on from the block's last */
static HEDDLE_INLINE void HEDDLE_N(hybrid_ring)(const struct heddle_gpu_control *c, const struct HEDDLE_N(own) *own,
                                                long s, struct HEDDLE_N(shared) *sh) {
    const long step = s - 1 - own->lane, q = step - (own->shift - own->lane + HEDDLE_WARP - 1);
    const long i = own->i - own->lane + HEDDLE_WARP - 1;
    if (own->lane <= HEDDLE_STAGGER && q >= 0 && q <= c->j1 - c->j0 && i <= c->i1) {
        const struct HEDDLE_N(cell) v = *HEDDLE_N(hybrid_at)(c, i, q);
        sh->ring[own->warp][step & (HEDDLE_STAGGER_RING - 1)] = HEDDLE_N(edge_of)(&v);
    }
}

/* The thread's place at the start of a tile that does not go on from its last one. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_enter)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 struct HEDDLE_N(own) *own, long row_block,
                                                 const struct heddle_tile *t) {
    const long columns = c->j1 - c->j0 + 1, thread = heddle_thread();
    const long place = row_block * (columns + c->tile_h - 1) * c->tile_h + thread * c->tile_h + thread;
    const long q = t->s0 - own->shift, first = q > t->lo ? q : t->lo;
    own->cells = (struct HEDDLE_N(cell) *)c->cells + place;
    own->far = (const struct HEDDLE_N(far) *)c->far + place;
    own->i = c->i0 + row_block * c->tile_h + thread;
    own->live = own->i <= c->i1;
    const long i = own->live ? own->i : c->i1;
    HEDDLE_N(load_row)(env, i, &own->row);
    if (first > 0 && first <= columns)
        own->w = *HEDDLE_N(hybrid_at)(c, i, first - 1);
    else
        HEDDLE_N(get_left)(env, c, i, &own->w);
    own->nw = HEDDLE_N(hybrid_top_halo)(env, c, i, first <= columns ? first - 1 : -1);
    own->in = HEDDLE_N(link_of)(c, row_block - 1);
    own->out = HEDDLE_N(link_of)(c, row_block);
    own->sends = c->tagged && heddle_thread() == heddle_threads() - 1;
    own->asked = own->fed = -1;
}

/* Warp 0: the row above the tile in columns s … end - 1, a column per lane. Nonzero: it did not come. */
static HEDDLE_INLINE int HEDDLE_N(hybrid_top)(struct heddle_gpu_control *control, const struct HEDDLE_N(env) *env,
                                              const struct heddle_gpu_control *c, struct HEDDLE_N(own) *own,
                                              const struct heddle_tile *t, long s, long end,
                                              struct HEDDLE_N(edge) *top) {
    const long limit = end < t->hi ? end : t->hi, column = s + own->lane, first = own->i - own->lane;
    memset(top, 0, sizeof *top);
    if (own->row_block == 0) {
        if (column < limit)
            *top = HEDDLE_N(hybrid_top_halo)(env, c, first, column);
        return 0;
    }
    if (!c->tagged) { /* the next chunk's loads are under way while this one is computed */
        *top = own->above;
        if (s == t->s0 && column < limit)
            *top = HEDDLE_N(hybrid_top_halo)(env, c, first, column);
        if (column + HEDDLE_WARP < (t->s1 < t->hi ? t->s1 : t->hi))
            own->above = HEDDLE_N(hybrid_top_halo)(env, c, first, column + HEDDLE_WARP);
        return 0;
    }
    if (own->asked != s)
        HEDDLE_N(fetch)(&own->in, column, c->j1 - c->j0 + 1, 1, &own->words);
    const int there = heddle_all(column >= limit || HEDDLE_N(arrived)(&own->in, &own->words));
    if (heddle_thread() == 0)
        heddle_time(c, HEDDLE_TIME_BUSY);
    if (HEDDLE_N(receive)(control, c->timeout_ns, &own->in, column, limit, &own->words))
        return 1;
    if (heddle_thread() == 0)
        heddle_time(c, there ? HEDDLE_TIME_SYNC : heddle_timer()->started ? HEDDLE_TIME_MIDDLE : HEDDLE_TIME_CORNER);
    *top = HEDDLE_N(unpack)(&own->words);
    HEDDLE_N(fetch)(&own->in, end + own->lane, c->j1 - c->j0 + 1, 1, &own->words);
    own->asked = end;
    return 0;
}

/* A tile as one warp sees it, in steps from the tile's first: this thread's column there (q) and the steps in which its
   cell is one of the nest's (from … to - 1); the steps in which all lanes' cells are and nothing is to be given back
   (first … last - 1); and those before which (begin) and from which on (end) no lane has any. */
struct HEDDLE_N(span) {
    long s0, q;
    int from, to, first, last, begin, end;
};

static HEDDLE_INLINE int HEDDLE_N(hybrid_clamp)(long v) {
    enum { FAR_OFF = 1 << 28 };
    return v > FAR_OFF ? FAR_OFF : v < -FAR_OFF ? -FAR_OFF : (int)v;
}

static HEDDLE_INLINE struct HEDDLE_N(span) HEDDLE_N(hybrid_span)(const struct heddle_gpu_control *c,
                                                                 const struct HEDDLE_N(own) *own,
                                                                 const struct heddle_tile *t) {
    const long columns = c->j1 - c->j0 + 1, q = t->s0 - own->shift, q0 = q + own->lane;
    const int rows = c->i0 + (own->row_block + 1) * c->tile_h - 1 <= c->i1 - HEDDLE_N(LAST_ROWS);
    struct HEDDLE_N(span) p = {.s0 = t->s0, .q = q};
    p.from = HEDDLE_N(hybrid_clamp)(own->live ? t->lo - q : LONG_MAX);
    p.to = HEDDLE_N(hybrid_clamp)(t->hi - q);
    p.begin = HEDDLE_N(hybrid_clamp)(t->lo - q0);
    p.end = HEDDLE_N(hybrid_clamp)(t->hi - q0 + HEDDLE_WARP - 1);
    p.first = HEDDLE_N(hybrid_clamp)(rows ? t->lo - q0 + HEDDLE_WARP - 1 : LONG_MAX);
    p.last = HEDDLE_N(hybrid_clamp)(
        (t->hi < columns - HEDDLE_N(AHEAD_STEPS) ? t->hi : columns - HEDDLE_N(AHEAD_STEPS)) - q0);
    return p;
}

/* Step k of a tile; the cell's edge. `inside` is a constant: the cell exists and is not to be given back. Otherwise a
   pure body is run all the same, and what came of it is dropped: no branch then. */
static HEDDLE_INLINE struct HEDDLE_N(edge)
HEDDLE_N(hybrid_step)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c, struct HEDDLE_N(own) *own,
                      const struct HEDDLE_N(span) *p, int k, int inside, const struct HEDDLE_N(feed) *feed,
                      struct HEDDLE_N(edge) entering, struct HEDDLE_N(red) *red) {
    const long q = p->q + k;
    const struct HEDDLE_N(edge) up = HEDDLE_N(shuffle_up)(HEDDLE_N(edge_of)(&own->w));
    const struct HEDDLE_N(edge) n = HEDDLE_N(select_edge)(own->lane == 0, entering, up);
    const int live = inside || (k >= p->from && k < p->to);
    if (HEDDLE_N(PURE) || live) {
        const struct HEDDLE_N(red) kept = *red;
        const struct HEDDLE_N(cell) v = HEDDLE_N(compute_far)(env, own->i, c->j0 + q, &own->row, &feed->col, &feed->far,
                                                              n, own->w, own->nw, red, NULL);
        *red = HEDDLE_N(select_red)(live, *red, kept);
        own->w = HEDDLE_N(select_cell)(live, v, own->w);
        own->nw = HEDDLE_N(select_edge)(live, n, own->nw);
    }
    if (live)
        own->cells[q * c->tile_h] = own->w;
    if (!inside && live && HEDDLE_N(LAST_ROWS) > 0 && own->i > c->i1 - HEDDLE_N(LAST_ROWS))
        HEDDLE_N(put_last_row)(env, c, own->i, c->j0 + q, &own->w);
    if (!inside && live && HEDDLE_N(LAST_COL) && q == c->j1 - c->j0)
        HEDDLE_N(put_last_col)(env, c, own->i, &own->w);
    return HEDDLE_N(edge_of)(&own->w);
}

/* The `count` steps from step k of a tile on, between two block barriers. What they need of memory is in `feed`, which
   then gets what the group needs that will find it there: late, so that the registers are free and nothing is copied.
 */
static HEDDLE_INLINE void HEDDLE_N(hybrid_group)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 struct HEDDLE_N(own) *own, const struct HEDDLE_N(span) *p, int k,
                                                 int count, int inside, struct HEDDLE_N(feed) *feed,
                                                 struct HEDDLE_N(shared) *sh, struct HEDDLE_N(red) *red) {
    /* of the warp before: what it left HEDDLE_STAGGER + 1 steps ago */
    const struct HEDDLE_N(edge) *before = own->warp ? sh->ring[own->warp - 1] : sh->top;
    const int s = (int)p->s0 + k; /* its low bits count */
    const int place = own->warp ? s - HEDDLE_STAGGER - 1 : k,
              mask = own->warp ? HEDDLE_STAGGER_RING - 1 : HEDDLE_WARP - 1;
    struct HEDDLE_N(edge) entering[HEDDLE_STAGGER], left[HEDDLE_STAGGER];
#pragma unroll
    for (int u = 0; u < HEDDLE_STAGGER; u++)
        entering[u] = before[(place + u) & mask];
#pragma unroll
    for (int u = 0; u < HEDDLE_STAGGER; u++)
        if (inside || u < count)
            left[u] = HEDDLE_N(hybrid_step)(env, c, own, p, k + u, inside, &feed[u], entering[u], red);
    if (own->lane == HEDDLE_WARP - 1)
#pragma unroll
        for (int u = 0; u < HEDDLE_STAGGER; u++)
            if (inside || u < count)
                sh->ring[own->warp][(s + u) & (HEDDLE_STAGGER_RING - 1)] = left[u];
    if (own->sends)
#pragma unroll
        for (int u = 0; u < HEDDLE_STAGGER; u++)
            if (inside || (u < count && k + u >= p->from && k + u < p->to))
                HEDDLE_N(send)(&own->out, p->q + k + u, left[u]);
#pragma unroll
    for (int u = 0; u < HEDDLE_STAGGER; u++)
        HEDDLE_N(hybrid_feed)(env, c, own, p->s0 + k + HEDDLE_N(AHEAD_STEPS) + u, inside, &feed[u]);
    heddle_block_sync();
}

static HEDDLE_INLINE void HEDDLE_N(hybrid_inside)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                  struct HEDDLE_N(own) *own, const struct HEDDLE_N(span) *p, int k0,
                                                  int k1, struct HEDDLE_N(shared) *sh, struct HEDDLE_N(red) *red) {
#pragma clang loop unroll(disable)
    for (int k = k0; k < k1; k += HEDDLE_N(AHEAD_STEPS))
#pragma unroll
        for (int g = 0; g < HEDDLE_FEED_GROUPS; g++)
            HEDDLE_N(hybrid_group)(env, c, own, p, k + g * HEDDLE_STAGGER, HEDDLE_STAGGER, 1, own->next[g], sh, red);
}

static HEDDLE_INLINE void HEDDLE_N(hybrid_partly)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                  struct HEDDLE_N(own) *own, const struct HEDDLE_N(span) *p, int k0,
                                                  int k1, struct HEDDLE_N(shared) *sh, struct HEDDLE_N(red) *red) {
#pragma clang loop unroll(disable)
    for (int k = k0; k < k1; k += HEDDLE_N(AHEAD_STEPS))
#pragma unroll
        for (int g = 0; g < HEDDLE_FEED_GROUPS; g++) {
            const int left = k1 - (k + g * HEDDLE_STAGGER);
            if (left > 0)
                HEDDLE_N(hybrid_group)(env, c, own, p, k + g * HEDDLE_STAGGER,
                                       left < HEDDLE_STAGGER ? left : HEDDLE_STAGGER, 0, own->next[g], sh, red);
        }
}

/* The steps k0 … k1 - 1 (32 at most) between two looks at the row above. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_chunk)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 struct HEDDLE_N(own) *own, const struct HEDDLE_N(span) *p, int k0,
                                                 int k1, struct HEDDLE_N(shared) *sh, struct HEDDLE_N(red) *red) {
    const int even = (k1 - k0) % HEDDLE_N(AHEAD_STEPS) == 0;
    if (k1 <= p->begin || k0 >= p->end) { /* if the next chunk has cells, it need not wait for what they read */
        if (k1 <= p->begin && k1 + HEDDLE_WARP > p->begin && own->fed != p->s0 + k1)
            HEDDLE_N(hybrid_feed_all)(env, c, own, p->s0 + k1);
#pragma clang loop unroll(disable)
        for (int k = k0; k < k1; k += HEDDLE_STAGGER)
            heddle_block_sync();
        return;
    }
    if (own->fed != p->s0 + k0)
        HEDDLE_N(hybrid_feed_all)(env, c, own, p->s0 + k0);
    own->fed = even ? p->s0 + k1 : -1;
    if (even && k0 >= p->first && k1 <= p->last)
        HEDDLE_N(hybrid_inside)(env, c, own, p, k0, k1, sh, red);
    else
        HEDDLE_N(hybrid_partly)(env, c, own, p, k0, k1, sh, red);
}

/* Nonzero: the row above did not come. Then the block computes rubbish up to the tile's end, and nobody uses it. */
static HEDDLE_INLINE int HEDDLE_N(hybrid_tile)(struct heddle_gpu_control *control, const struct HEDDLE_N(env) *env,
                                               const struct heddle_gpu_control *c, struct HEDDLE_N(own) *own,
                                               const struct heddle_tile *t, int enters, struct HEDDLE_N(red) *red) {
    HEDDLE_BLOCK_VARIABLE(struct HEDDLE_N(shared) sh, sh);
    const struct HEDDLE_N(span) p = HEDDLE_N(hybrid_span)(c, own, t);
    const int steps = (int)(t->s1 - t->s0);
    if (enters) {
        HEDDLE_N(hybrid_ring)(c, own, t->s0, &sh);
        if (heddle_thread() == 0)
            sh.missing = 0;
        heddle_block_sync();
    }
#pragma clang loop unroll(disable)
    for (int k = 0; k < steps; k += HEDDLE_WARP) {
        const int end = k + HEDDLE_WARP < steps ? k + HEDDLE_WARP : steps;
        if (own->warp == 0) {
            struct HEDDLE_N(edge) top;
            if (HEDDLE_N(hybrid_top)(control, env, c, own, t, t->s0 + k, t->s0 + end, &top))
                sh.missing = 1;
            sh.top[own->lane] = top;
            heddle_warp_sync();
        }
        HEDDLE_N(hybrid_chunk)(env, c, own, &p, k, end, &sh, red);
    }
    return sh.missing;
}

static HEDDLE_INLINE void HEDDLE_N(gpu_hybrid)(struct heddle_gpu_control *control) {
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)control->env;
    struct HEDDLE_N(red) red = *(const struct HEDDLE_N(red) *)control->red_start;
    /* a copy: the record itself would be read again after every store of a cell */
    const struct heddle_gpu_control copy = *control, *c = &copy;
    struct HEDDLE_N(own) own;
    struct heddle_walk w;
    memset(&own, 0, sizeof own);
    own.row_block = own.tile = own.fed = -1;
    own.lane = heddle_thread() % HEDDLE_WARP;
    own.warp = heddle_thread() / HEDDLE_WARP;
    own.shift = heddle_thread() + own.warp * HEDDLE_STAGGER;
    heddle_walk_begin(control, &w);
#pragma clang loop unroll(disable)
    while (heddle_walk_next(control, c, &w)) {
        const struct heddle_tile t = heddle_walk_tile(c, &w);
        const int enters = w.row != own.row_block || w.tile != own.tile + 1;
        if (enters)
            HEDDLE_N(hybrid_enter)(&env, c, &own, w.row, &t);
        own.row_block = w.row;
        own.tile = w.tile;
        if (HEDDLE_N(hybrid_tile)(control, &env, c, &own, &t, enters, &red)) {
            if (heddle_thread() == 0)
                heddle_store_release(&control->error, (uint64_t)w.row + 1);
            break;
        }
        heddle_walk_done(control, c, &w);
    }
    heddle_walk_end(control);
    HEDDLE_N(put_red)(c, &red);
}

/* Between the user's arrays and the hybrid layout, a chunk of a tile row's steps at a time. */
static HEDDLE_INLINE void HEDDLE_N(gpu_convert)(struct heddle_gpu_control *c) {
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)c->env;
    const long columns = c->j1 - c->j0 + 1, steps = columns + c->tile_h - 1;
    const long chunks = (steps + HEDDLE_CONVERT_STEPS - 1) / HEDDLE_CONVERT_STEPS;
    for (long k = heddle_block(); k < c->row_blocks * chunks; k += heddle_blocks()) {
        const long row = k / chunks, s0 = k % chunks * HEDDLE_CONVERT_STEPS;
        const long s1 = s0 + HEDDLE_CONVERT_STEPS < steps ? s0 + HEDDLE_CONVERT_STEPS : steps;
        const long l = heddle_thread(), i = c->i0 + row * c->tile_h + l;
        if (i > c->i1)
            continue;
#pragma clang loop unroll_count(4)
        for (long s = s0; s < s1; s++) {
            const long q = s - l, at = (row * steps + s) * c->tile_h + l;
            if (q < 0 || q >= columns)
                continue;
            if (c->scatter)
                HEDDLE_N(store)(&env, i, c->j0 + q, (const struct HEDDLE_N(cell) *)c->cells + at);
            else
                HEDDLE_N(load_far)(&env, i, c->j0 + q, (struct HEDDLE_N(far) *)c->far + at);
        }
    }
}
#endif

static void HEDDLE_N(launch_hybrid)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_N(gpu_hybrid), HEDDLE_N(host_device));
}
static void HEDDLE_N(launch_convert)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_N(gpu_convert), HEDDLE_N(host_device));
}
