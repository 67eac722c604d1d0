/* SPDX-License-Identifier: Apache-2.0 */
/* Task pools against the same programs with the pragmas ignored: every schedule, on the host, on x86_64 devices or on
 * a GPU. Usage: test_pool host|devices|gpu|guarded (devices, with guard.c preloaded) [flood (beside one that sends
 * without a pause)| refused|held (a kernel that does not come back; with arrays that the program holds on the device)]
 */
#include <heddle.h>
#include <omp.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>
#include "pool_nests.h"

extern const struct pools plain_pools, heddle_pools;

static void on(const char *schedule) { assert_int_equal(heddle_option_set("pool", schedule), 0); }

static void check_ran(void) {
    struct heddle_report report;
    heddle_last_report(&report);
    assert_int_equal(report.error, 0);
    assert_int_equal(report.device, pool_device);
}

static void compare_grid(int nf, int h, int w) {
    const size_t cells = (size_t)nf * (size_t)h * (size_t)w;
    uint32_t *want = calloc(cells + 1, sizeof *want), *got = calloc(cells + 1, sizeof *got);
    plain_pools.grid(nf, h, w, want);
    heddle_pools.grid(nf, h, w, got);
    assert_memory_equal(want, got, cells * sizeof *want);
    free(want);
    free(got);
}

static void test_grid(void **state) {
    (void)state;
    static const int sizes[][3] = {{1, 1, 1},   {1, 1, 50},  {1, 50, 1},   {3, 7, 5},
                                   {1, 23, 40}, {5, 33, 64}, {2, 100, 100}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        compare_grid(sizes[k][0], sizes[k][1], sizes[k][2]);
        check_ran();
    }
    compare_grid(0, 4, 4);
}

static void test_tree(void **state) {
    (void)state;
    for (int depth = 0; depth <= 14; depth += 7) {
        long want[2] = {3, 4}, got[2] = {3, 4};
        plain_pools.tree(depth, &want[0], &want[1]);
        heddle_pools.tree(depth, &got[0], &got[1]);
        assert_memory_equal(want, got, sizeof want);
        check_ran();
    }
}

static void test_fibonacci(void **state) {
    (void)state;
    for (int n = 0; n <= 20; n += 5) {
        long want = 0, got = 0;
        plain_pools.fibonacci(n, &want);
        heddle_pools.fibonacci(n, &got);
        assert_int_equal(want, got);
        check_ran();
    }
}

static void test_fibonacci_lanes(void **state) {
    (void)state;
    for (int n = 0; n <= 24; n += 4) {
        long want = 0, got = 0;
        plain_pools.fibonacci_lanes(n, &want);
        heddle_pools.fibonacci_lanes(n, &got);
        assert_int_equal(want, got);
        check_ran();
    }
}

static void test_rows(void **state) {
    (void)state;
    enum { N = 300 };
    static int values[N * 100];
    static long want[N], got[N];
    for (int k = 0; k < N * 100; k++)
        values[k] = (k * 7919) % 211 - 100;
    plain_pools.rows(N, values, want);
    heddle_pools.rows(N, values, got);
    assert_memory_equal(want, got, sizeof want);
    check_ran();
}

static void test_chain(void **state) {
    (void)state;
    enum { N = 60 };
    uint32_t want[N], got[N];
    for (int k = 0; k < N; k++)
        want[k] = got[k] = (uint32_t)k * 17 + 1;
    plain_pools.chain(40, N, want);
    heddle_pools.chain(40, N, got);
    assert_memory_equal(want, got, sizeof want);
    check_ran();
}

static void test_stream(void **state) {
    (void)state;
    enum { N = 700 };
    uint32_t want[N], got[N];
    for (int more = 0; more <= 3; more += 3) {
        for (int pause = 0; pause < 3; pause++) { /* the kernel stays for the next block, or has to come back */
            for (int k = 0; k < N; k++)
                want[k] = got[k] = (uint32_t)k;
            plain_pools.stream(9, N, more, want);
            heddle_pools.stream(9, N, more, got);
            assert_memory_equal(want, got, sizeof want);
            check_ran();
            if (pause)
                nanosleep(&(struct timespec){.tv_nsec = 8000000}, NULL);
        }
    }
}

/* Blocks of two threads at the same time: one has the kernel that stays, the other one makes it leave. */
enum { TOGETHER = 300, BLOCKS = 4 };
static void *send_blocks(void *numbers) {
    for (int k = 0; k < BLOCKS; k++)
        heddle_pools.stream(2, TOGETHER, 0, numbers);
    return NULL;
}

static void test_streams(void **state) {
    (void)state;
    static uint32_t want[2][TOGETHER], got[2][TOGETHER];
    pthread_t thread[2];
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < TOGETHER; k++)
            want[t][k] = got[t][k] = (uint32_t)(k + t);
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < BLOCKS; k++)
            plain_pools.stream(2, TOGETHER, 0, want[t]);
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, send_blocks, got[t]), 0);
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_memory_equal(want, got, sizeof want);
}

/* A block whose thread sends tasks without a pause keeps the device from nobody: not from another thread's pools, and
   not from calls that libheddle has no part in. Nobody gives up here: who never gets the device waits for ever. */
struct flood {
    int enough;
    long sent;
    uint32_t sum[1];
};
static void *send_flood(void *argument) {
    struct flood *f = argument;
    heddle_pools.flood(&f->enough, &f->sent, f->sum);
    return NULL;
}

static void beside_flood(void (*work)(void)) {
    if (pool_device == HEDDLE_DEVICE_HOST) /* a block notes down there what it is sent */
        skip();
    char timeout[32];
    struct flood f = {.sum = {7}}, one = {.enough = 1};
    pthread_t thread;
    plain_pools.flood(&one.enough, &one.sent, one.sum);
    snprintf(timeout, sizeof timeout, "%s", heddle_option_get("timeout"));
    heddle_option_set("timeout", "3600");
    assert_int_equal(pthread_create(&thread, NULL, send_flood, &f), 0);
    while (!__atomic_load_n(&f.sent, __ATOMIC_ACQUIRE))
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    work();
    __atomic_store_n(&f.enough, 1, __ATOMIC_RELEASE);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(f.sum[0], 7 + (uint32_t)f.sent * one.sum[0]);
    heddle_option_set("timeout", timeout);
}

static void run_pools(void) {
    for (int k = 0; k < 3; k++) {
        compare_grid(1, 23, 40);
        check_ran();
    }
}

enum { TURNS = 20, CELLS = 5000 };
static void *target_regions(void *wrong) {
    static int cells[CELLS];
    memset(cells, 0, sizeof cells);
    for (int turn = 1; turn <= TURNS; turn++) {
#pragma omp target teams distribute parallel for map(tofrom : cells) device(pool_device)
        for (int k = 0; k < CELLS; k++)
            cells[k] += k;
        for (int k = 0; k < CELLS; k++)
            *(int *)wrong += cells[k] != turn * k;
    }
    return NULL;
}

/* From what libomptarget keeps for itself to what it returns to the driver. */
static void *allocations(void *wrong) {
    for (int turn = 0; turn < TURNS; turn++) {
        void *p = omp_target_alloc((size_t)1 << (8 + turn), pool_device);
        *(int *)wrong += !p;
        omp_target_free(p, pool_device);
    }
    return NULL;
}

static void run_regions(void) {
    int wrong = 0;
    target_regions(&wrong);
    assert_int_equal(wrong, 0);
}

static void run_allocations(void) {
    int wrong = 0;
    allocations(&wrong);
    assert_int_equal(wrong, 0);
}

static void run_everything(void) {
    int wrong[2] = {0};
    pthread_t thread[2];
    assert_int_equal(pthread_create(&thread[0], NULL, target_regions, &wrong[0]), 0);
    assert_int_equal(pthread_create(&thread[1], NULL, allocations, &wrong[1]), 0);
    run_pools();
    for (int t = 0; t < 2; t++)
        assert_int_equal(pthread_join(thread[t], NULL), 0);
    assert_int_equal(wrong[0] + wrong[1], 0);
}

static void test_flood(void **state) { (void)state, beside_flood(run_pools); }
static void test_flood_regions(void **state) { (void)state, beside_flood(run_regions); }
static void test_flood_allocations(void **state) { (void)state, beside_flood(run_allocations); }
static void test_flood_everything(void **state) { (void)state, beside_flood(run_everything); }

/* The kernel does not come back after some turns: what it has done is there, and the rest runs here. */
extern int driver_kernels __attribute__((weak)); /* of driver_waits.c, where that is there */
static int held;

static void test_refused(void **state) {
    (void)state;
    if (!&driver_kernels)
        skip();
    struct flood f = {.sum = {7}}, one = {.enough = 1};
    pthread_t thread;
    plain_pools.flood(&one.enough, &one.sent, one.sum);
    heddle_pools.stream(1, 1, 0, &(uint32_t){0}); /* what asks whether there is a GPU */
    __atomic_store_n(&driver_kernels, 3, __ATOMIC_RELEASE);
#pragma omp target data map(tofrom : f.sum) device(pool_device) if(held)
    {
        assert_int_equal(pthread_create(&thread, NULL, send_flood, &f), 0);
        while (__atomic_load_n(&driver_kernels, __ATOMIC_ACQUIRE) >= 0)
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        __atomic_store_n(&f.enough, 1, __ATOMIC_RELEASE);
        assert_int_equal(pthread_join(thread, NULL), 0);
    }
    assert_int_equal(f.sum[0], 7 + (uint32_t)f.sent * one.sum[0]);
}

/* One worker, so that the order says something: larger priorities first, every number once. */
static void test_ranks(void **state) {
    (void)state;
    enum { N = 3000 };
    static int order[N];
    heddle_option_set("workers", "1");
    heddle_option_set("threads", "1");
    for (int by_task = 0; by_task < 2; by_task++) {
        int next[1] = {0}, seen[N] = {0};
        heddle_pools.ranks(N, by_task, next, order);
        check_ran();
        assert_int_equal(next[0], N);
        for (int k = 0; k < N; k++) {
            assert_in_range(order[k], 0, N - 1);
            assert_int_equal(seen[order[k]]++, 0);
            assert_true(k == 0 || order[k] % 4 <= order[k - 1] % 4);
        }
    }
    heddle_option_set("workers", "0");
    heddle_option_set("threads", "0");
}

/* Several iterations to a task: all shapes give what one at a time does. */
static void test_tiles(void **state) {
    static const char *const shapes[] = {"2,2", "1,5", "4,3", "16,16", "40,3"};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        assert_int_equal(heddle_option_set("pool-tile", shapes[k]), 0);
        test_grid(state);
    }
    heddle_option_set("pool-tile", "auto");
}

static int set_dynamic(void **state) { return (void)state, on("dynamic"), 0; }
static int set_steal(void **state) { return (void)state, on("steal"), 0; }
static int set_global(void **state) { return (void)state, on("global"), 0; }
static int set_static(void **state) { return (void)state, on("static"), 0; }
static int set_barrier(void **state) { return (void)state, on("barrier"), 0; }
static int set_serial(void **state) { return (void)state, on("serial"), 0; }

#define ALL(setup)                                                                                                     \
    cmocka_unit_test_setup(test_grid, setup), cmocka_unit_test_setup(test_tree, setup),                                \
        cmocka_unit_test_setup(test_fibonacci, setup), cmocka_unit_test_setup(test_fibonacci_lanes, setup),            \
        cmocka_unit_test_setup(test_rows, setup), cmocka_unit_test_setup(test_chain, setup),                           \
        cmocka_unit_test_setup(test_stream, setup), cmocka_unit_test_setup(test_streams, setup)

#define FLOODS                                                                                                         \
    cmocka_unit_test_setup(test_flood, set_dynamic), cmocka_unit_test_setup(test_flood_regions, set_dynamic),          \
        cmocka_unit_test_setup(test_flood_allocations, set_dynamic),                                                   \
        cmocka_unit_test_setup(test_flood_everything, set_dynamic)

static int choose(const char *mode) {
    struct heddle_device_info info;
    pool_device = HEDDLE_DEVICE_HOST;
    if (!strcmp(mode, "host"))
        return 0;
    for (int d = 0; d < heddle_device_count(); d++)
        if (!heddle_device_info(d, &info) && !strcmp(info.kind, "cuda") == !strcmp(mode, "gpu")) {
            pool_device = d;
            return 0;
        }
    return 77;
}

/* Is guard.c's malloc in place, whose new blocks hold a pattern? */
static int is_guarded(void) {
    volatile unsigned char *p = malloc(64);
    const int yes = p && p[0] == 0xa5 && p[63] == 0xa5;
    free((void *)p);
    return yes;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {ALL(set_dynamic),
                                       ALL(set_steal),
                                       ALL(set_global),
                                       ALL(set_static),
                                       ALL(set_barrier),
                                       FLOODS,
                                       cmocka_unit_test_setup(test_ranks, set_dynamic),
                                       cmocka_unit_test_setup(test_ranks, set_steal),
                                       cmocka_unit_test_setup(test_ranks, set_global),
                                       cmocka_unit_test_setup(test_tiles, set_dynamic),
                                       cmocka_unit_test_setup(test_tiles, set_static),
                                       cmocka_unit_test_setup(test_tiles, set_barrier)};
    const struct CMUnitTest serial[] = {ALL(set_serial)};
    const struct CMUnitTest floods[] = {FLOODS}, refused[] = {cmocka_unit_test_setup(test_refused, set_dynamic)};
    const char *only = argc > 2 ? argv[2] : "";
    if (argc < 2)
        return fputs("usage: runtime-pools host|devices|gpu|guarded [flood|refused|held]\n", stderr), 2;
    if (!strcmp(argv[1], "guarded") && !is_guarded())
        return fputs("guarded: guard.so is not preloaded, or GUARD is not set\n", stderr), 1;
    if (choose(argv[1]))
        return printf("skipped: no %s here\n", strcmp(argv[1], "gpu") ? "x86_64 devices" : "NVIDIA GPU"), 77;
    if (!strcmp(only, "flood"))
        return cmocka_run_group_tests(floods, NULL, NULL);
    held = !strcmp(only, "held");
    if (held || !strcmp(only, "refused"))
        return cmocka_run_group_tests(refused, NULL, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed ? failed : pool_device == HEDDLE_DEVICE_HOST ? cmocka_run_group_tests(serial, NULL, NULL) : 0;
}
