/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device is lost, and with it data that lay nowhere else, after a task of the host ran: the iteration cannot begin
 * again, for what that task did may not be done twice. The regions that wrote what is lost run again, on the host and
 * one after the other, and before them those that wrote what these read, as far back as some memory still holds the
 * value; what is left of the iteration goes on from there.
 *
 * A value is named by the task that wrote it. Each piece knows of which value its newest one is, and of which the bytes
 * of the host are, which may be older; the tasks that ended stand in their order. Nobody works meanwhile.
 */
#include "run.h"
#include <stdlib.h>
#include <string.h>

/* ---- old values of the host's ------------------------------------------------------------------------------------ */
void heddle__graph_keep(struct heddle__graph_engine *e, int p) {
    struct heddle__graph_piece *piece = &e->piece[p];
    const size_t bytes = piece->end - piece->begin;
    const bool wanted = piece->read && piece->host != HEDDLE__GRAPH_OTHER;
    piece->read = false;
    if (!wanted || !e->runs || e->kept_bytes + bytes > e->keeps)
        return;
    if (!e->kept && !(e->kept = malloc(e->keeps)))
        return;
    if (e->olds == e->old_room) {
        const int room = 2 * e->old_room + 64;
        struct heddle__graph_old *more = realloc(e->old, (size_t)room * sizeof *more);
        if (!more)
            return;
        e->old = more;
        e->old_room = room;
    }
    e->old[e->olds] = (struct heddle__graph_old){.value = piece->host, .next = piece->old, .at = e->kept_bytes};
    piece->old = e->olds++;
    memcpy(e->kept + e->kept_bytes, (const void *)piece->begin, bytes);
    e->kept_bytes += bytes;
}

void heddle__graph_history(struct heddle__graph_engine *e) {
    for (int p = 0; p < e->pieces; p++) {
        struct heddle__graph_piece *piece = &e->piece[p];
        const bool home = piece->valid >> HEDDLE__GRAPH_HOST & 1;
        piece->last = piece->writers ? HEDDLE__GRAPH_OTHER : HEDDLE__GRAPH_FIRST;
        piece->host = home && !piece->writers ? HEDDLE__GRAPH_FIRST : HEDDLE__GRAPH_OTHER;
        piece->old = -1;
        piece->read = false;
    }
    for (int k = 0; k < e->machine.units; k++)
        e->unit[k].older = e->unit[k].counted;
    e->ends = e->olds = 0;
    e->kept_bytes = 0;
}

void heddle__graph_keep_nothing(struct heddle__graph_engine *e) {
    free(e->kept);
    free(e->old);
    e->kept = NULL;
    e->old = NULL;
    e->olds = e->old_room = 0;
    e->kept_bytes = 0;
}

static const char *old_value(const struct heddle__graph_engine *e, int p, int value) {
    for (int k = e->piece[p].old; k >= 0; k = e->old[k].next)
        if (e->old[k].value == value)
            return e->kept + e->old[k].at;
    return NULL;
}

/* ---- data again -------------------------------------------------------------------------------------------------- */
struct mend {
    struct heddle__graph_engine *e;
    int runs;      /* regions that run again */
    char *again;   /* [task] it does */
    char *wanted;  /* [piece] its value is, at this point of the way back */
    char *touched; /* [piece] the host's bytes of it change meanwhile */
    char *copied;  /* [piece] a device's copy of its newest value is wanted */
    char **kept;   /* [piece] the host's bytes as they were */
    char **fetched;
};

static size_t bytes_of(const struct heddle__graph_engine *e, int p) { return e->piece[p].end - e->piece[p].begin; }
static bool is_lost(const struct heddle__graph_engine *e, int p) { return !e->piece[p].valid; }

/* Is the value there? */
static bool is_kept(struct mend *m, int p, int value) {
    const struct heddle__graph_piece *piece = &m->e->piece[p];
    if (piece->host == value || old_value(m->e, p, value))
        return true;
    if (piece->last != value || !piece->valid)
        return false;
    m->copied[p] = m->touched[p] = 1;
    return true;
}

/* Calls f for the pieces that the task works with, or writes. */
static void each(struct mend *m, int task, bool writes, void (*f)(struct mend *, int, int)) {
    const struct heddle__graph_shape *s = m->e->run;
    for (int k = s->task[task].access; k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        for (int p = d->piece; s->use[k].data && (!writes || s->access[k].writes) && p < d->piece + d->pieces; p++)
            f(m, task, p);
    }
}

static void take_kept(struct mend *m, int task, int p) {
    if (m->wanted[p] && is_kept(m, p, task))
        m->wanted[p] = 0;
    else if (m->wanted[p])
        m->again[task] = 1;
}
static void want(struct mend *m, int task, int p) {
    (void)task;
    m->wanted[p] = m->touched[p] = 1;
}

/* From the last task that ended to the first one. The piece whose value cannot be had any more; -1: there is none. */
static int look_back(struct mend *m) {
    const struct heddle__graph_engine *e = m->e;
    for (int p = 0; p < e->pieces; p++)
        m->wanted[p] = m->touched[p] = is_lost(e, p);
    for (int k = e->ends - 1; k >= 0; k--) {
        const bool repeats = e->ended[k] >= 0;
        const int task = repeats ? e->ended[k] : ~e->ended[k];
        each(m, task, true, take_kept);
        if (!m->again[task])
            continue;
        m->runs++;
        if (repeats)
            each(m, task, false, want);
        for (int p = 0; !repeats && p < e->pieces; p++)
            if (m->wanted[p])
                return p;
    }
    for (int p = 0; p < e->pieces; p++)
        if (m->wanted[p] && !is_kept(m, p, HEDDLE__GRAPH_FIRST))
            return p;
    return -1;
}

/* False: that device is lost as well, or there is no memory. */
static bool fetch(struct mend *m) {
    struct heddle__graph_engine *e = m->e;
    for (int p = 0; p < e->pieces; p++) {
        if (m->touched[p]) {
            if (!(m->kept[p] = malloc(bytes_of(e, p))))
                return false;
            memcpy(m->kept[p], (const void *)e->piece[p].begin, bytes_of(e, p));
        }
        if (!m->copied[p])
            continue;
        const int memory = __builtin_ctzll(e->piece[p].valid);
        if (!(m->fetched[p] = malloc(bytes_of(e, p))))
            return false;
        const int error = heddle__graph_peek(e, p, memory, m->fetched[p]);
        if (error) {
            heddle__graph_lose_memory(e, memory, error);
            return false;
        }
    }
    return true;
}

static void put(struct mend *m, int value, int p) {
    const struct heddle__graph_piece *piece = &m->e->piece[p];
    const char *old = m->kept[p] ? old_value(m->e, p, value) : NULL;
    if (m->kept[p] && piece->host == value)
        memcpy((void *)piece->begin, m->kept[p], bytes_of(m->e, p));
    else if (m->fetched[p] && piece->last == value)
        memcpy((void *)piece->begin, m->fetched[p], bytes_of(m->e, p));
    else if (old)
        memcpy((void *)piece->begin, old, bytes_of(m->e, p));
}

static void run(struct mend *m) {
    struct heddle__graph_engine *e = m->e;
    for (int p = 0; p < e->pieces; p++)
        put(m, HEDDLE__GRAPH_FIRST, p);
    for (int k = 0; k < e->ends; k++) {
        const int task = e->ended[k] >= 0 ? e->ended[k] : ~e->ended[k];
        if (m->again[task])
            e->run->made.task[task].type->host(e->record.env + e->record.task[task].env);
        each(m, task, true, put);
    }
    for (int p = 0; p < e->pieces; p++) {
        struct heddle__graph_piece *piece = &e->piece[p];
        if (is_lost(e, p)) {
            piece->valid = 1 << HEDDLE__GRAPH_HOST;
            piece->host = piece->last;
            piece->written = true;
        } else if (m->kept[p]) {
            memcpy((void *)piece->begin, m->kept[p], bytes_of(e, p));
        }
    }
}

static bool make(struct mend *m, struct heddle__graph_engine *e) {
    const size_t tasks = (size_t)e->run->g.tasks + 1, pieces = (size_t)e->pieces + 1;
    *m = (struct mend){.e = e};
    m->again = calloc(tasks, 1);
    m->wanted = calloc(pieces, 1);
    m->touched = calloc(pieces, 1);
    m->copied = calloc(pieces, 1);
    m->kept = calloc(pieces, sizeof *m->kept);
    m->fetched = calloc(pieces, sizeof *m->fetched);
    return m->again && m->wanted && m->touched && m->copied && m->kept && m->fetched;
}

static void drop(struct mend *m) {
    for (int p = 0; p < m->e->pieces; p++) {
        if (m->kept)
            free(m->kept[p]);
        if (m->fetched)
            free(m->fetched[p]);
    }
    free(m->again);
    free(m->wanted);
    free(m->touched);
    free(m->copied);
    free(m->kept);
    free(m->fetched);
}

void heddle__graph_mend(struct heddle__graph_engine *e) {
    struct mend m;
    for (bool done = false; !done; drop(&m)) {
        const int gone = e->gone;
        if (!make(&m, e))
            heddle__lost(e->site, "data was lost with a device, and %s", heddle_strerror(HEDDLE_ENOMEM));
        const int piece = look_back(&m);
        if (piece >= 0)
            heddle__lost(
                e->site,
                "device %d was lost with data that lay nowhere else, and what it came from (%zu bytes, at %p on "
                "the host) is gone, too: no right result is possible. What was saved before this graph is "
                "whole",
                e->lost_device, bytes_of(e, piece), (void *)e->piece[piece].begin);
        if ((done = fetch(&m))) {
            run(&m);
            heddle__warn(e->site, "data was lost that lay nowhere else; %d regions ran again, on the host", m.runs);
        } else if (gone == e->gone) {
            heddle__lost(e->site, "data was lost with a device, and %s", heddle_strerror(HEDDLE_ENOMEM));
        }
    }
    e->again = false;
}
