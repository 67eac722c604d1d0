/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine of loops makes of its schedule and its devices, on one thread and a clock of its own: chunks that
 * overlap what others have, results that come after their device was given up, and how long a device may be silent.
 */
#include "loop/engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static double now, step; /* seconds; every look at the clock takes `step` */
double heddle__now(void) { return now += step; }
static int warnings;
void heddle__warn(const struct heddle_site *site, const char *format, ...) { (void)site, (void)format, warnings++; }
void heddle__slot_forget(const struct heddle__participant *p, int slot) { (void)p, (void)slot; }
void heddle__arena_forget(int device, enum heddle__arena_use use) { (void)device, (void)use; }

/* ---- a schedule that gives what the test says
 * --------------------------------------------------------------------------- */
static struct heddle_loop_chunk script[8];
static int scripted, given, lost_chunks;
static double lost_at;

static enum heddle_loop_answer next(void *state, int device, double at, struct heddle_loop_chunk *chunk) {
    (void)state, (void)device, (void)at;
    if (given == scripted)
        return HEDDLE_LOOP_DONE;
    *chunk = script[given++];
    return HEDDLE_LOOP_CHUNK;
}

static void lost(void *state, int device, const struct heddle_loop_chunk *chunk, int chunks) {
    (void)state, (void)device;
    lost_at = now;
    lost_chunks = chunks;
    script[scripted++] = chunk[0];
}

static const struct heddle_loop_policy policy = {
    .version = HEDDLE_LOOP_VERSION, .name = "script", .next = next, .lost = lost};

/* ---- a loop of 100 iterations on device 0 and a thread of the host
 * ---------------------------------------------------------- */
static void join(void *into, const void *from) { *(long *)into += *(const long *)from; }
static const struct heddle_loop_type type = {
    .site = {.file = "loop.c", .line = 3}, .red_bytes = sizeof(long), .red_join = join};
static struct heddle__engine e;
static struct heddle__participant places[2];
static struct heddle_loop_device devices[2];
static struct heddle__server device = {&places[0], 0, NULL}, host = {&places[1], 0, NULL};
static long sum[2];

static int start(void **state) {
    (void)state;
    now = step = lost_at = 0;
    scripted = given = lost_chunks = warnings = 0;
    sum[0] = sum[1] = 0;
    device.red = &sum[0];
    host.red = &sum[1];
    heddle__interval_set_free(&e.left);
    free(e.sample);
    e = (struct heddle__engine){.type = &type,
                                .n = 100,
                                .timeout = 0.02,
                                .participant = places,
                                .participants = 2,
                                .policy = &policy,
                                .device = devices,
                                .threads = 2};
    for (int k = 0; k < 2; k++) {
        places[k] = (struct heddle__participant){.engine = &e, .number = k, .device = -k, .first = -1, .servers = 1};
        devices[k] = (struct heddle_loop_device){.device = -k, .grain = 1};
    }
    pthread_mutex_init(&e.lock, NULL);
    pthread_cond_init(&e.changed, NULL);
    assert_true(heddle__interval_set_add(&e.left, (struct heddle_loop_chunk){0, 100}));
    return 0;
}

static void give(long first, long count) { script[scripted++] = (struct heddle_loop_chunk){first, count}; }

static void finish(struct heddle__server *s, const struct heddle_loop_chunk *chunk, long value) {
    heddle__loop_finish_chunk(s, &(struct heddle_loop_sample){.chunk = *chunk, .n = 100, .compute = 1}, &value);
}

/* ---- tests
 * -------------------------------------------------------------------------------------------------------------------
 */
static void refuses_what_is_taken(void **state) {
    (void)state;
    static const struct heddle_loop_chunk wrong[] = {{50, 20}, {50, 11}, {40, 20}, {49, 2},  {0, 100}, {59, 2},
                                                     {-1, 5},  {95, 10}, {55, 0},  {50, -1}, {0, 50}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct heddle_loop_chunk chunk;
        start(NULL);
        e.threads = 1;
        give(0, 50);
        give(60, 40); /* 50 to 59 are free */
        give(wrong[k].first, wrong[k].count);
        for (int turn = 0; turn < 2; turn++) {
            assert_true(heddle__loop_take_chunk(&host, &chunk));
            finish(&host, &chunk, chunk.count);
        }
        if (heddle__loop_take_chunk(&host, &chunk))
            fail_msg("%ld iterations from %ld on were given out, where 50 to 59 were left", wrong[k].count,
                     wrong[k].first);
        assert_true(e.distrusted && warnings == 1);
        assert_true(heddle__loop_take_unassigned(&e, &chunk) && chunk.first == 50 && chunk.count == 10);
        assert_false(heddle__loop_take_unassigned(&e, &chunk));
    }
}

/* A device is given up while it computes; another one does its chunk; then it comes back with its result. */
static void forgets_late_results(void **state) {
    struct heddle_loop_chunk late, again, other;
    (void)state;
    give(0, 60);
    give(60, 40);
    assert_true(heddle__loop_take_chunk(&device, &late) && heddle__loop_still_holds(&device));
    assert_true(heddle__loop_take_chunk(&host, &other));
    finish(&host, &other, other.count);
    heddle__loop_lose_device(&places[0], "it hangs");
    assert_int_equal(lost_chunks, 1);
    assert_false(heddle__loop_still_holds(&device));
    finish(&device, &late, late.count);
    assert_true(heddle__loop_take_chunk(&host, &again) && again.first == late.first && again.count == late.count);
    finish(&device, &late, late.count);
    finish(&host, &again, again.count);
    finish(&device, &late, late.count);
    assert_int_equal(sum[0] + sum[1], 100);
    assert_int_equal(sum[0], 0);
    assert_int_equal(places[0].iterations + places[1].iterations, 100);
    assert_int_equal(e.samples, 2);
    assert_int_equal(e.under_way, 0);
}

/* Seconds until the device, which is silent, is given up. */
static double silent(double rate, long count) {
    struct heddle_loop_chunk chunk;
    start(NULL);
    e.threads = 1;
    devices[0].rate = rate;
    give(0, count);
    assert_true(heddle__loop_take_chunk(&device, &chunk));
    step = 0.01;
    assert_false(heddle__loop_wait_for_end(&e)); /* its thread never came back */
    assert_true(places[0].gone && e.abandoned == 1 && lost_chunks == 1);
    return lost_at;
}

/* Ten times what its chunk should take, beside HEDDLE_TIMEOUT; ten times that where nothing is known. */
static void has_patience(void **state) {
    (void)state;
    double seconds = silent(100, 10);
    assert_true(seconds > 0.02 + 1 && seconds < 1.2);
    seconds = silent(100, 5);
    assert_true(seconds > 0.02 + 0.5 && seconds < 0.7);
    seconds = silent(0, 10);
    assert_true(seconds > 0.2 && seconds < 0.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(refuses_what_is_taken, start),
                                       cmocka_unit_test_setup(forgets_late_results, start),
                                       cmocka_unit_test_setup(has_patience, start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
