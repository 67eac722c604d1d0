/* SPDX-License-Identifier: Apache-2.0 */
#include "random_graph.h"
#include "graph/plan/plan.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

double random_number(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
int random_below(uint64_t *state, int n) { return (int)(random_number(state) * n); }

void random_machine_make(struct random_machine *r, uint64_t *state) {
    struct heddle_graph_machine *m = &r->m;
    memset(r, 0, sizeof *r);
    m->units = 1 + random_below(state, UNITS);
    m->classes = 1 + random_below(state, m->units < CLASSES ? m->units : CLASSES);
    m->memories = m->units;
    m->unit = r->unit;
    m->latency = r->latency;
    m->byte = r->byte;
    m->seed = (uint64_t)random_below(state, 1000);
    const int host = random_below(state, 2);
    for (int u = 0; u < m->units; u++) {
        const int class = u % m->classes;
        const int is_host = host && class == 0;
        r->unit[u] = (struct heddle_graph_unit){is_host ? -1 : u, class, is_host ? 0 : u};
    }
    for (int k = 0; k < m->memories * m->memories; k++) {
        r->latency[k] = k / m->memories == k % m->memories ? 0 : 1e-5 * random_number(state);
        r->byte[k] = k / m->memories == k % m->memories ? 0 : 1e-9 * random_number(state);
    }
}

static void add_before(struct random_graph *r, struct heddle_graph_task *t, int task) {
    for (int k = 0; k < t->befores; k++)
        if (r->before[t->before + k] == task)
            return;
    if (task >= 0 && t->before + t->befores < BEFORES)
        r->before[t->before + t->befores++] = task;
}

static void random_times(struct random_graph *r, const struct heddle_graph_machine *m, uint64_t *state) {
    const int known = random_below(state, 3); /* nothing, some, all */
    for (int t = 0; t < r->g.tasks; t++) {
        const int only = random_below(state, 8) ? -1 : random_below(state, m->classes);
        for (int k = 0; k < m->classes; k++)
            r->time[t * m->classes + k] = only >= 0 && k != only                                 ? -1
                                          : known == 0 || (known == 1 && random_below(state, 2)) ? 0
                                                                                                 : random_number(state);
    }
}

void random_graph_make(struct random_graph *r, const struct heddle_graph_machine *m, uint64_t *state) {
    int writer[DATAS], reader[DATAS], befores = 0, accesses = 0;
    memset(r, 0, sizeof *r);
    r->g = (struct heddle_graph){.tasks = 1 + random_below(state, TASKS),
                                 .partitions = 1 + random_below(state, PARTS),
                                 .datas = 1 + random_below(state, DATAS),
                                 .task = r->task,
                                 .data = r->data,
                                 .access = r->access,
                                 .before = r->before,
                                 .time = r->time,
                                 .owner = r->owner};
    for (int d = 0; d < r->g.datas; d++) {
        r->data[d] = (struct heddle_graph_data){1e6 * random_number(state), random_below(state, r->g.partitions)};
        writer[d] = reader[d] = -1;
    }
    for (int t = 0; t < r->g.tasks; t++) {
        struct heddle_graph_task *task = &r->task[t];
        *task = (struct heddle_graph_task){random_below(state, r->g.partitions), accesses, 0, befores, 0};
        for (int k = random_below(state, 4); k > 0; k--) {
            const int d = random_below(state, r->g.datas), writes = random_below(state, 2);
            r->access[task->access + task->accesses++] = (struct heddle_graph_access){d, !writes || k > 1, writes};
            add_before(r, task, writer[d] == t ? -1 : writer[d]);
            add_before(r, task, writes && reader[d] != t ? reader[d] : -1);
            *(writes ? &writer[d] : &reader[d]) = t;
        }
        accesses += task->accesses;
        befores += task->befores;
    }
    for (int p = 0; p < r->g.partitions; p++)
        r->owner[p] = random_below(state, m->units + 1) - 1;
    random_times(r, m, state);
    assert_true(heddle__graph_index(&r->g, &r->first_neighbour, &r->neighbour));
}

void random_graph_drop(struct random_graph *r) {
    free(r->first_neighbour);
    free(r->neighbour);
}
