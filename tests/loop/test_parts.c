/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parts of a loop meet moves to where all devices end together, whatever the work looks like. */
#include "loop/plan/plan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static double even(double x) { return x; }
static double rising(double x) { return x * x; }
static double falling(double x) { return 2 * x - x * x; }
static double peak(double x) { return x < 0.6 ? 0.1 * x : x < 0.65 ? 0.06 + 16 * (x - 0.6) : 0.86 + 0.4 * (x - 0.65); }

/* The last to end over the mean, after `runs` runs. */
static double after(int runs, int parts, double (*work)(double), const double *speed, double start) {
    double split[HEDDLE__PARTS + 1], begin[HEDDLE__PARTS], end[HEDDLE__PARTS], last = 0, sum = 0;
    heddle__split_evenly(parts, split);
    for (int run = 0; run < runs; run++) {
        last = sum = 0;
        for (int k = 0; k < parts; k++) {
            begin[k] = start;
            end[k] = start + (work(split[k + 1]) - work(split[k])) / (speed ? speed[k] : 1);
            last = fmax(last, end[k]);
            sum += end[k];
        }
        heddle__split_move(parts, split, begin, end);
        assert_true(heddle__split_is_valid(parts, split));
    }
    return last / (sum / parts);
}

static void parts_end_together(void **unused) {
    (void)unused;
    double (*const works[])(double) = {even, rising, falling};
    for (size_t w = 0; w < sizeof works / sizeof *works; w++)
        for (int parts = 2; parts <= HEDDLE__PARTS; parts++)
            assert_true(after(10, parts, works[w], NULL, 0.001) < 1.04);
    for (int parts = 2; parts <= HEDDLE__PARTS;
         parts++) /* nearly all work in one place may take any number of runs; the split stays valid */
        after(100, parts, peak, NULL, 0.001);
    assert_true(after(1, 2, rising, NULL, 0) > 1.4); /* the first run knows nothing */
    assert_true(after(5, 2, rising, NULL, 0) < 1.08);
}

static void slower_devices_get_less(void **unused) {
    (void)unused;
    const double speed[] = {1, 0.5, 1, 0.8};
    assert_true(after(12, 4, even, speed, 0) < 1.04);
    assert_true(after(12, 4, rising, speed, 0.1) < 1.04);
}

static void noise_moves_nothing(void **unused) {
    (void)unused;
    double split[] = {0, 0.4, 1};
    heddle__split_move(2, split, (double[]){0, 0}, (double[]){1.000, 1.02});
    assert_true(split[1] == 0.4);
    heddle__split_move(2, split, (double[]){0, 0}, (double[]){1, 0}); /* one that did nothing tells nothing */
    assert_true(split[1] == 0.4);
    heddle__split_move(2, split, (double[]){0, 0}, (double[]){1.0, 0.8});
    assert_true(split[1] < 0.4 && split[1] > 0.3);
}

static void bad_cuts_are_refused(void **unused) {
    (void)unused;
    assert_true(heddle__split_is_valid(2, (double[]){0, 0.5, 1}));
    assert_false(heddle__split_is_valid(2, (double[]){0, 1, 1}));
    assert_false(heddle__split_is_valid(2, (double[]){0.1, 0.5, 1}));
    assert_false(heddle__split_is_valid(3, (double[]){0, 0.6, 0.5, 1}));
    assert_false(heddle__split_is_valid(2, (double[]){0, NAN, 1}));
    assert_false(heddle__split_is_valid(1, (double[]){0, 1}));
}

static void static_deals_them(void **unused) {
    (void)unused;
    struct heddle_loop_device device[3] = {{.device = 0}, {.device = 1}, {.device = 2}};
    const double split[] = {0, 0.2, 0.7, 1};
    const struct heddle_loop_problem p = {.n = 101, .devices = 3, .classes = 1, .device = device, .split = split};
    void *state = heddle__loop_static.start(&p);
    const long first[] = {0, 20, 70, 101};
    struct heddle_loop_chunk chunk;
    for (int d = 2; d >= 0; d--) {
        assert_int_equal(heddle__loop_static.next(state, d, 0, &chunk), HEDDLE_LOOP_CHUNK);
        assert_int_equal(chunk.first, first[d]);
        assert_int_equal(chunk.count, first[d + 1] - first[d]);
        assert_int_equal(heddle__loop_static.next(state, d, 0, &chunk), HEDDLE_LOOP_DONE);
    }
    heddle__loop_static.stop(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_end_together), cmocka_unit_test(slower_devices_get_less),
                                       cmocka_unit_test(noise_moves_nothing), cmocka_unit_test(bad_cuts_are_refused),
                                       cmocka_unit_test(static_deals_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
