/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deals the regions of a repeated graph to devices. A region comes when libomp finds its task ready; its thread, one of
 * libomp's helpers, then waits here until the policy gives the task to a device that has room. So no more than the
 * helpers can be ready at once: what a policy sees of the graph's future is the recorded graph alone.
 *
 * Whatever does not fit - another task than last time, a region that may not run there, a policy that gives nothing
 * while all devices are idle - ends it for this iteration: all who wait go on, and the policy's `choose` places them.
 */
#include "graph.h"
#include "graph/schedule/table.h"
#include <stdatomic.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 2 };                    /* regions at a device: one runs, the data of the next one comes */
enum { MOST_NODES = 1 << 20 };         /* a program that never waits for its tasks is not followed */
static const double LEAST_WAIT = 1e-3; /* seconds: every waiting thread asks */
enum turn { AWAY, WAITS, GIVEN };

static struct {
    const struct heddle_graph_policy *policy;
    void *state; /* NULL: not started */
    struct heddle_graph_machine machine;
    struct heddle_graph_unit *unit;
    double *latency, *byte;
    place_set units;
    int place[PLACES], index[PLACES]; /* of a unit; of a place */
    int running[PLACES];              /* [unit] */
    bool failed;                      /* out of memory, or nothing to deal */
} m;

static struct recording now, learnt;
static struct recorded_graph graph;
static char *turn; /* [task] enum turn */
static int *given; /* [task] the unit */
static int waiting, live;
static bool on;     /* this iteration is as the recorded one so far, and the policy deals it */
static bool remake; /* ... but something else has changed */
static unsigned long iterations, dealt, alone;
static double again; /* when a policy that gave nothing wants to be asked */
static unsigned long epoch = 1;
static const void *_Atomic submitter; /* the thread that submitted last; others only see that they are not it */
static _Thread_local char here;

/* ---- the machine --------------------------------------------------------------------------------------------------
 */

static bool describe(void) {
    int class[CLASSES], units = __builtin_popcountll(m.units);
    for (int k = 0; k < CLASSES; k++)
        class[k] = -1;
    m.unit = calloc((size_t)units, sizeof *m.unit);
    m.latency = calloc((size_t)units * (size_t)units, sizeof *m.latency);
    m.byte = calloc((size_t)units * (size_t)units, sizeof *m.byte);
    if (!m.unit || !m.latency || !m.byte)
        return false;
    int u = 0;
    for (place_set left = m.units; left; left &= left - 1, u++) {
        const int place = __builtin_ctzll(left), c = heddle__class_of(place);
        class[c] = class[c] < 0 ? m.machine.classes++ : class[c];
        m.unit[u] = (struct heddle_graph_unit){.device = place, .class = class[c], .memory = u};
        m.place[u] = place;
        m.index[place] = u;
    }
    for (int a = 0; a < units; a++)
        for (int b = 0; b < units; b++) {
            const int c = heddle__class_of(m.place[b]);
            const double none = heddle__predict_migration(c, 0), much = heddle__predict_migration(c, 64 << 20);
            m.latency[a * units + b] = a == b ? 0 : none;
            m.byte[a * units + b] = a == b || much < none ? 0 : (much - none) / (64 << 20);
        }
    m.machine.units = m.machine.memories = units;
    m.machine.unit = m.unit;
    m.machine.latency = m.latency;
    m.machine.byte = m.byte;
    m.machine.seed = 1;
    return true;
}

static bool start(void) {
    if (m.state || m.failed)
        return m.state;
    m.units = heddle__sel.candidates & ~BIT(HOST);
    if (__builtin_popcountll(m.units) > 1 && describe())
        m.state = m.policy->start(&m.machine);
    m.failed = !m.state;
    return m.state;
}

static bool wanted(void) {
    static bool asked;
    if (!asked && heddle__sel.policy->graph)
        m.policy = heddle__graph_find_policy(heddle__sel.policy->graph, strlen(heddle__sel.policy->graph));
    asked = true;
    return m.policy && !m.failed;
}

/* ---- turns --------------------------------------------------------------------------------------------------------
 */

static void let_go(void) {
    if (on)
        heddle__wake();
    on = false;
}

static bool ask(int u) {
    struct heddle_graph_answer answer = {.task = -1};
    m.policy->next(m.state, u, &answer);
    if (answer.task < 0) {
        again = answer.again > 0 && (again <= 0 || answer.again < again) ? answer.again : again;
        return false;
    }
    if (answer.task >= graph.graph.tasks || turn[answer.task] != WAITS) {
        heddle__warn(NULL, "policy %s: task %d is not ready; this iteration goes without it", m.policy->name,
                     answer.task);
        let_go();
        return false;
    }
    turn[answer.task] = GIVEN;
    given[answer.task] = u;
    waiting--;
    m.running[u]++;
    heddle__wake();
    return true;
}

/* Who has room is asked; first the unit that has the data of what became ready. */
static void deal(int preferred) {
    int running = 0;
    again = 0;
    for (int k = -1; k < m.machine.units && on && waiting; k++) {
        const int u = k < 0 ? preferred : k;
        while (u >= 0 && on && waiting && m.running[u] < DEPTH && ask(u))
            ;
    }
    for (int u = 0; u < m.machine.units; u++)
        running += m.running[u];
    if (on && waiting && !running)
        let_go();
}

/* ---- iterations ---------------------------------------------------------------------------------------------------
 */

static void begin(void) {
    epoch++;
    on = graph.graph.tasks > 0;
    remake = false;
    waiting = 0;
    if (on) {
        memset(turn, AWAY, (size_t)graph.graph.tasks);
        if (m.policy->begin)
            m.policy->begin(m.state, (long)iterations);
        iterations++;
    }
}

static bool is_same(int node) { return node < learnt.nodes && now.node[node].signature == learnt.node[node].signature; }

static void learn(void) {
    struct recorded_graph new;
    const struct recording old = learnt;
    learnt = now;
    now = old;
    if (!start() || !heddle__recorded_make(&new, &learnt, &m.machine, m.units, m.index)) {
        m.failed = true;
        return;
    }
    char *turns = realloc(turn, (size_t)new.graph.tasks + 1);
    turn = turns ? turns : turn;
    int *units = realloc(given, ((size_t)new.graph.tasks + 1) * sizeof *units);
    given = units ? units : given;
    m.failed = !turns || !units;
    if (!m.failed && new.graph.tasks) {
        struct recorded_graph before = graph;
        graph = new; /* policies keep a pointer to it */
        m.failed = !m.policy->change(m.state, &graph.graph);
        heddle__recorded_free(&before);
        return;
    }
    heddle__recorded_free(&new);
    graph.graph.tasks = 0;
}

static void end_iteration(void) {
    bool same = now.nodes == learnt.nodes && !remake;
    for (int k = 0; k < now.nodes && same; k++)
        same = is_same(k);
    if (!same)
        learn();
    now.nodes = now.items = 0;
    on = false;
}

void heddle__iteration_submit(struct task *t) {
    if (!wanted())
        return;
    if (!now.nodes)
        begin();
    const int node = now.nodes < MOST_NODES ? heddle__recording_add(&now, t) : -1;
    if (node < 0) {
        m.failed = true;
        let_go();
        heddle__verbose("policy %s: the program's tasks have no end; they are placed one by one", m.policy->name);
        return;
    }
    atomic_store_explicit(&submitter, &here, memory_order_relaxed);
    t->epoch = epoch;
    t->node = node;
    live++;
    if (on && !is_same(node))
        let_go();
}

void heddle__iteration_end(const struct task *t) { live -= t->node >= 0 && t->epoch == epoch; }

void heddle__iteration_synced(void) {
    /* who submitted knows of the policy; for others it may be in the making */
    if (atomic_load_explicit(&submitter, memory_order_relaxed) != &here || !m.policy)
        return;
    heddle__lock();
    if (now.nodes && !live && !m.failed)
        end_iteration();
    heddle__unlock();
}

/* ---- a region -----------------------------------------------------------------------------------------------------
 */

void heddle__iteration_wait(struct sample *s) {
    const struct task *t = m.policy ? heddle__task_current() : NULL;
    s->graph_node = s->graph_task = s->graph_place = -1;
    s->graph_unit = 0;
    if (!t || t->node < 0 || t->epoch != epoch || m.failed)
        return;
    s->graph_node = t->node;
    const int task = on && t->node < graph.nodes ? graph.task[t->node] : -1;
    if (++now.node[t->node].regions > 1 || task < 0)
        return;
    turn[task] = WAITS;
    waiting++;
    m.policy->ready(m.state, task);
    deal(graph.owner[graph.tasks[task].partition]);
    while (on && turn[task] == WAITS) {
        if (heddle__stop_if_ending(true, true))
            return;
        heddle__wait(again > LEAST_WAIT ? again : again > 0 ? LEAST_WAIT : 0.02);
        if (on && turn[task] == WAITS)
            deal(-1);
    }
    if (turn[task] != GIVEN) {
        alone++;
        return;
    }
    dealt++;
    s->graph_task = task;
    s->graph_unit = given[task];
    s->graph_place = m.place[given[task]];
}

void heddle__iteration_done(const struct sample *s, place_set could) {
    if (s->graph_node < 0)
        return;
    struct graph_node *n = &now.node[s->graph_node];
    n->place = s->place;
    n->allowed = could;
    n->seconds = s->alone;
    if (s->graph_task < 0) { /* perhaps it may go elsewhere by now */
        const bool known = s->graph_node < graph.nodes && is_same(s->graph_node);
        remake = remake || (known && graph.task[s->graph_node] < 0 && n->regions == 1 && (could & m.units) == m.units);
        return;
    }
    m.running[s->graph_unit]--;
    if (s->place != s->graph_place) { /* it could not run there */
        remake = remake || (could & m.units) != m.units;
        let_go();
    }
    if (!on) {
        heddle__wake();
        return;
    }
    const int p = graph.tasks[s->graph_task].partition;
    double *time = &graph.time[s->graph_task * m.machine.classes + m.unit[s->graph_unit].class];
    if (s->alone > 0)
        *time = *time > 0 ? (*time + s->alone) / 2 : s->alone;
    graph.owner[p] = s->graph_unit;
    m.policy->done(m.state, s->graph_task, s->graph_unit, s->alone > 0 ? s->alone : 0);
    deal(-1);
}

/* ---- the end ------------------------------------------------------------------------------------------------------
 */

void heddle__iteration_explain(void) {
    struct heddle_graph_report r = {0};
    if (!m.state)
        return;
    if (m.policy->report)
        m.policy->report(m.state, &r);
    fprintf(stderr,
            "heddle: graph of %d tasks in %d partitions by %s: %lu iterations, %lu regions dealt, %lu went alone; %ld "
            "mappings, %ld stolen\n",
            graph.graph.tasks, graph.graph.partitions, r.partitioner ? r.partitioner : "nobody", iterations, dealt,
            alone, r.mappings, r.steals);
}

void heddle__iteration_stop(void) {
    if (m.state)
        m.policy->stop(m.state);
    m.state = NULL;
    m.failed = true;
    heddle__recorded_free(&graph);
    free(now.node), free(now.item), free(learnt.node), free(learnt.item);
    free(turn), free(given), free(m.unit), free(m.latency), free(m.byte);
}

void heddle__iteration_forget(void) {
    on = false;
    live = waiting = 0;
    now.nodes = now.items = 0;
    memset(m.running, 0, sizeof m.running);
}
