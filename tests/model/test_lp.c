/* SPDX-License-Identifier: Apache-2.0 */
/* The simplex and the makespan against exhaustive search, and the set of work that is ready. */
#include "model/lp/lp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

/* Two kinds of which all may go to either of two places: the optimum is at a corner, found by a fine search. */
static void finds_the_makespan(void **state) {
    (void)state;
    srand(7);
    for (int round = 0; round < 300; round++) {
        double t[2][2], n[2], best = HUGE_VAL, x[4];
        for (int k = 0; k < 2; k++) {
            n[k] = 1 + rand() % 5;
            t[k][0] = 0.1 + rand() % 100 / 10.0;
            t[k][1] = 0.1 + rand() % 100 / 10.0;
        }
        const double start[] = {rand() % 3, rand() % 3};
        const double makespan = heddle__makespan(2, 2, &t[0][0], n, start, x);
        for (int i = 0; i <= 1000; i++) { /* share of kind 0 on place 0; the best share of kind 1 follows */
            const double p = n[0] * i / 1000, l0 = start[0] + p * t[0][0], l1 = start[1] + (n[0] - p) * t[0][1];
            double q = (l1 + n[1] * t[1][1] - l0) / (t[1][0] + t[1][1]);
            q = q < 0 ? 0 : q > n[1] ? n[1] : q;
            best = fmin(best, fmax(l0 + q * t[1][0], l1 + (n[1] - q) * t[1][1]));
        }
        assert_true(makespan <= best + 1e-9 && makespan >= best - 0.02 * best - 0.02);
        assert_true(x[0] + x[1] >= n[0] - 1e-9 && x[2] + x[3] >= n[1] - 1e-9);
    }
}

static void leaves_out_where_it_cannot_run(void **state) {
    (void)state;
    double x[4];
    const double time[] = {1, -1, -1, 1e-6}, count[] = {3, 1000};
    assert_true(fabs(heddle__makespan(2, 2, time, count, NULL, x) - 3) < 1e-9);
    assert_true(x[1] == 0 && x[2] == 0 && fabs(x[0] - 3) < 1e-9 && x[3] >= 1000 - 1e-6);
    const double nowhere[] = {1, 1, -1, -1};
    assert_true(heddle__makespan(2, 2, nowhere, count, NULL, x) < 0);
}

static void says_when_there_is_nothing(void **state) {
    (void)state;
    const double a[] = {1, -1}, b[] = {-1, -1}, c[] = {1}; /* x <= -1 and -x <= -1 */
    double x[2];
    assert_int_equal(heddle__simplex(2, 1, a, b, c, x), -1);
    const double without_bound[] = {-1}, less[] = {-1};
    assert_int_equal(heddle__simplex(1, 1, a + 1, without_bound, less, x), -1);
}

/* Seconds of a kind by its name and the place's index. */
static double predict(void *with, const struct heddle__running *running, int k) {
    return (double)(*(const char *)running->kind * 100 + k) + *(double *)with;
}

/* What other kinds would take differs from place to place. */
static void ready_by_place(void **state) {
    (void)state;
    static const char a = 1, b = 2;
    double more = 0.5;
    struct heddle_region_group group[4];
    const struct heddle_candidate places[] = {{.run = 1, .move = 0.25}, {.run = -1}, {.run = 3}};
    const struct heddle__ready ready = {&a, places, 3, predict, &more};
    const struct heddle__running running[] = {{&b, NULL, 2}, {&a, NULL, 0}, {&b, NULL, -1}};
    assert_int_equal(heddle__ready_groups(&ready, running, 0, group, 4), 0);
    assert_int_equal(heddle__ready_groups(&ready, running, 3, group, 4), 2);
    assert_int_equal(group[0].count, 2);
    assert_int_equal(group[1].count, 2);
    assert_true(group[0].run[0] == 1.25 && group[0].run[1] == -1 && group[0].run[2] == 3);
    assert_true(group[1].run[0] == 200.5 && group[1].run[1] == 201.5 && group[1].run[2] == 202.5);
    assert_true(group[0].placed[0] == 1 && group[1].placed[2] == 1 && group[1].placed[0] == 0 &&
                group[0].placed[2] == 0);
    assert_int_equal(heddle__ready_groups(&ready, running, 3, group, 1), 1); /* no room for the other kind */
    assert_int_equal(group[0].count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_makespan),
                                       cmocka_unit_test(leaves_out_where_it_cannot_run),
                                       cmocka_unit_test(says_when_there_is_nothing), cmocka_unit_test(ready_by_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
