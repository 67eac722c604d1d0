/* SPDX-License-Identifier: Apache-2.0 */
/* bench-paths: rays per second of pathtrace's own rays, by how far they have come: from the camera, after the first
 * surface, later, and those to lights. They come from the serial program, in its order or shuffled. On the devices
 * that --device names the lists stay there; with --embree, Embree and the serial program in turn, on one core each. */
#include "paths.h"

#include "app.h"
#include "path.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bench {
    struct app app;
    long samples, triangles, seed, warm;
    bool shuffle, embree;
    const char *only;

    struct scene scene;
    struct bvh bvh;
    struct picture picture;
    struct paths_rays rays[PATHS_KINDS];
    struct hit *hits;
    struct vec3 *light;
};

static const char *const kinds[PATHS_KINDS] = {"camera", "first", "later", "shadow"};

static void add_extension(struct paths_rays *to, const struct extension *e) {
    if (to->count == to->room)
        to->extensions = app_resize(to->extensions, to->room = 2 * to->room + 1024, sizeof *to->extensions);
    to->extensions[to->count++] = *e;
}

static void add_shadow(struct paths_rays *to, const struct shadow *s) {
    if (to->count == to->room)
        to->shadows = app_resize(to->shadows, to->room = 2 * to->room + 1024, sizeof *to->shadows);
    to->shadows[to->count++] = *s;
}

static void collect(struct bench *b) {
    const struct picture *p = &b->picture;
    const struct view view = {&p->frame,         p->bvh->nodes,       p->bvh->blocks,  p->scene->faces,
                              p->scene->normals, p->scene->materials, p->scene->lights};
    const uint32_t pixels = (uint32_t)render_pixels(&p->frame);
    for (uint32_t sample = 0; sample < (uint32_t)b->samples; sample++)
        for (uint32_t pixel = 0; pixel < pixels; pixel++) {
            struct extension e;
            const struct place place = view_place(&p->frame, pixel);
            if (place.x >= p->frame.width || place.y >= p->frame.height)
                continue;
            start_path(&p->frame, pixel, sample, &e);
            for (bool more = true; more;) {
                struct hit hit;
                add_extension(&b->rays[e.depth < 2 ? e.depth : 2], &e);
                extend_serial(RENDER_ARGUMENTS(p), &e, &hit, 1);
                const struct shaded s = shade(&view, &e, &hit);
                if (s.made & SHADE_SHADOW)
                    add_shadow(&b->rays[PATHS_SHADOW], &s.shadow);
                more = s.made & SHADE_NEXT;
                e = s.next;
            }
        }
}

static void exchange(void *a, void *b, size_t size) {
    char t[sizeof(struct extension) + sizeof(struct shadow)];
    memcpy(t, a, size), memcpy(a, b, size), memcpy(b, t, size);
}

static void mix(struct paths_rays *r, struct app_random *random) {
    for (long k = r->count - 1; k > 0; k--) {
        const long other = (long)app_below(random, (uint64_t)k + 1);
        if (r->extensions)
            exchange(&r->extensions[k], &r->extensions[other], sizeof *r->extensions);
        else
            exchange(&r->shadows[k], &r->shadows[other], sizeof *r->shadows);
    }
}

static void trace(struct bench *b, bool serial, int kind) {
    const struct paths_rays *r = &b->rays[kind];
    if (kind == PATHS_SHADOW)
        (serial ? connect_serial : connect_heddle)(RENDER_ARGUMENTS(&b->picture), r->shadows, b->light, r->count);
    else
        (serial ? extend_serial : extend_heddle)(RENDER_ARGUMENTS(&b->picture), r->extensions, b->hits, r->count);
}

/* Lists on a device while they are measured. */
static void stay(struct bench *b, int kind, int device, bool enter) {
    const struct paths_rays *r = &b->rays[kind];
    const char *from = r->extensions ? (const char *)r->extensions : (const char *)r->shadows;
    char *to = kind == PATHS_SHADOW ? (char *)b->light : (char *)b->hits;
    const size_t in = (size_t)r->count * (r->extensions ? sizeof *r->extensions : sizeof *r->shadows);
    const size_t out = (size_t)r->count * (kind == PATHS_SHADOW ? sizeof *b->light : sizeof *b->hits);
    (void)from, (void)to, (void)in, (void)out, (void)device;
    if (enter) {
#pragma omp target enter data map(to : from[0 : in]) map(alloc : to[0 : out]) device(device)
    } else {
#pragma omp target exit data map(release : from[0 : in]) map(from : to[0 : out]) device(device)
    }
}

static double measure(struct bench *b, int kind, int device) {
    double *times = app_alloc((size_t)b->app.repeat, sizeof *times);
    if (device >= 0)
        stay(b, kind, device, true);
    for (long k = -b->warm; k < b->app.repeat; k++) {
        const double start = app_seconds();
        trace(b, false, kind);
        times[k < 0 ? 0 : k] = app_seconds() - start;
    }
    if (device >= 0)
        stay(b, kind, device, false);
    const double seconds = app_median(times, (int)b->app.repeat);
    free(times);
    return seconds;
}

/* Of this core, for other programs run beside this one. */
static double core_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The serial program and Embree in turn. equal: share of rays with one answer. Returns the seconds of the serial
 * program, and Embree's. */
static double measure_both(struct bench *b, int kind, double *theirs, double *equal) {
    const long n = b->rays[kind].count;
    const size_t repeat = (size_t)b->app.repeat;
    double *times[2] = {app_alloc(repeat, sizeof **times), app_alloc(repeat, sizeof **times)};
    uint32_t *found = app_alloc((size_t)n, sizeof *found);
    long same = 0;
    for (size_t k = 0; k < repeat; k++) {
        const double start = core_seconds();
        trace(b, true, kind);
        const double middle = core_seconds();
        paths_embree(&b->rays[kind], kind, found);
        times[0][k] = middle - start;
        times[1][k] = core_seconds() - middle;
    }
    for (long k = 0; k < n; k++)
        same += found[k] == (kind == PATHS_SHADOW ? !(largest(b->light[k]) > 0) : b->hits[k].id);
    *equal = (double)same / (double)n;
    *theirs = app_median(times[1], (int)repeat);
    const double own = app_median(times[0], (int)repeat);
    free(times[0]);
    free(times[1]);
    free(found);
    return own;
}

/* False: the serial program says otherwise. */
static bool check(struct bench *b, int kind) {
    const size_t n = (size_t)b->rays[kind].count;
    const bool shadow = kind == PATHS_SHADOW;
    void *of = shadow ? (void *)b->light : (void *)b->hits;
    const size_t size = n * (shadow ? sizeof *b->light : sizeof *b->hits);
    void *got = app_alloc(size, 1);
    memcpy(got, of, size);
    trace(b, true, kind);
    const bool equal = !memcmp(got, of, size);
    free(got);
    return equal;
}

static int run(struct bench *b) {
    const char *const name = b->app.device;
    const int device = name && *name >= '0' && *name <= '9' ? atoi(name) : -1;
    char keys[4 * PATHS_KINDS + 1][32];
    struct app_value values[4 * PATHS_KINDS + 2] = {{"triangles", (double)b->scene.triangle_count}};
    struct app_result result = {
        .rows = (double)b->app.rows, .cols = (double)b->app.cols, .unit = "Grays/s", .check = APP_NOT_CHECKED};
    int count = 1;
#define TELL(name, what)                                                                                               \
    snprintf(keys[count], sizeof keys[count], "%s_" name, kinds[kind]), values[count].key = keys[count],               \
                                                                        values[count].value = (what), count++
    for (int kind = 0; kind < PATHS_KINDS; kind++) {
        const double n = (double)b->rays[kind].count;
        if ((b->only && strcmp(b->only, kinds[kind])) || !b->rays[kind].count)
            continue;
        double theirs = 0, equal = 0;
        const double seconds = b->embree ? measure_both(b, kind, &theirs, &equal) : measure(b, kind, device);
        TELL("rays", n);
        TELL("Mrays_s", n / seconds * 1e-6);
        if (b->app.check &&
            (result.check = check(b, kind) && result.check != APP_CHECK_BAD ? APP_CHECK_OK : APP_CHECK_BAD) ==
                APP_CHECK_BAD)
            app_fail(&b->app, "check: %s: other hits than the serial program's", kinds[kind]);
        if (b->embree) {
            TELL("share", theirs / seconds);
            TELL("equal", equal);
        }
        result.work += n;
        result.seconds += seconds;
    }
    return app_report_values(&b->app, &result, stdout, values);
}

int main(int argc, char **argv) {
    struct bench b = {.samples = 1,
                      .triangles = 436000,
                      .seed = 1,
                      .warm = 1,
                      .app = {.name = "bench-paths",
                              .summary = "rays per second of pathtrace's rays, by kind",
                              .inputs = "[MESH.obj]",
                              .inputs_max = 1,
                              .two_sizes = true,
                              .loops = true,
                              .rows = 640,
                              .cols = 480}};
    const struct app_option options[] = {
        {"samples", "N", "paths for a pixel (1)", APP_LONG, &b.samples, 1},
        {"triangles", "N", "of the room (436000)", APP_LONG, &b.triangles, 1},
        {"seed", "N", "of the room (1)", APP_LONG, &b.seed, 0},
        {"warm", "N", "runs before those that count (1)", APP_LONG, &b.warm, 0},
        {"only", "KIND", "camera, first, later or shadow", APP_TEXT, &b.only, 0},
        {"shuffle", NULL, "rays in no order", APP_FLAG, &b.shuffle, 0},
        {"embree", NULL, "Embree and the serial program, a core each", APP_FLAG, &b.embree, 0},
        {0}};
    struct complaint c;
    struct app_random random;
    b.app.options = options;
    int status = app_parse(&b.app, argc, argv);
    if (status >= 0)
        return status;
    scene_start(&b.scene);
    if (!b.app.input_count)
        generate_room(&b.scene, b.triangles, (uint64_t)b.seed);
    else if (!scene_read(&b.scene, b.app.input[0], &c))
        return app_fail(&b.app, "%s", c.text);
    scene_finish(&b.scene);
    const struct bvh_primitives all = scene_primitives(&b.scene);
    bvh_build(&b.bvh, &all);
    b.picture.scene = &b.scene;
    b.picture.bvh = &b.bvh;
    render_set_frame(&b.picture, (int)b.app.rows, (int)b.app.cols, 8, (uint32_t)b.seed);
    collect(&b);
    app_seed(&random, 1);
    long largest_list = 1;
    for (int kind = 0; kind < PATHS_KINDS; kind++) {
        if (b.shuffle)
            mix(&b.rays[kind], &random);
        largest_list = b.rays[kind].count > largest_list ? b.rays[kind].count : largest_list;
    }
    b.hits = app_alloc((size_t)largest_list, sizeof *b.hits);
    b.light = app_alloc((size_t)largest_list, sizeof *b.light);
    resident_enter(b.app.device, &b.picture);
    status = b.embree && !paths_embree_start(&b.scene) ? app_fail(&b.app, "built without Embree") : run(&b);
    resident_leave(b.app.device, &b.picture);
    return status;
}
