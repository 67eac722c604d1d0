/* SPDX-License-Identifier: Apache-2.0 */
/* The physics of softbody against what is known: rotations, constant strain, beams, conserved sums, friction; and the
 * parallel step against the serial one, bit by bit. */
#include "check.h"

#include "app.h"
#include "tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double straight[4] = {0, 0, 0, 1}, still[3] = {0, 0, 0};
static const struct material jelly = {.young = 1e5f, .poisson = 0.3f, .density = 1000};

/* A scene of one body; without gravity, planes or damping. */
static void open_one(struct scene *scene, const struct tets *tets, const struct material *material,
                     const double turn[4]) {
    struct complaint c;
    *scene = (struct scene){.shapes = 1, .bodies = 1};
    settings_defaults(&scene->settings);
    memset(scene->settings.gravity, 0, sizeof scene->settings.gravity);
    scene->shape = app_alloc(1, sizeof *scene->shape);
    scene->body = app_alloc(1, sizeof *scene->body);
    if (!shape_build(scene->shape, tets, "test", &c))
        fail_msg("%s", c.text);
    body_open(scene->body, scene->shape, material, 0, turn, still, still);
    scene_ready(scene);
}

static void box(struct tets *tets, long x, long y, long z, double a, double b, double c) {
    const long cells[3] = {x, y, z};
    const double side[3] = {a, b, c};
    generate_box(tets, cells, side, 0);
}

/* The same elements in no order, so that rows have no neighbours at one distance. */
static void shuffle(struct tets *tets) {
    struct app_random random;
    struct tets other = {.points = 0};
    uint32_t *to = app_alloc(tets->points, sizeof *to);
    app_seed(&random, 5);
    for (uint32_t k = 0; k < tets->points; k++)
        to[k] = k;
    for (uint32_t k = (uint32_t)tets->points; k-- > 1;) {
        const uint32_t i = app_below(&random, k + 1), swap = to[i];
        to[i] = to[k], to[k] = swap;
    }
    double(*point)[3] = app_alloc(tets->points, sizeof *point);
    for (uint32_t k = 0; k < tets->points; k++)
        memcpy(point[to[k]], tets->point[k], sizeof *point);
    for (uint32_t k = 0; k < tets->points; k++)
        tets_point(&other, point[k]);
    for (size_t e = 0; e < tets->tets; e++) {
        const uint32_t *n = tets->tet[e];
        if (n[0] == SOFT_NO_TET)
            continue;
        const uint32_t tet[4] = {to[n[1]], to[n[0]], to[n[2]], to[n[3]]}; /* some turned inside out */
        tets_tet(&other, tet);
    }
    free(point);
    free(to);
    tets_free(tets);
    *tets = other;
}

static void run(struct scene *scene, int steps) {
    uint32_t bad;
    for (int k = 0; k < steps; k++)
        assert_true(step_serial(scene, 1, &bad));
}

/* The certificate of the maximum of trace(R^T F): R^T F is symmetric, and trace(S) - S has no negative eigenvalue. */
static void is_best_rotation(const double f[3][3], const float q[4], double tolerance) {
    const double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    double s[3][3], norm = 1e-30;
    assert_true(fabs(x * x + y * y + z * z + w * w - 1) < 1e-5);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            s[i][j] = r[0][i] * f[0][j] + r[1][i] * f[1][j] + r[2][i] * f[2][j];
            norm += fabs(s[i][j]);
        }
    for (int i = 0; i < 3; i++)
        assert_true(fabs(s[i][(i + 1) % 3] - s[(i + 1) % 3][i]) < tolerance * norm);
    const double trace = s[0][0] + s[1][1] + s[2][2], h0 = trace - s[0][0] + tolerance * norm,
                 h1 = trace - s[1][1] + tolerance * norm, h2 = trace - s[2][2] + tolerance * norm, a = -s[0][1],
                 b = -s[0][2], c = -s[1][2];
    assert_true(h0 > 0 && h0 * h1 - a * a > -tolerance * norm * norm);
    assert_true(h0 * (h1 * h2 - c * c) - a * (a * h2 - b * c) + b * (a * c - b * h1) > -tolerance * norm * norm * norm);
}

/* Any matrix, inverted and flat ones among them, from the rotation of another one. */
static void rotations(void **state) {
    (void)state;
    struct app_random random;
    app_seed(&random, 1);
    for (int round = 0; round < 3000; round++) {
        double f[3][3];
        struct turned lanes_f;
        lanes q[4] = {LANES_ALL(0.0f), LANES_ALL(0.0f), LANES_ALL(0.0f), LANES_ALL(1.0f)};
        float one[4];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                f[i][j] = (double)(float)(2 * app_unit(&random) - 1 + (i == j && round % 3 == 0));
                if (round % 5 == 4 && i == 2)
                    f[i][j] = f[0][j] + f[1][j]; /* flat */
                lanes_f.m[i][j] = LANES_ALL((float)f[i][j]);
            }
        for (int k = 0; k < 200; k++)
            turn_once(&lanes_f, q);
        for (int k = 0; k < 4; k++)
            one[k] = q[k][round % GROUP];
        is_best_rotation(f, one, 2e-3);
    }
}

/* A turned body at rest has no forces and no energy. */
static void rigid_rotation(void **state) {
    (void)state;
    const double turn[4] = {0.5, -0.5, 0.1, sqrt(1 - 0.51)};
    for (int springs = 0; springs < 2; springs++) {
        struct tets tets;
        struct scene scene;
        struct material m = jelly;
        m.springs = springs;
        box(&tets, 5, 4, 3, 1, 1, 1);
        open_one(&scene, &tets, &m, turn);
        run(&scene, 3);
        const float scale = m.young * scene.shape->edge;
        for (uint32_t k = 0; k < 3 * scene.shape->rows; k++)
            assert_true(fabsf(scene.body->v[k]) < 1e-5f);
        assert_true(scene.sums->elastic < 1e-6f * scale);
        tets_free(&tets);
        scene_close(&scene);
    }
}

/* The matrix times a vector: the sum over elements in double. */
static void matrix(void **state) {
    (void)state;
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        struct tets tets;
        struct scene scene;
        box(&tets, 6, 4, 5, 1.2, 0.8, 1);
        if (shuffled)
            shuffle(&tets);
        open_one(&scene, &tets, &jelly, straight);
        const struct shape *s = scene.shape;
        struct body *body = scene.body;
        scene.settings.step = 1; /* the matrix is the masses and the stiffness */
        uint32_t *row = app_alloc(tets.points, sizeof *row);
        double(*sum)[3] = app_alloc(s->rows, sizeof *sum), mu = 1e5 / 2.6, lambda = mu * 0.6 / 0.4, most = 0;
        memset(sum, 0, s->rows * sizeof *sum);
        for (uint32_t k = 0; k < s->nodes; k++)
            row[s->order[k]] = k;
        for (uint32_t k = 0; k < 3 * s->rows; k++)
            body->u[k] = k % s->rows < s->nodes ? sinf((float)k * 1.7f) : 0;
        for (size_t e = 0; e < tets.tets; e++) {
            const uint32_t *n = tets.tet[e];
            double d[3][3], g[4][3], grad[3][3] = {{0}}, volume;
            if (n[0] == SOFT_NO_TET)
                continue;
            for (int a = 0; a < 3; a++)
                for (int k = 0; k < 3; k++)
                    d[a][k] = tets.point[n[a + 1]][k] - tets.point[n[0]][k];
            volume = 0;
            for (int k = 0; k < 3; k++)
                volume += d[0][k] * (d[1][(k + 1) % 3] * d[2][(k + 2) % 3] - d[1][(k + 2) % 3] * d[2][(k + 1) % 3]);
            for (int k = 0; k < 3; k++) {
                for (int a = 0; a < 3; a++) {
                    const double *p = d[(a + 1) % 3], *q = d[(a + 2) % 3];
                    g[a + 1][k] = (p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3]) / volume;
                }
                g[0][k] = -g[1][k] - g[2][k] - g[3][k];
            }
            for (int a = 0; a < 4; a++)
                for (int k = 0; k < 3; k++)
                    for (int l = 0; l < 3; l++)
                        grad[k][l] += (double)body->u[(uint32_t)k * s->rows + row[n[a]]] * g[a][l];
            const double trace = grad[0][0] + grad[1][1] + grad[2][2], weight = fabs(volume) / 6;
            for (int a = 0; a < 4; a++)
                for (int k = 0; k < 3; k++) {
                    double stress = lambda * trace * g[a][k];
                    for (int l = 0; l < 3; l++)
                        stress += mu * (grad[k][l] + grad[l][k]) * g[a][l];
                    sum[row[n[a]]][k] +=
                        weight * (stress + 1000.0 / 4 * (double)body->u[(uint32_t)k * s->rows + row[n[a]]]);
                }
        }
        assemble_any(&scene.settings, body);
        product_any(body, NULL, body);
        for (uint32_t r = 0; r < s->nodes; r++)
            for (uint32_t k = 0; k < 3; k++)
                most = fmax(most, fabs(sum[r][k]));
        for (uint32_t r = 0; r < s->nodes; r++)
            for (uint32_t k = 0; k < 3; k++)
                assert_true(fabs((double)body->w[k * s->rows + r] - sum[r][k]) < 2e-6 * most);
        free(row);
        free(sum);
        tets_free(&tets);
        scene_close(&scene);
    }
}

/* A static problem: long steps, well solved. */
static void solve_static(struct scene *scene, int steps) {
    scene->settings.step = 1;
    scene->settings.iterations = 4000;
    scene->settings.tolerance = 1e-6f;
    scene->settings.turns = 8;
    for (int k = 0; k < steps; k++) {
        memset(scene->body->v, 0, 3 * scene->shape->rows * sizeof(float));
        run(scene, 1);
    }
}

/* Nodes on the surface are moved by a linear map: those within follow it, and the energy is the one of constant strain.
 */
static void patch(void **state) {
    (void)state;
    static const double map[3][3] = {{0.02, 0.01, -0.004}, {0.01, -0.01, 0.006}, {-0.004, 0.006, 0.015}};
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        struct tets tets;
        struct scene scene;
        struct app_random random;
        app_seed(&random, 2);
        box(&tets, 4, 4, 4, 1, 1, 1);
        for (size_t k = 0; k < tets.points; k++) /* no two elements alike */
            for (int a = 0; a < 3; a++)
                if (fabs(fabs(tets.point[k][a]) - 0.5) > 1e-9)
                    tets.point[k][a] += 0.05 * (2 * app_unit(&random) - 1);
        if (shuffled)
            shuffle(&tets);
        open_one(&scene, &tets, &jelly, straight);
        const struct shape *s = scene.shape;
        struct body *body = scene.body;
        for (uint32_t r = 0; r < s->nodes; r++)
            for (uint32_t k = 0; s->skin[r] > 0 && k < 3; k++) {
                body->free[r] = 0;
                for (uint32_t l = 0; l < 3; l++)
                    body->x[k * s->rows + r] += (float)(map[k][l] * (double)s->at_rest[l * s->rows + r]);
            }
        solve_static(&scene, 6);
        run(&scene, 1); /* energies are those at a step's beginning */
        double energy = 0, trace = 0;
        for (int k = 0; k < 3; k++) {
            trace += map[k][k];
            for (int l = 0; l < 3; l++)
                energy += map[k][l] * map[k][l];
        }
        energy = 1e5 / 2.6 * (energy + 0.5 * (0.6 / 0.4) * trace * trace);
        assert_true(fabs((double)scene.sums->elastic - energy) < 1e-4 * energy);
        for (uint32_t r = 0; r < s->nodes; r++)
            for (uint32_t k = 0; k < 3; k++) {
                double to = (double)s->at_rest[k * s->rows + r];
                for (uint32_t l = 0; l < 3; l++)
                    to += map[k][l] * (double)s->at_rest[l * s->rows + r];
                assert_true(fabs((double)body->x[k * s->rows + r] - to) < 2e-6);
            }
        tets_free(&tets);
        scene_close(&scene);
    }
}

/* How far a cantilever's end sinks under its weight, over what beam theory says (with shear, after Timoshenko). */
static double beam(long thick) {
    const double length = 4, high = 1, young = 1e7, density = 1000, weight = 9.81 * density;
    struct tets tets;
    struct scene scene;
    struct material m = {.young = (float)young, .poisson = 0, .density = (float)density};
    box(&tets, 4 * thick, thick, thick, length, high, high);
    open_one(&scene, &tets, &m, straight);
    const struct shape *s = scene.shape;
    scene.settings.gravity[1] = -9.81f;
    for (uint32_t r = 0; r < s->nodes; r++)
        if (scene.body->x[r] < -1.9999f)
            scene.body->free[r] = 0;
    solve_static(&scene, 12);
    double sink = 0, ends = 0;
    for (uint32_t r = 0; r < s->nodes; r++)
        if (s->at_rest[r] > 1.9999f) {
            sink += (double)(s->at_rest[s->rows + r] - scene.body->x[s->rows + r]);
            ends++;
        }
    const double inertia = high * high * high * high / 12, bend = weight * pow(length, 4) / (8 * young * inertia),
                 shear = weight * length * length / (2 * (5.0 / 6) * young / 2);
    tets_free(&tets);
    scene_close(&scene);
    return sink / ends / (bend + shear);
}

static void cantilever(void **state) {
    (void)state;
    const double coarse = beam(2), middle = beam(4), fine = beam(8);
    printf("cantilever over Timoshenko: %.4f, %.4f, %.4f; extrapolated %.4f\n", coarse, middle, fine,
           fine + (fine - middle) / 3);
    assert_true(coarse < middle && middle < fine && fine < 1.02);
    assert_true(fine > 0.93);
    assert_true(fabs(fine + (fine - middle) / 3 - 1) < 0.03); /* errors fall with the square of the size */
}

static void sums_of(const struct scene *scene, double momentum[3], double spin[3], double *energy) {
    *energy = 0;
    memset(momentum, 0, 3 * sizeof *momentum);
    memset(spin, 0, 3 * sizeof *spin);
    for (uint32_t b = 0; b < scene->bodies; b++) {
        const struct body *body = &scene->body[b];
        const struct shape *s = body->shape;
        *energy +=
            (double)(scene->sums[b].kinetic + scene->sums[b].elastic + scene->sums[b].height + scene->sums[b].contact);
        for (uint32_t r = 0; r < s->nodes; r++)
            for (uint32_t k = 0; k < 3; k++) {
                const uint32_t i = (k + 1) % 3, j = (k + 2) % 3;
                const double mass = (double)(s->mass[r] * body->material.density);
                momentum[k] += mass * (double)body->v[k * s->rows + r];
                spin[k] += mass * ((double)body->x[i * s->rows + r] * (double)body->v[j * s->rows + r] -
                                   (double)body->x[j * s->rows + r] * (double)body->v[i * s->rows + r]);
            }
    }
    for (uint32_t k = 0; k < scene->pairs; k++)
        *energy += (double)scene->pair[k].contact;
}

/* Pairs that collide keep their momentum, and no energy comes from nowhere. */
static void collisions(void **state) {
    (void)state;
    for (int springs = 0; springs < 2; springs++) {
        const struct request request = {.name = "pairs", .bodies = 4, .nodes = 300, .seed = 3, .springs = springs};
        struct scene scene;
        double before[3], spin[3], now[3], turned[3], energy = 0, most = 0, scale = 0;
        uint64_t holds = 0;
        assert_true(generate_scene(&scene, &request));
        scene.settings.tolerance = 1e-5f;
        scene.settings.iterations = 200;
        for (uint32_t b = 0; b < scene.bodies; b++) {
            scene.body[b].material.mass_damping = 0;
            scale += (double)(scene.shape->volume * 1000) * 1.5;
        }
        for (int k = 0; k < 60; k++) {
            run(&scene, 1);
            sums_of(&scene, k ? now : before, k ? turned : spin, &energy);
            if (k == 0)
                most = energy;
            holds += scene.holds;
            assert_true(energy < 1.01 * most);
            for (int a = 0; k && a < 3; a++)
                assert_true(fabs(now[a] - before[a]) < 2e-4 * scale);
        }
        assert_true(holds > 100);
        for (int a = 0; a < 3; a++) /* at the contacts' triangles, to first order */
            assert_true(fabs(turned[a] - spin[a]) < 0.02 * scale);
        scene_close(&scene);
    }
}

/* Free fall is that of implicit Euler, to the rounding, and bodies stay as they are. */
static void free_fall(void **state) {
    (void)state;
    struct tets tets;
    struct scene scene;
    box(&tets, 3, 3, 3, 1, 1, 1);
    open_one(&scene, &tets, &jelly, straight);
    scene.settings.gravity[1] = -10;
    scene.settings.tolerance = 1e-6f;
    run(&scene, 50);
    for (uint32_t r = 0; r < scene.shape->nodes; r++) {
        assert_true(fabsf(scene.body->v[scene.shape->rows + r] + 5) < 1e-3f);
        assert_true(fabsf(scene.body->x[scene.shape->rows + r] - scene.shape->at_rest[scene.shape->rows + r] + 1.275f) <
                    1e-3f);
    }
    tets_free(&tets);
    scene_close(&scene);
}

/* On a slope of 1 in 2 a block slides with g (sin - C cos), or stays where friction is more. */
static void slope(void **state) {
    (void)state;
    for (int stays = 0; stays < 2; stays++) {
        const float friction = stays ? 0.7f : 0.3f, s = 1 / sqrtf(5), c = 2 / sqrtf(5);
        struct tets tets;
        struct scene scene;
        const struct material m = {.young = 1e6f, .poisson = 0.3f, .density = 1000, .stretch_damping = 0.02f};
        box(&tets, 6, 2, 6, 1, 0.3, 1);
        open_one(&scene, &tets, &m, straight);
        struct settings *o = &scene.settings;
        o->gravity[0] = 9.81f * s, o->gravity[1] = -9.81f * c;
        o->planes = 1;
        o->plane[0][1] = 1, o->plane[0][3] = -0.15f;
        o->plane_friction = friction;
        o->iterations = 100;
        run(&scene, 50);
        const double first = (double)scene.sums->momentum[0];
        run(&scene, 50);
        const double second = (double)scene.sums->momentum[0];
        const double mass = 300, rate = (second - first) / mass / 0.5,
                     expected = stays ? 0 : 9.81 * (double)(s - friction * c);
        assert_true(fabs(rate - expected) < 0.03 * 9.81);
        if (stays)
            assert_true(fabs(second / mass) < 0.05);
        tets_free(&tets);
        scene_close(&scene);
    }
}

/* An inside-out element comes back. */
static void inverted(void **state) {
    (void)state;
    struct tets tets = {.points = 0};
    struct scene scene;
    const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const uint32_t tet[4] = {0, 1, 2, 3};
    struct material m = jelly;
    m.stretch_damping = 0.05f;
    for (int k = 0; k < 4; k++)
        tets_point(&tets, points[k]);
    tets_tet(&tets, tet);
    open_one(&scene, &tets, &m, straight);
    struct body *body = scene.body;
    const uint32_t rows = scene.shape->rows;
    for (uint32_t r = 0; r < 4; r++)
        body->x[2 * rows + r] *= -0.4f;
    run(&scene, 300);
    double e[3][3];
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t node[4];
            for (uint32_t r = 0; r < 4; r++)
                node[scene.shape->order[r]] = r;
            e[a][k] = (double)(body->x[k * rows + node[a + 1]] - body->x[k * rows + node[0]]);
        }
    const double volume = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                          e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                          e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    assert_true(fabs(volume - 1) < 0.02);
    tets_free(&tets);
    scene_close(&scene);
}

/* Two blocks that are one body: without contacts with itself the upper one falls through the lower one. */
static void self_contact(void **state) {
    (void)state;
    for (int self = 0; self < 2; self++) {
        struct tets tets, upper;
        struct scene scene;
        struct material m = jelly;
        m.stretch_damping = 0.02f;
        m.mass_damping = 1;
        box(&tets, 6, 3, 6, 1, 0.5, 1);
        box(&upper, 4, 4, 4, 0.6, 0.6, 0.6);
        const uint32_t first = (uint32_t)tets.points;
        for (size_t k = 0; k < upper.points; k++) {
            upper.point[k][1] += 1.3; /* further than what belongs together at rest */
            tets_point(&tets, upper.point[k]);
        }
        for (size_t e = 0; e < upper.tets; e++) {
            uint32_t tet[4];
            for (int k = 0; k < 4; k++)
                tet[k] = upper.tet[e][k] + first;
            if (upper.tet[e][0] != SOFT_NO_TET)
                tets_tet(&tets, tet);
        }
        open_one(&scene, &tets, &m, straight);
        const struct shape *s = scene.shape;
        for (uint32_t r = 0; r < s->nodes; r++)
            if (s->at_rest[s->rows + r] < -0.2499f)
                scene.body->free[r] = 0;
        scene.settings.gravity[1] = -5;
        scene.settings.self = self;
        scene.settings.thickness = 0.02f;
        run(&scene, 1);
        assert_int_equal(scene.holds, 0);
        run(&scene, 120);
        double height = 0, count = 0;
        for (uint32_t r = 0; r < s->nodes; r++)
            if (s->order[r] >= first) {
                height += (double)scene.body->x[s->rows + r];
                count++;
            }
        assert_true(self ? height / count > 0.4 : height / count < 0);
        tets_free(&upper);
        tets_free(&tets);
        scene_close(&scene);
    }
}

/* Two and three threads, and every width of vectors: the serial program's bits. */
static void equal_bits(void **state) {
    (void)state;
    static const char *const names[] = {"fall", "pairs", "pile", "mixed", "bars"};
    for (int scene_number = 0; scene_number < 5; scene_number++) {
        uint64_t right = 0;
        for (int way = 0; way < 5; way++) {
            const struct request request = {.name = names[scene_number], .bodies = 9, .nodes = 200, .seed = 4};
            struct scene scene;
            uint32_t bad;
            assert_true(generate_scene(&scene, &request));
            scene.settings.self = scene_number == 2;
            if (way < 2 && scene.settings.wide > way)
                scene.settings.wide = way;
            for (int k = 0; k < 25; k++)
                assert_true(way < 3 ? step_serial(&scene, 1, &bad) : step_heddle(&scene, way - 1, &bad));
            const uint64_t hash = output_hash(&scene, APP_HASH_START);
            right = way ? right : hash;
            assert_true(hash == right);
            scene_close(&scene);
        }
    }
}

/* A body that is no longer finite is named, and all places stay as they were. */
static void not_finite(void **state) {
    (void)state;
    const struct request request = {.name = "fall", .bodies = 5, .nodes = 100, .seed = 4};
    struct scene scene;
    uint32_t bad;
    assert_true(generate_scene(&scene, &request));
    const float height = scene.body[0].x[scene.shape->rows];
    scene.body[3].v[7] = NAN;
    assert_false(step_serial(&scene, 1, &bad));
    assert_int_equal(bad, 3);
    assert_true(scene.body[0].x[scene.shape->rows] == height);
    assert_false(step_heddle(&scene, 2, &bad));
    assert_int_equal(bad, 3);
    scene_close(&scene);
}

/* Twelve sets of one to four blocks. */
static void bars_are_thirty(void **state) {
    (void)state;
    const struct request request = {.name = "bars", .bodies = 30, .nodes = 64, .seed = 1};
    struct scene scene;
    uint32_t bad, lengths[5] = {0};
    assert_true(generate_scene(&scene, &request));
    assert_true(step_serial(&scene, 1, &bad));
    assert_int_equal(scene.sets, 12);
    for (uint32_t s = 0; s < scene.sets; s++)
        lengths[scene.set[s].count]++;
    assert_int_equal(lengths[1], 2);
    assert_int_equal(lengths[2] + lengths[3] + lengths[4], 10);
    scene_close(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations),      cmocka_unit_test(rigid_rotation), cmocka_unit_test(matrix),
        cmocka_unit_test(patch),          cmocka_unit_test(cantilever),     cmocka_unit_test(collisions),
        cmocka_unit_test(free_fall),      cmocka_unit_test(slope),          cmocka_unit_test(inverted),
        cmocka_unit_test(self_contact),   cmocka_unit_test(equal_bits),     cmocka_unit_test(not_finite),
        cmocka_unit_test(bars_are_thirty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
