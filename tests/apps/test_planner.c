/* SPDX-License-Identifier: Apache-2.0 */
/* planner's parts against a slow one in double precision: where the arm is, what it touches, that paths are free; and
 * what its readers refuse. */
#include "check.h"

#include "app.h"
#include "nest.h"

#include <stdlib.h>
#include <string.h>

/* ---- the slow one */

struct slow_pose {
    double turn[3][3], move[3];
};

static struct slow_pose slow_product(const struct slow_pose *a, const struct slow_pose *b) {
    struct slow_pose c;
    for (int i = 0; i < 3; i++) {
        c.move[i] = a->move[i];
        for (int j = 0; j < 3; j++) {
            c.move[i] += a->turn[i][j] * b->move[j];
            c.turn[i][j] = 0;
            for (int k = 0; k < 3; k++)
                c.turn[i][j] += a->turn[i][k] * b->turn[k][j];
        }
    }
    return c;
}

/* Centres of all spheres. */
static void slow_spheres(const struct robot *robot, const float *q, double (*at)[3]) {
    struct slow_pose body[JOINTS_MOST + 1] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}}};
    for (int j = 0; j < robot->joints; j++) {
        const struct joint *joint = &robot->joint[j];
        const double c = joint->slides ? 1 : cos((double)q[j]), s = joint->slides ? 0 : sin((double)q[j]);
        struct slow_pose fixed, own = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}, {0, 0, joint->slides ? (double)q[j] : 0}};
        for (int k = 0; k < 9; k++)
            fixed.turn[k / 3][k % 3] = (double)joint->turn[k];
        for (int k = 0; k < 3; k++)
            fixed.move[k] = (double)joint->move[k];
        fixed = slow_product(&body[joint->parent], &fixed);
        body[j + 1] = slow_product(&fixed, &own);
    }
    for (int k = 0; k < robot->links; k++)
        for (int s = robot->link[k].first; s < robot->link[k].first + robot->link[k].count; s++) {
            struct slow_pose sphere = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
            for (int i = 0; i < 3; i++)
                sphere.move[i] = (double)robot->sphere[s][i];
            sphere = slow_product(&body[robot->link[k].body], &sphere);
            memcpy(at[s], sphere.move, sizeof sphere.move);
        }
}

static double slow_obstacle(const struct obstacle *o, const double *at) {
    double out[3];
    for (int k = 0; k < 3; k++)
        out[k] = fabs((double)o->axes[3 * k] * at[0] + (double)o->axes[3 * k + 1] * at[1] +
                      (double)o->axes[3 * k + 2] * at[2] - (double)o->middle[k]);
    if (o->cylinder)
        out[0] = hypot(out[0], out[1]), out[1] = 0;
    for (int k = 0; k < 3; k++)
        out[k] = fmax(out[k] - (double)o->half[k], 0);
    return sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]) - (double)o->round;
}

/* How far the arm is from touching something; negative: it does. */
static double slow_room(const struct robot *robot, const struct problem *problem, const struct obstacle *obstacles,
                        const float *q) {
    static double at[SPHERES_MOST][3];
    double room = INFINITY;
    slow_spheres(robot, q, at);
    for (int a = 0; a < robot->links; a++)
        for (int s = robot->link[a].first; s < robot->link[a].first + robot->link[a].count; s++) {
            for (int o = problem->first; o < problem->first + problem->count; o++)
                room = fmin(room, slow_obstacle(&obstacles[o], at[s]) - (double)robot->sphere[s][3]);
            for (int b = 0; b < a; b++)
                for (int t = robot->link[b].first; t < robot->link[b].first + robot->link[b].count; t++)
                    if (problem->apart[a] >> b & 1)
                        room = fmin(room, sqrt((at[s][0] - at[t][0]) * (at[s][0] - at[t][0]) +
                                               (at[s][1] - at[t][1]) * (at[s][1] - at[t][1]) +
                                               (at[s][2] - at[t][2]) * (at[s][2] - at[t][2])) -
                                              (double)(robot->sphere[s][3] + robot->sphere[t][3]));
        }
    return room;
}

/* ---- cases */

static struct robot robot;
static struct robot_names names;

static int set_up(void **state) {
    (void)state;
    robot_built_in(&robot, &names);
    return 0;
}

static void test_sincos(void **state) {
    (void)state;
    for (double x = -30; x < 30; x += 0.0037) {
        lanes in, s, c;
        for (int l = 0; l < LANES; l++)
            LANE(in, l) = (float)(x + 0.0002 * l);
        lanes_sincos(&in, &s, &c);
        for (int l = 0; l < LANES; l++) {
            assert_true(fabs((double)LANE(s, l) - sin((double)LANE(in, l))) < 3e-7);
            assert_true(fabs((double)LANE(c, l) - cos((double)LANE(in, l))) < 3e-7);
        }
    }
}

/* Lanes at places of their own: what hits is what the slow one says, but for cases at the border. */
static void test_touching(void **state) {
    (void)state;
    struct problems all = {0};
    struct app_random random;
    int hits = 0, clear = 0;
    app_seed(&random, 5);
    problems_random(&all, &robot, &names, 100, 3);
    problems_finish(&all, &robot);
    for (size_t k = 0; k < all.count; k++)
        for (int round = 0; round < 20; round++) {
            float at[JOINTS_MOST];
            lanes q[JOINTS_MOST];
            const int odd = round % LANES; /* the others stay where nothing is touched */
            for (int j = 0; j < robot.joints; j++) {
                at[j] = (float)(app_unit(&random) * (double)(robot.joint[j].high - robot.joint[j].low)) +
                        robot.joint[j].low;
                for (int l = 0; l < LANES; l++)
                    LANE(q[j], l) = l == odd ? at[j] : all.problem[k].start[j];
            }
            const double room = slow_room(&robot, &all.problem[k], all.obstacle, at);
            if (fabs(room) < 1e-5)
                continue;
            assert_int_equal(arm_hits(&robot, &all.problem[k], all.obstacle, q) != 0, room < 0);
            hits += room < 0;
            clear += room > 0;
        }
    assert_true(hits > 200 && clear > 200);
    problems_free(&all);
}

static struct settings make_settings(void) {
    struct settings s = {
        .range = 1, .resolution = 32, .radius = 4, .least_radius = 1, .alpha = 1e-4f, .nodes = 4096, .samples = 20000};
    struct app_random random;
    app_seed(&random, 9);
    for (int j = 0; j < JOINTS_MOST; j++)
        s.first[j] = (uint32_t)app_next(&random), s.step[j] = (uint32_t)app_next(&random) | 1;
    return s;
}

static struct answer solve(const struct settings *s, const struct problems *all, size_t k, float *path) {
    float *place = app_alloc((size_t)s->nodes * (size_t)robot.joints, sizeof *place),
          *reach = app_alloc((size_t)s->nodes, sizeof *reach);
    int *parent = app_alloc((size_t)s->nodes, sizeof *parent);
    struct answer answer;
    plan_one_host(&robot, s, &all->problem[k], all->obstacle, place, parent, reach, &answer, path);
    free(place);
    free(parent);
    free(reach);
    return answer;
}

static void test_paths(void **state) {
    (void)state;
    static float path[WAYPOINTS_MOST * JOINTS_MOST];
    const struct settings s = make_settings();
    struct problems all = {0};
    int bent = 0;
    problems_random(&all, &robot, &names, 150, 11);
    problems_finish(&all, &robot);
    for (size_t k = 0; k < all.count; k++) {
        const struct answer a = solve(&s, &all, k, path);
        assert_int_equal(a.outcome, OUTCOME_SOLVED);
        assert_memory_equal(path, all.problem[k].start, (size_t)robot.joints * sizeof *path);
        assert_memory_equal(path + (a.corners - 1) * robot.joints, all.problem[k].goal,
                            (size_t)robot.joints * sizeof *path);
        bent += a.corners > 2;
        double length = 0;
        for (int c = 1; c < a.corners; c++) {
            const float *from = path + (c - 1) * robot.joints, *to = from + robot.joints;
            double d = 0;
            for (int j = 0; j < robot.joints; j++)
                d += (double)(to[j] - from[j]) * (double)(to[j] - from[j]);
            length += sqrt(d);
            const int steps = (int)(sqrt(d) * 32) + 1;
            for (int step = 0; step <= steps; step++) {
                float at[JOINTS_MOST];
                for (int j = 0; j < robot.joints; j++)
                    at[j] = from[j] + (to[j] - from[j]) * (float)step / (float)steps;
                /* positions between those that were tested: a joint moves 1/32 of a radian at most */
                assert_true(slow_room(&robot, &all.problem[k], all.obstacle, at) > -.03);
            }
        }
        assert_true(fabs(length - (double)a.length) < 1e-3);
    }
    assert_true(bent > 10);
    problems_free(&all);
}

/* Goals in a box without a door, starts that touch, places beyond the limits, nodes and samples that run out. */
static void test_no_path(void **state) {
    (void)state;
    static float path[WAYPOINTS_MOST * JOINTS_MOST];
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    struct settings s = make_settings();
    struct problems all = {0};
    problems_random(&all, &robot, &names, 1, 2);
    struct problem *problem = all.problem;
    problem->count = 0, all.obstacles = 0;
    static double at[SPHERES_MOST][3];
    slow_spheres(&robot, problem->goal, at);
    const int hand = robot.link[robot.links - 1].first;
    for (int side = 0; side < 6; side++) { /* walls about the hand's last sphere, which is in */
        double centre[3] = {at[hand][0], at[hand][1], at[hand][2]};
        centre[side / 2] += side % 2 ? .017 : -.017;
        struct obstacle *o = problems_obstacle(&all, axes, centre);
        for (int k = 0; k < 3; k++)
            o->half[k] = k == side / 2 ? .001f : .018f;
        for (int k = 0; k < robot.links - 1; k++)
            o->free |= 1u << k;
    }
    all.problem[0].apart[robot.links - 1] = 0;
    for (int k = hand + 1; k < hand + robot.link[robot.links - 1].count; k++)
        robot.sphere[k][3] = 1e-6f, memcpy(robot.sphere[k], robot.sphere[hand], 3 * sizeof(float));
    robot_finish(&robot, &names);
    s.samples = 3000;
    struct answer a = solve(&s, &all, 0, path);
    assert_int_equal(a.outcome, OUTCOME_SAMPLES);
    assert_int_equal(a.samples, 3000);
    assert_int_equal(a.corners, 0);
    s.nodes = 64;
    s.samples = 1000000;
    assert_int_equal(solve(&s, &all, 0, path).outcome, OUTCOME_NODES);
    const float kept = problem->start[0];
    problem->start[0] = 100;
    assert_int_equal(solve(&s, &all, 0, path).outcome, OUTCOME_START);
    problem->start[0] = kept;
    problem->goal[1] = NAN;
    assert_int_equal(solve(&s, &all, 0, path).outcome, OUTCOME_GOAL);
    problems_free(&all);
    robot_built_in(&robot, &names);
}

/* ---- files */

static const char urdf[] =
    "<robot name='r'><link name='base'><collision><geometry><sphere radius='.1'/></geometry></collision></link>\n"
    "<link name='plate'/><link name='arm'><collision><geometry><sphere radius='.05'/></geometry>\n"
    "<origin xyz='1 0 0'/></collision></link><link name='tip'><visual><geometry><box size='1 1 "
    "1'/></geometry></visual>\n"
    "<collision><origin xyz='0 0 .5'/><geometry><sphere radius='.02'/></geometry></collision></link>\n"
    "<joint name='fix' type='fixed'><parent link='base'/><child link='plate'/><origin xyz='0 0 1' rpy='0 0 "
    "1.5707963267948966'/></joint>\n"
    "<joint name='turn' type='revolute'><parent link='plate'/><child link='arm'/><origin xyz='.5 0 0'/><axis xyz='0 2 "
    "0'/>\n"
    "<limit lower='-1' upper='2'/></joint>\n"
    "<joint name='slide' type='prismatic'><parent link='arm'/><child link='tip'/><axis xyz='1 0 0'/><limit lower='0' "
    "upper='.3'/></joint>\n"
    "</robot>\n";

static void test_urdf(void **state) {
    (void)state;
    struct complaint c;
    double at[SPHERES_MOST][3];
    struct robot r;
    struct robot_names n;
    assert_true(robot_parse(&r, &n, "r.urdf", urdf, strlen(urdf), &c));
    assert_int_equal(r.joints, 2);
    assert_int_equal(r.links, 3);
    assert_string_equal(n.joint[1], "slide");
    assert_string_equal(n.link[2], "tip");
    /* the plate is turned by a right angle: its x is the world's y; the arm turns about y of the plate: -x of the world
     */
    const float q[2] = {.5f, .25f};
    slow_spheres(&r, q, at);
    const double expected[3][3] = {{0, 0, 0},
                                   {0, .5 + cos(.5), 1 - sin(.5)},
                                   {0, .5 + .25 * cos(.5) + .5 * sin(.5), 1 - .25 * sin(.5) + .5 * cos(.5)}};
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 3; k++)
            assert_true(fabs(at[s][k] - expected[s][k]) < 1e-6);
    assert_int_equal(n.apart[0], 4); /* those that follow each other may touch */
}

static void refused(const char *from, const char *to, const char *expected) {
    char text[4096];
    struct complaint c = {""};
    struct robot r;
    struct robot_names n;
    const char *at = strstr(urdf, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - urdf), urdf, to, at + strlen(from));
    assert_false(robot_parse(&r, &n, "r.urdf", text, strlen(text), &c));
    if (!strstr(c.text, expected))
        fail_msg("'%s' does not say '%s'", c.text, expected);
}

static void test_urdf_refused(void **state) {
    (void)state;
    refused("<robot", "<sdf", "r.urdf:1: ");
    refused("'prismatic'", "'floating'", "r.urdf:8: joint slide: type floating");
    refused("upper='2'", "upper='-2'", "r.urdf:6: joint turn needs limits");
    refused("xyz='0 2 0'", "xyz='0 0 0'", "its axis is 0 0 0");
    refused("xyz='0 2 0'", "xyz='0 nan 0'", "r.urdf:6: xyz=\"0 nan 0\": expected 3 finite");
    refused("xyz='0 2 0'", "xyz='0 2'", "expected 3");
    refused("<child link='tip'/>", "<child link='arm'/>", "link arm has two parents");
    refused("<child link='tip'/>", "<child link='top'/>", "there is no link top");
    refused("<link name='plate'/>", "<link name='plate'/><link name='loose'/>", "have no parent");
    refused("<link name='plate'/>", "<link name='base'/>", "link base is there already");
    refused("<sphere radius='.05'/>", "<mesh filename='a.obj'/>", "r.urdf:2: link arm: collision geometry is a mesh");
    refused("radius='.02'", "radius='0'", "link tip: a sphere needs a radius above 0");
    refused("<axis xyz='1 0 0'/>", "<axis xyz='1 0 0'/><mimic joint='turn'/>", "joint slide follows another one");
    refused("</robot>", "", "no element found");
}

static const char request[] = "start_state: {joint_state: {name: [slide, turn, other], position: [0.1, 0.2, 9]}}\n"
                              "goal_constraints:\n  - joint_constraints:\n      - {joint_name: turn, position: 1}\n"
                              "      - {joint_name: slide, position: 0.3}\n";
static const char scene[] =
    "allowed_collision_matrix:\n  entry_names: [base, arm, tip, table]\n  entry_values:\n"
    "    - [false, false, true, true]\n    - [false, false, true, false]\n    - [true, true, false, false]\n"
    "    - [true, false, false, false]\nworld:\n  collision_objects:\n"
    "    - id: table\n      pose: {position: [0, 0, 1], orientation: [0, 0, 0.7071067811865476, 0.7071067811865476]}\n"
    "      primitives:\n        - {type: box, dimensions: [2, 4, 6]}\n        - {type: cylinder, dimensions: [2, "
    "0.5]}\n"
    "        - {type: sphere, dimensions: [0.25]}\n      primitive_poses:\n"
    "        - {position: [1, 0, 0], orientation: [0, 0, 0, 1]}\n        - {position: [0, 0, 0], orientation: [0, 1, "
    "0, 0]}\n"
    "        - {position: [0, 2, 0], orientation: [0, 0, 0, 1]}\n";

static bool parse(struct problems *all, const char *request_text, const char *scene_text, struct complaint *c) {
    struct robot r;
    struct robot_names n;
    assert_true(robot_parse(&r, &n, "r.urdf", urdf, strlen(urdf), c));
    const struct yaml_text a = {"request.yaml", request_text, strlen(request_text)},
                           b = {"scene.yaml", scene_text, strlen(scene_text)};
    return problems_parse(all, &r, &n, "one", &a, &b, c);
}

static void test_yaml(void **state) {
    (void)state;
    struct problems all = {0};
    struct complaint c;
    assert_true(parse(&all, request, scene, &c));
    const struct problem *p = all.problem;
    assert_true(p->start[0] == .2f && p->start[1] == .1f && p->goal[0] == 1 && p->goal[1] == .3f);
    assert_int_equal(p->count, 3);
    assert_int_equal(p->apart[0], 2); /* base and arm may not touch, here */
    assert_int_equal(p->apart[1], 1);
    assert_int_equal(all.obstacle[0].free, 1); /* the base stands on the table */
    const double far[3] = {0, 1, 5}, in[3] = {1, 1, 1}, ball[3] = {-2, 0, 1};
    assert_true(fabs(slow_obstacle(&all.obstacle[0], far) - 1) < 1e-5);
    assert_true(slow_obstacle(&all.obstacle[0], in) == 0);
    assert_true(fabs(slow_obstacle(&all.obstacle[1], far) - sqrt(.25 + 9)) < 1e-5);
    assert_true(fabs(slow_obstacle(&all.obstacle[2], ball) + .25) < 1e-5);
    problems_free(&all);
}

static void yaml_refused(bool of_scene, const char *from, const char *to, const char *expected) {
    const char *whole = of_scene ? scene : request, *at = strstr(whole, from);
    char text[4096];
    struct complaint c = {""};
    struct problems all = {0};
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, to, at + strlen(from));
    assert_false(parse(&all, of_scene ? request : text, of_scene ? text : scene, &c));
    if (!strstr(c.text, expected))
        fail_msg("'%s' does not say '%s'", c.text, expected);
    problems_free(&all);
}

static void test_yaml_refused(void **state) {
    (void)state;
    yaml_refused(true, "box", "mesh", "scene.yaml:13: type 'mesh': expected box, cylinder or sphere");
    yaml_refused(true, "[2, 4, 6]", "[2, 4]", "scene.yaml:13: dimensions: expected [3 numbers]");
    yaml_refused(true, "[2, 4, 6]", "[2, -4, 6]", "must be above 0");
    yaml_refused(true, "[2, 0.5]", "[2, .inf]", "'.inf': a finite number is expected");
    yaml_refused(true, "[0, 1, 0, 0]", "[0, 1, 1, 0]", "not a unit quaternion");
    yaml_refused(true, "        - {position: [0, 2, 0], orientation: [0, 0, 0, 1]}\n", "",
                 "3 primitives, but 2 primitive_poses");
    yaml_refused(true, "world:", "world: [", "scene.yaml:");
    yaml_refused(false, "joint_name: turn", "joint_name: bend",
                 "request.yaml:4: joint_name bend: the robot has no such joint");
    yaml_refused(false, "{joint_name: slide, position: 0.3}", "{joint_name: turn, position: 0.3}",
                 "no position of joint slide");
    yaml_refused(false, "0.1, 0.2, 9", "0.1, 0.2", "3 names, but 2 positions");
    yaml_refused(false, "goal_constraints", "goals", "one goal of joint_constraints is expected");
    yaml_refused(false, request, "", "request.yaml: empty");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sincos),  cmocka_unit_test(test_touching),     cmocka_unit_test(test_paths),
        cmocka_unit_test(test_no_path), cmocka_unit_test(test_urdf),         cmocka_unit_test(test_urdf_refused),
        cmocka_unit_test(test_yaml),    cmocka_unit_test(test_yaml_refused),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
