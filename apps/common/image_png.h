/* SPDX-License-Identifier: Apache-2.0 */
/* The part of image.c that knows libpng. */
#ifndef HEDDLE_APP_IMAGE_PNG_H
#define HEDDLE_APP_IMAGE_PNG_H

#include "image.h"

#include <stdio.h>

bool image_parse_png(struct image *image, const unsigned char *bytes, size_t count, char *message, size_t size);
bool image_write_png(const struct image *image, FILE *file);
bool image_write_png_rgb(const uint8_t *rgb, int width, int height, FILE *file);

#endif
