/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Iterations with one device whose regions are a few launches: where all tasks are regions that can be recorded, a
 * single one, which the calling thread makes; else segments (segment.h), between which units run the other tasks.
 * Launches are recorded with the addresses and the values that the tasks have then; a task whose values are others in a
 * later iteration is recorded again. Who fails is given up as in run.c, whose units do the iteration then.
 */
#include "segment.h"
#include <stdlib.h>
#include <string.h>

enum { RUNS = 2 };

static void empty_segments(struct heddle__graph_whole *w) {
    for (int k = 0; k < w->segments; k++) {
        heddle__replay_free(w->segment[k].replay);
        free(w->segment[k].touch);
    }
    free(w->segment);
    w->segment = NULL;
    w->segments = 0;
}

static void empty(struct heddle__graph_whole *w) {
    empty_segments(w);
    free(w->of);
    free(w->number);
    free(w->order);
    free(w->there);
    free(w->env);
    free(w->queue[0]);
    free(w->queue[1]);
    *w = (struct heddle__graph_whole){.refused = w->refused, .alone = w->alone};
}

void heddle__graph_whole_free(struct heddle__graph_whole *w) {
    if (!w)
        return;
    empty(w);
    free(w->alone);
    free(w);
}

/* ---- may it be? -------------------------------------------------------------------------------------------------- */
/* Recording takes as long as a few runs do, so it is done for what has come often enough. */
static bool one_device(const struct heddle__graph_engine *e) {
    return e->replay && e->run->iteration >= (e->replay > 1 ? 0 : RUNS) && e->with_devices &&
           e->machine.memories == 2 && !e->unit[0].gone && e->unit[0].slow <= 1;
}

/* Where threads of the host could take part, what has taken less time so far, unless a policy was asked for. The other
   one, which may have learnt since, is tried again after 8, 16, 32 … steps if it was not much slower. */
static bool pays(const struct heddle__graph_engine *e) {
    enum { SOON = 8 };
    const struct heddle__graph_shape *s = e->run;
    const bool better = s->took[1] <= 0 || s->took[1] < s->took[0];
    const double much = 1.5 * s->took[better];
    const bool again =
        s->took[1] > 0 && s->iteration >= SOON && !(s->iteration & (s->iteration - 1)) && s->took[!better] < much;
    return !e->with_host || (!e->asked && better != again);
}

void heddle__graph_whole_note(struct heddle__graph_engine *e, bool whole, double seconds) {
    struct heddle__graph_shape *s = e->run;
    double *took = &s->took[whole];
    if (whole && s->whole->fresh) /* recording was a part of it */
        s->whole->fresh = false;
    else /* half as long: what is known was a first time */
        *took = *took > 0 && seconds > 0.5 * *took ? *took + (seconds - *took) / 4 : seconds;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */
/* What is like a task that cannot be recorded cannot be, either. */
static void leave_out(const struct heddle__graph_shape *s, struct heddle__graph_whole *w, int task) {
    for (int t = 0; t < s->g.tasks; t++)
        w->alone[t] |= s->made.task[t].type == s->made.task[task].type;
}

static bool record(struct heddle__graph_unit *u, struct heddle__graph_whole *w) {
    struct heddle__graph_engine *e = u->engine;
    for (int failed = 0; failed >= 0;) {
        failed = -1;
        empty_segments(w);
        if (!heddle__graph_split(e, w))
            return false;
        for (int k = 0; k < w->segments && failed < 0; k++)
            if (!heddle__graph_segment_record(u, w, &w->segment[k], e->replay > 1, &failed) && failed < 0)
                return false;
        if (failed >= 0)
            leave_out(e->run, w, failed);
    }
    return w->segments > 0 && heddle__graph_touches(e, w);
}

static bool reserve(const struct heddle__graph_engine *e, struct heddle__graph_whole *w) {
    const size_t tasks = (size_t)e->run->g.tasks + 1;
    w->of = malloc(tasks * sizeof *w->of);
    w->number = malloc(tasks * sizeof *w->number);
    w->order = malloc(tasks * sizeof *w->order);
    w->queue[0] = malloc(tasks * sizeof *w->queue[0]);
    w->queue[1] = malloc(tasks * sizeof *w->queue[1]);
    w->alone = w->alone ? w->alone : calloc(tasks, 1);
    w->there = malloc(((size_t)e->blocks + 1) * sizeof *w->there);
    w->env = malloc(e->record.bytes + 1);
    return w->of && w->number && w->order && w->queue[0] && w->queue[1] && w->alone && w->there && w->env;
}

static bool make(struct heddle__graph_unit *u, struct heddle__graph_whole *w) {
    struct heddle__graph_engine *e = u->engine;
    empty(w);
    if (!reserve(e, w) || !record(u, w)) {
        w->refused = true;
        empty(w);
        return false;
    }
    for (int b = 0; b < e->blocks; b++)
        w->there[b] = e->block[b].there[u->memory];
    w->blocks = e->blocks;
    w->version = e->version;
    memcpy(w->env, e->record.env, e->record.bytes);
    w->bytes = e->record.bytes;
    w->fresh = true;
    return true;
}

/* ---- the next iteration ------------------------------------------------------------------------------------------ */
static bool is_current(const struct heddle__graph_unit *u, const struct heddle__graph_whole *w) {
    const struct heddle__graph_engine *e = u->engine;
    bool same = w->segments && w->version == e->version && w->blocks == e->blocks && w->bytes == e->record.bytes;
    for (int k = 0; same && k < w->segments; k++)
        same = w->segment[k].replay != NULL;
    for (int b = 0; same && b < w->blocks; b++)
        same = w->there[b] == e->block[b].there[u->memory];
    return same;
}

static bool adapt(struct heddle__graph_unit *u, struct heddle__graph_whole *w) {
    const struct heddle__graph_record *r = &u->engine->record;
    if (!memcmp(w->env, r->env, w->bytes))
        return true;
    for (int t = 0; t < u->engine->run->g.tasks; t++) {
        const struct heddle__graph_made *m = &r->task[t];
        if (w->of[t] < 0 || !memcmp(w->env + m->env, r->env + m->env, m->type->env_bytes))
            continue;
        if (!heddle__graph_segment_change(u, w, t))
            return false;
        memcpy(w->env + m->env, r->env + m->env, m->type->env_bytes);
    }
    return true;
}

static bool place(const struct heddle__graph_unit *u) {
    struct heddle__graph_engine *e = u->engine;
    for (int p = 0; p < e->pieces; p++) {
        const int block = e->piece[p].block;
        if (block >= 0 && !e->block[block].there[u->memory] && !heddle__graph_allocate(e, block, u->memory))
            return false;
    }
    return true;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */
static void done(struct heddle__graph_unit *u, const struct heddle__graph_segment *g) {
    struct heddle__graph_engine *e = u->engine;
    for (int k = 0; k < g->touches; k++)
        e->piece[g->touch[k].piece].read |= g->touch[k].needed;
    heddle__graph_segment_written(u, g);
    for (int t = 0; t < e->run->g.tasks; t++)
        e->ended[t] = t;
    e->ends = e->run->g.tasks;
    e->run->iteration++;
    e->wholes++;
    u->ran += e->run->g.tasks;
}

/* Some of it may have run: the host has the old values, or nobody. */
static void fail(struct heddle__graph_unit *u, struct heddle__graph_segment *g, int error) {
    struct heddle__graph_engine *e = u->engine;
    heddle__graph_segment_spoil(u, g, error);
    for (int p = 0; e->clean && p < e->pieces; p++)
        e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST;
    heddle__graph_lose_memory(e, u->memory, error);
    if (e->clean)
        heddle__warn(e->site, "data was lost that lay nowhere else; the iteration begins again");
}

static bool run(struct heddle__graph_unit *u, struct heddle__graph_segment *g) {
    const double start = heddle__now();
    bool begun;
    if (heddle__graph_segment_bring(u, g))
        return false;
    const int error = heddle__graph_segment_run(u, g, &begun);
    u->busy += heddle__now() - start;
    if (!error)
        done(u, g);
    else if (begun)
        fail(u, g, error);
    return !error;
}

bool heddle__graph_whole(struct heddle__graph_engine *e) {
    struct heddle__graph_unit *u = &e->unit[0];
    e->segments = NULL;
    if (!one_device(e) || !(e->replay > 1 || pays(e)) || (e->run->whole && e->run->whole->refused) ||
        (!e->run->whole && !(e->run->whole = calloc(1, sizeof *e->run->whole))))
        return false;
    struct heddle__graph_whole *w = e->run->whole;
    pthread_mutex_lock(&e->lock);
    e->clean = heddle__graph_all_at_home(e);
    e->again = false;
    e->runs = true;
    heddle__graph_history(e);
    bool good = place(u);
    good = good && ((is_current(u, w) && adapt(u, w)) || make(u, w));
    const bool all = good && w->segment[0].tasks == e->run->g.tasks;
    e->segments = good && !all ? w : NULL; /* for the units */
    good = all && run(u, &w->segment[0]);
    pthread_mutex_unlock(&e->lock);
    return good;
}
