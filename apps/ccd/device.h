/* SPDX-License-Identifier: Apache-2.0 */
/* A query on one device of OpenMP, where all but the corners stays between queries. */
#ifndef CCD_DEVICE_H
#define CCD_DEVICE_H

#include "query.h"

struct device_query;
struct device_times {
    double upload, refit, traverse, pairs, vertex_face, edge_edge, hard_vertex_face, hard_edge_edge, download,
        rest;                              /* seconds */
    uint32_t pair_count, hard, rest_count; /* pairs of triangles; tests of more than a few cells, of many */
};

/* device: its number, -1 for the host. */
struct device_query *device_open(const struct query *query, int device);
/* Hits in any order. False: `failure` says why. */
bool device_run(struct device_query *device, struct query *query, struct device_times *times, const char **failure);
void device_close(struct device_query *device);

#endif
