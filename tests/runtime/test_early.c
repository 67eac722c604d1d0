/* SPDX-License-Identifier: Apache-2.0 */
/* Loops before devices have started: short ones stay on the host and start nothing; a long one begins there, and what
   is left when devices are there may be theirs. Each iteration is run once. With x86_64 devices in the program. */
#include <heddle.h>
#include <time.h>
#include "capture.h"

enum { SHORT = 20000, LONG = 600, DEVICES = 4 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long count(int n, int *y) {
    long sum = 0;
#pragma heddle for reduction(+ : sum)
    for (int i = n - 1; i >= 0; i--) {
        y[i] += i + 1;
        sum += y[i];
    }
    return sum;
}

/* Some milliseconds for each iteration. */
static double work(int n, int turns, double *y) {
    double most = 0;
#pragma heddle for map(tofrom : y[heddle_lo : heddle_count]) reduction(max : most)
    for (int i = 0; i < n; i++) {
        double v = 1 + i;
        for (int k = 0; k < turns; k++)
            v = 0.5 * (v + 2 / v);
        y[i] += i + (v < 1.5 ? 1 : 2);
        most = y[i] > most ? y[i] : most;
    }
    return most;
}

static int devices_of(const struct heddle_loop_report *r, long *iterations) {
    int devices = 0;
    *iterations = 0;
    for (int k = 0; k < r->devices; k++) {
        devices += r->device[k].device >= 0;
        *iterations += r->device[k].iterations;
    }
    return devices;
}

static void short_ones(void **state) {
    static int y[SHORT];
    struct heddle_loop_report r;
    long iterations;
    (void)state;
    for (int k = 1; k <= 5; k++) {
        assert_int_equal(count(SHORT, y), (long)k * SHORT * (SHORT + 1) / 2);
        heddle_last_loop_report(&r);
        assert_int_equal(devices_of(&r, &iterations), 0);
        assert_int_equal(iterations, SHORT);
        assert_int_equal(r.iterations, SHORT);
    }
    for (int i = 0; i < SHORT; i++)
        assert_int_equal(y[i], 5 * (i + 1));
    for (int n = 0; n < 9; n++) { /* 6, 7 ... times what it is once */
        long sum = 0;
        for (int i = 0; i < n; i++)
            sum += y[i] + i + 1;
        assert_int_equal(count(n, y), sum);
    }
}

static void long_one(void **state) {
    static double y[LONG];
    struct heddle_loop_report r;
    long iterations;
    (void)state;
    const double begin = now();
    work(1, 100000, y);
    const int turns = (int)(100000 * 2e-3 / (now() - begin)) + 1; /* 2 ms an iteration, 1.2 s in all */
    y[0] = 0;
    assert_true(work(LONG, turns, y) == LONG); /* LONG - 1 + 1 */
    heddle_last_loop_report(&r);
    assert_true(r.iterations < LONG); /* the rest, by whoever was there */
    devices_of(&r, &iterations);
    assert_int_equal(iterations, r.iterations);
    for (int i = 0; i < LONG; i++)
        assert_true(y[i] == i + 1);
}

static void afterwards(void **state) {
    static int y[SHORT];
    struct heddle_loop_report r;
    long iterations;
    int most = 0;
    (void)state;
    for (int k = 1; k <= 5; k++) {
        assert_int_equal(count(SHORT, y), (long)k * SHORT * (SHORT + 1) / 2);
        heddle_last_loop_report(&r);
        const int devices = devices_of(&r, &iterations);
        most = devices > most ? devices : most;
        assert_int_equal(iterations, SHORT);
    }
    assert_int_equal(most, DEVICES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_ones), cmocka_unit_test(long_one),
                                       cmocka_unit_test(afterwards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
