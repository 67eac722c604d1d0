/* SPDX-License-Identifier: Apache-2.0 */
/* How long a thread of an x86_64 device waits for its neighbour, by a clock of the test's own: it moves on by `step`
 * with every look, and `at_look` may do what a neighbour would. */
#define _GNU_SOURCE
#include <heddle/engine/wavefront/host_wait.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>

enum { BLOCK = 3, COLUMNS = 40 };
static const uint64_t second = 1000000000u;

static uint64_t word, clock_now, step;
static struct heddle_gpu_control control;
static void (*at_look)(int look);
static int looks;

/* In place of the C library's, for heddle_clock_ns(). */
int clock_gettime(clockid_t which, struct timespec *t) {
    (void)which;
    if (at_look)
        at_look(++looks);
    clock_now += step;
    *t = (struct timespec){.tv_sec = (time_t)(clock_now / second), .tv_nsec = (long)(clock_now % second)};
    return 0;
}

static int wait(uint64_t between_looks, void (*neighbour)(int look)) {
    struct heddle_host_neighbours with = {.control = &control, .above = &word, .block = BLOCK};
    struct heddle_cpu_block block = {.runtime = &with};
    word = 0, looks = 0, clock_now = 5 * second, step = between_looks, at_look = neighbour;
    control.timeout_ns = 2 * second;
    control.error = 0;
    const int gave_up = heddle_host_wait(&block, COLUMNS);
    at_look = NULL;
    return gave_up;
}

static void send(long columns) { heddle_store_release(&word, (uint64_t)BLOCK << HEDDLE_ROW_SHIFT | (uint64_t)columns); }

static void never(int look) { assert_in_range(look, 0, 3000); }
static void all_at_once(int look) { look == 1000 ? send(COLUMNS) : (void)0; }
static void by_and_by(int look) { look % 1500 == 0 ? send(look / 1500) : (void)0; }
static void somebody_fails(int look) { look == 7 ? heddle_store_release(&control.error, 1) : (void)0; }

static void test_timeout(void **state) {
    (void)state;
    assert_true(wait(second / 1000, never)); /* two seconds of looks */
    assert_in_range(looks, 2000, 2010);
    assert_true(wait(second / 100000, somebody_fails));
    assert_int_equal(looks, 7);
}

static void test_progress(void **state) {
    (void)state;
    assert_false(wait(second / 1000, all_at_once));
    assert_false(wait(second / 1000, by_and_by)); /* a minute, but never two seconds without any */
}

/* An hour in which the thread does not run is one look. */
static void stopped(int look) {
    step = look == 3 || look == 9 ? 3600 * second : second / 1000;
    if (look == 20)
        send(COLUMNS);
}
static void test_stopped(void **state) {
    (void)state;
    assert_false(wait(second / 1000, stopped));
    assert_int_equal(looks, 21);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_timeout), cmocka_unit_test(test_progress),
                                       cmocka_unit_test(test_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
