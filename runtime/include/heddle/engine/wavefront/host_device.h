/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A nest on the x86_64 offload target: the CPU engine inside the kernel, on the device's thread, row block after row
 * block. Such a device shares the host's memory: arrays that stay there are read and written in place. Where several
 * devices share the nest, neighbouring row blocks tell each other by progress words how far they are.
 *
 * Included by heddle/engine/wavefront/wavefront.h once per nest. No include guard.
 */
#include <heddle/engine/wavefront/host_wait.h>

static HEDDLE_UNUSED void HEDDLE_N(host_blocks)(struct heddle_gpu_control *c, struct heddle_cpu_block *b) {
    const size_t stride = (size_t)c->edge_stride;
    const long rows = HEDDLE_N(cpu_rows)(HEDDLE_ISA_BASE);
    struct heddle_host_neighbours with = {.control = c};
    if (c->devices > 1)
        b->wait = heddle_host_wait, b->publish = heddle_host_publish, b->runtime = &with;
    for (long t = 0; t < c->tickets; t++) {
        const long block = heddle_deal_block(c, t), next = heddle_deal_owner(c, block + 1);
        const size_t in = (size_t)(t % c->ring), out = (size_t)(heddle_deal_ticket(c, block + 1) % c->ring);
        struct HEDDLE_N(edge) *mine = HEDDLE_PTR(c->edges),
                              *theirs = HEDDLE_PTR(next == c->self ? c->edges : c->peer[next].edges);
        with.block = block;
        with.above = c->progress + in * HEDDLE_FLAG_WORDS;
        with.below = (next == c->self ? c->progress : c->peer[next].progress) + out * HEDDLE_FLAG_WORDS;
        b->row = c->i0 + block * rows;
        b->ready = 0;
        b->edge_in = mine + in * stride;
        b->edge_out =
            b->row + rows <= c->i1 ? theirs + out * stride : NULL; /* its border begins beside a row that must exist */
        if (HEDDLE_N(cpu_block)(b)) {
            heddle_report_all(c, c, block);
            return;
        }
    }
}

/* On the host itself only a note that the launch was not taken, since nothing there may touch device pointers. */
static void HEDDLE_N(host_device)(struct heddle_gpu_control *c) {
    if (heddle_is_host()) {
        heddle_note_fallback();
        return;
    }
    struct heddle_cpu_block b = {.env = c->env,
                                 .i0 = c->i0,
                                 .i1 = c->i1,
                                 .j0 = c->j0,
                                 .j1 = c->j1,
                                 .red = c->red,
                                 .red_start = c->red_start,
                                 .isa = HEDDLE_ISA_BASE};
    struct HEDDLE_N(edge) *edges = HEDDLE_PTR(c->edges);
    const long columns = c->j1 - c->j0 + 1;
    memcpy(c->red, c->red_start, sizeof(struct HEDDLE_N(red)));
    if (c->tile_h) {
        HEDDLE_N(host_tiles)(c, &b);
        return;
    }
    if (c->self == 0 && HEDDLE_N(BEFORE) > 1)
        HEDDLE_N(cpu_top_halo)(c->env, c->i0 - 1, c->j0 - 2, HEDDLE_HALO_BEHIND, &edges[0]);
    if (c->self == 0)
        HEDDLE_N(cpu_top_halo)(c->env, c->i0 - 1, c->j0 - 1, HEDDLE_HALO_CORNER, &edges[HEDDLE_N(BEFORE) - 1]);
    for (long q = 0; q < columns && c->self == 0; q++)
        HEDDLE_N(load_top)(HEDDLE_PTR(c->env), c->i0 - 1, c->j0 + q, &edges[HEDDLE_N(BEFORE) + q]);
    if (c->self == 0 && HEDDLE_N(AFTER))
        HEDDLE_N(cpu_top_halo)(c->env, c->i0 - 1, c->j1 + 1, HEDDLE_HALO_RIGHT, &edges[HEDDLE_N(BEFORE) + columns]);
    HEDDLE_N(host_blocks)(c, &b);
}
