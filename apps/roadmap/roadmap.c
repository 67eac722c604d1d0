/* SPDX-License-Identifier: Apache-2.0 */
/* roadmap: the path of a rigid body among triangles. See README.md. */
#include "resident.h"
#include "roadmap.h"

#include "app.h"
#include "create.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct planned { /* by one of the two forms of the loops */
    uint8_t *clear, *open;
    uint32_t *near, *tests;
    struct state *states; /* those that are clear; start and goal first */
    struct way *ways;
    size_t count, way_count;
    double seconds[3]; /* clear, near, open */
    double looked;     /* states */
};

struct roadmap {
    struct app app;
    const char *out, *picture, *start_text, *goal_text;
    long triangles, neighbours, seed, warm, cut;
    double step, turn_weight;
    bool resident;

    struct body body, world;
    struct surroundings around;
    struct measure measure;
    struct state *samples;
    uint32_t *path;
    size_t path_count, parts;
    double length;
};

/* ---- before */

static int get_state(const struct roadmap *r, const char *option, const char *text, struct state *to) {
    double value[7] = {0, 0, 0, 0, 0, 0, 1}, norm = 0;
    int count = 0;
    for (const char *at = text; *at && count < 7; count++) {
        char *end;
        value[count] = strtod(at, &end);
        if (end == at || !isfinite(value[count]))
            break;
        at = end + strspn(end, " ,");
    }
    for (int k = 3; k < 7; k++)
        norm += value[k] * value[k];
    if ((count != 3 && count != 7) || !(norm > 1e-6))
        return app_fail(&r->app, "--%s=%s: expected \"X Y Z\" or \"X Y Z QX QY QZ QW\"", option, text);
    for (int k = 0; k < 3; k++)
        to->move[k] = (float)value[k];
    for (int k = 0; k < 4; k++)
        to->turn[k] = (float)(value[3 + k] / sqrt(norm));
    return -1;
}

/* Places within the world's box, turns alike in all directions (K. Shoemake: Uniform Random Rotations, 1992). */
static void make_samples(struct roadmap *r) {
    struct app_random random;
    app_seed(&random, (uint64_t)r->seed);
    for (long k = 2; k < r->app.rows; k++) {
        struct state *s = &r->samples[k];
        for (int axis = 0; axis < 3; axis++)
            s->move[axis] = (float)((double)r->world.box.low[axis] +
                                    app_unit(&random) * (double)(r->world.box.high[axis] - r->world.box.low[axis]));
        const double u = app_unit(&random), v = 2 * M_PI * app_unit(&random), w = 2 * M_PI * app_unit(&random);
        s->turn[0] = (float)(sqrt(1 - u) * sin(v)), s->turn[1] = (float)(sqrt(1 - u) * cos(v));
        s->turn[2] = (float)(sqrt(u) * sin(w)), s->turn[3] = (float)(sqrt(u) * cos(w));
    }
}

static int load(struct roadmap *r) {
    struct complaint c;
    if (r->app.input_count == 1)
        return app_fail(&r->app, "expected a body and what stands around it, two OBJ or PLY files");
    if (r->app.input_count && r->triangles)
        return app_fail(&r->app, "--triangles is for runs without files");
    if (r->app.input_count) {
        if (!body_read(&r->body, r->app.input[0], &c) || !body_read(&r->world, r->app.input[1], &c))
            return app_fail(&r->app, "%s", c.text);
        if (!r->start_text || !r->goal_text)
            return app_fail(&r->app, "--start and --goal are needed with files");
    } else
        body_sofa(&r->body, &r->world, r->triangles ? r->triangles : 137000, (uint64_t)r->seed);
    app_progress(&r->app, "hierarchies of %zu and %zu triangles", r->body.triangle_count, r->world.triangle_count);
    body_finish(&r->body);
    body_finish(&r->world);
    if (!r->body.tree.count || !r->world.tree.count)
        return app_fail(&r->app, "%s: no triangle is finite", r->app.input[r->body.tree.count ? 1 : 0]);
    const uint32_t left_out = r->body.tree.left_out + r->world.tree.left_out;
    if (left_out)
        fprintf(stderr, "%s: note: %u triangles with a corner that is not finite are left out\n", r->app.name,
                left_out);
    return -1;
}

/* States between the two that are farthest apart: start and goal may be far from the world. As of steps_between, which
 * counts them by a whole number. */
static int bound_steps(const struct roadmap *r) {
    double longest = 0;
    for (int k = 0; k < 3; k++) {
        const double a = (double)r->samples[0].move[k], b = (double)r->samples[1].move[k],
                     low = fmin(fmin(a, b), (double)r->world.box.low[k]),
                     high = fmax(fmax(a, b), (double)r->world.box.high[k]);
        longest += high - low;
    }
    const double states = (longest + 6 * (double)r->body.radius) / r->step;
    if (!(states < 1e8))
        return app_fail(&r->app, "--step=%g: up to %.3g states between two places, at most 1e8", r->step, states);
    return -1;
}

static int prepare(struct roadmap *r) {
    const double samples = (double)r->app.rows;
    int status = app_memory_fits(&r->app, samples * (220 + (double)r->neighbours * 60) * (r->app.check ? 2 : 1),
                                 "so many samples");
    if (status >= 0)
        return status;
    r->samples = app_alloc((size_t)r->app.rows, sizeof *r->samples);
    r->path = app_alloc((size_t)r->app.rows, sizeof *r->path);
    status = get_state(r, "start", r->start_text ? r->start_text : "1.9 0.55 2.6", &r->samples[0]);
    if (status < 0)
        status = get_state(r, "goal", r->goal_text ? r->goal_text : "5.2 0.75 2 0 0.7071 0 0.7071", &r->samples[1]);
    if (status < 0)
        status = bound_steps(r);
    if (status >= 0)
        return status;
    make_samples(r);
    r->measure = (struct measure){.turn_weight = (float)(r->turn_weight > 0 ? r->turn_weight : (double)r->body.radius),
                                  .step = (float)r->step,
                                  .radius = r->body.radius,
                                  .neighbours = (int)r->neighbours,
                                  .cut = (int)r->cut};
    r->around = (struct surroundings){.body_nodes = r->body.tree.nodes,
                                      .nodes = r->world.tree.nodes,
                                      .body = r->body.soup,
                                      .world = r->world.soup,
                                      .body_node_count = r->body.tree.ends,
                                      .node_count = r->world.tree.ends,
                                      .body_count = r->body.tree.count,
                                      .world_count = r->world.tree.count};
    return -1;
}

/* ---- the map */

static void choose_states(const struct roadmap *r, struct planned *p) {
    p->states = app_alloc((size_t)r->app.rows, sizeof *p->states);
    for (long k = 0; k < r->app.rows; k++)
        if (k < 2 || p->clear[k])
            p->states[p->count++] = r->samples[k];
}

static bool has(const uint32_t *near, long most, uint32_t state) {
    for (long k = 0; k < most; k++)
        if (near[k] == state)
            return true;
    return false;
}

/* Each pair once. */
static void choose_ways(const struct roadmap *r, struct planned *p) {
    const size_t most = (size_t)r->neighbours;
    p->ways = app_alloc(p->count * most + 1, sizeof *p->ways);
    for (uint32_t a = 0; a < p->count; a++)
        for (size_t k = 0; k < most; k++) {
            const uint32_t b = p->near[a * most + k];
            if (b != NO_NEIGHBOUR && (a < b || !has(p->near + b * most, (long)most, a)))
                p->ways[p->way_count++] = (struct way){a, b};
        }
}

static const struct stages heddle = {jobs_clear_heddle, jobs_near_heddle, jobs_open_heddle},
                           serial = {jobs_clear_serial, jobs_near_serial, jobs_open_serial};

static void make_map(const struct roadmap *r, struct planned *p, const struct stages *by) {
    double start = app_seconds();
    *p = (struct planned){.clear = app_alloc((size_t)r->app.rows, 1)};
    app_progress(&r->app, "%ld states", r->app.rows);
    stage_clear(by, &r->around, r->samples, (size_t)r->app.rows, p->clear);
    p->seconds[0] = app_seconds() - start;
    choose_states(r, p);
    p->near = app_alloc(p->count * (size_t)r->neighbours, sizeof *p->near);
    app_progress(&r->app, "neighbours of %zu states", p->count);
    start = app_seconds();
    stage_near(by, &r->measure, p->states, p->count, p->near);
    p->seconds[1] = app_seconds() - start;
    choose_ways(r, p);
    p->open = app_alloc(p->way_count + 1, 1);
    p->tests = app_alloc(p->way_count + 1, sizeof *p->tests);
    app_progress(&r->app, "%zu ways", p->way_count);
    start = app_seconds();
    stage_open(by, &r->around, &r->measure, p->states, p->count, p->ways, p->way_count, p->open, p->tests);
    p->seconds[2] = app_seconds() - start;
    p->looked = (double)r->app.rows;
    for (size_t k = 0; k < p->way_count; k++)
        p->looked += p->tests[k];
    app_progress_end(&r->app);
}

static void planned_free(struct planned *p) {
    free(p->clear);
    free(p->open);
    free(p->near);
    free(p->tests);
    free(p->states);
    free(p->ways);
}

static enum app_verdict check(const struct roadmap *r, const struct planned *p) {
    struct planned other;
    make_map(r, &other, &serial);
    const char *wrong = memcmp(other.clear, p->clear, (size_t)r->app.rows) ? "states that are clear"
                        : memcmp(other.near, p->near, p->count * (size_t)r->neighbours * sizeof *p->near)
                            ? "nearest neighbours"
                        : memcmp(other.open, p->open, p->way_count)                      ? "ways that are open"
                        : memcmp(other.tests, p->tests, p->way_count * sizeof *p->tests) ? "numbers of tests"
                                                                                         : NULL;
    planned_free(&other);
    if (wrong)
        app_fail(&r->app, "check: %s differ from the serial program's", wrong);
    return wrong ? APP_CHECK_BAD : APP_CHECK_OK;
}

/* ---- after */

static bool write_path(const struct roadmap *r, const struct planned *p) {
    FILE *file = app_create(r->out);
    if (!file)
        return false;
    fprintf(file, "#state\tx\ty\tz\tqx\tqy\tqz\tqw\n");
    for (size_t k = 0; k < r->path_count; k++) {
        const struct state *s = &p->states[r->path[k]];
        fprintf(file, "%zu\t%.7g\t%.7g\t%.7g\t%.7g\t%.7g\t%.7g\t%.7g\n", k, (double)s->move[0], (double)s->move[1],
                (double)s->move[2], (double)s->turn[0], (double)s->turn[1], (double)s->turn[2], (double)s->turn[3]);
    }
    return app_finish(file, !ferror(file));
}

/* Ceiling and front wall of the rooms that are made here: one wants to see in. */
static bool hides(const struct body *body, const uint32_t *corner) {
    bool above = true, before = true;
    for (int k = 0; k < 3; k++) {
        above &= body->points[corner[k]].y > 2.55f;
        before &= body->points[corner[k]].z > 3.95f;
    }
    return above || before;
}

static void draw(FILE *file, const struct body *body, const struct pose *pose, bool see_in, size_t *points) {
    for (size_t k = 0; k < body->point_count; k++) {
        const struct vec3 at = pose_point(pose, body->points[k]);
        fprintf(file, "v %.5f %.5f %.5f\n", (double)at.x, (double)at.y, (double)at.z);
    }
    for (size_t k = 0; k < body->triangle_count; k++) {
        const uint32_t *c = body->triangles[k].corner;
        if (!see_in || !hides(body, c))
            fprintf(file, "f %zu %zu %zu\n", c[0] + *points + 1, c[1] + *points + 1, c[2] + *points + 1);
    }
    *points += body->point_count;
}

/* The body at every state of the path; the world only where it is no file. */
static bool write_picture(const struct roadmap *r, const struct planned *p) {
    size_t points = 0;
    FILE *file = app_create(r->picture);
    if (!file)
        return false;
    for (size_t k = 0; k < (r->path_count ? r->path_count : 2); k++) {
        const struct pose pose = pose_of(&p->states[r->path_count ? r->path[k] : k]);
        fprintf(file, "o state%zu\n", k);
        draw(file, &r->body, &pose, false, &points);
    }
    if (!r->app.input_count) {
        const struct state none = {{0, 0, 0, 1}, {0, 0, 0}};
        const struct pose pose = pose_of(&none);
        fprintf(file, "o rooms\n");
        draw(file, &r->world, &pose, true, &points);
    }
    return app_finish(file, !ferror(file));
}

static int run(struct roadmap *r) {
    struct app_result result = {.rows = (double)r->app.rows, .cols = (double)r->neighbours, .unit = "Gstates/s"};
    double *times = app_alloc((size_t)r->app.repeat, sizeof *times), clear = 0, open = 0;
    struct planned p = {0};
    if (r->resident)
        resident_enter(r->app.device, &r->around);
    for (long k = -r->warm; k < r->app.repeat; k++) {
        planned_free(&p);
        make_map(r, &p, &heddle);
        times[k < 0 ? 0 : k] = p.seconds[0] + p.seconds[1] + p.seconds[2]; /* those before are written over */
    }
    if (r->resident)
        resident_leave(r->app.device, &r->around);
    result.seconds = app_median(times, (int)r->app.repeat);
    free(times);
    result.work = p.looked;
    r->path_count = p.clear[0] && p.clear[1] ? graph_path(&r->measure, p.states, p.count, p.ways, p.way_count, p.open,
                                                          r->path, &r->parts, &r->length)
                                             : 0;
    if (!p.clear[0] || !p.clear[1])
        fprintf(stderr, "%s: note: the %s touches something\n", r->app.name, p.clear[0] ? "goal" : "start");
    result.check = r->app.check ? check(r, &p) : APP_NOT_CHECKED;
    result.checksum = app_hash(APP_HASH_START, p.clear, (size_t)r->app.rows);
    result.checksum = app_hash(result.checksum, p.open, p.way_count);
    result.checksum = app_hash(result.checksum, r->path, r->path_count * sizeof *r->path);
    for (long k = 0; k < r->app.rows; k++)
        clear += p.clear[k];
    for (size_t k = 0; k < p.way_count; k++)
        open += p.open[k];
    int status = -1;
    if ((r->out && !write_path(r, &p)) || (r->picture && !write_picture(r, &p)))
        status = app_fail(&r->app, "%s: %s", r->out ? r->out : r->picture, strerror(errno));
    const struct app_value values[] = {{"triangles", (double)(r->body.tree.count + r->world.tree.count)},
                                       {"clear", clear},
                                       {"ways", (double)p.way_count},
                                       {"open", open},
                                       {"parts", (double)r->parts},
                                       {"path", (double)r->path_count},
                                       {"length", r->path_count ? r->length : 0},
                                       {"clear_s", p.seconds[0]},
                                       {"near_s", p.seconds[1]},
                                       {"open_s", p.seconds[2]},
                                       {NULL, 0}};
    planned_free(&p);
    return status >= 0 ? status : app_report_values(&r->app, &result, stdout, values);
}

static int configure(const struct roadmap *r) {
    if (r->neighbours > NEIGHBOURS_MOST)
        return app_fail(&r->app, "--neighbours=%ld: at most %d", r->neighbours, NEIGHBOURS_MOST);
    if (!(r->step > 0 && r->step < 1e6))
        return app_fail(&r->app, "--step=%g: expected more than 0", r->step);
    if (!(r->turn_weight >= 0 && r->turn_weight < 1e6))
        return app_fail(&r->app, "--turn-weight=%g: expected 0 or more", r->turn_weight);
    if (r->app.rows < 2 || r->app.rows > 100000000)
        return app_fail(&r->app, "--size=%ld: expected 2 to 100000000 states", r->app.rows);
    if (r->cut > INT_MAX)
        return app_fail(&r->app, "--cut=%ld: at most %d", r->cut, INT_MAX);
    if (r->triangles > 100000000)
        return app_fail(&r->app, "--triangles=%ld: at most 100000000", r->triangles);
    return -1;
}

int main(int argc, char **argv) {
    struct roadmap r = {.neighbours = 10,
                        .cut = 2,
                        .step = .05,
                        .seed = 1,
                        .app = {.name = "roadmap",
                                .summary = "the path of a rigid body among triangles, by a probabilistic roadmap",
                                .inputs = "[BODY.obj|.ply WORLD.obj|.ply]",
                                .inputs_max = 2,
                                .size_help = "states at random (50000)",
                                .loops = true,
                                .jobs = true,
                                .rows = 50000,
                                .cols = 1}};
    const struct app_option options[] = {
        {"start", "STATE", "\"X Y Z\" or \"X Y Z QX QY QZ QW\": of the body's origin", APP_TEXT, &r.start_text, 0},
        {"goal", "STATE", "the same", APP_TEXT, &r.goal_text, 0},
        {"neighbours", "N", "of a state, to which ways are tried (10)", APP_LONG, &r.neighbours, 1},
        {"step", "X", "how far a point of the body moves between two tests, at most (0.05)", APP_REAL, &r.step, 0},
        {"turn-weight", "X", "of a turn against a length in distances (the body's radius)", APP_REAL, &r.turn_weight,
         0},
        {"cut", "STATES", "of a way that are one job of a GPU (2; 0: all)", APP_LONG, &r.cut, 0},
        {"resident", NULL, "the triangles stay on the devices, and are not part of the time", APP_FLAG, &r.resident, 0},
        {"out", "FILE", "the path: TSV", APP_OUTPUT, &r.out, 0},
        {"obj", "FILE", "the body along the path: a mesh that raytrace draws", APP_OUTPUT, &r.picture, 0},
        {"triangles", "N", "without files, of a sofa and two rooms (137000)", APP_LONG, &r.triangles, 40},
        {"seed", "N", "of states, and of what is made here (1)", APP_LONG, &r.seed, 0},
        {"warm", "N", "runs before those that --repeat measures (0)", APP_LONG, &r.warm, 0},
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
    body_free(&r.body);
    body_free(&r.world);
    free(r.samples);
    free(r.path);
    return status;
}
