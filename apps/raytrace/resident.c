/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"
#include "app.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
static int omp_get_num_devices(void) { return 0; }
#endif

#define ARRAYS                                                                                                         \
    const struct bvh_node *nodes = bvh->nodes;                                                                         \
    const struct bvh_block *blocks = bvh->blocks;                                                                      \
    const struct face *faces = scene->faces;                                                                           \
    const struct vec3 *normals = scene->normals;                                                                       \
    const size_t node_count = bvh->node_count, block_count = bvh->block_count,                                         \
                 face_count = scene->triangle_count + scene->sphere_count, normal_count = scene->normal_count;         \
    (void)frame, (void)nodes, (void)blocks, (void)faces, (void)normals, (void)node_count, (void)block_count,           \
        (void)face_count, (void)normal_count

void resident_enter(const char *device, const struct frame *frame, const struct scene *scene, const struct bvh *bvh) {
    ARRAYS;
    const int count = strcmp(device, "host") ? omp_get_num_devices() : 0;
    for (int d = app_next_device(device, 0, count); d < count; d = app_next_device(device, d + 1, count)) {
#pragma omp target enter data map(to : frame[0 : 1], nodes[0 : node_count], blocks[0 : block_count], faces[0 : face_count], \
                                      normals[0 : normal_count]) device(d)
    }
}

void resident_leave(const char *device, const struct frame *frame, const struct scene *scene, const struct bvh *bvh) {
    ARRAYS;
    const int count = strcmp(device, "host") ? omp_get_num_devices() : 0;
    for (int d = app_next_device(device, 0, count); d < count; d = app_next_device(device, d + 1, count)) {
#pragma omp target exit data map(release : frame[0 : 1], nodes[0 : node_count], blocks[0 : block_count], faces[0 : face_count], \
                                     normals[0 : normal_count]) device(d)
    }
}
