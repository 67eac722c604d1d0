/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the readers of scenes and OBJ files: they end, stay in bounds and keep their promises, and what
 * they take can be rendered. The first byte says which reader. Built for libFuzzer with -DHEDDLE_FUZZ=ON;
 * fuzz_scene_main.c runs the same function on fixed inputs in ctest. */
#include "render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

static void look_at(struct scene *scene) {
    struct bvh bvh;
    struct frame frame;
    uint32_t out[4 * VIEW_TILE];
    scene_complete(scene);
    scene_finish(scene);
    const struct bvh_primitives all = scene_primitives(scene);
    bvh_build(&bvh, &all);
    render_set_frame(&frame, scene, &bvh, 9, 5, 1, 2);
    promise(render_pixels(&frame) == 4 * VIEW_TILE);
    promise(render_run(render_serial, &frame, scene, &bvh, out) >= 45);
    bvh_free(&bvh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct placing placing = {.scale = {1, 1, 1}, .smooth = size % 2};
    struct complaint c = {""};
    struct scene scene;
    if (!size)
        return 0;
    char *text = malloc(size); /* the readers want a 0 behind the text */
    promise(text);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    scene_start(&scene);
    const bool good = *data & 1 ? scene_parse(&scene, text, size - 1, "fuzz", NULL, &c)
                                : obj_parse(&scene, text, size - 1, "fuzz", &placing, &c);
    promise(good || (!strncmp(c.text, "fuzz:", 5) && strlen(c.text) > 10));
    for (size_t k = 0; k < scene.point_count; k++)
        promise(isfinite(scene.points[k].x) && isfinite(scene.points[k].y) && isfinite(scene.points[k].z));
    for (size_t k = 0; k < scene.triangle_count; k++)
        for (int j = 0; j < 3; j++) {
            promise(scene.triangles[k].corner[j] < scene.point_count && scene.faces[k].material < scene.material_count);
            promise(scene.faces[k].normal[j] == FACE_FLAT || scene.faces[k].normal[j] < scene.normal_count);
        }
    if (good && scene.triangle_count < 5000)
        look_at(&scene);
    scene_free(&scene);
    free(text);
    return 0;
}
