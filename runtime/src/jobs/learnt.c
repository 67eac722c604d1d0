/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of a type of job on a class of devices when an execution begins: this process's own measurements, else
 * what earlier ones left beside the loops' times. */
#include "engine.h"
#include "model/loops.h"
#include <stdlib.h>
#include <string.h>

struct learnt {
    struct learnt *next;
    const struct heddle_loop_type *loop;
    char class[256];
    struct heddle__jobs_costs costs;
    uint64_t warm; /* devices that have run it, by number */
    long last;     /* jobs of the last execution, where no class is named */
};
static struct learnt *first; /* under the lock of the loops' records */

/* NULL: out of memory */
static struct learnt *find(const struct heddle_loop_type *loop, const char *class) {
    struct learnt *l = first;
    while (l && (l->loop != loop || strcmp(l->class, class) != 0))
        l = l->next;
    if (!l && (l = calloc(1, sizeof *l))) {
        l->loop = loop;
        snprintf(l->class, sizeof l->class, "%s", class);
        l->next = first;
        first = l;
    }
    return l;
}

double heddle__jobs_alone(const struct heddle__jobs_engine *e, int class) {
    double sum = 0;
    for (int t = 0; t < e->types; t++) {
        const struct learnt *all = find(e->kind[t].loop, ""), *l = find(e->kind[t].loop, e->class_name[class]);
        if (!all || (all->last && !(l && l->costs.runs > 0)))
            return 0;
        sum += all->last ? l->costs.setup + l->costs.each * (double)all->last : 0;
    }
    return sum;
}

/* The file and line of the type's loop. */
static void name_of(const struct heddle__jobs_engine *e, int type, char *name) {
    const struct heddle_site *site = &e->kind[type].loop->site;
    snprintf(name, HEDDLE__LOOP_NAME, "%.200s:%d jobs", site->file, site->line);
}

/* r: what earlier processes measured; NULL: nothing. */
static void recall(struct heddle__jobs_engine *e, int type, struct heddle__jobs_device *d,
                   const struct heddle__record *r) {
    const char *class = e->class_name[d->class];
    const struct learnt *l = find(e->kind[type].loop, class);
    if (l && l->costs.runs > 0)
        d->costs[type] = l->costs;
    for (int k = 0; r && k < r->count && !(l && l->costs.runs > 0); k++) {
        const struct heddle_loop_sample *s = &r->sample[k];
        if (!strcmp(r->class[r->of[k]], class) && s->chunk.count > 0 && s->compute > 0)
            heddle__jobs_note(&d->costs[type], s->chunk.count, s->compute);
    }
    d->costs[type].first = d->device >= 0 && d->device < 64 && !(l && l->warm >> d->device & 1);
}

static double link_bytes[HEDDLE__DEVICES], link_seconds[HEDDLE__DEVICES]; /* of this process; likewise */

void heddle__jobs_recall(struct heddle__jobs_engine *e) {
    char name[HEDDLE__LOOP_NAME];
    heddle__loops_lock();
    for (int k = 0; k < e->devices; k++)
        if (e->device[k].device >= 0) {
            e->device[k].copied = link_bytes[e->device[k].device];
            e->device[k].copying = link_seconds[e->device[k].device];
        }
    for (int t = 0; t < e->types; t++) {
        name_of(e, t, name);
        const struct heddle__record *r = heddle__record_find(name, false);
        for (int k = 0; k < e->devices; k++)
            if (e->device[k].can[t])
                recall(e, t, &e->device[k], r);
    }
    heddle__loops_unlock();
}

/* The fitted line takes the place of an older one: a small batch and a large one. */
static void write_line(struct heddle__record *r, const char *class, const struct heddle__jobs_costs *c) {
    const int number = heddle__record_class(r, class);
    const double mean = c->n / c->runs;
    int others = 0;
    for (int k = 0; number >= 0 && k < r->count; k++)
        if (r->of[k] != number) {
            r->sample[others] = r->sample[k];
            r->of[others++] = r->of[k];
        }
    r->count = number >= 0 ? others : r->count;
    for (int large = 0; number >= 0 && large < 2; large++) {
        const long n = (long)(large ? 2 * mean : mean / 2) + 1;
        const struct heddle_loop_sample s = {
            .chunk = {0, n}, .n = n, .compute = c->setup + c->each * (double)n, .move = 0};
        heddle__record_add(r, number, &s);
    }
}

/* Devices of a class on average; those that have only loaded their code say nothing where others have more. */
static bool join_class(struct heddle__jobs_engine *e, int type, int class, struct learnt *l) {
    struct heddle__jobs_costs sum = {0};
    int all = 0, warm = 0;
    for (int k = 0; k < e->devices; k++) {
        const struct heddle__jobs_device *d = &e->device[k];
        if (d->class != class || !d->done[type])
            continue;
        all++;
        warm += !d->costs[type].cold;
        l->warm |= d->device >= 0 && d->device < 64 ? UINT64_C(1) << d->device : 0;
    }
    for (int k = 0; k < e->devices; k++) {
        const struct heddle__jobs_device *d = &e->device[k];
        if (d->class == class && d->done[type] && (!warm || !d->costs[type].cold))
            heddle__jobs_join_costs(&sum, &d->costs[type], warm ? warm : all);
    }
    if (all)
        l->costs = sum;
    return all && !sum.cold;
}

void heddle__jobs_keep(struct heddle__jobs_engine *e) {
    char name[HEDDLE__LOOP_NAME];
    heddle__loops_lock();
    for (int k = 0; k < e->devices; k++)
        if (e->device[k].device >= 0) {
            link_bytes[e->device[k].device] = e->device[k].copied;
            link_seconds[e->device[k].device] = e->device[k].copying;
        }
    for (int t = 0; t < e->types; t++) {
        struct learnt *all = find(e->kind[t].loop, "");
        if (all)
            all->last = e->kind[t].done;
        name_of(e, t, name);
        struct heddle__record *r = e->kind[t].done ? heddle__record_find(name, true) : NULL;
        for (int c = 0; c < e->classes; c++) {
            struct learnt *l = find(e->kind[t].loop, e->class_name[c]);
            if (!l || !join_class(e, t, c, l) || !r)
                continue;
            r->own = true;
            write_line(r, e->class_name[c], &l->costs);
        }
    }
    heddle__loops_unlock();
}
