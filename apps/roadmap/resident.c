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
    const struct bvh_binary *body_nodes = around->body_nodes, *nodes = around->nodes;                                  \
    const struct corners *body = around->body, *world = around->world;                                                 \
    const size_t body_node_count = around->body_node_count, node_count = around->node_count,                           \
                 body_count = around->body_count, world_count = around->world_count;                                   \
    (void)body_nodes, (void)nodes, (void)body, (void)world, (void)body_node_count, (void)node_count, (void)body_count, \
        (void)world_count

void resident_enter(const char *device, const struct surroundings *around) {
    ARRAYS;
    const int count = strcmp(device, "host") ? omp_get_num_devices() : 0;
    for (int d = app_next_device(device, 0, count); d < count; d = app_next_device(device, d + 1, count)) {
#pragma omp target enter data map(to : body_nodes[0 : body_node_count], nodes[0 : node_count], body[0 : body_count], \
                                      world[0 : world_count]) device(d)
    }
}

void resident_leave(const char *device, const struct surroundings *around) {
    ARRAYS;
    const int count = strcmp(device, "host") ? omp_get_num_devices() : 0;
    for (int d = app_next_device(device, 0, count); d < count; d = app_next_device(device, d + 1, count)) {
#pragma omp target exit data map(release : body_nodes[0 : body_node_count], nodes[0 : node_count], body[0 : body_count], \
                                     world[0 : world_count]) device(d)
    }
}
