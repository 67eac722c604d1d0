/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of a device, with stand-ins for devices, options and messages: device 2 is a GPU, device 1 has no code. */
#include "device/available.h"
#include "device/device.h"
#include "device/resolve.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { COUNT = 3, GPU = 2, FROM = 1000 };
static const char *option;
static char said[256];
static struct heddle__kernel_facts facts[COUNT + 1];
static const struct heddle_site site = {.file = "loop.c", .line = 7};

static bool waits;
bool heddle__devices_wait(void) { return waits; }
static int counted; /* how often devices were asked for while they waited */
int heddle_device_count(void) {
    counted += waits;
    return COUNT;
}
int heddle__host_threads(void) { return 2; }
bool heddle__is_host(int device) { return device == HEDDLE_DEVICE_HOST || device == COUNT; }
bool heddle__device_refused(const struct heddle_site *s, int device) { return (void)s, (void)device, false; }
void heddle__option_read(const char *name, char *value, size_t size) {
    assert_string_equal(name, "device");
    snprintf(value, size, "%s", option);
}
void heddle__option_bad(const char *name, const char *value) { snprintf(said, sizeof said, "bad %s=%s", name, value); }
void heddle__warn(const struct heddle_site *s, const char *format, ...) {
    va_list rest;
    assert_ptr_equal(s, &site);
    va_start(rest, format);
    vsnprintf(said, sizeof said, format, rest);
    va_end(rest);
}
struct heddle__kernel_facts *heddle__kernel_facts(const struct heddle_site *s, int device) {
    assert_ptr_equal(s, &site);
    return &facts[device < 0 ? COUNT : device];
}
int heddle__architecture(const struct heddle_site *s, int device) {
    (void)s;
    return device == GPU ? HEDDLE_ARCH_GPU : device == 1 ? HEDDLE_ARCH_NONE : HEDDLE_ARCH_HOST;
}

static int choose(const char *by_option, int clause, double work, bool shares, int holder) {
    option = by_option;
    *said = 0;
    return heddle__resolve(&(struct heddle__resolve){
        .site = &site, .clause = clause, .shares = shares, .holder = holder, .work = work, .gpu_from = FROM});
}
static int automatic(double work) { return choose("auto", HEDDLE_DEVICE_AUTO, work, false, HEDDLE_DEVICE_HOST); }

static int start(void **state) {
    (void)state;
    memset(facts, 0, sizeof facts);
    return 0;
}

static void by_name(void **state) {
    enum { AUTO = HEDDLE_DEVICE_AUTO, HOST = HEDDLE_DEVICE_HOST };
    static const struct {
        const char *option;
        int clause, device;
        const char *said;
    } cases[] = {
        {"host", AUTO, HOST, ""},
        {"2", AUTO, GPU, ""},
        {"2", HOST, HOST, ""},
        {"host", 2, GPU, ""},
        {"3", AUTO, HOST, "device 3 is not there"}, /* the host is `host` here, whatever its number */
        {"all", AUTO, HEDDLE_DEVICE_ALL, ""},
        {"host", HEDDLE_DEVICE_ALL, HEDDLE_DEVICE_ALL, ""},
        {"1,2", AUTO, GPU, "no code for device 1"},
        {"1", AUTO, HOST, "no code for device 1"},
        {"9", AUTO, HOST, "device 9 is not there (3 found)"},
        {"0", 99, HOST, "device 99 is not there (3 found)"},
        {"0", -4, HOST, "device -4 is not there (3 found)"},
        {"99999999999", AUTO, HOST, "is not there"},
        {"2,", AUTO, HOST, "bad device=2,"},
        {"two", AUTO, HOST, "bad device=two"},
        {"-1", AUTO, HOST, "bad device=-1"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(choose(cases[k].option, cases[k].clause, 1, true, HOST), cases[k].device);
        assert_non_null(strstr(said, cases[k].said));
        assert_true(*cases[k].said || !*said);
    }
    assert_int_equal(choose("all", AUTO, FROM, false, HOST), GPU); /* a pool has one device */
}

static void where_the_arrays_are(void **state) {
    (void)state;
    assert_int_equal(choose("auto", HEDDLE_DEVICE_AUTO, 1, false, 0), 0);
    assert_int_equal(choose("auto", HEDDLE_DEVICE_AUTO, FROM, false, 1), GPU); /* no code there */
    assert_int_equal(choose("2", HEDDLE_DEVICE_AUTO, 1, false, 0), GPU);
}

static void run(double work, int device, double seconds, int times) {
    for (int k = 0; k < times; k++)
        heddle__resolve_note(&site, device, work, seconds);
}

static void by_costs(void **state) {
    (void)state;
    assert_int_equal(automatic(FROM - 1), HEDDLE_DEVICE_HOST);
    assert_int_equal(automatic(FROM), GPU);
    run(FROM, GPU, 1e-3, 1); /* the first run tells nothing */
    assert_int_equal(automatic(FROM), GPU);
    run(FROM, GPU, 1e-3, 1); /* this one does: what about the host? */
    assert_int_equal(automatic(FROM), HEDDLE_DEVICE_HOST);
    run(FROM, HEDDLE_DEVICE_HOST, 9, 1);
    assert_int_equal(automatic(FROM), HEDDLE_DEVICE_HOST);
    run(FROM, HEDDLE_DEVICE_HOST, 2e-3, 1);
    assert_int_equal(automatic(FROM), GPU); /* slower, and known */
    run(FROM, HEDDLE_DEVICE_HOST, 1e-4, 1);
    assert_int_equal(automatic(FROM), HEDDLE_DEVICE_HOST);
    assert_int_equal(automatic(FROM - 1), HEDDLE_DEVICE_HOST); /* the same size class */
    assert_int_equal(automatic(8 * FROM), GPU);                /* another one */
    run(8 * FROM, GPU, 1, 2);                                  /* far from the bound nothing is tried */
    assert_int_equal(automatic(8 * FROM), GPU);
}

static double model(const void *with, int device) { return device == HEDDLE_DEVICE_HOST ? *(const double *)with : 1; }

static void by_model(void **state) {
    double host = 2;
    struct heddle__resolve call = {.site = &site,
                                   .clause = HEDDLE_DEVICE_AUTO,
                                   .holder = HEDDLE_DEVICE_HOST,
                                   .work = FROM,
                                   .gpu_from = FROM,
                                   .expected = model,
                                   .with = &host};
    (void)state;
    option = "auto";
    assert_int_equal(heddle__resolve(&call), GPU);
    host = 0.5;
    assert_int_equal(heddle__resolve(&call), HEDDLE_DEVICE_HOST);
}

static void devices_that_wait(void **state) {
    (void)state;
    struct heddle__resolve call = {
        .site = &site, .clause = HEDDLE_DEVICE_AUTO, .holder = HEDDLE_DEVICE_HOST, .gpu_from = FROM, .host_rate = 1e6};
    option = "auto";
    waits = true;
    call.work = FROM / 5;
    assert_int_equal(heddle__resolve(&call), HEDDLE_DEVICE_HOST);
    assert_int_equal(counted, 0);
    call.work = 1e6; /* two threads: half a second, they are worth it */
    assert_int_equal(heddle__resolve(&call), GPU);
    assert_int_equal(counted, 1);
    call.work = 1e5; /* 50 ms */
    for (int k = 0; k < 2; k++) {
        assert_int_equal(heddle__resolve(&call), HEDDLE_DEVICE_HOST);
        heddle__resolve_note(&site, HEDDLE_DEVICE_HOST, call.work, 0.11); /* it took longer */
    }
    assert_int_equal(heddle__resolve(&call), GPU); /* 0.22 s, and 0.11 s to come */
    assert_int_equal(counted, 2);
    waits = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(by_name, start),           cmocka_unit_test_setup(where_the_arrays_are, start),
        cmocka_unit_test_setup(by_costs, start),          cmocka_unit_test_setup(by_model, start),
        cmocka_unit_test_setup(devices_that_wait, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
