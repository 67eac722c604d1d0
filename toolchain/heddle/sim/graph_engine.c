/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_engine.c - one run of a policy over graphs that repeat, on a described machine: discrete events. A unit that
 * gets a task waits for the copies of what it reads, then runs it. The rules are those of heddle/graph.h, and what the
 * policy says is checked.
 */
#include "graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct unit {
    int task; /* -1: idle */
    double begin, copied, end, again, gone_at;
    double seconds; /* without copies */
    bool gone;
};
struct state {
    const struct graph_setting *set;
    struct graph_units units;
    struct heddle_graph_machine machine;
    struct graph_memory memory;
    struct unit *unit;
    const struct graph_step *step;
    struct heddle_graph g;
    double *time; /* [task * classes + class] what the policy knows */
    int *owner;
    int *first_after, *after, *waits; /* who waits for a task; how many tasks it waits for */
    char *phase;
    int ended, left; /* tasks that have ended; units */
    double now;
    bool bad, restart; /* data was lost: the iteration begins again */
    void *policy;
    uint64_t random;
    struct graph_run *run;
    char *message;
};
enum phase { WAITS, READY, RUNS, ENDED };

static void complain_of(struct state *s, const char *what, int task) {
    if (!s->bad)
        snprintf(s->message, SIM_MESSAGE, "%s: %s (task %d) at %.6g s, seed %llu", s->set->policy->name, what, task,
                 s->now, (unsigned long long)s->set->seed);
    s->bad = true;
}

static double seconds_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- another graph ----------------------------------------------------------------------------------------------- */
static void know(struct state *s) {
    const int classes = s->machine.classes;
    for (int t = 0; t < s->g.tasks; t++)
        for (int c = 0; c < classes; c++) {
            const double real = graph_time(&s->units, s->step, t, c);
            s->time[t * classes + c] = real < 0        ? -1
                                       : s->set->known ? fmax(real, 1e-12)
                                                       : graph_expected(&s->units, s->step, t, c);
        }
}

static bool link_tasks(struct state *s, const struct heddle_graph *g) {
    const size_t tasks = (size_t)g->tasks + 2;
    int edges = 0;
    free(s->first_after);
    free(s->after);
    free(s->waits);
    free(s->phase);
    for (int t = 0; t < g->tasks; t++)
        edges += g->task[t].befores;
    s->first_after = calloc(tasks, sizeof *s->first_after);
    s->after = malloc(((size_t)edges + 1) * sizeof *s->after);
    s->waits = malloc(tasks * sizeof *s->waits);
    s->phase = malloc(tasks);
    if (!s->first_after || !s->after || !s->waits || !s->phase)
        return false;
    for (int t = 0; t < g->tasks; t++)
        for (int k = 0; k < g->task[t].befores; k++)
            s->first_after[g->before[g->task[t].before + k] + 2]++;
    for (int t = 0; t < g->tasks; t++)
        s->first_after[t + 1] += s->first_after[t];
    for (int t = 0; t < g->tasks; t++)
        for (int k = 0; k < g->task[t].befores; k++)
            s->after[s->first_after[g->before[g->task[t].before + k] + 1]++] = t;
    return true;
}

/* Partitions keep their numbers: who holds one's data holds it still. */
static bool change(struct state *s, const struct graph_step *step) {
    double *had = s->time;
    int *owner = malloc(((size_t)step->g.partitions + 1) * sizeof *owner), *had_owner = s->owner;
    s->time = malloc(((size_t)step->g.tasks + 1) * (size_t)s->machine.classes * sizeof *s->time);
    bool good = owner && s->time && graph_memory_change(&s->memory, s->step, step) && link_tasks(s, &step->g);
    for (int p = 0; p < step->g.partitions && good; p++)
        owner[p] =
            p < s->g.partitions && had_owner && !s->unit[had_owner[p] < 0 ? 0 : had_owner[p]].gone ? had_owner[p] : -1;
    s->owner = owner;
    s->step = step;
    s->g = step->g;
    s->g.time = s->time;
    s->g.owner = s->owner;
    if (good) {
        know(s);
        good = s->set->policy->change(s->policy, &s->g);
    }
    free(had);
    free(had_owner);
    if (!good)
        complain_of(s, "out of memory", 0);
    return good;
}

/* ---- tasks ------------------------------------------------------------------------------------------------------- */
static void make_ready(struct state *s, int task) {
    s->phase[task] = READY;
    s->set->policy->ready(s->policy, task);
}

static bool can(const struct state *s, int task, int u) {
    return s->time[task * s->machine.classes + s->machine.unit[u].class] >= 0;
}

static void run_task(struct state *s, int task, int u) {
    struct unit *v = &s->unit[u];
    const int class = s->machine.unit[u].class;
    const double noise = 1 + graph_noise(&s->units, s->step, task, class) * sim_normal(&s->random);
    s->phase[task] = RUNS;
    v->task = task;
    v->begin = s->now;
    v->copied = graph_memory_read(&s->memory, s->step, task, s->machine.unit[u].memory, s->now);
    v->seconds = graph_time(&s->units, s->step, task, class) * fmax(0.1, noise);
    v->end = v->copied + v->seconds;
}

/* True: it has something to run now. */
static bool ask(struct state *s, int u) {
    struct heddle_graph_answer answer = {-1, 0};
    s->set->policy->next(s->policy, u, &answer);
    s->unit[u].again = answer.task < 0 && answer.again > 0 ? s->now + fmax(answer.again, 1e-6) : HUGE_VAL;
    if (answer.task < 0)
        return false;
    if (answer.task >= s->g.tasks || s->phase[answer.task] != READY)
        complain_of(s, "chose a task that is not ready", answer.task);
    else if (!can(s, answer.task, u))
        complain_of(s, "chose a task that the unit cannot run", answer.task);
    else
        run_task(s, answer.task, u);
    return !s->bad;
}

/* Nobody runs and nobody got a task: the first that is ready goes to the first unit that can run it. */
static void force(struct state *s) {
    bool any = false;
    for (int t = 0; t < s->g.tasks; t++)
        for (int u = 0; u < s->machine.units && s->phase[t] == READY; u++) {
            any = true;
            if (!s->unit[u].gone && can(s, t, u)) {
                s->run->forced++;
                run_task(s, t, u);
                return;
            }
        }
    complain_of(s, any ? "tasks are left that no unit can run" : "no task is ready, and none has ended", -1);
}

static void keep(struct state *s, int u, bool lost) {
    struct graph_run *r = s->run;
    const struct unit *v = &s->unit[u];
    if (r->spans == r->room) {
        const long room = r->room ? 2 * r->room : 1024;
        struct graph_span *more = realloc(r->span, (size_t)room * sizeof *more);
        if (!more) {
            complain_of(s, "out of memory", 0);
            return;
        }
        r->span = more;
        r->room = room;
    }
    r->span[r->spans++] =
        (struct graph_span){u, v->task, s->g.task[v->task].partition, v->begin, fmin(v->copied, s->now), s->now, lost};
}

static void account(struct state *s, int u, bool lost) {
    const struct unit *v = &s->unit[u];
    s->run->copying += fmin(v->copied, s->now) - v->begin;
    s->run->busy[u] += s->now - v->begin;
    s->run->ran[u] += !lost;
    if (s->set->keep)
        keep(s, u, lost);
}

static void finish(struct state *s, int u) {
    struct unit *v = &s->unit[u];
    const int t = v->task, class = s->machine.unit[u].class;
    double *known = &s->time[t * s->machine.classes + class];
    account(s, u, false);
    v->task = -1;
    graph_memory_write(&s->memory, s->step, t, s->machine.unit[u].memory);
    graph_measured(&s->units, s->step, t, class, v->seconds);
    if (!s->set->known)
        *known = *known > 0 ? 0.7 * *known + 0.3 * v->seconds : v->seconds;
    s->owner[s->g.task[t].partition] = u;
    s->phase[t] = ENDED;
    s->ended++;
    s->run->tasks++;
    s->set->policy->done(s->policy, t, u, v->seconds);
    for (int k = s->first_after[t]; k < s->first_after[t + 1]; k++)
        if (--s->waits[s->after[k]] == 0)
            make_ready(s, s->after[k]);
}

static void lose(struct state *s, int u) {
    struct unit *v = &s->unit[u];
    const int t = v->task, memory = s->machine.unit[u].memory;
    bool shared = memory == 0; /* the host's stays */
    v->gone = true;
    v->gone_at = HUGE_VAL;
    s->left--;
    s->run->faults++;
    if (t >= 0)
        account(s, u, true);
    v->task = -1;
    for (int p = 0; p < s->g.partitions; p++)
        s->owner[p] = s->owner[p] == u ? -1 : s->owner[p];
    s->set->policy->lost(s->policy, u);
    for (int k = 0; k < s->machine.units; k++)
        shared = shared || (!s->unit[k].gone && s->machine.unit[k].memory == memory);
    if (!shared && !graph_memory_lost(&s->memory, memory))
        s->restart = true;
    else if (t >= 0)
        make_ready(s, t);
}

/* ---- an iteration ------------------------------------------------------------------------------------------------ */
static void begin(struct state *s, long iteration) {
    s->ended = 0;
    s->restart = false;
    for (int u = 0; u < s->machine.units; u++) {
        if (s->unit[u].task >= 0)
            account(s, u, true);
        s->unit[u].task = -1;
        s->unit[u].again = HUGE_VAL;
    }
    for (int t = 0; t < s->g.tasks; t++) {
        s->waits[t] = s->g.task[t].befores;
        s->phase[t] = WAITS;
    }
    if (!s->set->known)
        for (int t = 0; t < s->g.tasks * s->machine.classes; t++)
            if (s->time[t] == 0)
                s->time[t] = graph_expected(&s->units, s->step, t / s->machine.classes, t % s->machine.classes);
    if (s->set->policy->begin)
        s->set->policy->begin(s->policy, iteration);
    for (int t = 0; t < s->g.tasks; t++)
        if (!s->g.task[t].befores)
            make_ready(s, t);
}

/* changed: a task has ended or become ready; otherwise only those are asked that wanted to be. */
static void ask_all(struct state *s, bool changed) {
    bool running = false;
    for (int u = 0; u < s->machine.units && !s->bad; u++)
        if (!s->unit[u].gone && s->unit[u].task < 0 && (changed || s->unit[u].again <= s->now))
            ask(s, u);
    for (int u = 0; u < s->machine.units; u++)
        running = running || s->unit[u].task >= 0;
    if (!running && !s->bad)
        force(s);
}

static double next_event(const struct state *s) {
    double when = HUGE_VAL;
    for (int u = 0; u < s->machine.units; u++)
        if (!s->unit[u].gone)
            when = fmin(when, fmin(s->unit[u].gone_at, s->unit[u].task >= 0 ? s->unit[u].end : s->unit[u].again));
    return when;
}

static bool advance(struct state *s) {
    const double when = fmax(s->now, next_event(s));
    int idle = 0;
    bool changed = false;
    for (int u = 0; u < s->machine.units; u++)
        idle += !s->unit[u].gone && s->unit[u].task < 0;
    s->run->idle += idle * (when - s->now);
    s->now = when;
    for (int u = 0; u < s->machine.units && !s->restart; u++) {
        struct unit *v = &s->unit[u];
        if (v->gone)
            continue;
        if (v->task >= 0 && v->end <= s->now) {
            finish(s, u);
            changed = true;
        }
        if (v->gone_at <= s->now && s->left > 1) {
            lose(s, u);
            changed = true;
        } else if (v->gone_at <= s->now) {
            v->gone_at = HUGE_VAL; /* the last one stays */
        }
    }
    return changed;
}

static void iterate(struct state *s, long iteration) {
    bool changed = true;
    const double started = seconds_now();
    begin(s, iteration);
    while (s->ended < s->g.tasks && !s->bad) {
        ask_all(s, changed);
        if (s->bad)
            break;
        changed = advance(s);
        if (s->restart) {
            s->run->repeated++;
            graph_memory_restore(&s->memory);
            begin(s, iteration);
            changed = true;
        }
    }
    s->run->real += seconds_now() - started;
    s->run->iterations++;
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */
static double alone_of(const struct state *s, const struct graph_step *g) {
    double best = HUGE_VAL, sum = 0;
    for (int c = 0; c < s->machine.classes; c++) {
        bool all = s->set->machine->machine.kind[c].count > 0;
        sum = 0;
        for (int t = 0; t < g->g.tasks && all; t++) {
            const double time = graph_time(&s->units, g, t, c);
            all = time >= 0;
            sum += time;
        }
        best = all ? fmin(best, sum) : best;
    }
    for (int t = 0; t < g->g.tasks && isinf(best); t++) { /* none runs all of it */
        double least = HUGE_VAL;
        for (int c = 0; c < s->machine.classes; c++)
            if (s->set->machine->machine.kind[c].count && graph_time(&s->units, g, t, c) >= 0)
                least = fmin(least, graph_time(&s->units, g, t, c));
        sum = (t ? sum : 0) + least;
        best = t + 1 == g->g.tasks ? sum : best;
    }
    return best * (double)g->iterations;
}

/* Some vanish at a time within what the run would take if all helped. */
static void plan_faults(struct state *s, double alone) {
    int at = 0;
    for (int u = 0; u < s->machine.units; u++) {
        const struct sim_kind *k = &s->set->machine->machine.kind[s->machine.unit[u].class];
        s->unit[u].gone_at = !u || s->machine.unit[u - 1].class != s->machine.unit[u].class ? k->fail : HUGE_VAL;
    }
    for (int k = 0; k < s->set->faults; k++) {
        at = (int)(sim_uniform(&s->random) * s->machine.units);
        s->unit[at].gone_at = fmin(s->unit[at].gone_at, sim_uniform(&s->random) * alone / s->machine.units);
    }
}

static bool start(struct state *s) {
    const struct graph_scene *scene = s->set->scene;
    if (!graph_units_make(&s->units, s->set->machine, scene, s->message))
        return false;
    s->machine = s->units.facts;
    memcpy(s->machine.parameter, s->set->parameter, sizeof s->machine.parameter);
    s->machine.seed = s->set->seed;
    s->left = s->machine.units;
    s->unit = calloc((size_t)s->machine.units, sizeof *s->unit);
    s->run->step_seconds = calloc((size_t)scene->steps, sizeof(double));
    s->run->step_alone = calloc((size_t)scene->steps, sizeof(double));
    snprintf(s->message, SIM_MESSAGE, "out of memory");
    if (!s->unit || !s->run->step_seconds || !s->run->step_alone || !graph_memory_make(&s->memory, &s->machine))
        return false;
    for (int u = 0; u < s->machine.units; u++)
        s->unit[u].task = -1;
    for (int k = 0; k < scene->steps; k++)
        s->run->alone += s->run->step_alone[k] = alone_of(s, &scene->step[k]);
    plan_faults(s, s->run->alone);
    return (s->policy = s->set->policy->start(&s->machine)) != NULL;
}

bool graph_run(const struct graph_setting *set, struct graph_run *run, char *message) {
    struct state s = {.set = set, .run = run, .message = message, .random = set->seed * 0x9e3779b97f4a7c15u + 1};
    memset(run, 0, sizeof *run);
    s.bad = !start(&s);
    for (int k = 0; k < set->scene->steps && !s.bad; k++) {
        const struct graph_step *step = &set->scene->step[k];
        const double from = s.now;
        if (!change(&s, step))
            break;
        for (long i = 0; i < step->iterations && !s.bad; i++)
            iterate(&s, run->iterations);
        run->step_seconds[k] = s.now - from;
    }
    run->seconds = s.now;
    run->copies = s.memory.copies;
    run->bytes = s.memory.bytes;
    if (s.policy && set->policy->report)
        set->policy->report(s.policy, &run->report);
    if (s.policy)
        set->policy->stop(s.policy);
    graph_units_free(&s.units);
    graph_memory_free(&s.memory);
    free(s.unit);
    free(s.time);
    free(s.owner);
    free(s.first_after);
    free(s.after);
    free(s.waits);
    free(s.phase);
    return !s.bad;
}
