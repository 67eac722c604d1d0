/* SPDX-License-Identifier: Apache-2.0 */
/* A seeded scene with what real video has: smooth shades, texture of several scales, edges, motion
 * and a little noise. Integers only, so that it is the same everywhere. */
#ifndef INTRA_SYNTHETIC_H
#define INTRA_SYNTHETIC_H

#include <stdint.h>

uint8_t *synthetic_texture(uint64_t seed);

/* Frame `number` into planes of stride x rows luma pixels; only width x height are set. */
void synthetic_frame(const uint8_t *texture, uint64_t seed, long number, int width, int height, int stride, int rows,
                     uint8_t *planes);

#endif
