/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The profile of a batch whose rows are the same for all problems (Rognes, BMC Bioinformatics 12 (2011) 221): what the
 * table holds for each row and each value of a column's data, in an order in which a lane loads those of its rows at
 * once. Written into device memory by a kernel of its own; blocks copy it where it fits.
 *
 * Included by heddle/engine/wavefront/gpu_batch.h. No include guard.
 */
#if HEDDLE_N(PROFILE)
#define HEDDLE_ENTRIES(type, look, entries, col) entries
#define HEDDLE_TABLE(type, look, entries, col) HEDDLE_PASTE(HEDDLE_NEST, table_##look)
/* A value that chooses a column is none below 0. */
#define HEDDLE_UNSIGNED_VALUE(type, look, entries, col)                                                                \
    ((uint32_t)cols.col[p] & (sizeof cols.col[p] < 4 ? (1u << 8 * sizeof cols.col[p] % 32) - 1 : ~0u))
#define HEDDLE_SET_LOOK(type, look, entries, col) value.look = score[p]
enum { HEDDLE_N(PROFILE_BYTES) = 2 * (HEDDLE_N(PERMUTE)(HEDDLE_ENTRIES)) };
HEDDLE_SHARED(HEDDLE_N(profile), HEDDLE_BATCH_PROFILE_BYTES);

static HEDDLE_UNUSED void HEDDLE_N(batch_profile)(struct heddle_batch_control *c) {
    const struct HEDDLE_N(outer_env) outer = *(const struct HEDDLE_N(outer_env) *)c->outer;
    const long threads = (long)heddle_blocks() * heddle_threads();
    struct HEDDLE_N(env) env;
    struct HEDDLE_N(red) red;
    struct heddle_problem at;
    HEDDLE_N(problem)(&outer, c->p0 + c->profile_of, &env, &red, &at);
    for (long r = (long)heddle_block() * heddle_threads() + heddle_thread(); r < c->profile_rows; r += threads) {
        struct HEDDLE_N(row) row;
        HEDDLE_N(load_row)(&env, at.i0 + r, &row);
        const short *from = (const short *)HEDDLE_N(PERMUTE)(HEDDLE_TABLE)(&env, &row);
        for (int v = 0; v < HEDDLE_N(PROFILE_BYTES) / 2; v++)
            ((short *)c->profile)[v * c->profile_stride + r] = from[v];
    }
}

#if HEDDLE_ON_GPU
/* Where the block's threads find it. */
static HEDDLE_INLINE const char *HEDDLE_N(copy_profile)(const struct heddle_batch_control *c) {
    if (!c->profile_shared)
        return c->profile;
    heddle_shared_char *memory = HEDDLE_N(profile)();
    for (long b = 16L * heddle_thread(); b < c->profile_stride * HEDDLE_N(PROFILE_BYTES); b += 16L * heddle_threads())
        heddle_copy_async(memory + b, c->profile + b);
    heddle_copy_wait();
    heddle_block_sync();
    return (const char *)memory;
}
#endif
#else
enum { HEDDLE_N(PROFILE_BYTES) = 0 };
#if HEDDLE_ON_GPU
static HEDDLE_INLINE const char *HEDDLE_N(copy_profile)(const struct heddle_batch_control *c) { return (void)c, NULL; }
#endif
#endif
