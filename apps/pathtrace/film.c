/* SPDX-License-Identifier: Apache-2.0 */
#include "film.h"

#include "app.h"
#include "create.h"
#include "image.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void film_rows(const struct frame *frame, const struct vec3 *film, uint32_t samples, struct vec3 *rows) {
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const long tile = (long)(y / VIEW_TILE_HEIGHT) * frame->tiles_across + x / VIEW_TILE_WIDTH;
            const struct vec3 sum =
                film[tile * VIEW_TILE + y % VIEW_TILE_HEIGHT * VIEW_TILE_WIDTH + x % VIEW_TILE_WIDTH];
            rows[(size_t)y * (size_t)frame->width + (size_t)x] = times(sum, 1 / (float)samples);
        }
}

static uint8_t screen(double x) {
    const double y = !(x > 0) ? 0 : x < 0.0031308 ? 12.92 * x : 1.055 * pow(x < 1 ? x : 1, 1 / 2.4) - 0.055;
    return (uint8_t)(y * 255 + 0.5);
}

bool film_write(const struct frame *frame, const struct vec3 *rows, double exposure, const char *path, char *message,
                size_t size) {
    const size_t n = (size_t)frame->width * (size_t)frame->height;
    uint8_t *rgb = app_alloc(n, 3);
    for (size_t k = 0; k < n; k++) {
        rgb[3 * k] = screen(exposure * (double)rows[k].x);
        rgb[3 * k + 1] = screen(exposure * (double)rows[k].y);
        rgb[3 * k + 2] = screen(exposure * (double)rows[k].z);
    }
    const bool good = image_write_rgb(rgb, frame->width, frame->height, path, message, size);
    free(rgb);
    return good;
}

bool film_write_pfm(const struct frame *frame, const struct vec3 *rows, const char *path, char *message, size_t size) {
    const size_t width = (size_t)frame->width;
    FILE *file = app_create(path);
    bool good = file && fprintf(file, "PF\n%d %d\n-1.0\n", frame->width, frame->height) > 0;
    for (int y = frame->height - 1; good && y >= 0; y--)
        good = fwrite(rows + (size_t)y * width, sizeof *rows, width, file) == width;
    if (app_finish(file, good))
        return true;
    snprintf(message, size, "%s: %s", path, strerror(errno));
    return false;
}
