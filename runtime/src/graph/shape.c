/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A recording, understood: data are the stretches between all begins and ends of items, so that each is accessed whole
 * or not at all; dependences come from the overlap of items.
 */
#include "engine.h"
#include "graph/plan/plan.h"
#include "graph/plan/ranges.h"
#include <stdlib.h>
#include <string.h>

bool heddle__graph_same(const struct heddle__graph_shape *s, const struct heddle__graph_record *r) {
    const struct heddle__graph_record *m = &s->made;
    if (m->tasks != r->tasks || m->items != r->items || memcmp(m->item, r->item, (size_t)r->items * sizeof *r->item))
        return false;
    for (long t = 0; t < r->tasks; t++)
        if (m->task[t].type != r->task[t].type || m->task[t].items != r->task[t].items)
            return false;
    return true;
}

static uintptr_t begin_of(const struct heddle_graph_item *i) { return (uintptr_t)i->begin; }
/* An empty item orders as its first byte. */
static uintptr_t end_of(const struct heddle_graph_item *i) { return begin_of(i) + (i->bytes ? i->bytes : 1); }

/* ---- who waits for whom ------------------------------------------------------------------------------------------ */
static bool list_before(struct heddle__graph_shape *s) {
    struct heddle__ranges *r = heddle__ranges_make();
    struct heddle__range *range = malloc(((size_t)s->made.items + 1) * sizeof *range);
    long room = 0, used = 0;
    bool good = r && range;
    for (int t = 0; good && t < s->g.tasks; t++) {
        const struct heddle__graph_made *m = &s->made.task[t];
        const long *before;
        for (int k = 0; k < m->items; k++) {
            const struct heddle_graph_item *i = &s->made.item[m->item + k];
            range[k] = (struct heddle__range){begin_of(i), end_of(i), i->flags & HEDDLE_GRAPH_WRITE};
        }
        const long count = heddle__ranges_add(r, range, m->items, &before);
        if (used + count > room) {
            room = 2 * (used + count) + 64;
            int *more = realloc(s->before, (size_t)room * sizeof *more);
            s->before = more ? more : s->before;
            good = more != NULL;
        }
        good = good && count >= 0 && used + count < INT32_MAX;
        s->task[t].before = (int)used;
        s->task[t].befores = good ? (int)count : 0;
        for (long k = 0; good && k < count; k++)
            s->before[used++] = (int)before[k];
    }
    heddle__ranges_free(r);
    free(range);
    return good;
}

static bool list_after(struct heddle__graph_shape *s) {
    const int n = s->g.tasks, edges = n ? s->task[n - 1].before + s->task[n - 1].befores : 0;
    s->after_start = calloc((size_t)n + 2, sizeof *s->after_start);
    s->after = malloc(((size_t)edges + 1) * sizeof *s->after);
    if (!s->after_start || !s->after)
        return false;
    for (int k = 0; k < edges; k++)
        s->after_start[s->before[k] + 2]++;
    for (int t = 0; t < n; t++)
        s->after_start[t + 2] += s->after_start[t + 1];
    for (int t = 0; t < n; t++)
        for (int k = 0; k < s->task[t].befores; k++)
            s->after[s->after_start[s->before[s->task[t].before + k] + 1]++] = t;
    return true;
}

/* ---- what touches what ------------------------------------------------------------------------------------------- */
static int by_address(const void *a, const void *b) {
    const uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return (x > y) - (x < y);
}

/* The stretches between neighbouring begins and ends; those that no item covers go later. */
static bool cut(struct heddle__graph_shape *s) {
    const size_t items = (size_t)s->made.items;
    uintptr_t *at = malloc((2 * items + 1) * sizeof *at);
    size_t n = 0, kept = 0;
    if (!at)
        return false;
    for (size_t k = 0; k < items; k++) {
        at[n++] = begin_of(&s->made.item[k]);
        at[n++] = end_of(&s->made.item[k]);
    }
    qsort(at, n, sizeof *at, by_address);
    for (size_t k = 0; k < n; k++)
        if (!kept || at[kept - 1] != at[k])
            at[kept++] = at[k];
    s->datum = calloc(kept + 1, sizeof *s->datum);
    for (size_t k = 0; s->datum && k + 1 < kept; k++)
        s->datum[s->g.datas++] = (struct heddle__graph_datum){.begin = at[k], .end = at[k + 1]};
    free(at);
    return s->datum != NULL;
}

static int datum_at(const struct heddle__graph_shape *s, uintptr_t at) {
    int lo = 0, hi = s->g.datas;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        if (s->datum[mid].begin <= at)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* One access for each datum, however many items name it. */
static void join(struct heddle__graph_shape *s, struct heddle_graph_task *t, int datum, int flags, int *last) {
    struct heddle_graph_access *a;
    if (last[datum] < t->access) {
        last[datum] = t->access + t->accesses++;
        s->access[last[datum]] = (struct heddle_graph_access){.data = datum};
        s->use[last[datum]] = (struct heddle__graph_use){false, false};
    }
    a = &s->access[last[datum]];
    a->reads |= (flags & HEDDLE_GRAPH_READ) != 0;
    a->writes |= (flags & HEDDLE_GRAPH_WRITE) != 0;
    s->use[last[datum]].data |= (flags & HEDDLE_GRAPH_DATA) != 0;
    s->use[last[datum]].here |= (flags & HEDDLE_GRAPH_HERE) != 0;
    s->datum[datum].data |= (flags & HEDDLE_GRAPH_DATA) != 0;
}

static bool list_accesses(struct heddle__graph_shape *s) {
    const long items = s->made.items;
    int *last = malloc(((size_t)s->g.datas + 1) * sizeof *last);
    long all = 0;
    int next = 0;
    s->item_datum = malloc(((size_t)items + 1) * sizeof *s->item_datum);
    bool good = last && s->item_datum;
    for (long k = 0; good && k < items; k++) {
        const uintptr_t end = end_of(&s->made.item[k]);
        s->item_datum[k] = datum_at(s, begin_of(&s->made.item[k]));
        for (int d = s->item_datum[k]; d < s->g.datas && s->datum[d].begin < end; d++)
            all++;
    }
    good = good && all < INT32_MAX;
    s->access = good ? malloc(((size_t)all + 1) * sizeof *s->access) : NULL;
    s->use = good ? malloc(((size_t)all + 1) * sizeof *s->use) : NULL;
    good = s->access && s->use;
    for (int d = 0; good && d < s->g.datas; d++)
        last[d] = -1;
    for (int t = 0; good && t < s->g.tasks; t++) {
        const struct heddle__graph_made *m = &s->made.task[t];
        s->task[t].access = next;
        for (int k = m->item; k < m->item + m->items; k++)
            for (int d = s->item_datum[k]; d < s->g.datas && s->datum[d].begin < end_of(&s->made.item[k]); d++)
                join(s, &s->task[t], d, s->made.item[k].flags, last);
        next += s->task[t].accesses;
    }
    free(last);
    return good;
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */
static bool copy_record(struct heddle__graph_shape *s, const struct heddle__graph_record *r) {
    struct heddle__graph_record *m = &s->made;
    *m = (struct heddle__graph_record){.tasks = r->tasks, .items = r->items};
    m->task = malloc(((size_t)r->tasks + 1) * sizeof *m->task);
    m->item = malloc(((size_t)r->items + 1) * sizeof *m->item);
    if (!m->task || !m->item)
        return false;
    memcpy(m->task, r->task, (size_t)r->tasks * sizeof *m->task);
    if (r->items)
        memcpy(m->item, r->item, (size_t)r->items * sizeof *m->item);
    return true;
}

static bool fill(struct heddle__graph_shape *s) {
    const size_t tasks = (size_t)s->g.tasks + 1;
    if (!(s->task = calloc(tasks, sizeof *s->task)) || !cut(s) || !list_accesses(s) || !list_before(s) ||
        !list_after(s))
        return false;
    if (!(s->data = calloc((size_t)s->g.datas + 1, sizeof *s->data)))
        return false;
    for (int d = 0; d < s->g.datas; d++)
        s->data[d] = (struct heddle_graph_data){(double)(s->datum[d].end - s->datum[d].begin), -1};
    s->g.task = s->task;
    s->g.data = s->data;
    s->g.access = s->access;
    s->g.before = s->before;
    if (!heddle__graph_partitions(s) || !heddle__graph_index(&s->g, &s->first, &s->neighbour))
        return false;
    s->lost = calloc(HEDDLE__GRAPH_UNITS, 1);
    s->owner = malloc(((size_t)s->g.partitions + 1) * sizeof *s->owner);
    for (int p = 0; s->owner && p < s->g.partitions; p++)
        s->owner[p] = -1;
    s->g.owner = s->owner;
    return s->owner && s->lost;
}

/* ---- times that are known of an equal task before the graph changed ---------------------------------------------- */
static uintptr_t mark_of(const struct heddle__graph_shape *s, int t) {
    const struct heddle__graph_made *m = &s->made.task[t];
    uintptr_t h = (uintptr_t)m->type * 31;
    for (int k = m->item; k < m->item + m->items; k++)
        if (s->made.item[k].flags & HEDDLE_GRAPH_WRITE)
            h = (h ^ begin_of(&s->made.item[k])) * 0x9E3779B97F4A7C15u;
    return h ^ h >> 29;
}

static bool times(const struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    const int classes = e->machine.classes;
    const struct heddle__graph_shape *old = e->run;
    size_t room = 64;
    s->time = calloc((size_t)s->g.tasks * (size_t)classes + 1, sizeof *s->time);
    s->g.time = s->time;
    while (old && room < 2 * (size_t)old->g.tasks)
        room *= 2;
    int *table = old && s->time ? malloc(room * sizeof *table) : NULL;
    for (size_t k = 0; table && k < room; k++)
        table[k] = -1;
    for (int t = 0; table && t < old->g.tasks; t++) {
        size_t at = mark_of(old, t) & (room - 1);
        while (table[at] >= 0 && mark_of(old, table[at]) != mark_of(old, t))
            at = (at + 1) & (room - 1);
        table[at] = t;
    }
    for (int t = 0; table && t < s->g.tasks; t++) {
        const uintptr_t mark = mark_of(s, t);
        size_t at = mark & (room - 1);
        while (table[at] >= 0 && mark_of(old, table[at]) != mark)
            at = (at + 1) & (room - 1);
        if (table[at] >= 0)
            memcpy(&s->time[(long)t * classes], &old->time[(long)table[at] * classes],
                   (size_t)classes * sizeof *s->time);
    }
    free(table);
    return s->time != NULL;
}

/* Who cannot run a task at all. */
static void abilities(const struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    const int classes = e->machine.classes;
    for (int t = 0; t < s->g.tasks; t++)
        for (int u = 0; u < e->machine.units; u++)
            if (s->made.task[t].type->device ? e->named && e->unit[u].device < 0 : e->unit[u].device >= 0)
                s->time[(long)t * classes + e->unit[u].class] = -1;
}

/* Partitions begin where most of the data that they write is. */
static void owners(const struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    const struct heddle__graph_shape *old = e->run;
    for (int d = 0; old && d < s->g.datas; d++) {
        const int p = s->data[d].partition, o = old->g.datas ? datum_at(old, s->datum[d].begin) : -1;
        if (p < 0 || o < 0 || old->datum[o].begin > s->datum[d].begin || old->datum[o].end <= s->datum[d].begin)
            continue;
        const int q = old->data[o].partition, u = q < 0 ? -1 : old->owner[q];
        if (u >= 0 && !e->unit[u].gone)
            s->owner[p] = u;
    }
}

struct heddle__graph_shape *heddle__graph_shape_make(struct heddle__graph_engine *e,
                                                     const struct heddle__graph_record *r) {
    struct heddle__graph_shape *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->g.tasks = (int)r->tasks;
    s->version = -1;
    if (copy_record(s, r) && fill(s) && times(e, s)) {
        abilities(e, s);
        owners(e, s);
        return s;
    }
    heddle__graph_shape_free(e, s);
    return NULL;
}

void heddle__graph_shape_free(struct heddle__graph_engine *e, struct heddle__graph_shape *s) {
    heddle__graph_scene_forget(e, s);
    if (!s)
        return;
    if (s->state)
        e->policy->stop(s->state);
    heddle__graph_whole_free(s->whole);
    heddle__graph_record_free(&s->made);
    free(s->task);
    free(s->data);
    free(s->access);
    free(s->use);
    free(s->datum);
    free(s->item_datum);
    free(s->before);
    free(s->after_start);
    free(s->after);
    free(s->owner);
    free(s->lost);
    free(s->first);
    free(s->neighbour);
    free(s->time);
    free(s);
}
