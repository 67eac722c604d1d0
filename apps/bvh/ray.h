/* SPDX-License-Identifier: Apache-2.0 */
/* Which primitive a ray meets first, and what is between two points: bvh_traverse. Two ways through the hierarchy, one
 * for CPUs and one for GPUs, and both give the same bits, whatever the order in which they look at primitives:
 *
 * - Of two hits the nearer one counts, of equally near ones that with the smaller number.
 * - A hit's distance is moved into the interval in which the ray is inside the primitive's own box (widened by
 * `slack`); without such an interval there is no hit. Boxes of nodes are widened by more than the rounding of their
 * test, so that its interval always holds the primitive's, and no box with the nearest hit in it is ever left out. So
 * box tests may round as they like; all else may not.
 *
 * Triangles: T. Moeller, B. Trumbore: Fast, Minimum Storage Ray/Triangle Intersection, JGT 1997. Boxes: A. Kensler, P.
 * Shirley; T. Ize, Robust BVH Ray Traversal, JCGT 2013, for the bounds. The order by octants and the stack of groups:
 * Ylitie et al. 2017. */
#ifndef HEDDLE_BVH_RAY_H
#define HEDDLE_BVH_RAY_H

#include "bvh.h"

/* A search for any hit asks whoever includes this, at each one (probe->best), whether it is enough. */
#ifndef BVH_ENOUGH
#define BVH_CONTEXT const void
#define BVH_ENOUGH(context, probe) ((void)(context), (void)(probe), true)
#endif

#if (defined(__NVPTX__) || defined(__AMDGCN__)) && !defined(TRAVERSE_GROUPS)
#define TRAVERSE_GROUPS 1
#endif

#if defined(__clang__)
#define TRAVERSE_FUSED _Pragma("clang fp contract(fast)")
#else
#define TRAVERSE_FUSED
#endif

struct probe {
    struct ray ray;
    float origin[3], inverse[3];
    float margin[3]; /* of a node's box, in units of t */
    uint32_t octant; /* bit per axis: the direction is negative */
    uint32_t triangles;
    /* the answer so far */
    struct hit best;
};

RAY_INLINE float inverse_of(float d) { return 1 / (magnitude(d) > 1e-12f ? d : d < 0 ? -1e-12f : 1e-12f); }

/* Rounding errors of a node's test come to at most 13 units of 2^-24 times (|origin| + extent) * |inverse|: two for the
 * corner, three for the steps, whose sum is at most four extents, one for the sum; the primitive's own interval has 2
 * and its slack of 4. */
RAY_INLINE struct probe start_probe(const float extent[3], uint32_t triangles, const struct ray *ray, float limit) {
    struct probe p = {
        .ray = *ray, .origin = {ray->origin.x, ray->origin.y, ray->origin.z}, .best = {limit, BVH_NOTHING, 0}};
    const float direction[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    p.triangles = triangles;
    for (int k = 0; k < 3; k++) {
        p.inverse[k] = inverse_of(direction[k]);
        p.margin[k] = 0x18p-24f * (magnitude(p.origin[k]) + extent[k]) * magnitude(p.inverse[k]);
        p.octant |= (uint32_t)(p.inverse[k] < 0) << k;
    }
    return p;
}

RAY_INLINE float power_of_two(uint32_t exponent) {
    union {
        uint32_t bits;
        float value;
    } x = {exponent << 23};
    return x.value;
}

/* Vectors of the compiler: written lane by lane, clang 19 takes a node's eight slots apart in unequal parts. */
#if defined(__clang__)
#define TRAVERSE_VECTOR(type, lanes) type __attribute__((ext_vector_type(lanes), may_alias))
#else
#define TRAVERSE_VECTOR(type, lanes) type __attribute__((vector_size((lanes) * sizeof(type)), may_alias))
#endif
typedef TRAVERSE_VECTOR(float, 8) eight;
typedef TRAVERSE_VECTOR(int32_t, 8) eight_masks;
typedef TRAVERSE_VECTOR(uint8_t, 8) eight_steps;
typedef TRAVERSE_VECTOR(float, 4) row;
typedef TRAVERSE_VECTOR(int32_t, 4) row_masks;
typedef TRAVERSE_VECTOR(uint32_t, 4) words;

/* By address: as arguments they would be passed differently with and without AVX. */
RAY_INLINE void raise8(eight *to, const eight *by) {
#if defined(__clang__)
    *to = *to > *by ? *to : *by;
#else
    const eight_masks m = *to > *by;
    *to = (eight)(((eight_masks)*to & m) | ((eight_masks)*by & ~m));
#endif
}

RAY_INLINE void lower8(eight *to, const eight *by) {
#if defined(__clang__)
    *to = *to < *by ? *to : *by;
#else
    const eight_masks m = *to < *by;
    *to = (eight)(((eight_masks)*to & m) | ((eight_masks)*by & ~m));
#endif
}

/* Bit per lane that is not 0. */
RAY_INLINE uint32_t bits8(const eight_masks *m) {
#if defined(__clang__) && defined(__x86_64__)
    typedef _Bool truths __attribute__((ext_vector_type(8)));
    const truths t = __builtin_convertvector(*m, truths);
    uint8_t bits;
    __builtin_memcpy(&bits, &t, 1);
    return bits;
#else
    uint32_t bits = 0;
    for (uint32_t k = 0; k < 8; k++)
        bits |= (uint32_t)((*m)[k] & 1) << k;
    return bits;
#endif
}

RAY_INLINE uint32_t bits4(row_masks m) {
    const row_masks one = {1, 2, 4, 8}, of = m & one;
    return (uint32_t)((of[0] | of[1]) | (of[2] | of[3]));
}

/* Bit per slot whose box the ray meets before the best hit; enters: where. */
RAY_INLINE uint32_t node_hits(const struct bvh_node *node, const struct probe *p, eight *enters) {
    TRAVERSE_FUSED
    const eight zero = {0, 0, 0, 0, 0, 0, 0, 0};
    eight near = zero, far = zero + p->best.t;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t back = p->octant >> axis & 1;
        const float step = power_of_two(node->exponent[axis]) * p->inverse[axis];
        const float base = (node->low[axis] - p->origin[axis]) * p->inverse[axis];
        const float enter = base - p->margin[axis], leave = base + p->margin[axis];
        const eight first = __builtin_convertvector(*(const eight_steps *)node->grid[back][axis], eight) * step + enter;
        const eight last =
            __builtin_convertvector(*(const eight_steps *)node->grid[back ^ 1][axis], eight) * step + leave;
        raise8(&near, &first);
        lower8(&far, &last);
    }
    *enters = near;
    const eight_masks met = near <= far;
    return bits8(&met) & (node->leaf | node->inner);
}

/* Four words at once; on NVIDIA GPUs by the path for data that no kernel changes. */
#if defined(__NVPTX__)
RAY_INLINE words load_words(const void *p) { return __nvvm_ldg_ui4((const words *)p); }
RAY_INLINE row load_row(const float *p) { return __nvvm_ldg_f4((const row *)p); }
#else
RAY_INLINE words load_words(const void *p) { return *(const words *)p; }
RAY_INLINE row load_row(const float *p) { return *(const row *)p; }
#endif

RAY_INLINE struct vec3 lane(const float v[3][BVH_BLOCK], uint32_t k) { return vec(v[0][k], v[1][k], v[2][k]); }

/* Takes the hit at t if it is inside the box and the best one so far. */
RAY_INLINE bool accept(struct probe *p, float t, const float low[3], const float high[3], uint32_t id, uint32_t where) {
    float near = -0x1p100f, far = 0x1p100f;
    for (int axis = 0; axis < 3; axis++) {
        const float slack = p->margin[axis] * (1 / 6.0f);
        const float a = (low[axis] - p->origin[axis]) * p->inverse[axis],
                    b = (high[axis] - p->origin[axis]) * p->inverse[axis];
        near = most(near, least(a, b) - slack);
        far = least(far, most(a, b) + slack);
    }
    if (!(near <= far))
        return false;
    t = most(t, near);
    t = least(t, far);
    if (!(t > 0 && (t < p->best.t || (t == p->best.t && id < p->best.id))))
        return false;
    p->best = (struct hit){t, id, where};
    return true;
}

/* Edges belong to both sides, and by a little more, so that no ray slips through between two triangles. */
#define TRAVERSE_EDGE 1e-6f

struct rows {
    row x, y, z;
};
RAY_INLINE struct rows load_rows(const float v[3][BVH_BLOCK]) {
    return (struct rows){load_row(v[0]), load_row(v[1]), load_row(v[2])};
}
RAY_INLINE row rows_dot(struct rows a, struct rows b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
RAY_INLINE struct rows rows_cross(struct rows a, struct rows b) {
    return (struct rows){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* Bit per triangle of the block that the ray's line meets. */
RAY_INLINE uint32_t triangle_hits(const struct bvh_block *b, const struct ray *ray) {
    const row zero = {0, 0, 0, 0};
    const struct rows a = load_rows(b->a), one = load_rows(b->b), two = load_rows(b->c);
    const struct rows d = {zero + ray->direction.x, zero + ray->direction.y, zero + ray->direction.z};
    const struct rows s = {ray->origin.x - a.x, ray->origin.y - a.y, ray->origin.z - a.z};
    const struct rows h = rows_cross(d, two), q = rows_cross(s, one);
    const row det = rows_dot(one, h), u = rows_dot(s, h), v = rows_dot(d, q);
    const row_masks sign = (row_masks)det & INT32_MIN;
    const row size = (row)((row_masks)det ^ sign), x = (row)((row_masks)u ^ sign), y = (row)((row_masks)v ^ sign),
              edge = size * TRAVERSE_EDGE;
    return bits4((size > 0) & (x >= -edge) & (y >= -edge) & (x + y <= size + edge));
}

RAY_INLINE bool accept_triangle(struct probe *p, const struct bvh_block *b, uint32_t k, uint32_t where) {
    const struct vec3 a = lane(b->a, k), one = lane(b->b, k), two = lane(b->c, k);
    const struct vec3 s = minus(p->ray.origin, a), h = cross(p->ray.direction, two), q = cross(s, one);
    const float t = dot(two, q) / dot(one, h);
    const struct vec3 e = plus(a, one), f = plus(a, two);
    const float low[3] = {least(least(a.x, e.x), f.x), least(least(a.y, e.y), f.y), least(least(a.z, e.z), f.z)};
    const float high[3] = {most(most(a.x, e.x), f.x), most(most(a.y, e.y), f.y), most(most(a.z, e.z), f.z)};
    return accept(p, t, low, high, b->id[k], where + k);
}

/* The square of the distance between the line and the centre, not the difference of two large squares (Haines et al.,
 * Precision Improvements for Ray/Sphere Intersection, Ray Tracing Gems 2019). */
RAY_INLINE bool accept_sphere(struct probe *p, const struct bvh_block *b, uint32_t k, uint32_t where) {
    const struct vec3 c = lane(b->a, k), to = minus(c, p->ray.origin);
    const float r = b->b[0][k], along = dot(to, p->ray.direction);
    const struct vec3 aside = minus(to, times(p->ray.direction, along));
    const float under = r * r - dot(aside, aside);
    if (!(under >= 0))
        return false;
    const float half = square_root(under), first = along - half, t = first > 0 ? first : along + half;
    const float low[3] = {c.x - r, c.y - r, c.z - r}, high[3] = {c.x + r, c.y + r, c.z + r};
    return t > 0 && accept(p, t, low, high, b->id[k], where + k);
}

/* True: a search for any hit has enough. */
RAY_INLINE bool visit_block(const struct bvh_block *blocks, struct probe *p, uint32_t index, BVH_CONTEXT *any,
                            float limit) {
    const struct bvh_block *b = &blocks[index];
    const bool spheres = b->id[0] >= p->triangles;
    uint32_t hits = spheres ? (1u << BVH_BLOCK) - 1 : triangle_hits(b, &p->ray);
    for (; hits; hits &= hits - 1) {
        const uint32_t k = (uint32_t)__builtin_ctz(hits);
        if (spheres && b->id[k] == BVH_NOTHING)
            break;
        const bool met =
            spheres ? accept_sphere(p, b, k, index * BVH_BLOCK) : accept_triangle(p, b, k, index * BVH_BLOCK);
        if (any && met) {
            if (BVH_ENOUGH(any, p))
                return true;
            p->best = (struct hit){limit, BVH_NOTHING, 0};
        }
    }
    return false;
}

RAY_INLINE uint32_t before(uint32_t mask, uint32_t slot) {
    return (uint32_t)__builtin_popcount(mask & ((1u << slot) - 1));
}

#if TRAVERSE_GROUPS
/* Bit s of the mask goes to s ^ octant. */
RAY_INLINE uint32_t turn(uint32_t mask, uint32_t octant) {
    if (octant & 1)
        mask = (mask >> 1 & 0x55) | (mask & 0x55) << 1;
    if (octant & 2)
        mask = (mask >> 2 & 0x33) | (mask & 0x33) << 2;
    if (octant & 4)
        mask = mask >> 4 | (mask & 0x0f) << 4;
    return mask;
}

RAY_INLINE float step_at(const uint32_t grid[2], uint32_t slot) {
    return (float)(grid[slot / 4] >> slot % 4 * 8 & 0xff);
}

/* What traversal needs of a node beside its boxes. */
struct children {
    uint32_t hits, inner, leaf, node, block;
};

/* node_hits, for a GPU: five loads of 16 bytes. */
RAY_INLINE struct children node_words(const struct bvh_node *node, const struct probe *p) {
    TRAVERSE_FUSED
    const unsigned char *from = (const unsigned char *)node;
    const words w[5] = {load_words(from), load_words(from + 16), load_words(from + 32), load_words(from + 48),
                        load_words(from + 64)};
    const uint32_t grid[2][3][2] = {{{w[2][0], w[2][1]}, {w[2][2], w[2][3]}, {w[3][0], w[3][1]}},
                                    {{w[3][2], w[3][3]}, {w[4][0], w[4][1]}, {w[4][2], w[4][3]}}};
    float near[BVH_WIDTH], far[BVH_WIDTH];
    uint32_t hits = 0;
    for (uint32_t k = 0; k < BVH_WIDTH; k++) {
        near[k] = 0;
        far[k] = p->best.t;
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        const union {
            uint32_t bits;
            float value;
        } low = {w[0][axis]};
        const bool back = p->octant >> axis & 1;
        const float step = power_of_two(w[0][3] >> axis * 8 & 0xff) * p->inverse[axis];
        const float base = (low.value - p->origin[axis]) * p->inverse[axis];
        const float enter = base - p->margin[axis], leave = base + p->margin[axis];
        const uint32_t first[2] = {back ? grid[1][axis][0] : grid[0][axis][0],
                                   back ? grid[1][axis][1] : grid[0][axis][1]};
        const uint32_t last[2] = {back ? grid[0][axis][0] : grid[1][axis][0],
                                  back ? grid[0][axis][1] : grid[1][axis][1]};
        for (uint32_t k = 0; k < BVH_WIDTH; k++) {
            near[k] = __builtin_fmaxf(near[k], step_at(first, k) * step + enter);
            far[k] = __builtin_fminf(far[k], step_at(last, k) * step + leave);
        }
    }
    for (uint32_t k = 0; k < BVH_WIDTH; k++)
        hits |= near[k] <= far[k] ? 1u << k : 0;
    return (struct children){hits, w[0][3] >> 24, w[1][2], w[1][0], w[1][1]};
}

/* Lanes of this warp that come here together, as a mask; and a place where those of a mask wait for each other. */
RAY_INLINE uint32_t lanes_here(void) {
#if defined(__NVPTX__)
    return __nvvm_activemask();
#else
    return 1;
#endif
}

RAY_INLINE void lanes_meet(uint32_t lanes) {
#if defined(__NVPTX__)
    __nvvm_bar_warp_sync(lanes);
#else
    (void)lanes;
#endif
}

/* Lanes of a warp look at nodes or at blocks, whichever more of them want: those who want the other thing wait. */
RAY_INLINE bool turn_of_blocks(bool wanted) {
#if defined(__NVPTX__) && !defined(TRAVERSE_NO_VOTE)
    const uint32_t lanes = __nvvm_activemask(), votes = __nvvm_vote_ballot_sync(lanes, wanted);
    return 2 * __builtin_popcount(votes) >= __builtin_popcount(lanes);
#else
    return wanted;
#endif
}

/* For GPUs: children of a node that wait are one entry of the stack, and are taken in the order of octants; its blocks
 * come first. */
RAY_INLINE void bvh_traverse(const struct bvh_node *nodes, const struct bvh_block *blocks, struct probe *p,
                             BVH_CONTEXT *any, float limit) {
    uint32_t stack[BVH_DEPTH_MOST][2], top = 0, at = 0;
    uint32_t base = 0, group = 0;            /* children: waiting slots, turned; from bit 8: inner slots */
    uint32_t leaves = 0, all = 0, block = 0; /* blocks that wait, of `all` from `block` on */
    for (;;) {
        const bool turned = turn_of_blocks(leaves);
        if (leaves) {
            if (!turned)
                continue;
            const uint32_t slot = (uint32_t)__builtin_ctz(leaves);
            leaves &= leaves - 1;
            if (visit_block(blocks, p, block + before(all, slot), any, limit) && any)
                return;
        } else if (!turned) {
            if (at == BVH_NOTHING)
                return;
            const struct children c = node_words(&nodes[at], p);
            const uint32_t inner = c.hits & c.inner;
            all = c.leaf;
            leaves = c.hits & all;
            block = c.block;
            if (inner) {
                if (group & 0xff) {
                    stack[top][0] = base;
                    stack[top++][1] = group;
                }
                base = c.node;
                group = turn(inner, p->octant) | c.inner << 8;
            } else if (!(group & 0xff) && top) {
                base = stack[--top][0];
                group = stack[top][1];
            }
            at = BVH_NOTHING;
            if (group & 0xff) {
                const uint32_t slot = (uint32_t)__builtin_ctz(group) ^ p->octant;
                group &= group - 1;
                at = base + before(group >> 8, slot);
            }
        }
    }
}
#else
/* For CPUs: children wait with the distance at which they begin, the nearest one on top. */
#define TRAVERSE_LEAF 0x80000000u
struct waiting {
    uint32_t at;
    float near;
};

RAY_INLINE void bvh_traverse(const struct bvh_node *nodes, const struct bvh_block *blocks, struct probe *p,
                             BVH_CONTEXT *any, float limit) {
    struct waiting stack[BVH_DEPTH_MOST * (BVH_WIDTH - 1) + 1];
    uint32_t top = 0, at = 0;
    eight near;
    for (;;) {
        if (at & TRAVERSE_LEAF) {
            if (visit_block(blocks, p, at & ~TRAVERSE_LEAF, any, limit) && any)
                return;
        } else {
            const struct bvh_node *node = &nodes[at];
            const uint32_t bottom = top;
            for (uint32_t hits = node_hits(node, p, &near); hits; hits &= hits - 1) {
                const uint32_t slot = (uint32_t)__builtin_ctz(hits), inner = node->inner;
                const bool leaf = node->leaf >> slot & 1;
                const struct waiting child = {leaf ? TRAVERSE_LEAF | (node->block + before(node->leaf, slot))
                                                   : node->node + before(inner, slot),
                                              near[slot]};
                uint32_t to = top++; /* any hit: in no order, which costs less than it saves */
                for (; !any && to > bottom && stack[to - 1].near < child.near; to--)
                    stack[to] = stack[to - 1];
                stack[to] = child;
            }
        }
        do {
            if (!top)
                return;
        } while (!(stack[--top].near <= p->best.t));
        at = stack[top].at;
    }
}
#endif

/* The first hit closer than `limit`; id BVH_NOTHING: there is none. */
RAY_INLINE struct hit bvh_closest(const struct bvh_node *nodes, const struct bvh_block *blocks, const float extent[3],
                                  uint32_t triangles, const struct ray *ray, float limit) {
    struct probe p = start_probe(extent, triangles, ray, limit);
    bvh_traverse(nodes, blocks, &p, NULL, limit);
    return p.best;
}

#endif
