/* SPDX-License-Identifier: Apache-2.0 */
/* roadmap's parts against slow ones: triangles by their edges in double precision, bodies by all pairs, neighbours by
 * looking at all, paths by all lengths. */
#include "check.h"

#include "app.h"
#include "roadmap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct app_random dice;

static float number(double low, double high) { return (float)(low + (high - low) * app_unit(&dice)); }

static double volume(const double *a, const double *b, const double *c, const double *d) {
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++)
        u[k] = b[k] - a[k], v[k] = c[k] - a[k], w[k] = d[k] - a[k];
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Whether the line from p to q goes through the triangle; `sure` falls to 0 where a rounding may decide. */
static bool goes_through(const double *p, const double *q, double t[3][3], bool *sure) {
    const double above = volume(t[0], t[1], t[2], p), below = volume(t[0], t[1], t[2], q);
    double side[3];
    *sure &= fabs(above) > 1e-5 && fabs(below) > 1e-5;
    if ((above > 0) == (below > 0))
        return false;
    for (int k = 0; k < 3; k++) {
        side[k] = volume(p, q, t[k], t[(k + 1) % 3]);
        *sure &= fabs(side[k]) > 1e-5;
    }
    return (side[0] > 0) == (side[1] > 0) && (side[1] > 0) == (side[2] > 0);
}

static void test_triangles(void **state) {
    (void)state;
    int meet = 0, apart = 0;
    for (int round = 0; round < 20000; round++) {
        struct vec3 p[2][3];
        double at[2][3][3];
        bool slow = false, sure = true;
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 3; c++) {
                p[t][c] = vec(number(-1, 1), number(-1, 1), number(-1, 1) + (float)t * .4f);
                at[t][c][0] = (double)p[t][c].x, at[t][c][1] = (double)p[t][c].y, at[t][c][2] = (double)p[t][c].z;
            }
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 3; c++)
                slow |= goes_through(at[t][c], at[t][(c + 1) % 3], at[1 - t], &sure);
        if (!sure)
            continue;
        assert_int_equal(triangles_meet(p[0], p[1]), slow);
        assert_int_equal(triangles_meet(p[1], p[0]), slow);
        meet += slow, apart += !slow;
    }
    assert_true(meet > 2000 && apart > 2000);
    /* in one plane: one in the other, beside each other, sharing a corner; without an area */
    const struct vec3 big[3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, in[3] = {{1, 1, 0}, {1.5f, 1, 0}, {1, 1.5f, 0}},
                      beside[3] = {{3, 3, 0}, {4, 3, 0}, {3, 4, 0}}, corner[3] = {{4, 0, 0}, {6, 0, 1}, {6, 1, 0}},
                      point[3] = {{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}, off[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    assert_true(triangles_meet(big, in) && triangles_meet(in, big) && triangles_meet(big, corner));
    assert_false(triangles_meet(big, beside) || triangles_meet(beside, big) || triangles_meet(big, off));
    assert_true(triangles_meet(big, point));
}

static struct state some_state(double size) {
    struct state s;
    double norm = 0;
    for (int k = 0; k < 4; k++)
        s.turn[k] = number(-1, 1), norm += (double)s.turn[k] * (double)s.turn[k];
    for (int k = 0; k < 4; k++)
        s.turn[k] = (float)((double)s.turn[k] / sqrt(norm));
    for (int k = 0; k < 3; k++)
        s.move[k] = number(-size, size);
    return s;
}

static bool slow_touches(const struct state *s, const struct body *body, const struct body *world) {
    const struct pose pose = pose_of(s);
    for (size_t i = 0; i < body->triangle_count; i++)
        for (size_t j = 0; j < world->triangle_count; j++) {
            struct vec3 p[3], q[3];
            for (int c = 0; c < 3; c++) {
                p[c] = pose_point(&pose, body->points[body->triangles[i].corner[c]]);
                q[c] = world->points[world->triangles[j].corner[c]];
            }
            if (triangles_meet(p, q))
                return true;
        }
    return false;
}

static void test_bodies(void **state) {
    (void)state;
    static const double low[3] = {-.5, -.2, -.3}, high[3] = {.5, .2, .3}, all[6] = {-1, -1, -1, 1, 1, 1};
    int touch = 0;
    struct body body = {0}, world = {0};
    body_add_box(&body, low, high, 60);
    body_add_shape(&world, "knot", all, all + 3, 400, 3);
    body_finish(&body);
    body_finish(&world);
    assert_true(fabs((double)body.radius - sqrt(.25 + .04 + .09)) < 1e-5);
    for (int round = 0; round < 400; round++) {
        const struct state s = some_state(1.5);
        const bool slow = slow_touches(&s, &body, &world);
        assert_int_equal(body_touches(&s, body.tree.nodes, body.soup, world.tree.nodes, world.soup), slow);
        touch += slow;
    }
    assert_true(touch > 80 && touch < 320);
    body_free(&body);
    body_free(&world);
}

/* Anywhere; on a line; at one place; one and the same; in a cell of a grid that is large and empty else. */
static struct state shaped_state(int shape) {
    struct state s = some_state(shape == 4 ? .01 : 1);
    if (shape == 3)
        s = (struct state){{0, 0, 0, 1}, {0, 0, 0}};
    for (int k = 0; k < 3; k++)
        s.move[k] = shape == 2 || (shape == 1 && k) ? .5f : s.move[k];
    if (shape == 4 && app_below(&dice, 100) == 0)
        s.move[0] = 1e30f;
    return s;
}

static void test_neighbours(void **state) {
    (void)state;
    enum { COUNT = 530, MOST = 7, SHAPES = 5 };
    static struct state states[COUNT];
    static uint32_t near[COUNT * MOST];
    const struct measure m = {.turn_weight = .7f, .neighbours = MOST};
    for (int count = 1, shape = 0; count <= COUNT; count += count < 12 ? 1 : 74, shape = (shape + 1) % SHAPES) {
        for (int k = 0; k < count; k++)
            states[k] = shaped_state(shape);
        states[count / 2] = states[0];
        stage_near(&(const struct stages){.near = jobs_near_serial}, &m, states, (size_t)count, near);
        for (int k = 0; k < count; k++)
            for (int n = 0; n < MOST; n++) {
                const uint32_t at = near[k * MOST + n];
                assert_int_equal(at == NO_NEIGHBOUR, n >= count - 1);
                if (at == NO_NEIGHBOUR)
                    continue;
                int before = 0;
                const float d = state_distance(&m, &states[k], &states[at]);
                for (uint32_t o = 0; o < (uint32_t)count; o++) {
                    const float far = state_distance(&m, &states[k], &states[o]);
                    before += o != (uint32_t)k && (far < d || (far == d && o < at));
                }
                assert_int_equal(before, n);
            }
    }
}

/* A wall with a hole: ways through the hole are open, others are not, whatever the step says. */
static void test_ways(void **state) {
    (void)state;
    static const double low[3] = {-.1, -.1, -.1}, high[3] = {.1, .1, .1},
                        walls[4][6] = {{-.05, -3, -3, .05, 3, -.5},
                                       {-.05, -3, .5, .05, 3, 3},
                                       {-.05, .5, -.5, .05, 3, .5},
                                       {-.05, -3, -.5, .05, -.5, .5}};
    struct body body = {0}, world = {0};
    body_add_box(&body, low, high, 12);
    for (int k = 0; k < 4; k++)
        body_add_box(&world, walls[k], walls[k] + 3, 40);
    body_finish(&body);
    body_finish(&world);
    const struct surroundings around = {body.tree.nodes, world.tree.nodes, body.soup,       world.soup,
                                        body.tree.ends,  world.tree.ends,  body.tree.count, world.tree.count};
    struct measure m = {.turn_weight = .2f, .step = .04f, .radius = body.radius, .neighbours = 4};
    const struct stages by[] = {{jobs_clear_serial, jobs_near_serial, jobs_open_serial},
                                {jobs_clear_heddle, jobs_near_heddle, jobs_open_heddle}};
    struct state s[6] = {{{0, 0, 0, 1}, {-2, 0, 0}}, {{0, 0, 0, 1}, {2, 0, 0}}, {{0, 0, 1, 0}, {2, .2f, .1f}},
                         {{0, 0, 0, 1}, {-2, 2, 0}}, {{0, 0, 0, 1}, {2, 2, 0}}, {{0, 0, 0, -1}, {-2, 0, 0}}};
    const struct way ways[5] = {{0, 1}, {0, 2}, {3, 4}, {0, 3}, {0, 5}};
    uint8_t open[5], clear[6];
    uint32_t tests[5];
    stage_clear(&by[0], &around, s, 6, clear);
    for (int k = 0; k < 6; k++)
        assert_int_equal(clear[k], 1);
    stage_open(&by[0], &around, &m, s, 6, ways, 5, open, tests);
    assert_int_equal(open[0], 1);
    assert_int_equal(open[1], 1);
    assert_int_equal(open[2], 0);
    assert_int_equal(open[3], 1);
    assert_int_equal(open[4], 1); /* one and the same state */
    assert_int_equal(tests[4], 0);
    assert_int_equal(tests[0], 99); /* 4 m in steps of .04: 100 parts */
    assert_true(tests[1] > tests[0]);
    for (m.cut = 0; m.cut < 110; m.cut += m.cut < 5 ? 1 : 33) { /* left off and taken up again */
        uint8_t other[5];
        uint32_t others[5];
        stage_open(&by[1], &around, &m, s, 6, ways, 5, other, others);
        assert_memory_equal(other, open, sizeof open);
        assert_memory_equal(others, tests, sizeof tests);
    }
    body_free(&body);
    body_free(&world);
}

static void test_graph(void **state) {
    (void)state;
    enum { COUNT = 40 };
    const struct measure m = {.turn_weight = .5f};
    for (int round = 0; round < 50; round++) {
        struct state states[COUNT];
        struct way ways[COUNT * 2];
        uint8_t open[COUNT * 2];
        uint32_t path[COUNT];
        static double all[COUNT][COUNT];
        size_t parts;
        double length;
        for (int k = 0; k < COUNT; k++)
            states[k] = some_state(1);
        for (int a = 0; a < COUNT; a++)
            for (int b = 0; b < COUNT; b++)
                all[a][b] = a == b ? 0 : INFINITY;
        for (int k = 0; k < COUNT * 2; k++) {
            ways[k] = (struct way){app_below(&dice, COUNT), app_below(&dice, COUNT)};
            open[k] = app_below(&dice, 3) > 0;
            const double d = (double)state_distance(&m, &states[ways[k].a], &states[ways[k].b]);
            if (open[k] && ways[k].a != ways[k].b)
                all[ways[k].a][ways[k].b] = all[ways[k].b][ways[k].a] = d;
        }
        for (int via = 0; via < COUNT; via++)
            for (int a = 0; a < COUNT; a++)
                for (int b = 0; b < COUNT; b++)
                    all[a][b] = fmin(all[a][b], all[a][via] + all[via][b]);
        size_t apart = 0; /* states that no smaller one reaches */
        for (int a = 0; a < COUNT; a++) {
            bool first = true;
            for (int b = 0; b < a; b++)
                first &= !isfinite(all[a][b]);
            apart += first;
        }
        const size_t n = graph_path(&m, states, COUNT, ways, COUNT * 2, open, path, &parts, &length);
        assert_int_equal(parts, apart);
        assert_int_equal(n > 0, isfinite(all[0][1]));
        if (!n)
            continue;
        assert_true(fabs(length - all[0][1]) < 1e-9);
        assert_int_equal(path[0], 0);
        assert_int_equal(path[n - 1], 1);
    }
}

static int set_up(void **state) {
    (void)state;
    app_seed(&dice, 17);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangles), cmocka_unit_test(test_bodies), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_ways),      cmocka_unit_test(test_graph),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
