/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests with a loop over sweeps around them: what the engines of in-place stencils share (pragmas/wavefront/sweeps.c
 * says what an in-place stencil is). Included by heddle/engine/wavefront/wavefront.h with HEDDLE_SWEEPS 1, or 2 for an
 * in-place stencil. No include guard.
 */
#ifndef HEDDLE_SIDES
#define HEDDLE_SIDES
enum {
    HEDDLE_SIDE_TOP = 1,
    HEDDLE_SIDE_BOTTOM = 2,
    HEDDLE_SIDE_LEFT = 4,
    HEDDLE_SIDE_RIGHT = 8,
    HEDDLE_SIDE_NONE = 16
};
typedef uint32_t heddle_16_bytes __attribute__((vector_size(16), may_alias));
#endif

#if HEDDLE_SWEEPS == 2
/* A cell's value in memory, anywhere: zero where nothing is known to be. */
static HEDDLE_INLINE void HEDDLE_N(load_side)(const struct HEDDLE_N(env) *env, long i, long j, long i0, long i1,
                                              long j0, long j1, struct HEDDLE_N(cell) *v) {
    const int vertical = i < i0 ? HEDDLE_SIDE_TOP : i > i1 ? HEDDLE_SIDE_BOTTOM : 0;
    const int across = j < j0 ? HEDDLE_SIDE_LEFT : j > j1 ? HEDDLE_SIDE_RIGHT : 0;
    const int far = i < i0 - 1 || i > i1 + 1 || j < j0 - 1 || j > j1 + 1 || (vertical && across);
    memset(v, 0, sizeof *v);
    HEDDLE_N(load_old)(env, i, j, far ? HEDDLE_SIDE_NONE : vertical | across, v);
}
#endif
