/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over every device where something is in the way: schedules that are wrong, arrays that overlap or that the
 * program keeps on a device, loops inside loops; what is reported; what is kept. With x86_64 devices in the program.
 * Devices that fail: test_loop_faults.c.
 */
#include <heddle.h>
#include <heddle/engine/loop.h>
#include <limits.h>
#include <omp.h>
#include "capture.h"
#include "loop_cases.h"

/* ---- loops --------------------------------------------------------------------------------------------------------
 */
static void reports(void **state) {
    struct heddle_loop_report r;
    long sum = 0;
    int devices = 0;
    (void)state;
    assert_int_equal(heddle_device_count(), DEVICES); /* short loops start none */
    check(plain(N, from, to), from, to);
    heddle_last_loop_report(&r);
    assert_int_equal(r.iterations, N);
    assert_int_equal(r.error, 0);
    for (int k = 0; k < r.devices; k++) {
        sum += r.device[k].iterations;
        devices += r.device[k].device >= 0;
        assert_true(r.device[k].end >= r.device[k].begin && r.device[k].end <= r.seconds);
        assert_true(r.device[k].compute >= 0 && r.device[k].move >= 0);
    }
    assert_int_equal(sum, N);
    assert_int_equal(devices, DEVICES);
    assert_true(r.devices > DEVICES);
    assert_true(r.efficiency > 0 && r.efficiency <= 1.01 && r.balance > 0 && r.balance <= 1);
}

static void one_device(void **state) {
    struct heddle_loop_report r;
    (void)state;
    assert_int_equal(run_on(2, N, to), (long)N * (N - 1) / 2);
    heddle_last_loop_report(&r);
    assert_int_equal(r.devices, 1);
    assert_int_equal(r.device[0].device, 2);
    assert_int_equal(run_on(HEDDLE_DEVICE_HOST, N, to), (long)N * (N - 1) / 2);
    heddle_last_loop_report(&r);
    assert_int_equal(r.device[0].device, HEDDLE_DEVICE_HOST);
    capture_start();
    assert_int_equal(run_on(77, N, to), (long)N * (N - 1) / 2);
    const char *text = capture_end();
    assert_non_null(strstr(text, "device 77 is not there (4 found)"));
    assert_int_equal(lines(text), 1);
}

static void trips(void **state) {
    static const struct {
        long lo, hi, step;
        int closed;
        long trips;
    } cases[] = {{0, 10, 3, 0, 4},
                 {0, 9, 3, 0, 3},
                 {0, 9, 3, 1, 4},
                 {5, 5, 1, 0, 0},
                 {5, 5, 1, 1, 1},
                 {6, 5, 1, 1, 0},
                 {10, 0, -3, 0, 4},
                 {9, 0, -3, 0, 3},
                 {9, 0, -3, 1, 4},
                 {0, 9, -1, 0, 0},
                 {-7, 7, LONG_MAX, 0, 1},
                 {LONG_MIN, LONG_MAX, LONG_MAX, 0, 3},
                 {LONG_MAX, LONG_MIN, LONG_MIN, 1, 2},
                 {LONG_MIN, LONG_MAX, 1, 0, -1},
                 {0, LONG_MAX, 1, 0, -1},
                 {0, LONG_MAX - 2, 2, 0, LONG_MAX / 2},
                 {0, 5, 0, 0, -1}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const long n = heddle_loop_trips(cases[k].lo, cases[k].hi, cases[k].step, cases[k].closed);
        if (n != cases[k].trips)
            fail_msg("case %zu: %ld, not %ld", k, n, cases[k].trips);
    }
}

/* ---- any size, step, schedule and set of devices --------------------------------------------------------------------
 */
static unsigned long seed = 4711;
static long below(long n) {
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (long)((seed >> 33) % (unsigned long)n);
}

static long strided(long lo, long hi, long step, const int *start, int *list, long *best) {
    long sum = 1, most = *best;
#pragma heddle for independent map(                                                                                    \
    tofrom : list[start[heddle_lo] : start[heddle_lo + step * (heddle_count - 1) + 1] - start[heddle_lo]])             \
    map(to : start[heddle_lo : step * (heddle_count - 1) + 2]) reduction(+ : sum) reduction(max : most)
    for (long i = lo; i < hi; i += step) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            list[k] = 2 * list[k] + (int)i;
            sum += list[k];
        }
        most = i > most ? i : most;
    }
    *best = most;
    return sum;
}

static long strided_serial(long lo, long hi, long step, const int *start, int *list, long *best) {
    long sum = 1;
    for (long i = lo; i < hi; i += step) {
        for (int k = start[i]; k < start[i + 1]; k++) {
            list[k] = 2 * list[k] + (int)i;
            sum += list[k];
        }
        *best = i > *best ? i : *best;
    }
    return sum;
}

static void anything(void **state) {
    static const char *const schedules[] = HEDDLE_WORD_ARRAY(HEDDLE_LOOP_SCHEDULES);
    static const char *const devices[] = {"auto", "host", "0", "1,3", "all"};
    static const char *const slow[] = {"", "0:3", "1:2,host:5"};
    enum { MOST = 3000 };
    static int start[MOST + 1], list[4 * MOST + 1], expected[4 * MOST + 1];
    (void)state;
    for (int k = 0; k < 120; k++) {
        char option[32];
        const long n = below(3) ? below(MOST) : below(10),
                   step = below(2)   ? 1
                          : below(4) ? 1 + below(9)
                                     : 1l << below(40),
                   lo = below(n + 1);
        const char *schedule = schedules[below(sizeof schedules / sizeof *schedules - 1)], *device = devices[below(5)];
        start[0] = 0;
        for (long i = 0; i < n; i++)
            start[i + 1] = start[i] + (int)below(5);
        for (int i = 0; i < start[n]; i++)
            list[i] = expected[i] = (int)below(100);
        snprintf(option, sizeof option, below(2) ? "%s" : "%s,%ld", schedule, 1 + below(below(2) ? 5 : MOST));
        heddle_option_set("for", option);
        heddle_option_set("device", device);
        heddle_option_set("slow", slow[below(3)]);
        long best = below(10), best_expected = best;
        const long sum = strided(lo, n, step, start, list, &best);
        if (sum != strided_serial(lo, n, step, start, expected, &best_expected) || best != best_expected ||
            memcmp(list, expected, (size_t)start[n] * sizeof *list))
            fail_msg("case %d: %ld to %ld by %ld, %s on %s: sum %ld, best %ld", k, lo, n, step, option, device, sum,
                     best);
    }
    heddle_option_set("for", NULL);
    heddle_option_set("device", NULL);
    heddle_option_set("slow", NULL);
}

static void set(int *b, int i) { b[i] = i; }

/* ---- several chunks in flight
 * ------------------------------------------------------------------------------------------- */
static atomic_int now[DEVICES], most[DEVICES];
static void meet(int *b, int i) {
    const int d = heddle_variant_device();
    const int here = atomic_fetch_add(&now[d], 1) + 1;
    if (here > atomic_load(&most[d]))
        atomic_store(&most[d], here);
    nap(0.02);
    atomic_fetch_sub(&now[d], 1);
    b[i] = i;
}
static void meeting(int n, int *b) {
#pragma heddle for map(from : b[heddle_lo : heddle_count]) schedule(chunk, 1)
    for (int i = 0; i < n; i++)
#pragma heddle variant(other : meet)
        set(b, i);
}

static void slow_set(int *b, int i) { nap(0.01), b[i] = i; }
static void several_in_flight(void **state) {
    (void)state;
    int b[60];
#pragma heddle for map(from : b[heddle_lo : heddle_count]) schedule(chunk, 1)
    for (int i = 0; i < 60; i++)
#pragma heddle variant(other : meet) variant(host : slow_set)
        set(b, i);
    for (int d = 0; d < DEVICES; d++)
        assert_int_equal(atomic_load(&most[d]), 3);
    for (int i = 0; i < 60; i++)
        assert_int_equal(b[i], i);
    meeting(8, b);
}

/* ---- schedules that are wrong
 * ---------------------------------------------------------------------------------------- */
static void wrong_schedules(void **state) {
    static const struct {
        const char *bad, *says;
    } cases[] = {{"twice", "of which some are taken or do not exist"},
                 {"outside", "of which some are taken or do not exist"},
                 {"empty", "of which some are taken or do not exist"},
                 {"forget", "950 of 1000 iterations were given to nobody"},
                 {"wait", "950 of 1000 iterations were given to nobody"},
                 {"start", "out of memory; running this loop serially"}};
    (void)state;
    setenv("HEDDLE_FOR", getenv("SCHEDULE_BAD"), 1);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        memset(to, 0, sizeof to);
        setenv("BAD", cases[k].bad, 1);
        capture_start();
        const long sum = plain(N, from, to);
        const char *text = capture_end();
        if (!strstr(text, cases[k].says))
            fail_msg("%s: %s", cases[k].bad, text);
        check(sum, from, to);
    }
    static const struct {
        const char *option, *says;
    } options[] = {{"./none.so", "HEDDLE_FOR=./none.so: "},
                   {"fastest", "HEDDLE_FOR=fastest is not"},
                   {"gss,0", "HEDDLE_FOR=gss,0 is not"},
                   {"gss,9223372036854775808", "HEDDLE_FOR=gss,9223372036854775808 is not"},
                   {"gss,x", "HEDDLE_FOR=gss,x is not"}};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        setenv("HEDDLE_FOR", options[k].option, 1);
        capture_start();
        const long sum = plain(N, from, to);
        assert_non_null(strstr(capture_end(), options[k].says));
        check(sum, from, to);
    }
}

/* ---- arrays
 * ------------------------------------------------------------------------------------------------------------ */
static void shifted(int n, int k, int *b) {
#pragma heddle for map(tofrom : b[heddle_lo : heddle_count + k])
    for (int i = 0; i < n; i++)
        b[i] += i;
}

static void overlaps(void **state) {
    (void)state;
    int expected[N];
    memcpy(expected, from, sizeof expected);
    for (int i = 0; i < N - 5; i++)
        expected[i + 5] = 3 * expected[i] + i;
    capture_start();
    plain(N - 5, from, from + 5);
    assert_non_null(
        strstr(capture_end(), "arrays 'a' and 'b' overlap, and 'b' is written; running this loop serially"));
    assert_memory_equal(from, expected, sizeof expected);
    fill(NULL);
    capture_start();
    shifted(N, 1, to);
    assert_non_null(strstr(capture_end(), "the sections of 'b' that neighbouring chunks bring back overlap"));
    shifted(N, 0, to);
    for (int i = 0; i < N; i++)
        assert_int_equal(to[i], 2 * i - 1);
}

/* What the program keeps on a device is used there, and is up to date there and on the host afterwards. */
static void kept_on_device(void **state) {
    (void)state;
#pragma omp target enter data map(to : from[0 : N], to[0 : N]) device(1)
    check(plain(N, from, to), from, to);
    memset(to, 0, sizeof to);
#pragma omp target update from(to[0 : N]) device(1)
    for (int i = 0; i < N; i++)
        assert_int_equal(to[i], 3 * from[i] + i);
#pragma omp target exit data map(release : from[0 : N], to[0 : N]) device(1)
    assert_false(omp_target_is_present(to, 1));
}

/* ---- data that every chunk needs
 * ------------------------------------------------------------------------------------------ */
enum { TABLE = 5000011, CELLS = 1201 };
static int table[TABLE], cell[CELLS];

static void look_up(const int *t, int n, int *b) {
#pragma heddle for map(to : t[0 : TABLE]) map(from : b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        unsigned sum = 0;
        for (int k = i; k < TABLE; k += CELLS)
            sum += (unsigned)t[k];
        b[i] = (int)sum;
    }
}

/* The table is another one each time: what a device still has of the last one must not be used. */
static void check_cells(void) {
    for (int i = 0; i < TABLE; i++)
        table[i] = (int)((unsigned)table[i] * 5 + (unsigned)i + 1);
    memset(cell, -1, sizeof cell);
    look_up(table, CELLS, cell);
    for (int i = 0; i < CELLS; i++) {
        unsigned sum = 0;
        for (int k = i; k < TABLE; k += CELLS)
            sum += (unsigned)table[k];
        assert_int_equal(cell[i], (int)sum);
    }
}

/* Each device takes some of it from the others; where none can be reached, all from the host. */
static void shared_by_all(void **state) {
    (void)state;
    setenv("HEDDLE_DEVICE", "0,1,2,3", 1);
    setenv("HEDDLE_FOR", "static", 1);
    atomic_store(&across, 0);
    check_cells();
    assert_true(atomic_load(&across) > 0);
    no_way_across = true;
    check_cells();
    no_way_across = false;
    atomic_store(&across, 0);
    setenv("HEDDLE_DEVICE", "2", 1);
    check_cells();
    assert_int_equal(atomic_load(&across), 0);
    unsetenv("HEDDLE_DEVICE");
    unsetenv("HEDDLE_FOR");
}

/* ---- loops inside loops, and inside parallel regions
 * -------------------------------------------------------------------- */
static void inner(int *b, int i) { b[i] = (int)run_on(HEDDLE_DEVICE_AUTO, i, (int[101]){0}); }
static void set_sum(int *b, int i) { b[i] = i * (i - 1) / 2; }

static void nested(void **state) {
    int b[100];
    (void)state;
#pragma heddle for map(from : b[heddle_lo : heddle_count])
    for (int i = 0; i < 100; i++)
#pragma heddle variant(other : inner) variant(host : inner)
        set_sum(b, i);
    for (int i = 0; i < 100; i++)
        assert_int_equal(b[i], i * (i - 1) / 2);
    int good = 0;
#pragma omp parallel num_threads(3) reduction(+ : good)
    {
        int own[50];
        good += run_on(HEDDLE_DEVICE_AUTO, 50, own) == 50 * 49 / 2;
    }
    assert_int_equal(good, 3);
}

int main(int argc, char **argv) {
    if (argc > 1 && !strcmp(argv[1], "once")) { /* one loop in a process of its own: what is kept */
        fill(NULL);
        setenv("HEDDLE_FOR", "static", 1); /* every device takes part, however short the loop */
        check(plain(N, from, to), from, to);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(reports, fill),
        cmocka_unit_test_setup(one_device, fill),
        cmocka_unit_test(trips),
        cmocka_unit_test_setup(anything, fill),
        cmocka_unit_test_setup(several_in_flight, fill),
        cmocka_unit_test_setup(overlaps, fill),
        cmocka_unit_test_setup(wrong_schedules, fill),
        cmocka_unit_test_setup(kept_on_device, fill),
        cmocka_unit_test(shared_by_all),
        cmocka_unit_test_setup(nested, fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
