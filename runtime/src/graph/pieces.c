/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of pieces: bytes that some task works with, cut where an item of any recording begins or ends, in the order
 * of their addresses. It only becomes finer, until the block changes what it works with no more. Blocks are what a task
 * reaches through one pointer, and what overlaps; a device has a copy of a whole block.
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

struct stretch {
    uintptr_t begin, end;
};

/* Of those that begin at one place an empty one is first: what is there is in the last. */
static int by_begin(const void *a, const void *b) {
    const struct stretch *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin) : (x->end > y->end) - (x->end < y->end);
}
static int by_address(const void *a, const void *b) {
    const uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return (x > y) - (x < y);
}

static uintptr_t begin_of(const struct heddle_graph_item *i) { return (uintptr_t)i->begin; }
static uintptr_t end_of(const struct heddle_graph_item *i) { return begin_of(i) + i->bytes; }
static bool reached(const struct heddle_graph_item *i) {
    return i->slot >= 0 && i->bytes && (i->flags & HEDDLE_GRAPH_DATA) && !(i->flags & HEDDLE_GRAPH_HERE);
}

/* The last of `count` elements of `size` bytes that begins (its first member) at or before the address; -1: none. */
static int last_before(const void *array, int count, size_t size, uintptr_t at) {
    int lo = -1, hi = count;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        uintptr_t begin;
        memcpy(&begin, (const char *)array + (size_t)mid * size, sizeof begin);
        if (begin <= at)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */
/* What the items of one task need through the pointer of item `k`, if it is their first. */
static bool hull(const struct heddle__graph_record *r, const struct heddle__graph_made *t, int k, struct stretch *out) {
    const struct heddle_graph_item *first = &r->item[k];
    *out = (struct stretch){begin_of(first), end_of(first)};
    for (int i = t->item; i < t->item + t->items; i++) {
        const struct heddle_graph_item *other = &r->item[i];
        if (!reached(other) || other->slot != first->slot)
            continue;
        if (i < k)
            return false;
        out->begin = begin_of(other) < out->begin ? begin_of(other) : out->begin;
        out->end = end_of(other) > out->end ? end_of(other) : out->end;
    }
    return true;
}

static int join(struct stretch *list, int count, bool neighbours) {
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (kept && list[k].begin < list[kept - 1].end + neighbours)
            list[kept - 1].end = list[k].end > list[kept - 1].end ? list[k].end : list[kept - 1].end;
        else
            list[kept++] = list[k];
    return kept;
}

/* With one device all of it goes there, and neighbours travel together; with several each has its part. */
static bool joins_neighbours(const struct heddle__graph_engine *e, const struct stretch *list, int count) {
    size_t bytes = 0;
    for (int k = 0; k < count; k++)
        bytes += list[k].end - list[k].begin;
    return e->machine.memories == 2 && bytes <= e->budget[1] / 2;
}

/* Old ones and what the shape needs, joined where they overlap. */
static struct stretch *list_blocks(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s,
                                   int *count) {
    const struct heddle__graph_record *r = &s->made;
    struct stretch *list = malloc(((size_t)e->blocks + (size_t)r->items + 1) * sizeof *list);
    int n = 0;
    if (!list)
        return NULL;
    for (int b = 0; b < e->blocks; b++)
        list[n++] = (struct stretch){e->block[b].begin, e->block[b].end};
    for (long t = 0; t < r->tasks; t++)
        for (int k = r->task[t].item; k < r->task[t].item + r->task[t].items; k++)
            if (reached(&r->item[k]) && hull(r, &r->task[t], k, &list[n]))
                n++;
    qsort(list, (size_t)n, sizeof *list, by_begin);
    n = join(list, n, false);
    *count = joins_neighbours(e, list, n) ? join(list, n, true) : n;
    return list;
}

static void free_block(struct heddle__graph_engine *e, struct heddle__graph_block *b) {
    for (int m = 1; b->there && m < e->machine.memories; m++)
        heddle__graph_free_copy(e, b, m);
    free(b->there);
    b->there = NULL;
}

static const struct heddle__graph_block *equal(const struct heddle__graph_engine *e, const struct stretch *s) {
    const int b = last_before(e->block, e->blocks, sizeof *e->block, s->begin);
    return b >= 0 && e->block[b].begin == s->begin && e->block[b].end == s->end ? &e->block[b] : NULL;
}

/* Do all old blocks stay as they are? */
static bool all_stay(const struct heddle__graph_engine *e, const struct stretch *list, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++)
        kept += equal(e, &list[k]) != NULL;
    return kept == e->blocks;
}

/* Those that stay keep their memory, wherever they stand now. */
static void exchange(struct heddle__graph_engine *e, struct heddle__graph_block *new, int count) {
    for (int k = 0; k < count; k++) {
        const int b = last_before(e->block, e->blocks, sizeof *e->block, new[k].begin);
        if (new[k].there)
            continue;
        new[k].there = e->block[b].there;
        e->block[b].there = NULL;
    }
    for (int b = 0; b < e->blocks; b++)
        free_block(e, &e->block[b]);
    free(e->block);
    e->block = new;
    e->blocks = count;
}

static bool renew_blocks(struct heddle__graph_engine *e, const struct heddle__graph_shape *s) {
    int count;
    struct stretch *list = list_blocks(e, s, &count);
    struct heddle__graph_block *new = list ? calloc((size_t)count + 1, sizeof *new) : NULL;
    bool good = list && new;
    if (good && !all_stay(e, list, count)) {
        heddle__graph_home(e, true);
        for (int p = 0; p < e->pieces; p++)
            if (e->piece[p].block >= 0 && !equal(e, &list[last_before(list, count, sizeof *list, e->piece[p].begin)]))
                e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST;
    }
    for (int k = 0; good && k < count; k++) {
        const struct heddle__graph_block *old = equal(e, &list[k]);
        new[k] = (struct heddle__graph_block){.begin = list[k].begin, .end = list[k].end};
        new[k].there = old ? NULL : calloc((size_t)e->machine.memories + 1, sizeof *new[k].there);
        good = old || new[k].there;
    }
    if (good)
        exchange(e, new, count);
    for (int k = 0; !good && new && k < count; k++)
        free(new[k].there);
    if (!good)
        free(new);
    free(list);
    return good;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */
static int old_piece(const struct heddle__graph_piece *piece, int pieces, uintptr_t at) {
    const int p = last_before(piece, pieces, sizeof *piece, at);
    return p >= 0 && at < piece[p].end ? p : -1;
}

static bool worked_with(const struct heddle__graph_shape *s, uintptr_t at) {
    const int d = last_before(s->datum, s->g.datas, sizeof *s->datum, at);
    return d >= 0 && at < s->datum[d].end && s->datum[d].data;
}

static uintptr_t *boundaries(const struct heddle__graph_engine *e, const struct heddle__graph_shape *s, long *count) {
    uintptr_t *at = malloc((2 * (size_t)e->pieces + 2 * (size_t)s->g.datas + 1) * sizeof *at);
    long n = 0, kept = 0;
    for (int p = 0; at && p < e->pieces; p++) {
        at[n++] = e->piece[p].begin;
        at[n++] = e->piece[p].end;
    }
    for (int d = 0; at && d < s->g.datas; d++)
        if (s->datum[d].data) {
            at[n++] = s->datum[d].begin;
            at[n++] = s->datum[d].end;
        }
    if (at)
        qsort(at, (size_t)n, sizeof *at, by_address);
    for (long k = 0; k < n; k++)
        if (!kept || at[kept - 1] != at[k])
            at[kept++] = at[k];
    *count = kept;
    return at;
}

static void mark_held(struct heddle__graph_engine *e) {
    for (int p = 0; p < e->pieces; p++) {
        struct heddle__graph_piece *piece = &e->piece[p];
        piece->held = piece->back = false;
        for (int k = 0; k < e->nheld; k++)
            if (begin_of(&e->held[k]) <= piece->begin && piece->end <= end_of(&e->held[k])) {
                piece->held = true;
                piece->back |= (e->held[k].flags & HEDDLE_GRAPH_WRITE) != 0;
            }
    }
}

bool heddle__graph_pieces_add(struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    long count;
    if (!renew_blocks(e, s))
        return false;
    uintptr_t *at = boundaries(e, s, &count);
    struct heddle__graph_piece *new = at ? malloc(((size_t)count + 1) * sizeof *new) : NULL;
    int n = 0;
    if (!new) {
        free(at);
        return false;
    }
    for (long k = 0; k + 1 < count; k++) {
        const int old = old_piece(e->piece, e->pieces, at[k]);
        if (old < 0 && !worked_with(s, at[k]))
            continue;
        new[n] = old >= 0 ? e->piece[old] : (struct heddle__graph_piece){.valid = 1 << HEDDLE__GRAPH_HOST};
        new[n].begin = at[k];
        new[n].end = at[k + 1];
        const int b = last_before(e->block, e->blocks, sizeof *e->block, at[k]);
        new[n].block = b >= 0 && at[k] < e->block[b].end ? b : -1;
        n++;
    }
    free(at);
    free(e->piece);
    e->piece = new;
    e->pieces = n;
    e->version++;
    mark_held(e);
    return heddle__graph_pieces_find(e, s);
}

bool heddle__graph_pieces_find(struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    for (int d = 0; d < s->g.datas; d++) {
        struct heddle__graph_datum *datum = &s->datum[d];
        datum->pieces = 0;
        if (!datum->data)
            continue;
        datum->piece = old_piece(e->piece, e->pieces, datum->begin);
        for (int p = datum->piece; p >= 0 && p < e->pieces && e->piece[p].begin < datum->end; p++)
            datum->pieces++;
        if (datum->piece < 0)
            return false;
    }
    s->version = e->version;
    return true;
}

void heddle__graph_pieces_reset(struct heddle__graph_engine *e) {
    for (int p = 0; p < e->pieces; p++) {
        e->piece[p].valid = 1 << HEDDLE__GRAPH_HOST;
        e->piece[p].coming = 0;
        e->piece[p].written = false;
    }
    mark_held(e);
}

void heddle__graph_pieces_free(struct heddle__graph_engine *e) {
    for (int b = 0; b < e->blocks; b++)
        free_block(e, &e->block[b]);
    free(e->block);
    free(e->piece);
    e->block = NULL;
    e->piece = NULL;
    e->blocks = e->pieces = 0;
}

/* ---- what the program itself keeps on devices ---------------------------------------------------------------------
 */
static struct heddle_map map_of(const struct heddle__graph_engine *e, int first, int last) {
    return (struct heddle_map){.base = (void *)e->piece[first].begin,
                               .bytes = e->piece[last].end - e->piece[first].begin,
                               .kind = HEDDLE_MAP_TOFROM | HEDDLE_MAP_W};
}

static char *kept_at(const struct heddle__graph_engine *e, int piece, int device) {
    const struct heddle_map map = map_of(e, piece, piece);
    return heddle__maps_kept_at(&map, device);
}

/* The last of the neighbours, on the host and there, that travel with the first one: a copy for each piece would pay
   its latency each. *next: whether the one behind it is kept is known, and where. */
static int neighbours(const struct heddle__graph_engine *e, int first, char *there, int device, char **next) {
    int last = first;
    for (*next = NULL; last + 1 < e->pieces; last++) {
        const struct heddle__graph_piece *a = &e->piece[last], *b = a + 1;
        *next = kept_at(e, last + 1, device);
        if (b->begin != a->end || b->written != a->written || *next != there + (b->begin - e->piece[first].begin))
            break;
    }
    return last;
}

static void each_mapped(struct heddle__graph_engine *e, bool pull) {
    const int count = e->pieces ? heddle__devices_started() : 0;
    for (int device = 0; device < count; device++) {
        char *there = kept_at(e, 0, device);
        for (int p = 0; p < e->pieces; p++) {
            char *next = NULL;
            const int last = there ? neighbours(e, p, there, device, &next) : p;
            const struct heddle_map map = map_of(e, p, last);
            if (there && pull)
                heddle__maps_pull(&map, 1, device);
            else if (there && e->piece[p].written)
                heddle__maps_push(&map, 1, device);
            there = there ? next : p + 1 < e->pieces ? kept_at(e, p + 1, device) : NULL;
            p = last;
        }
    }
}

void heddle__graph_pull(struct heddle__graph_engine *e) { each_mapped(e, true); }
void heddle__graph_push(struct heddle__graph_engine *e) { each_mapped(e, false); }
