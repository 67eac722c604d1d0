/* SPDX-License-Identifier: Apache-2.0 */
/* The shared hierarchies against all boxes one after another: overlaps, lines and rays, before and after a refit; and
 * what is not finite, has no area, or is not there. */
#include "check.h"

#include "app.h"
#include "overlap.h"
#include "ray.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3000 };

static float spread(struct app_random *random, float scale) { return (float)(app_unit(random) * 2 - 1) * scale; }
static struct vec3 scatter(struct app_random *random, float scale) {
    const float x = spread(random, scale), y = spread(random, scale);
    return vec(x, y, spread(random, scale));
}

static void fill_boxes(struct app_random *random, struct bvh_box *boxes, uint32_t count, float size) {
    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 3; axis++) {
            boxes[k].low[axis] = spread(random, 1);
            boxes[k].high[axis] = boxes[k].low[axis] + (float)app_unit(random) * size;
        }
        if (app_below(random, 20) == 0) /* what may be in no hierarchy */
            boxes[k].low[app_below(random, 3)] = app_below(random, 2) ? NAN : INFINITY;
        else if (k && app_below(random, 10) == 0)
            boxes[k] = boxes[k - 1];
    }
}

static uint32_t count_finite(const struct bvh_box *boxes, uint32_t count) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < count; k++)
        sum += bvh_finite(&boxes[k]);
    return sum;
}

/* Every box that overlaps is found once, and no other one. */
static void expect_overlaps(const struct bvh_tree *tree, const struct bvh_box *boxes, uint32_t count,
                            const struct bvh_box *query) {
    static uint8_t seen[MOST];
    memset(seen, 0, sizeof seen);
    for (uint32_t at = 0, leaf; (leaf = bvh_next_overlap(tree->nodes, tree->ends, &at, query)) != BVH_NOTHING;)
        for (uint32_t k = tree->nodes[leaf].first; k < tree->nodes[leaf].first + tree->nodes[leaf].count; k++)
            if (bvh_overlap(&boxes[tree->order[k]], query))
                seen[tree->order[k]]++;
    for (uint32_t k = 0; k < count; k++)
        assert_int_equal(seen[k], bvh_finite(&boxes[k]) && bvh_overlap(&boxes[k], query));
}

static void expect_line(const struct bvh_tree *tree, const struct bvh_box *boxes, uint32_t count,
                        const struct bvh_line *line) {
    static uint8_t seen[MOST];
    memset(seen, 0, sizeof seen);
    for (uint32_t at = 0, leaf; (leaf = bvh_next_on_line(tree->nodes, tree->ends, &at, line)) != BVH_NOTHING;)
        for (uint32_t k = tree->nodes[leaf].first; k < tree->nodes[leaf].first + tree->nodes[leaf].count; k++)
            seen[tree->order[k]]++;
    for (uint32_t k = 0; k < count; k++) {
        assert_true(seen[k] <= 1);
        if (bvh_finite(&boxes[k]) && bvh_line_meets(line, &boxes[k]))
            assert_int_equal(seen[k], 1);
    }
}

/* Each node's box is exactly that of its boxes, and each level has the nodes of its depth. */
static void expect_tight(const struct bvh_tree *tree, const struct bvh_box *boxes) {
    for (int d = 0; d < tree->levels; d++)
        for (uint32_t n = tree->level[d]; n < tree->level[d + 1]; n++) {
            const struct bvh_binary *node = &tree->nodes[tree->by_level[n]];
            struct bvh_box sum = bvh_empty();
            for (uint32_t k = node->first; k < node->first + node->count; k++)
                bvh_join(&sum, &boxes[tree->order[k]]);
            assert_memory_equal(&sum, &node->box, sizeof sum);
        }
}

static void queries(struct app_random *random, const struct bvh_tree *tree, const struct bvh_box *boxes,
                    uint32_t count) {
    for (int k = 0; k < 40; k++) {
        struct bvh_box query;
        struct bvh_line line = {.limit = k & 1 ? 0.7f : INFINITY};
        for (int axis = 0; axis < 3; axis++) {
            query.low[axis] = spread(random, 1.5f);
            query.high[axis] = query.low[axis] + (float)app_unit(random) * (k & 2 ? 0.05f : 1.0f);
            line.origin[axis] = spread(random, 1.5f);
            line.inverse[axis] = 1 / spread(random, 1);
        }
        expect_overlaps(tree, boxes, count, &query);
        expect_line(tree, boxes, count, &line);
    }
}

static void boxes_and_lines(void **state) {
    (void)state;
    struct app_random random;
    struct bvh_box *boxes = app_alloc(MOST, sizeof *boxes);
    app_seed(&random, 5);
    static const uint32_t counts[] = {0, 1, 2, 4, 5, 33, 700, MOST};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct bvh_tree tree;
        fill_boxes(&random, boxes, counts[c], 0.2f);
        bvh_tree_build(&tree, boxes, counts[c], BVH_NOTHING);
        assert_int_equal(tree.count, count_finite(boxes, counts[c]));
        assert_int_equal(tree.left_out, counts[c] - tree.count);
        queries(&random, &tree, boxes, counts[c]);
        for (uint32_t k = 0; k < counts[c]; k++)
            for (int axis = 0; axis < 3; axis++) {
                const float moved = spread(&random, 0.3f);
                boxes[k].low[axis] += moved, boxes[k].high[axis] += moved;
            }
        assert_true(bvh_tree_refit(&tree, boxes));
        expect_tight(&tree, boxes);
        queries(&random, &tree, boxes, counts[c]);
        if (tree.count) {
            boxes[tree.order[tree.count / 2]].high[1] = NAN;
            assert_false(bvh_tree_refit(&tree, boxes));
        }
        bvh_tree_free(&tree);
    }
    free(boxes);
}

/* A walk of a subtree sees the subtree. */
static void parts(void **state) {
    (void)state;
    struct app_random random;
    struct bvh_box boxes[500];
    struct bvh_tree tree;
    app_seed(&random, 9);
    fill_boxes(&random, boxes, 500, 0.1f);
    bvh_tree_build(&tree, boxes, 500, BVH_NOTHING);
    const struct bvh_box all = {{-9, -9, -9}, {9, 9, 9}};
    const uint32_t starts[2] = {1, tree.nodes[0].right};
    uint32_t seen = 0;
    for (int s = 0; s < 2; s++)
        for (uint32_t at = starts[s], leaf;
             (leaf = bvh_next_overlap(tree.nodes, bvh_end(tree.nodes, starts[s]), &at, &all)) != BVH_NOTHING;)
            seen += tree.nodes[leaf].count;
    assert_int_equal(seen, tree.count);
    bvh_tree_free(&tree);
}

struct mesh {
    struct vec3 points[3 * MOST];
    struct bvh_triangle triangles[MOST];
    struct bvh_primitives all;
};

static struct mesh *make_mesh(struct app_random *random, uint32_t count) {
    struct mesh *mesh = app_alloc(1, sizeof *mesh);
    for (uint32_t k = 0; k < count; k++) {
        const struct vec3 at = scatter(random, 1);
        for (uint32_t c = 0; c < 3; c++) {
            mesh->points[3 * k + c] = plus(at, scatter(random, 0.1f));
            mesh->triangles[k].corner[c] = 3 * k + c;
        }
        const uint32_t kind = app_below(random, 12);
        if (kind == 0) /* of its corners one is nowhere */
            mesh->points[3 * k + app_below(random, 3)].y = app_below(random, 2) ? NAN : -INFINITY;
        else if (kind == 1) /* no area */
            mesh->points[3 * k + 2] = mesh->points[3 * k + app_below(random, 2)];
    }
    mesh->all = (struct bvh_primitives){.points = mesh->points, .triangles = mesh->triangles, .triangle_count = count};
    return mesh;
}

static struct hit shoot(const struct bvh *bvh, const struct ray *ray) {
    return bvh_closest(bvh->nodes, bvh->blocks, bvh->extent, bvh->triangles, ray, INFINITY);
}

/* The same rays by the hierarchy of one triangle each, the nearest of which counts. */
static void expect_hits(struct app_random *random, const struct bvh *bvh, const struct mesh *mesh) {
    struct bvh *alone = app_alloc(mesh->all.triangle_count, sizeof *alone);
    for (size_t k = 0; k < mesh->all.triangle_count; k++) {
        const struct bvh_primitives one = {
            .points = mesh->points, .triangles = &mesh->triangles[k], .triangle_count = 1};
        bvh_build(&alone[k], &one);
    }
    for (int r = 0; r < 200; r++) {
        const struct ray ray = {scatter(random, 1.2f), unit(scatter(random, 1))};
        struct hit best = {INFINITY, BVH_NOTHING, 0};
        for (size_t k = 0; k < mesh->all.triangle_count; k++) {
            const struct hit hit = shoot(&alone[k], &ray);
            if (hit.id != BVH_NOTHING && hit.t < best.t)
                best = (struct hit){hit.t, (uint32_t)k, 0};
        }
        const struct hit hit = shoot(bvh, &ray);
        assert_int_equal(hit.id, best.id);
        assert_true(hit.t == best.t);
    }
    for (size_t k = 0; k < mesh->all.triangle_count; k++)
        bvh_free(&alone[k]);
    free(alone);
}

static void rays(void **state) {
    (void)state;
    struct app_random random;
    app_seed(&random, 3);
    static const uint32_t counts[] = {0, 1, 5, 300, 2000};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        struct mesh *mesh = make_mesh(&random, counts[c]);
        struct bvh bvh;
        bvh_build(&bvh, &mesh->all);
        expect_hits(&random, &bvh, mesh);
        for (uint32_t k = 0; k < 3 * counts[c]; k++)
            mesh->points[k] = plus(times(mesh->points[k], 1.5f), scatter(&random, 0.05f));
        assert_true(bvh_refit(&bvh, &mesh->all));
        expect_hits(&random, &bvh, mesh);
        if (bvh.blocks[0].id[0] != BVH_NOTHING) {
            mesh->points[3 * bvh.blocks[0].id[0]].x = NAN;
            assert_false(bvh_refit(&bvh, &mesh->all));
        }
        bvh_free(&bvh);
        free(mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_and_lines), cmocka_unit_test(parts),
                                       cmocka_unit_test(rays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
