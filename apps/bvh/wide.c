/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the binary hierarchy into nodes of eight. */
#include "wide.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct packer {
    const struct bvh_primitives *scene;
    const struct bvh_binary *tree;
    const uint32_t *order;
    struct bvh *bvh;
    size_t node_room, block_room;
};

static struct bvh_box sphere_box(const struct bvh_sphere *s) {
    return (struct bvh_box){{s->centre.x - s->radius, s->centre.y - s->radius, s->centre.z - s->radius},
                            {s->centre.x + s->radius, s->centre.y + s->radius, s->centre.z + s->radius}};
}

static void triangle_edges(const struct bvh_primitives *scene, size_t k, struct vec3 *a, struct vec3 *b,
                           struct vec3 *c) {
    const uint32_t *corner = scene->triangles[k].corner;
    *a = scene->points[corner[0]];
    *b = minus(scene->points[corner[1]], *a);
    *c = minus(scene->points[corner[2]], *a);
}

static bool in_space(struct vec3 v) {
    return magnitude(v.x) < INFINITY && magnitude(v.y) < INFINITY && magnitude(v.z) < INFINITY;
}

/* As traversal sees it: the corners are the first one and it plus the edges, rounded. */
struct bvh_box bvh_triangle_box(const struct bvh_primitives *scene, size_t k) {
    struct vec3 a, b, c;
    triangle_edges(scene, k, &a, &b, &c);
    b = plus(a, b), c = plus(a, c);
    if (!(in_space(a) && in_space(b) && in_space(c)))
        return bvh_empty();
    return (struct bvh_box){{least(least(a.x, b.x), c.x), least(least(a.y, b.y), c.y), least(least(a.z, b.z), c.z)},
                            {most(most(a.x, b.x), c.x), most(most(a.y, b.y), c.y), most(most(a.z, b.z), c.z)}};
}

struct bvh_box bvh_primitive_box(const struct bvh_primitives *scene, uint32_t k) {
    return k < scene->triangle_count ? bvh_triangle_box(scene, k)
                                     : sphere_box(&scene->spheres[k - scene->triangle_count]);
}

static struct bvh_box *all_boxes(const struct bvh_primitives *scene, uint32_t count) {
    struct bvh_box *boxes = app_alloc(count, sizeof *boxes);
#pragma omp parallel for schedule(static)
    for (uint32_t k = 0; k < count; k++)
        boxes[k] = bvh_primitive_box(scene, k);
    return boxes;
}

static float half_area(const struct bvh_box *b) {
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x * y + y * z + z * x;
}

/* Opens the largest child until there are eight. */
static int gather(const struct packer *p, uint32_t at, uint32_t child[BVH_WIDTH]) {
    int count = 1;
    child[0] = at;
    while (count < BVH_WIDTH) {
        int open = -1;
        float area = -1;
        for (int k = 0; k < count; k++)
            if (p->tree[child[k]].right && half_area(&p->tree[child[k]].box) > area) {
                area = half_area(&p->tree[child[k]].box);
                open = k;
            }
        if (open < 0)
            break;
        const uint32_t opened = child[open];
        child[open] = opened + 1;
        child[count++] = p->tree[opened].right;
    }
    return count;
}

static float middle(const struct bvh_box *b, int axis) { return 0.5f * b->low[axis] + 0.5f * b->high[axis]; }

/* Greedy: the pair of child and slot that lies furthest in the slot's direction goes first. */
static void find_slots(const struct packer *p, const struct bvh_box *box, const uint32_t *child, int count,
                       uint32_t slot[BVH_WIDTH]) {
    bool taken[BVH_WIDTH] = {0}, placed[BVH_WIDTH] = {0};
    for (int s = 0; s < BVH_WIDTH; s++)
        slot[s] = BVH_NOTHING;
    for (int round = 0; round < count; round++) {
        int best_child = -1, best_slot = -1;
        float best = -INFINITY;
        for (int k = 0; k < count; k++)
            for (int s = 0; s < BVH_WIDTH && !placed[k]; s++) {
                float score = 0;
                for (int axis = 0; axis < 3; axis++) {
                    const float off = middle(&p->tree[child[k]].box, axis) - middle(box, axis);
                    score += s >> axis & 1 ? off : -off;
                }
                if (!taken[s] && (score > best || best_child < 0)) {
                    best = score;
                    best_child = k;
                    best_slot = s;
                }
            }
        taken[best_slot] = placed[best_child] = true;
        slot[best_slot] = child[best_child];
    }
}

/* The smallest step that spans the box in 255 steps; and never 0. */
static int find_exponent(double size) {
    int e;
    if (!(size > 0))
        return 1;
    frexp(size / 255, &e); /* size / 255 <= 2^e */
    if (ldexp(255, e - 1) >= size)
        e--;
    return e + 127 < 1 ? 1 : e + 127;
}

static uint8_t step_of(double offset, int exponent, bool up) {
    const double steps = ldexp(offset, 127 - exponent), whole = up ? ceil(steps) : floor(steps);
    return (uint8_t)(whole < 0 ? 0 : whole > 255 ? 255 : whole);
}

void bvh_set_grid(struct bvh_node *node, const struct bvh_box *box, const struct bvh_box *const slot[BVH_WIDTH]) {
    for (int axis = 0; axis < 3; axis++) {
        const int e = find_exponent((double)box->high[axis] - (double)box->low[axis]);
        node->low[axis] = box->low[axis];
        node->exponent[axis] = (uint8_t)e;
        for (int s = 0; s < BVH_WIDTH; s++) {
            const struct bvh_box *inside = slot[s]; /* an unused slot has its ends exchanged: no ray meets it */
            node->grid[0][axis][s] = inside ? step_of((double)inside->low[axis] - box->low[axis], e, false) : 255;
            node->grid[1][axis][s] = inside ? step_of((double)inside->high[axis] - box->low[axis], e, true) : 0;
        }
    }
}

static void put(float to[3][BVH_BLOCK], int k, struct vec3 v) { to[0][k] = v.x, to[1][k] = v.y, to[2][k] = v.z; }

void bvh_put_primitive(struct bvh_block *block, int k, const struct bvh_primitives *scene, uint32_t id) {
    struct vec3 a, b, c = vec(0, 0, 0);
    if (id >= scene->triangle_count) {
        const struct bvh_sphere *s = &scene->spheres[id - scene->triangle_count];
        a = s->centre, b = vec(s->radius, 0, 0);
    } else
        triangle_edges(scene, id, &a, &b, &c);
    put(block->a, k, a);
    put(block->b, k, b);
    put(block->c, k, c);
    block->id[k] = id;
}

static void fill_block(const struct packer *p, struct bvh_block *block, const struct bvh_binary *leaf) {
    *block = (struct bvh_block){.id = {BVH_NOTHING, BVH_NOTHING, BVH_NOTHING, BVH_NOTHING}};
    for (uint32_t k = 0; k < leaf->count; k++)
        bvh_put_primitive(block, (int)k, p->scene, p->order[leaf->first + k]);
}

static uint32_t take(void **array, size_t *count, size_t *room, size_t size, uint32_t number) {
    const size_t first = *count;
    if (*count + number > *room) {
        *room = 2 * *room + 64;
        *array = app_resize(*array, *room, size);
    }
    *count += number;
    return (uint32_t)first;
}

static void pack(struct packer *p, uint32_t at, uint32_t from, int depth) {
    const struct bvh_box *box = &p->tree[from].box;
    struct bvh_node node = {.spare = 0};
    uint32_t child[BVH_WIDTH], slot[BVH_WIDTH], inner = 0, leaves = 0;
    find_slots(p, box, child, gather(p, from, child), slot);
    const struct bvh_box *inside[BVH_WIDTH];
    for (int s = 0; s < BVH_WIDTH; s++)
        inside[s] = slot[s] != BVH_NOTHING ? &p->tree[slot[s]].box : NULL;
    bvh_set_grid(&node, box, inside);
    for (int s = 0; s < BVH_WIDTH; s++)
        if (slot[s] != BVH_NOTHING) {
            const bool leaf = !p->tree[slot[s]].right;
            node.leaf |= (uint32_t)leaf << s;
            node.inner |= (uint8_t)(!leaf << s);
            leaves += leaf;
            inner += !leaf;
        }
    p->bvh->depth = depth > p->bvh->depth ? depth : p->bvh->depth;
    node.node = take((void **)&p->bvh->nodes, &p->bvh->node_count, &p->node_room, sizeof *p->bvh->nodes, inner);
    node.block = take((void **)&p->bvh->blocks, &p->bvh->block_count, &p->block_room, sizeof *p->bvh->blocks, leaves);
    p->bvh->nodes[at] = node;
    uint32_t next_node = node.node, next_block = node.block;
    for (int s = 0; s < BVH_WIDTH; s++)
        if (node.leaf >> s & 1)
            fill_block(p, &p->bvh->blocks[next_block++], &p->tree[slot[s]]);
    for (int s = 0; s < BVH_WIDTH; s++)
        if (node.inner >> s & 1)
            pack(p, next_node++, slot[s], depth + 1);
}

/* A node and a block that nothing meets. */
static void build_nothing(struct bvh *bvh) {
    bvh->nodes = app_alloc(1, sizeof *bvh->nodes);
    bvh->blocks = app_alloc(1, sizeof *bvh->blocks);
    bvh->node_count = bvh->block_count = 1;
    memset(bvh->nodes[0].grid[0], 255, sizeof bvh->nodes[0].grid[0]);
    memset(bvh->blocks[0].id, 255, sizeof bvh->blocks[0].id);
}

void bvh_set_extent(struct bvh *bvh, const struct bvh_box *box) {
    for (int axis = 0; axis < 3; axis++)
        bvh->extent[axis] = most(fabsf(box->low[axis]), fabsf(box->high[axis]));
}

void bvh_build(struct bvh *bvh, const struct bvh_primitives *scene) {
    const uint32_t count = (uint32_t)(scene->triangle_count + scene->sphere_count);
    struct packer p = {.scene = scene, .bvh = bvh};
    struct bvh_tree tree;
    struct bvh_box *boxes = all_boxes(scene, count);
    bvh_tree_build(&tree, boxes, count, (uint32_t)scene->triangle_count);
    free(boxes);
    *bvh = (struct bvh){.triangles = (uint32_t)scene->triangle_count, .left_out = tree.left_out};
    if (tree.count) {
        p.tree = tree.nodes;
        p.order = tree.order;
        take((void **)&bvh->nodes, &bvh->node_count, &p.node_room, sizeof *bvh->nodes, 1);
        bvh->blocks = app_alloc(p.block_room = 64, sizeof *bvh->blocks);
        pack(&p, 0, 0, 1);
        bvh_set_extent(bvh, &tree.nodes[0].box);
    } else
        build_nothing(bvh);
    bvh_tree_free(&tree);
}

void bvh_free(struct bvh *bvh) {
    free(bvh->nodes);
    free(bvh->blocks);
    bvh->nodes = NULL;
    bvh->blocks = NULL;
}
