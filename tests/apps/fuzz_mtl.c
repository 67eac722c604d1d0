/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the reader of materials: it ends, stays in bounds and keeps its promises, and a picture of what it
 * took has neither NaN nor light below 0. Built for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_mtl_main.c runs the same
 * function on fixed inputs in ctest. */
#include "render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

/* Triangles of every material, one behind the other. */
static void look_at(struct scene *scene) {
    struct bvh bvh;
    struct picture picture = {.scene = scene, .bvh = &bvh};
    struct vec3 film[4 * VIEW_TILE] = {{0, 0, 0}};
    for (uint32_t k = 0; k < scene->material_count; k++) {
        const float z = -(float)k;
        const uint32_t at[3] = {scene_point(scene, vec(-2, -1, z)), scene_point(scene, vec(2, -1, z)),
                                scene_point(scene, vec(0, 2, z))};
        scene_triangle(scene, at, NULL, k);
    }
    scene_finish(scene);
    const struct bvh_primitives all = scene_primitives(scene);
    bvh_build(&bvh, &all);
    render_set_frame(&picture, 9, 5, 6, 1);
    promise(render_pixels(&picture.frame) == 4 * VIEW_TILE);
    struct render_work work = {.paths = {0}};
    promise(render_run(jobs_serial, &work, &picture, film, 0, 2) >= 90);
    render_free(&work);
    for (int k = 0; k < 4 * VIEW_TILE; k++)
        promise(film[k].x >= 0 && film[k].y >= 0 && film[k].z >= 0 && largest(film[k]) < INFINITY);
    bvh_free(&bvh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct complaint c = {""};
    struct scene scene;
    char *text = malloc(size + 1); /* the reader wants a 0 behind the text */
    promise(text);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    scene_start(&scene);
    const bool good = mtl_parse(&scene, text, size, "fuzz", &c);
    promise(good || (!strncmp(c.text, "fuzz:", 5) && strlen(c.text) > 10));
    if (good && scene.material_count < 50)
        look_at(&scene);
    scene_free(&scene);
    free(text);
    return 0;
}
