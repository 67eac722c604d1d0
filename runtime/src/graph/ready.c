/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks that are ready, and who runs which of them: what the policy says, or segments (segment.h). Under the lock. */
#include "segment.h"

bool heddle__graph_is_able(const struct heddle__graph_engine *e, int task, const struct heddle__graph_unit *u) {
    return e->run->g.time[(long)task * e->machine.classes + u->class] >= 0;
}

static void count_ready(struct heddle__graph_engine *e, int task, int by) {
    const double *time = &e->run->g.time[(long)task * e->machine.classes];
    e->ready += by;
    for (int k = 0; k < e->machine.classes; k++)
        e->ready_on[k] += time[k] >= 0 ? by : 0;
}

void heddle__graph_make_ready(struct heddle__graph_engine *e, int task) {
    if (e->segments && !heddle__graph_segments_ready(e, &task))
        return;
    e->state[task] = READY;
    count_ready(e, task, 1);
    if (!e->segments)
        e->policy->ready(e->run->state, task);
}

static void refuse(struct heddle__graph_engine *e, int task, const struct heddle__graph_unit *u) {
    if (!e->refused)
        heddle__warn(e->site, "policy %s gave task %d to unit %d, which %s; such answers are passed over",
                     e->policy->name, task, u->number,
                     task < 0 || task >= e->run->g.tasks || e->state[task] != READY ? "is not ready" : "cannot run it");
    e->refused = true;
}

static void take(struct heddle__graph_engine *e, struct heddle__graph_unit *u, int task) {
    e->state[task] = TAKEN;
    count_ready(e, task, -1);
    e->busy++;
    u->runs = task;
    u->begun = heddle__now();
}

/* The task that the unit runs next, which is its own from now on; NONE. */
int heddle__graph_ask(struct heddle__graph_engine *e, struct heddle__graph_unit *u) {
    struct heddle_graph_answer answer = {.task = NONE};
    u->again = 0;
    if (u->number < 0 || u->number >= e->run->machine.units || u->gone || !e->ready_on[u->class] || e->again)
        return NONE;
    if (e->segments)
        answer.task = heddle__graph_segments_next(e, u);
    else
        e->policy->next(e->run->state, u->number, &answer);
    u->again = answer.again;
    if (answer.task == NONE)
        return NONE;
    if (answer.task < 0 || answer.task >= e->run->g.tasks || e->state[answer.task] != READY ||
        !heddle__graph_is_able(e, answer.task, u)) {
        refuse(e, answer.task, u);
        return NONE;
    }
    take(e, u, answer.task);
    return answer.task;
}

static void give(struct heddle__graph_unit *u, int task) {
    u->idle = false;
    __atomic_store_n(&u->given, task, __ATOMIC_RELEASE);
    if (u->sleeps)
        pthread_cond_signal(&u->wake);
}

/* The policy gives nobody a task, and nobody works: the first one to the first unit that can. */
void heddle__graph_give_any(struct heddle__graph_engine *e) {
    if (e->again || e->segments)
        return;
    const int units = e->run->machine.units;
    for (int k = 0; k < units; k++)
        if (!e->unit[k].gone && !e->unit[k].idle)
            return;
    for (int t = 0; t < e->run->g.tasks; t++)
        for (int k = 0; e->state[t] == READY && k < units; k++) {
            struct heddle__graph_unit *u = &e->unit[k];
            if (u->idle && !u->gone && heddle__graph_is_able(e, t, u)) {
                take(e, u, t);
                give(u, t);
                return;
            }
        }
}

/* For all who have nothing to do, in turn: a policy may let only some of them look for others' tasks. */
void heddle__graph_offer(struct heddle__graph_engine *e) {
    const int units = e->run->machine.units;
    e->turn = (e->turn + 1) % units;
    for (int k = 0; k < units && e->ready; k++) {
        struct heddle__graph_unit *u = &e->unit[(e->turn + k) % units];
        const int task = u->idle && !u->gone ? heddle__graph_ask(e, u) : NONE;
        if (task != NONE)
            give(u, task);
    }
}
