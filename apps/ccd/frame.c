/* SPDX-License-Identifier: Apache-2.0 */
/* A frame from a file, OBJ or PLY (apps/mesh). */
#include "ccd.h"

#include "app.h"
#include "meshfile.h"

#include <stdlib.h>
#include <string.h>

void frame_point(struct frame *frame, const float point[3]) {
    if (frame->points_count == frame->points_room) {
        frame->points_room = 2 * frame->points_room + 64;
        frame->points = app_resize(frame->points, frame->points_room, sizeof *frame->points);
    }
    frame->points[frame->points_count++] = vec(point[0], point[1], point[2]);
}

void frame_triangle(struct frame *frame, const uint32_t corner[3]) {
    if (frame->faces_count == frame->faces_room) {
        frame->faces_room = 2 * frame->faces_room + 64;
        frame->faces = app_resize(frame->faces, frame->faces_room, sizeof *frame->faces);
    }
    frame->faces[frame->faces_count++] = (struct bvh_triangle){{corner[0], corner[1], corner[2]}};
}

void frame_free(struct frame *frame) {
    free(frame->points);
    free(frame->faces);
    *frame = (struct frame){.points = NULL};
}

static void take_point(void *to, const float point[3]) { frame_point(to, point); }
static void leave_normal(void *to, const float normal[3]) { (void)to, (void)normal; }
static void take_triangle(void *to, const uint32_t corner[3], const uint32_t *normals) {
    (void)normals;
    frame_triangle(to, corner);
}

bool frame_parse(struct frame *frame, const char *bytes, size_t size, const char *name, struct complaint *c) {
    const struct obj_sink sink = {.to = frame, .point = take_point, .normal = leave_normal, .triangle = take_triangle};
    return meshfile_scan(&sink, bytes, size, name, &frame->rounded, c);
}

bool frame_read(struct frame *frame, const char *path, struct complaint *c) {
    size_t size;
    *frame = (struct frame){.points = NULL};
    char *bytes = meshfile_load(path, &size, c);
    const bool good = bytes && frame_parse(frame, bytes, size, strcmp(path, "-") ? path : "standard input", c);
    free(bytes);
    if (!good)
        frame_free(frame);
    return good;
}
