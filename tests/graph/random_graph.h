/* SPDX-License-Identifier: Apache-2.0 */
/* Random graphs and machines for tests, and one iteration of a policy over them. */
#ifndef RANDOM_GRAPH_H
#define RANDOM_GRAPH_H

#include <heddle/graph.h>
#include <stdint.h>

enum { UNITS = 20, CLASSES = 3, TASKS = 400, PARTS = 60, DATAS = 90, ACCESSES = 3 * TASKS, BEFORES = 4 * TASKS };

struct random_machine {
    struct heddle_graph_machine m;
    struct heddle_graph_unit unit[UNITS];
    double latency[UNITS * UNITS], byte[UNITS * UNITS];
};
struct random_graph {
    struct heddle_graph g;
    struct heddle_graph_task task[TASKS];
    struct heddle_graph_data data[DATAS];
    struct heddle_graph_access access[ACCESSES];
    int before[BEFORES], owner[PARTS];
    double time[TASKS * CLASSES];
    int *first_neighbour;
    struct heddle_graph_neighbour *neighbour;
};
double random_number(uint64_t *state); /* [0, 1) */
int random_below(uint64_t *state, int n);
void random_machine_make(struct random_machine *m, uint64_t *state);
/* Dependences are those of the data: who writes waits for who used it, who reads for who wrote it. */
void random_graph_make(struct random_graph *r, const struct heddle_graph_machine *m, uint64_t *state);
void random_graph_drop(struct random_graph *r);

#endif
