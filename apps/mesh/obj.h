/* SPDX-License-Identifier: Apache-2.0 */
/* Wavefront OBJ files, told to whoever reads them. */
#ifndef HEDDLE_MESH_OBJ_H
#define HEDDLE_MESH_OBJ_H

#include "textfile.h"

#include <stdint.h>

enum { OBJ_NAME_MOST = 200 };
#define OBJ_COORDINATE_MOST 1e9f
#define OBJ_COUNT_MOST 200000000u
#define OBJ_NO_NORMAL UINT32_MAX

/* Points, normals and triangles in the order of the file; their numbers count from 0. */
struct obj_sink {
    void *to;
    void (*point)(void *to, const float point[3]);
    void (*normal)(void *to, const float normal[3]);
    /* normals: of its corners, NULL for a flat one */
    void (*triangle)(void *to, const uint32_t corners[3], const uint32_t *normals);
    /* Of mtllib, usemtl: the rest of the line; either may be NULL. */
    void (*library)(void *to, const char *names, int length);
    void (*material)(void *to, const char *name, int length);
};

/* The text has a 0 or a line's end behind it. False: the complaint says where and why, and the sink was told of a part.
 */
bool obj_scan(const struct obj_sink *sink, const char *text, size_t size, const char *name, struct complaint *c);

#endif
