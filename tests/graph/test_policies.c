/* SPDX-License-Identifier: Apache-2.0 */
/* Every policy over random graphs that change, on random machines of which units are lost: every task runs once in an
   iteration, after those that it waits for and where it can; no unit waits for ever. */
#include "graph/plan/plan.h"
#include "graph/schedule/table.h"
#include "random_graph.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

struct play {
    const struct heddle_graph_policy *policy;
    void *state;
    const struct heddle_graph_machine *m;
    struct random_graph *r;
    uint64_t random;
    unsigned seed;
    int waits[TASKS], ran[TASKS], running[UNITS]; /* running: a task; -1: none */
    bool gone[UNITS];
    int ended, left; /* left: units */
};

static void wrong(const struct play *p, const char *what, int task) {
    fail_msg("seed %u, %s: %s, task %d", p->seed, p->policy->name, what, task);
}

static void ask(struct play *p, int u) {
    struct heddle_graph_answer answer = {-1, 0};
    if (p->gone[u] || p->running[u] >= 0)
        return;
    p->policy->next(p->state, u, &answer);
    const int t = answer.task;
    if (t < 0)
        return;
    if (t >= p->r->g.tasks || p->waits[t] || p->ran[t])
        wrong(p, "not ready, or twice", t);
    if (!heddle__graph_can(p->m, &p->r->g, t, u))
        wrong(p, "cannot run there", t);
    p->ran[t] = 1;
    p->running[u] = t;
}

static void end(struct play *p, int u) {
    const int t = p->running[u];
    const struct heddle_graph *g = &p->r->g;
    p->running[u] = -1;
    p->ended++;
    p->policy->done(p->state, t, u, random_number(&p->random));
    for (int k = t + 1; k < g->tasks; k++)
        for (int b = 0; b < g->task[k].befores; b++)
            if (g->before[g->task[k].before + b] == t && --p->waits[k] == 0)
                p->policy->ready(p->state, k);
}

/* Only a unit without which every task still runs somewhere. */
static bool may_lose(const struct play *p, int unit) {
    for (int u = 0; u < p->m->units; u++)
        if (u != unit && !p->gone[u] && p->m->unit[u].class == p->m->unit[unit].class)
            return true;
    return false;
}

static void lose(struct play *p, int u) {
    const int t = p->running[u];
    p->gone[u] = true;
    p->left--;
    p->running[u] = -1;
    p->policy->lost(p->state, u);
    if (t >= 0) {
        p->ran[t] = 0;
        p->policy->ready(p->state, t);
    }
}

static void iterate(struct play *p, long iteration) {
    const struct heddle_graph *g = &p->r->g;
    p->ended = 0;
    memset(p->ran, 0, sizeof p->ran);
    for (int u = 0; u < p->m->units; u++)
        p->running[u] = -1;
    for (int t = 0; t < g->tasks; t++)
        p->waits[t] = g->task[t].befores;
    if (p->policy->begin)
        p->policy->begin(p->state, iteration);
    for (int t = 0; t < g->tasks; t++)
        if (!g->task[t].befores)
            p->policy->ready(p->state, t);
    for (int idle = 0; p->ended < g->tasks;) {
        const int u = random_below(&p->random, p->m->units);
        for (int k = 0; k < p->m->units; k++)
            ask(p, (u + k) % p->m->units);
        if (!random_below(&p->random, 200) && !p->gone[u] && may_lose(p, u))
            lose(p, u);
        idle = p->running[u] >= 0 ? 0 : idle + 1;
        if (p->running[u] >= 0)
            end(p, u);
        if (idle > 20000)
            wrong(p, "nobody runs what is ready", p->ended);
    }
}

static void every_task_runs_once_and_in_order(void **unused) {
    (void)unused;
    static struct random_graph graph[2];
    static struct random_machine machine;
    for (unsigned seed = 1; seed <= 120; seed++)
        for (int k = 0; heddle_graph_policies[k]; k++) {
            struct play p = {.policy = heddle_graph_policies[k], .m = &machine.m, .random = seed, .seed = seed};
            random_machine_make(&machine, &p.random);
            p.left = machine.m.units;
            p.state = p.policy->start(&machine.m);
            assert_non_null(p.state);
            for (int change = 0; change < 3; change++) {
                p.r = &graph[change % 2];
                random_graph_make(p.r, &machine.m, &p.random);
                assert_true(p.policy->change(p.state, &p.r->g));
                if (change)
                    random_graph_drop(&graph[(change + 1) % 2]);
                for (int i = 0; i < 3; i++)
                    iterate(&p, 3L * change + i);
            }
            random_graph_drop(p.r);
            if (p.policy->report) {
                struct heddle_graph_report report = {.partitioner = NULL};
                p.policy->report(p.state, &report);
                assert_true(report.steals >= 0 && report.mappings >= 0);
            }
            p.policy->stop(p.state);
        }
}

static void policies_have_names(void **unused) {
    (void)unused;
    for (int k = 0; heddle_graph_policies[k]; k++) {
        const char *name = heddle_graph_policies[k]->name;
        assert_ptr_equal(heddle__graph_find_policy(name, strlen(name)), heddle_graph_policies[k]);
        assert_int_equal(heddle_graph_policies[k]->version, HEDDLE_GRAPH_VERSION);
    }
    assert_null(heddle__graph_find_policy("best", 4));
}

/* Two write and read one datum of 10 bytes; a third only reads it. */
static void neighbours_share_what_one_writes(void **unused) {
    (void)unused;
    struct heddle_graph_data data = {10, 0};
    struct heddle_graph_access access[] = {{0, false, true}, {0, true, true}, {0, true, false}};
    struct heddle_graph_task task[] = {{0, 0, 1, 0, 0}, {1, 1, 1, 0, 0}, {2, 2, 1, 0, 0}};
    struct heddle_graph g = {.tasks = 3, .partitions = 3, .datas = 1, .task = task, .data = &data, .access = access};
    int *first;
    struct heddle_graph_neighbour *neighbour;
    assert_true(heddle__graph_index(&g, &first, &neighbour));
    assert_int_equal(first[1], 2);
    assert_int_equal(first[2], 4);
    assert_int_equal(first[3], 6);
    for (int k = 0; k < first[3]; k++)
        assert_true(neighbour[k].bytes == 10);
    assert_int_equal(neighbour[4].partition, 0);
    assert_int_equal(neighbour[5].partition, 1);
    free(first);
    free(neighbour);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_and_in_order),
        cmocka_unit_test(policies_have_names),
        cmocka_unit_test(neighbours_share_what_one_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
