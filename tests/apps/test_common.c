/* SPDX-License-Identifier: Apache-2.0 */
/* Options, medians, random numbers and the JSON line. */
#include "check.h"

#include "app.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long cost;
static bool flag;
static const char *out;
static const struct app_option options[] = {{"cost", "N", "", APP_LONG, &cost, 1},
                                            {"flag", NULL, "", APP_FLAG, &flag, 0},
                                            {"out", "FILE", "", APP_TEXT, &out, 0},
                                            {0}};

static int parse(struct app *app, const char *a, const char *b) {
    char *argv[] = {(char *)"t", (char *)a, (char *)b, NULL};
    *app = (struct app){.name = "t", .options = options, .inputs_max = 1, .two_sizes = true, .rows = 7, .cols = 7};
    return app_parse(app, b ? 3 : 2, argv);
}

static void accepts_what_it_should(void **state) {
    (void)state;
    struct app app;
    assert_int_equal(parse(&app, "--size=30x20", "--repeat=3"), -1);
    assert_int_equal(app.rows, 30);
    assert_int_equal(app.cols, 20);
    assert_int_equal(app.repeat, 3);
    assert_int_equal(parse(&app, "--size=9", "-"), -1);
    assert_int_equal(app.cols, 9);
    assert_int_equal(app.input_count, 1);
    assert_int_equal(parse(&app, "--cost=5", "--flag"), -1);
    assert_int_equal(cost, 5);
    assert_true(flag);
    assert_int_equal(parse(&app, "-o", "-file"), -1);
    assert_string_equal(out, "-file");
    assert_int_equal(parse(&app, "--schedule=peer,64,128", "--device=host"), -1);
    assert_string_equal(getenv("HEDDLE_WAVEFRONT"), "peer,64,128");
    assert_string_equal(getenv("HEDDLE_DEVICE"), "host");
}

static void refuses_the_rest(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "--size=0",    "--size=3x", "--size=x3",  "--size=3y4",       "--size=99999999999",
        "--size=",     "--size",    "--repeat=0", "--repeat=1.5",     "--check=1",
        "--nothing",   "-x",        "-o",         "--schedule=peer;", "--device=gpu",
        "--device=-1", "--cost=0",  "--flag=2",   "--threads=0",      "--schedule=fast"};
    struct app app;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_int_equal(parse(&app, wrong[k], NULL), APP_BAD_INPUT);
    assert_int_equal(parse(&app, "one", "two"), APP_BAD_INPUT);
}

static void medians(void **state) {
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    assert_true(app_median(odd, 3) == 2);
    assert_true(app_median(even, 4) == 2.5);
}

static void random_is_reproducible(void **state) {
    (void)state;
    struct app_random x, y;
    app_seed(&x, 42);
    app_seed(&y, 42);
    for (int k = 0; k < 1000; k++) {
        assert_true(app_next(&x) == app_next(&y));
        assert_true(app_below(&x, 7) < 7 && app_below(&y, 7) < 7);
    }
    /* first output of xoshiro256** from the splitmix64 state of seed 0, as published */
    app_seed(&x, 0);
    assert_true(app_next(&x) == UINT64_C(0x99ec5f36cb75f2b4));
}

static void json_escapes(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct app app = {.name = "t", .schedule = "a\"b\\c\n", .device = "host", .json = true, .repeat = 1};
    struct app_result result = {
        .rows = 2, .cols = 3, .seconds = 0.5, .work = 1e9, .unit = "U", .checksum = 255, .check = APP_CHECK_BAD};
    assert_int_equal(app_report(&app, &result, out, "score", 4), APP_CHECK_FAILED);
    fclose(out);
    assert_string_equal(text, "{\"app\": \"t\", \"schedule\": \"a\\\"b\\\\c\\u000a\", \"device\": \"host\", "
                              "\"size\": \"2x3\", \"repeat\": 1, \"seconds\": 0.5, \"rate\": 2, \"unit\": "
                              "\"U\", \"checksum\": \"00000000000000ff\", \"check\": \"fail\", \"score\": 4}\n");
    free(text);
}

static void next_device(void **state) {
    (void)state;
    assert_int_equal(app_next_device("auto", 0, 2), 0);
    assert_int_equal(app_next_device("all", 1, 2), 1);
    assert_int_equal(app_next_device("12,1,host", 0, 20), 1);
    assert_int_equal(app_next_device("12,1,host", 2, 20), 12);
    assert_int_equal(app_next_device("12,1,host", 13, 20), 20);
    assert_int_equal(app_next_device("auto", 0, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(next_device), cmocka_unit_test(accepts_what_it_should), cmocka_unit_test(refuses_the_rest),
        cmocka_unit_test(medians),     cmocka_unit_test(random_is_reproducible), cmocka_unit_test(json_escapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
