/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of devices on LLVM's x86_64 devices: facts, memory, copies, arenas, channels, what is known of kernels.
 * With an argument it is run under HEDDLE_FAULT=map:2 ("map") or copy:2 ("copy"): the second operation of the kind
 * fails.
 */
#include "device/available.h"
#include "device/device.h"
#include "core/fault.h"
#include <omp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { BYTES = 3 << 20 }; /* more than one part of a fill */
static int count;
static char *here, *back;

/* stand-ins for the rest of libheddle */
bool heddle__device_available(int device) { return (void)device, true; }
void heddle__warn(const struct heddle_site *site, const char *format, ...) { (void)site, (void)format; }
void heddle__verbose(const char *format, ...) { (void)format; }
double heddle__now(void) { return omp_get_wtime(); }
size_t heddle__option_bytes(const char *name) { return (void)name, 0; }

static void table(void **state) {
    struct heddle_device_info info;
    (void)state;
    assert_null(heddle__device(count));
    assert_null(heddle__device(HEDDLE__DEVICES));
    assert_null(heddle__device_facts(count));
    assert_int_equal(heddle_device_info(count, &info), HEDDLE_ENODEV);
    assert_int_equal(heddle_device_info(HEDDLE_DEVICE_AUTO, &info), HEDDLE_ENODEV);
    for (int d = 0; d < count; d++) {
        assert_int_equal(heddle__device(d)->number, d);
        assert_string_equal(heddle__device_facts(d)->kind, "other");
        assert_ptr_equal(heddle__device_facts(d), heddle__device_facts(d));
        assert_false(heddle__is_host(d));
        assert_false(heddle__device_is_cuda(d));
        assert_ptr_not_equal(heddle__device(d), heddle__device((d + 1) % count));
    }
    assert_string_equal(heddle__device_facts(HEDDLE_DEVICE_HOST)->kind, "host");
    assert_true(heddle__device_facts(HEDDLE_DEVICE_HOST)->units > 0);
    assert_true(heddle__is_host(HEDDLE_DEVICE_HOST) && heddle__is_host(count) && !heddle__is_host(HEDDLE_DEVICE_ALL));
    for (int k = 1; k <= 3; k++)
        assert_int_equal(heddle__device_judge(1, true), k);
    assert_int_equal(heddle__device_failures(1), 3);
    assert_int_equal(heddle__device_failures(0), 0);
    assert_int_equal(heddle__device_judge(1, false), 0);
    assert_true(heddle__device_first_told(0, &count));
    assert_false(heddle__device_first_told(0, &count));
    assert_true(heddle__device_first_told(1, &count));
}

/* From the host to device d, across to another one, and back; then zeroed. */
static void memory(void **state) {
    (void)state;
    for (int d = HEDDLE_DEVICE_HOST; d < count; d++) {
        const int other = d < 0 ? d : (d + 1) % count;
        char *there = heddle__device_alloc(d, BYTES), *beside = heddle__device_alloc(other, BYTES);
        assert_non_null(there);
        assert_non_null(beside);
        for (int k = 0; k < BYTES; k++)
            here[k] = (char)(k * 7 + d);
        assert_int_equal(heddle__device_copy_in(d, there, here, BYTES), HEDDLE_OK);
        if (d >= 0)
            assert_int_equal(heddle__device_copy_across(other, beside, d, there, BYTES), HEDDLE_OK);
        memset(back, 0, BYTES);
        assert_int_equal(heddle__device_copy_out(d, back, d < 0 ? there : there, BYTES), HEDDLE_OK);
        assert_memory_equal(here, back, BYTES);
        memset(back, 0, BYTES);
        assert_int_equal(heddle__device_copy_out(other, back, d < 0 ? there : beside, BYTES), HEDDLE_OK);
        assert_memory_equal(here, back, BYTES);
        assert_int_equal(heddle__device_zero(d, there + 1, BYTES - 2), HEDDLE_OK);
        assert_int_equal(heddle__device_copy_out(d, back, there, BYTES), HEDDLE_OK);
        assert_true(back[0] == here[0] && back[BYTES - 1] == here[BYTES - 1]);
        for (int k = 1; k < BYTES - 1; k++)
            assert_int_equal(back[k], 0);
        heddle__device_free(d, there);
        heddle__device_free(other, beside);
        heddle__device_free(d, NULL);
    }
    assert_int_equal(heddle__device_copy_in(count, here, back, 1), HEDDLE_ENODEV);
    assert_null(heddle__device_alloc(count, 1));
    const size_t too_much[] = {SIZE_MAX / 2, SIZE_MAX / 2, 16};
    assert_false(heddle__device_fits(0, too_much, 3));
}

static void arenas(void **state) {
    (void)state;
    char *first = heddle__arena_reserve(0, HEDDLE__ARENA_LOOP, 1000);
    assert_non_null(first);
    assert_ptr_equal(heddle__arena_reserve(0, HEDDLE__ARENA_LOOP, 10), first);
    assert_ptr_not_equal(heddle__arena_reserve(1, HEDDLE__ARENA_LOOP, 10), first);
    assert_ptr_not_equal(heddle__arena_reserve(0, HEDDLE__ARENA_POOL, 10), first);
    assert_non_null(heddle__arena_reserve(0, HEDDLE__ARENA_LOOP, BYTES));
    heddle__arena_trim(0, HEDDLE__ARENA_LOOP); /* not much */
    assert_int_equal(heddle__arena(0, HEDDLE__ARENA_LOOP)->bytes, BYTES);
    assert_non_null(heddle__arena_reserve(0, HEDDLE__ARENA_LOOP, HEDDLE__ARENA_KEEP + 1));
    heddle__arena_trim(0, HEDDLE__ARENA_LOOP);
    assert_int_equal(heddle__arena(0, HEDDLE__ARENA_LOOP)->bytes, 0);
    char *hung = heddle__arena_reserve(0, HEDDLE__ARENA_LOOP, 1000);
    heddle__arena_forget(0, HEDDLE__ARENA_LOOP);
    assert_ptr_not_equal(heddle__arena_reserve(0, HEDDLE__ARENA_LOOP, 1000), hung);
    assert_int_equal(heddle__device_copy_in(0, hung, here, 1000), HEDDLE_OK); /* it is still there */
    assert_null(heddle__arena_reserve(count, HEDDLE__ARENA_LOOP, 1));
}

/* A device without streams copies at once, from any memory. */
static void channels(void **state) {
    (void)state;
    char *there = heddle__device_alloc(1, BYTES);
    assert_int_equal(heddle__device_enter(1), HEDDLE_OK);
    struct heddle__channel *c = heddle__channel_take(1), *d = heddle__channel_take(1);
    assert_true(c && d && c != d);
    assert_true(heddle__device_locked(1, here, BYTES));
    memset(here, 3, BYTES);
    assert_int_equal(heddle__channel_in(1, c, there, here, BYTES), HEDDLE_OK);
    assert_int_equal(heddle__channel_record(1, c, 0), HEDDLE_OK);
    assert_int_equal(heddle__channel_wait(1, c, 0, 1), HEDDLE_OK);
    assert_int_equal(heddle__channel_out(1, c, back, there, BYTES), HEDDLE_OK);
    assert_memory_equal(here, back, BYTES);
    heddle__channel_give(1, c);
    assert_ptr_equal(heddle__channel_take(1), c);
    heddle__channel_drop(1, c);
    heddle__channel_give(1, d);
    heddle__device_leave(1);
    heddle__device_free(1, there);
    assert_false(heddle__device_reach(0, 1));
}

/* ---- kernels ------------------------------------------------------------------------------------------------------
 */
static int probes;
static struct heddle_image probe(int device) {
    assert_true(heddle__launching());
    __atomic_fetch_add(&probes, 1, __ATOMIC_RELAXED);
    return (struct heddle_image){.arch = device == 0 ? HEDDLE_ARCH_HOST : HEDDLE_ARCH_NONE, .warp = 1};
}

static void kernels(void **state) {
    static const struct heddle_site one = {.probe = probe}, two = {.probe = probe};
    (void)state;
    assert_false(heddle__launching());
    assert_int_equal(heddle__architecture(&one, 0), HEDDLE_ARCH_HOST);
    assert_int_equal(heddle__architecture(&one, 1), HEDDLE_ARCH_NONE);
    assert_int_equal(heddle__architecture(&one, 0), HEDDLE_ARCH_HOST);
    assert_int_equal(probes, 2);
    assert_ptr_not_equal(heddle__kernel_facts(&one, 0), heddle__kernel_facts(&two, 0));
    assert_int_equal(probes, 3);
    assert_int_equal(heddle__kernel_facts(&one, HEDDLE_DEVICE_HOST)->image.arch, HEDDLE_ARCH_HOST);
    assert_int_equal(probes, 3); /* the host has code for everything */
    assert_int_equal(heddle__architecture(&one, count), HEDDLE_ARCH_NONE);
    heddle__launch_begin();
    heddle_note_fallback();
    heddle__launch_begin(); /* an inner one does not take it from the outer one */
    assert_int_equal(heddle__launch_end(), HEDDLE_ELAUNCH);
    assert_int_equal(heddle__launch_end(), HEDDLE_ELAUNCH);
    heddle__launch_begin();
    assert_int_equal(heddle__launch_end(), HEDDLE_OK);
    assert_false(heddle__launching());
}

/* ---- faults -------------------------------------------------------------------------------------------------------
 */
static void map_fails(void **state) {
    (void)state;
    assert_non_null(heddle__arena_reserve(2, HEDDLE__ARENA_NEST, 100));
    assert_null(heddle__arena_reserve(2, HEDDLE__ARENA_NEST, 200));
    assert_null(heddle__arena(2, HEDDLE__ARENA_NEST)->memory);
    assert_int_equal(heddle__arena(2, HEDDLE__ARENA_NEST)->bytes, 0);
    char *there = heddle__arena_reserve(2, HEDDLE__ARENA_NEST, 100);
    assert_non_null(there);
    assert_int_equal(heddle__device_copy_in(2, there, here, 100), HEDDLE_OK);
}

static void copy_fails(void **state) {
    (void)state;
    char *there = heddle__device_alloc(3, BYTES);
    assert_int_equal(heddle__device_copy_in(3, there, here, BYTES), HEDDLE_OK);
    assert_int_equal(heddle__device_zero(3, there, BYTES), HEDDLE_ELAUNCH); /* its first part */
    assert_int_equal(heddle__device_copy_out(3, back, there, BYTES), HEDDLE_OK);
    assert_memory_equal(here, back, BYTES);
    assert_int_equal(heddle__device_zero(3, there, BYTES), HEDDLE_OK);
}

int main(int argc, char **argv) {
    const struct CMUnitTest all[] = {
        cmocka_unit_test(table),    cmocka_unit_test(memory),  cmocka_unit_test(arenas),
        cmocka_unit_test(channels), cmocka_unit_test(kernels),
    };
    const struct CMUnitTest map[] = {cmocka_unit_test(map_fails)}, copy[] = {cmocka_unit_test(copy_fails)};
    int ran = 0;
#pragma omp target map(tofrom : ran) device(0)
    ran = !omp_is_initial_device();
    count = heddle_device_count();
    if (!ran || count != 4) {
        printf("skipped: offload programs do not start here\n");
        return 77;
    }
    here = malloc(BYTES);
    back = malloc(BYTES);
    return argc < 2                  ? cmocka_run_group_tests(all, NULL, NULL)
           : !strcmp(argv[1], "map") ? cmocka_run_group_tests(map, NULL, NULL)
                                     : cmocka_run_group_tests(copy, NULL, NULL);
}
