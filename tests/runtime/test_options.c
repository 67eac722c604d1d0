/* SPDX-License-Identifier: Apache-2.0 */
/* Options, error texts, the host's description, the report of a nest, and complaints about bad values. */
#include <heddle.h>
#include <stdarg.h>
#include <setjmp.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "capture.h"

static int pragma_line;
static int table(int n, int m, int (*S)[m]) {
    enum { PRAGMA_LINE = __LINE__ + 3 };
    int high = 0;
    pragma_line = PRAGMA_LINE;
#pragma heddle wavefront reduction(max : high)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            S[i][j] = (S[i - 1][j] + S[i][j - 1] * 3 + 1) & 0xfff;
            high = S[i][j] > high ? S[i][j] : high;
        }
    return high;
}
enum { N = 301, M = 407 };
static int run_table(void) {
    static int S[N][M];
    memset(S, 0, sizeof S);
    return table(N, M, S);
}

static void version_and_errors(void **state) {
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", HEDDLE_VERSION_MAJOR, HEDDLE_VERSION_MINOR, HEDDLE_VERSION_PATCH);
    assert_string_equal(heddle_version(), expected);
    assert_string_equal(heddle_strerror(HEDDLE_OK), "no error");
    assert_string_equal(heddle_strerror(HEDDLE_ENODEV), "no such device");
    assert_non_null(strstr(heddle_strerror(HEDDLE_ETIMEDOUT), "HEDDLE_TIMEOUT"));
    for (int e = HEDDLE_ESERIAL; e <= 0; e++) {
        assert_string_not_equal(heddle_strerror(e), "unknown error");
        for (int f = e + 1; f <= 0; f++)
            assert_string_not_equal(heddle_strerror(e), heddle_strerror(f));
    }
    assert_string_equal(heddle_strerror(1), "unknown error");
    assert_string_equal(heddle_strerror(-1000), "unknown error");
}

static void option_table(void **state) {
    (void)state;
    int n = 0;
    for (const struct heddle_option *o = heddle_options(); o->name; o++, n++) {
        char env[64] = "HEDDLE_";
        size_t k = strlen(env);
        for (const char *s = o->name; *s; s++)
            env[k++] = *s == '-' ? '_' : (char)(*s - 'a' + 'A');
        if (strcmp(o->env, "HEDDLE_TUNE") != 0)
            assert_string_equal(o->env, env);
        assert_true(o->fallback && *o->values && *o->help);
        assert_int_equal(o->help[strlen(o->help) - 1], '.');
        if (strcmp(o->env, "HEDDLE_TUNE") != 0) {
            unsetenv(o->env);
            assert_string_equal(heddle_option_get(o->name), o->fallback);
        }
        for (const struct heddle_option *p = o + 1; p->name; p++)
            assert_string_not_equal(o->name, p->name);
    }
    assert_true(n >= 7);
}

static void set_get_reset(void **state) {
    (void)state;
    assert_null(heddle_option_get("nonsense"));
    assert_int_equal(heddle_option_set("nonsense", "1"), HEDDLE_EINVAL);
    assert_int_equal(heddle_option_set("nonsense", NULL), HEDDLE_EINVAL);
    setenv("HEDDLE_THREADS", "3", 1);
    assert_string_equal(heddle_option_get("threads"), "3");
    char value[] = "5";
    assert_int_equal(heddle_option_set("threads", value), 0);
    value[0] = '6'; /* it copied */
    assert_string_equal(heddle_option_get("threads"), "5");
    assert_int_equal(heddle_option_set("threads", NULL), 0);
    assert_string_equal(heddle_option_get("threads"), "3");
    setenv("HEDDLE_THREADS", "", 1);
    assert_string_equal(heddle_option_get("threads"), "0");
    unsetenv("HEDDLE_THREADS");
    assert_string_equal(heddle_option_get("threads"), "0");
}

/* A value goes on to the comma before the next key; the last one counts. */
static void keys_of_tune(void **state) {
    (void)state;
    assert_string_equal(heddle_option_get("warps"), "4");
    assert_string_equal(heddle_option_get("pool-tile"), "4,8");
    assert_string_equal(heddle_option_get("sweeps"), "one");
    assert_string_equal(heddle_option_get("deal"), "0");
    assert_int_equal(heddle_option_set("warps", "6"), 0);
    assert_string_equal(heddle_option_get("warps"), "6");
    assert_int_equal(heddle_option_set("warps", NULL), 0);
    assert_string_equal(heddle_option_get("warps"), "4");
    setenv("HEDDLE_WARPS", "9", 1); /* no variable of its own */
    assert_string_equal(heddle_option_get("warps"), "4");
    unsetenv("HEDDLE_WARPS");
}

static void host_info(void **state) {
    (void)state;
    struct heddle_device_info info;
    assert_int_equal(heddle_device_info(HEDDLE_DEVICE_HOST, &info), 0);
    assert_int_equal(info.number, HEDDLE_DEVICE_HOST);
    assert_string_equal(info.kind, "host");
    assert_true(info.units >= 1 && info.memory > 0 && info.memory_free <= info.memory && *info.name);
    assert_true(heddle_device_room(HEDDLE_DEVICE_HOST) < info.memory);
    assert_int_equal(heddle_option_set("memory-limit", "3K"), 0);
    assert_true(heddle_device_room(HEDDLE_DEVICE_HOST) == 3 << 10);
    assert_true(heddle_device_room(-7) == 3 << 10); /* what is not known is limited, too */
    assert_int_equal(heddle_option_set("memory-limit", NULL), 0);
    assert_int_equal(heddle_device_info(heddle_device_count(), &info), HEDDLE_ENODEV);
    assert_int_equal(heddle_device_info(HEDDLE_DEVICE_AUTO, &info), HEDDLE_ENODEV);
    assert_int_equal(heddle_device_info(-7, &info), HEDDLE_ENODEV);
}

static void report(void **state) {
    (void)state;
    struct heddle_report r;
    heddle_option_set("device", "host");
    heddle_option_set("threads", "2");
    const int expected = run_table();
    heddle_last_report(&r);
    assert_non_null(strstr(r.file, "test_options.c"));
    assert_int_equal(r.line, pragma_line);
    assert_int_equal(r.device, HEDDLE_DEVICE_HOST);
    assert_string_equal(r.schedule, "registers");
    assert_int_equal(r.rows, N - 1);
    assert_int_equal(r.columns, M - 1);
    assert_true(r.workers >= 1 && r.workers <= 2 && r.rows_per_worker >= 1);
    assert_true(r.seconds > 0 && r.kernel_seconds > 0 && r.kernel_seconds <= r.seconds);
    assert_int_equal(r.error, 0);
    heddle_option_set("wavefront", "barrier,16,32");
    assert_int_equal(run_table(), expected);
    heddle_last_report(&r);
    assert_string_equal(r.schedule, "barrier");
    assert_int_equal(r.rows_per_worker, 16);
    heddle_option_set("wavefront", "serial");
    assert_int_equal(run_table(), expected);
    heddle_last_report(&r);
    assert_string_equal(r.schedule, "serial");
    assert_int_equal(r.error, HEDDLE_ESERIAL);
    int one[1][1] = {{4}}; /* an empty range: nothing to do */
    assert_int_equal(table(1, 1, one), 0);
    heddle_last_report(&r);
    assert_int_equal(r.rows, 0);
    assert_int_equal(r.error, 0);
    heddle_option_set("wavefront", NULL);
    heddle_option_set("threads", NULL);
    heddle_option_set("device", NULL);
}

/* A bad value: one line that names the variable and the value, however often it is read; the default holds. */
static void bad_value(const char *name, const char *env, const char *value) {
    heddle_option_set("device", "host");
    heddle_option_set("wavefront", NULL);
    const int expected = run_table();
    heddle_option_set(name, value);
    capture_start();
    const int a = run_table(), b = run_table(), c = run_table();
    struct heddle_report r;
    heddle_last_report(&r);
    const char *text = capture_end();
    heddle_option_set(name, NULL);
    heddle_option_set("device", NULL);
    if (lines(text) != 1 || !strstr(text, env) || !strstr(text, value))
        fail_msg("%s=%s: stderr is \"%s\"", env, value, text);
    assert_true(a == expected && b == expected && c == expected);
    assert_int_equal(r.error, 0);
}

static void bad_values(void **state) {
    (void)state;
    static const char *const schedules[] = {"garbage",
                                            "peer,",
                                            "peer,x",
                                            "peer,4x",
                                            "peer,4x7",
                                            "peer,4,5,6",
                                            "peer,4,5 ",
                                            "peer,-1",
                                            "Registers",
                                            "peerless",
                                            "auto,x",
                                            ",",
                                            "peer,4,99999999999999999999999"};
    static const char *const numbers[] = {"many", "-1", "4097", "3x", "1e3", "99999999999999999999"};
    static const char *const times[] = {"0", "-3", "nan", "inf", "soon", "1 minute"};
    for (size_t k = 0; k < sizeof schedules / sizeof *schedules; k++)
        bad_value("wavefront", "HEDDLE_WAVEFRONT", schedules[k]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        bad_value("threads", "HEDDLE_THREADS", numbers[k]);
    for (size_t k = 0; k < sizeof times / sizeof *times; k++)
        bad_value("timeout", "HEDDLE_TIMEOUT", times[k]);
    bad_value("device", "HEDDLE_DEVICE", "gpu");
    bad_value("device", "HEDDLE_DEVICE", "-4");
    bad_value("device", "HEDDLE_DEVICE", "0x");
    bad_value("device", "HEDDLE_DEVICE", "0,hosts");
    bad_value("device", "HEDDLE_DEVICE", "host,");
}

/* Tiles larger than any nest are cut to it. */
static void huge_tiles(void **state) {
    (void)state;
    static const char *const schedules[] = {"peer,9223372036854775807,9223372036854775807",
                                            "barrier,4611686018427387904,9223372036854775807",
                                            "peer,1,9223372036854775807", "barrier,9223372036854775807,1"};
    heddle_option_set("device", "host");
    const int expected = run_table();
    for (size_t k = 0; k < sizeof schedules / sizeof *schedules; k++) {
        heddle_option_set("wavefront", schedules[k]);
        capture_start();
        const int got = run_table();
        assert_string_equal(capture_end(), "");
        assert_int_equal(got, expected);
    }
    heddle_option_set("wavefront", NULL);
    heddle_option_set("device", NULL);
}

static void verbose(void **state) {
    (void)state;
    heddle_option_set("device", "host");
    heddle_option_set("verbose", "1");
    capture_start();
    run_table();
    const char *text = capture_end();
    heddle_option_set("verbose", NULL);
    heddle_option_set("device", NULL);
    assert_int_equal(lines(text), 1);
    assert_non_null(strstr(text, "test_options.c:"));
    assert_non_null(strstr(text, "300 x 406"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(option_table),  cmocka_unit_test(version_and_errors), cmocka_unit_test(keys_of_tune),
        cmocka_unit_test(set_get_reset), cmocka_unit_test(host_info),          cmocka_unit_test(report),
        cmocka_unit_test(bad_values),    cmocka_unit_test(huge_tiles),         cmocka_unit_test(verbose),
    };
    setenv("HEDDLE_TUNE", "warps=3,pool-tile=4,8,sweeps=one,warps=4", 1); /* read once */
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
