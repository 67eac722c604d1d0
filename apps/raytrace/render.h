/* SPDX-License-Identifier: Apache-2.0 */
/* From a scene to a picture: the frame's numbers, the loop over all pixels, its result. */
#ifndef RAYTRACE_RENDER_H
#define RAYTRACE_RENDER_H

#include "view.h"

/* out[n]: pixels in the order of tiles, n = render_pixels(frame). Arrays with at least one element each. Returns the
 * number of rays: of the camera, mirrored, refracted, and to lights. */
typedef unsigned long render_loop(const struct frame *frame, const struct bvh_node *nodes, size_t node_count,
                                  const struct bvh_block *blocks, size_t block_count, const struct face *faces,
                                  size_t face_count, const struct vec3 *normals, size_t normal_count,
                                  const struct plane *planes, const struct light *lights,
                                  const struct material *materials, size_t material_count, uint32_t *out, long n);
extern render_loop render_heddle, render_serial;

#ifdef RAYTRACE_SERIAL
#define RENDER_NEST(name) name##_serial
#else
#define RENDER_NEST(name) name##_heddle
#endif

/* The scene has to be complete (scene_complete, scene_finish). */
void render_set_frame(struct frame *frame, const struct scene *scene, const struct bvh *bvh, int width, int height,
                      int samples, int depth);
long render_pixels(const struct frame *frame);
unsigned long render_run(render_loop *loop, const struct frame *frame, const struct scene *scene, const struct bvh *bvh,
                         uint32_t *out);
/* Rows of red, green, blue. */
void render_rows(const struct frame *frame, const uint32_t *out, uint8_t *rgb);

#endif
