/* SPDX-License-Identifier: Apache-2.0 */
/* Which arrays on a device are the program's own, and which a call's that runs: seen from it and from other threads. */
#include "device/device.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static char array[100];
static _Atomic int mapped; /* how often [0, 100) is on device 1 */

bool heddle__device_present(int device, const void *here) {
    return device == 1 && atomic_load(&mapped) && (const char *)here >= array && (const char *)here < array + 100;
}
void heddle__verbose(const char *format, ...) { (void)format; }
void heddle__lost(const struct heddle_site *site, const char *format, ...) {
    (void)site, (void)format;
    abort(); /* no copy fails here */
}
const char *heddle_strerror(int error) { return (void)error, ""; }
int heddle__devices_started(void) { return 2; }
static bool fits(struct heddle__device *d, const size_t *bytes, int n) { return (void)d, (void)bytes, (void)n, true; }
struct heddle__device *heddle__device(int device) {
    static const struct heddle__device_ops ops = {.fits = fits};
    static struct heddle__device d = {.ops = &ops};
    return (void)device, &d;
}
int heddle__device_map(int device, const struct heddle_map *maps, int nmaps, void **there) {
    for (int k = 0; k < nmaps; k++)
        there[k] = (char *)maps[k].base + maps[k].first;
    atomic_fetch_add(&mapped, 1);
    return (void)device, HEDDLE_OK;
}
void heddle__device_unmap(int device, const struct heddle_map *maps, int nmaps, bool keep) {
    (void)device, (void)maps, (void)nmaps, (void)keep;
    atomic_fetch_sub(&mapped, 1);
}
void *heddle__device_mapped(int device, const void *here) { return (void)device, (void)here, NULL; }
int heddle__device_copy_in(int device, void *there, const void *here, size_t bytes) {
    return (void)device, (void)there, (void)here, (void)bytes, 0;
}
int heddle__device_copy_out(int device, void *here, const void *there, size_t bytes) {
    return (void)device, (void)there, (void)here, (void)bytes, 0;
}

static char env[sizeof(char *)];
static int enter(const struct heddle_map *m) { return heddle__maps_enter(m, 1, 1, env); }
static void leave(const struct heddle_map *m) { heddle__maps_exit(m, 1, 1, false); }

static struct heddle_map part(size_t first, size_t bytes) {
    return (struct heddle_map){.base = array, .first = (ptrdiff_t)first, .bytes = bytes, .kind = HEDDLE_MAP_TO};
}

/* What another thread sees. */
static void *look(void *map) { return (void *)(uintptr_t)(heddle__maps_kept(map, 1) ? 1 : 2); }
static bool others_see(struct heddle_map m) {
    pthread_t id;
    void *result;
    assert_int_equal(pthread_create(&id, NULL, look, &m), 0);
    pthread_join(id, &result);
    return (uintptr_t)result == 1;
}

static void test_of_a_call(void **state) {
    (void)state;
    const struct heddle_map all = part(0, 100), some = part(20, 10), none = part(0, 0);
    assert_false(others_see(all));
    assert_int_equal(enter(&all), HEDDLE_OK);
    assert_false(others_see(all));
    assert_false(others_see(some));
    assert_true(heddle__maps_kept(&some, 1)); /* a loop of the call's own finds it */
    assert_false(heddle__maps_kept(&none, 1));
    assert_int_equal(enter(&some), HEDDLE_OK); /* nor does what is mapped inside make it the program's */
    assert_false(others_see(some));
    leave(&some);
    leave(&all);
    mapped = 1;
    assert_true(others_see(all));
    mapped = 0;
}

static void test_of_the_program(void **state) {
    (void)state;
    const struct heddle_map all = part(0, 100);
    mapped = 1; /* target enter data */
    assert_true(others_see(all));
    assert_int_equal(enter(&all), HEDDLE_OK);
    assert_true(others_see(all));
    leave(&all);
    assert_true(others_see(all));
    mapped = 0;
}

/* Two calls that share an array: it stays a call's when the first of them goes. */
static void *enter_there(void *map) {
    char own[sizeof(char *)];
    return heddle__maps_enter(map, 1, 1, own) ? map : NULL;
}
static void *leave_there(void *map) { return leave(map), NULL; }
static void *in_thread(void *(*what)(void *), struct heddle_map *m) {
    pthread_t id;
    void *result;
    assert_int_equal(pthread_create(&id, NULL, what, m), 0);
    pthread_join(id, &result);
    return result;
}

static void test_of_two_calls(void **state) {
    (void)state;
    struct heddle_map all = part(0, 100), some = part(0, 50);
    assert_null(in_thread(enter_there, &all));
    assert_int_equal(enter(&some), HEDDLE_OK);
    in_thread(leave_there, &all);
    assert_false(others_see(some));
    leave(&some);
}

/* A larger section waits until the call that has a part of it ends; one that does not end is not waited for for ever.
 */
static void test_of_parts(void **state) {
    (void)state;
    struct heddle_map all = part(0, 100), some = part(20, 10), inside = part(22, 4), beside = part(30, 10);
    pthread_t id;
    void *result;
    assert_int_equal(enter(&some), HEDDLE_OK);
    assert_null(in_thread(enter_there, &inside));
    in_thread(leave_there, &inside);
    assert_null(in_thread(enter_there, &beside));
    in_thread(leave_there, &beside);
    assert_non_null(in_thread(enter_there, &all));
    assert_int_equal(pthread_create(&id, NULL, enter_there, &all), 0);
    leave(&some);
    pthread_join(id, &result);
    assert_null(result);
    leave(&all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_of_a_call),
        cmocka_unit_test(test_of_the_program),
        cmocka_unit_test(test_of_two_calls),
        cmocka_unit_test(test_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
