/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random machines, loops and schedules in the simulator, which ends a run with a message when an iteration is given
 * twice or never, when a device gets more than it holds, and when all wait for nothing. usage: loop-random [RUNS
 * [SEED]]
 */
#include "sim/sim.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* after what it needs */
#include <cmocka.h>

static long runs = 150;
static uint64_t seed = 1;

static void make_machine(struct sim_machine *m, uint64_t *r) {
    *m = (struct sim_machine){.kinds = 1 + (int)(sim_random(r) % 4), .ahead = 1 + (int)(sim_random(r) % 3)};
    for (int k = 0; k < m->kinds; k++) {
        struct sim_kind *kind = &m->kind[k];
        *kind = (struct sim_kind){.name = "kind",
                                  .count = 1 + (int)(sim_random(r) % (k ? 4 : 16)),
                                  .host = !k,
                                  .speed = exp(6 * sim_uniform(r) - 2),
                                  .fail = HUGE_VAL};
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

static long make_n(uint64_t *r) {
    const uint64_t form = sim_random(r) % 5;
    return form == 0   ? (long)(sim_random(r) % 4)
           : form == 1 ? (long)(sim_random(r) % 40)
                       : (long)(sim_random(r) % 5000);
}

static void test_every_iteration_once(void **unused) {
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
static void *bad_start(const struct heddle_loop_problem *p) {
    static long state[2];
    state[0] = 0;
    state[1] = p->n;
    return state;
}
static enum heddle_loop_answer bad_next(void *state, int device, double now, struct heddle_loop_chunk *chunk) {
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

static void test_mistakes_are_seen(void **unused) {
    (void)unused;
    const char *const says[] = {"are left", "are left", "twice", "gave iterations", "gave iterations"};
    const struct heddle_loop_policy bad = {
        .version = HEDDLE_LOOP_VERSION, .name = "bad", .start = bad_start, .next = bad_next, .stop = bad_stop};
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

static const struct heddle_loop_policy *named(const char *name) { return heddle__loop_find_policy(name, strlen(name)); }

/* The third run of a loop on a machine. */
static void third_run(const char *machine, const char *shape, long n, const char *schedule, struct sim_run *run,
                      struct sim_work *w) {
    struct sim_machine m;
    struct sim_history history = {0};
    char message[SIM_MESSAGE] = "";
    if (!sim_machine_lines(&m, machine, message) || !sim_work_make(w, &m, shape, n, 1e-3, seed))
        fail_msg("%s", message);
    for (int k = 0; k < 3; k++) {
        if (k)
            sim_run_free(run);
        if (!sim_run(&m, w, named(schedule), 0, seed + (uint64_t)k, &history, run, message))
            fail_msg("%s", message);
    }
    sim_history_free(&history);
}

/* Weber 2012, sections 4.2.1 and 4.2.3: every chunk begins where a region begins or where an earlier chunk ended, each
   class samples the whole space, and afterwards works where it is relatively fastest. */
static void test_pina(void **unused) {
    (void)unused;
    enum { N = 16000, REGIONS = 16 };
    struct sim_run run;
    struct sim_work w;
    bool sampled[2][REGIONS] = {{false}};
    double all[2] = {0, 0}, taken[2] = {0, 0}, iterations[2] = {0, 0};
    third_run("cpu count=3 speed=1\ngpu count=1 speed=4 vary=1\n", "uniform", N, "pina", &run, &w);
    for (long k = 0; k < run.chunks; k++) {
        const struct sim_span *c = &run.span[k];
        bool adjacent = c->chunk.first % (N / REGIONS) == 0;
        for (long j = 0; j < run.chunks && !adjacent; j++)
            adjacent =
                run.span[j].chunk.first + run.span[j].chunk.count == c->chunk.first && run.span[j].given <= c->given;
        assert_true(adjacent);
        const int kind = run.device[c->device].kind;
        sampled[kind][c->chunk.first * REGIONS / N] = true;
        for (long i = c->chunk.first; i < c->chunk.first + c->chunk.count; i++) {
            const double speedup = (w.cost[0][i + 1] - w.cost[0][i]) / (w.cost[1][i + 1] - w.cost[1][i]);
            taken[kind] += speedup;
            iterations[kind]++;
            all[0] += speedup;
            all[1]++;
        }
    }
    for (int r = 0; r < REGIONS; r++)
        assert_true(sampled[1][r]);
    assert_true(taken[1] / iterations[1] >
                1.05 * all[0] / all[1]); /* the GPU's iterations suit it better than the mean */
    assert_true(taken[0] / iterations[0] < 0.8 * all[0] / all[1]);
    sim_run_free(&run);
    sim_work_free(&w);
}

/* auto in its third run: near the ideal, all end together, who would not pay gets nothing, a tiny loop goes to the fast
 * device. */
static void test_auto(void **unused) {
    (void)unused;
    struct sim_run run;
    struct sim_work w;
    const char *const shapes[] = {"uniform", "linear", "peaks", "random"};
    for (int k = 0; k < 4; k++) {
        third_run("cpu count=4 speed=1\ngpu count=1 speed=20 setup=20us\n", shapes[k], 20000, "auto", &run, &w);
        assert_true(run.makespan <= 1.02 * run.ideal && run.balance >= 0.95);
        sim_run_free(&run);
        sim_work_free(&w);
    }
    third_run("cpu count=4 speed=1\ngpu count=1 speed=20 setup=20us\nslow count=2 speed=0.001\n", "uniform", 2000,
              "auto", &run, &w);
    assert_int_equal(run.device[5].chunks + run.device[6].chunks, 0);
    assert_true(run.makespan <= 1.03 * run.ideal);
    sim_run_free(&run);
    sim_work_free(&w);
    third_run("cpu count=2 speed=1\ngpu count=3 speed=166\n", "uniform", 4, "auto", &run,
              &w); /* Weber's figure 5.4 at 4 tiles */
    assert_int_equal(run.device[0].chunks + run.device[1].chunks, 0);
    assert_true(run.makespan <= 2.01e-3 / 166);
    sim_run_free(&run);
    sim_work_free(&w);
}

/* A device that fails in the middle: the rest is done by the others, in a time near what they need. */
static void test_lost_device(void **unused) {
    (void)unused;
    for (const struct heddle_loop_policy *const *p = heddle_loop_policies; *p; p++) {
        struct sim_run run;
        struct sim_work w;
        third_run("ahead=2\ncpu count=4 speed=1\ngpu count=1 speed=20 setup=20us fail=100ms\n", "steps", 5000,
                  (*p)->name, &run, &w);
        assert_true(run.device[4].lost && run.device[4].finish <= 0.1);
        assert_true(run.makespan < 5.0); /* the four threads alone: 1.25 s */
        sim_run_free(&run);
        sim_work_free(&w);
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_iteration_once),
                                       cmocka_unit_test(test_mistakes_are_seen), cmocka_unit_test(test_pina),
                                       cmocka_unit_test(test_auto), cmocka_unit_test(test_lost_device)};
    if (argc > 1)
        runs = strtol(argv[1], NULL, 10);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
