/* SPDX-License-Identifier: Apache-2.0 */
/* Which vertices are in or at which triangles. A vertex is held by the nearest triangle, along its normal. */
#include "softbody.h"

#include "app.h"
#include "overlap.h"

#include <stdlib.h>
#include <string.h>

/* How deep a vertex may be. */
static float reach_of(const struct body *body, float thickness) { return thickness + 0.75f * body->shape->edge; }

static struct vec3 place(const struct body *body, uint32_t row) {
    const size_t rows = body->shape->rows;
    return vec(body->x[row], body->x[rows + row], body->x[2 * rows + row]);
}

void collide_refit(struct body *body, float thickness) {
    const struct shape *s = body->shape;
    const float reach = reach_of(body, thickness);
    for (uint32_t f = 0; f < s->faces; f++) {
        const struct vec3 a = place(body, s->face[f][0]), b = place(body, s->face[f][1]),
                          c = place(body, s->face[f][2]);
        body->boxes[f] = (struct bvh_box){
            {least(least(a.x, b.x), c.x) - reach, least(least(a.y, b.y), c.y) - reach,
             least(least(a.z, b.z), c.z) - reach},
            {most(most(a.x, b.x), c.x) + reach, most(most(a.y, b.y), c.y) + reach, most(most(a.z, b.z), c.z) + reach}};
    }
    for (uint32_t k = s->tree.ends; k-- > 0;)
        if (body->nodes[k].count)
            bvh_refit_node(body->nodes, s->tree.order, body->boxes, k);
}

static const struct scene *sorted_scene; /* qsort has no context; one thread sorts */
static int compare_low(const void *x, const void *y) {
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const float p = sorted_scene->body[a].nodes[0].box.low[0], q = sorted_scene->body[b].nodes[0].box.low[0];
    return p < q ? -1 : p > q ? 1 : a < b ? -1 : a > b;
}

void collide_pairs(struct scene *scene) {
    uint32_t *order = app_alloc(scene->bodies + 1, sizeof *order);
    for (uint32_t b = 0; b < scene->bodies; b++)
        order[b] = b;
    sorted_scene = scene;
    qsort(order, scene->bodies, sizeof *order, compare_low);
    scene->pairs = scene->attached;
    for (uint32_t i = 0; i < scene->bodies && scene->settings.contacts; i++) {
        const struct bvh_box *box = &scene->body[order[i]].nodes[0].box;
        if (scene->settings.self)
            scene_pair(scene, order[i], order[i]);
        for (uint32_t j = i + 1; j < scene->bodies; j++) {
            const struct bvh_box *other = &scene->body[order[j]].nodes[0].box;
            if (other->low[0] > box->high[0])
                break;
            bool attached = false;
            const uint32_t a = order[i] < order[j] ? order[i] : order[j], b = order[i] < order[j] ? order[j] : order[i];
            for (uint32_t k = 0; k < scene->attached; k++)
                attached |= scene->pair[k].body[0] == a && scene->pair[k].body[1] == b;
            if (!attached && bvh_overlap(box, other))
                scene_pair(scene, a, b);
        }
    }
    free(order);
}

/* C. Ericson: Real-Time Collision Detection (2005), 5.1.5. */
static struct vec3 nearest(struct vec3 p, struct vec3 a, struct vec3 b, struct vec3 c, float weight[3]) {
    const struct vec3 ab = minus(b, a), ac = minus(c, a), ap = minus(p, a), bp = minus(p, b), cp = minus(p, c);
    const float d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
                d6 = dot(ac, cp);
    const float vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    float v = 0, w = 0;
    if (d1 <= 0 && d2 <= 0)
        v = w = 0;
    else if (d3 >= 0 && d4 <= d3)
        v = 1;
    else if (vc <= 0 && d1 >= 0 && d3 <= 0)
        v = d1 / (d1 - d3);
    else if (d6 >= 0 && d5 <= d6)
        w = 1;
    else if (vb <= 0 && d2 >= 0 && d6 <= 0)
        w = d2 / (d2 - d6);
    else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        w = (d4 - d3) / (d4 - d3 + (d5 - d6));
        v = 1 - w;
    } else {
        const float scale = 1 / (va + vb + vc);
        v = vb * scale;
        w = vc * scale;
    }
    weight[0] = 1 - v - w, weight[1] = v, weight[2] = w;
    return plus(a, plus(times(ab, v), times(ac, w)));
}

/* Whether vertex and triangle belong together anyway: near each other at rest. */
static bool near_at_rest(const struct shape *s, uint32_t vertex, const uint32_t *corner) {
    for (int c = 0; c < 3; c++) {
        float square = 0;
        for (size_t k = 0; k < 3; k++) {
            const float d = s->at_rest[k * s->rows + vertex] - s->at_rest[k * s->rows + corner[c]];
            square += d * d;
        }
        if (square < 9 * s->edge * s->edge)
            return true;
    }
    return false;
}

struct best {
    float distance, side;
    struct hold hold;
};

static void look_at(const struct body *other, struct vec3 p, const uint32_t *corner, float thickness, float reach,
                    struct best *best) {
    const struct vec3 a = place(other, corner[0]), b = place(other, corner[1]), c = place(other, corner[2]);
    float weight[3];
    const struct vec3 d = minus(p, nearest(p, a, b, c, weight)), n = unit(cross(minus(b, a), minus(c, a)));
    const float distance = square_root(dot(d, d)), side = dot(n, d);
    /* beside an edge several triangles are as near: the one that sees the vertex best knows the side */
    if (distance > best->distance * (1 + 1e-4f) ||
        (distance > best->distance * (1 - 1e-4f) && magnitude(side) <= magnitude(best->side)))
        return;
    best->distance = distance;
    best->side = side;
    best->hold.gap = (side > 0 ? distance <= thickness : distance <= reach) ? side - thickness : 0;
    memcpy(best->hold.corner, corner, sizeof best->hold.corner);
    memcpy(best->hold.weight, weight, sizeof weight);
    best->hold.normal[0] = n.x, best->hold.normal[1] = n.y, best->hold.normal[2] = n.z;
}

static void find_holds(const struct body *own, const struct body *other, uint32_t side, float thickness,
                       struct pair *pair) {
    const struct shape *s = own->shape, *t = other->shape;
    const float reach = reach_of(other, thickness);
    for (uint32_t k = 0; k < s->vertices; k++) {
        const uint32_t vertex = s->vertex[k];
        const struct vec3 p = place(own, vertex);
        const struct bvh_box box = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
        struct best best = {.distance = 1e30f, .hold = {.vertex = vertex, .side = side}};
        for (uint32_t at = 0, leaf; (leaf = bvh_next_overlap(other->nodes, t->tree.ends, &at, &box)) != BVH_NOTHING;)
            for (uint32_t i = 0; i < other->nodes[leaf].count; i++) {
                const uint32_t *corner = t->face[t->tree.order[other->nodes[leaf].first + i]];
                if (own != other || !near_at_rest(s, vertex, corner))
                    look_at(other, p, corner, thickness, reach, &best);
            }
        if (best.hold.gap < 0)
            pair_hold(pair, &best.hold);
    }
}

void collide_narrow(const struct scene *scene, struct pair *pair) {
    const struct body *a = &scene->body[pair->body[0]], *b = &scene->body[pair->body[1]];
    pair->count = 0;
    find_holds(a, b, 0, scene->settings.thickness, pair);
    if (a != b)
        find_holds(b, a, 1, scene->settings.thickness, pair);
}

static uint32_t root_of(struct body *body, uint32_t k) {
    while (body[k].set != k)
        k = body[k].set = body[body[k].set].set;
    return k;
}

static uint32_t other_of(const struct scene *scene, const struct body *body, uint32_t pair) {
    const uint32_t *both = scene->pair[pair].body;
    return both[both[0] == body->number];
}

/* In the order of the other body, so that no sum depends on how pairs were found. */
static void meet(const struct scene *scene, struct body *body, uint32_t pair) {
    if (body->meets_count == body->meets_room) {
        body->meets_room = body->meets_room ? 2 * body->meets_room : 8;
        body->meets = app_resize(body->meets, body->meets_room, sizeof *body->meets);
    }
    uint32_t at = body->meets_count++;
    for (; at && other_of(scene, body, body->meets[at - 1]) > other_of(scene, body, pair); at--)
        body->meets[at] = body->meets[at - 1];
    body->meets[at] = pair;
}

/* Sets by their smallest body, members in order. */
void collide_sets(struct scene *scene) {
    struct body *body = scene->body;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        body[b].set = b;
        body[b].meets_count = 0;
    }
    for (uint32_t k = 0; k < scene->pairs; k++) {
        const struct pair *pair = &scene->pair[k];
        if (!pair->count)
            continue;
        const uint32_t p = root_of(body, pair->body[0]), q = root_of(body, pair->body[1]);
        body[p < q ? q : p].set = p < q ? p : q;
        meet(scene, &body[pair->body[0]], k);
        if (pair->body[0] != pair->body[1])
            meet(scene, &body[pair->body[1]], k);
    }
    scene->sets = 0;
    uint32_t *number = app_alloc(scene->bodies + 1, sizeof *number), first = 0;
    for (uint32_t b = 0; b < scene->bodies; b++)
        if (root_of(body, b) == b) {
            number[b] = scene->sets;
            scene->set[scene->sets++] = (struct body_set){.first = 0};
        }
    for (uint32_t b = 0; b < scene->bodies; b++)
        scene->set[number[root_of(body, b)]].count++;
    for (uint32_t s = 0; s < scene->sets; s++) {
        scene->set[s].first = first;
        first += scene->set[s].count;
        scene->set[s].count = 0;
    }
    for (uint32_t b = 0; b < scene->bodies; b++) {
        struct body_set *set = &scene->set[number[root_of(body, b)]];
        scene->member[set->first + set->count++] = b;
    }
    free(number);
}
