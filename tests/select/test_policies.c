/* SPDX-License-Identifier: Apache-2.0 */
/* Policies as pure functions over numbers, and the simplex against exhaustive search. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "select.h"
#include <math.h>
#include <stdlib.h>

static struct heddle_place places[4];
static struct heddle_job jobs[2];

static struct heddle_choice choice(int count)
{
    for (int k = 0; k < count; k++)
        places[k] = (struct heddle_place){.device = k < 3 ? k : -1, .run = 1e-3 * (k + 1), .samples = 3, .runs = 5};
    return (struct heddle_choice){.region = "r", .where = "f.c:1", .home = 0, .count = count, .places = places, .job = jobs, .n = 1};
}

static void fixed_leaves_it_to_openmp(void **state)
{
    (void)state;
    struct heddle_choice c = choice(4);
    assert_int_equal(heddle__policy_fixed.choose(&c, NULL), -1);
}

static void round_robin_visits_all(void **state)
{
    (void)state;
    struct heddle_choice c = choice(4);
    unsigned seen = 0;
    for (int k = 0; k < 4; k++)
        seen |= 1u << heddle__policy_round_robin.choose(&c, NULL);
    assert_int_equal(seen, 15);
}

static void first_free_takes_home_then_others(void **state)
{
    (void)state;
    struct heddle_choice c = choice(3);
    assert_int_equal(heddle__policy_first_free.choose(&c, NULL), 0);
    places[0].busy = 1;
    assert_int_equal(heddle__policy_first_free.choose(&c, NULL), 1);
}

static void history_leaves_out_what_does_not_pay(void **state)
{
    (void)state;
    struct heddle_choice c = choice(3);
    places[2].run = 1;
    assert_int_equal(heddle__policy_history.choose(&c, NULL), 0);
    places[0].busy = 1;
    assert_int_equal(heddle__policy_history.choose(&c, NULL), 1); /* twice as slow, but free */
    places[1].busy = 1;
    assert_int_equal(heddle__policy_history.choose(&c, NULL), 0); /* not the one that is a thousand times slower */
}

static void estimates_wait_for_the_fast_one(void **state)
{
    (void)state;
    struct heddle_choice c = choice(2);
    places[0].wait = 0.5e-3;
    assert_int_equal(heddle__policy_estimate_history.choose(&c, NULL), 0);
    places[0].wait = 1.5e-3;
    assert_int_equal(heddle__policy_estimate_history.choose(&c, NULL), 1);
}

static void earliest_finish_counts_transfers(void **state)
{
    (void)state;
    struct heddle_choice c = choice(2);
    places[0].move = 5e-3;
    assert_int_equal(heddle__policy_earliest_finish.choose(&c, NULL), 1);
    places[0].move = 0;
    places[1].run = places[0].run * 0.99; /* noise is no reason to leave home */
    assert_int_equal(heddle__policy_earliest_finish.choose(&c, NULL), 0);
    places[0].run = places[1].run = -1; /* nothing is known: as plain OpenMP */
    assert_int_equal(heddle__policy_earliest_finish.choose(&c, NULL), -1);
}

static void lp_spreads_the_ready_set(void **state)
{
    (void)state;
    struct heddle_choice c = choice(2);
    places[1].run = 1e-3;
    c.jobs = 1;
    jobs[0] = (struct heddle_job){.count = 2, .run = {1e-3, 1e-3}, .placed = {1, 0}};
    assert_int_equal(heddle__policy_lp.choose(&c, NULL), 1);
    jobs[0].run[1] = 1; /* a thousand times slower is left out */
    places[1].run = 1;
    places[0].wait = 1e-3;
    assert_int_equal(heddle__policy_lp.choose(&c, NULL), 0);
    c.jobs = 0;
    assert_int_equal(heddle__policy_lp.choose(&c, NULL), 0);
}

/* Two kinds of which all may go to either of two places: the optimum is at a corner, found by a fine search. */
static void simplex_finds_the_makespan(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 300; round++) {
        double t[2][2], n[2], best = HUGE_VAL, x[5];
        for (int k = 0; k < 2; k++) {
            n[k] = 1 + rand() % 5;
            t[k][0] = 0.1 + rand() % 100 / 10.0;
            t[k][1] = 0.1 + rand() % 100 / 10.0;
        }
        const double a[] = {t[0][0], 0, t[1][0], 0, -1, 0, t[0][1], 0, t[1][1], -1, -1, -1, 0, 0, 0, 0, 0, -1, -1, 0};
        const double b[] = {0, 0, -n[0], -n[1]}, c[] = {0, 0, 0, 0, 1};
        assert_int_equal(heddle__simplex(4, 5, a, b, c, x), 0);
        for (int i = 0; i <= 1000; i++) { /* share of kind 0 on place 0; the best share of kind 1 follows */
            const double p = n[0] * i / 1000, l0 = p * t[0][0], l1 = (n[0] - p) * t[0][1];
            double q = (l1 + n[1] * t[1][1] - l0) / (t[1][0] + t[1][1]);
            q = q < 0 ? 0 : q > n[1] ? n[1] : q;
            best = fmin(best, fmax(l0 + q * t[1][0], l1 + (n[1] - q) * t[1][1]));
        }
        assert_true(x[4] <= best + 1e-9 && x[4] >= best - 0.02 * best - 0.02);
        assert_true(x[0] + x[1] >= n[0] - 1e-9 && x[2] + x[3] >= n[1] - 1e-9);
    }
}

static void simplex_says_when_there_is_nothing(void **state)
{
    (void)state;
    const double a[] = {1, -1}, b[] = {-1, -1}, c[] = {1}; /* x <= -1 and -x <= -1 */
    double x[1];
    assert_int_equal(heddle__simplex(2, 1, a, b, c, x), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_leaves_it_to_openmp),
        cmocka_unit_test(round_robin_visits_all),
        cmocka_unit_test(first_free_takes_home_then_others),
        cmocka_unit_test(history_leaves_out_what_does_not_pay),
        cmocka_unit_test(estimates_wait_for_the_fast_one),
        cmocka_unit_test(earliest_finish_counts_transfers),
        cmocka_unit_test(lp_spreads_the_ready_set),
        cmocka_unit_test(simplex_finds_the_makespan),
        cmocka_unit_test(simplex_says_when_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
