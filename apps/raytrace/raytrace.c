/* SPDX-License-Identifier: Apache-2.0 */
/* raytrace: a picture of a scene file, an OBJ file or a seeded scene. See README.md. */
#include "app.h"
#include "image.h"
#include "render.h"
#include "resident.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct raytrace {
    struct app app;
    const char *out, *built_in;
    long samples, depth, triangles, seed, warm;
    bool resident;

    struct scene scene;
    struct bvh bvh;
    struct frame frame;
    uint32_t *pixels;
    double build_seconds;
};

static int load(struct raytrace *r) {
    struct complaint c;
    scene_start(&r->scene);
    if (r->app.input_count) {
        if (r->triangles || r->built_in)
            return app_fail(&r->app, "--triangles and --scene are for runs without a file");
        app_progress(&r->app, "reading %s", r->app.input[0]);
        if (!scene_read(&r->scene, r->app.input[0], &c))
            return app_fail(&r->app, "%s", c.text);
    } else if (!r->built_in || !strcmp(r->built_in, "table"))
        generate_default(&r->scene, r->triangles ? r->triangles : 60000, (uint64_t)r->seed);
    else if (!strcmp(r->built_in, "landscape"))
        generate_landscape(&r->scene, r->triangles ? r->triangles : 1000000, (uint64_t)r->seed);
    else
        return app_fail(&r->app, "--scene=%s: expected table or landscape", r->built_in);
    const char *added = scene_complete(&r->scene);
    scene_finish(&r->scene);
    if (*added)
        fprintf(stderr, "%s: note: %s\n", r->app.name, added);
    if (r->scene.notes)
        fprintf(stderr, "%s: note: materials of OBJ files are left out (%u lines); give a material in a scene file\n",
                r->app.name, r->scene.notes);
    return -1;
}

static int prepare(struct raytrace *r) {
    const double primitives = (double)(r->scene.triangle_count + r->scene.sphere_count),
                 size = (double)r->app.rows * (double)r->app.cols;
    if (size > (double)IMAGE_PIXELS_MOST || r->app.rows > IMAGE_SIDE_MOST || r->app.cols > IMAGE_SIDE_MOST)
        return app_fail(&r->app, "--size=%ldx%ld: more than %.0f pixels, or a side above %d", r->app.rows, r->app.cols,
                        (double)IMAGE_PIXELS_MOST, IMAGE_SIDE_MOST);
    const int status = app_memory_fits(&r->app, primitives * 260 + size * (r->app.check ? 11 : 7), "this picture");
    if (status >= 0)
        return status;
    app_progress(&r->app, "hierarchy of %.0f primitives", primitives);
    const double start = app_seconds();
    const struct bvh_primitives all = scene_primitives(&r->scene);
    bvh_build(&r->bvh, &all);
    r->build_seconds = app_seconds() - start;
    render_set_frame(&r->frame, &r->scene, &r->bvh, (int)r->app.rows, (int)r->app.cols, (int)r->samples, (int)r->depth);
    r->pixels = app_alloc((size_t)render_pixels(&r->frame), sizeof *r->pixels);
    return -1;
}

/* While the loop runs, another thread looks at some of the pixels: those that are finished are not 0. */
struct watch {
    const struct raytrace *r;
    const char *what;
    const uint32_t *pixels;
    atomic_int stop;
    pthread_t thread;
    bool running;
};

static void *look(void *argument) {
    struct watch *w = argument;
    const long n = render_pixels(&w->r->frame), step = n / 2000 + 1;
    while (!atomic_load(&w->stop)) {
        long done = 0, seen = 0;
        for (long k = 0; k < n; k += step, seen++)
            done += __atomic_load_n(&w->pixels[k], __ATOMIC_RELAXED) != 0;
        app_progress(&w->r->app, "%s: %ld %%", w->what, 100 * done / seen);
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    }
    return NULL;
}

static void watch_start(struct watch *w, const struct raytrace *r, const char *what, uint32_t *pixels) {
    *w = (struct watch){.r = r, .what = what, .pixels = pixels};
    memset(pixels, 0, (size_t)render_pixels(&r->frame) * sizeof *pixels);
    if (app_progress_wanted(&r->app))
        w->running = !pthread_create(&w->thread, NULL, look, w);
}

static void watch_stop(struct watch *w) {
    atomic_store(&w->stop, 1);
    if (w->running)
        pthread_join(w->thread, NULL);
    app_progress_end(&w->r->app);
}

static unsigned long measure(struct raytrace *r, double *seconds) {
    double *times = app_alloc((size_t)r->app.repeat, sizeof *times);
    unsigned long rays = 0;
    if (r->resident)
        resident_enter(r->app.device, &r->frame, &r->scene, &r->bvh);
    for (long k = -r->warm; k < r->app.repeat; k++) {
        char what[64];
        struct watch watch;
        snprintf(what, sizeof what, "run %ld of %ld", r->warm + k + 1, r->warm + r->app.repeat);
        watch_start(&watch, r, what, r->pixels);
        const double start = app_seconds();
        rays = render_run(render_heddle, &r->frame, &r->scene, &r->bvh, r->pixels);
        times[k < 0 ? 0 : k] = app_seconds() - start; /* those before are written over */
        watch_stop(&watch);
    }
    if (r->resident)
        resident_leave(r->app.device, &r->frame, &r->scene, &r->bvh);
    *seconds = app_median(times, (int)r->app.repeat);
    free(times);
    return rays;
}

static enum app_verdict check(struct raytrace *r, unsigned long rays) {
    const long n = render_pixels(&r->frame);
    uint32_t *serial = app_alloc((size_t)n, sizeof *serial);
    struct watch watch;
    long wrong = 0, first = -1;
    watch_start(&watch, r, "check", serial);
    const unsigned long counted = render_run(render_serial, &r->frame, &r->scene, &r->bvh, serial);
    watch_stop(&watch);
    for (long k = 0; k < n; k++)
        if (serial[k] != r->pixels[k] && !wrong++)
            first = k;
    if (wrong)
        app_fail(&r->app,
                 "check: %ld pixels differ from the serial program's, the first one is %ld: %08x, expected %08x", wrong,
                 first, r->pixels[first], serial[first]);
    else if (counted != rays)
        app_fail(&r->app, "check: %lu rays, expected %lu", rays, counted);
    free(serial);
    return wrong || counted != rays ? APP_CHECK_BAD : APP_CHECK_OK;
}

static int save(const struct raytrace *r, const uint8_t *rgb) {
    char message[512];
    if (r->out && !image_write_rgb(rgb, r->frame.width, r->frame.height, r->out, message, sizeof message))
        return app_fail(&r->app, "%s", message);
    return -1;
}

static int run(struct raytrace *r) {
    struct app_result result = {.rows = (double)r->app.rows, .cols = (double)r->app.cols, .unit = "Grays/s"};
    const size_t bytes = (size_t)r->app.rows * (size_t)r->app.cols * 3;
    const unsigned long rays = measure(r, &result.seconds);
    uint8_t *rgb = app_alloc(bytes, 1);
    result.work = (double)rays;
    result.check = r->app.check ? check(r, rays) : APP_NOT_CHECKED;
    render_rows(&r->frame, r->pixels, rgb);
    result.checksum = app_hash(APP_HASH_START, rgb, bytes);
    int status = save(r, rgb);
    free(rgb);
    if (status >= 0)
        return status;
    const struct app_value values[] = {{"rays", (double)rays},
                                       {"triangles", (double)r->scene.triangle_count},
                                       {"spheres", (double)r->scene.sphere_count},
                                       {"samples", (double)r->samples},
                                       {"build", r->build_seconds},
                                       {"nodes", (double)r->bvh.node_count},
                                       {"blocks", (double)r->bvh.block_count},
                                       {NULL, 0}};
    return app_report_values(&r->app, &result, stdout, values);
}

static int configure(const struct raytrace *r) {
    if (r->samples > 65536)
        return app_fail(&r->app, "--samples=%ld: at most 65536", r->samples);
    if (r->depth > VIEW_DEPTH_MOST)
        return app_fail(&r->app, "--depth=%ld: at most %d", r->depth, VIEW_DEPTH_MOST);
    if (r->triangles > 100000000)
        return app_fail(&r->app, "--triangles=%ld: at most 100000000", r->triangles);
    if (r->out && !image_has_suffix(r->out, ".png") && !image_has_suffix(r->out, ".ppm"))
        return app_fail(&r->app, "--out=%s: the name must end in .png or .ppm", r->out);
    return -1;
}

int main(int argc, char **argv) {
    struct raytrace r = {.samples = 1,
                         .depth = 5,
                         .seed = 1,
                         .app = {.name = "raytrace",
                                 .summary = "pictures of spheres, planes and meshes by ray tracing",
                                 .inputs = "[SCENE | MESH.obj]   (- is a scene on stdin)",
                                 .inputs_max = 1,
                                 .two_sizes = true,
                                 .size_help = "width and height of the picture (960x540)",
                                 .loops = true,
                                 .rows = 960,
                                 .cols = 540}};
    const struct app_option options[] = {
        {"out", "FILE", "the picture: .png or .ppm", APP_OUTPUT, &r.out, 0},
        {"samples", "N", "rays for a pixel, against jagged edges (1)", APP_LONG, &r.samples, 1},
        {"depth", "N", "reflections and refractions one after another (5)", APP_LONG, &r.depth, 0},
        {"scene", "NAME", "without a file: table (default) or landscape, which is triangles alone", APP_TEXT,
         &r.built_in, 0},
        {"triangles", "N", "of that scene (60000; landscape 1000000)", APP_LONG, &r.triangles, 1},
        {"seed", "N", "of that scene (1)", APP_LONG, &r.seed, 0},
        {"warm", "N", "runs before those that --repeat measures (0)", APP_LONG, &r.warm, 0},
        {"resident", NULL, "time without sending the scene: it stays on the devices", APP_FLAG, &r.resident, 0},
        {0}};
    r.app.options = options;
    int status = app_parse(&r.app, argc, argv);
    if (status < 0)
        status = configure(&r);
    if (status < 0)
        status = load(&r);
    if (status < 0)
        status = prepare(&r);
    if (status < 0)
        status = run(&r);
    scene_free(&r.scene);
    bvh_free(&r.bvh);
    free(r.pixels);
    return status;
}
