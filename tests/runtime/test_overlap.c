/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that share memory under two names, of which one is written: each engine runs serially then, wherever it was to
 * run, and says so once. With x86_64 devices in the program.
 */
#include <heddle.h>
#include <omp.h>
#include <stdbool.h>
#include "capture.h"

enum { N = 20000, ROWS = 90, COLUMNS = 70 };

static void shift(int n, int *a, const int *b) {
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
}
static void shift_tasks(int n, int *a, const int *b) {
#pragma heddle pool map(tofrom: a[0:n]) map(to: b[0:n])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            a[i] = b[i] + 1;
    }
}
static void shift_single(int n, int *a, const int *b) {
#pragma heddle pool map(tofrom: a[0:n]) map(to: b[0:n])
    {
        for (int k = 0; k < 100; k++) {
#pragma heddle task
            for (int i = k * (n / 100); i < (k + 1) * (n / 100); i++)
                a[i] = b[i] + 1;
        }
    }
}
static void shift_serial(int n, int *a, const int *b) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] + 1;
}

/* An element changes in an inner loop, whose compiler is told that nothing overlaps where that is so. */
static void digest(int n, int *a, const int *b) {
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: b[heddle_lo : heddle_count + 7])
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int k = 0; k < 8; k++)
            a[i] = (a[i] * 3 + b[i + k]) & 0xffff;
    }
}
static void digest_serial(int n, int *a, const int *b) {
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int k = 0; k < 8; k++)
            a[i] = (a[i] * 3 + b[i + k]) & 0xffff;
    }
}

static void table(int n, int m, int (*A)[m], const int *weight) {
#pragma heddle wavefront map(to: weight[0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
}
static void table_serial(int n, int m, int (*A)[m], const int *weight) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
}

/* Arrays that stay on the host, of which devices get the borders only. */
static int score(int n, int m, int *F, int *E, const int *weight) {
    int best = 0;
#pragma heddle wavefront reduction(max: best) map(to: weight[0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            F[j] = (F[j] * 3 + weight[j] + E[i]) & 0xffff;
            E[i] = (E[i] + F[j]) & 0xffff;
            best = F[j] > best ? F[j] : best;
        }
    return best;
}
static int score_serial(int n, int m, int *F, int *E, const int *weight) {
    int best = 0;
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            F[j] = (F[j] * 3 + weight[j] + E[i]) & 0xffff;
            E[i] = (E[i] + F[j]) & 0xffff;
            best = F[j] > best ? F[j] : best;
        }
    return best;
}

static int data[2 * N], answer[2 * N];

static void fill(void) {
    for (int i = 0; i < 2 * N; i++)
        data[i] = answer[i] = i * 37 % 1009;
}

static void expect(const char *text, const char *place, bool overlap, const char *device) {
    struct heddle_report r;
    heddle_last_report(&r);
    if (lines(text) != overlap ||
        (overlap && (!strstr(text, "test_overlap.c:") || !strstr(text, "'a' and 'b' overlap, and 'a' is written") ||
                     !strstr(text, "serially") || !strstr(text, "share no memory"))))
        fail_msg("%s on %s: \"%s\"", place, device, text);
    if (overlap) {
        assert_int_equal(r.error, HEDDLE_EOVERLAP);
        assert_string_equal(r.schedule, "serial");
    }
    for (int i = 0; i < 2 * N; i++)
        if (data[i] != answer[i])
            fail_msg("%s on %s: element %d is %d, not %d", place, device, i, data[i], answer[i]);
}

/* One behind the other's, the same, one inside the other, and side by side: reading ahead is no overlap that matters to
   the values here, but to devices it is. */
static const struct {
    int n, a, b;
    bool overlap;
} places[] = {
    {N, 1, 0, true},  {N, 0, 1, true},  {N, 0, 0, true},    {N, N - 1, 0, true},
    {N, N, 0, false}, {N, 0, N, false}, {100, 50, 0, true},
};

static void on_each_device(void (*loop)(int n, int *a, const int *b), const char *name) {
    static const char *const devices[] = {"host", "0", "all", "auto"};
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++)
        for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
            fill();
            shift_serial(places[k].n, answer + places[k].a, answer + places[k].b);
            heddle_option_set("device", devices[d]);
            capture_start();
            loop(places[k].n, data + places[k].a, data + places[k].b);
            const char *text = capture_end();
            heddle_option_set("device", NULL);
            expect(text, name, places[k].overlap, devices[d]);
        }
}

static void loops(void **state) {
    (void)state;
    on_each_device(shift, "for");
}

static void pools(void **state) {
    (void)state;
    static const char *const schedules[] = {"dynamic", "steal", "global", "static", "barrier"};
    for (size_t k = 0; k < sizeof schedules / sizeof *schedules; k++) {
        heddle_option_set("pool", schedules[k]);
        on_each_device(shift_tasks, schedules[k]);
        on_each_device(shift_single, schedules[k]);
    }
    heddle_option_set("pool", NULL);
}

static void wavefronts(void **state) {
    (void)state;
    static const char *const devices[] = {"host", "0", "all"};
    static int A[ROWS][COLUMNS], B[ROWS][COLUMNS];
    struct heddle_report r;
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                A[i][j] = B[i][j] = i * 31 + j * 17;
        heddle_option_set("device", devices[d]);
        capture_start();
        table(ROWS, COLUMNS, A, A[ROWS - 1]);
        const char *text = capture_end();
        heddle_option_set("device", NULL);
        heddle_last_report(&r);
        table_serial(ROWS, COLUMNS, B, B[ROWS - 1]);
        assert_int_equal(lines(text), 1);
        assert_non_null(strstr(text, "'A' and 'weight' overlap, and 'A' is written"));
        assert_int_equal(r.error, HEDDLE_EOVERLAP);
        assert_memory_equal(A, B, sizeof A);
    }
}

static void host_arrays(void **state) {
    enum { SIDE = 200 };
    static const char *const devices[] = {"host", "0", "all"};
    static const struct {
        int F, E, weight;
        bool overlap;
    } at[] = {{0, 1000, 2000, false}, {0, SIDE, 2 * SIDE, false}, {0, 3, 2000, true}, {0, 1000, 5, true},
              {0, 1000, 1001, true},  {SIDE, 0, 2 * SIDE, false}, {0, 0, 2000, true}};
    (void)state;
    for (int d = 0; d < 3; d++)
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            fill();
            heddle_option_set("device", devices[d]);
            capture_start();
            const int best = score(SIDE, SIDE, data + at[k].F, data + at[k].E, data + at[k].weight);
            const char *text = capture_end();
            heddle_option_set("device", NULL);
            assert_int_equal(best, score_serial(SIDE, SIDE, answer + at[k].F, answer + at[k].E, answer + at[k].weight));
            assert_int_equal(lines(text), at[k].overlap);
            assert_true(!at[k].overlap || strstr(text, "overlap, and '"));
            assert_memory_equal(data, answer, sizeof data);
        }
}

/* What the program keeps on a device is where the serial loop finds it, and there again afterwards. */
static void kept_there(void (*loop)(int n, int *a, const int *b), void (*serial)(int n, int *a, const int *b),
                       const char *name) {
    fill();
#pragma omp target enter data map(to : data[0 : 2 * N]) device(1)
    memset(data, 0, sizeof data);
    serial(N, answer + 1, answer);
    capture_start();
    loop(N, data + 1, data);
    const char *text = capture_end();
    memset(data, 0, sizeof data);
#pragma omp target exit data map(from : data[0 : 2 * N]) device(1)
    answer[0] = data[0] = 0;
    for (int i = N + 1; i < 2 * N; i++) /* what no section names stays as the device had it */
        answer[i] = i * 37 % 1009;
    expect(text, name, true, "1");
}
static void kept(void **state) {
    (void)state;
    kept_there(shift, shift_serial, "for");
    kept_there(digest, digest_serial, "for");
    kept_there(shift_tasks, shift_serial, "pool");
}

int main(void) {
    heddle_option_set("threads", "4");
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops), cmocka_unit_test(pools), cmocka_unit_test(wavefronts),
                                       cmocka_unit_test(host_arrays), cmocka_unit_test(kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
