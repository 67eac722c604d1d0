/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the file of loops: what is written is read back, and what makes no sense is refused. */
#include "model/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void lines_come_back(void **unused) {
    (void)unused;
    static const struct heddle_loop_sample sample[] = {
        [HEDDLE__LINE_CHUNK] = {{40, 100}, 1000, 0.25, 0.125},
        [HEDDLE__LINE_READY] = {{0, 0}, 1, 0.5, 0},
        [HEDDLE__LINE_TEAM] = {{0, 0}, 1000, 0.75, 0},
        [HEDDLE__LINE_PARTS] = {{400, 0}, 1000, 0, 0},
    };
    for (enum heddle__line_kind k = HEDDLE__LINE_CHUNK; k <= HEDDLE__LINE_PARTS; k++) {
        char *text = NULL;
        size_t size;
        struct heddle__line line;
        FILE *f = open_memstream(&text, &size);
        heddle__line_write(f, k, "x.c:7", "A GPU + teams", &sample[k]);
        fclose(f);
        assert_true(heddle__line_read(text, &line));
        assert_int_equal(line.kind, k);
        assert_string_equal(line.loop, "x.c:7");
        assert_string_equal(line.name, "A GPU + teams");
        assert_memory_equal(&line.sample, &sample[k], sizeof line.sample);
        assert_false(heddle__line_skipped(text));
        free(text);
    }
}

static void the_head_is_skipped(void **unused) {
    (void)unused;
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    heddle__lines_begin(f);
    fclose(f);
    assert_int_equal(strncmp(text, HEDDLE__LINES_HEADER, strlen(HEDDLE__LINES_HEADER)), 0);
    assert_true(heddle__line_skipped(text) && heddle__line_skipped(strchr(text, '\n') + 1) && heddle__line_skipped(""));
    free(text);
}

static void nonsense_is_refused(void **unused) {
    (void)unused;
    static const char *const bad[] = {"",
                                      "x",
                                      "x.c:7,A GPU,1000,0,100,1",
                                      "x.c:7,A GPU,1000,0,100,1,0,5",
                                      "x.c:7,A GPU,1000,0,1e2,1,0",
                                      ",A GPU,1,0,1,1,0",
                                      "x.c:7,A GPU,1000,950,100,1,0",
                                      "x.c:7,A GPU,1000,-1,100,1,0",
                                      "x.c:7,A GPU,0,0,0,1,0",
                                      "x.c:7,A GPU,1000,0,100,nan,0",
                                      "x.c:7,A GPU,1000,0,100,-1,0",
                                      "x.c:7,A GPU,1000,0,100,inf,0",
                                      "x.c:7,A GPU,1000,0,100,1,0x"};
    struct heddle__line line;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_false(heddle__line_read(bad[k], &line));
    assert_true(heddle__line_read("x.c:7,A GPU,1000,0,100,1,0\r\n", &line));
}

static void names_fit_a_line(void **unused) {
    (void)unused;
    char name[HEDDLE__LOOP_NAME], from[2 * HEDDLE__LOOP_NAME];
    heddle__line_name(name, "a, \"b\"\nc");
    assert_string_equal(name, "a   b  c");
    assert_true(heddle__line_named(name, "a, \"b\"\nc"));
    assert_false(heddle__line_named(name, "a"));
    assert_false(heddle__line_named("a", "a, \"b\"\nc"));
    memset(from, ',', sizeof from - 1);
    from[sizeof from - 1] = 0;
    heddle__line_name(name, from);
    assert_int_equal(strlen(name), HEDDLE__LOOP_NAME - 1);
    assert_true(heddle__line_named(name, from));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_come_back), cmocka_unit_test(the_head_is_skipped),
                                       cmocka_unit_test(nonsense_is_refused), cmocka_unit_test(names_fit_a_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
