/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the runtime says when a nest cannot run where or how it was asked to, and that the result is right all the
 * same: overlapping arrays, a device that is not there, a program without code for the device, a wait that timed
 * out. Built with the x86_64 devices in the program; messages_host.c's nest holds no code for them.
 */
#include <heddle.h>
#include <heddle/engine/nest.h>
#include <heddle/engine/wavefront/sync.h>
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "capture.h"

enum { N = 140, M = 170 };

static void combine(int n, int m, int (*A)[m], const int *weight) {
#pragma heddle wavefront map(to : weight[0 : m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
}
static void combine_serial(int n, int m, int (*A)[m], const int *weight) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
}
static void combine_on(int device, int n, int m, int (*A)[m], const int *weight) {
#pragma heddle wavefront map(to : weight[0 : m]) device(device)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
}
void combine_host_code(int device, int n, int m, int (*A)[m]); /* messages_host.c */

static int A[N][M], B[N][M], ones[M];
static void start(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            A[i][j] = B[i][j] = (i * 31 + j * 17) % 101;
    for (int j = 0; j < M; j++)
        ones[j] = 1;
}

void add_linear(int n, int m, int wide, int *a);
void add_rows(int n, int m, int **a);

/* Serially where iterations meet, which is said once; in parallel, and nothing, where they do not. */
static void tested_before(void **state) {
    enum { ROWS = 300, COLUMNS = 20 };
    static int a[ROWS * COLUMNS], b[ROWS * COLUMNS], *row[ROWS];
    struct heddle_report r;
    (void)state;
    heddle_option_set("device", "host");
    heddle_option_set("for", "gss"); /* by several threads: what one runs in order needs no test */
    for (int wide = COLUMNS; wide > COLUMNS - 3; wide--)
        for (int behind = 0; behind < 2; behind++) {
            for (int i = 0; i < ROWS; i++)
                row[i] = a + i * wide;
            capture_start();
            for (int again = 0; again < 2; again++) {
                for (int k = 0; k < ROWS * COLUMNS; k++)
                    a[k] = b[k] = k % 9;
                behind ? add_rows(ROWS, COLUMNS, row) : add_linear(ROWS, COLUMNS, wide, a);
                for (int i = 0; i < ROWS; i++)
                    for (int j = 0; j < COLUMNS; j++)
                        b[i * wide + j] = 2 * b[i * wide + j] + i;
                assert_memory_equal(a, b, sizeof a);
                heddle_last_report(&r);
                assert_int_equal(r.error, wide < COLUMNS ? HEDDLE_EOVERLAP : HEDDLE_OK);
            }
            const char *text = capture_end(), *what = behind ? "rows of 'a' share memory" : "wide >= m";
            assert_int_equal(lines(text), wide == COLUMNS - 1);
            if (wide == COLUMNS - 1)
                assert_non_null(strstr(text, what));
        }
    heddle_option_set("for", NULL);
    heddle_option_set("device", NULL);
}

void mix_rows(int n, int m, int **a);

/* Rows behind pointers, of a nest: one that is another one, or begins within it, and then is put right. */
static void rows_of_a_nest(void **state) {
    static int *rows[3][N];
    struct heddle_report r;
    (void)state;
    start();
    for (int i = 0; i < N; i++)
        rows[0][i] = rows[1][i] = A[i], rows[2][i] = A[N - 1 - i];
    rows[0][N / 2] = A[3];
    rows[1][N / 2] = A[3] + M / 2;
    heddle_option_set("device", "host");
    for (int k = 0; k < 3; k++) {
        int *other[N];
        start();
        for (int i = 0; i < N; i++)
            other[i] = rows[k][i] - &A[0][0] + &B[0][0];
        for (int again = 0; again < 2; again++) {
            capture_start();
            mix_rows(N, M / 2 + 1, rows[k]);
            const char *text = capture_end();
            heddle_last_report(&r);
            assert_int_equal(lines(text), !k && !again);
            assert_true(k || again || strstr(text, "rows of 'a' share memory"));
            assert_int_equal(r.error, k < 2 ? HEDDLE_EOVERLAP : HEDDLE_OK);
            for (int i = 1; i < N; i++)
                for (int j = 1; j < M / 2 + 1; j++)
                    other[i][j] = (other[i - 1][j] + other[i][j - 1]) & 0xffff;
            assert_memory_equal(A, B, sizeof A);
        }
    }
    heddle_option_set("device", NULL);
}

/* A row of the matrix is the weights: other cells would be in use while they are written. */
static void overlap(void **state) {
    (void)state;
    struct heddle_report r;
    static const char *const devices[] = {"host", "0"};
    for (int d = 0; d < 2; d++) {
        start();
        heddle_option_set("device", devices[d]);
        capture_start();
        combine(N, M, A, A[N / 2]);
        const char *text = capture_end();
        heddle_last_report(&r);
        combine_serial(N, M, B, B[N / 2]);
        assert_int_equal(lines(text), 1);
        assert_non_null(strstr(text, "test_messages.c:"));
        assert_non_null(strstr(text, "'A'"));
        assert_non_null(strstr(text, "'weight'"));
        assert_non_null(strstr(text, "overlap"));
        assert_int_equal(r.error, HEDDLE_EOVERLAP);
        assert_string_equal(r.schedule, "serial");
        assert_memory_equal(A, B, sizeof A);
    }
    /* side by side is no overlap, and neither are two read-only views */
    static int both[N * M + M];
    start();
    memcpy(both, A, sizeof A);
    memcpy(both + N * M, ones, sizeof ones);
    heddle_option_set("device", "host");
    capture_start();
    combine(N, M, (int(*)[M])both, both + N * M);
    assert_string_equal(capture_end(), "");
    combine_serial(N, M, B, ones);
    assert_memory_equal(both, B, sizeof B);
    heddle_option_set("device", NULL);
}

static void expect_host(const char *text, const char *phrase) {
    struct heddle_report r;
    heddle_last_report(&r);
    if (lines(text) != 1 || !strstr(text, phrase))
        fail_msg("stderr is \"%s\", not one line with \"%s\"", text, phrase);
    assert_non_null(strstr(text, "running on the host"));
    assert_int_equal(r.device, HEDDLE_DEVICE_HOST);
    assert_int_equal(r.error, 0);
    assert_string_not_equal(r.schedule, "serial");
    assert_memory_equal(A, B, sizeof A);
}

static void missing_device(void **state) {
    (void)state;
    static const int numbers[] = {5, 1000, 2147483647, -4, -2147483647};
    char phrase[64];
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        start();
        combine_serial(N, M, B, ones);
        capture_start();
        combine_on(numbers[k], N, M, A, ones);
        const char *text = capture_end();
        snprintf(phrase, sizeof phrase, "device %d is not there", numbers[k]);
        expect_host(text, phrase);
    }
    start();
    combine_serial(N, M, B, ones);
    heddle_option_set("device", "77");
    capture_start();
    combine(N, M, A, ones);
    const char *text = capture_end();
    heddle_option_set("device", NULL);
    expect_host(text, "device 77 is not there");
}

static void combine_on_all(int n, int m, int (*A)[m], const int *weight) {
#pragma heddle wavefront map(to : weight[0 : m]) device(all)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * weight[j]) & 0xffff;
}

/* The clause deals the nest over all devices; where it cannot, one line says why, once. */
static void all_or_one(void **state) {
    static const char *const schedules[] = {"registers", "peer", "peer"};
    struct heddle_report r;
    (void)state;
    for (int k = 0; k < 3; k++) {
        start();
        combine_serial(N, M, B, ones);
        heddle_option_set("wavefront", schedules[k]);
        capture_start();
        combine_on_all(N, M, A, ones);
        const char *text = capture_end();
        heddle_last_report(&r);
        heddle_option_set("wavefront", NULL);
        assert_memory_equal(A, B, sizeof A);
        assert_int_equal(lines(text), k == 1);
        if (k == 1)
            assert_non_null(strstr(text, "device(all): only the register form runs on several; running on device 0"));
        assert_int_equal(r.device, k ? 0 : HEDDLE_DEVICE_ALL);
        assert_int_equal(r.error, 0);
    }
}

static void no_code_for_device(void **state) {
    (void)state;
    start();
    combine_serial(N, M, B, ones);
    capture_start();
    combine_host_code(0, N, M, A);
    const char *text = capture_end();
    expect_host(text, "no code for device 0");
}

/* ---- waits ------------------------------------------------------------------------------------------------ */

/* A tile row that never makes progress: its neighbour below gives up after the timeout and publishes that, and
   everybody further down is released by it: their own timeout is longer than any test. */
struct waiter {
    pthread_t thread;
    struct heddle_gpu_control *control;
    uint64_t *progress;
    long row, got;
    double seconds;
};
static double seconds_now(void) { return (double)heddle_clock_ns() * 1e-9; }
static void *run_waiter(void *argument) {
    struct waiter *w = argument;
    const double begin = seconds_now();
    w->got = heddle_spin(w->control, w->progress + (w->row - 1) * HEDDLE_FLAG_WORDS, w->row - 1, 100);
    w->seconds = seconds_now() - begin;
    if (w->got < 0) {
        heddle_publish(w->progress + w->row * HEDDLE_FLAG_WORDS, w->row, -1);
        heddle_store_release(&w->control->error, (uint64_t)w->row + 1);
    }
    return NULL;
}

static void waiters_give_up(void **state) {
    (void)state;
    static uint64_t progress[8 * HEDDLE_FLAG_WORDS];
    struct heddle_gpu_control first = {.timeout_ns = 200000000, .progress = progress, .ring = 8};
    struct heddle_gpu_control others = {.timeout_ns = 3600000000000, .progress = progress, .ring = 8};
    struct waiter w[5];
    memset(progress, 0, sizeof progress);
    heddle_publish(progress, 0, 40); /* row 0 stops after 40 of 100 */
    for (int k = 0; k < 5; k++) {
        w[k] = (struct waiter){.control = k ? &others : &first, .progress = progress, .row = k + 1};
        assert_int_equal(pthread_create(&w[k].thread, NULL, run_waiter, &w[k]), 0);
    }
    for (int k = 0; k < 5; k++)
        pthread_join(w[k].thread, NULL);
    for (int k = 0; k < 5; k++) {
        assert_int_equal(w[k].got, -1);
        assert_int_equal(progress[(k + 1) * HEDDLE_FLAG_WORDS] & HEDDLE_GAVE_UP, HEDDLE_GAVE_UP);
        assert_int_equal(progress[(k + 1) * HEDDLE_FLAG_WORDS] >> HEDDLE_ROW_SHIFT, k + 1);
    }
    assert_true(w[0].seconds > 0.15);
    assert_int_equal(first.error, 2);
    assert_true(others.error >= 3 && others.error <= 6);
    /* who comes later does not wait at all */
    assert_int_equal(heddle_spin(&others, progress + 5 * HEDDLE_FLAG_WORDS, 5, 1), -1);
}

/* Progress, however slow, is no reason to give up: all of it takes longer than the timeout. A machine that lets nobody
   run for as long is, so there are several tries. */
struct slow {
    pthread_t thread;
    uint64_t *progress;
};
static void *run_slow(void *argument) {
    struct slow *s = argument;
    for (long done = 1; done <= 10; done++) {
        usleep(120000);
        heddle_publish(s->progress, 3, done);
    }
    return NULL;
}
static long wait_for_slow(uint64_t *word) {
    struct heddle_gpu_control control = {.timeout_ns = 1000000000};
    struct slow s = {.progress = word};
    assert_int_equal(pthread_create(&s.thread, NULL, run_slow, &s), 0);
    const long got = heddle_spin(&control, word, 3, 10);
    pthread_join(s.thread, NULL);
    return got;
}
static void slow_is_not_stuck(void **state) {
    (void)state;
    uint64_t word = 0;
    long got = -1;
    for (int try = 0; try < 10 && got < 0; try++) {
        word = 0;
        got = wait_for_slow(&word);
    }
    assert_int_equal(got, 10);
    /* a word that a later row uses by now has passed any goal of an earlier one */
    struct heddle_gpu_control control = {.timeout_ns = 250000000};
    heddle_publish(&word, 9, 0);
    assert_true(heddle_spin(&control, &word, 3, 10) >= 0);
}

/* A nest whose kernel finds, as one after a timeout does, that a row block waited in vain. */
struct fake_env {
    int *S;
};
static int fake_error, launches;
static struct heddle_image fake_probe(int device) {
    return (void)device, (struct heddle_image){.arch = HEDDLE_ARCH_HOST, .warp = 1};
}
static int fake_gpu(const struct heddle_gpu_call *call) {
    launches++;
    const struct fake_env *env = call->control->env; /* an x86_64 device's memory is the host's */
    env->S[5] = -1;
    heddle_store_release(&call->control->error, (uint64_t)fake_error);
    return 0;
}
static int fake_rows(int isa) { return (void)isa, 32; }
static void fake_red_start(void *red) { (void)red; }
static void fake_red_join(void *into, const void *from) { (void)into, (void)from; }

static int fake_run(int *S, size_t count) {
    static const struct heddle_nest nest = {
        .site = {.file = "fake.c", .function = "fake", .kind = "wavefront", .line = 12, .probe = fake_probe},
        .flags = HEDDLE_NEST_MEMORY,
        .skew = 1,
        .depth = 1,
        .env_bytes = sizeof(struct fake_env),
        .edge_bytes = 4,
        .cell_bytes = 4,
        .red_bytes = 0,
        .cpu_rows = fake_rows,
        .gpu = fake_gpu,
        .red_start = fake_red_start,
        .red_join = fake_red_join};
    struct fake_env env = {.S = S};
    char red[1];
    struct heddle_map maps[] = {{.name = "S",
                                 .slot = offsetof(struct fake_env, S),
                                 .kind = HEDDLE_MAP_TOFROM | HEDDLE_MAP_W,
                                 .base = S,
                                 .first = 0,
                                 .bytes = count * sizeof *S}};
    struct heddle_wavefront call = {.nest = &nest,
                                    .env = &env,
                                    .red = red,
                                    .maps = maps,
                                    .nmaps = 1,
                                    .i0 = 0,
                                    .i1 = 99,
                                    .j0 = 0,
                                    .j1 = 99,
                                    .schedule = HEDDLE_SCHEDULE_PEER,
                                    .device = 0};
    return heddle_wavefront_run(&call);
}

static void timeout_is_reported(void **state) {
    (void)state;
    int S[16];
    struct heddle_report r;
    for (int k = 0; k < 16; k++)
        S[k] = k;
    heddle_option_set("timeout", "2.5");
    fake_error = 1 + 41;
    capture_start();
    const int error = fake_run(S, 16);
    const char *text = capture_end();
    assert_int_equal(error, HEDDLE_ETIMEDOUT);
    heddle_last_report(&r);
    assert_int_equal(r.error, HEDDLE_ETIMEDOUT);
    if (!strstr(text, "fake.c:12") || !strstr(text, "41") || !strstr(text, "2.5") || !strstr(text, "HEDDLE_TIMEOUT") ||
        !strstr(text, "running this loop serially"))
        fail_msg("stderr is \"%s\"", text);
    for (int k = 0; k < 16; k++)
        assert_int_equal(S[k], k); /* nothing was changed: the serial form starts from the user's values */
    fake_error = 0;
    capture_start();
    assert_int_equal(fake_run(S, 16), 0);
    assert_string_equal(capture_end(), "");
    assert_int_equal(S[5], -1);
    assert_int_equal(launches, 2);
    heddle_option_set("timeout", NULL);
}

/* An enclosing target data holds the arrays and the nest runs on the host all the same: because it is small, by
   HEDDLE_DEVICE, or serially. The device's values count, before and after. */
static void present_but_on_host(void **state) {
    (void)state;
    static const char *const ways[][2] = {
        {"auto", "auto"}, {"host", "auto"}, {"host", "peer"}, {"auto", "serial"}, {"1", "auto"}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        for (int n = 5; n <= N; n += N - 5) {
            start();
            int *flat = &A[0][0];
            B[0][1] = 4321;
            combine_serial(n, M, B, ones);
            heddle_option_set("device", ways[k][0]);
            heddle_option_set("wavefront", ways[k][1]);
#pragma omp target data map(tofrom : flat[0 : N * M]) device(0)
            {
#pragma omp target map(tofrom : flat[0 : N * M]) device(0)
                flat[1] = 4321;
                combine(n, M, A, ones);
            }
            heddle_option_set("device", NULL);
            heddle_option_set("wavefront", NULL);
            if (memcmp(A, B, sizeof A))
                print_error("device %s, schedule %s, %d rows: wrong\n", ways[k][0], ways[k][1], n);
            assert_memory_equal(A, B, sizeof A);
        }
}

/* The only copy of an array is on the device, and a kernel that gave up left it half done: the program ends. */
static int lose(void) {
    int S[16] = {0};
    fake_error = 1 + 41;
#pragma omp target data map(tofrom : S[0 : 16]) device(0)
    fake_run(S, 16);
    puts("the program went on");
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waiters_give_up),    cmocka_unit_test(slow_is_not_stuck),   cmocka_unit_test(overlap),
        cmocka_unit_test(tested_before),      cmocka_unit_test(all_or_one),          cmocka_unit_test(missing_device),
        cmocka_unit_test(no_code_for_device), cmocka_unit_test(timeout_is_reported), cmocka_unit_test(rows_of_a_nest),
    };
    const struct CMUnitTest present[] = {cmocka_unit_test(present_but_on_host)};
    if (heddle_device_count() < 1)
        return puts("skipped: no x86_64 devices here"), 77;
    if (argc > 1 && !strcmp(argv[1], "present"))
        return cmocka_run_group_tests_name("data present", present, NULL, NULL);
    if (argc > 1 && !strcmp(argv[1], "lost"))
        return lose();
    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
