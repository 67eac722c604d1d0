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
 * The order of tiles and the waits are heddle/wavefront_walk.h's, as for the other layout.
 *
 * Included by heddle/wavefront.h. No include guard.
 */
#ifdef __NVPTX__
struct HEDDLE_N(feed) {
    struct HEDDLE_N(col) col;
    struct HEDDLE_N(far) far;
};

/* One thread's row. Warp k is HEDDLE_STAGGER steps later than its distance alone asks for: then what the warp before
   hands over was written before the last block barrier, and one barrier every HEDDLE_STAGGER steps is enough. */
struct HEDDLE_N(own) {
    struct HEDDLE_N(cell) *cells; /* of the tile row, at this thread's place */
    const struct HEDDLE_N(far) *far;
    struct HEDDLE_N(row) row;
    struct HEDDLE_N(cell) w;
    struct HEDDLE_N(edge) nw, above; /* above: warp 0, barrier schedule: of the next chunk */
    struct HEDDLE_N(words) words;    /* above: warp 0, peer schedule */
    struct HEDDLE_N(feed) next[HEDDLE_STAGGER];
    long i, row_block, tile;
    long fed, asked;                 /* steps for which `next` and `words` hold something, or -1 */
    int live, lane, warp, shift;     /* shift: steps behind the tile's first row */
};

static HEDDLE_INLINE const struct HEDDLE_N(cell) *HEDDLE_N(hybrid_at)(const struct heddle_gpu_control *c, long i, long column)
{
    const struct heddle_hybrid at = {.columns = c->j1 - c->j0 + 1, .h = c->tile_h};
    return (const struct HEDDLE_N(cell) *)c->cells + heddle_hybrid_index(&at, i - c->i0, column);
}

/* Row i's value above it in a column; column -1: the corner. */
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(hybrid_north)(const struct HEDDLE_N(env) *env,
                                                                 const struct heddle_gpu_control *c, long i, long column)
{
    struct HEDDLE_N(edge) e;
    memset(&e, 0, sizeof e);
    if (i == c->i0) {
        if (column >= 0 || HEDDLE_N(CORNER))
            HEDDLE_N(get_north)(env, c, column, &e);
    } else if (column >= 0) {
        const struct HEDDLE_N(cell) v = *HEDDLE_N(hybrid_at)(c, i - 1, column);
        e = HEDDLE_N(edge_of)(&v);
    } else if (HEDDLE_N(CORNER)) {
        struct HEDDLE_N(cell) v;
        HEDDLE_N(get_west)(env, c, i - 1, &v);
        e = HEDDLE_N(edge_of)(&v);
    }
    return e;
}

/* `inside` is a constant: the column exists. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_feed)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                const struct HEDDLE_N(own) *own, long s, int inside, struct HEDDLE_N(feed) *feed)
{
    const long last = c->j1 - c->j0, q = s - own->shift;
    const long column = inside ? q : q < 0 ? 0 : q > last ? last : q;
    HEDDLE_N(load_col)(env, c->j0 + column, &feed->col);
    if (HEDDLE_N(FARS))
        feed->far = own->far[column * c->tile_h];
}

/* What the last rows of the warps left in the steps before `s`, for a tile that does not go on from the block's last. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_ring)(const struct heddle_gpu_control *c, const struct HEDDLE_N(own) *own, long s,
                                                struct HEDDLE_N(edge) (*ring)[HEDDLE_STAGGER_RING])
{
    const long step = s - 1 - own->lane, q = step - (own->shift - own->lane + HEDDLE_WARP - 1);
    const long i = own->i - own->lane + HEDDLE_WARP - 1;
    if (own->lane <= HEDDLE_STAGGER && q >= 0 && q <= c->j1 - c->j0 && i <= c->i1) {
        const struct HEDDLE_N(cell) v = *HEDDLE_N(hybrid_at)(c, i, q);
        ring[own->warp][step & (HEDDLE_STAGGER_RING - 1)] = HEDDLE_N(edge_of)(&v);
    }
}

/* The thread's place at the start of a tile that does not go on from its last one. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_enter)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 struct HEDDLE_N(own) *own, long row_block, const struct heddle_tile *t)
{
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
        HEDDLE_N(get_west)(env, c, i, &own->w);
    own->nw = HEDDLE_N(hybrid_north)(env, c, i, first <= columns ? first - 1 : -1);
    own->asked = -1;
}

/* Warp 0: the row above the tile in columns s … end - 1, a column per lane. Nonzero: it did not come. */
static HEDDLE_INLINE int HEDDLE_N(hybrid_top)(struct heddle_gpu_control *control, const struct HEDDLE_N(env) *env,
                                              const struct heddle_gpu_control *c, struct HEDDLE_N(own) *own,
                                              const struct heddle_tile *t, long s, long end, struct HEDDLE_N(edge) *top)
{
    const long limit = end < t->hi ? end : t->hi, column = s + own->lane, first = own->i - own->lane;
    memset(top, 0, sizeof *top);
    if (own->row_block == 0) {
        if (column < limit)
            *top = HEDDLE_N(hybrid_north)(env, c, first, column);
        return 0;
    }
    if (!c->tagged) { /* the next chunk's loads are under way while this one is computed */
        *top = own->above;
        if (s == t->s0 && column < limit)
            *top = HEDDLE_N(hybrid_north)(env, c, first, column);
        if (column + HEDDLE_WARP < (t->s1 < t->hi ? t->s1 : t->hi))
            own->above = HEDDLE_N(hybrid_north)(env, c, first, column + HEDDLE_WARP);
        return 0;
    }
    const struct HEDDLE_N(link) in = HEDDLE_N(link_of)(c, own->row_block - 1);
    if (own->asked != s)
        HEDDLE_N(fetch)(&in, column, c->j1 - c->j0 + 1, 1, &own->words);
    const int there = heddle_all(column >= limit || HEDDLE_N(arrived)(&in, &own->words));
    if (heddle_thread() == 0)
        heddle_time(c, HEDDLE_TIME_BUSY);
    if (HEDDLE_N(receive)(control, c->timeout_ns, &in, column, limit, &own->words))
        return 1;
    if (heddle_thread() == 0)
        heddle_time(c, there ? HEDDLE_TIME_SYNC : heddle_timer()->started ? HEDDLE_TIME_MIDDLE : HEDDLE_TIME_CORNER);
    *top = HEDDLE_N(unpack)(&own->words);
    HEDDLE_N(fetch)(&in, end + own->lane, c->j1 - c->j0 + 1, 1, &own->words);
    own->asked = end;
    return 0;
}

/* One step of one thread. `inside` is a constant: its column and row exist and nothing is to be given back. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_step)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                struct HEDDLE_N(own) *own, const struct heddle_tile *t, long s, int inside,
                                                const struct HEDDLE_N(feed) *feed, struct HEDDLE_N(edge) entering,
                                                const struct HEDDLE_N(link) *out, struct HEDDLE_N(red) *red)
{
    const long q = s - own->shift;
    const struct HEDDLE_N(edge) up = HEDDLE_N(shuffle_up)(HEDDLE_N(edge_of)(&own->w));
    const struct HEDDLE_N(edge) n = HEDDLE_N(select_edge)(own->lane == 0, entering, up);
    if (!inside && !(own->live && q >= t->lo && q < t->hi))
        return;
    const struct HEDDLE_N(cell) v =
        HEDDLE_N(compute_far)(env, own->i, c->j0 + q, &own->row, &feed->col, &feed->far, n, own->w, own->nw, red, NULL);
    own->cells[q * c->tile_h] = v;
    own->w = v;
    own->nw = n;
    if (c->tagged && heddle_thread() == heddle_threads() - 1)
        HEDDLE_N(send)(out, q, HEDDLE_N(edge_of)(&v));
    if (!inside && HEDDLE_N(LAST_ROWS) > 0 && own->i > c->i1 - HEDDLE_N(LAST_ROWS))
        HEDDLE_N(put_last_row)(env, c, own->i, c->j0 + q, &v);
    if (!inside && HEDDLE_N(LAST_COL) && q == c->j1 - c->j0)
        HEDDLE_N(put_last_col)(env, c, own->i, &v);
}

/* The steps s0 … s1 - 1 (32 at most) between two looks at the row above. */
static HEDDLE_INLINE void HEDDLE_N(hybrid_chunk)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 struct HEDDLE_N(own) *own, const struct heddle_tile *t, long s0, long s1,
                                                 int inside, struct HEDDLE_N(edge) top, const struct HEDDLE_N(link) *out,
                                                 struct HEDDLE_N(edge) (*ring)[HEDDLE_STAGGER_RING], struct HEDDLE_N(red) *red)
{
    const struct HEDDLE_N(edge) *before = ring[own->warp ? own->warp - 1 : 0];
#pragma clang loop unroll(disable)
    for (long s = s0; s < s1; s += HEDDLE_STAGGER) {
        struct HEDDLE_N(feed) now[HEDDLE_STAGGER];
#pragma unroll
        for (int u = 0; u < HEDDLE_STAGGER; u++) {
            now[u] = own->next[u];
            HEDDLE_N(hybrid_feed)(env, c, own, s + HEDDLE_STAGGER + u, inside, &own->next[u]);
        }
#pragma unroll
        for (int u = 0; u < HEDDLE_STAGGER; u++) {
            if (s + u >= s1)
                break;
            const struct HEDDLE_N(edge) first = HEDDLE_N(shuffle)(top, (int)(s + u - s0));
            const struct HEDDLE_N(edge) other = before[(s + u - HEDDLE_STAGGER - 1) & (HEDDLE_STAGGER_RING - 1)];
            const struct HEDDLE_N(edge) entering = HEDDLE_N(select_edge)(own->warp == 0, first, other);
            HEDDLE_N(hybrid_step)(env, c, own, t, s + u, inside, &now[u], entering, out, red);
            if (own->lane == HEDDLE_WARP - 1)
                ring[own->warp][(s + u) & (HEDDLE_STAGGER_RING - 1)] = HEDDLE_N(edge_of)(&own->w);
        }
        heddle_block_sync();
    }
}

/* Nonzero: the row above did not come. Then the block computes rubbish up to the tile's end, and nobody uses it. */
static HEDDLE_INLINE int HEDDLE_N(hybrid_tile)(struct heddle_gpu_control *control, const struct HEDDLE_N(env) *env,
                                               const struct heddle_gpu_control *c, struct HEDDLE_N(own) *own,
                                               const struct heddle_tile *t, int enters, struct HEDDLE_N(red) *red)
{
    static struct HEDDLE_N(edge) ring[HEDDLE_TILE_THREADS / HEDDLE_WARP][HEDDLE_STAGGER_RING];
    static int missing;
#pragma omp allocate(ring) allocator(omp_pteam_mem_alloc)
#pragma omp allocate(missing) allocator(omp_pteam_mem_alloc)
    const long columns = c->j1 - c->j0 + 1;
    const int inside = c->skew && t->s0 >= c->delay && t->s1 + HEDDLE_STAGGER < columns &&
                       c->i0 + (own->row_block + 1) * c->tile_h - 1 <= c->i1 - HEDDLE_N(LAST_ROWS);
    const struct HEDDLE_N(link) out = HEDDLE_N(link_of)(c, own->row_block);
    if (enters) {
        HEDDLE_N(hybrid_ring)(c, own, t->s0, ring);
        if (heddle_thread() == 0)
            missing = 0;
        heddle_block_sync();
    }
    if (own->fed != t->s0)
#pragma unroll
        for (int u = 0; u < HEDDLE_STAGGER; u++)
            HEDDLE_N(hybrid_feed)(env, c, own, t->s0 + u, 0, &own->next[u]);
#pragma clang loop unroll(disable)
    for (long s0 = t->s0; s0 < t->s1; s0 += HEDDLE_WARP) {
        const long s1 = s0 + HEDDLE_WARP < t->s1 ? s0 + HEDDLE_WARP : t->s1;
        struct HEDDLE_N(edge) top;
        memset(&top, 0, sizeof top);
        if (own->warp == 0 && HEDDLE_N(hybrid_top)(control, env, c, own, t, s0, s1, &top))
            missing = 1;
        if (inside)
            HEDDLE_N(hybrid_chunk)(env, c, own, t, s0, s1, 1, top, &out, ring, red);
        else
            HEDDLE_N(hybrid_chunk)(env, c, own, t, s0, s1, 0, top, &out, ring, red);
    }
    own->fed = c->skew && (t->s1 - t->s0) % HEDDLE_STAGGER == 0 ? t->s1 : -1;
    return missing;
}

static HEDDLE_INLINE void HEDDLE_N(gpu_hybrid)(struct heddle_gpu_control *control)
{
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
        if (enters) {
            HEDDLE_N(hybrid_enter)(&env, c, &own, w.row, &t);
            own.fed = -1;
        }
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
static HEDDLE_INLINE void HEDDLE_N(gpu_convert)(struct heddle_gpu_control *c)
{
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

#ifdef __NVPTX__
#define HEDDLE_HYBRID_BODY(name) HEDDLE_N(name)(control)
#else
#define HEDDLE_HYBRID_BODY(name) HEDDLE_N(host_device)(control)
#endif
#define HEDDLE_HYBRID_LAUNCH(launch, name)                                                         \
    static void HEDDLE_N(launch)(const struct heddle_gpu_call *call)                               \
    {                                                                                              \
        struct heddle_gpu_control *control = call->control;                                        \
        const int teams = call->teams, threads = call->threads, device = call->device;             \
        _Pragma("omp target teams ompx_bare num_teams(teams) thread_limit(threads) is_device_ptr(control) device(device)") \
        {                                                                                          \
            HEDDLE_HYBRID_BODY(name);                                                              \
        }                                                                                          \
    }
HEDDLE_HYBRID_LAUNCH(launch_hybrid, gpu_hybrid)
HEDDLE_HYBRID_LAUNCH(launch_convert, gpu_convert)
#undef HEDDLE_HYBRID_LAUNCH
#undef HEDDLE_HYBRID_BODY
