/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on their way to the driver are caught by either of its entry points, and go on where nobody catches. */
#include "device/cuda.h"
#include "device/replay.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

struct config { /* the driver's CUlaunchConfig */
    unsigned grid[3], block[3], shared;
    void *stream, *attributes;
    unsigned attribute_count;
};
typedef int plain(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned shared, void *stream, void **parameters, void **extra);
typedef int with_config(const struct config *config, void *function, void **parameters, void **extra);
extern void *stub_launch, *stub_launch_ex;

static int reached;
static int driver_launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                         unsigned shared, void *stream, void **parameters, void **extra) {
    (void)function, (void)stream, (void)parameters, (void)extra;
    reached = (int)(gx + gy + gz + bx + by + bz + shared);
    return 7;
}
static int driver_launch_ex(const struct config *config, void *function, void **parameters, void **extra) {
    (void)function, (void)parameters, (void)extra;
    reached = (int)config->grid[0];
    return 8;
}

void *heddle__cuda_function(const char *name) {
    void *at = NULL;
    if (!strcmp(name, "cuLaunchKernel"))
        *(plain **)&at = driver_launch;
    if (!strcmp(name, "cuLaunchKernelEx"))
        *(with_config **)&at = driver_launch_ex;
    return at;
}

static struct heddle__cuda_kernel taken;
static int take(struct heddle__cuda_catch *c, const struct heddle__cuda_kernel *k) {
    (void)c;
    taken = *k;
    return 0;
}

static int start(void **state) {
    (void)state;
    *(plain **)&stub_launch = driver_launch;
    *(with_config **)&stub_launch_ex = driver_launch_ex;
    return 0;
}

static void both_entries_are_caught(void **state) {
    struct heddle__cuda_catch c = {.take = take};
    struct config config = {{2, 3, 4}, {5, 6, 7}, 8, NULL, NULL, 0};
    void *arguments[1] = {&c};
    (void)state;
    assert_true(heddle__cuda_catch_begin(&c));
    assert_int_equal((*(with_config **)&stub_launch_ex)(&config, &config, arguments, NULL), 0);
    assert_int_equal(c.count, 1);
    assert_ptr_equal(taken.function, &config);
    assert_ptr_equal(taken.parameters, arguments);
    assert_memory_equal(taken.grid, config.grid, sizeof taken.grid);
    assert_memory_equal(taken.block, config.block, sizeof taken.block);
    assert_int_equal(taken.shared, 8);
    assert_int_equal((*(plain **)&stub_launch)(&c, 1, 2, 3, 4, 5, 6, 9, NULL, arguments, NULL), 0);
    assert_int_equal(c.count, 2);
    assert_int_equal(taken.block[2], 6);
    assert_int_equal(reached, 0);
    config.attribute_count = 1; /* cannot be a node */
    (*(with_config **)&stub_launch_ex)(&config, &config, arguments, NULL);
    assert_int_equal(c.count, 4);
    heddle__cuda_catch_end();
    assert_int_equal((*(with_config **)&stub_launch_ex)(&config, &config, arguments, NULL), 8);
    assert_int_equal(reached, 2);
    assert_int_equal((*(plain **)&stub_launch)(&c, 1, 2, 3, 4, 5, 6, 9, NULL, arguments, NULL), 7);
    assert_int_equal(reached, 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_entries_are_caught)};
    return cmocka_run_group_tests(tests, start, NULL);
}
