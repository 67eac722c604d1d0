/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a query on a device: corners, triangles, and the nodes above them. */
#ifndef CCD_PERSISTENT_BOXES_H
#define CCD_PERSISTENT_BOXES_H

#include "persistent.h"
#include "traverse.h"

#include <heddle/engine/device.h>

CCD_INLINE void pack_place(const struct persistent_work *w, uint32_t place) {
    const uint32_t number = w->view.order[place];
    const struct bvh_triangle *face = &w->view.faces[number], *edges = &w->view.face_edges[number];
    struct packed_face packed = {.ids = {.number = number, .owns = w->view.owns[number]}};
    for (int k = 0; k < 3; k++) {
        const struct packed_point p = w->packed_points[face->corner[k]];
        packed.ids.corner[k] = face->corner[k];
        packed.ids.edge[k] = edges->corner[k];
        for (int frame = 0; frame < 2; frame++)
            for (int axis = 0; axis < 3; axis++)
                packed.at[frame][k][axis] = p.at[frame][axis];
    }
    struct packed_mover mover;
    for (int frame = 0; frame < 2; frame++)
        for (int axis = 0; axis < 3; axis++) {
            const float x = packed.at[frame][0][axis], y = packed.at[frame][1][axis], z = packed.at[frame][2][axis];
            mover.box.at[frame].low[axis] = ccd_lesser(ccd_lesser(x, y), z);
            mover.box.at[frame].high[axis] = ccd_greater(ccd_greater(x, y), z);
        }
    w->packed_faces[place] = packed;
    w->packed_movers[place] = mover;
}

/* From a leaf up to the root: who comes second at a node joins its children (T. Karras, Maximizing Parallelism in the
 * Construction of BVHs, Octrees, and k-d Trees, HPG 2012). Each query adds two to `arrived`. */
CCD_INLINE void pack_nodes(const struct persistent_work *w, uint32_t node) {
    const struct bvh_binary *n = &w->view.nodes[node];
    struct packed_node packed = {w->packed_movers[n->first].box, n->first, n->count, 0, 0};
    for (uint32_t place = n->first + 1; place < n->first + n->count; place++)
        packed.box = ccd_join(&packed.box, &w->packed_movers[place].box);
    w->packed_nodes[node] = packed;
    while (node) {
        node = w->parents[node];
        if (!(heddle_add32_acq_rel(&w->arrived[node], 1) & 1))
            return;
        n = &w->view.nodes[node];
        packed = (struct packed_node){ccd_join(&w->packed_nodes[node + 1].box, &w->packed_nodes[n->right].box),
                                      n->first, n->count, n->right, 0};
        w->packed_nodes[node] = packed;
    }
}

/* Once each and in turn: they come over the link. */
CCD_INLINE void phase_corners(const struct persistent_work *w, uint32_t thread, uint32_t threads) {
    for (uint32_t k = thread; k < w->points; k += threads) {
        const struct vec3 a = get(&w->view.before[k]), b = get(&w->view.after[k]);
        w->packed_points[k] = (struct packed_point){{{a.x, a.y, a.z}, {b.x, b.y, b.z}}, {0, 0}};
    }
}

CCD_INLINE void phase_faces(const struct persistent_work *w, uint32_t thread, uint32_t threads) {
    for (uint32_t k = thread; k < w->places; k += threads)
        pack_place(w, k);
}

CCD_INLINE void phase_boxes(const struct persistent_work *w, uint32_t thread, uint32_t threads) {
    for (uint32_t k = thread; k < w->leaf_count; k += threads)
        pack_nodes(w, w->leaves[k]);
}

#endif
