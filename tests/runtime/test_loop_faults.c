/* SPDX-License-Identifier: Apache-2.0 */
/* Loops over every device where one refuses its kernels, loses results, hangs or has no code: others take over, the
 * results are right or the program ends, and it is told. With x86_64 devices in the program. */
#include <heddle.h>
#include <limits.h>
#include <omp.h>
#include "capture.h"
#include "loop_cases.h"

static void refuses(void **state) {
    struct heddle_loop_report r;
    (void)state;
    setenv("HEDDLE_FOR", "static", 1);
    plain(N, from, to); /* asks all for their images */
    for (int good = 0; good < 6; good += 5) {
        fill(NULL);
        setenv("HEDDLE_FOR", "static,10", 1);
        broken = 1;
        atomic_store(&good_launches, good);
        capture_start();
        const long sum = plain(N, from, to);
        const char *text = capture_end();
        assert_non_null(strstr(text, "device 1: the device did not run the kernel; others take over"));
        assert_int_equal(lines(text), 1);
        check(sum, from, to);
        heddle_last_loop_report(&r);
        assert_int_equal(r.device[1].lost, 1);
    }
    run_on(3, N, to); /* asks for its image */
    broken = 3;
    atomic_store(&good_launches, 0);
    capture_start();
    assert_int_equal(run_on(3, N, to), (long)N * (N - 1) / 2);
    assert_non_null(strstr(capture_end(), "no device is left; 1000 of 1000 iterations were run on the host"));
    capture_start();
    run_on(3, N, to);
    assert_null(strstr(capture_end(), "no other one will use it"));
    capture_start();
    run_on(3, N, to);
    assert_non_null(strstr(capture_end(), "device 3 failed in 3 loops; no other one will use it"));
    capture_start();
    assert_int_equal(run_on(3, N, to), (long)N * (N - 1) / 2);
    assert_int_equal(lines(capture_end()), 0);
    heddle_last_loop_report(&r);
    assert_true(r.devices > 1 && r.device[0].device == HEDDLE_DEVICE_HOST);
}

/* A chunk of 96 MB goes in twelve pieces, eight at once; those that were done before the device failed, three at least,
 * are not done again. */
static void refuses_in_pieces(void **state) {
    enum { LARGE = 24 << 20 };
    char all[64];
    int *b = malloc(LARGE * sizeof *b);
    struct heddle_loop_report r;
    (void)state;
    setenv("HEDDLE_FOR", "static", 1);
    assert_int_equal(run_on(2, LARGE, b), (long)LARGE * (LARGE - 1) / 2);
    heddle_last_loop_report(&r);
    assert_int_equal(r.device[0].chunks, 1);
    assert_int_equal(r.device[0].iterations, LARGE);
    broken = 2;
    atomic_store(&good_launches, 10);
    capture_start();
    memset(b, 0, LARGE * sizeof *b);
    assert_int_equal(run_on(2, LARGE, b), (long)LARGE * (LARGE - 1) / 2);
    const char *text = capture_end();
    assert_non_null(strstr(text, "no device is left"));
    snprintf(all, sizeof all, "%d of %d", LARGE, LARGE);
    assert_null(strstr(text, all));
    for (int i = 0; i < LARGE; i++)
        assert_int_equal(b[i], i);
    free(b);
}

/* What is computed from its own old value can be lost on a device only as long as nothing of it has come back. */
static void twice(int n, int *a, int *b) {
#pragma heddle for map(tofrom : a[heddle_lo : heddle_count]) map(from : b[heddle_lo : heddle_count]) device(2)         \
    schedule(static)
    for (int i = 0; i < n; i++) {
        b[i] = a[i];
        a[i] = 2 * a[i] + 1;
    }
}

static void lose(int good) {
    setenv("HEDDLE_FOR", "static", 1);
    broken = 2;
    atomic_store(&good_copies, good);
    atomic_store(&good_launches, INT_MAX);
    twice(N, from, to);
    atomic_store(&good_copies, INT_MAX);
}

static void loses_results(void **state) {
    char command[PATH_MAX + 64], self[PATH_MAX] = "";
    (void)state;
    capture_start();
    lose(0);
    assert_non_null(strstr(capture_end(), "no device is left; 1000 of 1000 iterations were run on the host"));
    for (int i = 0; i < N; i++)
        assert_int_equal(from[i], 2 * to[i] + 1);
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    snprintf(command, sizeof command, "'%s' loses-results", self);
    capture_start();
    const int status = system(command);
    assert_non_null(strstr(capture_end(), "it is partly written, and the program ends here"));
    assert_int_equal(WEXITSTATUS(status), EXIT_FAILURE);
}

static void set(int *b, int i) { b[i] = i; }

/* What a loop is told of a device is told once, not in each of its runs. */
static void only_cuda(int n, int *b) {
#pragma heddle for map(from : b[heddle_lo : heddle_count]) device(2)
    for (int i = 0; i < n; i++)
#pragma heddle variant(cuda : set)
        set(b, i);
}

static void told_once(void **state) {
    (void)state;
    for (int run = 0; run < 3; run++) {
        memset(to, 0, sizeof to);
        capture_start();
        only_cuda(N, to);
        const char *text = capture_end();
        assert_int_equal(lines(text), run == 0);
        assert_true(run || strstr(text, "no variant for device 2 (other); running on the host"));
        for (int i = 0; i < N; i++)
            assert_int_equal(to[i], i);
    }
}

static atomic_int stuck;
static void hang(int *b, int i) {
    if (heddle_variant_device() == 2 && atomic_exchange(&stuck, 0))
        nap(6);
    b[i] = i;
}
static void hanging(int n, int *b) {
#pragma heddle for map(from : b[heddle_lo : heddle_count]) schedule(static, 20)
    for (int i = 0; i < n; i++)
#pragma heddle variant(other : hang)
        set(b, i);
}

static void hangs(void **state) {
    (void)state;
    setenv("HEDDLE_TIMEOUT", "0.5", 1); /* long for the other devices even on a busy machine */
    atomic_store(&stuck, 1);
    const double begin = omp_get_wtime();
    capture_start();
    hanging(N, to);
    const char *text = capture_end();
    if (!strstr(text, "device 2: no chunk came back within HEDDLE_TIMEOUT"))
        fail_msg("%.3f s: %s", omp_get_wtime() - begin, text);
    assert_true(omp_get_wtime() - begin < 5);
    for (int i = 0; i < N; i++)
        assert_int_equal(to[i], i);
    hanging(N, to); /* with the other devices, and another thread for that one */
    unsetenv("HEDDLE_TIMEOUT");
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "loses-results")) {
        fill(NULL);
        lose(1);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(told_once, fill),     cmocka_unit_test_setup(refuses_in_pieces, fill),
        cmocka_unit_test_setup(loses_results, fill), cmocka_unit_test_setup(hangs, fill),
        cmocka_unit_test_setup(refuses, fill), /* leaves device 3 out of everything after it */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
