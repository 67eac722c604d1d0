/* SPDX-License-Identifier: Apache-2.0 */
#include "resident.h"

#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* First device and the one behind the last. */
static int devices(const char *device, int *end)
{
    *end = 0;
    if (!strcmp(device, "host"))
        return 0;
#ifdef _OPENMP
    *end = omp_get_num_devices();
#endif
    if (*device < '0' || *device > '9')
        return 0;
    const int one = atoi(device);
    *end = one < *end ? one + 1 : 0;
    return one;
}

#define ARRAYS                                                                                                                             \
    const struct bvh_node *nodes = bvh->nodes;                                                                                             \
    const struct bvh_block *blocks = bvh->blocks;                                                                                          \
    const struct face *faces = scene->faces;                                                                                               \
    const struct vec3 *normals = scene->normals;                                                                                           \
    const size_t node_count = bvh->node_count, block_count = bvh->block_count, face_count = scene->triangle_count + scene->sphere_count,   \
                 normal_count = scene->normal_count;                                                                                       \
    (void)frame, (void)nodes, (void)blocks, (void)faces, (void)normals, (void)node_count, (void)block_count, (void)face_count, (void)normal_count

void resident_enter(const char *device, const struct frame *frame, const struct scene *scene, const struct bvh *bvh)
{
    int end;
    ARRAYS;
    for (int d = devices(device, &end); d < end; d++) {
#pragma omp target enter data map(to : frame[0 : 1], nodes[0 : node_count], blocks[0 : block_count], faces[0 : face_count], \
                                      normals[0 : normal_count]) device(d)
    }
}

void resident_leave(const char *device, const struct frame *frame, const struct scene *scene, const struct bvh *bvh)
{
    int end;
    ARRAYS;
    for (int d = devices(device, &end); d < end; d++) {
#pragma omp target exit data map(release : frame[0 : 1], nodes[0 : node_count], blocks[0 : block_count], faces[0 : face_count], \
                                     normals[0 : normal_count]) device(d)
    }
}
