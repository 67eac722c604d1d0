/* SPDX-License-Identifier: Apache-2.0 */
/* What a nest's blocks of rows hand to each other on a GPU, and its borders: included by wavefront.h for each nest. */
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(shuffle_up)(struct HEDDLE_N(edge) v) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(edge), heddle_shuffle_up_word(word[q]))
}
static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(shuffle)(struct HEDDLE_N(edge) v, int source) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(edge), heddle_shuffle_word(word[q], source))
}
static HEDDLE_INLINE struct HEDDLE_N(col) HEDDLE_N(shuffle_col_up)(struct HEDDLE_N(col) v) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(col), heddle_shuffle_up_word(word[q]))
}
static HEDDLE_INLINE struct HEDDLE_N(col) HEDDLE_N(shuffle_col)(struct HEDDLE_N(col) v, int source) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(col), heddle_shuffle_word(word[q], source))
}
static HEDDLE_INLINE struct HEDDLE_N(red) HEDDLE_N(shuffle_xor)(struct HEDDLE_N(red) v, int mask) {
    HEDDLE_SHUFFLE_BODY(struct HEDDLE_N(red), heddle_shuffle_xor_word(word[q], mask))
}
static HEDDLE_INLINE void HEDDLE_N(reduce_warp)(struct HEDDLE_N(red) *red) {
    for (int mask = HEDDLE_WARP / 2; mask; mask /= 2) {
        const struct HEDDLE_N(red) other = HEDDLE_N(shuffle_xor)(*red, mask);
        HEDDLE_N(red_join)(red, &other);
    }
}

/* One result per warp. */
static HEDDLE_INLINE void HEDDLE_N(put_red)(const struct heddle_gpu_control *c, struct HEDDLE_N(red) *red) {
    HEDDLE_N(reduce_warp)(red);
    if ((heddle_thread() & (HEDDLE_WARP - 1)) == 0)
        ((struct HEDDLE_N(red) *)c->red)[(heddle_block() * heddle_threads() + heddle_thread()) / HEDDLE_WARP] = *red;
}

/* The bottom row of a row block on its way to the block below: [word][column] in device memory. */
enum { HEDDLE_N(WORDS) = (sizeof(struct HEDDLE_N(edge)) + 3) / 4 };
struct HEDDLE_N(words) {
    uint64_t w[HEDDLE_N(WORDS) + 1];
};
struct HEDDLE_N(link) {
    uint64_t *words;
    long stride;
    uint32_t tag; /* of the block that writes */
};

static HEDDLE_INLINE struct HEDDLE_N(link) HEDDLE_N(link_of)(const struct heddle_gpu_control *c, long block) {
    struct HEDDLE_N(link) link;
    link.stride = c->edge_stride;
    link.words = (uint64_t *)c->edges + (block + c->ring) % c->ring * HEDDLE_N(WORDS) * c->edge_stride;
    link.tag = c->tag_base + (uint32_t)block;
    return link;
}

/* Where row block `block` receives its upper row: with the device that owns it. A buffer is free again when its block
   is done, and blocks of a device are done in their order, so one more buffer than the device has workers is enough. */
static HEDDLE_INLINE struct HEDDLE_N(link) HEDDLE_N(link_to)(const struct heddle_gpu_control *control,
                                                             const struct heddle_gpu_control *c, long block) {
    struct HEDDLE_N(link) link;
    const long owner = heddle_deal_owner(c, block);
    char *edges = HEDDLE_PTR(owner == c->self ? c->edges : control->peer[owner].edges);
    link.stride = c->edge_stride;
    link.words = (uint64_t *)edges + heddle_deal_ticket(c, block) % c->ring * HEDDLE_N(WORDS) * c->edge_stride;
    link.tag = c->tag_base + (uint32_t)block - 1;
    return link;
}

static HEDDLE_INLINE void HEDDLE_N(send)(const struct HEDDLE_N(link) *to, long column, struct HEDDLE_N(edge) v) {
    uint32_t word[HEDDLE_N(WORDS) + 1];
    memset(word, 0, sizeof word);
    memcpy(word, &v, sizeof v);
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        heddle_store_system_relaxed(to->words + q * to->stride + column, (uint64_t)to->tag << 32 | word[q]);
}

/* Starts the loads of one column per lane; nothing waits for them here. */
static HEDDLE_INLINE void HEDDLE_N(fetch)(const struct HEDDLE_N(link) *from, long column, long columns, long block,
                                          struct HEDDLE_N(words) *v) {
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        v->w[q] = block && column < columns ? heddle_load_system_relaxed(from->words + q * from->stride + column) : 0;
}

static HEDDLE_INLINE int HEDDLE_N(arrived)(const struct HEDDLE_N(link) *from, const struct HEDDLE_N(words) *v) {
    int all = 1;
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        all &= (uint32_t)(v->w[q] >> 32) == from->tag;
    return all;
}

/* The whole warp waits until every lane's column is there. Nonzero: no progress within the timeout, or another
   warp has given up. */
static HEDDLE_INLINE int HEDDLE_N(receive)(struct heddle_gpu_control *control, uint64_t timeout_ns,
                                           const struct HEDDLE_N(link) *from, long column, long columns,
                                           struct HEDDLE_N(words) *v) {
    uint64_t start = 0;
    /* the last lane inside asks again and again; the others once it has its column, which comes last */
    const int asks =
        column < columns && (heddle_thread() % HEDDLE_WARP == HEDDLE_GPU_CHUNK - 1 || column + 1 == columns);
    for (unsigned polls = 1;; polls++) {
        const int here = column >= columns || HEDDLE_N(arrived)(from, v);
        if (heddle_all(here))
            return 0;
        const int last_came = heddle_any(asks && here);
        if (!here && (asks || last_came))
            HEDDLE_N(fetch)(from, column, columns, 1, v);
        if (polls % 256 == 0) {
            const uint64_t now = heddle_clock_ns();
            start = start ? start : now;
            if (heddle_any(now - start > timeout_ns || heddle_load_relaxed(&control->error)))
                return 1;
        }
    }
}

static HEDDLE_INLINE struct HEDDLE_N(edge) HEDDLE_N(unpack)(const struct HEDDLE_N(words) *v) {
    struct HEDDLE_N(edge) e;
    uint32_t word[HEDDLE_N(WORDS) + 1];
#pragma unroll
    for (int q = 0; q < HEDDLE_N(WORDS); q++)
        word[q] = (uint32_t)v->w[q];
    memcpy(&e, word, sizeof e);
    return e;
}

/* Borders and results: in the user's mapped arrays, or in packed copies where the arrays stay on the host. */
static HEDDLE_INLINE void HEDDLE_N(get_top)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                            long column, struct HEDDLE_N(edge) *e) {
    if (HEDDLE_N(HOST_BORDER))
        *e = ((const struct HEDDLE_N(edge) *)c->top_halo)[HEDDLE_N(BEFORE) + column];
    else if (column < 0)
        HEDDLE_N(load_corner)(env, c->i0 - 1, c->j0 - 1, e);
    else
        HEDDLE_N(load_top)(env, c->i0 - 1, c->j0 + column, e);
}
/* The same for columns up to the last that the nest's first row wants. */
static HEDDLE_INLINE void HEDDLE_N(get_above)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                              long column, struct HEDDLE_N(edge) *e) {
#if HEDDLE_EXTENDED
    if (!HEDDLE_N(HOST_BORDER) && column > c->j1 - c->j0) {
        memset(e, 0, sizeof *e);
        HEDDLE_N(load_right)(env, c->i0 - 1, c->j0 + column, e);
        return;
    }
#endif
    HEDDLE_N(get_top)(env, c, column, e);
}
static HEDDLE_INLINE void HEDDLE_N(get_left)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                             long i, struct HEDDLE_N(cell) *v) {
    memset(v, 0, sizeof *v);
    if (HEDDLE_N(HOST_BORDER))
        *v = ((const struct HEDDLE_N(cell) *)c->left_halo)[i - c->i0];
    else
        HEDDLE_N(load_left)(env, i, c->j0 - 1, v);
}
static HEDDLE_INLINE void HEDDLE_N(put_last_row)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 long i, long j, const struct HEDDLE_N(cell) *v) {
    if (HEDDLE_N(HOST_BORDER))
        ((struct HEDDLE_N(cell) *)c->last_row)[(c->i1 - i) * (c->j1 - c->j0 + 1) + j - c->j0] = *v;
    else
        HEDDLE_N(store_last_row)(env, i, j, c->i1 - i, v);
}
static HEDDLE_INLINE void HEDDLE_N(put_last_col)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                                 long i, const struct HEDDLE_N(cell) *v) {
    if (HEDDLE_N(HOST_BORDER))
        ((struct HEDDLE_N(cell) *)c->last_col)[i - c->i0] = *v;
    else
        HEDDLE_N(store_last_col)(env, i, c->j1, v);
}
