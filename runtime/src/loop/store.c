/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the engine takes from a loop's record (model/loops.h) before a run, and what it notes in it afterwards. A
 * schedule gets what was measured on devices like those that take part.
 */
#include "engine.h"
#include "model/loops.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 512, MORE = 64, LEARNING = 10 /* runs of a set */ };
enum { CHOICE_RUNS = 14, CHOICE_RUNS_MOST = 224 };
static const double THREADS_START = 10e-3; /* seconds in which the host's threads have started, and much besides */
static const uint64_t HOST = 1ull << 63;   /* of devices by number */
static const double CHANGED = 2;           /* times what a chosen set usually takes */
_Static_assert((int)HEDDLE__SPLIT_PARTS == (int)HEDDLE__PARTS, "a split has a place for each part");

static _Thread_local char loop_case[64];
static _Thread_local unsigned loop_case_number;

void heddle_loop_case(const char *name) {
    snprintf(loop_case, sizeof loop_case, "%s%s", name && *name ? " " : "", name ? name : "");
    loop_case_number = 0;
    for (const char *at = loop_case; *at; at++)
        loop_case_number = 31 * loop_case_number + (unsigned char)*at;
}

unsigned heddle__loop_case_number(void) { return loop_case_number; }

/* With the lock held. Records stay where they are, so a loop looks for its own once. */
static struct heddle__record *own_record(struct heddle__engine *e, bool make) {
    char text[HEDDLE__LOOP_NAME];
    if (!*e->name) {
        snprintf(text, sizeof text, "%s:%d%s", e->type->site.file, e->type->site.line, loop_case);
        heddle__name_copy(e->name, text, sizeof e->name);
    }
    if (!e->record)
        e->record = heddle__record_find(e->name, make);
    return e->record;
}

static int class_here(const struct heddle__engine *e, const char *name) {
    for (int k = 0; k < e->classes; k++)
        if (heddle__name_is(name, e->class_name[k], HEDDLE__LOOP_NAME))
            return k;
    return -1;
}

/* With the lock held. */
static struct heddle__record *begin_recall(struct heddle__engine *e) {
    struct heddle__record *r = own_record(e, false);
    e->runs = r ? r->runs : 0;
    for (int c = 0; r && c < r->classes; c++) {
        const int here = class_here(e, r->class[c]);
        for (int k = 0; k < e->participants && here >= 0; k++)
            if (e->participant[k].class == here) {
                e->device[k].ready = e->participant[k].device >= 0 ? r->ready[c] : 0;
                e->device[k].rate = r->rate[c];
                e->device[k].setup = r->setup[c];
            }
    }
    return r;
}

void heddle__loop_recall_rates(struct heddle__engine *e) {
    heddle__loops_lock();
    begin_recall(e);
    heddle__loops_unlock();
}

void heddle__loop_recall_samples(struct heddle__engine *e) {
    heddle__loops_lock();
    struct heddle__record *r = begin_recall(e);
    struct heddle_loop_sample *s = r ? malloc(((size_t)r->count + 1) * sizeof *s) : NULL;
    int *class = r ? malloc(((size_t)r->count + 1) * sizeof *class) : NULL, n = 0, here[HEDDLE__LOOP_CLASSES];
    for (int c = 0; r && c < r->classes; c++)
        here[c] = class_here(e, r->class[c]);
    for (int k = 0; s && class && k < r->count; k++) {
        if (here[r->of[k]] < 0)
            continue;
        s[n] = r->sample[k];
        class[n++] = here[r->of[k]];
    }
    heddle__loops_unlock();
    e->problem.samples = n;
    e->problem.sample = s;
    e->problem.sample_class = class;
}

/* What disturbs a run makes it longer only: the shortest of the latest tells most. */
static double set_seconds(struct heddle__record *r, struct heddle__device_set set, long n, int *runs) {
    double each = HUGE_VAL;
    const struct heddle__set_times *t = heddle__record_set(r, set, n, false);
    const int count = *runs = t ? t->runs < HEDDLE__LOOP_LATEST ? t->runs : HEDDLE__LOOP_LATEST : 0;
    for (int k = 0; k < count; k++)
        each = fmin(each, t->seconds[k] / (double)t->n[k]);
    return count ? (double)n * each : 0;
}

/* A class of a set. What the host does with all of its processors says little of what it does with fewer threads. */
static int class_in(struct heddle__record *r, const struct heddle__engine *e, enum heddle__set_form form, int class) {
    char text[HEDDLE__LOOP_NAME];
    const int threads = heddle__host_threads();
    bool host = false;
    for (int k = 0; k < e->participants; k++)
        host |= e->participant[k].class == class && e->participant[k].device < 0;
    if (!host || form == HEDDLE__SET_ONE_DEVICE || threads == sysconf(_SC_NPROCESSORS_ONLN))
        return heddle__record_class(r, e->class_name[class]);
    snprintf(text, sizeof text, "%.200s: %d threads", e->class_name[class], threads);
    return heddle__record_class(r, text);
}

/* The engine's classes as the record's; of no form when one of them finds no room there. */
static struct heddle__device_set set_in(struct heddle__record *r, const struct heddle__engine *e,
                                        enum heddle__set_form form, unsigned classes) {
    struct heddle__device_set set = {.form = form};
    for (int c = 0; c < e->classes; c++) {
        const int class = classes >> c & 1 ? class_in(r, e, form, c) : 0;
        if (class < 0)
            return (struct heddle__device_set){.form = HEDDLE__SET_NONE};
        set.classes |= (classes >> c & 1) << class;
    }
    return set;
}

struct heddle__known heddle__loop_recall_set(struct heddle__engine *e, enum heddle__set_form form, unsigned classes,
                                             uint64_t devices) {
    struct heddle__known known = {0};
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, false);
    const struct heddle__device_set set = r ? set_in(r, e, form, classes) : (struct heddle__device_set){0};
    if (set.form != HEDDLE__SET_NONE) {
        known.new = !heddle__record_set(r, set, e->n, false);
        const struct heddle__set_times *t = heddle__record_set(r, set, e->n, true);
        const int last = (t->runs + HEDDLE__LOOP_LATEST - 1) % HEDDLE__LOOP_LATEST;
        known.shortest = set_seconds(r, set, e->n, &known.runs);
        known.latest = t->runs ? t->seconds[last] / (double)t->n[last] * (double)e->n : 0;
        known.since = t->since;
        known.cold = devices & ~r->warm;
    }
    heddle__loops_unlock();
    return known;
}

void heddle__loop_choose_set(struct heddle__engine *e, enum heddle__set_form form, unsigned classes) {
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, true);
    e->set = r ? set_in(r, e, form, classes) : (struct heddle__device_set){0};
    heddle__loops_unlock();
}

bool heddle__loop_recall_split(struct heddle__engine *e) {
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, false);
    const struct heddle__set_times *t = r ? heddle__record_set(r, e->set, e->n, false) : NULL;
    const bool valid = t && t->parts == e->participants && heddle__split_is_valid(t->parts, t->split);
    if (valid)
        memcpy(e->split, t->split, sizeof e->split);
    heddle__loops_unlock();
    return valid;
}

/* Part k was device k's alone. */
static void note_split(const struct heddle__engine *e, struct heddle__record *r) {
    struct heddle__set_times *t = heddle__record_set(r, e->set, e->n, false);
    double start[HEDDLE__PARTS], end[HEDDLE__PARTS];
    for (int k = 0; k < e->participants; k++) {
        const struct heddle__participant *p = &e->participant[k];
        if (!t || p->iterations != heddle__part_first(e->split, k + 1, e->n) - heddle__part_first(e->split, k, e->n) ||
            !p->iterations)
            return;
        start[k] = p->entered > 0 ? p->ready : 0;
        end[k] = p->last;
    }
    memcpy(t->split, e->split, sizeof t->split);
    t->parts = e->participants;
    heddle__split_move(t->parts, t->split, start, end);
}

/* Split points that are still on their way say what the set takes now, not what it can do: a loop over equal parts
   would be given up for chunks before its parts end together. So the first runs count as if they had. */
static double still_uneven(const struct heddle__engine *e, struct heddle__record *r) {
    const struct heddle__set_times *t = heddle__record_set(r, e->set, e->n, false);
    double last = 0, sum = 0;
    for (int k = 0; k < e->participants; k++) {
        last = fmax(last, e->participant[k].last);
        sum += e->participant[k].last;
    }
    return e->problem.split && (!t || t->runs < LEARNING) ? last - sum / e->participants : 0;
}

/* A device's first chunk in a process takes much longer, and a short loop on the host does while its threads start:
   that run says nothing of its set, unless it was shorter than any before. */
static bool tells(struct heddle__record *r, const struct heddle__engine *e, uint64_t took_part, double seconds) {
    int runs = 0;
    const uint64_t cold = took_part & ~r->warm & (seconds < THREADS_START ? ~0ull : ~HOST);
    const double shortest = cold ? set_seconds(r, e->set, e->n, &runs) : 0;
    return !cold || (runs && seconds < shortest);
}

static void note_set(const struct heddle__engine *e, struct heddle__record *r) {
    uint64_t took_part = 0;
    bool lost = false;
    for (int k = 0; k < e->participants; k++) {
        took_part |= e->participant[k].chunks ? 1ull << (e->participant[k].device < 0 || e->participant[k].device > 62
                                                             ? 63
                                                             : e->participant[k].device)
                                              : 0;
        lost |= e->participant[k].gone;
    }
    const double seconds = heddle__now() - e->start;
    int runs = 0;
    const double usual = e->choice.form == HEDDLE__CHOICE_OPEN ? 0 : set_seconds(r, e->set, e->n, &runs);
    const bool told = e->set.form != HEDDLE__SET_NONE && !lost && tells(r, e, took_part, seconds);
    if (told)
        heddle__set_add(heddle__record_set(r, e->set, e->n, true), e->n, seconds - still_uneven(e, r));
    if (told && e->problem.split)
        note_split(e, r);
    heddle__record_age(r, e->set, e->n, seconds);
    if (lost || (runs && seconds > CHANGED * usual))
        r->choices = 0; /* all is looked at again */
    r->warm |= took_part;
}

static void note_rates(const struct heddle__engine *e, struct heddle__record *r) {
    for (int k = 0; k < e->participants; k++) {
        const struct heddle__participant *p = &e->participant[k];
        const int class = heddle__record_class(r, e->class_name[p->class]);
        if (class < 0)
            continue;
        if (e->problem.samples && e->device[k].rate > 0)
            r->rate[class] = e->device[k].rate;
        else if (p->chunks && p->last > p->first)
            r->rate[class] = (double)p->iterations / (p->last - p->first);
        r->setup[class] = e->device[k].setup;
        if (p->device >= 0 && p->entered > 0)
            r->ready[class] = p->ready;
    }
}

void heddle__loop_note_run(struct heddle__engine *e) {
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, true);
    if (r) {
        r->own = true;
        r->runs++;
        note_set(e, r);
        note_rates(e, r);
        for (int k = 0; k < e->samples; k++) {
            const int class = heddle__record_class(r, e->class_name[e->sample[k].class]);
            if (class >= 0)
                heddle__record_add(r, class, &e->sample[k].sample);
        }
        if (r->count > r->thinned + MORE)
            r->thinned = r->count = heddle__loop_thin_samples(r->sample, r->of, r->count, r->classes, ROOM);
    }
    heddle__loops_unlock();
}

/* ---- who was chosen ---------------------------------------------------------------------------------------- */

static bool is_same(struct heddle__device_set a, struct heddle__device_set b) {
    return a.form == b.form && a.classes == b.classes;
}

void heddle__loop_cache_choice(struct heddle__engine *e, struct heddle__choice choice) {
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, true);
    struct heddle__cached_choice *c = r ? heddle__record_choice(r, device, e->n, true) : NULL;
    if (c) {
        const bool again =
            c->choice.form == choice.form && c->choice.devices == choice.devices && is_same(c->set, e->set);
        const int runs = c->runs && again ? 2 * c->runs : CHOICE_RUNS;
        c->choice = choice;
        c->set = e->set;
        c->left = c->runs = runs < CHOICE_RUNS_MOST ? runs : CHOICE_RUNS_MOST;
    }
    heddle__loops_unlock();
}

void heddle__loop_recall_choice(struct heddle__engine *e) {
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    e->choice = (struct heddle__choice){.form = HEDDLE__CHOICE_OPEN};
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, false);
    struct heddle__cached_choice *c = r ? heddle__record_choice(r, device, e->n, false) : NULL;
    if (c && c->left-- > 0) {
        e->choice = c->choice;
        e->set = c->set;
    }
    heddle__loops_unlock();
}

int heddle__loop_take_choice(struct heddle__engine *e) {
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, false);
    struct heddle__cached_choice *c = r ? heddle__record_choice(r, device, e->n, false) : NULL;
    const int left = c && c->left > 0 ? c->left : 0;
    if (c)
        c->left = 0;
    heddle__loops_unlock();
    return left;
}

void heddle__loop_note_spent(struct heddle__engine *e, struct heddle__device_set set, double seconds) {
    heddle__loops_lock();
    struct heddle__record *r = own_record(e, false);
    if (r)
        heddle__record_age(r, set, e->n, seconds);
    heddle__loops_unlock();
}
