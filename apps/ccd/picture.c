/* SPDX-License-Identifier: Apache-2.0 */
/* A view of the first frame from above at an angle; triangles that collide are red. */
#include "ccd.h"

#include "app.h"
#include "image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct canvas {
    int size;
    uint8_t *rgb;
    float *depth;
};
struct spot {
    float x, y, z;
};

/* Turned by 35 degrees, seen from 25 degrees above. */
static struct spot turn(struct vec3 p) {
    const float c = 0.81915f, s = 0.57358f, up = 0.42262f, along = 0.90631f;
    const float x = c * p.x - s * p.z, z = s * p.x + c * p.z;
    return (struct spot){x, -(along * p.y - up * z), along * z + up * p.y};
}

static float side(const struct spot *a, const struct spot *b, float x, float y) {
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

static int clamp(float value, int most) { return !(value > 0) ? 0 : value > (float)most ? most : (int)value; }

static void draw(const struct canvas *canvas, const struct spot *a, const struct spot *b, const struct spot *c,
                 const uint8_t colour[3]) {
    const float area = side(a, b, c->x, c->y);
    const int most = canvas->size - 1;
    const int x0 = clamp(floorf(fminf(a->x, fminf(b->x, c->x))), most),
              x1 = clamp(ceilf(fmaxf(a->x, fmaxf(b->x, c->x))), most),
              y0 = clamp(floorf(fminf(a->y, fminf(b->y, c->y))), most),
              y1 = clamp(ceilf(fmaxf(a->y, fmaxf(b->y, c->y))), most);
    for (int y = y0; area != 0 && y <= y1; y++)
        for (int x = x0; x <= x1; x++) {
            const float u = side(b, c, (float)x, (float)y) / area, v = side(c, a, (float)x, (float)y) / area,
                        z = u * a->z + v * b->z + (1 - u - v) * c->z;
            const size_t at = (size_t)y * (size_t)canvas->size + (size_t)x;
            if (u < 0 || v < 0 || u + v > 1 || z <= canvas->depth[at])
                continue;
            canvas->depth[at] = z;
            memcpy(canvas->rgb + 3 * at, colour, 3);
        }
}

/* Twice the pixels in both directions, to be averaged. */
static void fit(const struct mesh *mesh, int size, struct spot *spots) {
    float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (uint32_t k = 0; k < mesh->points_count; k++) {
        spots[k] = turn(mesh->points[0][k]);
        low[0] = fminf(low[0], spots[k].x), high[0] = fmaxf(high[0], spots[k].x);
        low[1] = fminf(low[1], spots[k].y), high[1] = fmaxf(high[1], spots[k].y);
    }
    const float extent = fmaxf(fmaxf(high[0] - low[0], high[1] - low[1]), 1e-30f), scale = 0.94f * (float)size / extent;
    for (uint32_t k = 0; k < mesh->points_count; k++) {
        spots[k].x = (spots[k].x - (low[0] + high[0]) / 2) * scale + (float)size / 2;
        spots[k].y = (spots[k].y - (low[1] + high[1]) / 2) * scale + (float)size / 2;
    }
}

static void shade(const struct mesh *mesh, uint32_t f, bool hit, uint8_t colour[3]) {
    const struct vec3 *p = mesh->points[0];
    const uint32_t *c = mesh->faces[f].corner;
    const struct vec3 n = unit(cross(minus(p[c[1]], p[c[0]]), minus(p[c[2]], p[c[0]])));
    const float light = 0.35f + 0.65f * magnitude(dot(n, vec(0.36f, 0.8f, 0.48f)));
    const float base[2][3] = {{168, 190, 214}, {232, 44, 32}};
    for (int k = 0; k < 3; k++)
        colour[k] = (uint8_t)(base[hit][k] * light);
}

static void average(const struct canvas *canvas, int size, uint8_t *rgb) {
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            for (int k = 0; k < 3; k++) {
                const uint8_t *from = canvas->rgb + 3 * (2 * y * canvas->size + 2 * x) + k;
                rgb[3 * (y * size + x) + k] =
                    (uint8_t)((from[0] + from[3] + from[3 * canvas->size] + from[3 * canvas->size + 3] + 2) / 4);
            }
}

bool picture_write(const struct mesh *mesh, const struct contact *hits, size_t count, int size, const char *path,
                   char *message, size_t message_size) {
    const size_t pixels = 4 * (size_t)size * (size_t)size;
    const struct canvas canvas = {2 * size, app_alloc(pixels, 3), app_alloc(pixels, sizeof(float))};
    struct spot *spots = app_alloc(mesh->points_count, sizeof *spots);
    uint8_t *chosen = output_faces(mesh, hits, count), *rgb = app_alloc(pixels / 4, 3);
    memset(canvas.rgb, 255, pixels * 3);
    for (size_t k = 0; k < pixels; k++)
        canvas.depth[k] = -INFINITY;
    fit(mesh, canvas.size, spots);
    for (uint32_t f = 0; f < mesh->faces_count; f++) {
        const uint32_t *c = mesh->faces[f].corner;
        uint8_t colour[3];
        shade(mesh, f, chosen[f], colour);
        draw(&canvas, &spots[c[0]], &spots[c[1]], &spots[c[2]], colour);
    }
    average(&canvas, size, rgb);
    const bool good = image_write_rgb(rgb, size, size, path, message, message_size);
    free(canvas.rgb);
    free(canvas.depth);
    free(spots);
    free(chosen);
    free(rgb);
    return good;
}
