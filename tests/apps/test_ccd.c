/* SPDX-License-Identifier: Apache-2.0 */
/* Tests with known times, against sampled motions, and all ways to the same hits. */
#include "check.h"

#include "app.h"
#include "persistent.h"
#include "traverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct ccd_limits limits = {1e-6, 1000000};

static double time_of(const double before[4][3], const double after[4][3], bool edges) {
    struct ccd_query q = {.edges = edges};
    uint32_t cells;
    memcpy(q.at[0], before, sizeof q.at[0]);
    memcpy(q.at[1], after, sizeof q.at[1]);
    return ccd_first_contact(&q, &limits, &cells);
}

static void known_times(void **state) {
    (void)state;
    const double rest[4][3] = {{1, 1, 1}, {0, 0, 0}, {4, 0, 0}, {0, 0, 4}};
    double moved[4][3];
    for (int k = 1; k <= 8; k++) { /* falls to -1/k of its height: a contact after k / (k + 1) */
        memcpy(moved, rest, sizeof moved);
        moved[0][1] = -1.0 / k;
        const double time = time_of(rest, moved, false), exact = k / (k + 1.0);
        assert_true(time <= exact && time > exact - 2e-6);
        moved[0][1] = 1.0 / k; /* does not arrive */
        assert_true(time_of(rest, moved, false) > 1);
    }
    memcpy(moved, rest, sizeof moved);
    moved[0][1] = 0; /* arrives at the end exactly */
    assert_true(time_of(rest, moved, false) <= 1);
    moved[0][1] = -1;
    for (int k = 1; k < 4; k++)
        moved[k][1] = -2; /* the face falls faster */
    assert_true(time_of(rest, moved, false) > 1);
    assert_true(time_of(moved, moved, false) > 1);
    const double cross[4][3] = {{-1, 1, 0}, {1, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    memcpy(moved, cross, sizeof moved);
    moved[0][1] = moved[1][1] = -3;
    const double time = time_of(cross, moved, true);
    assert_true(time <= 0.25 && time > 0.25 - 2e-6);
    moved[0][0] = 4, moved[1][0] = 5; /* passes by */
    assert_true(time_of(cross, moved, true) > 1);
}

/* Motions that meet at a known time, place and all: never missed, never later. */
static void meetings(void **state) {
    (void)state;
    struct app_random random;
    app_seed(&random, 3);
    for (int round = 0; round < 20000; round++) {
        const bool edges = round & 1;
        const double t = app_unit(&random), scale = exp(20 * (app_unit(&random) - 0.5));
        double u = app_unit(&random), v = app_unit(&random), meet[4][3], at[2][4][3];
        if (!edges && u + v > 1)
            u = 1 - u, v = 1 - v;
        const double weight[2][4] = {{1, -(1 - u - v), -u, -v}, {1 - u, u, -(1 - v), -v}};
        const int fixed = edges ? (u > 0.5) : 0; /* this corner makes the sum 0 */
        for (int axis = 0; axis < 3; axis++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                meet[k][axis] = scale * (app_unit(&random) - 0.5);
                sum += k == fixed ? 0 : weight[edges][k] * meet[k][axis];
            }
            meet[fixed][axis] = -sum / weight[edges][fixed];
            for (int k = 0; k < 4; k++) {
                const double speed = scale * (app_unit(&random) - 0.5);
                at[0][k][axis] = meet[k][axis] - t * speed;
                at[1][k][axis] = meet[k][axis] + (1 - t) * speed;
            }
        }
        struct ccd_query q = {.edges = edges};
        const struct ccd_limits scaled = {1e-6 * scale, 100000};
        uint32_t cells;
        memcpy(q.at, at, sizeof at);
        const double time = ccd_first_contact(&q, &scaled, &cells);
        if (!(time <= t * (1 + 1e-9) + 1e-9))
            fail_msg("round %d: %.17g, they meet at %.17g", round, time, t);
        const struct ccd_limits hasty = {1e-6 * scale,
                                         1 + (uint32_t)round % 50}; /* what is left out counts as a contact */
        assert_true(ccd_first_contact(&q, &hasty, &cells) <= time);
    }
}

static void open_query(struct query *q, const char *scene, long triangles, uint64_t seed) {
    struct frame before = {.points = NULL}, after = {.points = NULL};
    struct complaint c;
    char message[200];
    *q = (struct query){.limits = limits};
    if (!strcmp(scene, "cloth"))
        generate_cloth(&before, &after, triangles, seed);
    else if (!strcmp(scene, "funnel"))
        generate_funnel(&before, &after, triangles, seed);
    else
        generate_bodies(&before, &after, triangles, seed);
    assert_true(mesh_make(&q->mesh, &before, &after, scene, &c));
    frame_free(&before);
    frame_free(&after);
    assert_true(query_prepare(q, message, sizeof message));
}

static double first_contact(const struct view *view, const struct ccd_limits *at_most, struct pair pair,
                            uint32_t *cells) {
    struct ccd_query q;
    ccd_load_pair(&q, view, pair);
    return ccd_first_contact(&q, at_most, cells);
}

static bool is_hit(const struct query *q, struct pair pair) {
    for (size_t k = 0; k < q->hits_count; k++)
        if (q->hits[k].pair.first == pair.first && q->hits[k].pair.second == pair.second)
            return true;
    return false;
}

/* No broad phase at all: every vertex against every face, every edge against every edge. */
static void all_pairs(void **state) {
    (void)state;
    const char *const scenes[] = {"bodies", "cloth", "funnel"};
    for (int s = 0; s < 3; s++) {
        struct query q;
        open_query(&q, scenes[s], 300, 4);
        const struct view view = query_view(&q);
        query_by_jobs_serially(&q);
        size_t count = 0;
        uint32_t c[4], cells;
        for (uint32_t v = 0; v < q.mesh.points_count; v++)
            for (uint32_t f = 0; f < q.mesh.faces_count; f++) {
                const struct pair pair = {v, f};
                output_corners(&q.mesh, pair, c);
                if (v == c[1] || v == c[2] || v == c[3] || first_contact(&view, &q.limits, pair, &cells) > 1)
                    continue;
                count++;
                if (!is_hit(&q, pair))
                    fail_msg("%s: vertex %u, face %u missed", scenes[s], v, f);
            }
        for (uint32_t a = 0; a < q.mesh.edges_count; a++)
            for (uint32_t b = a + 1; b < q.mesh.edges_count; b++) {
                const struct pair pair = {a | PAIR_EDGES, b};
                output_corners(&q.mesh, pair, c);
                if (c[0] == c[2] || c[0] == c[3] || c[1] == c[2] || c[1] == c[3] ||
                    first_contact(&view, &q.limits, pair, &cells) > 1)
                    continue;
                count++;
                if (!is_hit(&q, pair))
                    fail_msg("%s: edges %u, %u missed", scenes[s], a, b);
            }
        assert_int_equal(count, q.hits_count);
        query_free(&q);
    }
}

/* One test after the other, none of them in parts. The most cells of one. */
static uint32_t one_by_one(struct query *q) {
    struct pairs tests = {0};
    struct contacts hits = {0};
    query_refit(q);
    const struct view view = query_view(q);
    uint32_t most_cells = 0, cells;
    for (uint32_t place = 0; place < q->tree.count; place++)
        ccd_traverse(&view, place, &tests, &tests);
    for (long k = 0; k < tests.count; k++) {
        const double time = first_contact(&view, &q->limits, tests.at[k], &cells);
        most_cells = cells > most_cells ? cells : most_cells;
        if (time <= 1)
            heddle_list_append(&hits, (struct contact){tests.at[k], time});
    }
    free(q->hits);
    q->hits = hits.at;
    q->hits_count = (size_t)hits.count;
    q->hits_room = (size_t)hits.room;
    q->tests = (size_t)tests.count;
    query_sort(q);
    heddle_list_free(&tests);
    return most_cells;
}

/* By a launch for each query and device. */
static void run_alone(struct query *q) {
    struct persistent *alone = persistent_enter(q, (const int[]){0, 0, 0}, 3);
    assert_non_null(alone);
    for (int k = 0; k < 2; k++)
        assert_true(persistent_run(alone, q));
    persistent_leave(alone, q);
}

/* As jobs of processors, as those of a GPU, and by a GPU alone: equal hits, equal bits. The most cells of a test by
 * itself. */
static uint32_t compare_ways(struct query *q) {
    const struct ccd_limits given = q->limits;
    q->limits.boxes = 2000000000;
    const uint32_t cells = one_by_one(q);
    const size_t count = q->hits_count, tests = q->tests;
    struct contact *right = app_alloc(count + 1, sizeof *right);
    if (count)
        memcpy(right, q->hits, count * sizeof *right);
    q->limits = given;
    for (int way = 0; way < 4; way++) {
        if (way == 0)
            query_by_jobs_serially(q);
        else if (way == 1)
            run_alone(q);
        else
            query_by_jobs(q);
        query_sort(q);
        assert_int_equal(q->tests, tests);
        assert_int_equal(q->undecided, 0);
        assert_int_equal(q->hits_count, count);
        assert_memory_equal(q->hits, right, count * sizeof *right);
    }
    free(right);
    return cells;
}

static void equal_hits(void **state) {
    (void)state;
    const char *const scenes[] = {"bodies", "cloth", "funnel"};
    uint32_t longest = 0;
    for (int s = 0; s < 3; s++)
        for (int which = WHICH_ALL; which <= WHICH_SELF; which++) {
            struct query q;
            open_query(&q, scenes[s], 6000, 9);
            q.which = (enum which)which;
            const uint32_t cells = compare_ways(&q);
            longest = cells > longest ? cells : longest;
            query_free(&q);
        }
    assert_true(longest > limits.boxes); /* in parts, and in rounds: its parts know what others found */
}

/* Nothing is missed, and nothing met later, where tests may not look at all that they need. */
static void few_boxes(void **state) {
    (void)state;
    struct query q;
    open_query(&q, "funnel", 6000, 9);
    query_by_jobs_serially(&q);
    query_sort(&q);
    const size_t count = q.hits_count;
    struct contact *right = app_alloc(count + 1, sizeof *right);
    memcpy(right, q.hits, count * sizeof *right);
    for (uint32_t boxes = 1; boxes < 400000; boxes *= 7) {
        q.limits.boxes = boxes;
        query_by_jobs_serially(&q);
        query_sort(&q);
        assert_true(q.undecided || boxes > 10000);
        size_t at = 0;
        for (size_t k = 0; k < count; k++) {
            while (at < q.hits_count && memcmp(&q.hits[at].pair, &right[k].pair, sizeof right->pair))
                at++;
            assert_true(at < q.hits_count && q.hits[at].time <= right[k].time);
        }
    }
    free(right);
    query_free(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_times), cmocka_unit_test(meetings),
                                       cmocka_unit_test(all_pairs), cmocka_unit_test(equal_hits),
                                       cmocka_unit_test(few_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
