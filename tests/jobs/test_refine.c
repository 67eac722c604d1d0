/* SPDX-License-Identifier: Apache-2.0 */
/* The makespan of jobs: the fast simplex against the dense one, the refinement against the best of all sets of pairs.
 */
#include "exhaustive.h"
#include "model/lp/lp.h"
#include "table1.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MOST = 16 };

/* Costs as they come: equal, zero, whole, over ten powers of ten, forbidden. */
static double any_cost(int mode, uint64_t *state) {
    const double x = table1_random(state);
    if (table1_random(state) < 0.2)
        return -1;
    return mode == 0 ? 1 : mode == 1 ? x : mode == 2 ? exp(24 * x - 12) : mode == 3 ? floor(3 * x) : 1e-6 * x;
}

static void fast_simplex_agrees_with_the_dense_one(void **unused) {
    (void)unused;
    uint64_t state = 7;
    int solved = 0;
    for (int turn = 0; turn < 4000; turn++) {
        const int kinds = 1 + turn % 11, machines = 1 + turn / 11 % 9, mode = turn % 5;
        double time[MOST * MOST], load[MOST * MOST], count[MOST], fixed[MOST], share[MOST * MOST], x[MOST * MOST];
        for (int j = 0; j < kinds; j++) {
            count[j] = 1 + floor(30000 * table1_random(&state));
            for (int i = 0; i < machines; i++) {
                time[j * machines + i] = any_cost(mode, &state);
                load[j * machines + i] = time[j * machines + i] < 0 ? -1 : time[j * machines + i] * count[j];
            }
        }
        for (int i = 0; i < machines; i++)
            fixed[i] = mode == 0 ? 0 : 1000 * table1_random(&state);
        const double fast = heddle__unrelated(kinds, machines, load, fixed, share);
        const double dense = heddle__makespan(kinds, machines, time, count, fixed, x);
        if (dense < 0) {
            assert_true(fast < 0);
            continue;
        }
        solved++;
        assert_true(fabs(fast - dense) <= 1e-6 * dense);
        for (int j = 0; j < kinds; j++) {
            double sum = 0;
            for (int i = 0; i < machines; i++) {
                assert_true(share[j * machines + i] >= 0 &&
                            (load[j * machines + i] >= 0 || share[j * machines + i] == 0));
                sum += share[j * machines + i];
            }
            assert_true(fabs(sum - 1) < 1e-7);
        }
    }
    assert_true(solved > 2000);
}

static double gap_of(enum heddle__jobs_reading reading, int resources, double most, int sets) {
    static const enum table1_device device[] = {HEXA, HEXA, GTX285, TESLA2075, GTX480, GTX580};
    struct heddle__jobs_program p;
    double sum = 0, x[MOST * MOST], best[MOST * MOST];
    uint64_t state = 1;
    assert_true(heddle__jobs_program_make(&p, 2 * resources, resources));
    for (int k = 0; k < sets; k++) {
        const struct heddle__jobs_refinement all = {.reading = HEDDLE__JOBS_BEST}, how = {.reading = reading};
        long nodes;
        table1_fill(&p, device, most, 0, &state);
        const double makespan = heddle__jobs_refine(&p, &how, x);
        assert_true(fabs(makespan - heddle__jobs_makespan(&p, x)) <= 1e-12 * makespan);
        sum += makespan / exhaustive(&p, heddle__jobs_refine(&p, &all, best), &nodes) - 1;
    }
    heddle__jobs_program_free(&p);
    return sum / sets;
}

static void refinement_is_near_the_optimum(void **unused) {
    (void)unused;
    assert_true(gap_of(HEDDLE__JOBS_BEST, 3, 30000, 500) < 0.01);
    assert_true(gap_of(HEDDLE__JOBS_BEST, 3, 1000, 200) < 0.02);
    assert_true(gap_of(HEDDLE__JOBS_BEST, 4, 30000, 30) < 0.02);
    const double published = gap_of(HEDDLE__JOBS_PUBLISHED, 3, 30000, 500);
    assert_true(published > 0.04 && published < 0.07); /* the paper: 6 % */
}

/* Section 4.3's example: two types, two resources, setups of 2 s that the best solution does not pay. */
static void setups_of_the_papers_example_are_avoided(void **unused) {
    (void)unused;
    struct heddle__jobs_program p;
    double x[4];
    assert_true(heddle__jobs_program_make(&p, 2, 2));
    const double setup[4] = {2, 0, 0, 2};
    for (int k = 0; k < 4; k++) {
        p.setup[k] = setup[k];
        p.each[k] = 0.01;
    }
    p.count[0] = p.count[1] = 100;
    for (int reading = 0; reading <= HEDDLE__JOBS_BEST; reading++) {
        const struct heddle__jobs_refinement how = {.reading = (enum heddle__jobs_reading)reading};
        struct heddle_jobs_report report;
        struct heddle__jobs_refinement told = how;
        told.report = &report;
        const double makespan = heddle__jobs_refine(&p, &told, x);
        assert_true(report.first >= makespan && makespan <= 4 && report.rounds >= 1);
        if (reading == HEDDLE__JOBS_BEST)
            assert_true(fabs(makespan - 1) < 1e-6 && x[1] > 99.99 && x[2] > 99.99);
    }
    heddle__jobs_program_free(&p);
}

static double late(void *with) {
    ++*(int *)with;
    return 1e9;
}

static void the_clock_ends_the_rounds(void **unused) {
    (void)unused;
    static const enum table1_device device[] = {HEXA, GTX285, GTX480};
    struct heddle__jobs_program p;
    struct heddle_jobs_report report;
    double x[18];
    int asked = 0;
    uint64_t state = 3;
    assert_true(heddle__jobs_program_make(&p, 6, 3));
    table1_fill(&p, device, 1000, 0, &state);
    p.rest[1] = 1e-3;
    const struct heddle__jobs_refinement how = {.spent = late, .with = &asked, .report = &report};
    assert_true(heddle__jobs_refine(&p, &how, x) > 0);
    assert_true(report.timed_out && report.rounds == 1 && asked == 1);
    heddle__jobs_program_free(&p);
}

/* Setups that kinds of one type share are paid once, and nothing is better than the optimum of that. */
static void kinds_of_one_type_share_a_setup(void **unused) {
    (void)unused;
    struct heddle__jobs_program p;
    const struct heddle__jobs_refinement how = {.reading = HEDDLE__JOBS_BEST};
    double x[4];
    assert_true(heddle__jobs_program_make(&p, 2, 2));
    p.types = 1;
    p.type[1] = 0;
    p.setup[0] = p.setup[1] = 1;
    for (int k = 0; k < 4; k++)
        p.each[k] = 0.01;
    p.count[0] = p.count[1] = 500;
    assert_true(fabs(heddle__jobs_refine(&p, &how, x) - 6) < 1e-6);
    p.each[0] = p.each[2] = -1; /* nothing runs on the first */
    assert_true(fabs(heddle__jobs_refine(&p, &how, x) - 11) < 1e-6);
    assert_true(x[0] == 0 && x[2] == 0);
    p.each[1] = -1;
    assert_true(heddle__jobs_refine(&p, &how, x) == -1);
    heddle__jobs_program_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_simplex_agrees_with_the_dense_one),   cmocka_unit_test(refinement_is_near_the_optimum),
        cmocka_unit_test(setups_of_the_papers_example_are_avoided), cmocka_unit_test(the_clock_ends_the_rounds),
        cmocka_unit_test(kinds_of_one_type_share_a_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
