/* SPDX-License-Identifier: Apache-2.0 */
#include "synthetic.h"

#include "app.h"

#include <stdlib.h>

enum { SIDE = 512, MASK = SIDE - 1, SHAPES = 24 };

/* Sums of value noise: random values on grids of 4 to 128 pixels, linear between them. */
uint8_t *synthetic_texture(uint64_t seed) {
    static const int weight[6] = {6, 10, 18, 30, 56, 100}; /* of grids 4, 8, ... 128; 256ths */
    struct app_random random;
    int *sum = app_alloc(SIDE * SIDE, sizeof *sum);
    uint8_t *grid = app_alloc(SIDE * SIDE, 1), *texture = app_alloc(SIDE * SIDE, 1);
    app_seed(&random, seed);
    for (int octave = 0; octave < 6; octave++) {
        const int step = 4 << octave, count = SIDE / step;
        for (int k = 0; k < count * count; k++)
            grid[k] = (uint8_t)app_next(&random);
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                const int gx = x / step, gy = y / step, fx = x % step, fy = y % step;
                const int hx = (gx + 1) % count, hy = (gy + 1) % count;
                const int above = grid[gy * count + gx] * (step - fx) + grid[gy * count + hx] * fx;
                const int below = grid[hy * count + gx] * (step - fx) + grid[hy * count + hx] * fx;
                sum[y * SIDE + x] += (above * (step - fy) + below * fy) / (step * step) * weight[octave];
            }
    }
    for (int k = 0; k < SIDE * SIDE; k++)
        texture[k] = (uint8_t)(sum[k] >> 8 > 255 ? 255 : sum[k] >> 8);
    free(sum);
    free(grid);
    return texture;
}

/* Discs and boxes that move on straight lines and come back at the other side. */
struct shape {
    int x, y, radius, round, shade, texture;
};

static void place_shapes(struct shape *shapes, uint64_t seed, long number, int width, int height) {
    struct app_random random;
    app_seed(&random, seed + 1);
    for (int k = 0; k < SHAPES; k++) {
        const int least = width < height ? width : height;
        struct shape *s = &shapes[k];
        const int64_t x = app_below(&random, (uint32_t)width), y = app_below(&random, (uint32_t)height);
        const int64_t dx = (int64_t)app_below(&random, 9) - 4, dy = (int64_t)app_below(&random, 7) - 3;
        s->x = (int)((((x + dx * number) % width) + width) % width);
        s->y = (int)((((y + dy * number) % height) + height) % height);
        s->radius = least / 32 + (int)app_below(&random, (uint32_t)(least / 8 + 1)) + 1;
        s->round = (int)app_below(&random, 2);
        s->shade = (int)app_below(&random, 200) - 100;
        s->texture = (int)app_below(&random, SIDE);
    }
}

static int clip(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

static void draw(const struct shape *s, const uint8_t *texture, int width, int height, int stride, uint8_t *plane,
                 int shift) {
    const int r = s->radius >> shift, cx = s->x >> shift, cy = s->y >> shift, shade = shift ? s->shade / 3 : s->shade;
    for (int y = cy - r < 0 ? 0 : cy - r; y < height && y <= cy + r; y++)
        for (int x = cx - r < 0 ? 0 : cx - r; x < width && x <= cx + r; x++) {
            if (s->round && (x - cx) * (x - cx) + (y - cy) * (y - cy) > r * r)
                continue;
            const int t = texture[((y - cy + s->texture) & MASK) * SIDE + ((x - cx + s->texture) & MASK)];
            plane[(size_t)y * (size_t)stride + (size_t)x] = (uint8_t)clip(128 + shade + (t - 110) / (shift ? 6 : 2));
        }
}

void synthetic_frame(const uint8_t *texture, uint64_t seed, long number, int width, int height, int stride, int rows,
                     uint8_t *planes) {
    struct shape shapes[SHAPES];
    struct app_random random;
    place_shapes(shapes, seed, number, width, height);
    app_seed(&random, seed + 2 + (uint64_t)number);
    for (int plane = 0; plane < 3; plane++) {
        const int shift = plane > 0, w = width >> shift, h = height >> shift, line = stride >> shift;
        const int move = (int)(number * (plane + 2) & MASK);
        for (int y = 0; y < h; y++) {
            const uint8_t *from = texture + ((y + 37 * plane) & MASK) * SIDE;
            uint8_t *to = planes + (size_t)y * (size_t)line;
            uint64_t noise = app_next(&random);
            for (int x = 0; x < w; x++) {
                noise = noise * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                const int grain = (int)(noise >> 62) + (int)(noise >> 60 & 3) - 3;
                const int value = from[(x + move) & MASK];
                to[x] = (uint8_t)clip(plane ? 96 + value / 4 : value + (x + y) * 48 / (w + h) + grain);
            }
        }
        for (int k = 0; k < SHAPES; k++)
            draw(&shapes[k], texture, w, h, line, planes, shift);
        planes += (size_t)line * (size_t)(rows >> shift);
    }
}
