/* SPDX-License-Identifier: Apache-2.0 */
/* The pragma grammar without a compiler: what is accepted, and in which column errors are reported.
 */
#include "front/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct unit unit;
static char *messages;
static size_t messages_size;

static bool parse(const char *text, struct pragma *p) {
    unit = (struct unit){.src = {.path = "t.c", .text = text, .size = strlen(text)}};
    unit.err = open_memstream(&messages, &messages_size);
    source_index(&unit.src);
    bool ok = pragma_parse(&unit, 0, scan_directive_end(&unit.src, 0), p);
    fclose(unit.err);
    return ok;
}

static void accepts(const char *text, size_t clauses) {
    struct pragma p;
    if (!parse(text, &p))
        print_error("%s", messages);
    assert_int_equal(unit.errors, 0);
    assert_int_equal(p.clauses.n, clauses);
    free(messages);
    mem_release();
}

static void rejects(const char *text, const char *message) {
    struct pragma p;
    assert_false(parse(text, &p));
    assert_int_equal(unit.errors, 1);
    if (strncmp(messages, message, strlen(message)) != 0)
        fail_msg("expected %s, got %s", message, messages);
    free(messages);
    mem_release();
}

static void test_accepted(void **state) {
    (void)state;
    accepts("#pragma heddle wavefront", 0);
    accepts("# pragma heddle wavefront // nothing else\nint x;", 0);
    accepts("#pragma heddle wavefront schedule(peer) keep(A: none)", 2);
    accepts("#pragma heddle wavefront schedule(auto), device(f(1, 2))", 2);
    accepts("#pragma heddle wavefront keep(A, B: last) keep(C: all)", 2);
    accepts("#pragma heddle wavefront map(to: a[0:n], b[:m], c[lo:], d) map(from: e[x ? 1 : 2 : 3])", 2);
    accepts("#pragma heddle wavefront reduction(&&: x) reduction(||: y) reduction(&: z)", 3);
    accepts("#pragma heddle wavefront sink(i-1, j) sink(i, j - 0x2)", 2);
    accepts("#pragma heddle wavefront \\\n  schedule(barrier, 4, 8) \\\r\n  device(0)", 2);
    accepts("#pragma heddle wavefront /* ) */ device(\")\"[0])", 1);
    accepts("#pragma heddle pool schedule(static), workers(block) memory(1 << 20) idle(.5) map(to: a[0:n])", 5);
    accepts("#pragma heddle task depend(in: a[i], *p) depend(out: s->x[f(1, 2)]) priority(i & 3)", 3);
    accepts("#pragma heddle taskloop sink(f, y, x-1) collapse(3)", 2);
    accepts(
        "#pragma heddle for schedule(steal_time, n / 8) map(to: a[heddle_lo : heddle_count], s.x.y[0:n]) device(all)",
        3);
    accepts("#pragma heddle for firstprivate(a, b), firstprivate(c) collapse(2) device(host ? 1 : 0)", 4);
    accepts("#pragma heddle variant(cuda: f(a, b[i])) variant(host: g)", 2);
    accepts("#pragma heddle for independent, collapse(2) map(to: a[0:n])", 3);
    accepts("#pragma heddle taskloop sink(i-1) independent", 2);
    accepts("#pragma heddle taskwait", 0);
    accepts("#pragma heddle lanes reduction(+: a) reduction(max: b)", 2);
}

static void test_rejected(void **state) {
    (void)state;
    rejects("#pragma heddle", "t.c:1:15: error: expected a directive");
    rejects("#pragma heddle wave", "t.c:1:16: error: unknown directive 'wave'");
    rejects("#pragma heddle wavefront keep", "t.c:1:30: error: expected '('");
    rejects("#pragma heddle wavefront map(to a)", "t.c:1:33: error: expected ':'");
    rejects("#pragma heddle wavefront \\\n map(to: 3)", "t.c:2:10: error: expected the name");
    rejects("#pragma heddle wavefront reduction(&|: x)", "t.c:1:37: error: expected ':'");
    rejects("#pragma heddle wavefront ,", "t.c:1:26: error: unknown clause");
    rejects("#pragma heddle wavefront map(to: a[0:1][0:1][0:1][0:1][0:1])", "t.c:1:55: error: too many");
    rejects("#pragma heddle wavefront sink(i-99999999999999999999)", "t.c:1:33: error: expected an integer");
    rejects("#pragma heddle pool schedule(peer)", "t.c:1:30: error: expected a schedule: auto, dynamic");
    rejects("#pragma heddle for schedule(peer)", "t.c:1:29: error: expected a schedule: auto, static");
    rejects("#pragma heddle for schedule(gss,)", "t.c:1:33: error: expected an expression");
    rejects("#pragma heddle for map(to: s.3[0:1])", "t.c:1:30: error: expected the name of a member");
    rejects("#pragma heddle for keep(a: all)", "t.c:1:20: error: unknown clause 'keep'; known here: reduction, "
                                               "collapse, schedule, map, device, append, firstprivate");
    rejects("#pragma heddle variant(gpu: f)", "t.c:1:24: error: expected a kind of device: cuda, host or other");
    rejects("#pragma heddle variant(cuda: )", "t.c:1:30: error: expected an expression");
    rejects("#pragma heddle pool workers(1)", "t.c:1:29: error: expected a kind of worker: warp, block or lane");
    rejects("#pragma heddle task depend(x)", "t.c:1:28: error: expected a kind of dependence: in, out or inout");
    rejects("#pragma heddle task depend(in: x,)", "t.c:1:34: error: expected an expression");
    rejects("#pragma heddle taskwait priority(1)", "t.c:1:25: error: unknown clause 'priority'; known here: none");
    rejects("#pragma heddle wavefront device(a, b)", "t.c:1:34: error: expected ')'");
}

static void test_contents(void **state) {
    (void)state;
    struct pragma p;
    assert_true(parse("#pragma heddle wavefront map(tofrom: H[0 : n + 1][1:f(a, b)]) sink(i-2, j+1)", &p));
    const struct item *h = &p.clauses.at[0].items.at[0];
    assert_int_equal(p.clauses.at[0].kind, MAP_TOFROM);
    assert_int_equal(h->nsections, 2);
    assert_string_equal(source_flat(&unit.src, h->section[0].count), "n + 1");
    assert_string_equal(source_flat(&unit.src, h->section[1].count), "f(a, b)");
    assert_int_equal(p.clauses.at[1].items.at[0].offset, -2);
    assert_int_equal(p.clauses.at[1].items.at[1].offset, 1);
    free(messages);
    mem_release();
}

static void test_edits(void **state) {
    (void)state;
    struct source src = {.path = "t.c", .text = "abcdef", .size = 6};
    edit_list edits = {0};
    vec_push(&edits, (struct edit){3, 4, "D"});
    vec_push(&edits, (struct edit){1, 1, "1"});
    vec_push(&edits, (struct edit){1, 1, "2"});
    vec_push(&edits, (struct edit){1, 3, "BC"});
    vec_push(&edits, (struct edit){2, 3, "inside another one"});
    assert_string_equal(source_edited(&src, (struct span){0, 6}, &edits), "a12BCDef");
    mem_release();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
