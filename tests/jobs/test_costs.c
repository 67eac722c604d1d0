/* SPDX-License-Identifier: Apache-2.0 */
/* What batches take: the line through them, older ones that count less, and a first one that only loaded code. */
#include "jobs/engine.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void a_line(void **state) {
    (void)state;
    struct heddle__jobs_costs c = {0};
    for (long n = 100; n < 2000; n += 100)
        heddle__jobs_note(&c, n, 1e-3 + 2e-6 * (double)n);
    assert_true(fabs(c.setup - 1e-3) < 1e-9 && fabs(c.each - 2e-6) < 1e-12);
    assert_true(heddle__jobs_correlation(&c) > 0.999);
}

/* A GPU's first batch takes 0.3 s more; what comes behind it is all that counts. */
static void a_first_batch(void **state) {
    (void)state;
    struct heddle__jobs_costs c = {.first = true};
    heddle__jobs_note(&c, 45000, 0.3);
    assert_true(c.cold && fabs(c.each - 0.3 / 45000) < 1e-12);
    heddle__jobs_note(&c, 10000, 3e-3);
    assert_true(!c.cold && fabs(c.each - 3e-7) < 1e-12 && c.setup == 0);
    c.first = true; /* another device of the class begins */
    heddle__jobs_note(&c, 10000, 0.3);
    assert_true(fabs(c.each - 3e-7) < 1e-12);
    heddle__jobs_note(&c, 40000, 9e-3);
    assert_true(fabs(c.setup - 1e-3) < 1e-6 && fabs(c.each - 2e-7) < 1e-10);
}

/* A list ends with many small batches, whose jobs are shorter here. */
static void a_tail(void **state) {
    (void)state;
    struct heddle__jobs_costs c = {0};
    double seconds = 0, n = 0;
    for (int k = 0; k < 4200; k++) {
        const long count = k < 200 ? 10000 : 10;
        const double each = k < 200 ? 1e-5 : 1e-6;
        heddle__jobs_note(&c, count, each * (double)count);
        n += (double)count;
        seconds += each * (double)count;
    }
    assert_true(fabs(c.setup / 1e5 + c.each - seconds / n) < 1e-6);
}

/* One lane walks all: with half of the jobs a GPU takes as long. Proportional, a plan would give the half away. */
static void a_gpu_that_is_not_full(void **state) {
    (void)state;
    struct heddle__jobs_costs c = {0};
    for (int k = 0; k < 40; k++) /* a little shorter with more of them, by chance */
        heddle__jobs_note(&c, 2500 + 400 * (k % 5), 4.1e-3 - 1e-5 * (k % 5));
    assert_true(c.setup > 4e-3 && c.each > 0 && c.each * 4000 < 1e-4);
    c = (struct heddle__jobs_costs){0};
    for (int k = 0; k < 40; k++) /* nearly of one size: nothing is known of others */
        heddle__jobs_note(&c, 4000 + k % 5, 4.1e-3 - 1e-5 * (k % 5));
    assert_true(c.setup == 0 && c.each > 1e-6);
}

static void devices_of_a_class(void **state) {
    (void)state;
    struct heddle__jobs_costs a = {0}, b = {0}, both = {0};
    for (long n = 1000; n < 9000; n += 1000) {
        heddle__jobs_note(&a, n, 1e-3 + 1e-6 * (double)n);
        heddle__jobs_note(&b, n, 3e-3 + 3e-6 * (double)n);
    }
    heddle__jobs_join_costs(&both, &a, 2);
    heddle__jobs_join_costs(&both, &b, 2);
    assert_true(fabs(both.setup - 2e-3) < 1e-9 && fabs(both.each - 2e-6) < 1e-12);
    assert_true(fabs(both.runs - a.runs) < 1e-9); /* as old as they are */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line),
        cmocka_unit_test(a_first_batch),
        cmocka_unit_test(a_tail),
        cmocka_unit_test(a_gpu_that_is_not_full),
        cmocka_unit_test(devices_of_a_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
