/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory form of a wavefront nest on a GPU, arrays as the user has them: the user's body on tiles of tile_h rows,
 * SKEW columns apart, with a block barrier after every step. heddle/engine/wavefront/walk.h says which tile a block
 * takes and what it waits for: one kernel runs all methods, so that they differ in nothing else.
 *
 * Included by heddle/engine/wavefront/wavefront.h. No include guard.
 */
#if HEDDLE_ON_GPU
static HEDDLE_INLINE void HEDDLE_N(gpu_tile)(const struct HEDDLE_N(env) *env, const struct heddle_gpu_control *c,
                                             long row, struct heddle_tile t, struct HEDDLE_N(red) *red) {
    const long i0 = c->i0 + row * c->tile_h, j0 = c->j0, h = c->tile_h, i1 = c->i1;
    const int thread = heddle_thread(), threads = heddle_threads();
#pragma clang loop unroll(disable)
    for (long s = t.s0; s < t.s1; s++) {
#pragma clang loop unroll(disable)
        for (long l = thread; l < h; l += threads) {
            const long column = s - l * HEDDLE_N(SKEW);
            if (i0 + l <= i1 && column >= t.lo && column < t.hi)
                HEDDLE_N(visit)(env, i0 + l, j0 + column, red);
        }
        heddle_block_sync();
    }
}

static HEDDLE_INLINE void HEDDLE_N(gpu_tiles)(struct heddle_gpu_control *control) {
    /* the control record is read where it is: a copy would cost registers that large blocks need */
    const struct HEDDLE_N(env) env = *(const struct HEDDLE_N(env) *)control->env;
    struct HEDDLE_N(red) red = *(const struct HEDDLE_N(red) *)control->red_start;
    struct heddle_walk w;
    heddle_walk_begin(control, &w);
#pragma clang loop unroll(disable)
    while (heddle_walk_next(control, control, &w)) {
        HEDDLE_N(gpu_tile)(&env, control, w.row, heddle_walk_tile(control, &w), &red);
        heddle_walk_done(control, control, &w);
    }
    heddle_walk_end(control);
    HEDDLE_N(put_red)(control, &red);
}
#endif

static void HEDDLE_N(launch_tiles)(const struct heddle_gpu_call *call) {
    HEDDLE_LAUNCH(call, HEDDLE_N(gpu_tiles), HEDDLE_N(host_device));
}
