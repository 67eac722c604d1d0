/* SPDX-License-Identifier: Apache-2.0 */
/* A segment: how it is recorded, what is brought before it and after it, and its one launch. */
#include "segment.h"
#include "trace/record.h"
#include <stdlib.h>

static uint64_t bit(int memory) { return (uint64_t)1 << memory; }

/* ---- recording --------------------------------------------------------------------------------------------------- */
static struct heddle__replay_call call_of(struct heddle__graph_unit *u, int task) {
    const struct heddle_graph_type *type = u->engine->run->made.task[task].type;
    u->runs = task;
    const bool good = heddle__graph_translate(u, task);
    u->runs = NONE;
    return (struct heddle__replay_call){good ? type->device : NULL, u->env, type->env_bytes};
}

static bool add(struct heddle__graph_unit *u, const struct heddle__graph_whole *w, struct heddle__graph_segment *g,
                int number, int *before, int *length) {
    const struct heddle__graph_shape *s = u->engine->run;
    const int task = g->task[number];
    int befores = 0, chain = 0;
    for (int k = 0; k < s->task[task].befores; k++) {
        const int other = s->before[s->task[task].before + k];
        if (w->of[other] != w->of[task])
            continue;
        before[befores++] = w->number[other];
        chain = length[w->number[other]] > chain ? length[w->number[other]] : chain;
    }
    length[number] = chain + 1;
    g->length = length[number] > g->length ? length[number] : g->length;
    const struct heddle__replay_call call = call_of(u, task);
    return call.launch && heddle__replay_add(g->replay, &call, before, befores);
}

bool heddle__graph_segment_record(struct heddle__graph_unit *u, const struct heddle__graph_whole *w,
                                  struct heddle__graph_segment *g, bool lists, int *failed) {
    int *before = malloc(((size_t)g->tasks + 1) * sizeof *before),
        *length = malloc(((size_t)g->tasks + 1) * sizeof *length);
    g->replay = heddle__replay_new(u->device, lists);
    bool good = before && length && g->replay;
    for (int k = 0; good && k < g->tasks; k++)
        if (!add(u, w, g, k, before, length)) {
            *failed = g->task[k];
            good = false;
        }
    free(before);
    free(length);
    return good && heddle__replay_ready(g->replay);
}

bool heddle__graph_segment_change(struct heddle__graph_unit *u, const struct heddle__graph_whole *w, int task) {
    const struct heddle__replay_call call = call_of(u, task);
    return call.launch && heddle__replay_change(w->segment[w->of[task]].replay, w->number[task], &call);
}

/* ---- data -------------------------------------------------------------------------------------------------------- */
static bool wanted(const struct heddle__graph_engine *e, const struct heddle__graph_touch *t, bool home, int to) {
    return (home ? t->home : t->needed) && !((e->piece[t->piece].valid | e->piece[t->piece].coming) & bit(to));
}

/* Neighbours travel together. */
static int come(struct heddle__graph_unit *u, const struct heddle__graph_segment *g, bool home) {
    struct heddle__graph_engine *e = u->engine;
    const int to = home ? HEDDLE__GRAPH_HOST : u->memory;
    for (int k = 0, last; k < g->touches; k++) {
        const int first = g->touch[k].piece;
        int n = 0;
        while (k + n < g->touches && g->touch[k + n].piece == first + n && wanted(e, &g->touch[k + n], home, to))
            n++;
        if (!n)
            continue;
        const int error = heddle__graph_come(e, first, first + n, to, &last);
        if (error)
            return error;
        u->copies += !home;
        u->bytes += home ? 0 : (double)(e->piece[last].end - e->piece[first].begin);
        k += last - first;
    }
    return HEDDLE_OK;
}

int heddle__graph_segment_bring(struct heddle__graph_unit *u, const struct heddle__graph_segment *g) {
    return come(u, g, false);
}
void heddle__graph_segment_home(struct heddle__graph_unit *u, const struct heddle__graph_segment *g) {
    (void)come(u, g, true); /* a device that fails is given up there */
}

void heddle__graph_segment_begun(struct heddle__graph_unit *u, const struct heddle__graph_segment *g, int sign) {
    for (int k = 0; k < g->touches; k++) {
        struct heddle__graph_piece *piece = &u->engine->piece[g->touch[k].piece];
        piece->users += sign;
        piece->writers += g->touch[k].writer >= 0 ? sign : 0;
        piece->read = true;
    }
}

void heddle__graph_segment_written(struct heddle__graph_unit *u, const struct heddle__graph_segment *g) {
    for (int k = 0; k < g->touches; k++) {
        struct heddle__graph_piece *piece = &u->engine->piece[g->touch[k].piece];
        if (g->touch[k].writer < 0)
            continue;
        piece->valid = bit(u->memory);
        piece->written = true;
        piece->last = g->touch[k].writer;
    }
}

void heddle__graph_segment_spoil(struct heddle__graph_unit *u, struct heddle__graph_segment *g, int error) {
    for (int k = 0; k < g->touches; k++)
        if (g->touch[k].writer >= 0)
            u->engine->piece[g->touch[k].piece].valid &= ~bit(u->memory);
    if (error == HEDDLE_ETIMEDOUT) { /* nothing that it may touch is freed */
        g->replay = NULL;
        u->engine->abandoned++;
    }
}

/* ---- the launch -------------------------------------------------------------------------------------------------- */
int heddle__graph_segment_run(struct heddle__graph_unit *u, struct heddle__graph_segment *g, bool *begun) {
    struct heddle__graph_engine *e = u->engine;
    const int64_t from = heddle__trace_on() ? heddle__trace_now() : 0;
    pthread_mutex_unlock(&e->lock);
    const int error = heddle__replay_run(g->replay, e->timeout * g->length, begun);
    if (from)
        heddle__trace_span(u->track, heddle__trace_name("graph"), from, heddle__trace_now());
    pthread_mutex_lock(&e->lock);
    return error;
}
