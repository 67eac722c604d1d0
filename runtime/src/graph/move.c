/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies between memories: what is not valid where it is needed comes from where it is, neighbouring pieces together.
 * The lock is given up while bytes travel; a piece that is on its way to a memory is marked, and others wait for it.
 */
#include "engine.h"
#include "run.h"
#include "trace/record.h"
#include "transfer/pipeline.h"
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 20 /* bytes that several threads copy */, SHARE = 2 /* of the cores, one for so many */ };

static uint64_t bit(int memory) { return (uint64_t)1 << memory; }

static char *address(const struct heddle__graph_engine *e, int piece, int memory) {
    const struct heddle__graph_piece *p = &e->piece[piece];
    if (memory == HEDDLE__GRAPH_HOST)
        return (char *)p->begin;
    const struct heddle__graph_block *b = &e->block[p->block];
    return b->there[memory] + (p->begin - b->begin);
}

/* ---- one copy, without the lock ---------------------------------------------------------------------------------- */
static int between_host(const struct heddle__graph_engine *e, int device, bool out, char *host, char *there,
                        size_t bytes) {
    const struct heddle__segment segment = {.host = host, .at = 0, .bytes = bytes};
    if (bytes >= LARGE && heddle__device_is_cuda(device))
        return heddle__transfer_range(device, out, &e->cores.all, SHARE, &segment, 1, there, 0, bytes);
    return out ? heddle__device_copy_out(device, host, there, bytes)
               : heddle__device_copy_in(device, there, host, bytes);
}

/* Through the host, where one device does not read the other's memory. */
static int by_host(const struct heddle__graph_engine *e, int from, const char *at, int to, char *there, size_t bytes,
                   bool *source) {
    char *here = malloc(bytes);
    if (!here)
        return HEDDLE_ENOMEM;
    int error = between_host(e, e->memory_device[from], true, here, (char *)(uintptr_t)at, bytes);
    *source = error != 0;
    error = error ? error : between_host(e, e->memory_device[to], false, here, there, bytes);
    free(here);
    return error;
}

/* *source: it is the sender that failed. */
static int copy(const struct heddle__graph_engine *e, int first, int last, int from, int to, bool *source) {
    const size_t bytes = e->piece[last].end - e->piece[first].begin;
    char *const at = address(e, first, from), *const there = address(e, first, to);
    *source = from != HEDDLE__GRAPH_HOST && to == HEDDLE__GRAPH_HOST;
    if (from == HEDDLE__GRAPH_HOST)
        return between_host(e, e->memory_device[to], false, at, there, bytes);
    if (to == HEDDLE__GRAPH_HOST)
        return between_host(e, e->memory_device[from], true, there, at, bytes);
    const int a = e->memory_device[from], b = e->memory_device[to];
    return heddle__device_copy_across(b, there, a, at, bytes) ? by_host(e, from, at, to, there, bytes, source) : 0;
}

static void trace(const struct heddle__graph_engine *e, int from, int to, int64_t begin) {
    char group[32];
    const int device = e->memory_device[to != HEDDLE__GRAPH_HOST ? to : from];
    snprintf(group, sizeof group, "device %d", device);
    heddle__trace_span(heddle__trace_track(group, to != HEDDLE__GRAPH_HOST ? "graph in" : "graph out"),
                       heddle__trace_name("copy"), begin, heddle__trace_now());
}

int heddle__graph_peek(const struct heddle__graph_engine *e, int piece, int memory, char *to) {
    return between_host(e, e->memory_device[memory], true, to, address(e, piece, memory),
                        e->piece[piece].end - e->piece[piece].begin);
}

/* ---- pieces [first, last] from one memory to another; the lock is held before and after -------------------------- */
static int move(struct heddle__graph_engine *e, int first, int last, int from, int to, bool *source) {
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    const double start = heddle__now();
    for (int p = first; p <= last; p++) {
        if (to == HEDDLE__GRAPH_HOST)
            heddle__graph_keep(e, p);
        e->piece[p].coming |= bit(to);
        e->piece[p].readers++;
    }
    pthread_mutex_unlock(&e->lock);
    const int error = copy(e, first, last, from, to, source);
    if (begin)
        trace(e, from, to, begin);
    pthread_mutex_lock(&e->lock);
    for (int p = first; p <= last; p++) {
        e->piece[p].coming &= ~bit(to);
        e->piece[p].readers--;
        e->piece[p].valid |= error ? 0 : bit(to);
        if (!error && to == HEDDLE__GRAPH_HOST)
            e->piece[p].host = e->piece[p].last;
    }
    pthread_cond_broadcast(&e->arrived);
    const double bytes = (double)(e->piece[last].end - e->piece[first].begin);
    e->moved += bytes;
    if (!error)
        heddle__graph_note_copy(e, from, to, bytes, heddle__now() - start);
    return error;
}

/* The host's copy first: its link is the receiver's own. */
static int source_of(const struct heddle__graph_engine *e, int piece) {
    const uint64_t valid = e->piece[piece].valid;
    return valid ? __builtin_ctzll(valid) : -1;
}

/* Neighbours that travel with the first one. */
static int stretch(const struct heddle__graph_engine *e, int first, int end, int from, int to) {
    int last = first;
    while (last + 1 < end) {
        const struct heddle__graph_piece *p = &e->piece[last + 1];
        if (p->begin != e->piece[last].end || p->block != e->piece[first].block || (p->valid | p->coming) & bit(to) ||
            source_of(e, last + 1) != from)
            break;
        last++;
    }
    return last;
}

/* Returns where it can be had again. */
static void lost(struct heddle__graph_engine *e, int piece, int device) {
    char which[32] = "a device";
    if (e->runs) {
        e->again = true;
        return;
    }
    if (device >= 0)
        snprintf(which, sizeof which, "device %d", device);
    heddle__lost(e->site,
                 "%s was lost with %zu bytes, at %p on the host, that lay nowhere else: no right result is possible. "
                 "What was saved before this graph is whole",
                 which, (size_t)(e->piece[piece].end - e->piece[piece].begin), (void *)e->piece[piece].begin);
}

/* Piece `first` and what goes with it; a sender that fails is given up, and another one asked. An error: the receiver's
   own. *last: of what came. */
int heddle__graph_come(struct heddle__graph_engine *e, int first, int end, int to, int *last) {
    for (;;) {
        const int from = source_of(e, first);
        bool source = false;
        *last = first;
        if (from < 0) {
            lost(e, first, -1);
            return HEDDLE__GRAPH_AGAIN;
        }
        *last = stretch(e, first, end, from, to);
        const int error = move(e, first, *last, from, to, &source);
        e->clean &= error || to != HEDDLE__GRAPH_HOST;
        if (!error || !source)
            return error;
        heddle__graph_lose_memory(e, from, error);
    }
}

/* ---- before a task ----------------------------------------------------------------------------------------------- */
static bool task_uses_block(const struct heddle__graph_engine *e, int task, int block) {
    const struct heddle__graph_shape *s = e->run;
    for (int k = s->task[task].access; k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        if (s->use[k].data && d->pieces && e->piece[d->piece].block == block)
            return true;
    }
    return false;
}

static bool is_lost(const struct heddle__graph_engine *e, int memory) {
    for (int k = 0; k < e->machine.units; k++)
        if (e->unit[k].memory == memory && e->unit[k].gone)
            return true;
    return false;
}

void heddle__graph_free_copy(struct heddle__graph_engine *e, struct heddle__graph_block *b, int memory) {
    if (!b->there[memory])
        return;
    if (!is_lost(e, memory)) /* else it may still be at work there */
        heddle__device_free(e->memory_device[memory], b->there[memory] - (b->begin & 63));
    e->taken[memory] -= b->end - b->begin;
    b->there[memory] = NULL;
}

/* What lies there alone comes home, and its memory is free; false: others copy from it, or nothing is there. */
static bool evict(struct heddle__graph_engine *e, int block, int memory) {
    int last;
    if (!e->block[block].there[memory])
        return false;
    for (int p = 0; p < e->pieces; p++)
        if (e->piece[p].block == block &&
            (e->piece[p].readers || e->piece[p].users || e->piece[p].coming & bit(memory)))
            return false;
    for (int p = 0; p < e->pieces; p++)
        if (e->piece[p].block == block && e->piece[p].valid == bit(memory) &&
            heddle__graph_come(e, p, e->pieces, HEDDLE__GRAPH_HOST, &last))
            return false;
    for (int p = 0; p < e->pieces; p++)
        if (e->piece[p].block == block)
            e->piece[p].valid &= ~bit(memory);
    heddle__graph_free_copy(e, &e->block[block], memory);
    return true;
}

static char *within_budget(struct heddle__graph_engine *e, int memory, size_t bytes) {
    return e->taken[memory] + bytes <= e->budget[memory] ? heddle__device_alloc(e->memory_device[memory], bytes + 64)
                                                         : NULL;
}

/* As it lies on the host: what is aligned there is aligned here. */
bool heddle__graph_allocate(struct heddle__graph_engine *e, int block, int memory) {
    struct heddle__graph_block *b = &e->block[block];
    const size_t bytes = b->end - b->begin;
    char *there = within_budget(e, memory, bytes);
    if (!there)
        return false;
    e->taken[memory] += bytes;
    b->there[memory] = there + (b->begin & 63);
    return true;
}

static int make_room(struct heddle__graph_engine *e, int block, int memory, int task) {
    bool there = heddle__graph_allocate(e, block, memory);
    for (int other = 0; !there && other < e->blocks; other++)
        there = !task_uses_block(e, task, other) && evict(e, other, memory) && heddle__graph_allocate(e, block, memory);
    return there ? HEDDLE_OK : HEDDLE_ENOMEM;
}

static int reserve(struct heddle__graph_unit *u, int task) {
    struct heddle__graph_engine *e = u->engine;
    const struct heddle__graph_shape *s = e->run;
    int error = HEDDLE_OK;
    for (int k = s->task[task].access; !error && k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        if (!s->use[k].data || s->use[k].here || !d->pieces)
            continue;
        const int block = e->piece[d->piece].block;
        if (block >= 0 && !e->block[block].there[u->memory])
            error = make_room(e, block, u->memory, task);
    }
    return error;
}

/* *waits: for others' copies; *moved: the lock was given up meanwhile, so these may be there now. */
static int bring_once(struct heddle__graph_unit *u, int task, bool *waits, bool *moved) {
    struct heddle__graph_engine *e = u->engine;
    const struct heddle__graph_shape *s = e->run;
    *waits = *moved = false;
    for (int k = s->task[task].access; k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        const int to = s->use[k].here ? HEDDLE__GRAPH_HOST : u->memory;
        if (!s->use[k].data || !s->access[k].reads)
            continue;
        for (int p = d->piece, last; p < d->piece + d->pieces; p = last + 1) {
            last = p;
            if (e->piece[p].valid & bit(to))
                continue;
            if (e->piece[p].coming & bit(to)) {
                *waits = true;
                continue;
            }
            *moved = true;
            u->copies++;
            u->bytes += (double)(e->piece[p].end - e->piece[p].begin);
            const int error = heddle__graph_come(e, p, d->piece + d->pieces, to, &last);
            if (error)
                return error;
        }
    }
    return HEDDLE_OK;
}

int heddle__graph_bring(struct heddle__graph_unit *u, int task) {
    struct heddle__graph_engine *e = u->engine;
    int error = u->memory == HEDDLE__GRAPH_HOST ? HEDDLE_OK : reserve(u, task);
    for (bool waits = true, moved; !error && waits;) {
        error = bring_once(u, task, &waits, &moved);
        if (!error && waits && !moved)
            pthread_cond_wait(&e->arrived, &e->lock);
    }
    return error;
}

/* ---- what a device's function gets ------------------------------------------------------------------------------- */
enum { ALIGN = 16 };
static size_t aligned(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }
static bool is_scalar(const struct heddle_graph_item *i) { return i->flags & HEDDLE_GRAPH_HERE && i->slot >= 0; }

/* Behind the environment lie copies of the scalars: a device that is given up may still write to them. */
static bool reserve_env(struct heddle__graph_unit *u, int task) {
    const struct heddle__graph_record *r = &u->engine->run->made;
    const struct heddle__graph_made *m = &r->task[task];
    size_t bytes = aligned(m->type->env_bytes) + ALIGN;
    for (int k = m->item; k < m->item + m->items; k++)
        bytes += is_scalar(&r->item[k]) ? aligned(r->item[k].bytes) : 0;
    if (u->env_room >= bytes)
        return true;
    free(u->env);
    u->env = aligned_alloc(ALIGN, aligned(2 * bytes));
    u->env_room = u->env ? aligned(2 * bytes) : 0;
    return u->env != NULL;
}

static void set_scalar(const struct heddle_graph_item *i, char *env, char *copy) {
    memcpy(copy, i->begin, i->bytes);
    memcpy(env + i->slot, &copy, sizeof copy);
}

static void set_pointer(const struct heddle__graph_unit *u, const struct heddle_graph_item *i,
                        const struct heddle__graph_datum *d, char *env) {
    const struct heddle__graph_engine *e = u->engine;
    const struct heddle__graph_block *b = &e->block[e->piece[d->piece].block];
    uintptr_t p;
    /* two items may be reached through one pointer: it is set from what the host has */
    memcpy(&p, e->record.env + e->record.task[u->runs].env + i->slot, sizeof p);
    p = (uintptr_t)b->there[u->memory] + (p - b->begin); /* may lie outside, as the pointer may on the host */
    memcpy(env + i->slot, &p, sizeof p);
}

bool heddle__graph_translate(struct heddle__graph_unit *u, int task) {
    const struct heddle__graph_engine *e = u->engine;
    const struct heddle__graph_shape *s = e->run;
    const struct heddle__graph_made *m = &s->made.task[task];
    size_t at = aligned(m->type->env_bytes);
    if (!reserve_env(u, task))
        return false;
    memcpy(u->env, e->record.env + e->record.task[task].env, m->type->env_bytes);
    for (int k = m->item; k < m->item + m->items; k++) {
        const struct heddle_graph_item *i = &s->made.item[k];
        const struct heddle__graph_datum *d = &s->datum[s->item_datum[k]];
        if (is_scalar(i)) {
            set_scalar(i, u->env, u->env + at);
            at += aligned(i->bytes);
        } else if (i->slot >= 0 && i->bytes && i->flags & HEDDLE_GRAPH_DATA && d->pieces) {
            set_pointer(u, i, d, u->env);
        }
    }
    return true;
}

void heddle__graph_scalars(struct heddle__graph_unit *u, int task) {
    const struct heddle__graph_record *r = &u->engine->run->made;
    const struct heddle__graph_made *m = &r->task[task];
    size_t at = aligned(m->type->env_bytes);
    for (int k = m->item; k < m->item + m->items; k++) {
        const struct heddle_graph_item *i = &r->item[k];
        if (!is_scalar(i))
            continue;
        if (i->flags & HEDDLE_GRAPH_WRITE)
            memcpy((void *)(uintptr_t)i->begin, u->env + at, i->bytes);
        at += aligned(i->bytes);
    }
}

/* ---- after it ---------------------------------------------------------------------------------------------------- */
void heddle__graph_begun(struct heddle__graph_unit *u, int task, int sign) {
    struct heddle__graph_engine *e = u->engine;
    const struct heddle__graph_shape *s = e->run;
    for (int k = s->task[task].access; k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        for (int p = d->piece; s->use[k].data && p < d->piece + d->pieces; p++) {
            e->piece[p].users += sign;
            e->piece[p].writers += s->access[k].writes ? sign : 0;
            e->piece[p].read |= u->device >= 0;
            if (sign > 0 && s->access[k].writes && (s->use[k].here || u->memory == HEDDLE__GRAPH_HOST))
                heddle__graph_keep(e, p);
        }
    }
}

void heddle__graph_written(struct heddle__graph_unit *u, int task) {
    struct heddle__graph_engine *e = u->engine;
    const struct heddle__graph_shape *s = e->run;
    for (int k = s->task[task].access; k < s->task[task].access + s->task[task].accesses; k++) {
        const struct heddle__graph_datum *d = &s->datum[s->access[k].data];
        const uint64_t only = bit(s->use[k].here ? HEDDLE__GRAPH_HOST : u->memory);
        e->clean &= only != bit(HEDDLE__GRAPH_HOST) || !s->use[k].data || !s->access[k].writes;
        for (int p = d->piece; s->use[k].data && s->access[k].writes && p < d->piece + d->pieces; p++) {
            e->piece[p].valid = only;
            e->piece[p].written = true;
            e->piece[p].last = task;
            e->piece[p].host = only == bit(HEDDLE__GRAPH_HOST) ? task : e->piece[p].host;
        }
    }
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */
static bool at_home(const struct heddle__graph_piece *p) { return p->valid & bit(HEDDLE__GRAPH_HOST); }

void heddle__graph_home(struct heddle__graph_engine *e, bool held) {
    for (int p = 0, last; p < e->pieces; p = last + 1) {
        last = p;
        if (!at_home(&e->piece[p]) && (held || !e->piece[p].held) &&
            heddle__graph_come(e, p, e->pieces, HEDDLE__GRAPH_HOST, &last)) {
            lost(e, p, -1);
            return;
        }
    }
}

void heddle__graph_open(struct heddle__graph_engine *e, bool ended) {
    for (int p = 0, last; p < e->pieces; p = last + 1) {
        struct heddle__graph_piece *piece = &e->piece[p];
        last = p;
        if (piece->writers)
            continue;
        if (ended) {
            piece->valid = bit(HEDDLE__GRAPH_HOST);
            piece->written = true;
            continue;
        }
        while (piece->coming & bit(HEDDLE__GRAPH_HOST))
            pthread_cond_wait(&e->arrived, &e->lock);
        if (!at_home(piece) && heddle__graph_come(e, p, p + 1, HEDDLE__GRAPH_HOST, &last)) {
            lost(e, p, -1);
            return;
        }
    }
    if (ended) /* what it wrote nobody can tell */
        heddle__graph_history(e);
}

/* Does another stream of the device write what lies nowhere else? */
static bool is_being_written(const struct heddle__graph_engine *e, int memory) {
    for (int p = 0; p < e->pieces; p++)
        if (e->piece[p].valid == bit(memory) && e->piece[p].writers)
            return true;
    return false;
}

/* Where something is lost and the host has all as it was before the run, it keeps that, and the run begins again. */
void heddle__graph_drop_memory(struct heddle__graph_engine *e, int memory, bool answers) {
    answers = answers && !(e->clean && is_being_written(e, memory));
    for (int p = 0; p < e->pieces; p++) {
        struct heddle__graph_piece *piece = &e->piece[p];
        bool source;
        if (!(piece->valid & bit(memory)))
            continue;
        const bool whole = answers && !piece->writers;
        if (piece->valid == bit(memory) && (!whole || move(e, p, p, memory, HEDDLE__GRAPH_HOST, &source)))
            lost(e, p, e->memory_device[memory]);
        piece->valid &= ~bit(memory);
    }
}
