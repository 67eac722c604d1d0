/* SPDX-License-Identifier: Apache-2.0 */
/* softbody: soft bodies that fall, bend and meet. See README.md. */
#include "device.h"
#include "devices.h"
#include "flow.h"
#include "softbody.h"

#include "app.h"
#include "create.h"
#include "image.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct program {
    struct app app;
    const char *frames, *energies, *picture, *video, *scene_name;
    long bodies, seed, steps, every, pixels, views, groups;
    double step, young, friction, stiffness, damping;
    long iterations;
    bool springs, self, apart;

    struct scene scene;
    struct strip strip;
    struct video *movie;
    uint8_t *movie_rgb;
    FILE *table;
    double solve, detect, *step_seconds;
    long steps_done;
    uint64_t holds, iterations_done;
    bool wrong;
    int threads, status; /* of the graph's steps */
    double began;
    struct flow_scene flow;
};

static int fail(const struct program *p, const char *path) {
    return app_fail(&p->app, "%s: %s", path, strerror(errno));
}

static int configure(struct program *p) {
    const char *const names[] = {"fall", "pairs", "pile", "mixed", "bars"};
    bool known = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        known |= !strcmp(p->scene_name, names[k]);
    if (!known)
        return app_fail(&p->app, "--scene=%s: expected fall, pairs, pile, mixed or bars", p->scene_name);
    if (p->app.input_count && p->app.sized)
        return app_fail(&p->app, "--size is for scenes without a file");
    if (!p->bodies)
        p->bodies = p->app.input_count ? 1 : !strcmp(p->scene_name, "bars") ? 30 : 64;
    if (p->bodies > 100000 || p->app.rows > 2000000 || (double)p->bodies * (double)p->app.rows > 1e8)
        return app_fail(&p->app, "%ld bodies of %ld nodes: at most 100000 bodies, 2000000 nodes each, 1e8 in all",
                        p->bodies, p->app.rows);
    if (p->groups > p->bodies)
        p->groups = p->bodies;
    if (!(p->step > 0 && p->step <= 1))
        return app_fail(&p->app, "--step=%g: expected more than 0 to 1 (s)", p->step);
    if (!(p->young >= 0 && p->young <= 1e12))
        return app_fail(&p->app, "--young=%g: expected 0 to 1e12 (Pa)", p->young);
    if (!(p->damping >= 0))
        return app_fail(&p->app, "--damping=%g: expected 0 or more (s)", p->damping);
    if (!(p->friction >= 0 && p->friction <= 100))
        return app_fail(&p->app, "--friction=%g: expected 0 to 100", p->friction);
    if (!(p->stiffness > 0 && p->stiffness <= 1000))
        return app_fail(&p->app, "--stiffness=%g: expected more than 0 to 1000", p->stiffness);
    if (p->pixels > 4096 || p->pixels * p->views > 65536)
        return app_fail(&p->app, "--pixels=%ld, --views=%ld: at most 4096 pixels, and 65536 in all", p->pixels,
                        p->views);
    if (p->video && p->pixels % 2)
        return app_fail(&p->app, "--pixels=%ld: a video needs an even number", p->pixels);
    if (p->picture && !image_has_suffix(p->picture, ".png") && !image_has_suffix(p->picture, ".ppm"))
        return app_fail(&p->app, "--picture=%s: the name must end in .png or .ppm", p->picture);
    if (p->frames && !image_has_suffix(p->frames, ".obj") && !image_has_suffix(p->frames, ".ply"))
        return app_fail(&p->app, "--out=%s: the name must end in .obj or .ply", p->frames);
    return -1;
}

static int make_scene(struct program *p, struct scene *scene) {
    const struct request request = {.name = p->scene_name,
                                    .bodies = p->bodies,
                                    .nodes = p->app.rows,
                                    .seed = (uint64_t)p->seed,
                                    .springs = p->springs,
                                    .young = (float)p->young};
    if (p->app.input_count) {
        struct tets tets;
        struct complaint c;
        if (!tets_read(&tets, p->app.input[0], &c))
            return app_fail(&p->app, "%s", c.text);
        const bool good = scene_of_mesh(scene, &tets, p->app.input[0], &request, &c);
        tets_free(&tets);
        if (!good)
            return app_fail(&p->app, "%s", c.text);
    } else
        generate_scene(scene, &request);
    struct settings *o = &scene->settings;
    o->step = (float)p->step;
    o->iterations = (uint32_t)p->iterations;
    o->plane_friction = (float)p->friction;
    o->contact_stiffness = (float)p->stiffness;
    o->self = p->self;
    o->contacts = !p->apart;
    for (uint32_t b = 0; b < scene->bodies; b++) {
        scene->body[b].material.friction = (float)p->friction;
        scene->body[b].material.stretch_damping = (float)p->damping;
    }
    return -1;
}

static int save_frame(struct program *p, long number) {
    const char *end = strrchr(p->frames, '.');
    char name[4096];
    if (snprintf(name, sizeof name, "%.*s-%05ld%s", (int)(end - p->frames), p->frames, number, end) >= (int)sizeof name)
        return app_fail(&p->app, "--out: the name is too long");
    return output_frame(&p->scene, name) ? -1 : fail(p, name);
}

static int show(struct program *p, long step) {
    int status = -1;
    if (p->frames && step % p->every == 0)
        status = save_frame(p, step / p->every);
    if (status < 0 && p->picture && step >= p->strip.taken * p->steps / (p->views > 1 ? p->views - 1 : 1))
        strip_take(&p->strip, &p->scene);
    if (status < 0 && p->movie && step % p->every == 0) {
        picture_draw(&p->strip, &p->scene, p->movie_rgb, 3 * p->strip.size);
        if (!video_frame(p->movie, p->movie_rgb))
            status = app_fail(&p->app, "%s: ffmpeg did not take a picture", p->video);
    }
    return status;
}

static int open_outputs(struct program *p) {
    char message[512];
    if (p->energies && (!(p->table = app_create(p->energies)) || !output_energies_header(p->table)))
        return fail(p, p->energies);
    strip_open(&p->strip, (int)p->pixels, (int)p->views);
    strip_view(&p->strip, &p->scene);
    if (p->video) {
        const double rate = 1 / (p->step * (double)p->every);
        p->movie = video_open(p->video, (int)p->pixels, (int)fmax(1, fmin(120, round(rate))), message, sizeof message);
        p->movie_rgb = app_alloc(3 * (size_t)p->pixels * (size_t)p->pixels, 1);
        if (!p->movie)
            return app_fail(&p->app, "%s", message);
    }
    return -1;
}

/* The last whole frame is the state before the step that failed. */
static int give_up(struct program *p, long step, uint32_t bad) {
    char saved[4200] = "";
    if (bad == p->scene.bodies && p->scene.devices && *devices_problem(p->scene.devices))
        app_fail(&p->app, "step %ld: %s", step, devices_problem(p->scene.devices));
    if (p->frames && save_frame(p, 99999) < 0)
        snprintf(saved, sizeof saved, "; the last whole frame is number 99999 of %s", p->frames);
    if (bad == p->scene.bodies)
        return app_fail(&p->app, "step %ld was not done%s", step, saved);
    return app_fail(&p->app, "body %u has numbers that are not finite after step %ld (a smaller --step may help)%s",
                    bad, step, saved);
}

static int after_step(struct program *p, long step) {
    int status = -1;
    p->solve += p->scene.solve_seconds;
    p->detect += p->scene.detect_seconds;
    if (!(p->steps_done & (p->steps_done - 1)))
        p->step_seconds = app_resize(p->step_seconds, 2 * (size_t)p->steps_done + 1, sizeof *p->step_seconds);
    p->step_seconds[p->steps_done++] = p->scene.solve_seconds;
    p->holds += p->scene.holds;
    p->iterations_done += p->scene.iterations;
    if (p->table && !output_energies(p->table, &p->scene, step))
        status = fail(p, p->energies);
    if (status < 0)
        status = show(p, step + 1);
    return status;
}

/* libomptarget and heddle abort where a device is lost in the middle of a step. Places on the host are those before
 * the step until all of it is there; a graph's, until its bodies may move. */
static struct program *within;
static long within_step;
static void save_before_abort(int number) {
    struct program *p = within;
    within = NULL;
    if (p && p->flow.all.go && *p->flow.all.go)
        p->frames = NULL;
    if (p)
        give_up(p, within_step, p->scene.bodies);
    signal(number, SIG_DFL);
    raise(number);
}

static int simulate(struct program *p, int threads) {
    int status = show(p, 0);
    signal(SIGABRT, save_before_abort);
    for (long step = 0; step < p->steps && status < 0; step++) {
        uint32_t bad;
        app_progress(&p->app, "step %ld of %ld", step + 1, p->steps);
        p->scene.solve_seconds = p->scene.detect_seconds = 0;
        within = p, within_step = step;
        const bool good = step_heddle(&p->scene, threads, &bad);
        within = NULL;
        if (!good)
            status = give_up(p, step, bad);
        else
            status = after_step(p, step);
    }
    return status;
}

/* ---- all steps as one graph ---------------------------------------------------------------------------------------
 */
static bool before_graph(void *context, long step) {
    struct program *p = context;
    app_progress(&p->app, "step %ld of %ld", step + 1, p->steps);
    const double start = app_seconds();
    contacts_heddle(&p->scene, p->threads);
    p->began = app_seconds();
    p->scene.detect_seconds = p->began - start;
    flow_prepare(&p->flow);
    *p->flow.all.go = 0;
    within = p, within_step = step;
    return true;
}

static bool behind_graph(void *context, long step, uint32_t bad) {
    struct program *p = context;
    within = NULL;
    p->scene.solve_seconds = app_seconds() - p->began;
    count_work_heddle(&p->scene);
    p->status = bad < p->scene.bodies ? give_up(p, step, bad) : after_step(p, step);
    return p->status < 0;
}

static int simulate_graph(struct program *p, int threads) {
    struct device_facts facts = {.threads = 1, .teams = 1};
    p->threads = threads;
    p->status = show(p, 0);
    if (p->status >= 0)
        return p->status;
    if (strcmp(p->app.device, "host"))
        device_probe(p->app.device_numbers ? (int)strtol(p->app.device, NULL, 10) : 0, &facts);
    flow_open(&p->flow, &p->scene, (uint32_t)p->groups);
    signal(SIGABRT, save_before_abort);
    const struct flow_run run = {.flow = &p->flow,
                                 .steps = p->steps,
                                 .threads = facts.threads,
                                 .teams = facts.teams > 1,
                                 .before = before_graph,
                                 .behind = behind_graph,
                                 .context = p};
    flow_heddle(&run);
    return p->status;
}

/* The serial program's scene: equal bits. */
static int check(struct program *p) {
    struct scene scene;
    uint32_t bad = 0;
    int status = make_scene(p, &scene);
    for (long step = 0; step < p->steps && status < 0; step++) {
        app_progress(&p->app, "check: step %ld of %ld", step + 1, p->steps);
        if (!step_serial(&scene, 1, &bad))
            status = app_fail(&p->app, "check: body %u of the serial program is not finite", bad);
    }
    for (uint32_t b = 0; b < scene.bodies && status < 0 && !p->wrong; b++) {
        const struct body *one = &p->scene.body[b], *other = &scene.body[b];
        const size_t bytes = 3 * (size_t)one->shape->rows * sizeof(float);
        if (memcmp(one->x, other->x, bytes) || memcmp(one->v, other->v, bytes)) {
            app_fail(&p->app, "check: body %u differs from the serial program's", b);
            p->wrong = true;
        }
    }
    scene_close(&scene);
    return status;
}

/* Of a step, on average. */
static double device_ms(const struct program *p, int phase) {
    return 1e3 * devices_seconds(p->scene.devices, phase) / (double)(p->steps ? p->steps : 1);
}

static int report(struct program *p) {
    double nodes = 0, elements = 0;
    for (uint32_t b = 0; b < p->scene.bodies; b++) {
        nodes += p->scene.body[b].shape->nodes;
        elements += p->scene.body[b].shape->elements;
    }
    const struct app_result result = {.rows = nodes,
                                      .cols = (double)p->steps,
                                      .seconds = p->solve,
                                      .work = nodes * (double)p->steps,
                                      .unit = "Gnodes/s",
                                      .checksum = output_hash(&p->scene, APP_HASH_START),
                                      .check = !p->app.check ? APP_NOT_CHECKED
                                               : p->wrong    ? APP_CHECK_BAD
                                                             : APP_CHECK_OK};
    const double steps = (double)(p->steps ? p->steps : 1), first = p->step_seconds[0],
                 median = p->steps_done ? app_median(p->step_seconds, (int)p->steps_done) : 0; /* sorts them */
    const struct app_value values[] = {{"bodies", (double)p->scene.bodies},
                                       {"elements", elements},
                                       {"step_ms", 1e3 * p->solve / steps},
                                       {"first_ms", 1e3 * first},
                                       {"best_ms", 1e3 * p->step_seconds[0]},
                                       {"median_ms", 1e3 * median},
                                       {"worst_ms", 1e3 * p->step_seconds[p->steps_done ? p->steps_done - 1 : 0]},
                                       {"detect_ms", 1e3 * p->detect / steps},
                                       {"holds", (double)p->holds / steps},
                                       {"iterations", (double)p->iterations_done / steps / (double)p->scene.bodies},
                                       {p->scene.devices ? "device_prepare_ms" : NULL, device_ms(p, DEVICE_PREPARE)},
                                       {"device_run_ms", device_ms(p, DEVICE_RUN)},
                                       {"device_return_ms", device_ms(p, DEVICE_RETURN)},
                                       {"device_move_ms", device_ms(p, DEVICE_MOVE)},
                                       {"split_sets", (double)devices_splits(p->scene.devices)},
                                       {NULL, 0}};
    return app_report_values(&p->app, &result, stdout, values);
}

static int run(struct program *p) {
    const int threads = p->app.threads ? (int)p->app.threads : (int)sysconf(_SC_NPROCESSORS_ONLN);
    char message[512];
    int status = make_scene(p, &p->scene);
    if (status >= 0)
        return status;
    p->step_seconds = app_alloc(1, sizeof *p->step_seconds);
    if (!p->groups && strcmp(p->app.device, "auto") && strcmp(p->app.device, "host") &&
        !(p->scene.devices = devices_open(p->app.device, &p->scene, threads, message, sizeof message)))
        status = app_fail(&p->app, "--device=%s: %s", p->app.device, message);
    if (status < 0)
        status = open_outputs(p);
    if (status < 0)
        status = p->groups ? simulate_graph(p, threads) : simulate(p, threads);
    if (status < 0 && p->scene.devices && !devices_fetch(p->scene.devices, &p->scene))
        status = app_fail(&p->app, "%s", devices_problem(p->scene.devices));
    app_progress_end(&p->app);
    if (p->table && !app_finish(p->table, !ferror(p->table)) && status < 0)
        status = fail(p, p->energies);
    if (p->movie && !video_close(p->movie) && status < 0)
        status = app_fail(&p->app, "%s: ffmpeg could not write it", p->video);
    if (status < 0 && p->picture &&
        !image_write_rgb(p->strip.rgb, p->strip.size * p->strip.count, p->strip.size, p->picture, message,
                         sizeof message))
        status = app_fail(&p->app, "%s", message);
    if (status < 0 && p->app.check)
        status = check(p);
    if (status < 0)
        status = report(p);
    free(p->movie_rgb);
    free(p->step_seconds);
    strip_close(&p->strip);
    devices_close(p->scene.devices);
    scene_close(&p->scene);
    flow_close(&p->flow);
    return status;
}

int main(int argc, char **argv) {
    struct program p = {.scene_name = "pile",
                        .seed = 1,
                        .steps = 100,
                        .every = 1,
                        .pixels = 480,
                        .views = 4,
                        .step = 0.01,
                        .friction = 0.5,
                        .stiffness = 1,
                        .damping = 0.01,
                        .iterations = 25,
                        .app = {.name = "softbody",
                                .summary = "soft bodies that fall, bend and meet",
                                .inputs = "[MESH]   (.msh of Gmsh, or .node and .ele of TetGen)",
                                .inputs_max = 1,
                                .size_help = "nodes of a body of a scene without a file (3000)",
                                .loops = true,
                                .rows = 3000,
                                .cols = 1}};
    const struct app_option options[] = {
        {"out", "NAME", "surfaces, a file a frame: NAME.obj or NAME.ply become NAME-00000.obj ...", APP_TEXT, &p.frames,
         0},
        {"energies", "FILE", "energies, momentum, contacts of each step as a table (TSV)", APP_OUTPUT, &p.energies, 0},
        {"picture", "FILE", "views side by side, the first and the last among them: .png or .ppm", APP_OUTPUT,
         &p.picture, 0},
        {"video", "FILE", "a video by ffmpeg: .mp4, .gif ...", APP_OUTPUT, &p.video, 0},
        {"pixels", "N", "width and height of a view (480)", APP_LONG, &p.pixels, 16},
        {"views", "N", "in the picture (4)", APP_LONG, &p.views, 1},
        {"every", "N", "steps between frames of --out and --video (1)", APP_LONG, &p.every, 1},
        {"steps", "N", "to compute (100)", APP_LONG, &p.steps, 0},
        {"step", "T", "length of a step in seconds (0.01)", APP_REAL, &p.step, 0},
        {"scene", "NAME", "without a file: fall, pairs, pile, mixed or bars (pile)", APP_TEXT, &p.scene_name, 0},
        {"bodies", "N", "in the scene (64; bars 30; of a file 1)", APP_LONG, &p.bodies, 1},
        {"seed", "N", "of the scene (1)", APP_LONG, &p.seed, 0},
        {"springs", NULL, "all bodies are nets of springs (mixed: every other one is)", APP_FLAG, &p.springs, 0},
        {"young", "E", "Young's modulus in Pa (2e5; bars 1e6)", APP_REAL, &p.young, 0},
        {"damping", "T", "of stretching, in seconds (0.01)", APP_REAL, &p.damping, 0},
        {"friction", "C", "coefficient of friction (0.5)", APP_REAL, &p.friction, 0},
        {"stiffness", "C", "of contacts, over that of the bodies (1)", APP_REAL, &p.stiffness, 0},
        {"iterations", "N", "of the conjugate gradients at most (25)", APP_LONG, &p.iterations, 1},
        {"groups", "N", "so many groups of bodies are tasks of a graph on all devices and threads; 0: no graph (0)",
         APP_LONG, &p.groups, 0},
        {"self", NULL, "bodies meet themselves, too", APP_FLAG, &p.self, 0},
        {"apart", NULL, "bodies pass through each other", APP_FLAG, &p.apart, 0},
        {0}};
    p.app.options = options;
    int status = app_parse(&p.app, argc, argv);
    if (status < 0)
        status = configure(&p);
    if (status < 0)
        status = run(&p);
    return status;
}
