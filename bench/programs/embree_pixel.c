/* SPDX-License-Identifier: Apache-2.0 */
#include "embree.h"

static struct hit embree_closest(const struct view *view, const struct ray *ray, float limit);
static int32_t embree_between(const struct view *view, const struct ray *ray, float limit);

#define SHADE_CLOSEST embree_closest
#define SHADE_BETWEEN embree_between
#include "shade.h"

static struct RTCRay to_embree(const struct ray *ray, float limit) {
    return (struct RTCRay){.org_x = ray->origin.x,
                           .org_y = ray->origin.y,
                           .org_z = ray->origin.z,
                           .dir_x = ray->direction.x,
                           .dir_y = ray->direction.y,
                           .dir_z = ray->direction.z,
                           .tfar = limit,
                           .mask = UINT32_MAX};
}

static struct hit embree_closest(const struct view *view, const struct ray *ray, float limit) {
    struct RTCIntersectContext context;
    struct RTCRayHit x = {.ray = to_embree(ray, limit), .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    (void)view;
    rtcInitIntersectContext(&context);
    rtcIntersect1(embree_scene, &context, &x);
    if (x.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return (struct hit){limit, VIEW_MISS, 0};
    return (struct hit){x.ray.tfar, x.hit.primID, embree_where[x.hit.primID]};
}

static int32_t embree_between(const struct view *view, const struct ray *ray, float limit) {
    struct RTCIntersectContext context;
    struct RTCRay x = to_embree(ray, limit);
    (void)view;
    rtcInitIntersectContext(&context);
    rtcOccluded1(embree_scene, &context, &x);
    return x.tfar < 0 ? SCENE_SHADE_OPAQUE : 0;
}

uint32_t embree_pixel(const struct view *view, long index, uint32_t *rays) { return shade_pixel(view, index, rays); }
