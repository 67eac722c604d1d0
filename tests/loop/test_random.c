/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random machines, loops and schedules in the simulator, which ends a run with a message when an iteration is given twice or
 * never, when a device gets more than it holds, and when all wait for nothing. usage: loop-random [RUNS [SEED]]
 */
#include "sim.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* after what it needs */
#include <cmocka.h>

static long runs = 150;
static uint64_t seed = 1;

static void make_machine(struct sim_machine *m, uint64_t *r)
{
    *m = (struct sim_machine){.kinds = 1 + (int)(sim_random(r) % 4), .ahead = 1 + (int)(sim_random(r) % 3)};
    for (int k = 0; k < m->kinds; k++) {
        struct sim_kind *kind = &m->kind[k];
        *kind = (struct sim_kind){.name = "kind", .count = 1 + (int)(sim_random(r) % (k ? 4 : 16)), .host = !k,
                                  .speed = exp(6 * sim_uniform(r) - 2), .fail = HUGE_VAL};
        kind->setup = sim_uniform(r) < 0.3 ? 0 : 1e-3 * sim_uniform(r);
        kind->move = sim_uniform(r) < 0.5 ? 0 : 1e-5 * sim_uniform(r);
        kind->ready = sim_uniform(r) < 0.6 ? 0 : 0.1 * sim_uniform(r);
        kind->curve = sim_uniform(r) < 0.5 ? 0 : exp(8 * sim_uniform(r));
        kind->vary = sim_uniform(r) < 0.5 ? 0 : sim_uniform(r);
        kind->noise = sim_uniform(r) < 0.5 ? 0 : 0.3 * sim_uniform(r);
        kind->most = sim_uniform(r) < 0.7 ? 0 : 1 + (long)(sim_random(r) % 500);
        if (k && sim_uniform(r) < 0.3) /* the host stays */
            kind->fail = 0.5 * sim_uniform(r);
        m->devices += kind->count;
    }
}

static long make_n(uint64_t *r)
{
    const uint64_t form = sim_random(r) % 5;
    return form == 0 ? (long)(sim_random(r) % 4) : form == 1 ? (long)(sim_random(r) % 40) : (long)(sim_random(r) % 5000);
}

static void test_every_iteration_once(void **unused)
{
    (void)unused;
    int shapes = 0;
    while (sim_shapes[shapes].name)
        shapes++;
    for (long turn = 0; turn < runs; turn++) {
        uint64_t r = seed * 1000003 + (uint64_t)turn;
        struct sim_machine m;
        struct sim_work w;
        make_machine(&m, &r);
        const long n = make_n(&r), chunk = sim_uniform(&r) < 0.7 ? 0 : 1 + (long)(sim_random(&r) % 200);
        const char *shape = sim_shapes[sim_random(&r) % (uint64_t)shapes].name;
        assert_true(sim_work_make(&w, &m, shape, n, 1e-3 * (0.01 + sim_uniform(&r)), r));
        for (const struct heddle_loop_policy *const *p = heddle_loop_policies; *p; p++) {
            struct sim_history history = {0};
            struct sim_run run;
            char message[SIM_MESSAGE] = "";
            for (int k = 0; k < 3; k++) { /* nothing known; something; more */
                if (!sim_run(&m, &w, *p, chunk, r + (uint64_t)k, &history, &run, message))
                    fail_msg("turn %ld, run %d, n %ld, %s, chunk %ld: %s", turn, k, n, shape, chunk, message);
                long sum = 0;
                for (int d = 0; d < m.devices; d++)
                    sum += run.device[d].iterations;
                assert_int_equal(sum, n);
                assert_true(run.makespan >= 0 && run.balance <= 1);
                sim_run_free(&run);
            }
            sim_history_free(&history);
        }
        sim_work_free(&w);
    }
}

/* The engine itself: schedules that are wrong are noticed. */
static int mistake;
static void *bad_start(const struct heddle_loop_problem *p)
{
    static long state[2];
    state[0] = 0;
    state[1] = p->n;
    return state;
}
static enum heddle_loop_answer bad_next(void *state, int device, double now, struct heddle_loop_chunk *chunk)
{
    long *at = state;
    (void)device, (void)now;
    if (mistake == 0 && at[0] >= at[1] / 2) /* forgets half */
        return HEDDLE_LOOP_DONE;
    if (mistake == 1) /* waits for nothing */
        return HEDDLE_LOOP_WAIT;
    *chunk = (struct heddle_loop_chunk){mistake == 2 ? 0 : at[0], mistake == 3 ? at[1] + 1 : mistake == 4 ? 0 : 10};
    at[0] += chunk->count;
    return HEDDLE_LOOP_CHUNK;
}
static void bad_stop(void *state) { (void)state; }

static void test_mistakes_are_seen(void **unused)
{
    (void)unused;
    const char *const says[] = {"are left", "are left", "twice", "gave iterations", "gave iterations"};
    const struct heddle_loop_policy bad = {.version = HEDDLE_LOOP_VERSION, .name = "bad", .start = bad_start, .next = bad_next, .stop = bad_stop};
    struct sim_machine m;
    struct sim_work w;
    struct sim_run run;
    char message[SIM_MESSAGE];
    assert_true(sim_machine_words(&m, "cpu:3", message));
    assert_true(sim_work_make(&w, &m, "uniform", 100, 1e-3, 1));
    for (mistake = 0; mistake < 5; mistake++) {
        *message = 0;
        assert_false(sim_run(&m, &w, &bad, 0, 1, NULL, &run, message));
        assert_non_null(strstr(message, says[mistake]));
        sim_run_free(&run);
    }
    sim_work_free(&w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_iteration_once), cmocka_unit_test(test_mistakes_are_seen)};
    if (argc > 1)
        runs = strtol(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
