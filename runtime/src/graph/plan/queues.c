/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of partitions, one for each unit: a partition stands in its owner's list while its next task is ready and does
 * not run. Where the owner cannot run that task, it stands in one of three lists more: for all of the host, for all
 * devices, for both. A unit never passes over what the other kind waits for. A step costs a look at a partition's
 * neighbours, however many partitions there are.
 */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

enum { OF_HOST, OF_DEVICES, OF_BOTH, SHARED };

static void unlist(struct heddle__graph_queues *q, int p) {
    const int list = q->list[p];
    *(q->prev[p] < 0 ? &q->head[list] : &q->next[q->prev[p]]) = q->next[p];
    *(q->next[p] < 0 ? &q->tail[list] : &q->prev[q->next[p]]) = q->prev[p];
    if (q->alone[list] == p)
        q->alone[list] = q->next[p];
    q->listed[p] = 0;
}

/* Before `next`; -1: at the end. */
static void insert(struct heddle__graph_queues *q, int p, int list, int next) {
    q->list[p] = list;
    q->listed[p] = 1;
    q->next[p] = next;
    q->prev[p] = next < 0 ? q->tail[list] : q->prev[next];
    *(q->prev[p] < 0 ? &q->head[list] : &q->next[q->prev[p]]) = p;
    *(next < 0 ? &q->tail[list] : &q->prev[next]) = p;
}

static bool is_at_end(const struct heddle__graph_queues *q, int p) { return q->at[p] == q->first_task[p + 1]; }

/* Does another unit hold a neighbour? It may wait for this one. */
static bool is_awaited(const struct heddle__graph_queues *q, int p) {
    for (int k = q->g->first_neighbour[p]; k < q->g->first_neighbour[p + 1]; k++)
        if (q->owner[q->g->neighbour[k].partition] != q->owner[p])
            return true;
    return false;
}

/* The list for all who can run a task that its owner cannot. */
static int shared_by(const struct heddle__graph_queues *q, int task) {
    bool host = false, device = false;
    for (int u = 0; u < q->m->units && !(host && device); u++)
        if (heddle__graph_can(q->m, q->g, task, u))
            *(q->m->unit[u].device < 0 ? &host : &device) = true;
    return q->m->units + (host && device ? OF_BOTH : host ? OF_HOST : OF_DEVICES);
}

/* What others wait for goes first, in turn. Of the rest, what has begun goes on: its data is there, and what has not
   begun stays for thieves, at the end. */
static void enlist(struct heddle__graph_queues *q, int p) {
    if (is_at_end(q, p) || q->runs[p] || q->listed[p] || !q->ready[q->task[q->at[p]]])
        return;
    const int owner = q->owner[p];
    const bool own = owner >= 0 && !q->gone[owner] && heddle__graph_queues_can(q, p, owner);
    const int list = own ? owner : shared_by(q, q->task[q->at[p]]);
    if (is_awaited(q, p)) {
        insert(q, p, list, q->alone[list]);
        return;
    }
    const bool begun = q->at[p] > q->first_task[p];
    insert(q, p, list, begun ? q->alone[list] : -1);
    if (begun || q->alone[list] < 0)
        q->alone[list] = p;
}

bool heddle__graph_queues_can(const struct heddle__graph_queues *q, int partition, int unit) {
    return heddle__graph_can(q->m, q->g, q->task[q->at[partition]], unit);
}

static void drop_graph(struct heddle__graph_queues *q) {
    free(q->first_task);
    free(q->task);
    free(q->at);
    free(q->ready);
    free(q->listed);
    free(q->runs);
    free(q->owner);
    free(q->list);
    free(q->prev);
    free(q->next);
    q->first_task = q->task = q->at = q->owner = q->list = q->prev = q->next = NULL;
    q->ready = q->listed = q->runs = NULL;
}

struct heddle__graph_queues *heddle__graph_queues_make(const struct heddle_graph_machine *m) {
    struct heddle__graph_queues *q = calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->m = m;
    q->units = m->units;
    q->head = malloc(((size_t)m->units + SHARED) * sizeof *q->head);
    q->tail = malloc(((size_t)m->units + SHARED) * sizeof *q->tail);
    q->alone = malloc(((size_t)m->units + SHARED) * sizeof *q->alone);
    q->gone = calloc((size_t)m->units, sizeof *q->gone);
    if (q->head && q->tail && q->alone && q->gone)
        return q;
    heddle__graph_queues_free(q);
    return NULL;
}

void heddle__graph_queues_free(struct heddle__graph_queues *q) {
    if (!q)
        return;
    drop_graph(q);
    free(q->head);
    free(q->tail);
    free(q->alone);
    free(q->gone);
    free(q);
}

/* Tasks by partition, each in the order of the program. */
static void sort_tasks(struct heddle__graph_queues *q) {
    const struct heddle_graph *g = q->g;
    for (int t = 0; t < g->tasks; t++)
        q->first_task[g->task[t].partition + 1]++;
    for (int p = 0; p < g->partitions; p++) {
        q->first_task[p + 1] += q->first_task[p];
        q->at[p] = q->first_task[p];
    }
    for (int t = 0; t < g->tasks; t++)
        q->task[q->at[g->task[t].partition]++] = t;
}

bool heddle__graph_queues_change(struct heddle__graph_queues *q, const struct heddle_graph *g) {
    const size_t parts = (size_t)g->partitions + 1, tasks = (size_t)g->tasks + 1;
    drop_graph(q);
    q->g = g;
    q->first_task = calloc(parts, sizeof *q->first_task);
    q->task = malloc(tasks * sizeof *q->task);
    q->ready = calloc(tasks, 1);
    q->listed = calloc(parts, 1);
    q->runs = calloc(parts, 1);
    int **of_parts[] = {&q->at, &q->owner, &q->list, &q->prev, &q->next};
    bool good = q->first_task && q->task && q->ready && q->listed && q->runs;
    for (size_t k = 0; k < sizeof of_parts / sizeof *of_parts; k++)
        good = (*of_parts[k] = malloc(parts * sizeof(int))) && good;
    if (!good) {
        drop_graph(q);
        q->g = NULL;
        return false;
    }
    q->task[g->tasks] = -1;
    sort_tasks(q);
    for (int p = 0; p < g->partitions; p++)
        q->owner[p] = HEDDLE__GRAPH_NOBODY;
    heddle__graph_queues_begin(q);
    return true;
}

void heddle__graph_queues_begin(struct heddle__graph_queues *q) {
    for (int u = 0; u < q->m->units + SHARED; u++)
        q->head[u] = q->tail[u] = q->alone[u] = -1;
    memcpy(q->at, q->first_task, (size_t)q->g->partitions * sizeof *q->at);
    memset(q->ready, 0, (size_t)q->g->tasks);
    memset(q->listed, 0, (size_t)q->g->partitions);
    memset(q->runs, 0, (size_t)q->g->partitions);
}

void heddle__graph_queues_ready(struct heddle__graph_queues *q, int task) {
    const int p = q->g->task[task].partition;
    q->ready[task] = 1;
    if (q->task[q->at[p]] == task)
        q->runs[p] = 0; /* it ran on a unit that is lost */
    enlist(q, p);
}

int heddle__graph_queues_take(struct heddle__graph_queues *q, int partition, int unit, bool own) {
    unlist(q, partition);
    q->runs[partition] = 1;
    if (own)
        q->owner[partition] = unit;
    return q->task[q->at[partition]];
}

void heddle__graph_queues_done(struct heddle__graph_queues *q, int task) {
    const int p = q->g->task[task].partition;
    q->runs[p] = 0;
    q->at[p]++;
    enlist(q, p);
}

int heddle__graph_queues_own(const struct heddle__graph_queues *q, int unit) {
    if (q->head[unit] >= 0)
        return q->head[unit];
    const int only = q->m->unit[unit].device < 0 ? OF_HOST : OF_DEVICES, list[] = {only, OF_BOTH};
    for (int k = 0; k < 2; k++)
        for (int p = q->head[q->m->units + list[k]]; p >= 0; p = q->next[p])
            if (heddle__graph_queues_can(q, p, unit)) /* devices differ */
                return p;
    return -1;
}

void heddle__graph_queues_lost(struct heddle__graph_queues *q, int unit) {
    int to = unit;
    q->units -= !q->gone[unit];
    q->gone[unit] = true;
    for (int p = 0; q->g && p < q->g->partitions && q->units; p++) {
        if (q->owner[p] != unit)
            continue;
        do
            to = (to + 1) % q->m->units;
        while (q->gone[to]);
        q->owner[p] = to;
        if (q->listed[p]) {
            unlist(q, p);
            enlist(q, p);
        }
    }
}
