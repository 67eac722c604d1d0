/* SPDX-License-Identifier: Apache-2.0 */
/* Who takes part in loops under the schedule auto: who would not pay, who is better alone, and what happens when those
   fail. With x86_64 devices in the program. `runtime-team again`: some runs in a process of its own, for what is kept.
 */
#include <dlfcn.h>
#include <heddle.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include "capture.h"

enum { N = 1000, DEVICES = 4 };

static int broken = -1; /* a device that refuses its kernels */

__attribute__((visibility("default"))) int __tgt_target_kernel(void *loc, int64_t device, int32_t teams,
                                                               int32_t threads, void *id, void *args) {
    static int (*real)(void *, int64_t, int32_t, int32_t, void *, void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "__tgt_target_kernel");
    return device == broken ? 1 : real(loc, device, teams, threads, id, args);
}

static void nap(double seconds) { nanosleep(&(struct timespec){0, (long)(seconds * 1e9)}, NULL); }

/* ---- who would not pay
 * ------------------------------------------------------------------------------------------------ */
static void heavy(int n, double *y) {
#pragma heddle for map(from: y[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        double v = 1 + i;
        for (int k = 0; k < 2000; k++)
            v = 0.5 * (v + 2 / v);
        y[i] = v;
    }
}

static bool host_took_part(void) {
    struct heddle_loop_report r;
    heddle_last_loop_report(&r);
    return r.devices && r.device[r.devices - 1].device < 0; /* its threads are the last ones */
}

static void leaves_out(void **state) {
    struct heddle_loop_report r;
    double y[N];
    int without_host = 0;
    (void)state;
    heddle_option_set("slow", "host:300");
    for (int k = 0; k < 4; k++) { /* the first run tells; one of sixteen runs asks everybody again */
        heavy(N, y);
        without_host += !host_took_part();
    }
    assert_true(without_host >= 2);
    heddle_option_set("device", "all");
    heavy(N, y);
    heddle_last_loop_report(&r);
    assert_true(r.devices > DEVICES);
    heddle_option_set("device", NULL);
    heddle_option_set("slow", NULL);
}

/* One device and the host, in either order. */
static void those_named(void **state) {
    static const char *const named[] = {"1,host", "host,1"};
    struct heddle_loop_report r;
    double y[N];
    (void)state;
    heddle_option_set("for", "chunk,10");
    for (int k = 0; k < 2; k++) {
        heddle_option_set("device", named[k]);
        heavy(N, y);
        heddle_last_loop_report(&r);
        assert_true(r.devices > 1);
        assert_int_equal(r.device[0].device, 1);
        for (int d = 1; d < r.devices; d++)
            assert_true(r.device[d].device < 0);
    }
    heddle_option_set("device", NULL);
    heddle_option_set("for", NULL);
}

/* Beside the host a device takes five times as long: what each of them does tells nothing of what it could do alone. */
static atomic_int on_host;

static void disturbed(int i, double *y) {
    nap(atomic_load(&on_host) ? 1000e-6 : 200e-6);
    y[i] = i;
}

static void disturbs(int i, double *y) {
    atomic_fetch_add(&on_host, 1);
    nap(200e-6);
    y[i] = i;
    atomic_fetch_sub(&on_host, 1);
}

static void side_by_side(int n, double *y) {
#pragma heddle for independent map(from: y[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
#pragma heddle variant(other: disturbed) variant(host: disturbs)
        disturbed(i, y);
}

static void better_alone(void **state) {
    double y[N];
    int without_host = 0;
    (void)state;
    heddle_option_set("threads", "2");
    for (int k = 0; k < 16; k++) {
        side_by_side(400, y);
        without_host += k >= 8 && !host_took_part();
    }
    assert_true(without_host >= 5); /* now and then everybody is asked again */
    heddle_option_set("threads", NULL);
}

/* Who takes part is settled after a while; when those devices fail then, others take over, and all is looked at again.
 */
static void settled_ones_fail(void **state) {
    double first[N], y[N];
    (void)state;
    heddle_option_set("device", "1,2");
    heavy(N, first);
    for (int k = 0; k < 30; k++)
        heavy(N, y);
    for (int k = 0; k < 4; k++) {
        broken = 1 + k / 2;
        memset(y, 0, sizeof y);
        capture_start();
        heavy(N, y);
        capture_end();
        assert_memory_equal(y, first, sizeof y);
    }
    broken = -1;
    heavy(N, y); /* good again: no device failed in three loops one after the other */
    assert_memory_equal(y, first, sizeof y);
    heddle_option_set("device", NULL);
}

/* Devices that are hopeless leave the loop to the host, whose calls need no engine then. What changes counts all the
   same: an array that the program keeps on a device, and a device that is named. */
static void twice(int n, const double *x, double *y) {
#pragma heddle for map(to : x[heddle_lo : heddle_count]) map(from : y[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

static void check_twice(const double *x, double *y) {
    struct heddle_loop_report r;
    twice(N, x, y);
    heddle_last_loop_report(&r);
    long sum = 0;
    for (int k = 0; k < r.devices; k++)
        sum += r.device[k].iterations;
    assert_int_equal(sum, N);
    for (int i = 0; i < N; i++) {
        assert_true(y[i] == 2 * x[i]);
        y[i] = -1;
    }
}

static void host_is_chosen(void **state) {
    double x[N], y[N];
    struct heddle_loop_report r;
    int host = 0;
    (void)state;
    heddle_option_set("slow", "0:100,1:100,2:100,3:100");
    for (int k = 0; k < 60; k++) {
        for (int i = 0; i < N; i++)
            x[i] = i + k;
        check_twice(x, y);
        heddle_last_loop_report(&r);
        host += k >= 40 && r.device[0].device < 0;
    }
    assert_true(host >= 10);
#pragma omp target enter data map(to : x[0 : N], y[0 : N]) device(2)
    check_twice(x, y); /* its results are there, too */
#pragma omp target update from(y[0 : N]) device(2)
    for (int i = 0; i < N; i++)
        assert_true(y[i] == 2 * x[i]);
#pragma omp target exit data map(release : x[0 : N], y[0 : N]) device(2)
    for (int k = 0; k < 4; k++)
        check_twice(x, y);
    heddle_option_set("device", "2");
    check_twice(x, y);
    heddle_last_loop_report(&r);
    assert_int_equal(r.device[0].device, 2);
    heddle_option_set("device", NULL);
    heddle_option_set("slow", NULL);
}

int main(int argc, char **argv) {
    (void)heddle_device_count(); /* loops that are short do not start any */
    if (argc > 1 && !strcmp(argv[1], "again")) {
        double y[N];
        heddle_option_set("threads", argc > 2 ? argv[2] : "2");
        for (int k = 0; k < 4; k++)
            side_by_side(200, y);
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_out), cmocka_unit_test(those_named),
                                       cmocka_unit_test(better_alone), cmocka_unit_test(settled_ones_fail),
                                       cmocka_unit_test(host_is_chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
