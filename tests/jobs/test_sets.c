/* SPDX-License-Identifier: Apache-2.0 */
/* Which set of devices runs jobs: what is lost against the best without some of them, where times scatter. */
#include "jobs/plan/sets.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 8 };

static double uniform(uint64_t *seed) {
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t z = *seed;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* Some per cent around what it takes, and at times much more. */
static double scattered(double seconds, double scatter, uint64_t *seed) {
    const double sum = uniform(seed) + uniform(seed) + uniform(seed) - 1.5;
    return seconds * (1 + 2 * scatter * sum) * (uniform(seed) < 0.03 ? 1.4 : 1);
}

struct region {
    double real[MOST];
    struct heddle__jobs_set_times set[MOST];
    int count, runs;
    double fixed, scatter; /* share of the time that does not grow with the jobs */
    int disturbed;         /* executions that still take half as long again */
    int every;             /* so many executions five take twice as long; 0: never */
    uint64_t seed;
};

/* One execution, with up to twice as many jobs as another one; returns the set that ran it. */
static int execute(struct region *r) {
    const long n = (long[]){1000, 1900, 1300, 1600}[r->runs++ % 4];
    const int k = heddle__jobs_choose_set(r->set, r->count, n);
    assert_true(k >= 0 && k < r->count);
    struct heddle__jobs_set_times *t = &r->set[k];
    const double seconds = scattered(r->real[k], r->scatter, &r->seed) *
                           (r->fixed + (1 - r->fixed) * (double)n / 1450) *
                           (r->disturbed > 0                                     ? 1.5
                            : r->every && r->runs > 20 && r->runs % r->every < 5 ? 2
                                                                                 : 1);
    r->disturbed--;
    heddle__jobs_set_note(t, n, seconds);
    t->n[t->runs % HEDDLE__JOBS_SET_RUNS] = n;
    t->seconds[t->runs++ % HEDDLE__JOBS_SET_RUNS] = seconds;
    for (int s = 0; s < r->count; s++)
        r->set[s].since = s == k ? 0 : r->set[s].since + seconds;
    return k;
}

/* The fastest without a part of the devices. */
static double alone(const struct region *r) {
    double least = r->real[1];
    for (int k = 2; k < r->count; k++)
        least = fmin(least, r->real[k]);
    return least;
}

/* All devices, one GPU, and processors, at random. */
static struct region at_random(uint64_t seed) {
    struct region r = {.seed = seed, .count = 3};
    r.real[1] = 1;
    r.real[0] = 0.8 + 2 * uniform(&r.seed);
    r.real[2] = 0.9 + 6 * uniform(&r.seed);
    for (int k = 1; k < r.count; k++)
        r.set[k].expected = r.real[k] * (0.7 + 0.6 * uniform(&r.seed));
    return r;
}

/* Share of the time that is lost from an execution on, up to another one; below 0: all devices gain. */
static double lost(struct region *r, int from, int to) {
    double sum = 0, least = 0;
    for (int k = 0; k < to; k++) {
        const int set = execute(r);
        sum += k < from ? 0 : r->real[set];
        least += k < from ? 0 : alone(r);
    }
    return sum / least - 1;
}

/* The goal is 0.98 of the best single device: what is asked again, and what is mistaken, are less than that. */
static void look_at_losses(double fixed, int disturbed, int every, double scatter) {
    enum { REGIONS = 300 };
    double sum = 0, most = 0, early = 0;
    for (uint64_t seed = 1; seed <= REGIONS; seed++) {
        struct region r = at_random(seed), again;
        r.scatter = scatter;
        r.fixed = fixed;
        r.disturbed = disturbed;
        r.every = every;
        again = r;
        const double later = lost(&r, 12, 400);
        early += fmax(0, lost(&again, 12, 30));
        sum += fmax(0, later);
        most = fmax(most, later);
    }
    printf("%.1f fixed, %d disturbed, every %d, scatter %.2f: %.2f %% lost, %.2f %% at most; executions 12 to 30: %.2f "
           "%%\n",
           fixed, disturbed, every, scatter, 100 * sum / REGIONS, 100 * most, 100 * early / REGIONS);
    assert_true(sum / REGIONS < (every ? 0.02 : 0.01));
    assert_true(most < (every ? 0.1 : 0.05));
    assert_true(early / REGIONS < 0.015);
}

static void little_is_lost(void **state) {
    (void)state;
    for (int fixed = 0; fixed < 3; fixed++)
        for (int disturbed = 0; disturbed <= 6; disturbed += 3)
            for (int scatter = 1; scatter <= 5; scatter += 2)
                for (int every = 0; every <= 50; every += 50)
                    look_at_losses(0.5 * fixed, disturbed, every, 0.01 * scatter);
}

/* All devices first, then each that may be the fastest, and who is far off once. */
static void who_is_tried(void **state) {
    (void)state;
    struct region r = {.real = {3, 1, 8, 2.5}, .count = 4, .seed = 1};
    for (int k = 1; k < r.count; k++)
        r.set[k].expected = r.real[k];
    int runs[MOST] = {0};
    assert_int_equal(execute(&r), 0);
    assert_int_equal(execute(&r), 1);
    for (int k = 0; k < 8; k++)
        runs[execute(&r)]++;
    assert_int_equal(runs[1], 7);
    assert_int_equal(runs[2], 0); /* 8 times as long */
    assert_int_equal(runs[3], 1);
}

static void nothing_is_known(void **state) {
    (void)state;
    struct heddle__jobs_set_times set[2] = {{.runs = 0}};
    assert_int_equal(heddle__jobs_choose_set(set, 2, 10), 0);
    set[0] = (struct heddle__jobs_set_times){.runs = 1, .n = {10}, .seconds = {1}};
    assert_int_equal(heddle__jobs_choose_set(set, 2, 10), 1);
}

/* A set that has become faster than the one that is chosen is found. */
static void times_change(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct region r = {.real = {1.5, 1, 1.2}, .count = 3, .seed = seed};
        r.set[1].expected = 1;
        r.set[2].expected = 1.2;
        r.scatter = 0.03;
        (void)lost(&r, 0, 200);
        r.real[0] = 0.6;
        int k = 0;
        while (k < 400 && execute(&r))
            k++;
        assert_true(k < 400);
        for (k = 0; k < 4; k++)
            (void)execute(&r);
        assert_int_equal(execute(&r), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(little_is_lost),
        cmocka_unit_test(who_is_tried),
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(times_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
