/* SPDX-License-Identifier: Apache-2.0 */
#include "render.h"

#include "app.h"

#include <math.h>
#include <stdlib.h>

static int host_is_wide(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return 0;
#endif
}

static void set_camera(struct frame *frame, const struct camera *camera) {
    const struct vec3 ahead = unit(minus(camera->at, camera->from));
    struct vec3 right = unit(cross(ahead, camera->up));
    if (!(dot(right, right) > 0)) /* straight up or down */
        right = vec(1, 0, 0);
    const struct vec3 up = cross(right, ahead);
    const float half = (float)tan(camera->fov * (M_PI / 360)), step = 2 * half / (float)frame->height;
    frame->from = camera->from;
    frame->across = times(right, step);
    frame->down = times(up, -step);
    frame->corner = plus(ahead, plus(times(right, -step * (float)frame->width / 2), times(up, half)));
}

void render_set_frame(struct picture *picture, int width, int height, int depth, uint32_t seed) {
    const struct scene *scene = picture->scene;
    const struct bvh *bvh = picture->bvh;
    picture->frame = (struct frame){.width = width,
                                    .height = height,
                                    .depth = depth,
                                    .seed = seed,
                                    .tiles_across = (width + VIEW_TILE_WIDTH - 1) / VIEW_TILE_WIDTH,
                                    .sky = scene->sky,
                                    .extent = {bvh->extent[0], bvh->extent[1], bvh->extent[2]},
                                    .power = scene->power,
                                    .triangles = bvh->triangles,
                                    .lights = (uint32_t)scene->light_count,
                                    .wide = host_is_wide()};
    set_camera(&picture->frame, &scene->camera);
}

long render_pixels(const struct frame *frame) {
    const long down = (frame->height + VIEW_TILE_HEIGHT - 1) / VIEW_TILE_HEIGHT;
    return down * frame->tiles_across * VIEW_TILE;
}

/* By all threads: GPUs wait for it. */
void render_clear(const struct frame *frame, struct vec3 *film) {
    const long n = render_pixels(frame);
#pragma omp parallel for schedule(static) if (n > 100000)
    for (long k = 0; k < n; k++)
        film[k] = (struct vec3){0, 0, 0};
}

static void reserve(struct pixels *pixels, long room) {
    if (pixels->room >= room)
        return;
    free(pixels->at);
    *pixels = (struct pixels){.room = room, .at = app_alloc((size_t)room, sizeof *pixels->at)};
}

/* All pixels of the picture, tile by tile. */
static void number_pixels(struct pixels *pixels, const struct frame *frame) {
    const uint32_t n = (uint32_t)render_pixels(frame);
    reserve(pixels, (long)n);
    pixels->count = 0;
    for (uint32_t number = 0; number < n; number++) {
        const struct place place = view_place(frame, number);
        if (place.x < frame->width && place.y < frame->height)
            pixels->at[pixels->count++].number = number;
    }
}

/* Their numbers stay from one run to the next. */
static void begin(struct render_work *work, const struct frame *frame, const struct vec3 *film) {
    struct pixels *pixels = &work->pixels;
    if (work->width != frame->width || work->height != frame->height) {
        number_pixels(pixels, frame);
        work->width = frame->width;
        work->height = frame->height;
        work->count = pixels->count;
    }
    pixels->count = work->count;
#pragma omp parallel for schedule(static) if (work->count > 100000)
    for (long k = 0; k < work->count; k++)
        pixels->at[k].film = film[pixels->at[k].number];
}

unsigned long render_run(render_jobs *by, struct render_work *work, const struct picture *picture, struct vec3 *film,
                         uint32_t first, uint32_t samples) {
    begin(work, &picture->frame, film);
    reserve(&work->done, work->pixels.count);
    work->done.count = 0;
    const unsigned long rays =
        by(RENDER_ARGUMENTS(picture), &work->pixels, &work->paths, &work->done, first, first + samples);
#pragma omp parallel for schedule(static) if (work->done.count > 100000)
    for (long k = 0; k < work->done.count; k++)
        film[work->done.at[k].number] = work->done.at[k].film;
    return rays;
}

void render_free(struct render_work *work) {
    heddle_list_free(&work->pixels);
    heddle_list_free(&work->paths);
    heddle_list_free(&work->done);
    work->width = work->height = 0;
}
