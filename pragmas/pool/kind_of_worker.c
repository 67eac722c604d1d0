/* SPDX-License-Identifier: Apache-2.0 */
/* What runs a pool's tasks on a GPU: clause workers(), or without it what suits the tasks. */
#include "pool.h"

enum { LANE_KINDS = 16, SCHEDULES_IN_ANY_ORDER = 4 /* auto, dynamic, steal, global: heddle/words.h */ };

struct obstacle {
    size_t at;
    const char *what;
};

static struct obstacle in_region(const struct region *r) {
    for (size_t i = 0; !r->plain && i < r->f->sites.n; i++) {
        const struct site *m = r->f->sites.at[i];
        if (site_is(m, DIRECTIVE_LANES) && m->p->b >= (r->task ? r->task->m->p->b : r->b) && m->p->b < r->e)
            return (struct obstacle){m->p->b, "has a lanes loop"};
    }
    return (struct obstacle){0, NULL};
}

static struct obstacle in_task(const struct task_type *k) {
    const struct clause *priority = site_clause(k->m, CLAUSE_PRIORITY);
    if (k->depends)
        return (struct obstacle){k->m->p->b, "is made by a task, with dependences"};
    if (priority)
        return (struct obstacle){priority->name.b, "has a priority"};
    return in_region(&k->r);
}

static struct obstacle in_pool(const struct pool *p) {
    struct obstacle found = {0, NULL};
    for (size_t i = 0; !found.what && i < p->task_types.n; i++)
        found = in_task(p->task_types.at[i]);
    for (size_t i = 0; !found.what && i < p->copies.n; i++)
        found = in_region(&p->copies.at[i]->r);
    if (!found.what && p->task_types.n > LANE_KINDS)
        found = (struct obstacle){p->task_types.at[LANE_KINDS]->m->p->b, "is one of more than 16 kinds"};
    return found;
}

static bool other_clauses(const struct pool *p, size_t *at) {
    const struct clause *idle = site_clause(p->m, CLAUSE_IDLE), *schedule = site_clause(p->m, CLAUSE_SCHEDULE);
    const struct clause *one = idle ? idle : schedule && schedule->kind >= SCHEDULES_IN_ANY_ORDER ? schedule : NULL;
    *at = one ? one->name.b : 0;
    return one != NULL;
}

/* Iterations and tasks that only the host makes run on lanes in any case, if they can. */
static bool tasks_make_tasks(const struct pool *p) {
    for (size_t i = 0; i < p->task_types.n; i++)
        if (p->task_types.at[i]->parent)
            return true;
    return false;
}

int pool_worker(const struct pool *p) {
    const struct clause *c = site_clause(p->m, CLAUSE_WORKERS);
    size_t at;
    if (c)
        return c->kind;
    const bool ordered = site_clause(p->m, CLAUSE_SCHEDULE) != NULL;
    return tasks_make_tasks(p) && !ordered && !other_clauses(p, &at) && !in_pool(p).what ? HEDDLE_WORKER_LANE
                                                                                         : HEDDLE_WORKER_WARP;
}

bool pool_check_worker(struct pool *p) {
    size_t at;
    if (pool_worker(p) != HEDDLE_WORKER_LANE)
        return true;
    const struct obstacle found = in_pool(p);
    if (found.what)
        diag_error(p->u, found.at, "the pool has workers(lane), but this task %s; use workers(warp)", found.what);
    else if (other_clauses(p, &at))
        diag_error(p->u, at,
                   "workers(lane) runs tasks in any order and does not stay for others; leave one clause out");
    return !found.what && !other_clauses(p, &at);
}
