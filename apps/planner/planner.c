/* SPDX-License-Identifier: Apache-2.0 */
/* planner: paths of an arm among obstacles, many problems at once. See README.md. */
#include "app.h"
#include "results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WORK_BYTES = 1 << 29 }; /* for the trees of the problems that are looked at together */

struct planner {
    struct app app;
    const char *out, *paths_out, *picture, *shown;
    double range, resolution;
    long nodes, samples, seed, warm;

    struct robot robot;
    struct robot_names names;
    struct problems problems;
    struct settings settings;
    struct answer *answers;
    float *paths;
    float *place, *reach;
    int *parent;
    size_t chunk;
};

static int load(struct planner *p) {
    struct complaint c;
    char **input = p->app.input;
    if (!p->app.input_count) {
        robot_built_in(&p->robot, &p->names);
        problems_random(&p->problems, &p->robot, &p->names, p->app.rows, (uint64_t)p->seed);
        problems_finish(&p->problems, &p->robot);
        return -1;
    }
    if (!robot_read(&p->robot, &p->names, input[0], &c))
        return app_fail(&p->app, "%s", c.text);
    if (p->app.input_count == 1)
        problems_random(&p->problems, &p->robot, &p->names, p->app.rows, (uint64_t)p->seed);
    else if (p->app.sized)
        return app_fail(&p->app, "--size is for runs without problems");
    for (int k = 1; k < p->app.input_count; k++) {
        app_progress(&p->app, "reading %s", input[k]);
        if (!problems_read(&p->problems, &p->robot, &p->names, input[k], &c))
            return app_fail(&p->app, "%s", c.text);
    }
    problems_finish(&p->problems, &p->robot);
    return -1;
}

/* Roberts (2018): fractions of the powers of 1 / g, where g^(d + 1) = g + 1. */
static void set_sequence(struct settings *s, int joints, uint64_t seed) {
    struct app_random random;
    double g = 1;
    app_seed(&random, seed);
    for (int k = 0; k < 60; k++)
        g = pow(1 + g, 1.0 / (joints + 1));
    for (int j = 0; j < joints; j++) {
        s->step[j] = (uint32_t)(pow(1 / g, j + 1) * 4294967296.0);
        s->first[j] = seed == 1 ? UINT32_C(1) << 31 : (uint32_t)app_next(&random);
    }
}

static int prepare(struct planner *p) {
    const size_t joints = (size_t)p->robot.joints, nodes = (size_t)p->settings.nodes,
                 each = nodes * (joints * sizeof *p->place + sizeof *p->parent + sizeof *p->reach);
    p->chunk = WORK_BYTES / each ? WORK_BYTES / each : 1;
    p->chunk = p->chunk < p->problems.count ? p->chunk : p->problems.count;
    const int status = app_memory_fits(
        &p->app,
        (double)p->chunk * (double)each +
            (double)p->problems.count * ((double)WAYPOINTS_MOST * (double)joints * 4 + 64) * (p->app.check ? 2 : 1),
        "so many problems");
    if (status >= 0)
        return status;
    set_sequence(&p->settings, p->robot.joints, (uint64_t)p->seed);
    p->answers = app_alloc(p->problems.count, sizeof *p->answers);
    p->paths = app_alloc(p->problems.count * WAYPOINTS_MOST * joints, sizeof *p->paths);
    p->place = app_alloc(p->chunk * nodes * joints, sizeof *p->place);
    p->parent = app_alloc(p->chunk * nodes, sizeof *p->parent);
    p->reach = app_alloc(p->chunk * nodes, sizeof *p->reach);
    return -1;
}

static void run_all(struct planner *p, planner_loop *loop, struct answer *answers, float *paths, const char *what) {
    static const struct obstacle none;
    const size_t path = WAYPOINTS_MOST * (size_t)p->robot.joints;
    for (size_t first = 0; first < p->problems.count; first += p->chunk) {
        const size_t rest = p->problems.count - first;
        const struct planner_job job = {.robot = &p->robot,
                                        .settings = &p->settings,
                                        .problems = p->problems.problem + first,
                                        .obstacles = p->problems.obstacles ? p->problems.obstacle : &none,
                                        .obstacle_count = p->problems.obstacles ? p->problems.obstacles : 1,
                                        .count = rest < p->chunk ? rest : p->chunk,
                                        .place = p->place,
                                        .parent = p->parent,
                                        .reach = p->reach,
                                        .answers = answers + first,
                                        .paths = paths + first * path};
        app_progress(&p->app, "%s: %zu of %zu problems", what, first, p->problems.count);
        loop(&job);
    }
    app_progress_end(&p->app);
}

static enum app_verdict check(struct planner *p) {
    const size_t path = WAYPOINTS_MOST * (size_t)p->robot.joints;
    struct answer *answers = app_alloc(p->problems.count, sizeof *answers);
    float *paths = app_alloc(p->problems.count * path, sizeof *paths);
    size_t wrong = 0, first = 0;
    run_all(p, planner_serial, answers, paths, "check");
    for (size_t k = 0; k < p->problems.count; k++) {
        const struct answer *a = &p->answers[k], *b = &answers[k];
        const bool same = a->outcome == b->outcome && a->samples == b->samples && a->nodes == b->nodes &&
                          a->tests == b->tests && a->corners == b->corners && a->length == b->length &&
                          !memcmp(p->paths + k * path, paths + k * path,
                                  (size_t)b->corners * (size_t)p->robot.joints * sizeof *paths);
        if (!same && !wrong++)
            first = k;
    }
    if (wrong)
        app_fail(&p->app,
                 "check: %zu problems differ from the serial program's, the first one is %s: %s after %d samples, "
                 "expected %s after %d",
                 wrong, p->problems.name[first], outcome_names[p->answers[first].outcome], p->answers[first].samples,
                 outcome_names[answers[first].outcome], answers[first].samples);
    free(answers);
    free(paths);
    return wrong ? APP_CHECK_BAD : APP_CHECK_OK;
}

static int save(const struct planner *p) {
    const size_t path = WAYPOINTS_MOST * (size_t)p->robot.joints;
    size_t shown = p->problems.count;
    if (p->out && !results_write(p->out, &p->problems, p->answers))
        return app_fail(&p->app, "%s: %s", p->out, strerror(errno));
    if (p->paths_out && !results_write_paths(p->paths_out, &p->robot, &p->names, &p->problems, p->answers, p->paths))
        return app_fail(&p->app, "%s: %s", p->paths_out, strerror(errno));
    if (!p->picture)
        return -1;
    for (size_t k = p->problems.count; k-- > 0;)
        if (p->shown ? !strcmp(p->problems.name[k], p->shown) : p->answers[k].outcome == OUTCOME_SOLVED)
            shown = k;
    if (shown == p->problems.count)
        return app_fail(&p->app, p->shown ? "--show=%s: there is no such problem" : "--obj: no problem is solved%s",
                        p->shown ? p->shown : "");
    const struct problem *problem = &p->problems.problem[shown];
    const int corners = p->answers[shown].corners;
    if (!picture_write(p->picture, &p->robot, &p->problems, problem, corners ? p->paths + shown * path : problem->start,
                       corners ? corners : 1))
        return app_fail(&p->app, "%s: %s", p->picture, strerror(errno));
    return -1;
}

/* Of the times of solved problems on the host, the one at `share` of them. */
static double time_at(const struct planner *p, double share, double *mean) {
    double *times = app_alloc(p->problems.count, sizeof *times);
    int count = 0;
    *mean = 0;
    for (size_t k = 0; k < p->problems.count; k++)
        if (p->answers[k].outcome == OUTCOME_SOLVED && p->answers[k].seconds > 0)
            *mean += times[count++] = (double)p->answers[k].seconds * 1e6;
    double at = 0;
    if (count) {
        app_median(times, count);
        at = times[(int)(share * (count - 1) + .5)];
        *mean /= count;
    }
    free(times);
    return at;
}

static int run(struct planner *p) {
    struct app_result result = {.rows = (double)p->problems.count, .cols = p->robot.joints, .unit = "Gpositions/s"};
    double *times = app_alloc((size_t)p->app.repeat, sizeof *times), mean;
    const size_t path = WAYPOINTS_MOST * (size_t)p->robot.joints;
    size_t count[OUTCOMES] = {0};
    for (long k = -p->warm; k < p->app.repeat; k++) {
        char what[64];
        snprintf(what, sizeof what, "run %ld of %ld", p->warm + k + 1, p->warm + p->app.repeat);
        const double start = app_seconds();
        run_all(p, planner_heddle, p->answers, p->paths, what);
        times[k < 0 ? 0 : k] = app_seconds() - start; /* those before are written over */
    }
    result.seconds = app_median(times, (int)p->app.repeat);
    free(times);
    result.check = p->app.check ? check(p) : APP_NOT_CHECKED;
    result.checksum = APP_HASH_START;
    double samples = 0, length = 0;
    for (size_t k = 0; k < p->problems.count; k++) {
        const struct answer *a = &p->answers[k];
        count[a->outcome]++;
        result.work += a->tests;
        samples += a->samples;
        length += (double)a->length;
        result.checksum = app_hash(result.checksum, &a->outcome, sizeof a->outcome);
        result.checksum = app_hash(result.checksum, p->paths + k * path,
                                   (size_t)a->corners * (size_t)p->robot.joints * sizeof *p->paths);
    }
    const int status = save(p);
    if (status >= 0)
        return status;
    const double solved = (double)count[OUTCOME_SOLVED], median = time_at(p, .5, &mean), late = time_at(p, .95, &mean);
    const struct app_value values[] = {
        {"solved", solved},
        {"invalid", (double)(count[OUTCOME_START] + count[OUTCOME_GOAL])},
        {"unsolved", (double)p->problems.count - solved - (double)(count[OUTCOME_START] + count[OUTCOME_GOAL])},
        {"median_us", median},
        {"mean_us", mean},
        {"late_us", late},
        {"samples", samples},
        {"mean_length", solved > 0 ? length / solved : 0},
        {NULL, 0}};
    return app_report_values(&p->app, &result, stdout, values);
}

static int configure(struct planner *p) {
    if (!(p->range > 0 && p->range <= 100))
        return app_fail(&p->app, "--range=%g: expected more than 0, at most 100", p->range);
    if (!(p->resolution >= 1 && p->resolution <= 10000))
        return app_fail(&p->app, "--resolution=%g: expected 1 to 10000", p->resolution);
    if (p->nodes > 1 << 20 || p->samples > 1000000000 || p->app.rows > 10000000)
        return app_fail(&p->app, "at most --nodes=1048576, --samples=1000000000, --size=10000000");
    p->settings = (struct settings){.range = (float)p->range,
                                    .resolution = (float)p->resolution,
                                    .radius = 4 * (float)p->range,
                                    .least_radius = (float)p->range,
                                    .alpha = 1e-4f,
                                    .nodes = (int)(p->nodes + 2 * NODE_BLOCK - 1) / (2 * NODE_BLOCK) * 2 * NODE_BLOCK,
                                    .samples = (int)p->samples};
    return -1;
}

int main(int argc, char **argv) {
    struct planner p = {.range = 1,
                        .resolution = 32,
                        .nodes = 16384,
                        .samples = 100000,
                        .seed = 1,
                        .app = {.name = "planner",
                                .summary = "paths of an arm among obstacles, many problems at once",
                                .inputs = "[ROBOT.urdf [FOLDER | request*.yaml]...]",
                                .inputs_max = 1 << 20,
                                .size_help = "problems made here (1000)",
                                .loops = true,
                                .rows = 1000,
                                .cols = 1}};
    const struct app_option options[] = {
        {"out", "FILE", "a line for each problem: TSV", APP_OUTPUT, &p.out, 0},
        {"paths", "FILE", "the corners of all paths: TSV", APP_OUTPUT, &p.paths_out, 0},
        {"obj", "FILE", "obstacles and arm along a path: a mesh that raytrace draws", APP_OUTPUT, &p.picture, 0},
        {"show", "PROBLEM", "which one (the first that is solved)", APP_TEXT, &p.shown, 0},
        {"range", "X", "longest edge of a tree, radians (1)", APP_REAL, &p.range, 0},
        {"resolution", "X", "positions tested per radian of an edge (32)", APP_REAL, &p.resolution, 0},
        {"nodes", "N", "of both trees, at most (16384)", APP_LONG, &p.nodes, 2},
        {"samples", "N", "for a problem, at most (100000)", APP_LONG, &p.samples, 0},
        {"seed", "N", "of problems made here, and of the samples (1)", APP_LONG, &p.seed, 0},
        {"warm", "N", "runs before those that --repeat measures (0)", APP_LONG, &p.warm, 0},
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
    problems_free(&p.problems);
    free(p.answers);
    free(p.paths);
    free(p.place);
    free(p.parent);
    free(p.reach);
    return status;
}
