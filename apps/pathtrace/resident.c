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
    const struct frame *frame = &picture->frame;                                                                       \
    const struct bvh_node *nodes = picture->bvh->nodes;                                                                \
    const struct bvh_block *blocks = picture->bvh->blocks;                                                             \
    const struct face *faces = picture->scene->faces;                                                                  \
    const struct vec3 *normals = picture->scene->normals;                                                              \
    const struct material *materials = picture->scene->materials;                                                      \
    const struct light *lights = picture->scene->lights;                                                               \
    const size_t node_count = picture->bvh->node_count, block_count = picture->bvh->block_count,                       \
                 face_count = picture->scene->triangle_count, normal_count = picture->scene->normal_count,             \
                 material_count = picture->scene->material_count, light_count = picture->scene->light_count + 1;       \
    (void)frame, (void)nodes, (void)blocks, (void)faces, (void)normals, (void)materials, (void)lights,                 \
        (void)node_count, (void)block_count, (void)face_count, (void)normal_count, (void)material_count,               \
        (void)light_count

void resident_enter(const char *device, const struct picture *picture) {
    ARRAYS;
    const int count = strcmp(device, "host") ? omp_get_num_devices() : 0;
    for (int d = app_next_device(device, 0, count); d < count; d = app_next_device(device, d + 1, count)) {
#pragma omp target enter data map(to : frame[0 : 1], nodes[0 : node_count], blocks[0 : block_count], faces[0 : face_count], \
                                      normals[0 : normal_count], materials[0 : material_count], lights[0 : light_count]) device(d)
    }
}

void resident_leave(const char *device, const struct picture *picture) {
    ARRAYS;
    const int count = strcmp(device, "host") ? omp_get_num_devices() : 0;
    for (int d = app_next_device(device, 0, count); d < count; d = app_next_device(device, d + 1, count)) {
#pragma omp target exit data map(release : frame[0 : 1], nodes[0 : node_count], blocks[0 : block_count], faces[0 : face_count], \
                                     normals[0 : normal_count], materials[0 : material_count], lights[0 : light_count]) device(d)
    }
}
