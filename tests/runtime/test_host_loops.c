/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that only the host's threads run, called again and again: by one thread or all, in any number of pieces. What
   changes between two calls counts in the second. */
#include <heddle.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include "capture.h"

enum { N = 5000 };

static long count(long n, int *times) {
    long sum = 3;
#pragma heddle for map(tofrom : times[heddle_lo : heddle_count]) reduction(+ : sum)
    for (long i = 0; i < n; i++) {
        times[i]++;
        sum += i;
    }
    return sum;
}

static long count_equal(long n, int *times) {
    long sum = 3;
#pragma heddle for map(tofrom : times[heddle_lo - heddle_count + 1 : heddle_count]) reduction(+ : sum) schedule(static) device(host)
    for (int i = (int)n - 1; i >= 0; i--) {
        times[i]++;
        sum += i;
    }
    return sum;
}

static double uneven(int n, double *y) {
    double most = 0;
#pragma heddle for map(from : y[heddle_lo : heddle_count]) reduction(max : most)
    for (int i = 0; i < n; i += 1) {
        double v = i;
        for (int k = 0; k < (i < n / 8 ? 20000 : 1); k++)
            v = v * 0.5 + i * 0.5;
        y[i] = v;
        most = v > most ? v : most;
    }
    return most;
}

static void shift(int n, const int *a, int *b) {
#pragma heddle for map(to : a[heddle_lo : heddle_count]) map(from : b[heddle_lo : heddle_count]) schedule(static)
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
}

/* The sum may stay in a register where y overlaps neither a nor x. */
static void sums(int n, int m, double *y, const double *a, const double *x) {
#pragma heddle for map(tofrom : y[heddle_lo : heddle_count]) map(to : a[heddle_lo * m : heddle_count * m], x[0 : m])
    for (int i = 0; i < n; i++) {
        y[i] = 1;
        for (int j = 0; j < m; j++)
            y[i] += a[i * m + j] * x[j];
    }
}
static void sums_serial(int n, int m, double *y, const double *a, const double *x) {
    for (int i = 0; i < n; i++) {
        y[i] = 1;
        for (int j = 0; j < m; j++)
            y[i] += a[i * m + j] * x[j];
    }
}

static void columns(int n, int m, double *y, const double *a) {
#pragma heddle for reduction(+ : y[0 : m]) map(to : a[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += a[i * m + j];
}
static void columns_serial(int n, int m, double *y, const double *a) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += a[i * m + j];
}

static void each_once(void **state) {
    static const long sizes[] = {0, 1, 2, 3, 5, 17, 100, 1023, N};
    static const char *const threads[] = {"1", "2", "3", "4", "7"};
    static int times[N];
    int calls = 0;
    (void)state;
    memset(times, 0, sizeof times);
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        heddle_option_set("threads", threads[t]);
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int call = 0; call < 12; call++) {
                const long n = sizes[s], expected = 3 + n * (n - 1) / 2;
                const long sum = (call & 1 ? count_equal : count)(n, times);
                calls++;
                if (sum != expected)
                    fail_msg("%ld iterations by %s threads: %ld, not %ld", n, threads[t], sum, expected);
                for (long i = 0; i < n; i++)
                    if (times[i]-- != 1)
                        fail_msg("iteration %ld of %ld, call %d: not once", i, n, calls);
            }
    }
    heddle_option_set("threads", NULL);
}

static void shared_out(void **state) {
    struct heddle_loop_report r;
    static double first[800], y[800];
    (void)state;
    heddle_option_set("threads", "3");
    const double most = uneven(800, first);
    for (int call = 0; call < 8; call++) {
        long sum = 0;
        assert_true(uneven(800, y) == most);
        assert_memory_equal(y, first, sizeof y);
        heddle_last_loop_report(&r);
        for (int k = 0; k < r.devices; k++) {
            assert_int_equal(r.device[k].device, HEDDLE_DEVICE_HOST);
            assert_true(r.device[k].end >= r.device[k].begin && r.device[k].end <= r.seconds);
            sum += r.device[k].iterations;
        }
        assert_int_equal(sum, 800);
        assert_string_equal(r.schedule, "auto");
        assert_true(r.seconds > 0 && r.efficiency > 0 && r.balance > 0 && r.balance <= 1);
    }
    heddle_option_set("threads", NULL);
}

/* Arrays that share memory are seen in whichever call they do. */
static void overlaps(void **state) {
    static int a[N + 1], b[N];
    (void)state;
    heddle_option_set("threads", "4");
    for (int call = 0; call < 6; call++) {
        shift(N, a, b);
        assert_int_equal(b[N - 1], 1);
    }
    capture_start();
    shift(N, a, a + 1);
    const char *text = capture_end();
    assert_non_null(strstr(text, "running this loop serially"));
    for (int i = 0; i <= N; i++)
        assert_int_equal(a[i], i);
    shift(N, b, a);
    assert_int_equal(a[0], 2);
    heddle_option_set("threads", NULL);
}

/* What a loop writes is kept in registers across inner loops only while that is what memory holds. */
static void overlaps_inside(void **state) {
    enum { ROWS = 60, COLUMNS = 50, ALL = ROWS * COLUMNS + ROWS + COLUMNS };
    static const char *const threads[] = {"1", "4"};
    static const int places[][3] = {{0, 60, 3060}, {0, 60, 0},     {0, 60, 7},
                                    {5, 0, 3060},  {700, 0, 3060}, {3000, 0, 3050}};
    static double got[ALL], expected[ALL];
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        heddle_option_set("threads", threads[t]);
        for (int call = 0; call < 24; call++) {
            const int *at = places[call < 12 ? 0 : call % 6];
            for (int i = 0; i < ALL; i++)
                got[i] = expected[i] = 1.0 / (1 + i % 17);
            capture_start();
            sums(ROWS, COLUMNS, got + at[0], got + at[1], got + at[2]);
            columns(ROWS, COLUMNS, got + at[0], got + at[1]);
            capture_end();
            sums_serial(ROWS, COLUMNS, expected + at[0], expected + at[1], expected + at[2]);
            columns_serial(ROWS, COLUMNS, expected + at[0], expected + at[1]);
            for (int i = 0; i < ALL; i++)
                if (fabs(got[i] - expected[i]) > 1e-9 * fabs(expected[i]))
                    fail_msg("call %d, %s threads: element %d is %g, not %g", call, threads[t], i, got[i], expected[i]);
        }
    }
    heddle_option_set("threads", NULL);
}

static int devices_of_count(void) {
    static int times[N];
    struct heddle_loop_report r;
    count(N, times);
    heddle_last_loop_report(&r);
    return r.devices;
}

static void changes_between_calls(void **state) {
    struct heddle_loop_report r;
    static int times[N];
    (void)state;
    const int before = omp_get_max_threads();
    setenv("HEDDLE_THREADS", "3", 1);
    assert_int_equal(devices_of_count(), 3); /* the first call under something new is by all */
    setenv("HEDDLE_THREADS", "2", 1);
    assert_int_equal(devices_of_count(), 2);
    unsetenv("HEDDLE_THREADS");
    omp_set_num_threads(5);
    assert_int_equal(devices_of_count(), 5);
    omp_set_num_threads(before);
    setenv("HEDDLE_FOR", "chunk,100", 1);
    count(N, times);
    heddle_last_loop_report(&r);
    assert_string_equal(r.schedule, "chunk");
    unsetenv("HEDDLE_FOR");
    count(N, times);
    heddle_last_loop_report(&r);
    assert_string_equal(r.schedule, "auto");
}

static void *call_often(void *with) {
    int *times = with;
    for (int call = 0; call < 300; call++)
        if (count(1000, times) != 3 + 1000 * 999 / 2)
            return NULL;
    return with;
}

/* Threads of the program, and those inside a parallel region. */
static void called_by_many(void **state) {
    static int times[3][N];
    pthread_t thread[2];
    void *result;
    (void)state;
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, call_often, times[k]), 0);
    assert_non_null(call_often(times[2]));
    for (int k = 0; k < 2; k++) {
        pthread_join(thread[k], &result);
        assert_non_null(result);
    }
    bool good = true;
#pragma omp parallel for num_threads(3) reduction(&& : good)
    for (int k = 0; k < 3; k++)
        good = call_often(times[k]) && good;
    assert_true(good);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 1000; i++)
            assert_int_equal(times[k][i], 600);
}

/* One thread of a team is held up for its first calls, as if another program had its core. */
enum { HELD_UP = 8 };
static int calls_held_up;

static void nap(long i, int *y) {
    const bool held_up = calls_held_up < HELD_UP && omp_get_thread_num() == 1;
    nanosleep(&(struct timespec){0, held_up ? 100000000 : 2000000}, NULL);
    y[i] = (int)i;
}

static void naps(int n, int *y) {
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        nap(i, y);
}

/* Then one thread is faster, but not for good. */
static void disturbed(void **state) {
    struct heddle_loop_report r;
    int y[8], alone = 0, together = 0;
    (void)state;
    heddle_option_set("threads", "4");
    for (int call = 0; call < 40; call++) {
        naps(8, y);
        for (int i = 0; i < 8; i++)
            assert_int_equal(y[i], i);
        heddle_last_loop_report(&r);
        alone += r.devices == 1;
        together = r.devices == 1 ? 0 : together + 1;
        calls_held_up += r.devices > 1 ? 1 : HELD_UP;
    }
    heddle_option_set("threads", NULL);
    assert_true(alone > 0);
    assert_true(together > 8); /* the last ones */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_once),
                                       cmocka_unit_test(shared_out),
                                       cmocka_unit_test(overlaps),
                                       cmocka_unit_test(overlaps_inside),
                                       cmocka_unit_test(changes_between_calls),
                                       cmocka_unit_test(called_by_many),
                                       cmocka_unit_test(disturbed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
