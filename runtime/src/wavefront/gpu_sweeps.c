/* SPDX-License-Identifier: Apache-2.0 */
/* How much of an in-place stencil's sweeps one launch takes on a GPU, and the order of its row blocks. */
#include "core/internal.h"

/* Passes of one launch. Later ones wait for a new launch, which costs the pipeline's fill; words and rows in flight
   stay in the second-level cache only while there are few. */
enum { MAX_PASSES = 32 };

static long quad_of(const struct heddle_nest *nest) { return HEDDLE_SWEEP_QUAD(nest->cell_bytes); }

long heddle__sweeps_passes(const struct heddle_wavefront *call) {
    const long passes = (call->t1 - call->t0 + HEDDLE_SWEEP_DEPTH) / HEDDLE_SWEEP_DEPTH;
    return passes < MAX_PASSES ? passes : MAX_PASSES;
}

/* The last level is that many rows behind the first, which begins two rows above the nest. */
long heddle__sweeps_blocks(const struct heddle_wavefront *call, int warp) {
    return (call->i1 - call->i0 + 2 + HEDDLE_SWEEP_DEPTH + warp - 1) / warp;
}

long heddle__sweeps_stride(const struct heddle_wavefront *call, int warp) {
    const long quad = quad_of(call->nest), groups = heddle_sweep_groups(call->j1 - call->j0 + 3, quad);
    return ((groups + HEDDLE_SWEEP_DEPTH) * quad + warp + 31) / 32 * 32;
}

size_t heddle__sweeps_edge_bytes(const struct heddle_wavefront *call, int warp) {
    const size_t words = (HEDDLE_SWEEP_DEPTH + 1) * ((call->nest->cell_bytes + 3) / 4);
    return (size_t)(heddle__sweeps_passes(call) * heddle__sweeps_stride(call, warp)) * words * sizeof(uint64_t);
}

/* A row block waits for the one above and for the pass before's next one: both come earlier in the order of
   rising block + pass, and of pass where that is equal. */
void heddle__sweeps_items(struct heddle_gpu_control *control, uint32_t *item) {
    const long passes = (control->sweeps + HEDDLE_SWEEP_DEPTH - 1) / HEDDLE_SWEEP_DEPTH, blocks = control->row_blocks;
    long n = 0;
    for (long key = 0; key < blocks + passes - 1; key++)
        for (long pass = 0; pass < passes && pass <= key; pass++)
            if (key - pass < blocks)
                item[n++] = (uint32_t)(pass << HEDDLE_ITEM_SHIFT | (key - pass));
    control->items = n;
}
