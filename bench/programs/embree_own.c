/* SPDX-License-Identifier: Apache-2.0 */
#include "embree.h"

#include "shade.h"

uint32_t own_pixel(const struct view *view, long index, uint32_t *rays) { return shade_pixel(view, index, rays); }
