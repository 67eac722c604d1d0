/* SPDX-License-Identifier: Apache-2.0 */
/* What policies decide about a chain of partitions: each has a first task, and a second one that reads its neighbours.
 */
#include "graph/plan/plan.h"
#include "graph/schedule/table.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 64, UNITS = 8, CLASSES = 2 };

struct chain {
    struct heddle_graph g;
    struct heddle_graph_task task[2 * MOST];
    struct heddle_graph_data data[MOST];
    struct heddle_graph_access access[4 * MOST];
    int before[3 * MOST], owner[MOST], *first;
    double time[2 * MOST * CLASSES];
    struct heddle_graph_neighbour *neighbour;
};
struct machine {
    struct heddle_graph_machine m;
    struct heddle_graph_unit unit[UNITS];
    double zero[UNITS * UNITS];
};

/* The first `hosts` units are threads of the host, of class 1. */
static void make_machine(struct machine *m, int units, int hosts) {
    memset(m, 0, sizeof *m);
    for (int u = 0; u < units; u++)
        m->unit[u] = (struct heddle_graph_unit){u < hosts ? -1 : u, u < hosts, u < hosts ? 0 : u};
    m->m = (struct heddle_graph_machine){.units = units,
                                         .classes = CLASSES,
                                         .memories = units,
                                         .unit = m->unit,
                                         .latency = m->zero,
                                         .byte = m->zero,
                                         .seed = 1};
}

/* `host`: seconds of a task there; a device needs 1. */
static void make_chain(struct chain *c, int partitions, double host) {
    int accesses = 0, befores = 0;
    memset(c, 0, sizeof *c);
    for (int p = 0; p < partitions; p++) {
        c->data[p] = (struct heddle_graph_data){1000, p};
        c->owner[p] = -1;
        c->access[accesses] = (struct heddle_graph_access){p, true, true};
        c->task[p] = (struct heddle_graph_task){p, accesses++, 1, 0, 0};
    }
    for (int p = 0; p < partitions; p++) {
        struct heddle_graph_task *t = &c->task[partitions + p];
        *t = (struct heddle_graph_task){p, accesses, 0, befores, 0};
        for (int q = p ? p - 1 : p; q <= p + 1 && q < partitions; q++, t->accesses++, t->befores++) {
            c->access[accesses++] = (struct heddle_graph_access){q, true, false};
            c->before[befores++] = q;
        }
    }
    for (int t = 0; t < 2 * partitions; t++) {
        c->time[t * CLASSES] = 1;
        c->time[t * CLASSES + 1] = host;
    }
    c->g = (struct heddle_graph){.tasks = 2 * partitions,
                                 .partitions = partitions,
                                 .datas = partitions,
                                 .task = c->task,
                                 .data = c->data,
                                 .access = c->access,
                                 .before = c->before,
                                 .time = c->time,
                                 .owner = c->owner};
    assert_true(heddle__graph_index(&c->g, &c->first, &c->neighbour));
}

static void drop_chain(struct chain *c) {
    free(c->first);
    free(c->neighbour);
}

static int cuts(const struct chain *c, const int *owner) {
    int sum = 0;
    for (int p = 1; p < c->g.partitions; p++)
        sum += owner[p] != owner[p - 1];
    return sum;
}

/* owner: of each partition; count: partitions of each unit. */
static void map(const struct chain *c, const struct machine *m, const bool *gone, int *owner, int *count) {
    assert_non_null(heddle__graph_partition(&m->m, &c->g, gone, owner));
    for (int u = 0; u < UNITS; u++)
        count[u] = 0;
    for (int p = 0; p < c->g.partitions; p++)
        count[owner[p]]++;
}

/* ---- mapping ----------------------------------------------------------------------------------------------------- */
static void equal_units_get_equal_parts(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    bool gone[UNITS] = {false};
    int owner[MOST], count[UNITS];
    make_chain(&c, 32, 1);
    make_machine(&m, 4, 0);
    map(&c, &m, gone, owner, count);
    for (int u = 0; u < 4; u++)
        assert_in_range(count[u], 7, 9);
    assert_in_range(cuts(&c, owner), 3, 5);
    drop_chain(&c);
}

static void a_slow_unit_gets_less(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    bool gone[UNITS] = {false};
    int owner[MOST], count[UNITS];
    make_chain(&c, 40, 3);
    make_machine(&m, 2, 1);
    map(&c, &m, gone, owner, count);
    assert_in_range(count[0], 8, 12);
    drop_chain(&c);
}

static void lost_units_get_nothing(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    bool gone[UNITS] = {true, false, true, false};
    int owner[MOST], count[UNITS];
    make_chain(&c, 32, 1);
    make_machine(&m, 4, 0);
    map(&c, &m, gone, owner, count);
    for (int u = 0; u < 4; u++)
        assert_true(!gone[u] || count[u] == 0);
    drop_chain(&c);
}

static void a_partition_goes_where_it_can_run(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    bool gone[UNITS] = {false};
    int owner[MOST];
    make_chain(&c, 32, 1);
    make_machine(&m, 4, 2);
    for (int p = 0; p < 32; p++)
        c.time[p * CLASSES + p % 2] = -1;
    assert_non_null(heddle__graph_partition(&m.m, &c.g, gone, owner));
    for (int p = 0; p < 32; p++)
        assert_int_equal(m.unit[owner[p]].class, (p + 1) % 2);
    drop_chain(&c);
}

/* As a thread that has the host's tasks beside two devices. */
static void who_runs_little_gets_no_share(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    bool gone[UNITS] = {false};
    int owner[MOST], count[UNITS];
    make_chain(&c, 32, 1);
    make_machine(&m, 3, 1);
    const int few = m.unit[0].class, most = m.unit[2].class;
    for (int p = 0; p < 32; p++)
        c.time[p * CLASSES + (p % 16 == 5 ? most : few)] = -1;
    map(&c, &m, gone, owner, count);
    assert_int_equal(count[0], 2);
    assert_in_range(count[1], 14, 16);
    assert_in_range(cuts(&c, owner), 5, 7);
    drop_chain(&c);
}

static void data_stays_where_it_is(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    bool gone[UNITS] = {false};
    int owner[MOST], moved = 0;
    make_chain(&c, 32, 1);
    make_machine(&m, 4, 0);
    for (int p = 0; p < 32; p++)
        c.owner[p] = 3 - p / 8;
    assert_non_null(heddle__graph_partition(&m.m, &c.g, gone, owner));
    for (int p = 0; p < 32; p++)
        moved += owner[p] != c.owner[p];
    assert_in_range(moved, 0, 4);
    drop_chain(&c);
}

/* What stands in where there is no METIS. */
static void the_walk_cuts_a_chain_into_pieces(void **unused) {
    (void)unused;
    struct chain c;
    int weight[MOST], to[2 * MOST], part[MOST], count[4] = {0};
    float share[4] = {0.25F, 0.25F, 0.25F, 0.25F};
    make_chain(&c, 32, 1);
    for (int p = 0; p < 32; p++)
        weight[p] = 5;
    for (int k = 0; k < c.first[32]; k++)
        to[k] = c.neighbour[k].partition;
    const struct heddle__graph_weights w = {32, 4, c.first, to, weight, weight, share};
    assert_true(heddle__graph_walk(&w, part));
    for (int p = 0; p < 32; p++)
        count[part[p]]++;
    for (int k = 0; k < 4; k++)
        assert_int_equal(count[k], 8);
    assert_int_equal(cuts(&c, part), 3);
    drop_chain(&c);
}

/* ---- refining ---------------------------------------------------------------------------------------------------- */
static double most_load(const struct chain *c, const struct machine *m, const int *owner) {
    double load[UNITS] = {0}, most = 0;
    for (int t = 0; t < c->g.tasks; t++)
        load[owner[c->task[t].partition]] += c->time[t * CLASSES + m->unit[owner[c->task[t].partition]].class];
    for (int u = 0; u < m->m.units; u++)
        most = load[u] > most ? load[u] : most;
    return most;
}

/* A processor is as fast as the GPU for every fourth partition, and 20 times slower for the others. */
static void each_gets_what_it_is_good_at(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    const bool gone[UNITS] = {false};
    int owner[MOST];
    make_chain(&c, 32, 20);
    make_machine(&m, 4, 1);
    for (int t = 0; t < 64; t++)
        c.time[t * CLASSES + 1] = t % 4 ? 20 : 1;
    for (int p = 0; p < 32; p++)
        owner[p] = 1 + p % 3;
    assert_true(heddle__graph_refine(&m.m, &c.g, gone, 0.02, owner));
    assert_true(most_load(&c, &m, owner) <= 16);
    for (int p = 0; p < 32; p++)
        assert_true(owner[p] != 0 || p % 4 == 0);
    assert_false(heddle__graph_refine(&m.m, &c.g, gone, 0.02, owner)); /* no more to be gained */
    drop_chain(&c);
}

static void nothing_moves_where_it_cannot_run(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    const bool gone[UNITS] = {false, false, false, true};
    int owner[MOST];
    make_chain(&c, 32, 1);
    make_machine(&m, 4, 1);
    for (int t = 0; t < 64; t++)
        c.time[t * CLASSES + 1] = t % 2 ? -1 : 1;
    for (int p = 0; p < 32; p++)
        owner[p] = 1;
    assert_true(heddle__graph_refine(&m.m, &c.g, gone, 0, owner));
    assert_true(most_load(&c, &m, owner) <= 22);
    for (int p = 0; p < 32; p++)
        assert_true(owner[p] != 3 && (owner[p] != 0 || p % 2 == 0));
    drop_chain(&c);
}

/* Copies cost more than what is won. */
static void neighbours_stay_together_when_copies_are_dear(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    const bool gone[UNITS] = {false};
    int owner[MOST];
    make_chain(&c, 8, 1);
    make_machine(&m, 2, 0);
    m.zero[1] = m.zero[2] = 100; /* seconds of latency, either way */
    for (int p = 0; p < 8; p++)
        owner[p] = 0;
    assert_false(heddle__graph_refine(&m.m, &c.g, gone, 0, owner));
    for (int p = 0; p < 8; p++)
        assert_int_equal(owner[p], 0);
    drop_chain(&c);
}

/* ---- stealing ---------------------------------------------------------------------------------------------------- */
static void begin(const struct heddle_graph_policy *policy, void *state, const struct chain *c) {
    assert_non_null(state);
    assert_true(policy->change(state, &c->g));
    policy->begin(state, 0);
    for (int p = 0; p < c->g.partitions; p++)
        policy->ready(state, p);
}

static int take(const struct heddle_graph_policy *policy, void *state, int unit) {
    struct heddle_graph_answer answer = {-1, 0};
    policy->next(state, unit, &answer);
    return answer.task;
}

/* Of a chain that two units share, the middle lies between them: once all first tasks have run, the one that has
   nothing left gets what touches its own. */
static void a_thief_gets_neighbours_only(void **unused) {
    (void)unused;
    const struct heddle_graph_policy *policy = &heddle__graph_affinity_published;
    struct chain c;
    struct machine m;
    int by[MOST];
    make_chain(&c, 16, 1);
    make_machine(&m, 2, 0);
    void *state = policy->start(&m.m);
    begin(policy, state, &c);
    for (int k = 0; k < 16; k++) {
        const int u = k % 2, t = take(policy, state, u);
        assert_in_range(t, 0, 15);
        by[t] = u;
        policy->done(state, t, u, 1);
    }
    for (int p = 0; p < 16; p++)
        policy->ready(state, 16 + p);
    for (int t; (t = take(policy, state, 0)) >= 0;) {
        const int p = t - 16;
        assert_true(by[p] == 0 || (p && by[p - 1] == 0) || (p < 15 && by[p + 1] == 0));
        by[p] = 0;
        policy->done(state, t, 0, 1);
    }
    policy->stop(state);
    drop_chain(&c);
}

static double threshold_of(const struct heddle_graph_policy *policy, void *state) {
    struct heddle_graph_report r = {.threshold = 0};
    policy->report(state, &r);
    return r.threshold;
}

/* Between a processor and a GPU that find nothing to steal for long. */
static void the_threshold_keeps_its_limits(void **unused) {
    (void)unused;
    const struct heddle_graph_policy *policy = &heddle__graph_affinity_published;
    struct chain c;
    struct machine m;
    make_chain(&c, 16, 1e6); /* nothing for a processor, whatever the threshold */
    make_machine(&m, 2, 1);
    m.m.parameter[0] = 2;
    m.m.parameter[1] = 0.5;
    m.m.parameter[2] = 4;
    void *state = policy->start(&m.m);
    assert_true(threshold_of(policy, state) == 2);
    begin(policy, state, &c);
    while (take(policy, state, 0) >= 0)
        ; /* its own */
    for (int k = 0; k < 1000; k++)
        assert_int_equal(take(policy, state, 0), -1);
    assert_true(threshold_of(policy, state) == 8);
    int given = 0;
    while (take(policy, state, 1) >= 0)
        given++;
    assert_true(given > 0);
    for (int k = 0; k < 1000; k++)
        take(policy, state, 0);
    assert_true(threshold_of(policy, state) == 8); /* nothing is left to be taken: it rests */
    policy->stop(state);
    drop_chain(&c);
}

/* A processor alone with work below no threshold of the limits gets it all the same: it is its own. */
static void nobody_starves_when_units_are_lost(void **unused) {
    (void)unused;
    struct chain c;
    struct machine m;
    make_chain(&c, 16, 1e6);
    make_machine(&m, 3, 1);
    for (int k = 0; heddle_graph_policies[k]; k++) {
        const struct heddle_graph_policy *policy = heddle_graph_policies[k];
        int ran = 0;
        void *state = policy->start(&m.m);
        assert_non_null(state);
        assert_true(policy->change(state, &c.g));
        if (policy->begin)
            policy->begin(state, 0);
        for (int p = 0; p < 16; p++)
            policy->ready(state, p);
        const int running = take(policy, state, 1);
        policy->lost(state, 1);
        if (running >= 0)
            policy->ready(state, running);
        policy->lost(state, 2);
        for (int t; (t = take(policy, state, 0)) >= 0; ran++)
            policy->done(state, t, 0, 1);
        assert_int_equal(ran, 16);
        policy->stop(state);
    }
    drop_chain(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_units_get_equal_parts),
                                       cmocka_unit_test(a_slow_unit_gets_less),
                                       cmocka_unit_test(lost_units_get_nothing),
                                       cmocka_unit_test(a_partition_goes_where_it_can_run),
                                       cmocka_unit_test(who_runs_little_gets_no_share),
                                       cmocka_unit_test(data_stays_where_it_is),
                                       cmocka_unit_test(the_walk_cuts_a_chain_into_pieces),
                                       cmocka_unit_test(each_gets_what_it_is_good_at),
                                       cmocka_unit_test(nothing_moves_where_it_cannot_run),
                                       cmocka_unit_test(neighbours_stay_together_when_copies_are_dear),
                                       cmocka_unit_test(a_thief_gets_neighbours_only),
                                       cmocka_unit_test(the_threshold_keeps_its_limits),
                                       cmocka_unit_test(nobody_starves_when_units_are_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
