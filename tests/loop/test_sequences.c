/* SPDX-License-Identifier: Apache-2.0 */
/* Chunk sequences as their papers print them, the closed form of the LP against trying, fits and what is learned from
 * samples. */
#include "loop/plan/plan.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* after what it needs */
#include <cmocka.h>

enum { MOST = 8 };
static struct heddle_loop_device devices[MOST];

static struct heddle_loop_problem problem(int count, long n) {
    for (int d = 0; d < count; d++)
        devices[d] = (struct heddle_loop_device){.device = -1, .grain = 1};
    return (struct heddle_loop_problem){.n = n, .devices = count, .classes = 1, .device = devices, .ahead = 1};
}

/* The devices ask in turn, as they would if all chunks took equally long. */
static void expect_sequence(const char *name, const struct heddle_loop_problem *p, const long *want, int count) {
    const struct heddle_loop_policy *policy = heddle__loop_find_policy(name, strlen(name));
    assert_non_null(policy);
    void *state = policy->start(p);
    long first = 0;
    for (int k = 0; k < count; k++) {
        struct heddle_loop_chunk c;
        assert_int_equal(policy->next(state, k % p->devices, 0, &c), HEDDLE_LOOP_CHUNK);
        assert_int_equal(c.first, first);
        assert_int_equal(c.count, want[k]);
        first += c.count;
    }
    assert_int_equal(first, p->n);
    for (int d = 0; d < p->devices; d++) {
        struct heddle_loop_chunk c;
        assert_int_equal(policy->next(state, d, 0, &c), HEDDLE_LOOP_DONE);
    }
    policy->stop(state);
}
#define EXPECT(name, p, ...)                                                                                           \
    do {                                                                                                               \
        const long want_[] = {__VA_ARGS__};                                                                            \
        expect_sequence(name, p, want_, (int)(sizeof want_ / sizeof *want_));                                          \
    } while (0)

/* The example of Tzen and Ni 1993 and of most papers after it: 1000 iterations, 4 processors. */
static void test_published(void **unused) {
    (void)unused;
    struct heddle_loop_problem p = problem(4, 1000);
    EXPECT("static", &p, 250, 250, 250, 250);
    EXPECT("gss", &p, 250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14, 11, 8, 6, 4, 3, 3, 2, 1, 1, 1, 1);
    EXPECT("tss", &p, 125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28);
    EXPECT("fss", &p, 125, 125, 125, 125, 63, 63, 63, 63, 31, 31, 31, 31, 16, 16, 16, 16, 8, 8, 8, 8, 4, 4, 4, 4, 2, 2,
           2, 2, 1, 1, 1, 1);
    p.chunk = 80;
    EXPECT("gss", &p, 250, 188, 141, 106, 80, 80, 80, 75);
    p.chunk = 300;
    EXPECT("chunk", &p, 300, 300, 300, 100);
}

static void test_few_iterations(void **unused) {
    (void)unused;
    for (const struct heddle_loop_policy *const *p = heddle_loop_policies; *p; p++)
        for (long n = 0; n <= 3; n++) {
            struct heddle_loop_problem few = problem(4, n);
            void *state = (*p)->start(&few);
            long given = 0;
            assert_non_null(state);
            for (int k = 0; k < 20; k++) {
                struct heddle_loop_chunk c = {0, 0};
                if ((*p)->next(state, k % 4, 1e-3 * k, &c) != HEDDLE_LOOP_CHUNK)
                    continue;
                given += c.count;
                const struct heddle_loop_sample s = {c, n, 1e-3, 0};
                if ((*p)->done)
                    (*p)->done(state, k % 4, 1e-3 * k + 1e-3, &s);
            }
            assert_int_equal(given, n);
            (*p)->stop(state);
        }
}

/* Weber 2012, section 5.4: four tasks, a fast class of three devices and a slow one: 2 and 1 to the fast, 1 to whoever
 * comes. */
static void test_egs(void **unused) {
    (void)unused;
    struct heddle_loop_problem p = problem(4, 4);
    p.classes = 2;
    for (int d = 0; d < 4; d++) {
        devices[d].class = d == 3;
        devices[d].rate = d == 3 ? 1 : 100;
    }
    const struct heddle_loop_policy *egs = heddle__loop_find_policy("egs", 3);
    void *state = egs->start(&p);
    struct heddle_loop_chunk c;
    assert_int_equal(egs->next(state, 3, 0, &c), HEDDLE_LOOP_CHUNK);
    assert_int_equal(c.count, 1);
    assert_int_equal(egs->next(state, 0, 0, &c), HEDDLE_LOOP_CHUNK);
    assert_int_equal(c.count, 2);
    assert_int_equal(egs->next(state, 1, 0, &c), HEDDLE_LOOP_CHUNK);
    assert_int_equal(c.count, 1);
    assert_int_equal(egs->next(state, 2, 0, &c), HEDDLE_LOOP_DONE);
    egs->stop(state);
}

static unsigned long seed = 1;
static double uniform(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(seed >> 11) * 0x1p-53;
}

/* min T by bisection: what all devices can do until T is monotonic in T. */
static double end_by_trying(int n, const double *ready, const double *rate, double work) {
    double low = 0, high = 1e9;
    for (int k = 0; k < 200; k++) {
        const double t = (low + high) / 2;
        double can = 0;
        for (int d = 0; d < n; d++)
            can += t > ready[d] ? (t - ready[d]) * rate[d] : 0;
        *(can >= work ? &high : &low) = t;
    }
    return high;
}

static void test_shares(void **unused) {
    (void)unused;
    for (int turn = 0; turn < 2000; turn++) {
        double ready[MOST], rate[MOST], x[MOST], sum = 0;
        long whole[MOST], all = 0;
        const int n = 1 + (int)(uniform() * MOST);
        const long work = 1 + (long)(uniform() * 1000);
        for (int d = 0; d < n; d++) {
            ready[d] = uniform() < 0.4 ? 0 : 100 * uniform();
            rate[d] = d && uniform() < 0.2 ? 0 : exp(6 * uniform() - 3);
        }
        const double end = heddle__loop_balance(n, ready, rate, (double)work, x),
                     tried = end_by_trying(n, ready, rate, (double)work);
        assert_true(fabs(end - tried) <= 1e-6 * tried);
        heddle__loop_round_shares(n, x, work, whole);
        for (int d = 0; d < n; d++) {
            sum += x[d];
            all += whole[d];
            assert_true(x[d] == 0 || fabs(ready[d] + x[d] / rate[d] - end) < 1e-6 * end);
            assert_true(x[d] > 0 || !(rate[d] > 0) || ready[d] >= end);
            assert_true(whole[d] >= 0 && fabs((double)whole[d] - x[d]) < 1 + 1e-6);
            assert_true(x[d] > 0 || !whole[d]);
        }
        assert_true(fabs(sum - (double)work) < 1e-6 * (double)work);
        assert_int_equal(all, work);
    }
}

/* Weber's figures 6.12 and 6.13: chunks of 182 and 737 at beta = 0.95. */
static void test_amortized(void **unused) {
    (void)unused;
    const double published[] = {182, 737};
    for (int k = 0; k < 2; k++) {
        double size[12], speed[12];
        const double alpha = log(0.05) / published[k];
        for (int j = 0; j < 12; j++) {
            size[j] = (double)(1 << j);
            speed[j] = 5e4 * (1 - exp(alpha * size[j]));
        }
        assert_true(labs(heddle__loop_amortized_chunk(heddle__loop_fit_alpha(12, size, speed)) - (long)published[k]) <=
                    0.02 * published[k]);
    }
    const double size[] = {1, 2, 4}, speed[] = {10, 10, 10};
    assert_int_equal(heddle__loop_amortized_chunk(heddle__loop_fit_alpha(3, size, speed)), 1); /* GEMM's blocks */
}

static void test_sizes(void **unused) {
    (void)unused;
    struct heddle__sizes z;
    long next = 0, tried = 0;
    memset(&z, 0, sizeof z);
    while (!heddle__sizes_complete(&z, &next)) {
        assert_true(next == 1 || next == 2 * tried);
        tried = next;
        heddle__sizes_add(&z, next, 1e-3 + 1e-5 * (double)next);
    }
    assert_true(tried >= 1024 && tried <= 8192); /* where a doubling brings less than 5 % of 100000 a second */
    const long chunk = heddle__loop_amortized_chunk(heddle__sizes_alpha(&z));
    assert_true(chunk > 100 && chunk < tried);
}

static void test_known(void **unused) {
    (void)unused;
    struct heddle_loop_problem p = problem(1, 10000);
    struct heddle_loop_sample s[40];
    int class[40];
    double setup, rate;
    devices[0].device = 0; /* not a thread of the host, which has no setup */
    p.sample = s;
    p.sample_class = class;
    heddle__loop_recall_costs(&p, 0, &setup, &rate);
    assert_true(setup == 0 && rate == 0);
    for (int k = 0; k < 40; k++) {
        const long count = 1L << (k % 12);
        class[k] = 0;
        s[k] = (struct heddle_loop_sample){{k * 577 % 5900, count}, 10000, 0.002 + 1e-5 * (double)count, 0};
    }
    p.samples = 40;
    heddle__loop_recall_costs(&p, 0, &setup, &rate);
    assert_true(fabs(setup - 0.002) < 2e-4 && fabs(rate - 1e5) < 5e3);
    heddle__loop_recall_costs(&p, 1, &setup, &rate);
    assert_true(rate == 0);
}

/* Of many samples few stay, and they still cover all places, sizes and classes, newest first. */
static void test_keep(void **unused) {
    (void)unused;
    enum { N = 5000 };
    static struct heddle_loop_sample s[N];
    static int class[N];
    for (int k = 0; k < N; k++) {
        s[k] = (struct heddle_loop_sample){{(k * 37) % 9000, 1 + k % 100}, 10000, (double)k, 0};
        class[k] = k % 2;
    }
    const int left = heddle__loop_thin_samples(s, class, N, 2, 512);
    assert_true(left > 100 && left <= 512);
    bool place[2][10] = {{false}};
    for (int k = 0; k < left; k++) {
        place[class[k]][s[k].chunk.first / 1000] = true;
        assert_true(!k || s[k].compute > s[k - 1].compute); /* still oldest first */
    }
    for (int k = 0; k < 9; k++)
        assert_true(place[0][k] && place[1][k]);
    assert_true(s[left - 1].compute == N - 1);
    assert_int_equal(heddle__loop_thin_samples(s, class, left, 2, 10), 10);
    assert_int_equal(heddle__loop_thin_samples(s, class, 0, 2, 10), 0);
}

static void test_spans(void **unused) {
    (void)unused;
    struct heddle__interval_set s = {0};
    assert_true(heddle__interval_set_add(&s, (struct heddle_loop_chunk){0, 100}));
    struct heddle_loop_chunk c = heddle__interval_set_take_at(&s, 0, 40, 20);
    assert_true(c.first == 40 && c.count == 20 && s.count == 2 && s.left == 80);
    c = heddle__interval_set_take_at(&s, 0, 30, 10);
    assert_true(c.first == 30 && c.count == 10);
    assert_true(heddle__interval_set_add(&s, (struct heddle_loop_chunk){30, 10}));
    assert_true(heddle__interval_set_add(&s, (struct heddle_loop_chunk){40, 20}));
    assert_true(s.count == 1 && s.left == 100);
    c = heddle__interval_set_take(&s, 0, 1000);
    assert_true(c.count == 100 && !s.count && !s.left);
    heddle__interval_set_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published), cmocka_unit_test(test_few_iterations), cmocka_unit_test(test_egs),
        cmocka_unit_test(test_shares),    cmocka_unit_test(test_amortized),      cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_known),     cmocka_unit_test(test_keep),           cmocka_unit_test(test_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
