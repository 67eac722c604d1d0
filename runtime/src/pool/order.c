/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Orders of tasks that are known beforehand: which tasks come after each of the host's, and all tasks of a job by
 * level. A level holds tasks that do not depend on each other; for a loop it is a linear function of the iteration
 * (x + 2y for left, upper left, upper and upper right neighbours), the diagonal order of the 2012 paper.
 */
#include "pool.h"
#include <stdlib.h>
#include <string.h>

int heddle__link_successors(struct heddle__segment *s) {
    const uint64_t n = s->nodes;
    uint32_t *start = calloc(n + 2, sizeof *start), *next = malloc((s->edges + 1) * sizeof *next);
    uint32_t *wanted = malloc((n + 1) * sizeof *wanted);
    struct heddle_job *j = &s->job[s->nodes_job];
    if (!start || !next || !wanted) {
        free(start);
        free(next);
        free(wanted);
        return HEDDLE_ENOMEM;
    }
    for (uint64_t k = 0; k < n; k++)
        wanted[k] = s->before_start[k + 1] - s->before_start[k];
    for (uint64_t e = 0; e < s->edges; e++)
        start[s->before[e] + 2]++;
    for (uint64_t k = 2; k <= n; k++)
        start[k] += start[k - 1];
    for (uint64_t k = 0; k < n; k++) /* start[b + 1] runs from the list's begin to its end */
        for (uint32_t e = s->before_start[k]; e < s->before_start[k + 1]; e++)
            next[start[s->before[e] + 1]++] = (uint32_t)k;
    j->wanted = wanted;
    j->next_start = start;
    j->next = next;
    j->before_start = s->before_start;
    j->before = s->before;
    return HEDDLE_OK;
}

/* The smallest coefficients that put every sink at least one level earlier. */
static int level_function(const struct heddle_job *j, long *coefficient) {
    enum { MOST = 9 };
    long best = -1;
    for (int a = 0; a < MOST; a++)
        for (int b = 0; b < MOST; b++)
            for (int c = 0; c < MOST; c++) {
                bool legal = true;
                for (int q = 0; q < j->sinks; q++)
                    legal &= a * j->sink[q][0] + b * j->sink[q][1] + c * j->sink[q][2] <= -1;
                const long levels = a * (j->count[0] - 1) + b * (j->count[1] - 1) + c * (j->count[2] - 1);
                if (legal && (best < 0 || levels < best)) {
                    best = levels;
                    coefficient[0] = a, coefficient[1] = b, coefficient[2] = c;
                }
            }
    return best < 0;
}

int64_t heddle__count_levels(const struct heddle_job *j) {
    long c[3] = {0};
    if (level_function(j, c))
        return j->total;
    return c[0] * (j->count[0] - 1) + c[1] * (j->count[1] - 1) + c[2] * (j->count[2] - 1) + 1;
}

static void loop_levels(const struct heddle_job *j, uint32_t *level) {
    long at[3], coefficient[3] = {0};
    if (level_function(j, coefficient)) /* sinks too far apart for small numbers: program order, one task a level */
        coefficient[0] = j->count[1] * j->count[2], coefficient[1] = j->count[2], coefficient[2] = 1;
    for (at[0] = 0; at[0] < j->count[0]; at[0]++)
        for (at[1] = 0; at[1] < j->count[1]; at[1]++)
            for (at[2] = 0; at[2] < j->count[2]; at[2]++)
                *level++ = (uint32_t)(coefficient[0] * at[0] + coefficient[1] * at[1] + coefficient[2] * at[2]);
}

static void node_levels(const struct heddle_job *j, uint32_t *level) {
    for (int64_t k = 0; k < j->total; k++) {
        level[k] = 0;
        for (uint32_t e = j->before_start[k]; e < j->before_start[k + 1]; e++)
            if (level[j->before[e]] >= level[k])
                level[k] = level[j->before[e]] + 1;
    }
}

int heddle__order_by_level(struct heddle_job *j) {
    const uint64_t n = (uint64_t)j->total;
    uint32_t *level = malloc((n + 1) * sizeof *level), *order = malloc((n + 1) * sizeof *order), *start = NULL;
    uint32_t most = 0;
    if (n > UINT32_MAX - 1 || !level || !order)
        goto no_memory;
    if (j->form == HEDDLE_FORM_NODE)
        node_levels(j, level);
    else
        loop_levels(j, level);
    for (uint64_t k = 0; k < n; k++)
        most = level[k] > most ? level[k] : most;
    start = calloc((size_t)most + 3, sizeof *start);
    if (!start)
        goto no_memory;
    for (uint64_t k = 0; k < n; k++)
        start[level[k] + 2]++;
    for (uint32_t l = 2; l <= most + 1; l++)
        start[l] += start[l - 1];
    for (uint64_t k = 0; k < n; k++)
        order[start[level[k] + 1]++] = (uint32_t)k;
    free(level);
    j->order = order;
    j->level_start = start;
    j->levels = n ? (int64_t)most + 1 : 0;
    return HEDDLE_OK;
no_memory:
    free(level);
    free(order);
    return HEDDLE_ENOMEM;
}

void heddle__free_job(struct heddle_job *j) {
    if (j->form == HEDDLE_FORM_NODE) {
        free((void *)(uintptr_t)j->wanted);
        free((void *)(uintptr_t)j->next_start);
        free((void *)(uintptr_t)j->next);
    }
    free((void *)(uintptr_t)j->order);
    free((void *)(uintptr_t)j->level_start);
    memset(j, 0, sizeof *j);
}
