/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences by ranges of bytes, against comparing every task with every earlier one. */
#include "graph/plan/ranges.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { TASKS = 300, MOST = 4, BYTES = 64 };

static uint64_t seed = 1;
static int below(int n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)n);
}

struct task {
    struct heddle__range range[MOST];
    int count;
};

static bool conflict(const struct task *a, const struct task *b) {
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++) {
            const struct heddle__range x = a->range[i], y = b->range[k];
            if ((x.writes || y.writes) && x.begin < y.end && y.begin < x.end)
                return true;
        }
    return false;
}

static void make(struct task *t, int writes, int longest) {
    t->count = below(MOST + 1);
    for (int k = 0; k < t->count; k++) {
        const uintptr_t begin = (uintptr_t)below(BYTES);
        t->range[k] = (struct heddle__range){begin, begin + 1 + (uintptr_t)below(longest), below(100) < writes};
    }
}

/* after[a][b]: b follows a, by edges. */
static void check_one(int round) {
    static struct task task[TASKS];
    static char after[TASKS][TASKS];
    struct heddle__ranges *r = heddle__ranges_make();
    const long *before;
    int ended = 0;
    assert_non_null(r);
    memset(after, 0, sizeof after);
    for (int t = 0; t < TASKS; t++) {
        make(&task[t], round % 3 ? 50 : 10, round % 2 ? 4 : 40);
        const long count = heddle__ranges_add(r, task[t].range, task[t].count, &before);
        assert_true(count >= 0);
        for (long k = 0; k < count; k++) {
            assert_in_range(before[k], ended, t - 1);
            assert_true(conflict(&task[before[k]], &task[t]));
            for (long j = 0; j < k; j++)
                assert_int_not_equal(before[j], before[k]);
            for (int a = ended; a <= before[k]; a++)
                after[a][t] |= a == before[k] || after[a][before[k]];
        }
        for (int a = ended; a < t; a++)
            assert_true(after[a][t] || !conflict(&task[a], &task[t]));
        if (round % 4 > 1 && below(20) == 0) {
            ended += below(t - ended + 2);
            heddle__ranges_forget(r, ended);
        }
    }
    assert_int_equal(heddle__ranges_tasks(r), TASKS);
    heddle__ranges_free(r);
}

static void test_random(void **state) {
    (void)state;
    for (int round = 0; round < 60; round++)
        check_one(round);
}

/* The number of tasks that one waits for; all of them. */
static void expect(struct heddle__ranges *r, struct heddle__range a, int count, const long *want) {
    const long *before;
    assert_int_equal(heddle__ranges_add(r, &a, 1, &before), count);
    for (int k = 0; k < count; k++) {
        bool found = false;
        for (int i = 0; i < count; i++)
            found |= before[i] == want[k];
        assert_true(found);
    }
}

static void test_small(void **state) {
    (void)state;
    struct heddle__ranges *r = heddle__ranges_make();
    expect(r, (struct heddle__range){100, 200, true}, 0, NULL);               /* 0 */
    expect(r, (struct heddle__range){150, 151, false}, 1, (const long[]){0}); /* 1: another base address */
    expect(r, (struct heddle__range){200, 300, true}, 0, NULL);               /* 2: only touches */
    expect(r, (struct heddle__range){120, 120, true}, 1, (const long[]){0});  /* 3: an empty one is a byte */
    expect(r, (struct heddle__range){0, UINTPTR_MAX, false}, 3, (const long[]){0, 2, 3}); /* 4: all memory */
    expect(r, (struct heddle__range){5000, 5001, true}, 1, (const long[]){4});            /* 5 */
    expect(r, (struct heddle__range){150, 151, true}, 2, (const long[]){1, 4}); /* 6: not for the writer before them */
    heddle__ranges_clear(r);
    expect(r, (struct heddle__range){100, 200, true}, 0, NULL);
    assert_int_equal(heddle__ranges_tasks(r), 1);
    heddle__ranges_free(r);
}

/* What is kept stays small where tasks end. */
static void test_forgets(void **state) {
    (void)state;
    struct heddle__ranges *r = heddle__ranges_make();
    const long *before;
    long most = 64;
    for (long t = 0; t < 200000; t++) {
        const struct heddle__range a[2] = {{1, 9, false}, {(uintptr_t)(t + 16), (uintptr_t)(t + 17), true}};
        assert_int_equal(heddle__ranges_add(r, a, 2, &before), 0);
        if (heddle__ranges_kept(r) < most)
            continue;
        heddle__ranges_forget(r, t - 10);
        assert_in_range(heddle__ranges_kept(r), 11, 40);
    }
    heddle__ranges_forget(r, 200000);
    assert_int_equal(heddle__ranges_kept(r), 1);
    assert_int_equal(heddle__ranges_add(r, &(struct heddle__range){1, 9, true}, 1, &before), 0);
    heddle__ranges_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_forgets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
