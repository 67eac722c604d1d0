/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs over the devices of one group, which are alike: every device is filled up to one level, first with what it made
 * itself, then with what is left, device after device, so that few devices pay a setup for several types.
 */
#include "plan.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS = 6 };

struct filling {
    const struct heddle_jobs_choice *c;
    const int *device;
    int devices;
    double *budget; /* [devices] seconds up to the level */
    bool *used;     /* [devices * types] its setup is paid */
    int *place;     /* [all devices] index in `device`, -1: not in this group */
};

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Up to where `work` seconds fill devices that are busy for so long. `rest` is sorted. */
static double level_of(const double *rest, int n, double work) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += rest[k];
        const double level = (work + sum) / (k + 1);
        if (k + 1 == n || level <= rest[k + 1])
            return level;
    }
    return 0;
}

static double each_of(const struct filling *f, const struct heddle__jobs_entry *e, int k) {
    const struct heddle_jobs_kind *kind = &f->c->kind[e->kind];
    return heddle__jobs_each(f->c->machine, kind->type, kind->source, f->device[k]);
}

/* As many of the entry as fit; `all`: all of them. */
static void give(struct filling *f, struct heddle__jobs_entry *e, int k, bool all) {
    const int type = f->c->kind[e->kind].type, types = f->c->machine->types;
    const double each = each_of(f, e, k),
                 setup = f->used[k * types + type] ? 0 : heddle__jobs_setup(f->c->machine, type, f->device[k]);
    if (each < 0 || !e->count)
        return;
    const double fit = floor((f->budget[k] - setup) / fmax(each, 1e-15) + 1e-9);
    const long count = all || fit >= (double)e->count ? e->count : fit > 0 ? (long)fit : 0;
    if (!count)
        return;
    f->c->put(f->c->with, e->kind, f->device[k], count);
    f->used[k * types + type] = true;
    f->budget[k] -= setup + each * (double)count;
    e->count -= count;
}

static void give_home(struct filling *f, struct heddle__jobs_entry *entry, int entries) {
    for (int i = 0; i < entries; i++) {
        const int source = f->c->kind[entry[i].kind].source;
        if (source >= 0 && f->place[source] >= 0)
            give(f, &entry[i], f->place[source], false);
    }
}

/* Each entry as if the first device that can run it did. */
static double work_left(const struct filling *f, const struct heddle__jobs_entry *entry, int entries) {
    double work = 0;
    for (int i = 0; i < entries; i++) {
        double each = -1;
        for (int k = 0; entry[i].count && k < f->devices && each < 0; k++)
            each = each_of(f, &entry[i], k);
        work += (double)entry[i].count * fmax(each, 0);
    }
    return work;
}

static void give_on(struct filling *f, struct heddle__jobs_entry *entry, int entries) {
    int k = 0;
    for (int i = 0; i < entries; i++)
        for (int tried = 0; entry[i].count && tried <= f->devices; tried++) {
            give(f, &entry[i], k, false);
            if (entry[i].count) {
                if (k + 1 == f->devices) /* the others are full, or this entry does not pay its setup there */
                    break;
                k++;
            }
        }
}

static int able(const struct filling *f, const struct heddle__jobs_entry *e) {
    int count = 0;
    for (int k = 0; k < f->devices; k++)
        count += each_of(f, e, k) >= 0;
    return count;
}

/* Jobs that are longer than any budget: the same number for each. */
static void give_rest(struct filling *f, struct heddle__jobs_entry *entry, int entries) {
    int k = 0, type = -1, devices = 0;
    for (int i = 0; i < entries; i++) {
        if (!entry[i].count)
            continue;
        if (f->c->kind[entry[i].kind].type != type) {
            type = f->c->kind[entry[i].kind].type;
            devices = able(f, &entry[i]);
        }
        const long part = devices ? (entry[i].count + devices - 1) / devices : 0;
        for (int tried = 0; devices && entry[i].count && tried < f->devices; tried++, k = (k + 1) % f->devices) {
            struct heddle__jobs_entry one = {entry[i].kind, part < entry[i].count ? part : entry[i].count};
            const long before = one.count;
            give(f, &one, k, true);
            entry[i].count -= before - one.count;
        }
    }
}

static void fill(struct filling *f, struct heddle__jobs_entry *entry, int entries, double *sorted) {
    for (int k = 0; k < f->devices; k++)
        sorted[k] = f->c->rest[f->device[k]];
    qsort(sorted, (size_t)f->devices, sizeof *sorted, by_value);
    const double level = level_of(sorted, f->devices, work_left(f, entry, entries));
    for (int k = 0; k < f->devices; k++)
        f->budget[k] = fmax(level - f->c->rest[f->device[k]], 0);
    give_home(f, entry, entries);
    for (int turn = 0; turn < TURNS; turn++) { /* setups were not in the level */
        give_on(f, entry, entries);
        const double more = work_left(f, entry, entries) / f->devices;
        if (!(more > 0))
            break;
        for (int k = 0; k < f->devices; k++)
            f->budget[k] += more + level / 64;
    }
    give_rest(f, entry, entries);
}

bool heddle__jobs_fill(const struct heddle_jobs_choice *c, const int *device, int devices,
                       struct heddle__jobs_entry *entry, int entries) {
    const size_t n = (size_t)devices;
    struct filling f = {.c = c, .device = device, .devices = devices};
    f.budget = malloc(2 * (n + 1) * sizeof *f.budget);
    f.used = calloc(n + 1, (size_t)c->machine->types * sizeof *f.used);
    f.place = malloc((size_t)c->machine->devices * sizeof *f.place);
    const bool good = f.budget && f.used && f.place && devices > 0;
    if (good) {
        memset(f.place, -1, (size_t)c->machine->devices * sizeof *f.place);
        for (int k = 0; k < devices; k++)
            f.place[device[k]] = k;
        fill(&f, entry, entries, f.budget + n);
    }
    free(f.budget);
    free(f.used);
    free(f.place);
    return good;
}
