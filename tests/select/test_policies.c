/* SPDX-License-Identifier: Apache-2.0 */
/* Policies as pure functions over numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "selector/selector.h"
#include <math.h>
#include <stdlib.h>

static struct heddle_candidate places[4];
static struct heddle_region_group groups[2];

static struct heddle_choice choice(int count) {
    for (int k = 0; k < count; k++)
        places[k] = (struct heddle_candidate){.device = k < 3 ? k : -1, .run = 1e-3 * (k + 1), .samples = 3, .runs = 5};
    return (struct heddle_choice){.region = "r",
                                  .where = "f.c:1",
                                  .default_device = 0,
                                  .count = count,
                                  .candidates = places,
                                  .group = groups,
                                  .n = 1};
}

static void fixed_leaves_it_to_openmp(void **state) {
    (void)state;
    struct heddle_choice c = choice(4);
    assert_int_equal(heddle__policy_fixed.choose(&c, NULL), -1);
}

static void round_robin_visits_all(void **state) {
    (void)state;
    struct heddle_choice c = choice(4);
    unsigned seen = 0;
    for (int k = 0; k < 4; k++)
        seen |= 1u << heddle__policy_round_robin.choose(&c, NULL);
    assert_int_equal(seen, 15);
}

static void first_free_takes_home_then_others(void **state) {
    (void)state;
    struct heddle_choice c = choice(3);
    assert_int_equal(heddle__policy_first_free.choose(&c, NULL), 0);
    places[0].busy = 1;
    assert_int_equal(heddle__policy_first_free.choose(&c, NULL), 1);
}

static void history_leaves_out_what_does_not_pay(void **state) {
    (void)state;
    struct heddle_choice c = choice(3);
    places[2].run = 1;
    assert_int_equal(heddle__policy_history.choose(&c, NULL), 0);
    places[0].busy = 1;
    assert_int_equal(heddle__policy_history.choose(&c, NULL), 1); /* twice as slow, but free */
    places[1].busy = 1;
    assert_int_equal(heddle__policy_history.choose(&c, NULL), 0); /* not the one that is a thousand times slower */
}

static void estimates_wait_for_the_fast_one(void **state) {
    (void)state;
    struct heddle_choice c = choice(2);
    places[0].wait = 0.5e-3;
    assert_int_equal(heddle__policy_estimate_history.choose(&c, NULL), 0);
    places[0].wait = 1.5e-3;
    assert_int_equal(heddle__policy_estimate_history.choose(&c, NULL), 1);
}

static void earliest_finish_counts_transfers(void **state) {
    (void)state;
    struct heddle_choice c = choice(2);
    places[0].move = 5e-3;
    assert_int_equal(heddle__policy_earliest_finish.choose(&c, NULL), 1);
    places[0].move = 0;
    places[1].run = places[0].run * 0.99; /* noise is no reason to leave the default device */
    assert_int_equal(heddle__policy_earliest_finish.choose(&c, NULL), 0);
    places[0].run = places[1].run = -1; /* nothing is known: as plain OpenMP */
    assert_int_equal(heddle__policy_earliest_finish.choose(&c, NULL), -1);
}

static void lp_spreads_the_ready_set(void **state) {
    (void)state;
    struct heddle_choice c = choice(2);
    places[1].run = 1e-3;
    c.groups = 1;
    groups[0] = (struct heddle_region_group){.count = 2, .run = {1e-3, 1e-3}, .placed = {1, 0}};
    assert_int_equal(heddle__policy_lp.choose(&c, NULL), 1);
    groups[0].run[1] = 1; /* a thousand times slower is left out */
    places[1].run = 1;
    places[0].wait = 1e-3;
    assert_int_equal(heddle__policy_lp.choose(&c, NULL), 0);
    c.groups = 0;
    assert_int_equal(heddle__policy_lp.choose(&c, NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_leaves_it_to_openmp),         cmocka_unit_test(round_robin_visits_all),
        cmocka_unit_test(first_free_takes_home_then_others), cmocka_unit_test(history_leaves_out_what_does_not_pay),
        cmocka_unit_test(estimates_wait_for_the_fast_one),   cmocka_unit_test(earliest_finish_counts_transfers),
        cmocka_unit_test(lp_spreads_the_ready_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
