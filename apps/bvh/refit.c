/* SPDX-License-Identifier: Apache-2.0 */
/* New boxes for the same wide nodes after their primitives moved. */
#include "wide.h"

#include "app.h"

#include <stdlib.h>

/* The block's primitives anew; its box, empty where one is not finite. */
static struct bvh_box move_block(struct bvh_block *block, const struct bvh_primitives *primitives) {
    struct bvh_box sum = bvh_empty();
    bool good = true;
    for (int k = 0; k < BVH_BLOCK && block->id[k] != BVH_NOTHING; k++) {
        const struct bvh_box box = bvh_primitive_box(primitives, block->id[k]);
        good &= bvh_finite(&box);
        bvh_put_primitive(block, k, primitives, block->id[k]);
        bvh_join(&sum, &box);
    }
    return good ? sum : bvh_empty();
}

/* Boxes of a node's slots, NULL where it has none. */
static void slots_of(const struct bvh_node *node, const struct bvh_box *nodes, const struct bvh_box *blocks,
                     const struct bvh_box *slot[BVH_WIDTH]) {
    uint32_t next_node = node->node, next_block = node->block;
    for (int s = 0; s < BVH_WIDTH; s++)
        slot[s] = node->inner >> s & 1 ? &nodes[next_node++] : node->leaf >> s & 1 ? &blocks[next_block++] : NULL;
}

static bool move_all(struct bvh *bvh, struct bvh_box *nodes, struct bvh_box *blocks,
                     const struct bvh_primitives *primitives) {
    bool good = true;
#pragma omp parallel for schedule(static) reduction(&& : good)
    for (size_t k = 0; k < bvh->block_count; k++) {
        blocks[k] = move_block(&bvh->blocks[k], primitives);
        good = bvh_finite(&blocks[k]) && good;
    }
    if (!good)
        return false;
    for (size_t k = bvh->node_count; k-- > 0;) { /* children are behind their parents */
        const struct bvh_box *slot[BVH_WIDTH];
        nodes[k] = bvh_empty();
        slots_of(&bvh->nodes[k], nodes, blocks, slot);
        for (int s = 0; s < BVH_WIDTH; s++)
            if (slot[s])
                bvh_join(&nodes[k], slot[s]);
    }
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < bvh->node_count; k++) {
        const struct bvh_box *slot[BVH_WIDTH];
        slots_of(&bvh->nodes[k], nodes, blocks, slot);
        bvh_set_grid(&bvh->nodes[k], &nodes[k], slot);
    }
    bvh_set_extent(bvh, &nodes[0]);
    return true;
}

bool bvh_refit(struct bvh *bvh, const struct bvh_primitives *primitives) {
    if (!(bvh->nodes[0].inner | bvh->nodes[0].leaf)) /* nothing in it */
        return true;
    struct bvh_box *nodes = app_alloc(bvh->node_count, sizeof *nodes),
                   *blocks = app_alloc(bvh->block_count, sizeof *blocks);
    const bool good = move_all(bvh, nodes, blocks, primitives);
    free(nodes);
    free(blocks);
    return good;
}
