/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by what makes wide nodes (wide.c) and what moves them (refit.c). */
#ifndef HEDDLE_BVH_WIDE_H
#define HEDDLE_BVH_WIDE_H

#include "bvh.h"

struct bvh_box bvh_primitive_box(const struct bvh_primitives *primitives, uint32_t id);
void bvh_put_primitive(struct bvh_block *block, int k, const struct bvh_primitives *primitives, uint32_t id);
/* slot: boxes of the children, inside `box`; NULL where there is none. */
void bvh_set_grid(struct bvh_node *node, const struct bvh_box *box, const struct bvh_box *const slot[BVH_WIDTH]);
void bvh_set_extent(struct bvh *bvh, const struct bvh_box *box);

#endif
