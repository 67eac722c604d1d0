/* SPDX-License-Identifier: Apache-2.0 */
/* A frame from a file: OBJ (apps/mesh) or PLY (ply.c). */
#include "ccd.h"

#include "app.h"
#include "obj.h"

#include <errno.h>
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

static bool is_ply(const char *bytes, size_t size) { return size >= 4 && !memcmp(bytes, "ply", 3) && bytes[3] <= '\r'; }

bool frame_parse(struct frame *frame, const char *bytes, size_t size, const char *name, struct complaint *c) {
    const struct obj_sink sink = {.to = frame, .point = take_point, .normal = leave_normal, .triangle = take_triangle};
    if (is_ply(bytes, size))
        return ply_parse(frame, bytes, size, name, c);
    if (memchr(bytes, 0, size))
        return complain(c, name, 0, "neither OBJ nor PLY: it has a byte 0");
    return obj_scan(&sink, bytes, size, name, c);
}

/* All of a file whose beginning says PLY, otherwise up to the first byte 0: what never ends is no text. */
static char *load(FILE *file, size_t *size) {
    size_t room = 1 << 16, count = 0, before;
    char *all = NULL;
    bool more = true;
    while (more) {
        room *= 2;
        all = app_resize(all, room, 1);
        before = count;
        count += fread(all + count, 1, room - count - 1, file);
        more = count == room - 1 && (is_ply(all, count) || !memchr(all + before, 0, count - before));
    }
    all[count] = 0;
    *size = count;
    return all;
}

bool frame_read(struct frame *frame, const char *path, struct complaint *c) {
    const bool standard = !strcmp(path, "-");
    FILE *file = standard ? stdin : fopen(path, "rb");
    size_t size;
    *frame = (struct frame){.points = NULL};
    if (!file)
        return complain(c, path, 0, "%s", strerror(errno));
    char *bytes = load(file, &size);
    const int failed = ferror(file) ? errno : 0;
    if (!standard)
        fclose(file);
    const bool good = failed ? complain(c, path, 0, "%s", strerror(failed))
                             : frame_parse(frame, bytes, size, standard ? "standard input" : path, c);
    free(bytes);
    if (!good)
        frame_free(frame);
    return good;
}
