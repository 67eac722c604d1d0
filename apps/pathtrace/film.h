/* SPDX-License-Identifier: Apache-2.0 */
/* What becomes of a film: a picture for screens, or the light itself. */
#ifndef PATHTRACE_FILM_H
#define PATHTRACE_FILM_H

#include "view.h"

#include <stddef.h>

/* Mean light per pixel, row after row from the top; width * height. */
void film_rows(const struct frame *frame, const struct vec3 *film, uint32_t samples, struct vec3 *rows);
/* .png or .ppm: sRGB, 8 bits; light times `exposure`, 1 is white. False: message says what. */
bool film_write(const struct frame *frame, const struct vec3 *rows, double exposure, const char *path, char *message,
                size_t size);
/* .pfm: portable float map, from the bottom row to the top one, little-endian. */
bool film_write_pfm(const struct frame *frame, const struct vec3 *rows, const char *path, char *message, size_t size);

#endif
