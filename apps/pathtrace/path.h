/* SPDX-License-Identifier: Apache-2.0 */
/* The stages of a path (J. Kajiya, The Rendering Equation, 1986): extend finds the next surface, shade makes of it a
 * shadow ray to a light and the next extension ray, connect asks what the shadow ray brings. Each stage is one item of
 * a list in, at most one of each kind out. Light that both ways may find is weighed by the power heuristic (E. Veach,
 * L. Guibas, 1995). */
#ifndef PATHTRACE_PATH_H
#define PATHTRACE_PATH_H

#include "ray.h"
#include "surface.h"

enum { DICE_LIGHT, DICE_LIGHT_U, DICE_LIGHT_V, DICE_GLASS, DICE_CHOOSE, DICE_U, DICE_V, DICE_STAY };
enum { DEPTH_SURE = 3 }; /* so many surfaces every path may meet; after that chance decides */

/* The first ray of a sample. */
RAY_INLINE void start_path(const struct frame *f, uint32_t pixel, uint32_t sample, struct extension *ray) {
    const struct place place = view_place(f, pixel);
    const struct dice dice = dice_of(f->seed, pixel, sample, -1);
    const struct vec3 at = plus(get(&f->corner), plus(times(get(&f->across), (float)place.x + throw_dice(dice, 0)),
                                                      times(get(&f->down), (float)place.y + throw_dice(dice, 1))));
    *ray = (struct extension){get(&f->from), unit(at), vec(1, 1, 1), 0, pixel, sample, 0};
}

RAY_INLINE struct hit extend(const struct view *view, const struct extension *e) {
    const struct ray ray = {get(&e->origin), get(&e->direction)};
    return bvh_closest(view->nodes, view->blocks, view->frame->extent, view->frame->triangles, &ray, VIEW_FAR);
}

/* What the shadow ray brings: its light, or nothing. */
RAY_INLINE struct vec3 connect(const struct view *view, const struct shadow *s) {
    const struct ray ray = {get(&s->origin), get(&s->direction)};
    struct probe p = start_probe(view->frame->extent, view->frame->triangles, &ray, s->limit);
    const int any = 1;
    bvh_traverse(view->nodes, view->blocks, &p, &any, s->limit);
    return p.best.id == BVH_NOTHING ? s->light : vec(0, 0, 0);
}

struct vertex {
    struct vec3 point, normal, flat; /* both to the side where the ray came from; flat: without smoothing */
    float reach;                     /* how far off the surface new rays begin */
    bool inside;                     /* the ray came from behind */
    uint32_t material;
};

/* Normals of the corners by their weights at the hit; the flat one where they cancel. */
RAY_INLINE struct vec3 smooth_normal(const struct view *view, const struct face *face, const struct bvh_block *b,
                                     uint32_t k, const struct extension *e, struct vec3 flat) {
    const struct vec3 one = lane(b->b, k), two = lane(b->c, k), s = minus(e->origin, lane(b->a, k));
    const struct vec3 h = cross(e->direction, two), q = cross(s, one);
    const float scale = 1 / dot(one, h), u = dot(s, h) * scale, v = dot(e->direction, q) * scale;
    const struct vec3 n = plus(
        plus(times(get(&view->normals[face->normal[0]]), 1 - u - v), times(get(&view->normals[face->normal[1]]), u)),
        times(get(&view->normals[face->normal[2]]), v));
    const struct vec3 result = unit(n);
    return dot(result, result) > 0.5f ? result : flat;
}

RAY_INLINE struct vertex find_vertex(const struct view *view, const struct extension *e, const struct hit *hit) {
    const struct bvh_block *b = &view->blocks[hit->where / BVH_BLOCK];
    const struct face *face = &view->faces[hit->id];
    const uint32_t k = hit->where % BVH_BLOCK;
    struct vertex v = {.point = plus(e->origin, times(e->direction, hit->t)), .material = face->material};
    v.normal = v.flat = unit(cross(lane(b->b, k), lane(b->c, k)));
    if (face->normal[0] != FACE_FLAT)
        v.normal = smooth_normal(view, face, b, k, e, v.flat);
    v.inside = dot(v.flat, e->direction) > 0;
    if (v.inside)
        v.flat = times(v.flat, -1);
    if (dot(v.normal, v.flat) < 0)
        v.normal = times(v.normal, -1);
    if (!(dot(v.normal, e->direction) < 0)) /* seen from behind only because it is smoothed */
        v.normal = v.flat;
    v.reach = 4e-6f * (largest(vec(magnitude(v.point.x), magnitude(v.point.y), magnitude(v.point.z))) + hit->t);
    return v;
}

/* 1 / (1 + (other / own)^2) */
RAY_INLINE float power_weight(float own, float other) {
    const float ratio = other / own;
    return 1 / (1 + ratio * ratio);
}

/* Density with which choose_light finds a point, by angle. */
RAY_INLINE float light_density(const struct frame *f, float intensity, float distance, float cosine) {
    return intensity / f->power * (distance * distance / cosine);
}

RAY_INLINE struct vec3 given_light(const struct view *view, const struct extension *e, const struct hit *hit,
                                   const struct vertex *v, const struct material *m) {
    const float cosine = -dot(v->flat, e->direction);
    float share = 1;
    if (e->density > 0 && cosine > 0)
        share = power_weight(e->density, light_density(view->frame, m->intensity, hit->t, cosine));
    return times(blend(e->weight, get(&m->emit)), share);
}

/* The light whose part of the power this is. */
RAY_INLINE uint32_t find_light(const struct view *view, float u) {
    uint32_t low = 0, high = view->frame->lights - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (view->lights[middle].up_to > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* False: the point that was chosen brings nothing. */
RAY_INLINE bool aim_at_light(const struct view *view, const struct extension *e, const struct vertex *v,
                             const struct material *m, const struct basis *about, struct dice dice,
                             struct shadow *shadow) {
    if (!view->frame->lights || !(m->transmit < 1))
        return false;
    const struct light *light = &view->lights[find_light(view, throw_dice(dice, DICE_LIGHT))];
    const float root = square_root(throw_dice(dice, DICE_LIGHT_U)), second = throw_dice(dice, DICE_LIGHT_V) * root;
    const struct vec3 at = plus(get(&light->a), plus(times(get(&light->b), 1 - root), times(get(&light->c), second)));
    const struct vec3 origin = plus(v->point, times(v->flat, v->reach)), way = minus(at, origin);
    const float square = dot(way, way), distance = square_root(square);
    const struct vec3 to = unit(way);
    const float cosine = magnitude(dot(get(&light->normal), to));
    if (!(dot(v->flat, to) > 0 && cosine > 0 && square > 0 && square < 0x1p100f))
        return false;
    const struct scattered s = scatter_opaque(m, to_local(about, times(e->direction, -1)), to_local(about, to));
    const float opaque = 1 - m->transmit, density = light_density(view->frame, light->intensity, distance, cosine);
    if (!(largest(s.share) > 0 && density > 0))
        return false;
    const float scale = opaque / density * power_weight(density, opaque * s.density);
    shadow->origin = origin;
    shadow->direction = to;
    shadow->light = times(blend(blend(e->weight, s.share), get(&light->emit)), scale);
    /* not as far as the light itself */
    shadow->limit = distance * 0.9999f - 4e-6f * largest(vec(magnitude(at.x), magnitude(at.y), magnitude(at.z)));
    return shadow->limit > 0;
}

/* A ray that glass mirrors or lets through. */
RAY_INLINE void through_glass(const struct extension *e, const struct vertex *v, const struct material *m, float choose,
                              struct extension *next) {
    const float ratio = v->inside ? m->index : 1 / m->index, cosine = least(1, -dot(v->normal, e->direction));
    float behind;
    const float mirrored = glass_mirrors(ratio, cosine, &behind);
    const bool back = choose < mirrored;
    const struct vec3 to = back ? plus(e->direction, times(v->normal, 2 * cosine))
                                : plus(times(e->direction, ratio), times(v->normal, ratio * cosine - behind));
    next->direction = unit(to);
    next->weight = back ? e->weight : blend(e->weight, get(&m->tint));
    next->density = 0;
}

RAY_INLINE bool go_on(const struct extension *e, const struct vertex *v, const struct material *m,
                      const struct basis *about, struct dice dice, struct extension *next) {
    const float glass = throw_dice(dice, DICE_GLASS);
    *next = *e;
    if (glass < m->transmit)
        through_glass(e, v, m, glass / m->transmit, next);
    else {
        struct vec3 in, weight;
        if (!sample_opaque(m, to_local(about, times(e->direction, -1)), throw_dice(dice, DICE_CHOOSE),
                           throw_dice(dice, DICE_U), throw_dice(dice, DICE_V), &in, &weight, &next->density))
            return false;
        next->direction = to_world(about, in);
        next->weight = blend(e->weight, weight);
        next->density *= 1 - m->transmit;
        if (!(dot(next->direction, v->flat) > 0)) /* a smoothed normal sent it into the surface */
            return false;
    }
    const float side = dot(next->direction, v->flat) > 0 ? v->reach : -v->reach;
    next->origin = plus(v->point, times(v->flat, side));
    next->depth = e->depth + 1;
    const float stay = least(1, largest(next->weight));
    if (next->depth > DEPTH_SURE && stay < 1) {
        if (!(throw_dice(dice, DICE_STAY) < stay))
            return false;
        next->weight = times(next->weight, 1 / stay);
    }
    return largest(next->weight) > 0;
}

RAY_INLINE struct shaded shade(const struct view *view, const struct extension *e, const struct hit *hit) {
    struct shaded s = {.light = vec(0, 0, 0)};
    if (hit->id == BVH_NOTHING) {
        s.light = blend(e->weight, get(&view->frame->sky));
        return s;
    }
    const struct vertex v = find_vertex(view, e, hit);
    const struct material *m = &view->materials[v.material];
    const struct dice dice = dice_of(view->frame->seed, e->pixel, e->sample, e->depth);
    const struct basis about = basis_of(v.normal);
    if (m->intensity > 0)
        s.light = given_light(view, e, hit, &v, m);
    if (e->depth < view->frame->depth) {
        s.made |= aim_at_light(view, e, &v, m, &about, dice, &s.shadow) ? SHADE_SHADOW : 0;
        s.made |= go_on(e, &v, m, &about, dice, &s.next) ? SHADE_NEXT : 0;
    }
    return s;
}

#endif
