/* SPDX-License-Identifier: Apache-2.0 */
#include "render.h"

#include <math.h>

/* Arrays that may be empty have something to point to. */
static const struct vec3 no_normal;
static const struct plane no_plane;
static const struct light no_light;
static const struct face no_face;

static int host_is_wide(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return 0;
#endif
}

static void set_camera(struct frame *frame, const struct camera *camera) {
    const struct vec3 ahead = unit(minus(camera->at, camera->from)), right = unit(cross(ahead, camera->up)),
                      up = cross(right, ahead);
    const float half = (float)tan(camera->fov * (M_PI / 360)), step = 2 * half / (float)frame->height;
    frame->from = camera->from;
    frame->across = times(right, step);
    frame->down = times(up, -step);
    frame->corner = plus(ahead, plus(times(right, -step * (float)frame->width / 2), times(up, half)));
}

void render_set_frame(struct frame *frame, const struct scene *scene, const struct bvh *bvh, int width, int height,
                      int samples, int depth) {
    *frame = (struct frame){.width = width,
                            .height = height,
                            .samples = samples,
                            .depth = depth,
                            .tiles_across = (width + VIEW_TILE_WIDTH - 1) / VIEW_TILE_WIDTH,
                            .ambient = scene->ambient,
                            .below = scene->below,
                            .above = scene->above,
                            .extent = {bvh->extent[0], bvh->extent[1], bvh->extent[2]},
                            .triangles = bvh->triangles,
                            .planes = (uint32_t)scene->plane_count,
                            .lights = (uint32_t)scene->light_count,
                            .opaque = 1,
                            .wide = host_is_wide()};
    for (size_t k = 0; k < scene->material_count; k++)
        frame->opaque &= scene->materials[k].shade >= SCENE_SHADE_OPAQUE;
    set_camera(frame, &scene->camera);
}

long render_pixels(const struct frame *frame) {
    const long down = (frame->height + VIEW_TILE_HEIGHT - 1) / VIEW_TILE_HEIGHT;
    return down * frame->tiles_across * VIEW_TILE;
}

unsigned long render_run(render_loop *loop, const struct frame *frame, const struct scene *scene, const struct bvh *bvh,
                         uint32_t *out) {
    const size_t faces = scene->triangle_count + scene->sphere_count;
    return loop(frame, bvh->nodes, bvh->node_count, bvh->blocks, bvh->block_count, faces ? scene->faces : &no_face,
                faces ? faces : 1, scene->normal_count ? scene->normals : &no_normal,
                scene->normal_count ? scene->normal_count : 1, scene->plane_count ? scene->planes : &no_plane,
                scene->light_count ? scene->lights : &no_light, scene->materials, scene->material_count, out,
                render_pixels(frame));
}

void render_rows(const struct frame *frame, const uint32_t *out, uint8_t *rgb) {
    for (int y = 0; y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const long tile = (long)(y / VIEW_TILE_HEIGHT) * frame->tiles_across + x / VIEW_TILE_WIDTH;
            const uint32_t c = out[tile * VIEW_TILE + y % VIEW_TILE_HEIGHT * VIEW_TILE_WIDTH + x % VIEW_TILE_WIDTH];
            uint8_t *to = rgb + ((size_t)y * (size_t)frame->width + (size_t)x) * 3;
            to[0] = (uint8_t)c, to[1] = (uint8_t)(c >> 8), to[2] = (uint8_t)(c >> 16);
        }
}
