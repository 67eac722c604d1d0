/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A nest that is a prefix sum, on a GPU: one pass over the cells, each read and written once.
 *
 * Tiles of (warps x SCAN_ROWS) rows by SCAN_COLUMNS columns are taken by a ticket along anti-diagonals. A block reads
 * its tile into registers and sums it, rows by shuffles, columns down each thread; only then does it ask for what
 * the left neighbour says about its rows and the upper one about its columns, and hands both on with its own sums
 * added. So the chain of neighbours carries one addition per tile, while the memory works for the tiles behind it
 * (the "single kernel soft synchronization" of Emoto, Funasaka, Tokura, Honda, Nakano and Ito, 2018).
 * Values travel as 64-bit words of 32 data bits and a tag, which say by themselves whether they are there.
 *
 * With D(i, j) = S(i, j) - S(i - 1, j), the sum of row i up to column j: what comes from the left is D of the column
 * before the tile, what comes from above is S of the row before it.
 *
 * Included by heddle/engine/wavefront/wavefront.h. No include guard.
 */
/* Rows of a warp's part of a tile, groups of columns in it, one for each lane, warps of a block. Found on an H100; the
   sums of a part live in registers, so large values have fewer rows. */
#if HEDDLE_ON_GPU
enum {
    HEDDLE_N(SCAN_CHUNKS) = HEDDLE_SCAN_COLUMNS / HEDDLE_WARP,
    HEDDLE_N(scan_words) = sizeof(HEDDLE_N(sum)) / 4,
    HEDDLE_N(SCAN_ROWS) = HEDDLE_SCAN_REGISTERS / HEDDLE_N(SCAN_CHUNKS) / HEDDLE_N(scan_words),
};
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_shuffle)(HEDDLE_N(sum) v, int source) {
    HEDDLE_SHUFFLE_BODY(HEDDLE_N(sum), heddle_shuffle_word(word[q], source))
}
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_up)(HEDDLE_N(sum) v, int lanes) {
    HEDDLE_SHUFFLE_BODY(HEDDLE_N(sum), heddle_shuffle_up_by_word(word[q], lanes))
}

/* A value on its way between tiles. */
struct HEDDLE_N(scan_mail) {
    uint64_t word[HEDDLE_N(scan_words)];
};

static HEDDLE_INLINE void HEDDLE_N(scan_send)(uint32_t tag, struct HEDDLE_N(scan_mail) *to, HEDDLE_N(sum) v) {
    uint32_t word[HEDDLE_N(scan_words)];
    memcpy(word, &v, sizeof v);
#pragma unroll
    for (int q = 0; q < HEDDLE_N(scan_words); q++)
        heddle_store_relaxed(&to->word[q], (uint64_t)tag << 32 | word[q]);
}

/* Starts the loads; nothing waits for them here. */
static HEDDLE_INLINE void HEDDLE_N(scan_fetch)(const struct HEDDLE_N(scan_mail) *from,
                                               struct HEDDLE_N(scan_mail) *mail) {
#pragma unroll
    for (int q = 0; q < HEDDLE_N(scan_words); q++)
        mail->word[q] = heddle_load_relaxed(&from->word[q]);
}

/* The whole warp waits until every lane that wants a value has it. Nonzero: given up. */
static HEDDLE_INLINE int HEDDLE_N(scan_receive)(struct heddle_gpu_control *c, uint32_t tag,
                                                const struct HEDDLE_N(scan_mail) *from, int wanted, long tile,
                                                struct HEDDLE_N(scan_mail) *mail) {
    uint64_t start = 0;
    for (unsigned polls = 1;; polls++) {
        int here = 1;
#pragma unroll
        for (int q = 0; q < HEDDLE_N(scan_words); q++)
            here &= !wanted || (uint32_t)(mail->word[q] >> 32) == tag;
        if (heddle_all(here))
            return 0;
        if (!here)
            HEDDLE_N(scan_fetch)(from, mail);
        if (polls % 256 == 0) {
            const uint64_t now = heddle_clock_ns();
            start = start ? start : now;
            if (heddle_any(now - start > c->timeout_ns || heddle_load_relaxed(&c->error))) {
                heddle_report(c, tile);
                return 1;
            }
        }
    }
}

static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_open)(const struct HEDDLE_N(scan_mail) *mail) {
    HEDDLE_N(sum) v;
    uint32_t word[HEDDLE_N(scan_words)];
#pragma unroll
    for (int q = 0; q < HEDDLE_N(scan_words); q++)
        word[q] = (uint32_t)mail->word[q];
    memcpy(&v, word, sizeof v);
    return v;
}

struct HEDDLE_N(scan_tile) {
    long plane, down, across; /* its place among the tiles */
    long i, j;                /* this thread's first row and column */
    int int_i, int_j;         /* the same, if they fit */
    int rows, columns;        /* of the tile that exist, from this thread's first on */
    int whole;                /* the warp's part of the tile exists */
};

/* Tile `t` in the order of anti-diagonals, from the lower left to the upper right on each. */
static HEDDLE_INLINE void HEDDLE_N(scan_place)(long t, long down, long across, long *row, long *column) {
    const long narrow = down < across ? down : across, total = down * across;
    const long corner = narrow * (narrow - 1) / 2; /* tiles before the first diagonal of full length */
    const int mirrored = t >= total - corner;
    long d, k;
    if (mirrored)
        t = total - 1 - t;
    if (t < corner) {
        d = (long)(__builtin_sqrtf(2 * (float)t)); /* about; the loops find it */
        while (d * (d + 1) / 2 > t)
            d--;
        while ((d + 1) * (d + 2) / 2 <= t)
            d++;
        k = t - d * (d + 1) / 2;
    } else {
        d = narrow - 1 + (t - corner) / narrow;
        k = (t - corner) % narrow;
    }
    *row = d < down ? d - k : down - 1 - k;
    *column = d - *row;
    if (mirrored) {
        *row = down - 1 - *row;
        *column = across - 1 - *column;
    }
}

/* Cell (r, 32 q) of this thread. Where the loops count in int, so does this: the compiler then sees constant distances
   between the addresses. */
#define HEDDLE_SCAN_I(t, r) (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_INT ? (long)((t)->int_i + (r)) : (t)->i + (r))
#define HEDDLE_SCAN_J(t, q)                                                                                            \
    (HEDDLE_N(PREFIX) & HEDDLE_PREFIX_INT ? (long)((t)->int_j + HEDDLE_WARP * (q)) : (t)->j + HEDDLE_WARP * (q))
#define HEDDLE_SCAN_EACH                                                                                               \
    _Pragma("unroll") for (int r = 0; r < HEDDLE_N(SCAN_ROWS); r++)                                                    \
        _Pragma("unroll") for (int q = 0; q < HEDDLE_N(SCAN_CHUNKS); q++)

/* Reads the tile. Rows and columns that do not exist count as zero. */
static HEDDLE_INLINE void HEDDLE_N(scan_load)(const struct HEDDLE_N(env) *env, const struct HEDDLE_N(scan_tile) *t,
                                              HEDDLE_N(sum) x[HEDDLE_N(SCAN_ROWS)][HEDDLE_N(SCAN_CHUNKS)]) {
    if (t->whole)
        HEDDLE_SCAN_EACH
    x[r][q] = (HEDDLE_N(sum))HEDDLE_N(term)(env, HEDDLE_SCAN_I(t, r), HEDDLE_SCAN_J(t, q));
    else HEDDLE_SCAN_EACH x[r][q] = r < t->rows && HEDDLE_WARP * q < t->columns
                                        ? (HEDDLE_N(sum))HEDDLE_N(term)(env, HEDDLE_SCAN_I(t, r), HEDDLE_SCAN_J(t, q))
                                        : 0;
}

/* A row that does not begin with a memory line is turned by as many lanes, so that a warp's stores fill whole lines. */
static HEDDLE_INLINE void HEDDLE_N(scan_store_row)(HEDDLE_N(SUM) *row, const HEDDLE_N(sum) x[HEDDLE_N(SCAN_CHUNKS)],
                                                   const HEDDLE_N(sum) above[HEDDLE_N(SCAN_CHUNKS)]) {
    const int lane = heddle_thread() % HEDDLE_WARP, turn = (int)((uintptr_t)row / sizeof *row % HEDDLE_WARP);
    HEDDLE_N(sum) before = 0;
    row += lane - turn;
#pragma unroll
    for (int q = 0; !turn && q < HEDDLE_N(SCAN_CHUNKS); q++)
        row[HEDDLE_WARP * q] = (HEDDLE_N(SUM))(above[q] + x[q]);
    if (!turn)
        return;
#pragma unroll
    for (int q = 0; q <= HEDDLE_N(SCAN_CHUNKS); q++) {
        const HEDDLE_N(sum) own = q < HEDDLE_N(SCAN_CHUNKS) ? above[q] + x[q] : 0;
        const HEDDLE_N(sum) v =
            HEDDLE_N(scan_shuffle)(lane < HEDDLE_WARP - turn ? own : before, (lane - turn) & (HEDDLE_WARP - 1));
        if ((q > 0 || lane >= turn) && (q < HEDDLE_N(SCAN_CHUNKS) || lane < turn))
            row[HEDDLE_WARP * q] = (HEDDLE_N(SUM))v;
        before = own;
    }
}

static HEDDLE_INLINE void HEDDLE_N(scan_store)(const struct HEDDLE_N(env) *env, const struct HEDDLE_N(scan_tile) *t,
                                               HEDDLE_N(sum) x[HEDDLE_N(SCAN_ROWS)][HEDDLE_N(SCAN_CHUNKS)],
                                               const HEDDLE_N(sum) above[HEDDLE_N(SCAN_CHUNKS)]) {
    if (!t->whole || !(HEDDLE_N(PREFIX) & HEDDLE_PREFIX_UNIT)) {
        HEDDLE_SCAN_EACH
        if (r < t->rows && HEDDLE_WARP * q < t->columns)
            *HEDDLE_N(at)(env, HEDDLE_SCAN_I(t, r), HEDDLE_SCAN_J(t, q)) = (HEDDLE_N(SUM))(above[q] + x[r][q]);
        return;
    }
#pragma unroll
    for (int r = 0; r < HEDDLE_N(SCAN_ROWS); r++)
        HEDDLE_N(scan_store_row)(HEDDLE_N(at)(env, HEDDLE_SCAN_I(t, r), t->j - heddle_thread() % HEDDLE_WARP), x[r],
                                 above);
}
#undef HEDDLE_SCAN_I
#undef HEDDLE_SCAN_J
#undef HEDDLE_SCAN_EACH

/* Sums along the rows of the warp's part; lane r returns row r's. */
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_rows)(HEDDLE_N(sum) x[HEDDLE_N(SCAN_ROWS)][HEDDLE_N(SCAN_CHUNKS)]) {
    const int lane = heddle_thread() % HEDDLE_WARP;
    HEDDLE_N(sum) total = 0;
#pragma unroll
    for (int r = 0; r < HEDDLE_N(SCAN_ROWS); r++) {
#pragma unroll
        for (int q = 0; q < HEDDLE_N(SCAN_CHUNKS); q++) {
#pragma unroll
            for (int d = 1; d < HEDDLE_WARP; d *= 2) {
                const HEDDLE_N(sum) other = HEDDLE_N(scan_up)(x[r][q], d);
                if (lane >= d)
                    x[r][q] += other;
            }
            if (q)
                x[r][q] += HEDDLE_N(scan_shuffle)(x[r][q - 1], HEDDLE_WARP - 1);
        }
        const HEDDLE_N(sum) all = HEDDLE_N(scan_shuffle)(x[r][HEDDLE_N(SCAN_CHUNKS) - 1], HEDDLE_WARP - 1);
        total = lane == r ? all : total;
    }
    return total;
}

/* Adds what lies left of the tile, which lane r knows of row r. */
static HEDDLE_INLINE void HEDDLE_N(scan_add_left)(HEDDLE_N(sum) x[HEDDLE_N(SCAN_ROWS)][HEDDLE_N(SCAN_CHUNKS)],
                                                  HEDDLE_N(sum) left) {
#pragma unroll
    for (int r = 0; r < HEDDLE_N(SCAN_ROWS); r++) {
        const HEDDLE_N(sum) before = HEDDLE_N(scan_shuffle)(left, r);
#pragma unroll
        for (int q = 0; q < HEDDLE_N(SCAN_CHUNKS); q++)
            x[r][q] += before;
    }
}

/* One thread's column of the whole tile. In: what each warp's rows add up to; out: what stands above them. */
static HEDDLE_INLINE HEDDLE_N(sum) HEDDLE_N(scan_column)(HEDDLE_N(sum) (*edge)[HEDDLE_SCAN_COLUMNS],
                                                         HEDDLE_N(sum) above) {
    const int warps = heddle_threads() / HEDDLE_WARP, column = heddle_thread();
    for (int w = 0; w < warps; w++) {
        const HEDDLE_N(sum) v = edge[w][column];
        edge[w][column] = above;
        above += v;
    }
    return above;
}

/* Nonzero: given up. Lanes 0 … SCAN_ROWS - 1 of each warp look after a row each, the first SCAN_COLUMNS threads after a
   column. */
static HEDDLE_INLINE int HEDDLE_N(scan_sum)(struct heddle_gpu_control *c, const struct HEDDLE_N(env) *env,
                                            const struct HEDDLE_N(scan_tile) *t) {
    HEDDLE_BLOCK_VARIABLE(HEDDLE_N(sum) edge[HEDDLE_SCAN_WARPS][HEDDLE_SCAN_COLUMNS], edge);
    HEDDLE_BLOCK_VARIABLE(int failed, failed);
    const int warp = heddle_thread() / HEDDLE_WARP, lane = heddle_thread() % HEDDLE_WARP;
    const int row_mail = HEDDLE_N(SCAN_ALONG_J) && lane < HEDDLE_N(SCAN_ROWS) && t->across;
    const int column_mail = HEDDLE_N(SCAN_ALONG_I) && heddle_thread() < HEDDLE_SCAN_COLUMNS && t->down;
    const uint32_t tag = c->tag_base;
    const long tile = (t->plane * c->row_blocks + t->down) * c->tiles_across + t->across;
    struct HEDDLE_N(scan_mail) *rows =
        (struct HEDDLE_N(scan_mail) *)c->edges + tile * c->tile_h + warp * HEDDLE_N(SCAN_ROWS) + lane;
    struct HEDDLE_N(scan_mail) *columns = (struct HEDDLE_N(scan_mail) *)c->edges +
                                          c->batch * c->row_blocks * c->tiles_across * c->tile_h +
                                          tile * HEDDLE_SCAN_COLUMNS + heddle_thread();
    const struct HEDDLE_N(scan_mail) *left_mail = rows - c->tile_h,
                                     *top_mail = columns - c->tiles_across * HEDDLE_SCAN_COLUMNS;
    struct HEDDLE_N(scan_mail) from_left = {{0}}, from_top = {{0}};
    HEDDLE_N(sum) x[HEDDLE_N(SCAN_ROWS)][HEDDLE_N(SCAN_CHUNKS)], above[HEDDLE_N(SCAN_CHUNKS)];
    int bad = 0;
    if (heddle_thread() == 0)
        failed = 0;
    if (row_mail)
        HEDDLE_N(scan_fetch)(left_mail, &from_left);
    HEDDLE_N(scan_load)(env, t, x);
    if (HEDDLE_N(SCAN_ALONG_J)) {
        const HEDDLE_N(sum) total = HEDDLE_N(scan_rows)(x);
        HEDDLE_N(sum) left = 0;
        if (column_mail)
            HEDDLE_N(scan_fetch)(top_mail, &from_top);
        if (t->across) {
            bad = HEDDLE_N(scan_receive)(c, tag, left_mail, row_mail, tile, &from_left);
            left = row_mail ? HEDDLE_N(scan_open)(&from_left) : 0;
        } else if (lane < HEDDLE_N(SCAN_ROWS) && lane < t->rows) {
            left = HEDDLE_N(scan_from_left)(env, c->i0, c->j0, t->i + lane);
        }
        if (lane < HEDDLE_N(SCAN_ROWS) && !bad)
            HEDDLE_N(scan_send)(tag, rows, left + total);
        HEDDLE_N(scan_add_left)(x, left);
    }
#pragma unroll
    for (int q = 0; q < HEDDLE_N(SCAN_CHUNKS); q++)
        above[q] = 0;
    if (HEDDLE_N(SCAN_ALONG_I)) {
#pragma unroll
        for (int r = 1; r < HEDDLE_N(SCAN_ROWS); r++)
#pragma unroll
            for (int q = 0; q < HEDDLE_N(SCAN_CHUNKS); q++)
                x[r][q] += x[r - 1][q];
#pragma unroll
        for (int q = 0; q < HEDDLE_N(SCAN_CHUNKS); q++)
            edge[warp][lane + HEDDLE_WARP * q] = x[HEDDLE_N(SCAN_ROWS) - 1][q];
    }
    heddle_block_sync();
    if (HEDDLE_N(SCAN_ALONG_I) && heddle_thread() < HEDDLE_SCAN_COLUMNS) {
        const long j = c->j0 + t->across * HEDDLE_SCAN_COLUMNS + heddle_thread();
        HEDDLE_N(sum) top = 0;
        if (t->down) {
            bad |= HEDDLE_N(scan_receive)(c, tag, top_mail, 1, tile, &from_top);
            top = HEDDLE_N(scan_open)(&from_top);
        } else if (j <= c->j1) {
            top = HEDDLE_N(scan_from_top)(env, c->i0, j);
        }
        top = HEDDLE_N(scan_column)(edge, top);
        if (!bad)
            HEDDLE_N(scan_send)(tag, columns, top);
    }
    if (bad)
        failed = 1;
    heddle_block_sync();
    if (failed)
        return 1;
#pragma unroll
    for (int q = 0; HEDDLE_N(SCAN_ALONG_I) && q < HEDDLE_N(SCAN_CHUNKS); q++)
        above[q] = edge[warp][lane + HEDDLE_WARP * q];
    HEDDLE_N(scan_store)(env, t, x, above);
    return 0;
}

static HEDDLE_INLINE void HEDDLE_N(scan_device)(struct heddle_gpu_control *c) {
    HEDDLE_BLOCK_VARIABLE(long taken, taken); /* the next tile: its ticket is on the way while this one is computed */
    struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)c->env;
    const int lane = heddle_thread() % HEDDLE_WARP, warp = heddle_thread() / HEDDLE_WARP;
    const long tiles = c->row_blocks * c->tiles_across;
    long next = 0;
    if (heddle_thread() == 0)
        next = (long)heddle_add_relaxed(&c->ticket, 1);
    for (;;) {
        if (heddle_thread() == 0)
            taken = next;
        heddle_block_sync();
        const long ticket = taken;
        if (ticket >= tiles * (HEDDLE_N(BATCH) ? c->batch : 1))
            return;
        if (heddle_thread() == 0)
            next = (long)heddle_add_relaxed(&c->ticket, 1);
        struct HEDDLE_N(scan_tile) t;
        t.plane = HEDDLE_N(BATCH) ? ticket / tiles : 0;
#if HEDDLE_N(BATCH)
        HEDDLE_N(set_sweep)(&env, c->sweep0 + t.plane);
#endif
        HEDDLE_N(scan_place)(HEDDLE_N(BATCH) ? ticket % tiles : ticket, c->row_blocks, c->tiles_across, &t.down,
                             &t.across);
        t.i = c->i0 + t.down * c->tile_h + warp * HEDDLE_N(SCAN_ROWS);
        t.j = c->j0 + t.across * HEDDLE_SCAN_COLUMNS + lane;
        t.int_i = (int)c->i0 + (int)(t.down * c->tile_h) + warp * HEDDLE_N(SCAN_ROWS);
        t.int_j = (int)c->j0 + (int)t.across * HEDDLE_SCAN_COLUMNS + lane;
        t.rows = c->i1 - t.i >= HEDDLE_N(SCAN_ROWS) ? HEDDLE_N(SCAN_ROWS) : (int)(c->i1 - t.i) + 1;
        t.columns = c->j1 - t.j >= HEDDLE_SCAN_COLUMNS ? HEDDLE_SCAN_COLUMNS : (int)(c->j1 - t.j) + 1;
        t.whole = t.rows == HEDDLE_N(SCAN_ROWS) && c->j1 - (t.j - lane) >= HEDDLE_SCAN_COLUMNS - 1;
        if (HEDDLE_N(scan_sum)(c, &env, &t))
            return;
    }
}
#endif

#if !HEDDLE_ON_GPU
/* The x86_64 offload target: the CPU engine, stripe by stripe of some rows, on the device's thread. */
static void HEDDLE_N(scan_host_device)(const struct heddle_gpu_control *c) {
    if (heddle_is_host()) {
        heddle_note_fallback();
        return;
    }
    struct heddle_cpu_block b = {
        .env = c->env, .i0 = c->i0, .i1 = c->i1, .j0 = c->j0, .j1 = c->j1, .isa = HEDDLE_ISA_BASE};
    enum { ROWS = 64 };
    HEDDLE_N(sum) left[ROWS];
    b.edge_in = b.edge_out = left;
    for (b.row = c->i0; b.row <= c->i1; b.row += ROWS) {
        b.rows = c->i1 - b.row < ROWS ? c->i1 - b.row + 1 : ROWS;
        for (b.column = c->j0; b.column <= c->j1; b.column += HEDDLE_SCAN_STRIPE) {
            b.columns = c->j1 - b.column < HEDDLE_SCAN_STRIPE ? c->j1 - b.column + 1 : HEDDLE_SCAN_STRIPE;
            HEDDLE_N(cpu_scan)(&b);
        }
    }
}
#endif

static void HEDDLE_N(launch_scan)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_N(scan_device), HEDDLE_N(scan_host_device));
}
