/* SPDX-License-Identifier: Apache-2.0 */
/* OpenMP's threads sleep soon after a parallel region, unless the user has said how they wait. */
#include <heddle.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static const char *asked; /* KMP_BLOCKTIME as the test was started with; NULL: not set */

static double processor(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleeps(void **state) {
    (void)state;
    int sum = 0;
    assert_non_null(heddle_version());
    if (getenv("OMP_WAIT_POLICY") || asked)
        skip();
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum++;
    assert_in_range(sum, 1, 4);
    const double before = processor();
    nanosleep(&(struct timespec){0, 100000000}, NULL);
    assert_true(processor() - before < 0.05); /* three threads that spin take 0.3 s, or all there is */
}

static void what_was_said(void **state) {
    (void)state;
    const char *value = getenv("KMP_BLOCKTIME");
    if (getenv("OMP_WAIT_POLICY"))
        skip();
    assert_string_equal(value ? value : "", asked ? asked : "1");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sleeps), cmocka_unit_test(what_was_said)};
    asked = argc > 1 ? argv[1] : NULL;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
