/* SPDX-License-Identifier: Apache-2.0 */
/* bench-embree: raytrace's pictures with hits found by Embree (Debian's libembree-dev) and by raytrace's own hierarchy,
 * in turn. Camera, shading, shadow rays and reflections are the same source; Embree gets one ray at a time, as raytrace
 * does, and its own choice of hierarchy. Scenes of opaque triangles only. */
#include "app.h"
#include "embree.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

RTCScene embree_scene;
uint32_t *embree_where;

struct peer {
    struct app app;
    long samples, depth, triangles, seed;
    struct scene scene;
    struct bvh bvh;
    struct frame frame;
    struct view view;
    RTCDevice device;
    double build[2];
};

typedef uint32_t pixel(const struct view *view, long index, uint32_t *rays);

static unsigned long picture(const struct peer *p, pixel *one, uint32_t *out) {
    const long n = render_pixels(&p->frame);
    const struct view *view = &p->view;
    unsigned long total = 0;
#pragma omp parallel for schedule(dynamic, 512) reduction(+ : total)
    for (long i = 0; i < n; i++) {
        uint32_t rays = 0;
        out[i] = one(view, i, &rays);
        total += rays;
    }
    return total;
}

static int load(struct peer *p) {
    struct complaint c;
    scene_start(&p->scene);
    if (!p->app.input_count)
        generate_landscape(&p->scene, p->triangles, (uint64_t)p->seed);
    else if (!scene_read(&p->scene, p->app.input[0], &c))
        return app_fail(&p->app, "%s", c.text);
    scene_complete(&p->scene);
    scene_finish(&p->scene);
    if (p->scene.sphere_count || p->scene.plane_count)
        return app_fail(&p->app, "the scene has spheres or planes: triangles only");
    for (size_t k = 0; k < p->scene.material_count; k++)
        if (p->scene.materials[k].shade < SCENE_SHADE_OPAQUE)
            return app_fail(&p->app, "material %s lets light through: opaque ones only", p->scene.names[k]);
    return -1;
}

static void own_build(struct peer *p) {
    const double start = app_seconds();
    const struct bvh_primitives all = scene_primitives(&p->scene);
    bvh_build(&p->bvh, &all);
    p->build[1] = app_seconds() - start;
    embree_where = app_alloc(p->scene.triangle_count, sizeof *embree_where);
    for (size_t b = 0; b < p->bvh.block_count; b++)
        for (size_t k = 0; k < BVH_BLOCK && p->bvh.blocks[b].id[k] != BVH_NOTHING; k++)
            embree_where[p->bvh.blocks[b].id[k]] = (uint32_t)(b * BVH_BLOCK + k);
    render_set_frame(&p->frame, &p->scene, &p->bvh, (int)p->app.rows, (int)p->app.cols, (int)p->samples, (int)p->depth);
    p->view = (struct view){&p->frame,        p->bvh.nodes,    p->bvh.blocks,   p->scene.faces,
                            p->scene.normals, p->scene.planes, p->scene.lights, p->scene.materials};
}

static int embree_build(struct peer *p) {
    char threads[32] = "";
    if (p->app.threads)
        snprintf(threads, sizeof threads, "threads=%ld", p->app.threads);
    p->device = rtcNewDevice(threads);
    if (!p->device)
        return app_fail(&p->app, "Embree does not start (error %d)", (int)rtcGetDeviceError(NULL));
    const double start = app_seconds();
    embree_scene = rtcNewScene(p->device);
    RTCGeometry mesh = rtcNewGeometry(p->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void *points =
        rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, p->scene.point_count);
    void *corners =
        rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, p->scene.triangle_count);
    if (!points || !corners)
        return app_fail(&p->app, "Embree: no memory for %zu triangles", p->scene.triangle_count);
    memcpy(points, p->scene.points, p->scene.point_count * sizeof *p->scene.points);
    memcpy(corners, p->scene.triangles, p->scene.triangle_count * sizeof *p->scene.triangles);
    rtcCommitGeometry(mesh);
    rtcAttachGeometry(embree_scene, mesh);
    rtcReleaseGeometry(mesh);
    rtcCommitScene(embree_scene);
    p->build[0] = app_seconds() - start;
    const enum RTCError error = rtcGetDeviceError(p->device);
    return error ? app_fail(&p->app, "Embree: error %d", (int)error) : -1;
}

static int measure(struct peer *p) {
    const size_t n = (size_t)render_pixels(&p->frame), repeat = (size_t)p->app.repeat;
    uint32_t *out[2] = {app_alloc(n, sizeof *out[0]), app_alloc(n, sizeof *out[0])};
    double *times[2] = {app_alloc(repeat, sizeof **times), app_alloc(repeat, sizeof **times)}, rays[2] = {0};
    pixel *const one[2] = {embree_pixel, own_pixel};
    size_t equal = 0;
    for (size_t k = 0; k < repeat; k++)
        for (int who = 0; who < 2; who++) {
            const double start = app_seconds();
            rays[who] = (double)picture(p, one[who], out[who]);
            times[who][k] = app_seconds() - start;
            app_progress(&p->app, "run %zu of %zu", k + 1, repeat);
        }
    app_progress_end(&p->app);
    for (size_t k = 0; k < n; k++)
        equal += out[0][k] == out[1][k];
    const double embree = app_median(times[0], (int)repeat), own = app_median(times[1], (int)repeat);
    const struct app_value values[] = {{"triangles", (double)p->scene.triangle_count},
                                       {"rays", rays[0]},
                                       {"build", p->build[0]},
                                       {"own_build", p->build[1]},
                                       {"own_seconds", own},
                                       {"own_rate", rays[1] / own * 1e-9},
                                       {"own_share", rays[1] / own / (rays[0] / embree)},
                                       {"equal_pixels", (double)equal / (double)n},
                                       {NULL, 0}};
    const struct app_result result = {.rows = (double)p->app.rows,
                                      .cols = (double)p->app.cols,
                                      .seconds = embree,
                                      .work = rays[0],
                                      .unit = "Grays/s",
                                      .check = (double)equal >= 0.99 * (double)n ? APP_CHECK_OK : APP_CHECK_BAD};
    for (int who = 0; who < 2; who++) {
        free(out[who]);
        free(times[who]);
    }
    return app_report_values(&p->app, &result, stdout, values);
}

int main(int argc, char **argv) {
    struct peer p = {.samples = 1,
                     .depth = 5,
                     .triangles = 1000000,
                     .seed = 1,
                     .app = {.name = "bench-embree",
                             .summary = "raytrace's picture with hits found by Embree, and by raytrace, in turn",
                             .inputs = "[SCENE | MESH.obj]",
                             .inputs_max = 1,
                             .two_sizes = true,
                             .loops = true,
                             .rows = 960,
                             .cols = 540}};
    const struct app_option options[] = {{"samples", "N", "rays for a pixel (1)", APP_LONG, &p.samples, 1},
                                         {"depth", "N", "reflections one after another (5)", APP_LONG, &p.depth, 0},
                                         {"triangles", "N", "of the landscape (1000000)", APP_LONG, &p.triangles, 1},
                                         {"seed", "N", "of the landscape (1)", APP_LONG, &p.seed, 0},
                                         {0}};
    p.app.options = options;
    int status = app_parse(&p.app, argc, argv);
    if (status < 0 && p.app.threads)
        omp_set_num_threads((int)p.app.threads);
    if (status < 0)
        status = load(&p);
    if (status < 0) {
        own_build(&p);
        status = embree_build(&p);
    }
    if (status < 0)
        status = measure(&p);
    if (embree_scene)
        rtcReleaseScene(embree_scene);
    if (p.device)
        rtcReleaseDevice(p.device);
    scene_free(&p.scene);
    bvh_free(&p.bvh);
    free(embree_where);
    return status;
}
