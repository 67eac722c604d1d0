/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who takes part where nobody said so: all devices, one class of them, or one device of several alike. What they do
 * side by side cannot be told from what each does: the jobs of one make those of the other, lists travel, and a device
 * that takes long for a few jobs keeps all waiting. So each set that may be the fastest is tried, the time of the whole
 * execution is kept beside those of the loops, and the fastest set gets the next ones. Who lost is asked again when
 * what that costs is a small share of what was spent since. A schedule or a device that is named leaves nothing to
 * choose.
 */
#include "device/resolve.h"
#include "engine.h"
#include "jobs/plan/sets.h"
#include "model/loops.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLASSES = 16, SETS = 2 * CLASSES + 1 };

struct candidate {
    struct heddle__device_set set; /* as the record has it */
    unsigned classes;
    int one; /* the only device; -1: all of these classes */
    struct heddle__jobs_set_times times;
};

/* With the lock held. */
static struct heddle__record *record_of(const struct heddle__jobs_engine *e) {
    char name[HEDDLE__LOOP_NAME];
    snprintf(name, sizeof name, "%.200s:%d sets", e->site.file, e->site.line);
    return heddle__record_find(name, true);
}

static bool open_to_choice(const struct heddle__jobs_engine *e) {
    char option[HEDDLE__OPTION_MAX];
    heddle__option_read("jobs", option, sizeof option);
    return heddle__wish_read(e->call->device).open && !e->call->schedule && !strcmp(option, "auto") && !e->excluded &&
           e->devices > 1 && e->classes <= CLASSES;
}

static bool able(const struct heddle__jobs_engine *e, unsigned classes, int one) {
    for (int t = 0; t < e->types; t++) {
        bool some = false;
        for (int k = 0; k < e->devices; k++)
            some |= (one < 0 ? classes >> e->device[k].class & 1 : k == one) && e->device[k].can[t];
        if (!some)
            return false;
    }
    return true;
}

/* A class as the record has it. What the host does with all of its processors says little of fewer threads. */
static int class_in(struct heddle__record *r, const struct heddle__jobs_engine *e, int class) {
    char text[HEDDLE__LOOP_NAME];
    const int threads = heddle__host_threads();
    const bool host = e->home >= 0 && e->device[e->home].class == class;
    snprintf(text, sizeof text, "%.200s", e->class_name[class]);
    if (host && threads != sysconf(_SC_NPROCESSORS_ONLN))
        snprintf(text, sizeof text, "%.200s: %d threads", e->class_name[class], threads);
    return heddle__record_class(r, text);
}

static long jobs_at_first(const struct heddle__jobs_engine *e) {
    long sum = 0;
    for (int t = 0; t < e->types; t++)
        sum += ((const struct heddle_jobs_any_list *)e->call->lists[e->kind[t].call->list].list)->count;
    return sum;
}

_Static_assert((int)HEDDLE__JOBS_SET_RUNS == (int)HEDDLE__LOOP_LATEST, "what the record keeps is what is judged");

static void recall(struct heddle__record *r, long n, struct candidate *c) {
    const struct heddle__set_times *t = heddle__record_set(r, c->set, n, true);
    c->times.runs = t->runs;
    c->times.since = t->since;
    c->times.least = t->least;
    c->times.least_n = t->least_n;
    memcpy(c->times.n, t->n, sizeof t->n);
    memcpy(c->times.seconds, t->seconds, sizeof t->seconds);
}

static void add(const struct heddle__jobs_engine *e, struct heddle__record *r, struct candidate *list, int *count,
                struct candidate c) {
    if (*count == SETS || !able(e, c.classes, c.one))
        return;
    c.set.form = c.one >= 0 ? HEDDLE__SET_ONE_DEVICE : HEDDLE__SET_SHARED;
    for (int k = 0; k < e->classes; k++) {
        const int class = c.classes >> k & 1 ? class_in(r, e, k) : 0;
        if (class < 0)
            return;
        c.set.classes |= (c.classes >> k & 1) << class;
    }
    recall(r, e->first_jobs, &c);
    list[(*count)++] = c;
}

/* The first one is that of all devices. */
static int list_of(const struct heddle__jobs_engine *e, struct heddle__record *r, struct candidate *list) {
    int count = 0;
    add(e, r, list, &count, (struct candidate){.classes = (1u << e->classes) - 1, .one = -1});
    for (int c = 0; c < e->classes; c++) {
        int devices = 0, first = -1;
        for (int k = e->devices - 1; k >= 0; k--)
            if (e->device[k].class == c) {
                devices++;
                first = k;
            }
        const double alone = devices ? heddle__jobs_alone(e, c) : 0;
        if (devices && devices < e->devices)
            add(e, r, list, &count,
                (struct candidate){
                    .classes = 1u << c, .one = -1, .times.expected = alone / (devices > 1 ? devices : 1)});
        if (devices > 1)
            add(e, r, list, &count, (struct candidate){.classes = 1u << c, .one = first, .times.expected = alone});
    }
    return count;
}

static bool takes_part(const struct candidate *c, const struct heddle__jobs_device *d, int number) {
    return (c->classes >> d->class & 1) && (c->one < 0 || c->one == number);
}

void heddle__jobs_select_devices(struct heddle__jobs_engine *e) {
    struct candidate list[SETS];
    e->first_jobs = jobs_at_first(e);
    if (!e->first_jobs || !open_to_choice(e))
        return;
    heddle__loops_lock();
    struct heddle__record *r = record_of(e);
    const int count = r ? list_of(e, r, list) : 0;
    heddle__loops_unlock();
    if (count < 2)
        return;
    struct heddle__jobs_set_times times[SETS];
    for (int k = 0; k < count; k++)
        times[k] = list[k].times;
    const struct candidate *c = &list[heddle__jobs_choose_set(times, count, e->first_jobs)];
    e->set_form = c->set.form;
    e->set_classes = c->set.classes;
    bool stays[HEDDLE__JOBS_DEVICES];
    for (int k = 0; k < e->devices; k++)
        stays[k] = takes_part(c, &e->device[k], k);
    for (int k = e->devices - 1; k >= 0; k--)
        if (!stays[k])
            heddle__jobs_leave_out(e, k);
}

/* A device's first batch loads its code: such an execution says nothing of its set. */
void heddle__jobs_keep_set(const struct heddle__jobs_engine *e) {
    const struct heddle__device_set set = {.form = e->set_form, .classes = e->set_classes};
    bool lost = false;
    for (int k = 0; k < e->devices; k++)
        lost |= e->device[k].gone;
    if (set.form == HEDDLE__SET_NONE || lost || e->cold)
        return;
    const double seconds = heddle__now() - e->start;
    heddle__loops_lock();
    struct heddle__record *r = record_of(e);
    struct heddle__set_times *t = r ? heddle__record_set(r, set, e->first_jobs, true) : NULL;
    if (t) {
        r->own = true;
        heddle__set_add(t, e->first_jobs, seconds);
        struct heddle__jobs_set_times least = {.least = t->least, .least_n = t->least_n};
        heddle__jobs_set_note(&least, e->first_jobs, seconds);
        t->least = least.least;
        t->least_n = least.least_n;
        heddle__record_age(r, set, e->first_jobs, seconds);
    }
    heddle__loops_unlock();
}
