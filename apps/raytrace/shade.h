/* SPDX-License-Identifier: Apache-2.0 */
/* The colour of a pixel: T. Whitted, An Improved Illumination Model for Shaded Display, CACM 1980; highlights by J.
 * Blinn (1977), the share of glass that mirrors by C. Schlick (1994). What a hit makes new rays of is kept on a stack
 * instead of by recursion. Whoever includes this may define SHADE_CLOSEST and SHADE_BETWEEN to find hits in another way
 * (bench/programs/embree.c). */
#ifndef RAYTRACE_SHADE_H
#define RAYTRACE_SHADE_H

#include "traverse.h"

#ifndef SHADE_CLOSEST
#define SHADE_CLOSEST closest
#define SHADE_BETWEEN shade_between
#endif

#define SHADE_FAR 0x1p60f
#define SHADE_LEAST (1 / 512.0f) /* what adds less to a pixel is not followed */

struct branch {
    struct ray ray;
    struct vec3 weight;
    int32_t depth;
};

struct surface {
    struct vec3 point, normal; /* normal: towards where the ray came from */
    struct vec3 flat;          /* the shape's own, without smoothing, to the same side */
    struct vec3 colour;
    const struct material *material;
    float reach; /* how far off the surface new rays begin */
    bool inside; /* the ray came from behind the surface */
};

RAY_INLINE uint32_t scramble(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* [0, 1) in steps of 2^-24, exact. */
RAY_INLINE float fraction(uint32_t bits) { return (float)(bits >> 8) * 0x1p-24f; }

/* x^n by squaring: the same multiplications everywhere. */
RAY_INLINE float power(float x, int32_t n) {
    float result = 1;
    for (; n; n >>= 1, x *= x)
        if (n & 1)
            result *= x;
    return result;
}

RAY_INLINE struct vec3 background(const struct frame *frame, struct vec3 direction) {
    const float up = 0.5f * direction.y + 0.5f;
    return plus(times(get(&frame->below), 1 - up), times(get(&frame->above), up));
}

/* The whole number below, for checks; 0 where a float has none left. */
RAY_INLINE int32_t whole(float x) {
    if (!(magnitude(x) < 0x1p30f))
        return 0;
    const int32_t towards_zero = (int32_t)x;
    return towards_zero - ((float)towards_zero > x);
}

/* A quarter of a cube above the surface, so that a floor between two cubes does not flicker. */
RAY_INLINE struct vec3 colour_at(const struct material *m, struct vec3 point, struct vec3 normal) {
    if (!(m->checks > 0))
        return get(&m->colour);
    const struct vec3 at = plus(times(point, m->checks), times(normal, 0.25f));
    return (whole(at.x) + whole(at.y) + whole(at.z)) & 1 ? get(&m->other) : get(&m->colour);
}

/* Normals of the corners by their weights at the hit; the flat one where they cancel. */
RAY_INLINE struct vec3 smooth_normal(const struct view *view, const struct face *face, const struct bvh_block *b,
                                     uint32_t k, const struct ray *ray, struct vec3 flat) {
    const struct vec3 one = lane(b->b, k), two = lane(b->c, k), s = minus(ray->origin, lane(b->a, k));
    const struct vec3 h = cross(ray->direction, two), q = cross(s, one);
    const float scale = 1 / dot(one, h), u = dot(s, h) * scale, v = dot(ray->direction, q) * scale;
    const struct vec3 n = plus(
        plus(times(get(&view->normals[face->normal[0]]), 1 - u - v), times(get(&view->normals[face->normal[1]]), u)),
        times(get(&view->normals[face->normal[2]]), v));
    const struct vec3 result = unit(n);
    return dot(result, result) > 0.5f ? result : flat;
}

RAY_INLINE struct surface find_surface(const struct view *view, const struct ray *ray, const struct hit *hit) {
    struct surface s = {.point = plus(ray->origin, times(ray->direction, hit->t))};
    uint32_t material;
    if (hit->id >= VIEW_PLANE) {
        s.normal = s.flat = get(&view->planes[hit->id - VIEW_PLANE].normal);
        material = view->planes[hit->id - VIEW_PLANE].material;
    } else {
        const struct bvh_block *b = &view->blocks[hit->where / BVH_BLOCK];
        const struct face *face = &view->faces[hit->id];
        const uint32_t k = hit->where % BVH_BLOCK;
        material = face->material;
        if (hit->id >= view->frame->triangles)
            s.normal = s.flat = unit(minus(s.point, lane(b->a, k)));
        else {
            s.normal = s.flat = unit(cross(lane(b->b, k), lane(b->c, k)));
            if (face->normal[0] != FACE_FLAT)
                s.normal = smooth_normal(view, face, b, k, ray, s.flat);
        }
    }
    s.inside = dot(s.flat, ray->direction) > 0;
    if (s.inside)
        s.flat = times(s.flat, -1);
    if (dot(s.normal, s.flat) < 0)
        s.normal = times(s.normal, -1);
    s.material = &view->materials[material];
    s.colour = colour_at(s.material, s.point, s.flat);
    s.reach = 4e-6f * (largest(vec(magnitude(s.point.x), magnitude(s.point.y), magnitude(s.point.z))) + hit->t);
    return s;
}

/* The place on a light: its middle, or of a light with a size a point that depends on pixel and sample. */
RAY_INLINE struct vec3 light_point(const struct light *light, uint32_t dice) {
    if (!(light->radius > 0))
        return get(&light->place);
    struct vec3 off = vec(0, 0, 0);
    for (uint32_t k = 0; k < 8; k++) { /* a point of the ball: a few tries in the cube */
        off.x = 2 * fraction(dice = scramble(dice + 0x9e3779b9u)) - 1;
        off.y = 2 * fraction(dice = scramble(dice + 0x9e3779b9u)) - 1;
        off.z = 2 * fraction(dice = scramble(dice + 0x9e3779b9u)) - 1;
        if (dot(off, off) <= 1)
            break;
    }
    return plus(get(&light->place), times(off, light->radius));
}

/* Diffuse light and highlight of one light. */
RAY_INLINE struct vec3 lit_by(const struct view *view, const struct surface *s, struct vec3 direction,
                              const struct light *light, uint32_t dice, uint32_t *rays) {
    const struct material *m = s->material;
    const struct vec3 dark = vec(0, 0, 0), place = light_point(light, dice);
    const struct ray shadow_from = {plus(s->point, times(s->flat, s->reach)), dark};
    const struct vec3 way = light->sun ? place : minus(place, shadow_from.origin);
    const float distance = light->sun ? SHADE_FAR : square_root(dot(way, way));
    const struct vec3 to = unit(way);
    const float facing = dot(s->normal, to);
    if (!(facing > 0 && dot(s->flat, to) > 0 && distance > 0) || !(m->diffuse > 0 || m->specular > 0))
        return dark;
    const struct ray shadow = {shadow_from.origin, to};
    ++*rays;
    const int32_t taken = SHADE_BETWEEN(view, &shadow, distance);
    if (taken >= SCENE_SHADE_OPAQUE)
        return dark;
    const float left = (float)(SCENE_SHADE_OPAQUE - taken) * (1.0f / SCENE_SHADE_OPAQUE);
    const float shine = power(most(dot(s->normal, unit(minus(to, direction))), 0), m->shine);
    const struct vec3 seen =
        plus(times(s->colour, m->diffuse * facing), vec(m->specular * shine, m->specular * shine, m->specular * shine));
    return times(blend(seen, get(&light->colour)), left);
}

RAY_INLINE void push(struct branch *stack, int32_t *top, struct vec3 origin, struct vec3 direction, struct vec3 weight,
                     int32_t depth) {
    if (largest(weight) >= SHADE_LEAST)
        stack[(*top)++] = (struct branch){{origin, direction}, weight, depth};
}

/* Puts what is seen in and through the surface on the stack. */
RAY_INLINE void go_on(const struct surface *s, const struct branch *from, struct branch *stack, int32_t *top) {
    const struct material *m = s->material;
    const struct vec3 d = from->ray.direction, outside = plus(s->point, times(s->flat, s->reach));
    const float facing = -dot(s->normal, d), cosine = facing > 0 ? facing : 0;
    float mirrored = m->reflect, passed = m->transmit;
    if (m->transmit > 0) {
        const float ratio = s->inside ? m->index : 1 / m->index, under = 1 - ratio * ratio * (1 - cosine * cosine);
        const float root = under > 0 ? square_root(under) : 0;
        const float zero = (1 - m->index) / (1 + m->index), grazing = 1 - (s->inside ? root : cosine);
        const float share =
            under > 0 ? zero * zero + (1 - zero * zero) * (grazing * grazing * grazing * grazing * grazing) : 1;
        mirrored = most(mirrored, m->transmit * share);
        passed = m->transmit * (1 - share);
        const struct vec3 through = unit(plus(times(d, ratio), times(s->normal, ratio * cosine - root)));
        if (under > 0)
            push(stack, top, minus(s->point, times(s->flat, s->reach)), through,
                 times(blend(from->weight, s->colour), passed), from->depth + 1);
    }
    if (mirrored > 0) {
        struct vec3 back = unit(plus(d, times(s->normal, 2 * cosine)));
        if (!(dot(back, s->flat) > 0)) /* a smoothed normal sent it into the shape */
            back = unit(minus(d, times(s->flat, 2 * dot(s->flat, d))));
        const struct vec3 tint = m->transmit > 0 ? from->weight : blend(from->weight, s->colour);
        push(stack, top, outside, back, times(tint, mirrored), from->depth + 1);
    }
}

/* What one ray of the camera brings. */
RAY_INLINE struct vec3 trace(const struct view *view, struct ray ray, uint32_t dice, uint32_t *rays) {
    const struct frame *frame = view->frame;
    struct branch stack[VIEW_DEPTH_MOST + 2];
    struct vec3 sum = vec(0, 0, 0);
    int32_t top = 1;
    stack[0] = (struct branch){ray, {1, 1, 1}, 0};
    while (top) {
        const struct branch b = stack[--top];
        const struct hit hit = SHADE_CLOSEST(view, &b.ray, SHADE_FAR);
        ++*rays;
        if (hit.id == VIEW_MISS) {
            sum = plus(sum, blend(b.weight, background(frame, b.ray.direction)));
            continue;
        }
        const struct surface s = find_surface(view, &b.ray, &hit);
        struct vec3 light = times(blend(s.colour, get(&frame->ambient)), s.material->ambient);
        for (uint32_t k = 0; k < frame->lights; k++)
            light = plus(light, lit_by(view, &s, b.ray.direction, &view->lights[k],
                                       scramble(dice + k * 0x85ebca6bu + (uint32_t)b.depth), rays));
        sum = plus(sum, blend(b.weight, light));
        if (b.depth < frame->depth)
            go_on(&s, &b, stack, &top);
    }
    return sum;
}

/* Linear to what screens take (sRGB), 0 to 255, by square roots: within 0.5 of the exact curve. */
RAY_INLINE uint32_t screen(float x) {
    x = x > 0 ? least(x, 1) : 0;
    const float a = square_root(x), b = square_root(a), c = square_root(b);
    const float y = 0.662002687f * a + 0.684122060f * b - 0.323583601f * c - 0.0225411470f * x;
    const float level = least(most(y, 0), 1) * 255 + 0.5f;
    return (uint32_t)(int32_t)level;
}

/* Pixel `index` in the order of tiles: 0xAABBGGRR with AA = 255; 0 for one that is outside the picture. Adds to *rays.
 */
RAY_INLINE uint32_t shade_pixel(const struct view *view, long index, uint32_t *rays) {
    const struct frame *f = view->frame;
    const int32_t tile = (int32_t)(index / VIEW_TILE), in = (int32_t)(index % VIEW_TILE);
    const int32_t x = tile % f->tiles_across * VIEW_TILE_WIDTH + in % VIEW_TILE_WIDTH;
    const int32_t y = tile / f->tiles_across * VIEW_TILE_HEIGHT + in / VIEW_TILE_WIDTH;
    if (x >= f->width || y >= f->height)
        return 0;
    const uint32_t pixel = scramble((uint32_t)x + scramble((uint32_t)y + 1));
    struct vec3 sum = vec(0, 0, 0);
    for (int32_t k = 0; k < f->samples; k++) {
        /* places in the pixel: M. Roberts' R2 sequence, shifted at random; the middle if there is one sample only */
        const uint32_t i = (uint32_t)k * (f->samples > 1), moved = f->samples > 1 ? pixel : 0;
        const float px = fraction(0x80000000u + i * 3242174889u + moved),
                    py = fraction(0x80000000u + i * 2447445414u + moved * 0x9e3779b1u);
        const struct vec3 at =
            plus(get(&f->corner), plus(times(get(&f->across), (float)x + px), times(get(&f->down), (float)y + py)));
        const struct ray ray = {get(&f->from), unit(at)};
        sum = plus(sum, trace(view, ray, scramble(pixel + (uint32_t)k * 0x27d4eb2fu), rays));
    }
    sum = times(sum, 1 / (float)f->samples);
    return 0xff000000u | screen(sum.z) << 16 | screen(sum.y) << 8 | screen(sum.x);
}

#endif
