/* SPDX-License-Identifier: Apache-2.0 */
/* How many workers a nest on the host gets, and how often they look at each other: the model's choice against blocks
 * that are played through look by look. */
#include "model/pipeline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

static const double LOOK = 0.25e-6, SIGNAL = 0.2e-6;

/* What a block has said it has done, and when. */
struct said {
    int count;
    struct {
        double at;
        long done;
    } word[1000];
};

/* Done by time t; or by when so much is. */
static long heard(const struct said *of, double t) {
    long done = 0;
    for (int k = 0; k < of->count && of->word[k].at + SIGNAL <= t; k++)
        done = of->word[k].done;
    return done;
}
static double arrival(const struct said *of, long done) {
    for (int k = 0; k < of->count; k++)
        if (of->word[k].done >= done)
            return of->word[k].at + SIGNAL;
    return 0;
}

/* A block that may begin at `t`, as the engines do it: it takes what is there. Returns its end. */
static double play_block(const struct heddle__pipeline *p, long chunk, double t, const struct said *above,
                         struct said *own) {
    const long columns = p->steps - p->lag;
    own->count = 0;
    for (long s0 = 0, s1; s0 < p->steps; s0 = s1) {
        s1 = s0 + chunk < p->steps ? s0 + chunk : p->steps;
        const long need = s1 < columns ? s1 : columns, some = s0 + p->unit < need ? s0 + p->unit : need;
        if (above && heard(above, t) < need) {
            t = arrival(above, some) > t ? arrival(above, some) : t;
            const long ready = heard(above, t);
            s1 = ready >= need ? s1 : s0 + (ready - s0) / p->unit * p->unit;
        }
        t += (double)(s1 - s0) * p->seconds + LOOK;
        own->word[own->count].at = t;
        own->word[own->count++].done = s1 - p->lag;
    }
    return t;
}

/* Blocks in turn on so many workers. */
static double play(const struct heddle__pipeline *p, int workers, long chunk) {
    static struct said said[2];
    double idle[64] = {0}, end = 0;
    if (workers == 1)
        return (double)p->blocks * (double)p->steps * p->seconds;
    for (long b = 0; b < p->blocks; b++)
        idle[b % workers] = end = play_block(p, chunk, idle[b % workers], b ? &said[~b & 1] : NULL, &said[b & 1]);
    return end;
}

static double best_of_all(const struct heddle__pipeline *p, int threads) {
    double best = 0;
    for (int workers = 1; workers <= threads; workers++)
        for (long chunk = p->unit; chunk <= p->most; chunk *= 2) {
            const double seconds = play(p, workers, chunk);
            best = best > 0 && best < seconds ? best : seconds;
        }
    return best;
}

/* Near the best of all numbers of workers and chunks, and never far beyond what it expects. */
static void choices(void **state) {
    static const int threads[] = {1, 2, 3, 8, 16, 64};
    (void)state;
    srand(107);
    for (int k = 0; k < 300; k++) {
        const long lag = 16 << rand() % 3;
        const struct heddle__pipeline p = {.blocks = 1 + rand() % (k % 2 ? 12 : 200),
                                           .steps = lag + 20 + rand() % (k % 3 ? 500 : 8000),
                                           .lag = lag,
                                           .seconds = (5 + rand() % 100) * 1e-9,
                                           .unit = 32,
                                           .most = 512};
        const int most = threads[rand() % 6];
        const struct heddle__shape s = heddle__pipeline_shape(&p, most, SIGNAL);
        assert_in_range(s.workers, 1, most < p.blocks ? most : p.blocks);
        assert_true(s.chunk >= p.unit && s.chunk <= p.most && s.chunk % p.unit == 0);
        const double seconds = play(&p, s.workers, s.chunk), best = best_of_all(&p, most);
        if (seconds > 1.35 * best + 2e-6)
            print_error("%ld blocks of %ld steps, %ld behind, %.0f ns, %d threads: %d workers, chunks of %ld take %.1f "
                        "us, the best %.1f\n",
                        p.blocks, p.steps, p.lag, p.seconds * 1e9, most, s.workers, s.chunk, seconds * 1e6, best * 1e6);
        assert_true(seconds <= 1.35 * best + 2e-6);
    }
}

/* A small table is no work for many threads, a large one is; a short row is looked at more often. */
static void sizes(void **state) {
    (void)state;
    struct heddle__pipeline p = {.blocks = 4, .steps = 130, .lag = 32, .seconds = 20e-9, .unit = 32, .most = 512};
    assert_in_range(heddle__pipeline_shape(&p, 16, SIGNAL).workers, 1, 4);
    p.blocks = 31, p.steps = 1031;
    const struct heddle__shape middle = heddle__pipeline_shape(&p, 16, SIGNAL);
    assert_in_range(middle.workers, 9, 16);
    p.blocks = 250, p.steps = 8031;
    const struct heddle__shape large = heddle__pipeline_shape(&p, 16, SIGNAL);
    assert_int_equal(large.workers, 16);
    assert_true(large.chunk > middle.chunk);
    p.blocks = 2, p.steps = 50; /* done before another thread has begun */
    assert_int_equal(heddle__pipeline_shape(&p, 16, SIGNAL).workers, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(choices), cmocka_unit_test(sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
