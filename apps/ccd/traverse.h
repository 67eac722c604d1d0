/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements may meet: boxes, the walk through the hierarchy, and what two triangles own against each other. */
#ifndef CCD_TRAVERSE_H
#define CCD_TRAVERSE_H

#include "overlap.h"
#include "query.h"

#include <heddle/list.h>

/* Of numbers, none of them NaN; whichever zero. A GPU has an instruction for it. */
#if defined(__NVPTX__) || defined(__AMDGCN__)
CCD_INLINE float ccd_lesser(float a, float b) { return __builtin_fminf(a, b); }
CCD_INLINE float ccd_greater(float a, float b) { return __builtin_fmaxf(a, b); }
#else
CCD_INLINE float ccd_lesser(float a, float b) { return least(a, b); }
CCD_INLINE float ccd_greater(float a, float b) { return most(a, b); }
#endif

CCD_INLINE struct bvh_box ccd_union(const struct bvh_box *a, const struct bvh_box *b) {
    return (struct bvh_box){
        {ccd_lesser(a->low[0], b->low[0]), ccd_lesser(a->low[1], b->low[1]), ccd_lesser(a->low[2], b->low[2])},
        {ccd_greater(a->high[0], b->high[0]), ccd_greater(a->high[1], b->high[1]),
         ccd_greater(a->high[2], b->high[2])}};
}

CCD_INLINE struct bvh_box ccd_corners_box(const struct vec3 *points, const struct bvh_triangle *face) {
    const struct vec3 a = get(&points[face->corner[0]]), b = get(&points[face->corner[1]]),
                      c = get(&points[face->corner[2]]);
    return (struct bvh_box){{ccd_lesser(ccd_lesser(a.x, b.x), c.x), ccd_lesser(ccd_lesser(a.y, b.y), c.y),
                             ccd_lesser(ccd_lesser(a.z, b.z), c.z)},
                            {ccd_greater(ccd_greater(a.x, b.x), c.x), ccd_greater(ccd_greater(a.y, b.y), c.y),
                             ccd_greater(ccd_greater(a.z, b.z), c.z)}};
}

CCD_INLINE struct moving ccd_mover(const struct view *view, uint32_t place) {
    const struct bvh_triangle *face = &view->faces[view->order[place]];
    return (struct moving){{ccd_corners_box(view->before, face), ccd_corners_box(view->after, face)}};
}

CCD_INLINE struct moving ccd_join(const struct moving *a, const struct moving *b) {
    return (struct moving){{ccd_union(&a->at[0], &b->at[0]), ccd_union(&a->at[1], &b->at[1])}};
}

/* Nothing collides because all moves alike: from the positions after the step a move is taken away, that of the
 * triangle which looks for others, and what moves with it stands still. Each subtraction rounds by at most 2^-24 of
 * three times the largest coordinate; the margin is 2^-21 of it, which is more than both sides need. */
CCD_INLINE struct vec3 ccd_move_of(const struct moving *m) {
    const struct bvh_box *a = &m->at[0], *b = &m->at[1];
    return vec(((b->low[0] - a->low[0]) + (b->high[0] - a->high[0])) * 0.5f,
               ((b->low[1] - a->low[1]) + (b->high[1] - a->high[1])) * 0.5f,
               ((b->low[2] - a->low[2]) + (b->high[2] - a->high[2])) * 0.5f);
}

CCD_INLINE struct bvh_box ccd_sweep(const struct moving *m, struct vec3 move, float margin) {
    const struct bvh_box *a = &m->at[0], *b = &m->at[1];
    return (struct bvh_box){
        {ccd_lesser(a->low[0], b->low[0] - move.x) - margin, ccd_lesser(a->low[1], b->low[1] - move.y) - margin,
         ccd_lesser(a->low[2], b->low[2] - move.z) - margin},
        {ccd_greater(a->high[0], b->high[0] - move.x) + margin, ccd_greater(a->high[1], b->high[1] - move.y) + margin,
         ccd_greater(a->high[2], b->high[2] - move.z) + margin}};
}

CCD_INLINE struct bvh_box ccd_sweep_point(const struct view *view, uint32_t k, struct vec3 move, float margin) {
    const struct vec3 a = get(&view->before[k]), b = get(&view->after[k]);
    const struct moving m = {{{{a.x, a.y, a.z}, {a.x, a.y, a.z}}, {{b.x, b.y, b.z}, {b.x, b.y, b.z}}}};
    return ccd_sweep(&m, move, margin);
}

/* A triangle as pairs see it; its boxes under a common move. */
struct ccd_face {
    uint32_t number, corner[3], edge[3];
    unsigned owns;
    struct bvh_box box, at[3]; /* corners */
};

CCD_INLINE void ccd_load_face(const struct view *view, uint32_t number, struct vec3 move, float margin,
                              struct ccd_face *face) {
    face->number = number;
    face->owns = view->owns[number];
    for (int k = 0; k < 3; k++) {
        face->corner[k] = view->faces[number].corner[k];
        face->edge[k] = view->face_edges[number].corner[k];
        face->at[k] = ccd_sweep_point(view, face->corner[k], move, margin);
    }
    face->box = ccd_union(&face->at[0], &face->at[1]);
    face->box = ccd_union(&face->box, &face->at[2]);
}

/* A face's own corners against another face. */
CCD_INLINE void ccd_corners(const struct ccd_face *a, const struct ccd_face *b, struct pairs *corners) {
    for (int k = 0; k < 3; k++) {
        const uint32_t v = a->corner[k];
        const bool apart = v != b->corner[0] && v != b->corner[1] && v != b->corner[2];
        if ((a->owns & (unsigned)(OWNS_CORNER << k)) && apart && bvh_overlap(&a->at[k], &b->box))
            heddle_list_append(corners, (struct pair){v, b->number});
    }
}

CCD_INLINE void ccd_edges(const struct ccd_face *a, const struct ccd_face *b, struct pairs *edges) {
    for (int i = 0; i < 3; i++) {
        const int i1 = i == 2 ? 0 : i + 1;
        const struct bvh_box box = ccd_union(&a->at[i], &a->at[i1]);
        if (!(a->owns & (unsigned)(OWNS_EDGE << i)) || !bvh_overlap(&box, &b->box))
            continue;
        for (int j = 0; j < 3; j++) {
            const int j1 = j == 2 ? 0 : j + 1;
            const struct bvh_box other = ccd_union(&b->at[j], &b->at[j1]);
            const bool apart = a->corner[i] != b->corner[j] && a->corner[i] != b->corner[j1] &&
                               a->corner[i1] != b->corner[j] && a->corner[i1] != b->corner[j1];
            if ((b->owns & (unsigned)(OWNS_EDGE << j)) && apart && bvh_overlap(&box, &other)) {
                const uint32_t e = a->edge[i], f = b->edge[j];
                heddle_list_append(edges, (struct pair){(e < f ? e : f) | PAIR_EDGES, e < f ? f : e});
            }
        }
    }
}

CCD_INLINE bool ccd_wanted(const struct view *view, uint32_t a, uint32_t b) {
    return view->which == WHICH_ALL || (view->body[a] == view->body[b]) == (view->which == WHICH_SELF);
}

/* The triangles behind a place, in the order of the leaves, whose boxes overlap that of the triangle there. */
struct ccd_walk {
    struct bvh_box box;
    struct vec3 move;
    uint32_t number, at, from, to;
};

CCD_INLINE struct ccd_walk ccd_start(const struct view *view, uint32_t place) {
    const struct vec3 move = ccd_move_of(&view->movers[place]);
    return (struct ccd_walk){ccd_sweep(&view->movers[place], move, view->margin),
                             move,
                             view->order[place],
                             view->starts[place].node,
                             place + 1,
                             view->starts[place].last};
}

/* The place of the next one; BVH_NOTHING: there is none. */
CCD_INLINE uint32_t ccd_next_place(const struct view *view, struct ccd_walk *walk) {
    for (;;) {
        while (walk->from < walk->to) {
            const uint32_t other = walk->from++;
            const struct bvh_box box = ccd_sweep(&view->movers[other], walk->move, 0);
            if (bvh_overlap(&walk->box, &box) && ccd_wanted(view, walk->number, view->order[other]))
                return other;
        }
        if (walk->at >= view->ends)
            return BVH_NOTHING;
        const struct bvh_binary *node = &view->nodes[walk->at];
        const struct bvh_box box = ccd_sweep(&view->moving[walk->at], walk->move, 0);
        const bool met = bvh_overlap(&walk->box, &box);
        if (met && !node->right) {
            walk->from = node->first;
            walk->to = walk->from + node->count;
        }
        walk->at = met && node->right ? walk->at + 1 : bvh_end(view->nodes, walk->at);
    }
}

/* One box of the walk, of a triangle or a node: the lanes of a GPU look together. False: there is none. */
CCD_INLINE bool ccd_step(const struct view *view, struct ccd_walk *walk, uint32_t *other) {
    const bool leaf = walk->from < walk->to;
    *other = BVH_NOTHING;
    if (!leaf && walk->at >= view->ends)
        return false;
    const struct bvh_box box = ccd_sweep(leaf ? &view->movers[walk->from] : &view->moving[walk->at], walk->move, 0);
    const bool met = bvh_overlap(&walk->box, &box);
    if (leaf) {
        if (met && ccd_wanted(view, walk->number, view->order[walk->from]))
            *other = walk->from;
        walk->from++;
    } else {
        const struct bvh_binary *node = &view->nodes[walk->at];
        if (met && !node->right) {
            walk->from = node->first;
            walk->to = walk->from + node->count;
        }
        walk->at = met && node->right ? walk->at + 1 : bvh_end(view->nodes, walk->at);
    }
    return true;
}

/* Triangles at two places, the first of which looks: what each of them owns against the other one. */
CCD_INLINE void ccd_pair(const struct view *view, const struct ccd_face *a, struct vec3 move, uint32_t number,
                         struct pairs *corners, struct pairs *edges) {
    struct ccd_face b;
    ccd_load_face(view, number, move, 0, &b);
    ccd_corners(a, &b, corners);
    ccd_corners(&b, a, corners);
    ccd_edges(a, &b, edges);
}

/* All tests of a place. */
CCD_INLINE void ccd_traverse(const struct view *view, uint32_t place, struct pairs *corners, struct pairs *edges) {
    struct ccd_walk walk = ccd_start(view, place);
    struct ccd_face face;
    ccd_load_face(view, walk.number, walk.move, view->margin, &face);
    for (uint32_t other; (other = ccd_next_place(view, &walk)) != BVH_NOTHING;)
        ccd_pair(view, &face, walk.move, view->order[other], corners, edges);
}

CCD_INLINE void ccd_corner(struct ccd_query *q, int to, const struct view *view, uint32_t point) {
    const struct vec3 a = get(&view->before[point]), b = get(&view->after[point]);
    q->at[0][to][0] = (double)a.x, q->at[0][to][1] = (double)a.y, q->at[0][to][2] = (double)a.z;
    q->at[1][to][0] = (double)b.x, q->at[1][to][1] = (double)b.y, q->at[1][to][2] = (double)b.z;
}

/* A test of either type. */
CCD_INLINE void ccd_load_pair(struct ccd_query *q, const struct view *view, struct pair pair) {
    q->edges = pair.first & PAIR_EDGES;
    if (q->edges) {
        const struct edge *a = &view->edges[pair.first & ~PAIR_EDGES], *b = &view->edges[pair.second];
        for (int k = 0; k < 2; k++) {
            ccd_corner(q, k, view, a->end[k]);
            ccd_corner(q, k + 2, view, b->end[k]);
        }
    } else {
        const struct bvh_triangle *face = &view->faces[pair.second];
        ccd_corner(q, 0, view, pair.first);
        for (int k = 0; k < 3; k++)
            ccd_corner(q, k + 1, view, face->corner[k]);
    }
}

#endif
