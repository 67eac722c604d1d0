/* SPDX-License-Identifier: Apache-2.0 */
/* graph_units.c - units of a described machine, and times: as the machine's file or the scene says for what happens, as
   measured so far for what a policy knows. */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The data of a graph moves at the rate of a type with this name. */
static const char BYTE[] = "byte";

static int find(const char (*name)[SIM_NAME], int count, const char *wanted) {
    for (int k = 0; k < count; k++)
        if (!strcmp(name[k], wanted))
            return k;
    return -1;
}

/* Host threads see memory 0, where all data is at first; kinds of one `memory` line share, all others are alone. */
static void make_units(struct graph_units *u, int *kind_of_memory) {
    const struct jobs_machine *m = u->m;
    int shared[SIM_CLASSES], memories = 1, at = 0;
    kind_of_memory[0] = 0;
    for (int k = 0; k < m->machine.kinds; k++) {
        shared[k] = m->machine.kind[k].host ? 0 : -1;
        for (int j = 0; j < m->machine.kinds && m->memory[k] > 0; j++)
            if (m->machine.kind[j].host && m->memory[j] == m->memory[k])
                shared[k] = 0;
        if (m->machine.kind[k].host)
            kind_of_memory[0] = k;
    }
    for (int k = 0; k < m->machine.kinds; k++)
        for (int i = 0; i < m->machine.kind[k].count; i++) {
            for (int j = 0; j < k && m->memory[k] > 0; j++)
                if (m->memory[j] == m->memory[k] && shared[j] >= 0)
                    shared[k] = shared[j];
            const int memory = shared[k] >= 0 ? shared[k] : memories++;
            kind_of_memory[memory] = memory ? k : kind_of_memory[0];
            if (m->memory[k] > 0)
                shared[k] = memory;
            u->unit[at] = (struct heddle_graph_unit){m->machine.kind[k].host ? -1 : at, k, memory};
            at++;
        }
    u->facts.memories = memories;
}

static bool make_links(struct graph_units *u, const int *kind_of_memory) {
    const int n = u->facts.memories, byte = find(u->m->type, u->m->types, BYTE);
    u->latency = calloc((size_t)n * (size_t)n, sizeof *u->latency);
    u->byte = calloc((size_t)n * (size_t)n, sizeof *u->byte);
    if (!u->latency || !u->byte)
        return false;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            if (a != b) {
                u->latency[a * n + b] = u->m->latency;
                u->byte[a * n + b] = byte < 0 ? 0 : u->m->move[byte][kind_of_memory[a]][kind_of_memory[b]];
            }
    u->facts.latency = u->latency;
    u->facts.byte = u->byte;
    return true;
}

static bool check(const struct graph_units *u, const struct graph_scene *s, char *message) {
    for (int k = 0; k < s->steps; k++)
        for (int t = 0; t < s->step[k].g.tasks; t++) {
            bool possible = false;
            for (int c = 0; c < u->facts.classes && !possible; c++)
                possible = u->m->machine.kind[c].count && graph_time(u, &s->step[k], t, c) >= 0;
            if (!possible) {
                snprintf(message, SIM_MESSAGE, "no unit of the machine can run tasks of type '%s'",
                         s->type[s->step[k].type[t]]);
                return false;
            }
        }
    return true;
}

bool graph_units_make(struct graph_units *u, const struct jobs_machine *m, const struct graph_scene *s, char *message) {
    int kind_of_memory[GRAPH_UNITS + 1];
    memset(u, 0, sizeof *u);
    u->m = m;
    if (m->machine.devices < 1 || m->machine.devices > GRAPH_UNITS) {
        snprintf(message, SIM_MESSAGE, "%d units; 1 to %d expected", m->machine.devices, GRAPH_UNITS);
        return false;
    }
    for (int t = 0; t < s->types; t++)
        u->type[t] = find(m->type, m->types, s->type[t]);
    for (int k = 0; k < m->machine.kinds; k++)
        u->kind[k] = find(s->kind, s->kinds, m->machine.kind[k].name);
    u->facts.units = m->machine.devices;
    u->facts.classes = m->machine.kinds;
    u->facts.unit = u->unit = calloc((size_t)m->machine.devices, sizeof *u->unit);
    snprintf(message, SIM_MESSAGE, "out of memory");
    if (!u->unit)
        return false;
    make_units(u, kind_of_memory);
    return make_links(u, kind_of_memory) && check(u, s, message);
}

void graph_units_free(struct graph_units *u) {
    free(u->unit);
    free(u->latency);
    free(u->byte);
}

double graph_time(const struct graph_units *u, const struct graph_step *g, int task, int class) {
    const int type = u->type[g->type[task]], kind = u->kind[class];
    if (kind >= 0 && g->time[task * SIM_CLASSES + kind] >= 0)
        return g->time[task * SIM_CLASSES + kind];
    if (type < 0 || u->m->cost[type][class].each < 0)
        return -1;
    return u->m->cost[type][class].setup + u->m->cost[type][class].each * g->size[task];
}

double graph_noise(const struct graph_units *u, const struct graph_step *g, int task, int class) {
    const int type = u->type[g->type[task]];
    return type < 0 ? 0 : u->m->cost[type][class].noise;
}

void graph_measured(struct graph_units *u, const struct graph_step *g, int task, int class, double seconds) {
    struct graph_line *l = &u->line[g->type[task]][class];
    const double x = g->size[task];
    l->n++;
    l->x += x;
    l->y += seconds;
    l->xx += x * x;
    l->xy += x * seconds;
}

double graph_expected(const struct graph_units *u, const struct graph_step *g, int task, int class) {
    const struct graph_line *l = &u->line[g->type[task]][class];
    if (l->n < 1)
        return 0;
    const double mean = l->y / l->n, spread = l->xx / l->n - l->x / l->n * (l->x / l->n);
    if (spread <= 1e-9 * l->xx / l->n)
        return mean;
    const double slope = (l->xy / l->n - mean * l->x / l->n) / spread;
    return fmax(0.1 * mean, mean + slope * (g->size[task] - l->x / l->n));
}
