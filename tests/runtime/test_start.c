/* SPDX-License-Identifier: Apache-2.0 */
/* Registrations wait for the first question, with a stand-in for libomptarget. */
#include "device/device.h"
#include "device/omptarget.h"
#include "device/resolve.h"
#include "device/start.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static char log_of[64];
static char a, b, c;
static void note(const char *what, const void *library) {
    const size_t used = strlen(log_of);
    snprintf(log_of + used, sizeof log_of - used, "%s%c ", what, library == &a ? 'a' : library == &b ? 'b' : 'c');
}
static void add(void *library) {
    note("+", library);
    heddle__devices_start(); /* what it calls comes back here */
    assert_false(heddle__devices_wait());
}
static void gone(void *library) { note("-", library); }

void *heddle__omptarget_function(const char *name) {
    return strcmp(name, "__tgt_register_lib") ? (void *)gone : (void *)add;
}
int heddle_device_count(void) { return heddle__devices_start(), 1; }
void heddle__device_load(int device) { assert_int_equal(device, 0); }
const char *heddle_option_get(const char *name) { return assert_string_equal(name, "device"), "auto"; }
struct heddle__wish heddle__wish_read(int clause) { return (void)clause, (struct heddle__wish){.largest = -1}; }

static void *ask(void *unused) { return heddle__devices_start(), unused; }

static void whole_life(void **state) {
    (void)state;
    heddle__library_add(&a);
    heddle__library_add(&b);
    heddle__library_add(&c);
    heddle__library_remove(&b); /* unloaded before anybody asked */
    assert_string_equal(log_of, "");
    assert_true(heddle__devices_wait());
    heddle_start_devices();
    heddle_start_devices();
    pthread_t thread[4];
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, ask, NULL), 0);
    for (int k = 0; k < 4; k++)
        pthread_join(thread[k], NULL);
    assert_string_equal(log_of, "+a +c ");
    assert_false(heddle__devices_wait());
    heddle__library_add(&b); /* dlopen later */
    heddle__library_remove(&a);
    assert_string_equal(log_of, "+a +c +b -a ");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_life)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
