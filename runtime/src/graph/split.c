/* SPDX-License-Identifier: Apache-2.0 */
/* Which regions are one launch, and what of the table of pieces each of these touches. */
#include "segment.h"
#include <stdlib.h>

/* Scalars that are reduced go to and fro around each launch. */
static bool is_plain(const struct heddle__graph_engine *e, int task) {
    const struct heddle__graph_shape *s = e->run;
    bool plain = s->made.task[task].type->device != NULL;
    for (int k = s->task[task].access; plain && k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        plain = !s->use[k].here && (!s->use[k].data || (d->pieces && e->piece[d->piece].block >= 0));
    }
    return plain;
}

/* ---- segments ---------------------------------------------------------------------------------------------------- */
/* How many changes from others to regions that can be recorded are before a task: others lie behind the segment of that
   number, so whoever waits for them is of a later one. The number of segments. */
static int levels(const struct heddle__graph_engine *e, const struct heddle__graph_whole *w, int *level) {
    const struct heddle__graph_shape *s = e->run;
    int most = -1;
    for (int t = 0; t < s->g.tasks; t++) {
        const bool plain = !w->alone[t] && is_plain(e, t);
        w->of[t] = plain ? 0 : -1;
        level[t] = 0;
        for (int k = 0; k < s->task[t].befores; k++) {
            const int before = s->before[s->task[t].before + k], least = level[before] + (plain && w->of[before] < 0);
            level[t] = least > level[t] ? least : level[t];
        }
        w->of[t] = plain ? level[t] : -1;
        most = plain && level[t] > most ? level[t] : most;
    }
    return most + 1;
}

/* A level without a region is none. */
static void number_levels(struct heddle__graph_whole *w, int tasks, int count, int *level) {
    for (int k = 0; k < count; k++)
        level[k] = 0;
    for (int t = 0; t < tasks; t++)
        if (w->of[t] >= 0)
            level[w->of[t]] = 1;
    for (int k = 0; k < count; k++)
        level[k] = level[k] ? w->segments++ : -1;
    for (int t = 0; t < tasks; t++)
        w->of[t] = w->of[t] < 0 ? -1 : level[w->of[t]];
}

static void list(struct heddle__graph_whole *w, int tasks) {
    int at = 0;
    for (int t = 0; t < tasks; t++)
        if (w->of[t] >= 0)
            w->number[t] = w->segment[w->of[t]].tasks++;
    for (int k = 0; k < w->segments; k++) {
        w->segment[k].task = &w->order[at];
        at += w->segment[k].tasks;
    }
    for (int t = 0; t < tasks; t++)
        if (w->of[t] >= 0)
            w->segment[w->of[t]].task[w->number[t]] = t;
}

bool heddle__graph_split(const struct heddle__graph_engine *e, struct heddle__graph_whole *w) {
    const int tasks = e->run->g.tasks;
    int *level = malloc(((size_t)tasks + 1) * sizeof *level);
    const int count = level ? levels(e, w, level) : 0;
    w->segments = 0;
    if (level)
        number_levels(w, tasks, count, level);
    free(level);
    w->segment = level ? calloc((size_t)w->segments + 1, sizeof *w->segment) : NULL;
    if (!w->segment) {
        w->segments = 0;
        return false;
    }
    list(w, tasks);
    return true;
}

/* ---- what they touch --------------------------------------------------------------------------------------------- */
struct scan {
    const struct heddle__graph_engine *e;
    struct heddle__graph_whole *w;
    int *at;     /* [piece] the segment's entry for it; -1: none */
    int *writer; /* [piece] the last task that wrote it; -1: none */
    int room;
};

static struct heddle__graph_touch *touch(struct scan *c, struct heddle__graph_segment *g, int piece) {
    if (c->at[piece] >= 0)
        return &g->touch[c->at[piece]];
    if (g->touches == c->room) {
        const int room = 2 * c->room + 16;
        struct heddle__graph_touch *more = realloc(g->touch, (size_t)room * sizeof *more);
        if (!more)
            return NULL;
        g->touch = more;
        c->room = room;
    }
    c->at[piece] = g->touches++;
    g->touch[c->at[piece]] = (struct heddle__graph_touch){.piece = piece, .writer = -1};
    return &g->touch[c->at[piece]];
}

static bool add_task(struct scan *c, struct heddle__graph_segment *g, int task) {
    const struct heddle__graph_shape *s = c->e->run;
    const int first = s->task[task].access, end = first + s->task[task].accesses;
    for (int writes = 0; writes < 2; writes++)
        for (int k = first; k < end; k++) {
            const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
            for (int p = d->piece; s->use[k].data && p < d->piece + d->pieces; p++) {
                struct heddle__graph_touch *t = touch(c, g, p);
                if (!t)
                    return false;
                t->needed |= !writes && s->access[k].reads && t->writer < 0;
                t->writer = writes && s->access[k].writes ? task : t->writer;
            }
        }
    return true;
}

static int by_piece(const void *a, const void *b) {
    return ((const struct heddle__graph_touch *)a)->piece - ((const struct heddle__graph_touch *)b)->piece;
}

static bool add_segment(struct scan *c, struct heddle__graph_segment *g) {
    bool good = true;
    c->room = 0;
    for (int k = 0; good && k < g->tasks; k++)
        good = add_task(c, g, g->task[k]);
    for (int k = 0; k < g->touches; k++)
        c->at[g->touch[k].piece] = -1;
    if (g->touches)
        qsort(g->touch, (size_t)g->touches, sizeof *g->touch, by_piece);
    return good;
}

static void comes_home(const struct scan *c, int piece) {
    const int writer = c->writer[piece], of = writer < 0 ? -1 : c->w->of[writer];
    struct heddle__graph_segment *g = of < 0 ? NULL : &c->w->segment[of];
    const struct heddle__graph_touch key = {.piece = piece};
    struct heddle__graph_touch *t = g ? bsearch(&key, g->touch, (size_t)g->touches, sizeof key, by_piece) : NULL;
    if (t && t->writer == writer)
        t->home = true;
}

/* In the program's order: who reads what a segment was the last to write? */
static void find_readers(struct scan *c) {
    const struct heddle__graph_shape *s = c->e->run;
    for (int t = 0; t < s->g.tasks; t++) {
        const int first = s->task[t].access, end = first + s->task[t].accesses;
        const bool here = !s->made.task[t].type->device;
        for (int writes = 0; writes < 2; writes++)
            for (int k = first; k < end; k++) {
                const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
                for (int p = d->piece; s->use[k].data && p < d->piece + d->pieces; p++) {
                    if (!writes && s->access[k].reads && (here || s->use[k].here))
                        comes_home(c, p);
                    if (writes && s->access[k].writes)
                        c->writer[p] = t;
                }
            }
    }
}

bool heddle__graph_touches(const struct heddle__graph_engine *e, struct heddle__graph_whole *w) {
    struct scan c = {.e = e, .w = w};
    c.at = malloc(((size_t)e->pieces + 1) * sizeof *c.at);
    c.writer = malloc(((size_t)e->pieces + 1) * sizeof *c.writer);
    bool good = c.at && c.writer;
    for (int p = 0; good && p < e->pieces; p++)
        c.at[p] = c.writer[p] = -1;
    for (int k = 0; good && k < w->segments; k++)
        good = add_segment(&c, &w->segment[k]);
    if (good)
        find_readers(&c);
    free(c.at);
    free(c.writer);
    return good;
}
