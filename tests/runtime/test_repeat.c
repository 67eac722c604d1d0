/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An equal call of a nest goes the way of the one before without being resolved again: whatever it depends on is
 * changed between two calls here, and the next one has to see it. With x86_64 devices in the program.
 */
#include <heddle.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "capture.h"

enum { SIDE = 120, THREADS = 4 };

static int table(int n, int m, int (*A)[m], const int *weight) {
    int most = 0;
#pragma heddle wavefront reduction(max: most) map(to: weight[0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
            most = A[i][j] > most ? A[i][j] : most;
        }
    return most;
}
static int table_serial(int n, int m, int (*A)[m], const int *weight) {
    int most = 0;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
            most = A[i][j] > most ? A[i][j] : most;
        }
    return most;
}

struct arrays {
    int A[SIDE][SIDE], weight[SIDE], expected[SIDE][SIDE];
};
static struct arrays first, second;

static void fill(int n, int m, int *A, int *weight) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            A[i * m + j] = i && j ? -1 : i * 7 + j * 5;
    for (int j = 0; j < m; j++)
        weight[j] = j % 11;
}

/* Runs it and looks at the result; the last report tells the rest. */
static struct heddle_report run(struct arrays *a, int n, int m) {
    struct heddle_report r;
    fill(n, m, a->A[0], a->weight);
    fill(n, m, a->expected[0], a->weight);
    const int most = table(n, m, (int(*)[m])(void *)a->A, a->weight);
    heddle_last_report(&r);
    assert_int_equal(most, table_serial(n, m, (int(*)[m])(void *)a->expected, a->weight));
    assert_memory_equal(a->A, a->expected, (size_t)n * (size_t)m * sizeof(int));
    return r;
}

static void warm_up(void) {
    heddle_option_set("device", "0");
    for (int k = 0; k < 3; k++)
        assert_int_equal(run(&first, SIDE, SIDE).device, 0);
}

static void options(void **state) {
    (void)state;
    warm_up();
    assert_string_equal(run(&first, SIDE, SIDE).schedule, "registers");
    heddle_option_set("wavefront", "peer,16,16");
    assert_string_equal(run(&first, SIDE, SIDE).schedule, "peer");
    heddle_option_set("wavefront", NULL);
    assert_string_equal(run(&first, SIDE, SIDE).schedule, "registers");
    heddle_option_set("device", "host");
    assert_int_equal(run(&first, SIDE, SIDE).device, HEDDLE_DEVICE_HOST);
    heddle_option_set("device", "1");
    assert_int_equal(run(&first, SIDE, SIDE).device, 1);
    heddle_option_set("device", NULL);
}

static void environment(void **state) {
    (void)state;
    const char *devices[] = {"0", "1", "host", "0"};
    for (int k = 0; k < 4; k++) {
        setenv("HEDDLE_DEVICE", devices[k], 1);
        for (int again = 0; again < 2; again++)
            assert_int_equal(run(&first, SIDE, SIDE).device,
                             *devices[k] == 'h' ? HEDDLE_DEVICE_HOST : *devices[k] - '0');
    }
    unsetenv("HEDDLE_DEVICE");
    assert_int_equal(run(&first, SIDE, SIDE).device, HEDDLE_DEVICE_HOST);
}

/* A line for the first call that does not get what was asked for; the others are resolved anew without one. */
static void complaints(void **state) {
    (void)state;
    warm_up();
    heddle_option_set("device", "99");
    for (int k = 0; k < 2; k++) {
        capture_start();
        assert_int_equal(run(&first, SIDE, SIDE).device, HEDDLE_DEVICE_HOST);
        const char *said = capture_end();
        assert_true(k ? !*said : strstr(said, "device 99 is not there") != NULL);
    }
    heddle_option_set("device", "0");
    capture_start();
    run(&first, SIDE, SIDE);
    assert_string_equal(capture_end(), "");
}

static void sizes(void **state) {
    (void)state;
    warm_up();
    for (int n = SIDE; n > 10; n -= 7)
        for (int m = SIDE; m > 10; m -= 13)
            assert_int_equal(run(&first, n, m).device, (n - 1) * (m - 1) < 4096 ? HEDDLE_DEVICE_HOST : 0);
}

static void memory_limit(void **state) {
    (void)state;
    warm_up();
    heddle_option_set("memory-limit", "1K");
    capture_start();
    const struct heddle_report r = run(&first, SIDE, SIDE);
    capture_end();
    assert_int_equal(r.device, HEDDLE_DEVICE_HOST);
    heddle_option_set("memory-limit", NULL);
    assert_int_equal(run(&first, SIDE, SIDE).device, 0);
}

/* Other arrays, exchanged ones, and such as share memory. */
static void arrays(void **state) {
    struct heddle_report r;
    (void)state;
    warm_up();
    for (int k = 0; k < 4; k++)
        assert_int_equal(run(k % 2 ? &first : &second, SIDE, SIDE).device, 0);
    fill(SIDE, SIDE, first.A[0], first.weight);
    fill(SIDE, SIDE, first.expected[0], first.weight);
    capture_start();
    table(SIDE, SIDE, first.A, first.A[4]);
    assert_non_null(strstr(capture_end(), "overlap, and 'A' is written"));
    heddle_last_report(&r);
    assert_int_equal(r.error, HEDDLE_EOVERLAP);
    table_serial(SIDE, SIDE, first.expected, first.expected[4]);
    assert_memory_equal(first.A, first.expected, sizeof first.A);
    assert_int_equal(run(&first, SIDE, SIDE).device, 0);
}

/* The program keeps the arrays on a device, another one and this one, and takes them back. */
static void keeps(void **state) {
    (void)state;
    for (int device = 1; device >= 0; device--) {
        warm_up();
        int *A = first.A[0];
        fill(SIDE, SIDE, A, first.weight);
        fill(SIDE, SIDE, first.expected[0], first.weight);
#pragma omp target enter data map(to : A[0 : SIDE * SIDE]) device(device)
        for (int k = 0; k < SIDE * SIDE; k++)
            A[k] = -2; /* the device's count */
        table(SIDE, SIDE, first.A, first.weight);
        assert_int_equal(A[SIDE * SIDE - 1], device ? first.A[SIDE - 1][SIDE - 1] : -2);
#pragma omp target exit data map(from : A[0 : SIDE * SIDE]) device(device)
        table_serial(SIDE, SIDE, first.expected, first.weight);
        assert_memory_equal(first.A, first.expected, sizeof first.A);
        assert_int_equal(run(&first, SIDE, SIDE).device, 0);
    }
}

static void *work(void *with) {
    struct arrays *a = malloc(sizeof *a);
    const int n = SIDE - 10 * *(const int *)with;
    for (int k = 0; k < 20; k++) {
        fill(n, n, a->A[0], a->weight);
        fill(n, n, a->expected[0], a->weight);
        const int most = table(n, n, (int(*)[n])(void *)a->A, a->weight);
        if (most != table_serial(n, n, (int(*)[n])(void *)a->expected, a->weight) ||
            memcmp(a->A, a->expected, (size_t)n * (size_t)n * sizeof(int)) != 0)
            abort();
    }
    free(a);
    return NULL;
}

static void threads(void **state) {
    pthread_t thread[THREADS];
    int number[THREADS];
    (void)state;
    for (int k = 0; k < THREADS; k++) {
        number[k] = k;
        assert_int_equal(pthread_create(&thread[k], NULL, work, &number[k]), 0);
    }
    for (int k = 0; k < 50; k++)
        heddle_option_set("device", k % 2 ? "0" : "host");
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
}

/* A child has no devices. */
static void child(void **state) {
    (void)state;
    warm_up();
    const pid_t pid = fork();
    if (!pid) {
        struct heddle_report r;
        fill(SIDE, SIDE, first.A[0], first.weight);
        fill(SIDE, SIDE, first.expected[0], first.weight);
        const int most = table(SIDE, SIDE, first.A, first.weight);
        heddle_last_report(&r);
        _exit(r.device != HEDDLE_DEVICE_HOST || most != table_serial(SIDE, SIDE, first.expected, first.weight));
    }
    int status = 1;
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(run(&first, SIDE, SIDE).device, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options), cmocka_unit_test(environment),  cmocka_unit_test(complaints),
        cmocka_unit_test(sizes),   cmocka_unit_test(memory_limit), cmocka_unit_test(arrays),
        cmocka_unit_test(keeps),   cmocka_unit_test(threads),      cmocka_unit_test(child),
    };
    return omp_get_num_devices() < 2 ? 77 : cmocka_run_group_tests(tests, NULL, NULL);
}
