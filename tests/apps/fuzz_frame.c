/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes through the readers of frames: they end, stay in bounds and keep their promises, and a mesh can be made of
 * what they took. Built for libFuzzer with -DHEDDLE_FUZZ=ON; fuzz_frame_main.c runs the same function in ctest. */
#include "ccd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void promise(bool kept) {
    if (!kept)
        abort();
}

static void look_at(struct frame *frame) {
    struct frame again = {.points = NULL};
    struct mesh mesh;
    struct complaint c;
    for (size_t k = 0; k < frame->points_count; k++) {
        const struct vec3 p = frame->points[k];
        const float point[3] = {p.x, p.y, p.z};
        promise(isfinite(p.x) && isfinite(p.y) && isfinite(p.z));
        frame_point(&again, point);
    }
    for (size_t k = 0; k < frame->faces_count; k++) {
        for (int i = 0; i < 3; i++)
            promise(frame->faces[k].corner[i] < frame->points_count);
        frame_triangle(&again, frame->faces[k].corner);
    }
    promise(mesh_make(&mesh, frame, &again, "fuzz", &c));
    promise(mesh.edges_count <= 3 * mesh.faces_count && mesh.loose <= mesh.points_count);
    frame_free(&again);
    mesh_free(&mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct frame frame = {.points = NULL};
    struct complaint c = {""};
    char *bytes = malloc(size + 1); /* the readers want a 0 behind it */
    promise(bytes);
    if (size)
        memcpy(bytes, data, size);
    bytes[size] = 0;
    if (frame_parse(&frame, bytes, size, "fuzz", &c))
        look_at(&frame);
    else
        promise(!strncmp(c.text, "fuzz:", 5) && strlen(c.text) > 8);
    frame_free(&frame);
    free(bytes);
    return 0;
}
