/* SPDX-License-Identifier: Apache-2.0 */
#include "paths.h"

#include <string.h>

#ifdef BENCH_EMBREE
#include <embree3/rtcore.h>

static RTCScene embree;

bool paths_embree_start(const struct scene *scene) {
    RTCDevice device = rtcNewDevice("threads=1");
    embree = rtcNewScene(device);
    RTCGeometry mesh = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *points = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, scene->point_count);
    void *corners =
        rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, scene->triangle_count);
    memcpy(points, scene->points, scene->point_count * sizeof *scene->points);
    memcpy(corners, scene->triangles, scene->triangle_count * sizeof *scene->triangles);
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(embree, mesh);
    rtcReleaseGeometry(mesh);
    rtcCommitScene(embree);
    return rtcGetDeviceError(device) == RTC_ERROR_NONE;
}

static struct RTCRay to_embree(const struct vec3 *origin, const struct vec3 *direction, float limit) {
    return (struct RTCRay){.org_x = origin->x,
                           .org_y = origin->y,
                           .org_z = origin->z,
                           .dir_x = direction->x,
                           .dir_y = direction->y,
                           .dir_z = direction->z,
                           .tfar = limit,
                           .mask = UINT32_MAX};
}

void paths_embree(const struct paths_rays *rays, int kind, uint32_t *found) {
    for (long k = 0; k < rays->count; k++) {
        struct RTCIntersectContext context;
        rtcInitIntersectContext(&context);
        if (kind == PATHS_SHADOW) {
            const struct shadow *s = &rays->shadows[k];
            struct RTCRay ray = to_embree(&s->origin, &s->direction, s->limit);
            rtcOccluded1(embree, &context, &ray);
            found[k] = ray.tfar < 0;
        } else {
            const struct extension *e = &rays->extensions[k];
            struct RTCRayHit x = {.ray = to_embree(&e->origin, &e->direction, VIEW_FAR),
                                  .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .primID = RTC_INVALID_GEOMETRY_ID}};
            rtcIntersect1(embree, &context, &x);
            found[k] = x.hit.primID;
        }
    }
}
#else
bool paths_embree_start(const struct scene *scene) { return (void)scene, false; }

void paths_embree(const struct paths_rays *rays, int kind, uint32_t *found) { (void)rays, (void)kind, (void)found; }
#endif
