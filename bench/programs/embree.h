/* SPDX-License-Identifier: Apache-2.0 */
/* A pixel by Embree and by raytrace's own hierarchy, for bench-embree: the same source but for what finds hits. */
#ifndef BENCH_EMBREE_H
#define BENCH_EMBREE_H

#include "render.h"

#include <embree3/rtcore.h>

/* By number of triangle: block * 4 + place in it. */
extern uint32_t *embree_where;
extern RTCScene embree_scene;

uint32_t embree_pixel(const struct view *view, long index, uint32_t *rays);
uint32_t own_pixel(const struct view *view, long index, uint32_t *rays);

#endif
