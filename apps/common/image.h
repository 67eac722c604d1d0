/* SPDX-License-Identifier: Apache-2.0 */
/* Grey pictures: PGM (P2, P5) and PNG in, both out. Whatever a PNG holds becomes grey: palettes and
 * colours by their luminance, transparency as if on white. 16 bits stay 16 bits. */
#ifndef HEDDLE_APP_IMAGE_H
#define HEDDLE_APP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_SIDE_MOST = 1000000 };
#define IMAGE_PIXELS_MOST (UINT64_C(1) << 30)
/* A PNG can unpack to eight thousand pixels a byte. More than so many have to come from a file with a byte for
 * every 64. */
#define IMAGE_PIXELS_CHEAP (UINT64_C(1) << 26)
enum { IMAGE_PIXELS_PER_BYTE = 64 };

struct image {
    int width, height;
    int most;         /* value of white: 1 to 65535 */
    uint16_t *pixels; /* [height][width], 0 to most */
};

/* False: `message` says "PATH: what"; nothing is left to free. "-" is standard input. */
bool image_read(struct image *image, const char *path, char *message, size_t size);
bool image_parse(struct image *image, const unsigned char *bytes, size_t count, char *message, size_t size);
/* The format is in the name: .png or .pgm; 8 bits where `most` fits, else 16. */
bool image_write(const struct image *image, const char *path, char *message, size_t size);
/* Colours: rows of red, green, blue, 8 bits each; .png or .ppm. */
bool image_write_rgb(const uint8_t *rgb, int width, int height, const char *path, char *message, size_t size);
bool image_has_suffix(const char *path, const char *suffix);
void image_alloc(struct image *image, int width, int height, int most);
void image_free(struct image *image);

#endif
