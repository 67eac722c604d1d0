/* SPDX-License-Identifier: Apache-2.0 */
/* A query by a GPU alone, on one that a processor plays: lanes that meet, take, and give away; the serial hits. */
#include "check.h"

#include "app.h"
#include "persistent.h"

#include <stdlib.h>
#include <string.h>

static void compare(struct frame *before, struct frame *after, int count) {
    struct query q = {.limits = {1e-6, 1000000}};
    struct complaint c;
    char message[200];
    assert_true(mesh_make(&q.mesh, before, after, "after", &c));
    frame_free(before);
    frame_free(after);
    assert_true(query_prepare(&q, message, sizeof message));
    query_by_jobs_serially(&q);
    query_sort(&q);
    const size_t tests = q.tests, hits = q.hits_count;
    struct contact *right = app_alloc(hits, sizeof *right);
    memcpy(right, q.hits, hits * sizeof *right);
    struct persistent *p = persistent_enter(&q, (const int[]){0, 0}, count);
    assert_non_null(p);
    for (int run = 0; run < 2; run++) {
        assert_true(persistent_run(p, &q));
        query_sort(&q);
        assert_int_equal(q.tests, tests);
        assert_int_equal(q.hits_count, hits);
        assert_memory_equal(q.hits, right, hits * sizeof *right);
    }
    persistent_leave(p, &q);
    free(right);
    query_free(&q);
}

static void lanes(void **state) {
    (void)state;
    for (int scene = 0; scene < 3; scene++) {
        struct frame before = {.points = NULL}, after = {.points = NULL};
        (scene == 0 ? generate_bodies : scene == 1 ? generate_cloth : generate_funnel)(&before, &after, 500, 9);
        compare(&before, &after, 1 + scene % 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
