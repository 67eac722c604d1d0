/* SPDX-License-Identifier: Apache-2.0 */
/* pathtrace: a picture of an OBJ or PLY file or a seeded room by all ways that light takes. See README.md. */
#include "app.h"
#include "film.h"
#include "image.h"
#include "resident.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct pathtrace {
    struct app app;
    const char *out, *hdr, *sky, *from, *at;
    long samples, depth, triangles, seed, warm, cut;
    double fov, exposure;
    bool resident;

    struct scene scene;
    struct bvh bvh;
    struct picture picture;
    struct vec3 *film, *rows;
    struct render_work work;
    double build_seconds;
};

/* "X,Y,Z", each from low to high; -1, or the exit status. */
static int read_three(const struct pathtrace *p, const char *name, const char *text, double low, double high,
                      struct vec3 *v) {
    float *const to[3] = {&v->x, &v->y, &v->z};
    const char *at = text;
    for (int k = 0; k < 3; k++) {
        char *end;
        const double x = strtod(at, &end);
        if (end == at || !(x >= low && x <= high) || *end != (k < 2 ? ',' : 0))
            return app_fail(&p->app, "--%s=%s: expected three numbers from %g to %g with commas between them", name,
                            text, low, high);
        *to[k] = (float)x;
        at = end + 1;
    }
    return -1;
}

/* What the command line says of the camera and the sky. */
static int set_view(struct pathtrace *p) {
    const double far = (double)OBJ_COORDINATE_MOST;
    int status = -1;
    if (!p->from != !p->at)
        return app_fail(&p->app, "--from and --at belong together");
    if (p->from) {
        status = read_three(p, "from", p->from, -far, far, &p->scene.camera.from);
        if (status < 0)
            status = read_three(p, "at", p->at, -far, far, &p->scene.camera.at);
        const struct vec3 way = minus(p->scene.camera.at, p->scene.camera.from);
        if (status < 0 && !(dot(way, way) > 0))
            return app_fail(&p->app, "--from and --at are the same place");
        p->scene.has_camera = true;
    }
    if (p->fov > 0)
        p->scene.camera.fov = (float)p->fov;
    if (status < 0 && p->sky) {
        status = read_three(p, "sky", p->sky, 0, (double)SCENE_LIGHT_MOST, &p->scene.sky);
        p->scene.has_sky = true;
    }
    return status;
}

static void tell_notes(const struct pathtrace *p, const char *added) {
    const struct scene *s = &p->scene;
    if (*s->missing)
        fprintf(stderr, "%s: note: '%s' is not there: grey takes its place\n", p->app.name, s->missing);
    if (s->notes)
        fprintf(stderr, "%s: note: maps of MTL files are left out (%u lines)\n", p->app.name, s->notes);
    if (s->scaled)
        fprintf(stderr, "%s: note: %u materials gave back more light than they got: Kd and Ks are scaled\n",
                p->app.name, s->scaled);
    if (*added)
        fprintf(stderr, "%s: note: %s\n", p->app.name, added);
}

static int load(struct pathtrace *p) {
    struct complaint c;
    scene_start(&p->scene);
    if (p->app.input_count) {
        if (p->triangles)
            return app_fail(&p->app, "--triangles is for runs without a file");
        app_progress(&p->app, "reading %s", p->app.input[0]);
        if (!scene_read(&p->scene, p->app.input[0], &c))
            return app_fail(&p->app, "%s", c.text);
    } else
        generate_room(&p->scene, p->triangles ? p->triangles : 436000, (uint64_t)p->seed);
    const int status = set_view(p);
    if (status < 0)
        tell_notes(p, scene_finish(&p->scene));
    return status;
}

static int prepare(struct pathtrace *p) {
    const double triangles = (double)p->scene.triangle_count, size = (double)p->app.rows * (double)p->app.cols;
    if (size > (double)IMAGE_PIXELS_MOST || p->app.rows > IMAGE_SIDE_MOST || p->app.cols > IMAGE_SIDE_MOST)
        return app_fail(&p->app, "--size=%ldx%ld: more than %.0f pixels, or a side above %d", p->app.rows, p->app.cols,
                        (double)IMAGE_PIXELS_MOST, IMAGE_SIDE_MOST);
    const int status = app_memory_fits(&p->app, triangles * 260 + size * (p->app.check ? 80 : 68), "this picture");
    if (status >= 0)
        return status;
    app_progress(&p->app, "hierarchy of %.0f triangles", triangles);
    const struct bvh_primitives all = scene_primitives(&p->scene);
    const double start = app_seconds();
    bvh_build(&p->bvh, &all);
    p->build_seconds = app_seconds() - start;
    p->picture.scene = &p->scene;
    p->picture.bvh = &p->bvh;
    render_set_frame(&p->picture, (int)p->app.rows, (int)p->app.cols, (int)p->depth, (uint32_t)p->seed);
    p->picture.frame.cut = (int32_t)p->cut;
    p->film = app_alloc((size_t)render_pixels(&p->picture.frame), sizeof *p->film);
    p->rows = app_alloc((size_t)size, sizeof *p->rows);
    return -1;
}

/* A whole picture. Whoever watches gets it in parts of about a third of a second: the sums are the same. */
static unsigned long make(struct pathtrace *p, render_jobs *by, struct vec3 *film, const char *what) {
    const uint32_t samples = (uint32_t)p->samples;
    uint32_t part = app_progress_wanted(&p->app) ? 1 : samples;
    unsigned long rays = 0;
    render_clear(&p->picture.frame, film);
    for (uint32_t first = 0; first < samples;) {
        const double start = app_seconds();
        const uint32_t now = part < samples - first ? part : samples - first;
        rays += render_run(by, &p->work, &p->picture, film, first, now);
        first += now;
        app_progress(&p->app, "%s: %u of %u samples", what, first, samples);
        const double seconds = app_seconds() - start;
        part = seconds < 0.15 ? 2 * now : seconds > 0.6 && now > 1 ? now / 2 : now;
    }
    app_progress_end(&p->app);
    return rays;
}

static unsigned long measure(struct pathtrace *p, double *seconds) {
    double *times = app_alloc((size_t)p->app.repeat, sizeof *times);
    unsigned long rays = 0;
    if (p->resident)
        resident_enter(p->app.device, &p->picture);
    for (long k = -p->warm; k < p->app.repeat; k++) {
        char what[64];
        snprintf(what, sizeof what, "run %ld of %ld", p->warm + k + 1, p->warm + p->app.repeat);
        const double start = app_seconds();
        rays = make(p, jobs_heddle, p->film, what);
        times[k < 0 ? 0 : k] = app_seconds() - start; /* those before are written over */
    }
    if (p->resident)
        resident_leave(p->app.device, &p->picture);
    *seconds = app_median(times, (int)p->app.repeat);
    free(times);
    return rays;
}

/* The serial program, whose picture has the same bits. */
static enum app_verdict check(struct pathtrace *p, unsigned long rays) {
    const long n = render_pixels(&p->picture.frame);
    struct vec3 *serial = app_alloc((size_t)n, sizeof *serial);
    long wrong = 0, first = -1;
    const unsigned long counted = make(p, jobs_serial, serial, "check");
    for (long k = 0; k < n; k++)
        if (memcmp(&serial[k], &p->film[k], sizeof *serial) && !wrong++)
            first = k;
    if (wrong)
        app_fail(&p->app,
                 "check: %ld pixels differ from the serial program's, the first one is %ld: %.9g, expected %.9g", wrong,
                 first, (double)p->film[first].y, (double)serial[first].y);
    else if (counted != rays)
        app_fail(&p->app, "check: %lu rays, expected %lu", rays, counted);
    free(serial);
    return wrong || counted != rays ? APP_CHECK_BAD : APP_CHECK_OK;
}

static int save(const struct pathtrace *p) {
    char message[512];
    if (p->out && !film_write(&p->picture.frame, p->rows, p->exposure, p->out, message, sizeof message))
        return app_fail(&p->app, "%s", message);
    if (p->hdr && !film_write_pfm(&p->picture.frame, p->rows, p->hdr, message, sizeof message))
        return app_fail(&p->app, "%s", message);
    return -1;
}

static int run(struct pathtrace *p) {
    struct app_result result = {.rows = (double)p->app.rows, .cols = (double)p->app.cols, .unit = "Grays/s"};
    const size_t pixels = (size_t)p->app.rows * (size_t)p->app.cols;
    const unsigned long rays = measure(p, &result.seconds);
    double mean = 0;
    result.work = (double)rays;
    result.check = p->app.check ? check(p, rays) : APP_NOT_CHECKED;
    film_rows(&p->picture.frame, p->film, (uint32_t)p->samples, p->rows);
    for (size_t k = 0; k < pixels; k++)
        mean += ((double)p->rows[k].x + (double)p->rows[k].y + (double)p->rows[k].z) / 3;
    result.checksum = app_hash(APP_HASH_START, p->rows, pixels * sizeof *p->rows);
    const int status = save(p);
    if (status >= 0)
        return status;
    const struct app_value values[] = {{"rays", (double)rays},
                                       {"triangles", (double)p->scene.triangle_count},
                                       {"lights", (double)p->scene.light_count},
                                       {"samples", (double)p->samples},
                                       {"mean", mean / (double)pixels},
                                       {"build", p->build_seconds},
                                       {NULL, 0}};
    return app_report_values(&p->app, &result, stdout, values);
}

static int configure(const struct pathtrace *p) {
    if (p->samples > VIEW_SAMPLES_MOST)
        return app_fail(&p->app, "--samples=%ld: at most %d", p->samples, VIEW_SAMPLES_MOST);
    if (p->depth > VIEW_DEPTH_MOST)
        return app_fail(&p->app, "--depth=%ld: at most %d", p->depth, VIEW_DEPTH_MOST);
    if (p->cut > INT_MAX)
        return app_fail(&p->app, "--cut=%ld: at most %d", p->cut, INT_MAX);
    if (p->triangles > 100000000)
        return app_fail(&p->app, "--triangles=%ld: at most 100000000", p->triangles);
    if (p->fov && !(p->fov >= 0.1 && p->fov <= 170))
        return app_fail(&p->app, "--fov=%g: expected 0.1 to 170", p->fov);
    if (!(p->exposure > 0 && p->exposure < 1e9))
        return app_fail(&p->app, "--exposure=%g: expected a number above 0", p->exposure);
    if (p->out && !image_has_suffix(p->out, ".png") && !image_has_suffix(p->out, ".ppm"))
        return app_fail(&p->app, "--out=%s: the name must end in .png or .ppm", p->out);
    if (p->hdr && !image_has_suffix(p->hdr, ".pfm"))
        return app_fail(&p->app, "--hdr=%s: the name must end in .pfm", p->hdr);
    return -1;
}

int main(int argc, char **argv) {
    struct pathtrace p = {.samples = 16,
                          .depth = 8,
                          .seed = 1,
                          .exposure = 1,
                          .app = {.name = "pathtrace",
                                  .summary = "pictures of meshes by path tracing",
                                  .inputs = "[MESH.obj|.ply]   (- is a mesh on stdin)",
                                  .inputs_max = 1,
                                  .two_sizes = true,
                                  .size_help = "width and height of the picture (480x360)",
                                  .loops = true,
                                  .jobs = true,
                                  .rows = 480,
                                  .cols = 360}};
    const struct app_option options[] = {
        {"out", "FILE", "the picture: .png or .ppm", APP_OUTPUT, &p.out, 0},
        {"hdr", "FILE", "the light itself: .pfm", APP_OUTPUT, &p.hdr, 0},
        {"samples", "N", "paths for a pixel (16)", APP_LONG, &p.samples, 1},
        {"depth", "N", "surfaces that a path goes on from (8)", APP_LONG, &p.depth, 0},
        {"triangles", "N", "of the room that comes without a file (436000)", APP_LONG, &p.triangles, 1},
        {"seed", "N", "of that room, and of all samples (1)", APP_LONG, &p.seed, 0},
        {"sky", "R,G,B", "light from everywhere (0; white where nothing gives light)", APP_TEXT, &p.sky, 0},
        {"from", "X,Y,Z", "where the camera is", APP_TEXT, &p.from, 0},
        {"at", "X,Y,Z", "what it looks at", APP_TEXT, &p.at, 0},
        {"fov", "DEGREES", "angle of the picture's height (40; the room 38)", APP_REAL, &p.fov, 0},
        {"exposure", "X", "light is multiplied by it in --out (1)", APP_REAL, &p.exposure, 0},
        {"cut", "RAYS", "of a pixel, after which a GPU leaves the rest to others (0: none)", APP_LONG, &p.cut, 0},
        {"warm", "N", "runs before those that --repeat measures (0)", APP_LONG, &p.warm, 0},
        {"resident", NULL, "the scene stays on the devices, and is not part of the time", APP_FLAG, &p.resident, 0},
        {0}};
    p.app.options = options;
    int status = app_parse(&p.app, argc, argv);
    if (status < 0)
        status = configure(&p);
    if (status < 0)
        status = load(&p);
    if (status < 0)
        status = prepare(&p);
    if (status < 0)
        status = run(&p);
    scene_free(&p.scene);
    bvh_free(&p.bvh);
    render_free(&p.work);
    free(p.film);
    free(p.rows);
    return status;
}
