/* SPDX-License-Identifier: Apache-2.0 */
/* ccd: what collides between two frames of a mesh, and when. See README.md. */
#include "app.h"
#include "create.h"
#include "image.h"
#include "persistent.h"
#include "query.h"
#include "resident.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct ccd {
    struct app app;
    const char *out, *mesh_out, *picture, *scene, *which;
    long seed, boxes, warm, pixels;
    double tolerance;

    struct frames frames;
    FILE *table;
    struct query query;
    size_t points, edges, triangles_seen, tests, hits, cells, undecided;
    double seconds, build_seconds, first;
    uint64_t hash;
    bool wrong;
};

static int fail(const struct ccd *p, const char *path) { return app_fail(&p->app, "%s: %s", path, strerror(errno)); }

static void generate(const struct ccd *p, struct frame *before, struct frame *after) {
    const uint64_t seed = (uint64_t)p->seed;
    *before = *after = (struct frame){.points = NULL};
    if (!strcmp(p->scene, "cloth"))
        generate_cloth(before, after, p->app.sized ? p->app.rows : 92000, seed);
    else if (!strcmp(p->scene, "funnel"))
        generate_funnel(before, after, p->app.sized ? p->app.rows : 70000, seed);
    else
        generate_bodies(before, after, p->app.sized ? p->app.rows : 146000, seed);
}

/* Frames `step` and `step` + 1. */
static int load(struct ccd *p, long step) {
    struct frame before, after;
    struct complaint c;
    const char *name = "the second frame";
    if (p->frames.count) {
        const char *first = p->frames.path[step];
        name = p->frames.path[step + 1];
        app_progress(&p->app, "reading %s", first);
        if (!frame_read(&before, first, &c))
            return app_fail(&p->app, "%s", c.text);
        if (!frame_read(&after, name, &c)) {
            frame_free(&before);
            return app_fail(&p->app, "%s", c.text);
        }
        if (before.rounded || after.rounded)
            fprintf(stderr, "%s: note: %u coordinates are no floats, and were rounded\n", p->app.name,
                    before.rounded + after.rounded);
    } else
        generate(p, &before, &after);
    const bool made = mesh_make(&p->query.mesh, &before, &after, name, &c);
    frame_free(&before);
    frame_free(&after);
    if (!made)
        return app_fail(&p->app, "%s", c.text);
    if (p->query.mesh.loose)
        fprintf(stderr, "%s: note: %u points belong to no triangle: they are not tested\n", p->app.name,
                p->query.mesh.loose);
    return -1;
}

enum { LARGE = 10000 /* triangles */ };

/* The devices that keep the arrays: those that are named, without the host; where nobody said who takes part, all GPUs,
 * for scenes that are not small. How many. */
static int keepers(const struct ccd *p, int *device) {
    int count = 0;
    if (!strcmp(p->app.device, "auto") && p->query.mesh.faces_count >= LARGE)
        return resident_gpus(device);
    if (!p->app.device_numbers || strstr(p->app.device, "host"))
        return 0;
    for (const char *at = p->app.device; at && count < KEEPERS_MOST; at = strchr(at, ',')) {
        at += *at == ',';
        device[count++] = atoi(at);
    }
    return count;
}

/* By these devices alone, or by jobs, for which they keep the arrays. */
struct keeping {
    int device[KEEPERS_MOST], count;
    struct persistent *alone;
    bool held;
};

static void run_query(struct query *query, struct keeping *keeping) {
    if (keeping->alone && !persistent_run(keeping->alone, query)) {
        persistent_leave(keeping->alone, query);
        keeping->alone = NULL;
        keeping->held = resident_enter(query, keeping->device, keeping->count);
    }
    if (!keeping->alone)
        query_by_jobs(query);
}

static void measure(struct ccd *p, long step) {
    double *times = app_alloc((size_t)p->app.repeat, sizeof *times);
    struct keeping keeping = {.held = false};
    keeping.count = keepers(p, keeping.device);
    keeping.alone = persistent_enter(&p->query, keeping.device, keeping.count);
    keeping.held = !keeping.alone && keeping.count && resident_enter(&p->query, keeping.device, keeping.count);
    for (long k = -p->warm; k < p->app.repeat; k++) {
        app_progress(&p->app, "step %ld of %ld, run %ld of %ld", step + 1, p->frames.steps, p->warm + k + 1,
                     p->warm + p->app.repeat);
        const double start = app_seconds();
        run_query(&p->query, &keeping);
        times[k < 0 ? 0 : k] = app_seconds() - start; /* those before are written over */
    }
    p->seconds += app_median(times, (int)p->app.repeat);
    free(times);
    if (keeping.alone)
        persistent_leave(keeping.alone, &p->query);
    if (keeping.held)
        resident_leave(&p->query);
    query_sort(&p->query);
}

/* The serial program's hits: the same, with equal times. */
static void check(struct ccd *p) {
    struct query *q = &p->query;
    const size_t count = q->hits_count, tests = q->tests;
    struct contact *hits = q->hits;
    q->hits = NULL;
    q->hits_room = 0;
    app_progress(&p->app, "check");
    query_by_jobs_serially(q);
    query_sort(q);
    p->cells += q->cells;
    p->undecided += q->undecided;
    if (count != q->hits_count || tests != q->tests) {
        app_fail(&p->app, "check: %zu hits of %zu tests, expected %zu of %zu", count, tests, q->hits_count, q->tests);
        p->wrong = true;
    } else if (count && memcmp(hits, q->hits, count * sizeof *hits)) {
        app_fail(&p->app, "check: hits differ from the serial program's");
        p->wrong = true;
    }
    free(hits);
}

static int save(struct ccd *p, long step) {
    const struct query *q = &p->query;
    char message[512];
    if (p->table && !output_rows(p->table, step, &q->mesh, q->hits, q->hits_count))
        return fail(p, p->out);
    if (p->mesh_out && !output_mesh(&q->mesh, q->hits, q->hits_count, p->mesh_out))
        return fail(p, p->mesh_out);
    if (p->picture &&
        !picture_write(&q->mesh, q->hits, q->hits_count, (int)p->pixels, p->picture, message, sizeof message))
        return app_fail(&p->app, "%s", message);
    return -1;
}

static int run_step(struct ccd *p, long step) {
    struct query *q = &p->query;
    char message[256];
    *q = (struct query){.limits = {p->tolerance, (uint32_t)p->boxes},
                        .which = !strcmp(p->which, "inter")  ? WHICH_INTER
                                 : !strcmp(p->which, "self") ? WHICH_SELF
                                                             : WHICH_ALL};
    int status = load(p, step);
    const double start = app_seconds();
    if (status < 0 && !query_prepare(q, message, sizeof message))
        status = app_fail(&p->app, "%s", message);
    p->build_seconds += app_seconds() - start;
    if (status < 0)
        measure(p, step);
    if (status < 0 && p->app.check)
        check(p);
    if (status < 0) {
        p->triangles_seen += q->mesh.faces_count;
        p->points = q->mesh.points_count;
        p->edges = q->mesh.edges_count;
        p->tests += q->tests;
        p->hits += q->hits_count;
        p->hash = app_hash(p->hash, q->hits, q->hits_count * sizeof *q->hits);
        for (size_t k = 0; k < q->hits_count; k++)
            p->first = q->hits[k].time + (double)step < p->first ? q->hits[k].time + (double)step : p->first;
        status = save(p, step);
    }
    query_free(q);
    return status;
}

static int report(struct ccd *p) {
    struct app_result result = {.rows = (double)p->triangles_seen,
                                .cols = (double)p->frames.steps,
                                .seconds = p->seconds,
                                .work = (double)p->tests,
                                .unit = "Gtests/s",
                                .checksum = p->hash,
                                .check = !p->app.check ? APP_NOT_CHECKED
                                         : p->wrong    ? APP_CHECK_BAD
                                                       : APP_CHECK_OK};
    struct app_value values[12] = {{"points", (double)p->points},      {"edges", (double)p->edges},
                                   {"tests", (double)p->tests},        {"hits", (double)p->hits},
                                   {"first", p->hits ? p->first : -1}, {"build", p->build_seconds}};
    int count = 6;
    if (p->app.check) {
        values[count++] = (struct app_value){"cells", (double)p->cells};
        values[count++] = (struct app_value){"undecided", (double)p->undecided};
    }
    app_progress_end(&p->app);
    return app_report_values(&p->app, &result, stdout, values);
}

static int configure(const struct ccd *p) {
    const char *const scenes[] = {"bodies", "cloth", "funnel"}, *const kinds[] = {"all", "inter", "self"};
    bool scene = false, which = false;
    for (int k = 0; k < 3; k++) {
        scene |= !strcmp(p->scene, scenes[k]);
        which |= !strcmp(p->which, kinds[k]);
    }
    if (!scene)
        return app_fail(&p->app, "--scene=%s: expected bodies, cloth or funnel", p->scene);
    if (!which)
        return app_fail(&p->app, "--which=%s: expected all, inter or self", p->which);
    if (p->app.rows > 100000000)
        return app_fail(&p->app, "--size=%ld: at most 100000000", p->app.rows);
    if (p->app.input_count && p->app.sized)
        return app_fail(&p->app, "--size is for runs without files");
    if (!(p->tolerance >= 0 && p->tolerance <= 1e9))
        return app_fail(&p->app, "--tolerance=%g: expected 0 to 1e9", p->tolerance);
    if (p->boxes > 2000000000)
        return app_fail(&p->app, "--boxes=%ld: at most 2000000000", p->boxes);
    if (p->pixels > 4096)
        return app_fail(&p->app, "--pixels=%ld: at most 4096", p->pixels);
    if (p->mesh_out && !image_has_suffix(p->mesh_out, ".obj"))
        return app_fail(&p->app, "--mesh=%s: the name must end in .obj", p->mesh_out);
    if (p->picture && !image_has_suffix(p->picture, ".png") && !image_has_suffix(p->picture, ".ppm"))
        return app_fail(&p->app, "--picture=%s: the name must end in .png or .ppm", p->picture);
    return -1;
}

static int open_all(struct ccd *p) {
    struct complaint c;
    char message[512];
    if (!frames_find(&p->frames, p->app.input, p->app.input_count, &c))
        return app_fail(&p->app, "%s", c.text);
    if ((p->mesh_out || p->picture) && p->frames.steps > 1)
        return app_fail(&p->app, "--mesh and --picture are for two frames, there are %ld", p->frames.steps + 1);
    const int status = app_check_device(&p->app, message, sizeof message);
    if (status >= 0)
        return app_fail(&p->app, "%s", message);
    if (p->out && (!(p->table = app_create(p->out)) || !output_header(p->table)))
        return fail(p, p->out);
    return -1;
}

int main(int argc, char **argv) {
    struct ccd p = {.scene = "bodies",
                    .which = "all",
                    .seed = 1,
                    .boxes = 1000000,
                    .pixels = 600,
                    .tolerance = 1e-6,
                    .first = CCD_MISS * 1e9,
                    .hash = APP_HASH_START,
                    .app = {.name = "ccd",
                            .summary = "collisions between frames of triangle meshes",
                            .inputs = "[BEFORE AFTER | FOLDER]   (OBJ or PLY; of a folder all frames, by name)",
                            .inputs_max = 2,
                            .size_help = "triangles of a scene without files (146000; cloth 92000, funnel 70000)",
                            .loops = true,
                            .jobs = true,
                            .rows = 1,
                            .cols = 1}};
    const struct app_option options[] = {
        {"out", "FILE", "hits as a table (TSV)", APP_OUTPUT, &p.out, 0},
        {"mesh", "FILE", "the triangles that collide: .obj", APP_OUTPUT, &p.mesh_out, 0},
        {"picture", "FILE", "the first frame, with those in red: .png or .ppm", APP_OUTPUT, &p.picture, 0},
        {"pixels", "N", "width and height of the picture (600)", APP_LONG, &p.pixels, 16},
        {"which", "KIND", "all, inter (between bodies) or self (within one) (all)", APP_TEXT, &p.which, 0},
        {"tolerance", "D", "of a contact, in the unit of coordinates (1e-6)", APP_REAL, &p.tolerance, 0},
        {"boxes", "N", "a test that needs more counts as a hit (1000000)", APP_LONG, &p.boxes, 1},
        {"scene", "NAME", "without files: bodies, cloth or funnel (bodies)", APP_TEXT, &p.scene, 0},
        {"seed", "N", "of that scene (1)", APP_LONG, &p.seed, 0},
        {"warm", "N", "runs before those that --repeat measures (0)", APP_LONG, &p.warm, 0},
        {0}};
    p.app.options = options;
    int status = app_parse(&p.app, argc, argv);
    if (status < 0)
        status = configure(&p);
    if (status < 0)
        status = open_all(&p);
    for (long step = 0; status < 0 && step < p.frames.steps; step++)
        status = run_step(&p, step);
    if (p.table && !app_finish(p.table, status < 0 && !ferror(p.table)) && status < 0)
        status = fail(&p, p.out);
    if (status < 0)
        status = report(&p);
    frames_free(&p.frames);
    return status;
}
