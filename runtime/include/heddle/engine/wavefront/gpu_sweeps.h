/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several sweeps of an in-place stencil at once on a GPU. A pass takes HEDDLE_SWEEP_DEPTH sweeps over the grid in row
 * blocks of a warp: lane l has one row, and each sweep ("level") is one row and HEDDLE_SWEEP_QUAD columns behind the
 * sweep before it; lane l works that many columns behind lane l - 1. In step s, level m of lane l is at
 *
 *     row    base + l - m + 1,   group of columns   s - l - m       (level 0 is memory as the pass finds it)
 *
 * so that, writing result_m for a level's last group and above_m for result_m shuffled from the lane above,
 *
 *     N = above_m,  S = result_(m-1) of the step before,  old and E = above_(m-1) of the step before and of this one.
 *
 * No level needs another one of the same step, so a warp has HEDDLE_SWEEP_DEPTH independent chains; memory is read by
 * level 0 and written by the last level alone. Cells outside the nest hand on the old value, which is the border.
 *
 * Between row blocks of a pass all levels' bottom rows travel as tagged words (gpu_rows.h). Pass g follows
 * pass g - 1 through the arrays themselves: progress words with release and acquire, two row blocks behind. Row
 * blocks of all passes are taken by ticket from a list in which whoever is waited for comes first.
 *
 * Included by heddle/engine/wavefront/wavefront.h for in-place stencils. No include guard.
 */
enum {
    HEDDLE_N(QUAD) = HEDDLE_SWEEP_QUAD(sizeof(struct HEDDLE_N(cell))),
    HEDDLE_N(CELL_WORDS) = (sizeof(struct HEDDLE_N(cell)) + 3) / 4,
    HEDDLE_N(SWEEP_WORDS) = (HEDDLE_SWEEP_DEPTH + 1) * HEDDLE_N(CELL_WORDS)
};

#if HEDDLE_ON_GPU
#define HEDDLE_D HEDDLE_SWEEP_DEPTH
#define HEDDLE_Q HEDDLE_N(QUAD)

struct HEDDLE_N(quad) {
    struct HEDDLE_N(cell) v[HEDDLE_Q];
};
struct HEDDLE_N(sweep_words) {
    uint64_t w[HEDDLE_N(SWEEP_WORDS)];
};

struct HEDDLE_N(sweeper) {
    struct HEDDLE_N(quad) result[HEDDLE_D + 1], above[HEDDLE_D];
    struct HEDDLE_N(quad) ahead[2]; /* groups on their way from memory */
    struct HEDDLE_N(quad) in, out;  /* aligned: the last ones read and written */
    long base, t0, columns, steps;  /* columns with the border on both sides */
    int lane, active;               /* levels that are sweeps; the others hand on */
    int in_phase, out_phase;        /* elements that a group is behind an aligned 16 bytes */
    int vector;                     /* rows are contiguous: 16 bytes at a time */
};

static HEDDLE_INLINE struct HEDDLE_N(cell) HEDDLE_N(shuffle_up_cell)(struct HEDDLE_N(cell) v) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(cell), heddle_shuffle_up_word(word[q]))
}
static HEDDLE_INLINE uint32_t HEDDLE_N(word_of)(struct HEDDLE_N(cell) v, int q) {
    uint32_t word[HEDDLE_N(CELL_WORDS)];
    memset(word, 0, sizeof word);
    memcpy(word, &v, sizeof v);
    return word[q];
}

/* ---- memory ---- */

/* Elements phase … phase + Q - 1 of two aligned groups. */
static HEDDLE_INLINE struct HEDDLE_N(quad) HEDDLE_N(funnel)(struct HEDDLE_N(quad) a, struct HEDDLE_N(quad) b,
                                                            int phase) {
    struct HEDDLE_N(cell) x[2 * HEDDLE_Q];
    struct HEDDLE_N(quad) r;
#pragma unroll
    for (int q = 0; q < HEDDLE_Q; q++)
        x[q] = a.v[q], x[q + HEDDLE_Q] = b.v[q];
#pragma unroll
    for (int bit = HEDDLE_Q / 2; bit; bit /= 2)
#pragma unroll
        for (int q = 0; q + bit < 2 * HEDDLE_Q; q++)
            x[q] = HEDDLE_N(select_cell)(phase & bit, x[q + bit], x[q]);
#pragma unroll
    for (int q = 0; q < HEDDLE_Q; q++)
        r.v[q] = x[q];
    return r;
}

/* How far column 0 (the border's) of a row is behind an aligned 16 bytes, in elements. */
static HEDDLE_INLINE int HEDDLE_N(phase)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c, long i) {
    const uintptr_t first = (uintptr_t)HEDDLE_N(element)(env, i, c->j0 - 1);
    return (int)(first / sizeof(struct HEDDLE_N(cell)) % HEDDLE_Q);
}

/* The aligned group `x` of a row: 16 bytes, or element by element where some are outside or on the border. */
static HEDDLE_INLINE struct HEDDLE_N(quad) HEDDLE_N(load_quad)(const struct HEDDLE_N(env) *env,
                                                               const struct heddle_gpu_control *c,
                                                               const struct HEDDLE_N(sweeper) *sw, long i, long x) {
    struct HEDDLE_N(quad) r;
    const long first = x * HEDDLE_Q - sw->in_phase;
    if (sw->vector && first >= 1 && first + HEDDLE_Q <= sw->columns - 1 && i >= c->i0 && i <= c->i1) {
        const heddle_16_bytes v = *(const heddle_16_bytes *)HEDDLE_N(element)(env, i, c->j0 - 1 + first);
        memcpy(&r, &v, sizeof r < sizeof v ? sizeof r : sizeof v);
        return r;
    }
#pragma unroll
    for (int q = 0; q < HEDDLE_Q; q++)
        HEDDLE_N(load_side)(env, i, c->j0 - 1 + first + q, c->i0, c->i1, c->j0, c->j1, &r.v[q]);
    return r;
}

static HEDDLE_INLINE void HEDDLE_N(store_quad)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                               const struct HEDDLE_N(sweeper) *sw, long i, long x,
                                               const struct HEDDLE_N(quad) *v) {
    const long first = x * HEDDLE_Q - sw->out_phase;
    if (i < c->i0 || i > c->i1)
        return;
    if (sw->vector && first >= 1 && first + HEDDLE_Q <= sw->columns - 1) {
        heddle_16_bytes all;
        memcpy(&all, v, sizeof *v < sizeof all ? sizeof *v : sizeof all);
        *(heddle_16_bytes *)HEDDLE_N(element)(env, i, c->j0 - 1 + first) = all;
        return;
    }
#pragma unroll
    for (int q = 0; q < HEDDLE_Q; q++)
        if (first + q >= 1 && first + q <= sw->columns - 2)
            HEDDLE_N(store)(env, i, c->j0 - 1 + first + q, &v->v[q]);
}

/* ---- between row blocks ---- */

struct HEDDLE_N(sweep_link) {
    uint64_t *words;
    long stride;
    uint32_t tag;
};

/* One buffer serves all row blocks of a pass: a block has used a word before it overwrites it. */
static HEDDLE_INLINE struct HEDDLE_N(sweep_link) HEDDLE_N(sweep_link_of)(const struct heddle_gpu_control *c, long pass,
                                                                         long block) {
    struct HEDDLE_N(sweep_link) link;
    link.stride = c->edge_stride;
    link.words = (uint64_t *)c->edges + pass * HEDDLE_N(SWEEP_WORDS) * c->edge_stride;
    link.tag = c->tag_base + (uint32_t)(pass * c->row_blocks + block);
    return link;
}

static HEDDLE_INLINE void HEDDLE_N(sweep_fetch)(const struct HEDDLE_N(sweep_link) *from, long column, long columns,
                                                struct HEDDLE_N(sweep_words) *v) {
#pragma unroll
    for (int q = 0; q < HEDDLE_N(SWEEP_WORDS); q++)
        v->w[q] = column < columns ? heddle_load_relaxed(from->words + q * from->stride + column) : 0;
}

/* The whole warp waits until every lane's column is there; nonzero: in vain. */
static HEDDLE_INLINE int HEDDLE_N(sweep_receive)(struct heddle_gpu_control *control, uint64_t timeout_ns,
                                                 const struct HEDDLE_N(sweep_link) *from, long column, long columns,
                                                 struct HEDDLE_N(sweep_words) *v) {
    uint64_t start = 0;
    for (unsigned polls = 1;; polls++) {
        int here = 1;
#pragma unroll
        for (int q = 0; q < HEDDLE_N(SWEEP_WORDS); q++)
            here &= (uint32_t)(v->w[q] >> 32) == from->tag;
        here |= column >= columns;
        if (heddle_all(here))
            return 0;
        if (!here)
            HEDDLE_N(sweep_fetch)(from, column, columns, v);
        if (polls % 256 == 0) {
            const uint64_t now = heddle_clock_ns();
            start = start ? start : now;
            if (heddle_any(now - start > timeout_ns || heddle_load_relaxed(&control->error)))
                return 1;
        }
    }
}

/* Lane 31 hands its results of this step to the block below. */
static HEDDLE_INLINE void HEDDLE_N(sweep_send)(const struct HEDDLE_N(sweep_link) *to,
                                               const struct HEDDLE_N(sweeper) *sw, long step) {
    if (sw->lane != HEDDLE_WARP - 1 || step < HEDDLE_WARP - 1)
        return;
    uint64_t *at = to->words + (step - (HEDDLE_WARP - 1)) * HEDDLE_Q;
    const uint64_t tag = (uint64_t)to->tag << 32;
#pragma unroll
    for (int m = 0; m <= HEDDLE_D; m++)
#pragma unroll
        for (int w = 0; w < HEDDLE_N(CELL_WORDS); w++) {
            uint64_t *row = at + (m * HEDDLE_N(CELL_WORDS) + w) * to->stride;
#pragma unroll
            for (int q = 0; q < HEDDLE_Q; q++)
                heddle_store_relaxed(row + q, tag | HEDDLE_N(word_of)(sw->result[m].v[q], w));
        }
}

/* Waits until block `block` of pass `pass` has done `steps`; the caller then sees what it stored. */
static HEDDLE_INLINE int HEDDLE_N(sweep_wait)(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                              long pass, long block, long steps) {
    const uint64_t *word = c->progress + pass * c->row_blocks + block;
    uint64_t start = 0;
    int failed = 0;
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        for (unsigned polls = 1; heddle_load_acquire(word) < (uint64_t)steps && !failed; polls++)
            if (polls % 256 == 0) {
                const uint64_t now = heddle_clock_ns();
                start = start ? start : now;
                failed = now - start > c->timeout_ns || heddle_load_relaxed(&control->error);
            }
    heddle_warp_sync(); /* the other lanes' loads come after this one's acquire */
    return heddle_any(failed);
}

/* ---- steps ---- */

/* What the lane above had: shuffled, or for lane 0 from the block above. `from` is the lane that fetched it. */
static HEDDLE_INLINE struct HEDDLE_N(quad) HEDDLE_N(above_of)(const struct HEDDLE_N(sweeper) *sw, int m,
                                                              const uint32_t *entering, int from) {
    struct HEDDLE_N(quad) r;
#pragma unroll
    for (int q = 0; q < HEDDLE_Q; q++) {
        uint32_t word[HEDDLE_N(CELL_WORDS)];
        struct HEDDLE_N(cell) first;
#pragma unroll
        for (int w = 0; w < HEDDLE_N(CELL_WORDS); w++)
            word[w] = heddle_shuffle_word(entering[m * HEDDLE_N(CELL_WORDS) + w], from + q);
        memcpy(&first, word, sizeof first);
        const struct HEDDLE_N(cell) up = HEDDLE_N(shuffle_up_cell)(sw->result[m].v[q]);
        r.v[q] = HEDDLE_N(select_cell)(sw->lane == 0, first, up);
    }
    return r;
}

static HEDDLE_INLINE void HEDDLE_N(sweep_step)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                               struct HEDDLE_N(sweeper) *sw, const uint32_t *entering, int from, long s,
                                               int fast, struct HEDDLE_N(red) *red) {
    struct HEDDLE_N(quad) top = HEDDLE_N(above_of)(sw, HEDDLE_D, entering, from);
#pragma unroll
    for (int m = HEDDLE_D; m > 0; m--) {
        const struct HEDDLE_N(quad) lower = HEDDLE_N(above_of)(sw, m - 1, entering, from);
        const long i = sw->base + sw->lane - m + 1, x = (s - sw->lane - m) * HEDDLE_Q;
        struct HEDDLE_N(cell) left = sw->result[m].v[HEDDLE_Q - 1];
#pragma unroll
        for (int q = 0; q < HEDDLE_Q; q++) {
            struct HEDDLE_N(cell) v = sw->above[m - 1].v[q];
            const struct HEDDLE_N(cell) right = q + 1 < HEDDLE_Q ? sw->above[m - 1].v[(q + 1) % HEDDLE_Q] : lower.v[0];
            if (fast || (m <= sw->active && i >= c->i0 && i <= c->i1 && x + q >= 1 && x + q <= sw->columns - 2))
                v = HEDDLE_N(stencil)(env, sw->t0 + m - 1, i, c->j0 - 1 + x + q, v, top.v[q], left, right,
                                      sw->result[m - 1].v[q], red, NULL);
            left = sw->result[m].v[q] = v;
        }
        sw->above[m - 1] = lower;
        top = lower;
    }
}

/* Level 0 takes the group that was asked for two steps ago, and asks for the one of two steps on. */
static HEDDLE_INLINE void HEDDLE_N(sweep_load)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                               struct HEDDLE_N(sweeper) *sw, long s) {
    const struct HEDDLE_N(quad) next = sw->ahead[0];
    sw->result[0] = HEDDLE_N(funnel)(sw->in, next, sw->in_phase);
    sw->in = next;
    sw->ahead[0] = sw->ahead[1];
    sw->ahead[1] = HEDDLE_N(load_quad)(env, c, sw, sw->base + sw->lane + 1, s - sw->lane + 3);
}

static HEDDLE_INLINE void HEDDLE_N(sweep_store)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                struct HEDDLE_N(sweeper) *sw, long s) {
    struct HEDDLE_N(quad) v = HEDDLE_N(funnel)(sw->out, sw->result[HEDDLE_D], (HEDDLE_Q - sw->out_phase) % HEDDLE_Q);
    const long i = sw->base + sw->lane - HEDDLE_D + 1, x = s - sw->lane - HEDDLE_D;
#pragma unroll
    for (int q = 0; q < HEDDLE_Q; q++)
        v.v[q] = HEDDLE_N(select_cell)(sw->out_phase, v.v[q], sw->result[HEDDLE_D].v[q]);
    HEDDLE_N(store_quad)(env, c, sw, i, x, &v);
    sw->out = sw->result[HEDDLE_D];
}

static HEDDLE_INLINE void HEDDLE_N(sweep_begin)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                struct HEDDLE_N(sweeper) *sw, long pass, long block) {
    memset(sw, 0, sizeof *sw);
    sw->lane = heddle_thread() & (HEDDLE_WARP - 1);
    sw->base = c->i0 - 2 + block * HEDDLE_WARP; /* lane 0 of the first hands on the border */
    sw->t0 = c->sweep0 + pass * HEDDLE_D;
    sw->active = c->sweeps - pass * HEDDLE_D < HEDDLE_D ? (int)(c->sweeps - pass * HEDDLE_D) : HEDDLE_D;
    sw->columns = c->j1 - c->j0 + 3;
    sw->steps = heddle_sweep_groups(sw->columns, HEDDLE_Q) + HEDDLE_WARP - 1 + HEDDLE_D;
    sw->vector = HEDDLE_N(STENCIL_FIELDS) == 1 && sizeof(struct HEDDLE_N(quad)) == 16 &&
                 (char *)HEDDLE_N(element)(env, c->i0, c->j0 + 1) - (char *)HEDDLE_N(element)(env, c->i0, c->j0) ==
                     (long)sizeof(struct HEDDLE_N(cell));
    if (sw->vector) {
        sw->in_phase = HEDDLE_N(phase)(env, c, sw->base + sw->lane + 1);
        sw->out_phase = HEDDLE_N(phase)(env, c, sw->base + sw->lane - HEDDLE_D + 1);
    }
}

/* The first groups; the pass before has left them (sweep_need). */
static HEDDLE_INLINE void HEDDLE_N(sweep_prime)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                struct HEDDLE_N(sweeper) *sw) {
    const long i = sw->base + sw->lane + 1, x = -sw->lane;
    sw->in = HEDDLE_N(load_quad)(env, c, sw, i, x);
    sw->ahead[0] = HEDDLE_N(load_quad)(env, c, sw, i, x + 1);
    sw->ahead[1] = HEDDLE_N(load_quad)(env, c, sw, i, x + 2);
}

/* What steps below `s` load, the pass before must have stored: by its row blocks `block` and the one below. A lane's
   row is lane + depth of the first, or of the second less a warp; the last level is that many steps behind. */
static HEDDLE_INLINE int HEDDLE_N(sweep_need)(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                              const struct HEDDLE_N(sweeper) *sw, long pass, long block, long s) {
    const long first = s + 3 + 2 * HEDDLE_D, second = first - HEDDLE_WARP + 1;
    if (!pass)
        return 0;
    if (HEDDLE_N(sweep_wait)(control, c, pass - 1, block, first < sw->steps ? first : sw->steps))
        return 1;
    return block + 1 < c->row_blocks && second > 0 &&
           HEDDLE_N(sweep_wait)(control, c, pass - 1, block + 1, second < sw->steps ? second : sw->steps);
}

/* One row block of a pass. Returns 0, or 1 when somebody waited for did not come. */
static HEDDLE_INLINE int HEDDLE_N(sweep_block)(const struct HEDDLE_N(env) *env, struct heddle_gpu_control *control,
                                               const struct heddle_gpu_control *c, long pass, long block,
                                               struct HEDDLE_N(red) *red) {
    enum { CHUNK = HEDDLE_WARP / HEDDLE_Q };
    struct HEDDLE_N(sweeper) sw;
    struct HEDDLE_N(sweep_words) next;
    HEDDLE_N(sweep_begin)(env, c, &sw, pass, block);
    const struct HEDDLE_N(sweep_link) out = HEDDLE_N(sweep_link_of)(c, pass, block),
                                      in = HEDDLE_N(sweep_link_of)(c, pass, block - 1);
    const long positions = (sw.steps - (HEDDLE_WARP - 1)) * HEDDLE_Q; /* columns of words */
    const int rows = sw.base - HEDDLE_D + 1 >= c->i0 && sw.base + HEDDLE_WARP - 1 <= c->i1 && sw.active == HEDDLE_D;
    memset(&next, 0, sizeof next);
    if (block)
        HEDDLE_N(sweep_fetch)(&in, sw.lane, positions, &next);

#pragma clang loop unroll(disable)
    for (long s0 = 0; s0 < sw.steps; s0 += CHUNK) {
        const long s1 = s0 + CHUNK < sw.steps ? s0 + CHUNK : sw.steps;
        struct HEDDLE_N(sweep_words) now = next;
        uint32_t entering[HEDDLE_N(SWEEP_WORDS)];
        if (HEDDLE_N(sweep_need)(control, c, &sw, pass, block, s1))
            return 1;
        if (s0 == 0)
            HEDDLE_N(sweep_prime)(env, c, &sw);
        if (block) {
            if (HEDDLE_N(sweep_receive)(control, c->timeout_ns, &in, s0 * HEDDLE_Q + sw.lane, positions, &now))
                return 1;
            HEDDLE_N(sweep_fetch)(&in, (s0 + CHUNK) * HEDDLE_Q + sw.lane, positions, &next);
        }
#pragma unroll
        for (int q = 0; q < HEDDLE_N(SWEEP_WORDS); q++)
            entering[q] = (uint32_t)now.w[q];
        /* the last level's last lane is inside, and so is the first level's first */
        if (rows && s0 > HEDDLE_WARP + HEDDLE_D && s1 * HEDDLE_Q <= sw.columns - 1) {
#pragma clang loop unroll_count(2)
            for (int u = 0; u < CHUNK; u++) {
                HEDDLE_N(sweep_step)(env, c, &sw, entering, u * HEDDLE_Q, s0 + u, 1, red);
                HEDDLE_N(sweep_load)(env, c, &sw, s0 + u);
                HEDDLE_N(sweep_store)(env, c, &sw, s0 + u);
                HEDDLE_N(sweep_send)(&out, &sw, s0 + u);
            }
        } else {
#pragma clang loop unroll(disable)
            for (long s = s0; s < s1; s++) {
                HEDDLE_N(sweep_step)(env, c, &sw, entering, (int)(s - s0) * HEDDLE_Q, s, 0, red);
                HEDDLE_N(sweep_load)(env, c, &sw, s);
                HEDDLE_N(sweep_store)(env, c, &sw, s);
                HEDDLE_N(sweep_send)(&out, &sw, s);
            }
        }
        if (s0 / CHUNK % HEDDLE_SWEEP_PUBLISH == HEDDLE_SWEEP_PUBLISH - 1 || s1 == sw.steps) {
            heddle_warp_sync();
            if (sw.lane == 0)
                heddle_store_release(c->progress + pass * c->row_blocks + block, (uint64_t)s1);
        }
    }
    return 0;
}

static HEDDLE_UNUSED void HEDDLE_N(sweep_kernel)(struct heddle_gpu_control *control) {
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)control->env;
    const struct heddle_gpu_control c = *control;
    struct HEDDLE_N(red) red = *(const struct HEDDLE_N(red) *)c.red_start;
    for (;;) {
        const long ticket = heddle_take_ticket(&control->ticket);
        if (ticket >= c.items)
            break;
        const uint32_t item = c.item[ticket];
        if (HEDDLE_N(sweep_block)(&env, control, &c, item >> HEDDLE_ITEM_SHIFT, item & ((1u << HEDDLE_ITEM_SHIFT) - 1),
                                  &red)) {
            heddle_report(control, item & ((1u << HEDDLE_ITEM_SHIFT) - 1));
            break;
        }
    }
    HEDDLE_N(put_red)(&c, &red);
}
#undef HEDDLE_D
#undef HEDDLE_Q
#endif

static void HEDDLE_N(launch_sweeps)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_N(sweep_kernel), HEDDLE_N(host_device));
}
