/* SPDX-License-Identifier: Apache-2.0 */
/* Views of a scene from the side and a little above, with shadows on the ground, one beside another. */
#include "softbody.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct spot {
    float x, y, z; /* z: towards the viewer */
    struct vec3 normal;
};
struct canvas {
    int size;
    float *depth;
    uint8_t *rgb;
};

static const struct vec3 sun = {0.36f, 0.82f, 0.45f};

/* Turned by 35 degrees, seen from 20 degrees above. */
static struct spot turn(struct vec3 p) {
    const float c = 0.81915f, s = 0.57358f, up = 0.34202f, along = 0.93969f;
    const float x = c * p.x - s * p.z, z = s * p.x + c * p.z;
    return (struct spot){.x = x, .y = -(along * p.y - up * z), .z = along * z + up * p.y};
}

static struct vec3 place(const struct body *body, uint32_t row) {
    const size_t rows = body->shape->rows;
    return vec(body->x[row], body->x[rows + row], body->x[2 * rows + row]);
}

static struct vec3 shadow_of(struct vec3 p, float ground) {
    const float t = (p.y - ground) / sun.y;
    return vec(p.x - sun.x * t, ground, p.z - sun.z * t);
}

static void widen(float low[3], float high[3], struct vec3 p) {
    const struct spot s = turn(p);
    low[0] = fminf(low[0], s.x), low[1] = fminf(low[1], s.y);
    high[0] = fmaxf(high[0], s.x), high[1] = fmaxf(high[1], s.y);
}

static bool stands(const struct scene *scene) {
    bool held = scene->settings.planes > 0;
    for (uint32_t b = 0; b < scene->bodies; b++)
        for (uint32_t n = 0; n < scene->body[b].shape->nodes; n++)
            held |= scene->body[b].free[n] < 0.5f;
    return held;
}

void strip_view(struct strip *strip, const struct scene *scene) {
    for (int k = 0; k < 3; k++) {
        strip->low[k] = strip->framed ? strip->low[k] : INFINITY;
        strip->high[k] = strip->framed ? strip->high[k] : -INFINITY;
    }
    const bool ground = scene->settings.planes > 0;
    for (uint32_t b = 0; b < scene->bodies; b++)
        for (uint32_t k = 0; k < scene->body[b].shape->vertices; k++) {
            const struct vec3 p = place(&scene->body[b], scene->body[b].shape->vertex[k]);
            widen(strip->low, strip->high, p);
            if (ground)
                widen(strip->low, strip->high, vec(p.x, 0, p.z));
        }
    if (!ground && stands(scene)) /* what is held at one end bends down */
        strip->high[1] += 0.3f * (strip->high[1] - strip->low[1]);
    strip->framed = true;
}

static float side(const struct spot *a, const struct spot *b, float x, float y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static int clamp(float value, int most) { return !(value > 0) ? 0 : value > (float)most ? most : (int)value; }

/* colour NULL: a shadow. */
static void draw(const struct canvas *canvas, const struct spot *a, const struct spot *b, const struct spot *c,
                 const float *colour) {
    const float area = side(a, b, c->x, c->y);
    const int most = canvas->size - 1;
    const int x0 = clamp(floorf(fminf(a->x, fminf(b->x, c->x))), most),
              x1 = clamp(ceilf(fmaxf(a->x, fmaxf(b->x, c->x))), most),
              y0 = clamp(floorf(fminf(a->y, fminf(b->y, c->y))), most),
              y1 = clamp(ceilf(fmaxf(a->y, fmaxf(b->y, c->y))), most);
    for (int y = y0; area != 0 && y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const float u = side(b, c, (float)x, (float)y) / area, v = side(c, a, (float)x, (float)y) / area,
                        w = 1 - u - v, z = u * a->z + v * b->z + w * c->z;
            const size_t at = (size_t)y * (size_t)canvas->size + (size_t)x;
            if (u < 0 || v < 0 || w < 0 || (colour && z <= canvas->depth[at]))
                continue;
            if (!colour) {
                memset(canvas->rgb + 3 * at, 214, 3);
                continue;
            }
            canvas->depth[at] = z;
            const struct vec3 n = unit(plus(plus(times(a->normal, u), times(b->normal, v)), times(c->normal, w)));
            const float light = 0.42f + 0.58f * fmaxf(0, dot(n, sun));
            for (int k = 0; k < 3; k++)
                canvas->rgb[3 * at + (size_t)k] = (uint8_t)(colour[k] * light);
        }
}

static void colour_of(uint32_t number, float colour[3]) {
    const float hue = 6 * fmodf((float)number * 0.381966f + 0.58f, 1.0f);
    for (int k = 0; k < 3; k++) {
        const float d = fabsf(fmodf(hue + (float)(6 - 2 * k), 6) - 3) - 1;
        colour[k] = 110 + 135 * fminf(1, fmaxf(0, d));
    }
}

struct frame {
    float scale, x, y, size;
};
static struct spot fit(const struct frame *f, struct vec3 p) {
    struct spot s = turn(p);
    s.x = (s.x - f->x) * f->scale + f->size / 2;
    s.y = (s.y - f->y) * f->scale + f->size / 2;
    return s;
}

static void draw_body(const struct canvas *canvas, const struct frame *frame, const struct body *body, bool shadow) {
    const struct shape *s = body->shape;
    struct spot *spots = app_alloc(s->rows, sizeof *spots);
    float colour[3];
    colour_of(body->number, colour);
    for (uint32_t k = 0; k < s->nodes; k++) {
        const struct vec3 p = place(body, k);
        spots[k] = fit(frame, shadow ? shadow_of(p, 0) : p);
        spots[k].normal = vec(0, 0, 0);
    }
    for (uint32_t f = 0; f < s->faces; f++) {
        const uint32_t *c = s->face[f];
        const struct vec3 a = place(body, c[0]), n = cross(minus(place(body, c[1]), a), minus(place(body, c[2]), a));
        for (int k = 0; k < 3; k++)
            spots[c[k]].normal = plus(spots[c[k]].normal, unit(n));
    }
    for (uint32_t f = 0; f < s->faces; f++)
        draw(canvas, &spots[s->face[f][0]], &spots[s->face[f][1]], &spots[s->face[f][2]], shadow ? NULL : colour);
    free(spots);
}

void picture_draw(const struct strip *strip, const struct scene *scene, uint8_t *rgb, int stride) {
    const int size = 2 * strip->size; /* averaged */
    const size_t pixels = (size_t)size * (size_t)size;
    const struct canvas canvas = {size, app_alloc(pixels, sizeof(float)), app_alloc(pixels, 3)};
    struct strip view = {.framed = false};
    memset(canvas.rgb, 252, 3 * pixels);
    for (size_t k = 0; k < pixels; k++)
        canvas.depth[k] = -INFINITY;
    strip_view(&view, scene);
    const struct strip *from = stands(scene) ? strip : &view; /* what flies is followed */
    const float extent = fmaxf(strip->high[0] - strip->low[0], strip->high[1] - strip->low[1]);
    const struct frame frame = {0.92f * (float)size / fmaxf(extent, 1e-20f), (from->low[0] + from->high[0]) / 2,
                                (from->low[1] + from->high[1]) / 2, (float)size};
    for (int shadow = scene->settings.planes > 0; shadow >= 0; shadow--)
        for (uint32_t b = 0; b < scene->bodies; b++)
            draw_body(&canvas, &frame, &scene->body[b], shadow);
    for (int y = 0; y < strip->size; y++)
        for (int x = 0; x < 3 * strip->size; x++) {
            const uint8_t *at = canvas.rgb + 6 * (y * size + x / 3) + x % 3;
            rgb[y * stride + x] = (uint8_t)((at[0] + at[3] + at[3 * size] + at[3 * size + 3] + 2) / 4);
        }
    free(canvas.depth);
    free(canvas.rgb);
}

void strip_open(struct strip *strip, int size, int count) {
    *strip = (struct strip){.size = size, .count = count};
    const size_t bytes = 3 * (size_t)size * (size_t)size * (size_t)count;
    strip->rgb = app_alloc(bytes + 1, 1);
    memset(strip->rgb, 252, bytes);
}

void strip_take(struct strip *strip, const struct scene *scene) {
    const int stride = 3 * strip->size * strip->count;
    if (strip->taken < strip->count)
        picture_draw(strip, scene, strip->rgb + 3 * strip->size * strip->taken++, stride);
}

void strip_close(struct strip *strip) { free(strip->rgb); }
