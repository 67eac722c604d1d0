/* SPDX-License-Identifier: Apache-2.0 */
/* Light with known answers, all ways to one picture, input that is no shape, and the reader of materials. What the
 * program calls the heddle jobs are those of a GPU here: by groups through the hierarchy, and paths that are left off.
 */
#include "check.h"

#include "app.h"
#include "render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a of the film of the room: 20,000 triangles, 40 x 30 pixels, 3 samples. */
#define GOLDEN_ROOM UINT64_C(0x6369255a74ce3f84)

struct world {
    struct scene scene;
    struct bvh bvh;
    struct picture picture;
};

static void open_world(struct world *w, int width, int height, int depth) {
    scene_finish(&w->scene);
    const struct bvh_primitives all = scene_primitives(&w->scene);
    bvh_build(&w->bvh, &all);
    w->picture.scene = &w->scene;
    w->picture.bvh = &w->bvh;
    render_set_frame(&w->picture, width, height, depth, 5);
}

static void close_world(struct world *w) {
    bvh_free(&w->bvh);
    scene_free(&w->scene);
}

static struct vec3 *film_of(const struct world *w, render_jobs *by, uint32_t samples, unsigned long *rays) {
    struct render_work work = {.paths = {0}};
    struct vec3 *film = app_alloc((size_t)render_pixels(&w->picture.frame), sizeof *film);
    *rays = render_run(by, &work, &w->picture, film, 0, samples);
    render_free(&work);
    return film;
}

/* Least, mean and largest light of a sample of the pixels, over all channels. */
struct range {
    double low, mean, high;
};

static struct range light_of(const struct world *w, uint32_t samples) {
    unsigned long rays;
    struct vec3 *film = film_of(w, jobs_serial, samples, &rays);
    struct range r = {INFINITY, 0, -INFINITY};
    const long n = render_pixels(&w->picture.frame);
    for (long k = 0; k < n; k++) {
        const float v[3] = {film[k].x, film[k].y, film[k].z};
        for (int c = 0; c < 3; c++) {
            const double x = (double)v[c] / samples;
            r.low = x < r.low ? x : r.low;
            r.high = x > r.high ? x : r.high;
            r.mean += x / (3 * (double)n);
        }
    }
    free(film);
    return r;
}

/* The room's shapes would do; a cube keeps what a ray meets known. side: half its length. */
static void add_cube(struct scene *scene, float side, uint32_t material) {
    static const uint32_t face[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                        {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    const uint32_t first = (uint32_t)scene->point_count;
    for (int k = 0; k < 8; k++)
        scene_point(scene, vec(k & 1 ? side : -side, k & 2 ? side : -side, k & 4 ? side : -side));
    for (int k = 0; k < 6; k++) {
        const uint32_t *c = face[k];
        scene_triangle(scene, (const uint32_t[3]){first + c[0], first + c[1], first + c[2]}, NULL, material);
        scene_triangle(scene, (const uint32_t[3]){first + c[0], first + c[2], first + c[3]}, NULL, material);
    }
}

static void look(struct scene *scene, struct vec3 from, struct vec3 at) {
    scene->camera = (struct camera){from, at, vec(0, 1, 0), 40};
    scene->has_camera = true;
}

/* What gives back all that it gets cannot be seen before a sky that is everywhere alike. */
static void furnace(void **state) {
    (void)state;
    const struct vec3 none = vec(0, 0, 0), all = vec(1, 1, 1);
    const struct {
        struct vec3 diffuse, glossy;
        float roughness, transmit, index;
        double low, high; /* of a pixel */
        double mean_low, mean_high;
    } cases[] = {
        {all, none, 1, 0, 1.5f, 1 - 1e-6, 1 + 1e-6, 1 - 1e-6, 1 + 1e-6},  /* diffuse: exact */
        {none, all, 0, 0, 1.5f, 1 - 1e-6, 1 + 1e-6, 1 - 1e-6, 1 + 1e-6},  /* mirror */
        {none, none, 1, 1, 1.5f, 1 - 1e-6, 1 + 1e-6, 1 - 1e-6, 1 + 1e-6}, /* glass: refraction keeps all, too */
        {none, none, 1, 1, 0.7f, 1 - 1e-6, 1 + 1e-6, 1 - 1e-6, 1 + 1e-6}, /* a bubble */
        {all, none, 1, 0.5f, 1.5f, 1 - 1e-6, 1 + 1e-6, 1 - 1e-6, 1 + 1e-6},
        {none, all, 0.1f, 0, 1.5f, 0, 1 + 1e-5, 0.97, 1}, /* GGX without multiple scattering loses a little, */
        {none, all, 0.6f, 0, 1.5f, 0, 1 + 1e-5, 0.80, 1}, /* more where it is rough, and never gains */
        {vec(0.5f, 0.5f, 0.5f), vec(0.5f, 0.5f, 0.5f), 0.3f, 0, 1.5f, 0, 2, 0.93, 1.002},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct world w = {.bvh = {.nodes = NULL}};
        scene_start(&w.scene);
        const uint32_t number = scene_material(&w.scene, "m", 1);
        struct material *m = &w.scene.materials[number];
        m->diffuse = cases[k].diffuse, m->glossy = cases[k].glossy, m->roughness = cases[k].roughness;
        m->transmit = cases[k].transmit, m->index = cases[k].index;
        add_cube(&w.scene, 1, number);
        look(&w.scene, vec(3, 2.5f, 4), vec(0, 0, 0));
        w.scene.sky = all;
        w.scene.has_sky = true;
        open_world(&w, 24, 16, VIEW_DEPTH_MOST);
        const struct range r = light_of(&w, 64);
        if (!(r.low >= cases[k].low && r.high <= cases[k].high && r.mean >= cases[k].mean_low &&
              r.mean <= cases[k].mean_high))
            fail_msg("case %zu: light from %.7f to %.7f, mean %.7f", k, r.low, r.high, r.mean);
        close_world(&w);
    }
}

/* In a closed box whose walls give E and send back a part a, the light is E / (1 - a) everywhere: by shadow rays, by
 * chance, and by the weights between the two. */
static void closed_box(void **state) {
    (void)state;
    const struct {
        float back, glossy, roughness;
        double allowed;
    } cases[] = {{0, 0, 1, 1e-6}, {0.5f, 0, 1, 0.01}, {0.8f, 0, 1, 0.02}, {0.25f, 0.25f, 0, 0.01}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct world w = {.bvh = {.nodes = NULL}};
        scene_start(&w.scene);
        const uint32_t number = scene_material(&w.scene, "wall", 4);
        struct material *m = &w.scene.materials[number];
        const float back = cases[k].back, glossy = cases[k].glossy;
        m->diffuse = vec(back, back, back), m->glossy = vec(glossy, glossy, glossy), m->roughness = cases[k].roughness;
        m->emit = vec(3, 3, 3);
        add_cube(&w.scene, 1, number);
        look(&w.scene, vec(0.2f, 0.1f, 0.3f), vec(-1, 0.4f, -1));
        open_world(&w, 32, 32, VIEW_DEPTH_MOST);
        const double expected = 3.0 / (1 - (double)back - (double)glossy), mean = light_of(&w, 64).mean;
        if (!(fabs(mean / expected - 1) <= cases[k].allowed))
            fail_msg("case %zu: %.5f, expected %.5f", k, mean, expected);
        close_world(&w);
    }
}

/* A small light above a large floor: E = I cos / d^2, sent back as a E / pi. */
static void small_light(void **state) {
    (void)state;
    struct world w = {.bvh = {.nodes = NULL}};
    scene_start(&w.scene);
    const uint32_t lamp = scene_material(&w.scene, "lamp", 4);
    w.scene.materials[lamp].emit = vec(500, 500, 500);
    w.scene.materials[lamp].diffuse = vec(0, 0, 0);
    const float half = 0.05f, height = 2;
    const struct vec3 floor[3] = {vec(-90, 0, -90), vec(0, 0, 90), vec(90, 0, -90)};
    const struct vec3 light[4] = {vec(-half, height, -half), vec(half, height, -half), vec(half, height, half),
                                  vec(-half, height, half)};
    uint32_t at[7];
    for (int k = 0; k < 3; k++)
        at[k] = scene_point(&w.scene, floor[k]);
    for (int k = 0; k < 4; k++)
        at[3 + k] = scene_point(&w.scene, light[k]);
    scene_triangle(&w.scene, at, NULL, 0);
    scene_triangle(&w.scene, (const uint32_t[3]){at[3], at[4], at[5]}, NULL, lamp);
    scene_triangle(&w.scene, (const uint32_t[3]){at[3], at[5], at[6]}, NULL, lamp);
    w.scene.camera = (struct camera){vec(1, 1, 0), vec(0, 0, 0), vec(0, 1, 0), 0.5f};
    w.scene.has_camera = true;
    open_world(&w, 16, 16, 4);
    const double area = 4 * (double)half * (double)half, expected = 0.75 / M_PI * 500 * area / (2 * 2),
                 mean = light_of(&w, 256).mean;
    if (!(fabs(mean / expected - 1) < 0.01))
        fail_msg("%.5f, expected %.5f", mean, expected);
    close_world(&w);
}

static uint64_t hash_of(const struct world *w, struct vec3 *film) {
    const uint64_t hash = app_hash(APP_HASH_START, film, (size_t)render_pixels(&w->picture.frame) * sizeof *film);
    free(film);
    return hash;
}

/* In order and by groups, left off after few rays, many, or never, with vectors of eight and without: equal bits. */
static void equal_pictures(void **state) {
    (void)state;
    struct world w = {.bvh = {.nodes = NULL}};
    unsigned long first, rays;
    scene_start(&w.scene);
    generate_room(&w.scene, 20000, 7);
    open_world(&w, 40, 30, 6);
    const uint64_t hash = hash_of(&w, film_of(&w, jobs_serial, 3, &first));
    render_jobs *const by[] = {jobs_serial, jobs_heddle};
    static const int cuts[] = {0, 1, 2, 7, 1000};
    const int wide = w.picture.frame.wide;
    for (int k = 0; k < 20; k++) {
        w.picture.frame.wide = k & 1 ? 0 : wide;
        w.picture.frame.cut = cuts[k / 4];
        assert_true(hash_of(&w, film_of(&w, by[k >> 1 & 1], 3, &rays)) == hash);
        assert_int_equal(rays, first);
    }
    if (hash != GOLDEN_ROOM)
        fail_msg("%016llx, expected %016llx", (unsigned long long)hash, (unsigned long long)GOLDEN_ROOM);
    /* samples in two parts, into one film */
    struct vec3 *film = film_of(&w, jobs_heddle, 1, &rays);
    struct render_work work = {.paths = {0}};
    rays += render_run(jobs_serial, &work, &w.picture, film, 1, 1);
    rays += render_run(jobs_heddle, &work, &w.picture, film, 2, 1);
    render_free(&work);
    assert_true(hash_of(&w, film) == hash);
    assert_int_equal(rays, first);
    close_world(&w);
}

/* NaN and infinite corners are left out, needles and points are met by no ray, and no light becomes NaN. */
static void no_shapes(void **state) {
    (void)state;
    struct world w = {.bvh = {.nodes = NULL}};
    scene_start(&w.scene);
    look(&w.scene, vec(0, 0, 3), vec(0, 0, 0));
    const uint32_t lamp = scene_material(&w.scene, "lamp", 4);
    w.scene.materials[lamp].emit = vec(1, 1, 1);
    w.scene.sky = vec(0.25f, 0.5f, 1);
    w.scene.has_sky = true;
    uint32_t at[6];
    const struct vec3 points[6] = {vec(0, 0, 0),   vec(1, 0, 0),        vec(2, 0, 0),
                                   vec(NAN, 1, 0), vec(INFINITY, 0, 0), vec(0, 1, 0)};
    for (int k = 0; k < 6; k++)
        at[k] = scene_point(&w.scene, points[k]);
    const uint32_t corner[5][3] = {{0, 0, 0}, {0, 1, 2}, {0, 1, 3}, {0, 5, 4}, {3, 3, 3}};
    for (int k = 0; k < 5; k++) {
        const uint32_t c[3] = {at[corner[k][0]], at[corner[k][1]], at[corner[k][2]]};
        scene_triangle(&w.scene, c, NULL, k % 2 ? lamp : 0);
    }
    scene_smooth(&w.scene, 0);
    open_world(&w, 16, 8, 8);
    assert_int_equal(w.bvh.left_out, 3);
    assert_int_equal(w.scene.light_count, 0);
    struct range r = light_of(&w, 4);
    assert_true(r.low == 0.25 && r.high == 1);
    close_world(&w);
    scene_start(&w.scene); /* nothing at all */
    look(&w.scene, vec(0, 0, 3), vec(0, 0, 0));
    open_world(&w, 16, 8, 8);
    r = light_of(&w, 4);
    assert_true(r.low == 1 && r.high == 1);
    close_world(&w);
}

static bool read_materials(struct scene *scene, const char *text, struct complaint *c) {
    scene_start(scene);
    return mtl_parse(scene, text, strlen(text), "x.mtl", c);
}

static void good_mtl(void **state) {
    (void)state;
    static const char text[] =
        "# two\nnewmtl a b \r\nKa 1 1 1\nKd 0.5 0.25 1 # blue\nKs 0.5\nNs 98\nillum 2\nmap_Kd x.png\n\n"
        "newmtl glass\nKd 0 0 0\n\tNi 1.3\nd 0.25\nTf 1 0.5 0.5\nKe 2 0 0\nNs 1000";
    struct scene scene;
    struct complaint c = {""};
    uint32_t k;
    if (!read_materials(&scene, text, &c))
        fail_msg("%s", c.text);
    assert_int_equal(scene.notes, 1);
    assert_true(scene_has_material(&scene, "a b", 3, &k));
    const struct material *m = &scene.materials[k];
    assert_true(m->diffuse.y == 0.25f && m->glossy.z == 0.5f && fabsf(m->roughness - sqrtf(0.02f)) < 1e-6f);
    assert_true(scene_has_material(&scene, "glass", 5, &k));
    m = &scene.materials[k];
    assert_true(m->index == 1.3f && m->transmit == 0.75f && m->tint.y == 0.5f && m->emit.x == 2 && m->roughness == 0);
    scene_finish(&scene); /* more back than it gets */
    assert_true(largest(plus(scene.materials[1].diffuse, scene.materials[1].glossy)) <= 1.000001f);
    assert_int_equal(scene.scaled, 1);
    scene_free(&scene);
}

/* The materials move when their room grows. */
static void many_mtl(void **state) {
    (void)state;
    struct scene scene;
    struct complaint c = {""};
    char text[200 * 40] = "";
    uint32_t number;
    for (int k = 0, at = 0; k < 200; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "newmtl m%d\nKd %g 0 0\n", k, k / 200.0);
    assert_true(read_materials(&scene, text, &c));
    assert_int_equal(scene.material_count, 201);
    for (int k = 0; k < 200; k++) {
        char name[8];
        assert_true(scene_has_material(&scene, name, snprintf(name, sizeof name, "m%d", k), &number));
        assert_true(fabsf(scene.materials[number].diffuse.x - (float)k / 200) < 1e-6f);
    }
    scene_free(&scene);
}

static void bad_mtl(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"Kd 1 1 1\n", "x.mtl:1: Kd: no newmtl before it"},
        {"newmtl\n", "x.mtl:1: newmtl: the name is missing"},
        {"newmtl a\nKd 1 1\n", "x.mtl:2: Kd: a number is missing"},
        {"newmtl a\nKd\n", "x.mtl:2: Kd: a number is missing"},
        {"newmtl a\nKd 0 nan 0\n", "x.mtl:2: Kd: nan is out of range"},
        {"newmtl a\nKd -1 0 0\n", "x.mtl:2: Kd: -1 is out of range"},
        {"newmtl a\nKe 1e9 0 0\n", "x.mtl:2: Ke: 1e9 is out of range"},
        {"newmtl a\nd 2\n", "x.mtl:2: d: 2 is out of range"},
        {"newmtl a\nNs x\n", "x.mtl:2: Ns: 'x' is no number"},
        {"newmtl a\n\nshiny 1\n", "x.mtl:3: 'shiny' is no statement of an MTL file"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct scene scene;
        struct complaint c = {""};
        assert_false(read_materials(&scene, cases[k][0], &c));
        if (!strstr(c.text, cases[k][1]))
            fail_msg("'%s': got '%s', expected '%s'", cases[k][0], c.text, cases[k][1]);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(furnace),        cmocka_unit_test(closed_box), cmocka_unit_test(small_light),
        cmocka_unit_test(equal_pictures), cmocka_unit_test(no_shapes),  cmocka_unit_test(good_mtl),
        cmocka_unit_test(bad_mtl),        cmocka_unit_test(many_mtl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
