/* SPDX-License-Identifier: Apache-2.0 */
/* OMP_AVAILABLE_DEVICES: what it names, in which order, and where it is not understood. */
#include "device/available.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct heddle__traits devices[] = {
    {"gpu", "nvidia", "nvptx64", "sm_90", "CUDA-a"}, {"gpu", "amd", "amdgcn", "gfx90a", "AMDGPU-b"},
    {"cpu", "", "x86_64", "x86_64", "x86_64-2"},     {"gpu", "nvidia", "nvptx64", "sm_80", "CUDA-d"},
    {"cpu", "", "x86_64", "x86_64", "x86_64-4"},
};
enum { COUNT = sizeof devices / sizeof *devices };

/* The numbers in their order, or "bad " and what is left of the text. */
static void check(const char *text, const char *expected) {
    int order[HEDDLE__AVAILABLE_MAX];
    const char *wrong;
    char got[256] = "";
    const int n = heddle__available_read(text, devices, COUNT, order, &wrong);
    for (int k = 0; k < n; k++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d", k ? " " : "", order[k]);
    if (n < 0)
        snprintf(got, sizeof got, "bad %s", wrong);
    if (strcmp(got, expected))
        fail_msg("%s: %s, not %s", text, got, expected);
}

static void test_named(void **state) {
    (void)state;
    check("*", "0 1 2 3 4");
    check("kind(gpu)", "0 1 3");
    check(" KIND( GPU ) ", "0 1 3");
    check("kind(any)", "0 1 2 3 4");
    check("kind(nohost)", "0 1 2 3 4");
    check("kind(fpga)", "");
    check("vendor(nvidia)", "0 3");
    check("arch(x86_64)", "2 4");
    check("isa(sm_80),isa(gfx90a)", "3 1");
    check("uid(x86_64-4)", "4");
    check("uid(X86_64-4)", ""); /* a name, not a word */
}

static void test_ordered(void **state) {
    (void)state;
    check("uid(CUDA-d),uid(CUDA-a),uid(CUDA-d)", "3 0");
    check("vendor(amd),*", "1 0 2 3 4");
    check("kind(gpu)&&vendor(nvidia),*", "0 3 1 2 4");
}

static void test_combined(void **state) {
    (void)state;
    check("!kind(gpu)", "2 4");
    check("!kind(gpu)&&uid(x86_64-2)", "2");
    check("!(kind(gpu)&&vendor(nvidia))", "1 2 4");
    check("vendor(amd)||kind(cpu)||isa(sm_80)", "1 2 3 4");
    check("(vendor(amd)||vendor(nvidia))&&!isa(sm_90)", "1 3");
}

static void test_subscripts(void **state) {
    (void)state;
    check("kind(gpu)[1]", "1");
    check("(kind(gpu)&&vendor(nvidia))[1],kind(cpu)[0:2],*", "3 2 4 0 1");
    check("*[1:3]", "1 2 3");
    check("*[2:]", "2 3 4");
    check("*[:2]", "0 1");
    check("*[0:3:2]", "0 2 4");
    check("*[::2]", "0 2 4");
    check("*[9]", "");
    check("*[4:5]", "4"); /* beyond the end: left out in silence */
    check("*[:0]", "");
    check("*[99999999999999999999]", "");
}

static void test_bad(void **state) {
    (void)state;
    check("", "bad ");
    check("0,1", "bad 0,1");
    check("gpu", "bad gpu");
    check("kind(host)", "bad )");
    check("kind(gpu", "bad ");
    check("kind(gpu),", "bad ");
    check("kind(gpu)&&vendor(amd)||*", "bad ||*");
    check("kind(gpu)&&", "bad ");
    check("(kind(gpu)", "bad ");
    check("*[1:2:0]", "bad ]");
    check("*[]", "bad ]");
    check("*[-1]", "bad -1]");
    check("* *", "bad *");
    check("!!!!", "bad !!!");
    check("((((((((((((((((((((((((kind(gpu)))))))))))))))))))))))))", "bad (((kind(gpu)))))))))))))))))))))))))");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_named), cmocka_unit_test(test_ordered),
                                       cmocka_unit_test(test_combined), cmocka_unit_test(test_subscripts),
                                       cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
