/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An iteration whose tasks are all one device's is one launch there (device/replay.h): the tasks are its nodes, with
 * the dependences that the shape has. What they read is brought before, and is theirs until the last one has ended.
 * Launches are recorded with the addresses and the values that the tasks have then; a task whose values are others in a
 * later iteration is recorded again. Who fails is given up as in run.c, whose units do the iteration then.
 */
#include "device/replay.h"
#include "engine.h"
#include "run.h"
#include "trace/record.h"
#include <stdlib.h>
#include <string.h>

enum { RUNS = 2 };

struct heddle__graph_whole {
    struct heddle__replay *replay; /* NULL: not yet */
    bool refused;                  /* some task cannot be recorded */
    bool fresh;                    /* it has just been recorded */
    int length;                    /* tasks in the longest chain */
    long version;                  /* of the table of pieces */
    char *needed;                  /* [piece] it is read before a task of this iteration has written it */
    int *writer;                   /* [piece] the last one; -1: none */
    char **there;                  /* [block] its address, when the launches were recorded */
    int blocks;
    char *env; /* of all tasks, as recorded */
    size_t bytes;
};

static void empty(struct heddle__graph_whole *w) {
    heddle__replay_free(w->replay);
    free(w->needed);
    free(w->writer);
    free(w->there);
    free(w->env);
    *w = (struct heddle__graph_whole){.refused = w->refused};
}

void heddle__graph_whole_free(struct heddle__graph_whole *w) {
    if (!w)
        return;
    empty(w);
    free(w);
}

/* ---- may it be? -------------------------------------------------------------------------------------------------- */
/* Recording takes as long as a few runs do, so it is done for what has come often enough. */
static bool one_device(const struct heddle__graph_engine *e) {
    return e->replay && e->run->iteration >= (e->replay > 1 ? 0 : RUNS) && e->with_devices &&
           e->machine.memories == 2 && !e->unit[0].gone && e->unit[0].slow <= 1;
}

/* Where threads of the host could take part, what has taken less time so far, unless a policy was asked for. */
static bool pays(const struct heddle__graph_engine *e) {
    const struct heddle__graph_shape *s = e->run;
    return !e->with_host || (!e->asked && (s->took[1] <= 0 || s->took[1] < s->took[0]));
}

void heddle__graph_whole_note(struct heddle__graph_engine *e, bool whole, double seconds) {
    struct heddle__graph_shape *s = e->run;
    double *took = &s->took[whole];
    if (whole && s->whole->fresh) /* recording was a part of it */
        s->whole->fresh = false;
    else
        *took = *took > 0 ? *took + (seconds - *took) / 4 : seconds;
}

/* Scalars that are mapped go to and fro around each launch. */
static bool is_plain(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s, int task) {
    bool plain = s->made.task[task].type->device != NULL;
    for (int k = s->task[task].access; plain && k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        plain = !s->use[k].here && (!s->use[k].data || (d->pieces && e->piece[d->piece].block >= 0));
    }
    return plain;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */
static struct heddle__replay_call call_of(struct heddle__graph_unit *u, int task) {
    const struct heddle_graph_type *type = u->engine->run->made.task[task].type;
    u->runs = task;
    const bool good = heddle__graph_translate(u, task);
    u->runs = NONE;
    return (struct heddle__replay_call){good ? type->device : NULL, u->env, type->env_bytes};
}

static bool record(struct heddle__graph_unit *u, struct heddle__graph_whole *w) {
    const struct heddle__graph_shape *s = u->engine->run;
    int *length = calloc((size_t)s->g.tasks + 1, sizeof *length);
    bool good = length != NULL;
    for (int t = 0; good && t < s->g.tasks; t++) {
        const struct heddle__replay_call call = call_of(u, t);
        const int *before = &s->before[s->task[t].before];
        good = call.launch && heddle__replay_add(w->replay, &call, before, s->task[t].befores);
        for (int k = 0; k < s->task[t].befores; k++)
            length[t] = length[before[k]] > length[t] ? length[before[k]] : length[t];
        w->length = ++length[t] > w->length ? length[t] : w->length;
    }
    free(length);
    return good && heddle__replay_ready(w->replay);
}

static void note_pieces(const struct heddle__graph_engine *e, struct heddle__graph_whole *w, int task) {
    const struct heddle__graph_shape *s = e->run;
    const int first = s->task[task].access, end = first + s->task[task].accesses;
    for (int k = first; k < end; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        for (int p = d->piece; s->use[k].data && s->access[k].reads && p < d->piece + d->pieces; p++)
            w->needed[p] |= w->writer[p] < 0;
    }
    for (int k = first; k < end; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        for (int p = d->piece; s->use[k].data && s->access[k].writes && p < d->piece + d->pieces; p++)
            w->writer[p] = task;
    }
}

static bool make(struct heddle__graph_unit *u, struct heddle__graph_whole *w) {
    struct heddle__graph_engine *e = u->engine;
    empty(w);
    for (int t = 0; t < e->run->g.tasks; t++)
        if (!is_plain(e, e->run, t)) {
            w->refused = true;
            return false;
        }
    w->needed = calloc((size_t)e->pieces + 1, 1);
    w->writer = malloc(((size_t)e->pieces + 1) * sizeof *w->writer);
    w->there = malloc(((size_t)e->blocks + 1) * sizeof *w->there);
    w->env = malloc(e->record.bytes + 1);
    w->replay = heddle__replay_new(u->device, e->replay > 1);
    if (!w->needed || !w->writer || !w->there || !w->env || !w->replay || !record(u, w)) {
        w->refused = true;
        empty(w);
        return false;
    }
    for (int p = 0; p < e->pieces; p++)
        w->writer[p] = -1;
    for (int t = 0; t < e->run->g.tasks; t++)
        note_pieces(e, w, t);
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
    bool same = w->replay && w->version == e->version && w->blocks == e->blocks && w->bytes == e->record.bytes;
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
        if (!memcmp(w->env + m->env, r->env + m->env, m->type->env_bytes))
            continue;
        const struct heddle__replay_call call = call_of(u, t);
        if (!call.launch || !heddle__replay_change(w->replay, t, &call))
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

static bool bring(struct heddle__graph_unit *u, const struct heddle__graph_whole *w) {
    struct heddle__graph_engine *e = u->engine;
    for (int p = 0, last; p < e->pieces; p = last + 1) {
        int end = last = p;
        if (!w->needed[p] || e->piece[p].valid >> u->memory & 1)
            continue;
        while (end < e->pieces && w->needed[end])
            end++;
        if (heddle__graph_come(e, p, end, u->memory, &last))
            return false;
        u->copies++;
        u->bytes += (double)(e->piece[last].end - e->piece[p].begin);
    }
    return true;
}

/* ---- running ----------------------------------------------------------------------------------------------------- */
static void done(struct heddle__graph_unit *u, const struct heddle__graph_whole *w) {
    struct heddle__graph_engine *e = u->engine;
    for (int p = 0; p < e->pieces; p++) {
        struct heddle__graph_piece *piece = &e->piece[p];
        piece->read |= w->needed[p];
        if (w->writer[p] < 0)
            continue;
        piece->valid = (uint64_t)1 << u->memory;
        piece->written = true;
        piece->last = w->writer[p];
    }
    for (int t = 0; t < e->run->g.tasks; t++)
        e->ended[t] = t;
    e->ends = e->run->g.tasks;
    e->run->iteration++;
    e->wholes++;
    u->ran += e->run->g.tasks;
}

/* Some of it may have run: what it writes is no value any more, and the host has the old ones, or nobody. */
static void fail(struct heddle__graph_unit *u, struct heddle__graph_whole *w, int error) {
    struct heddle__graph_engine *e = u->engine;
    for (int p = 0; p < e->pieces; p++) {
        if (e->clean)
            e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST;
        else if (w->writer[p] >= 0)
            e->piece[p].valid &= ~((uint64_t)1 << u->memory);
    }
    if (error == HEDDLE_ETIMEDOUT) { /* nothing that it may touch is freed */
        w->replay = NULL;
        e->abandoned++;
    }
    heddle__graph_lose_memory(e, u->memory, error);
    if (e->clean)
        heddle__warn(e->site, "data was lost that lay nowhere else; the iteration begins again");
}

static bool run(struct heddle__graph_unit *u, struct heddle__graph_whole *w) {
    struct heddle__graph_engine *e = u->engine;
    const int64_t from = heddle__trace_on() ? heddle__trace_now() : 0;
    const double start = heddle__now();
    bool begun;
    const int error = heddle__replay_run(w->replay, e->timeout * w->length, &begun);
    u->busy += heddle__now() - start;
    if (from)
        heddle__trace_span(u->track, heddle__trace_name("graph"), from, heddle__trace_now());
    if (!error)
        done(u, w);
    else if (begun)
        fail(u, w, error);
    return !error;
}

bool heddle__graph_whole(struct heddle__graph_engine *e) {
    struct heddle__graph_unit *u = &e->unit[0];
    if (!one_device(e) || !pays(e) || (e->run->whole && e->run->whole->refused) ||
        (!e->run->whole && !(e->run->whole = calloc(1, sizeof *e->run->whole))))
        return false;
    struct heddle__graph_whole *w = e->run->whole;
    pthread_mutex_lock(&e->lock);
    e->clean = heddle__graph_all_at_home(e);
    e->again = false;
    e->runs = true;
    heddle__graph_history(e);
    bool good = place(u);
    good = good && ((is_current(u, w) && adapt(u, w)) || make(u, w)) && bring(u, w) && run(u, w);
    pthread_mutex_unlock(&e->lock);
    return good;
}
