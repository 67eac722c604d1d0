/* SPDX-License-Identifier: Apache-2.0 */
/* libpng reports errors by longjmp. So what must survive one lives in a structure, and nothing
 * between setjmp and the end of reading owns memory that is not in it. */
#include "image_png.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const unsigned char *at;
    size_t left;
    char *message;
    size_t size;
    png_bytep pixels;
    png_bytep *rows;
    size_t width, height, row_bytes;
    int channels, depth;
};

static void on_error(png_structp png, png_const_charp text) {
    struct reader *r = png_get_error_ptr(png);
    if (r)
        snprintf(r->message, r->size, "PNG: %s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void take(png_structp png, png_bytep to, size_t count) {
    struct reader *r = png_get_io_ptr(png);
    if (count > r->left)
        png_error(png, "truncated");
    memcpy(to, r->at, count);
    r->at += count;
    r->left -= count;
}

/* Everything becomes grey, or grey and alpha, with 8 or 16 bits. */
static void convert(png_structp png, png_infop info) {
    const int colour = png_get_color_type(png, info);
    if (colour == PNG_COLOR_TYPE_PALETTE || png_get_bit_depth(png, info) < 8 || png_get_valid(png, info, PNG_INFO_tRNS))
        png_set_expand(png);
    if (colour & PNG_COLOR_MASK_COLOR)
        png_set_rgb_to_gray_fixed(png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT, PNG_RGB_TO_GRAY_DEFAULT);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

/* What a file may make us allocate; the header is all that was read. */
static void limit(const struct reader *r, png_structp png, size_t file_size) {
    char text[200];
    const uint64_t pixels = (uint64_t)r->width * r->height;
    if (pixels > IMAGE_PIXELS_MOST)
        snprintf(text, sizeof text, "%zu x %zu pixels are more than the %d million that are read", r->width, r->height,
                 (int)(IMAGE_PIXELS_MOST >> 20));
    else if (pixels > IMAGE_PIXELS_CHEAP && pixels / IMAGE_PIXELS_PER_BYTE > file_size)
        snprintf(
            text, sizeof text,
            "%zu x %zu pixels in %zu bytes: more than %d million are read only where %d take a byte; convert it to PGM",
            r->width, r->height, file_size, (int)(IMAGE_PIXELS_CHEAP >> 20), IMAGE_PIXELS_PER_BYTE);
    else
        return;
    png_error(png, text);
}

/* False: the message is set; what was allocated is freed by the caller. */
static bool read_rows(struct reader *r, png_structp png, png_infop info) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_set_user_limits(png, IMAGE_SIDE_MOST, IMAGE_SIDE_MOST);
    png_set_read_fn(png, r, take);
    const size_t file_size = r->left;
    png_read_info(png, info);
    r->width = png_get_image_width(png, info);
    r->height = png_get_image_height(png, info);
    limit(r, png, file_size);
    convert(png, info);
    r->channels = png_get_channels(png, info);
    r->depth = png_get_bit_depth(png, info);
    r->row_bytes = png_get_rowbytes(png, info);
    r->pixels = calloc(r->height, r->row_bytes);
    r->rows = calloc(r->height, sizeof *r->rows);
    if (!r->pixels || !r->rows)
        png_error(png, "out of memory");
    for (size_t k = 0; k < r->height; k++)
        r->rows[k] = r->pixels + k * r->row_bytes;
    png_read_image(png, r->rows);
    png_read_end(png, NULL);
    return true;
}

static unsigned sample(const struct reader *r, const unsigned char *pixel, int channel) {
    if (r->depth == 8)
        return pixel[channel];
    return (unsigned)pixel[2 * channel] << 8 | pixel[2 * channel + 1];
}

static void to_image(const struct reader *r, struct image *image) {
    const uint64_t most = r->depth == 8 ? 255 : 65535;
    const size_t step = (size_t)r->channels * (size_t)r->depth / 8;
    image_alloc(image, (int)r->width, (int)r->height, (int)most);
    for (size_t y = 0; y < r->height; y++)
        for (size_t x = 0; x < r->width; x++) {
            const unsigned char *pixel = r->rows[y] + x * step;
            uint64_t value = sample(r, pixel, 0);
            if (r->channels == 2) {
                uint64_t alpha = sample(r, pixel, 1);
                value = (value * alpha + most * (most - alpha) + most / 2) / most;
            }
            image->pixels[y * r->width + x] = (uint16_t)value;
        }
}

bool image_parse_png(struct image *image, const unsigned char *bytes, size_t count, char *message, size_t size) {
    struct reader r = {.at = bytes, .left = count, .message = message, .size = size};
    bool good = false;
    snprintf(message, size, "PNG: out of memory");
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        good = read_rows(&r, png, info);
    png_destroy_read_struct(&png, &info, NULL);
    if (good)
        to_image(&r, image);
    free(r.rows);
    free(r.pixels);
    return good;
}

static bool write_rows(const struct image *image, png_structp png, png_infop info, FILE *file, png_bytep row) {
    const int depth = image->most > 255 ? 16 : 8, full = image->most > 255 ? 65535 : 255;
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, depth, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 3);
    png_write_info(png, info);
    for (int y = 0; y < image->height; y++) {
        const uint16_t *from = image->pixels + (size_t)y * (size_t)image->width;
        for (int x = 0; x < image->width; x++) {
            long value = ((long)from[x] * full + image->most / 2) / image->most;
            if (depth == 16)
                row[2 * x] = (png_byte)(value >> 8), row[2 * x + 1] = (png_byte)value;
            else
                row[x] = (png_byte)value;
        }
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    return true;
}

bool image_write_png(const struct image *image, FILE *file) {
    bool good = false;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    png_bytep row = calloc((size_t)image->width, 2);
    if (info && row)
        good = write_rows(image, png, info, file, row);
    free(row);
    png_destroy_write_struct(&png, &info);
    return good;
}

static bool write_rgb_rows(const uint8_t *rgb, png_uint_32 width, png_uint_32 height, png_structp png, png_infop info,
                           FILE *file) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 3);
    png_write_info(png, info);
    for (png_uint_32 y = 0; y < height; y++)
        png_write_row(png, (png_const_bytep)rgb + (size_t)y * width * 3);
    png_write_end(png, NULL);
    return true;
}

bool image_write_png_rgb(const uint8_t *rgb, int width, int height, FILE *file) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    const bool good = info && write_rgb_rows(rgb, (png_uint_32)width, (png_uint_32)height, png, info, file);
    png_destroy_write_struct(&png, &info);
    return good;
}
