/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that the policy is asked, and the check of what it answers. */
#include "engine.h"
#include "jobs/plan/plan.h"
#include "jobs/schedule/table.h"
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which one --------------------------------------------------------------------------------------------------- */
/* Loaded once, and kept. Under a lock. */
static const struct heddle_jobs_policy *load(const char *path) {
    static char seen[HEDDLE__OPTION_MAX];
    static const struct heddle_jobs_policy *loaded;
    if (!strcmp(seen, path))
        return loaded;
    snprintf(seen, sizeof seen, "%s", path);
    loaded = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct heddle_jobs_policy *p = library ? dlsym(library, "heddle_jobs_policy") : NULL;
    if (!p)
        heddle__warn(NULL, "HEDDLE_JOBS=%s: %s; using the clause's schedule", path,
                     library ? "it has no symbol heddle_jobs_policy" : dlerror());
    else if (p->version != HEDDLE_JOBS_VERSION || !p->name || !p->start || !p->place || !p->stop)
        heddle__warn(NULL,
                     "HEDDLE_JOBS=%s is made for another heddle (version %d, needed is %d); using the clause's "
                     "schedule",
                     path, p->version, HEDDLE_JOBS_VERSION);
    else
        loaded = p;
    return loaded;
}

/* HEDDLE_JOBS=block,5000 goes over the clause. */
const struct heddle_jobs_policy *heddle__jobs_choose_policy(const struct heddle_jobs_call *call, double *parameter) {
    char option[HEDDLE__OPTION_MAX], *end = NULL;
    const struct heddle_jobs_policy *clause =
        call->schedule ? heddle__jobs_find_policy(call->schedule, strlen(call->schedule)) : NULL;
    clause = clause ? clause : heddle_jobs_policies[0];
    *parameter = call->parameter;
    heddle__option_read("jobs", option, sizeof option);
    if (!strcmp(option, "auto"))
        return clause;
    char *comma = strchr(option, ',');
    const double asked = comma ? strtod(comma + 1, &end) : 0;
    const size_t length = comma ? (size_t)(comma - option) : strlen(option);
    const bool number = !comma || (!*end && end != comma + 1 && asked > 0);
    const bool own = memchr(option, '/', length) != NULL;
    const struct heddle_jobs_policy *p = own || !number ? NULL : heddle__jobs_find_policy(option, length);
    if (own && number) {
        option[length] = 0;
        static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&lock);
        p = load(option);
        pthread_mutex_unlock(&lock);
    } else if (!p) {
        heddle__option_bad("jobs", option);
    }
    if (p)
        *parameter = asked;
    return p ? p : clause;
}

/* ---- what it is told --------------------------------------------------------------------------------------------- */
struct question {
    struct heddle_jobs_choice choice;
    struct heddle__jobs_engine *engine;
    struct heddle_jobs_kind *kind; /* [types * (devices + 1)] */
    double rest[HEDDLE__JOBS_DEVICES], began;
    struct heddle_jobs_report report;
    bool placed;
    long *parts; /* for people: of each kind and device */
};

/* Seconds in which what a queue has elsewhere comes to the device. */
static double transfer_of(const struct heddle__jobs_engine *e, const struct heddle__jobs_device *d, int type) {
    double sum = 0;
    for (const struct heddle__jobs_block *b = d->queue[type].first; b; b = b->next)
        sum += heddle__jobs_transfer(&e->machine, type, b->buffer->source, d->number) * (double)b->count;
    return sum;
}

/* Expected seconds until a device has done what it has. */
static double rest_of(const struct heddle__jobs_engine *e, const struct heddle__jobs_device *d, double now) {
    double rest = 0;
    if (d->gone)
        return HUGE_VAL;
    for (int t = 0; t < e->types; t++)
        rest += heddle__jobs_batch_time(&e->machine, t, -1, d->number,
                                        d->queue[t].count + (d->device < 0 ? d->running[t] : 0)) +
                transfer_of(e, d, t);
    if (d->device >= 0 && d->batch.count)
        rest += heddle__jobs_rest(d->expected, now - d->begun, 1);
    return rest;
}

static double spent(void *with) {
    const struct question *q = with;
    return heddle__now() - q->began;
}

static void put(void *with, int kind, int device, long count) {
    struct question *q = with;
    struct heddle__jobs_engine *e = q->engine;
    const bool right = kind >= 0 && kind < q->choice.kinds && device >= 0 && device < e->devices && count >= 0;
    struct heddle__jobs_kind *k = right ? &e->kind[q->kind[kind].type] : NULL;
    struct heddle__jobs_device *d = right ? &e->device[device] : NULL;
    struct heddle__jobs_queue *from = right ? &k->unassigned[q->kind[kind].source + 1] : NULL;
    if (!right || d->gone || !d->can[k - e->kind] || count > from->count) {
        if (!e->refused++)
            heddle__warn(&e->site,
                         "policy %s places jobs that are not there, or where they cannot run; they stay "
                         "unassigned",
                         e->policy->name);
        return;
    }
    q->placed |= count > 0;
    q->parts[kind * e->devices + device] += count;
    heddle__jobs_move(e, &d->queue[k - e->kind], from, count);
}

static void fill(struct question *q, struct heddle__jobs_engine *e, int asking, long *queued, long *running) {
    heddle__jobs_fill_times(e);
    q->engine = e;
    q->began = heddle__now();
    for (int k = 0; k < e->devices; k++) {
        const struct heddle__jobs_device *d = &e->device[k];
        q->rest[k] = rest_of(e, d, q->began);
        for (int t = 0; t < e->types; t++) {
            queued[k * e->types + t] = d->queue[t].count;
            running[k * e->types + t] = d->running[t];
        }
    }
    int kinds = 0;
    for (int t = 0; q->kind && t < e->types; t++)
        for (int source = -1; source < e->devices; source++) {
            const long count = e->kind[t].unassigned[source + 1].count;
            if (count)
                q->kind[kinds++] = (struct heddle_jobs_kind){.type = t, .source = source, .count = count};
        }
    q->choice = (struct heddle_jobs_choice){.machine = &e->machine,
                                            .now = q->began - e->start,
                                            .asking = asking,
                                            .kinds = kinds,
                                            .kind = q->kind,
                                            .rest = q->rest,
                                            .queued = queued,
                                            .running = running,
                                            .spent = spent,
                                            .put = put,
                                            .with = q,
                                            .report = &q->report};
}

/* ---- what it answers --------------------------------------------------------------------------------------------- */
static bool all_idle(const struct heddle__jobs_engine *e) {
    for (int k = 0; k < e->devices; k++)
        if (!e->device[k].gone && (e->device[k].idle < e->device[k].threads || heddle__jobs_queued(&e->device[k])))
            return false;
    return true;
}

/* Nobody would ever ask again: all go where the first device is that can run them. */
static bool place_left(struct heddle__jobs_engine *e) {
    bool placed = false;
    for (int t = 0; t < e->types; t++)
        for (int k = 0; k < e->devices && heddle__jobs_unassigned(e, t); k++) {
            struct heddle__jobs_device *d = &e->device[k];
            if (d->gone || !d->can[t])
                continue;
            for (int source = 0; source <= e->devices; source++)
                heddle__jobs_move(e, &d->queue[t], &e->kind[t].unassigned[source], e->kind[t].unassigned[source].count);
            placed = true;
        }
    return placed;
}

bool heddle__jobs_place_all(struct heddle__jobs_engine *e, int asking) {
    long queued[e->devices * e->types], running[e->devices * e->types];
    struct heddle_jobs_kind kind[e->types * (e->devices + 1)];
    long parts[e->types * (e->devices + 1) * e->devices];
    struct question q = {.kind = kind, .parts = parts};
    memset(parts, 0, sizeof parts);
    fill(&q, e, asking, queued, running);
    e->policy->place(e->state, &q.choice);
    e->decisions++;
    e->rounds += q.report.rounds;
    e->deciding += heddle__now() - q.began;
    if (e->explains && q.placed)
        heddle__jobs_explain(e, &q.choice, parts);
    return q.placed || (all_idle(e) && place_left(e));
}

/* A device that was just given jobs has not looked yet: were they stolen, nobody would ever begin them. */
static void hide_unseen(const struct heddle__jobs_engine *e, int asking, long *queued) {
    for (int k = 0; k < e->devices; k++)
        if (k != asking && e->device[k].idle == e->device[k].threads)
            memset(queued + k * e->types, 0, (size_t)e->types * sizeof *queued);
}

bool heddle__jobs_take_more(struct heddle__jobs_engine *e, int asking) {
    long queued[e->devices * e->types], running[e->devices * e->types];
    struct heddle_jobs_move m;
    bool any = false;
    if (!e->policy->steal)
        return false;
    for (int turn = 0; turn < 4 * e->types; turn++) {
        struct question q = {0};
        fill(&q, e, asking, queued, running);
        hide_unseen(e, asking, queued);
        const bool more = e->policy->steal(e->state, &q.choice, &m);
        e->deciding += heddle__now() - q.began;
        if (!more)
            break;
        const bool right = m.type >= 0 && m.type < e->types && m.from >= 0 && m.from < e->devices && m.to >= 0 &&
                           m.to < e->devices && m.count > 0 && !e->device[m.to].gone && e->device[m.to].can[m.type] &&
                           m.count <= e->device[m.from].queue[m.type].count;
        if (!right) {
            e->refused++;
            break;
        }
        heddle__jobs_move(e, &e->device[m.to].queue[m.type], &e->device[m.from].queue[m.type], m.count);
        e->steals++;
        any = true;
    }
    return any;
}

struct heddle_jobs_batch heddle__jobs_choose_batch(struct heddle__jobs_engine *e, const struct heddle__jobs_device *d) {
    struct heddle_jobs_batch b = {.type = 0};
    for (int t = 1; t < e->types; t++)
        if (d->queue[t].count > d->queue[b.type].count)
            b.type = t;
    b.count = d->queue[b.type].count;
    if (!e->policy->batch)
        return b;
    long queued[e->devices * e->types], running[e->devices * e->types];
    struct heddle_jobs_batch answer = b;
    struct question q = {0};
    fill(&q, e, d->number, queued, running);
    e->policy->batch(e->state, &q.choice, &answer);
    if (answer.type < 0 || answer.type >= e->types || answer.count < 1 || answer.count > d->queue[answer.type].count) {
        e->refused++;
        return b;
    }
    return answer;
}
