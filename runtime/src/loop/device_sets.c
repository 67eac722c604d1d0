/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who takes part in a loop under the schedule auto: a *set* of all classes of devices that are worth their trouble,
 * one class alone (by chunks, or several devices by equal parts), or one device alone. What devices do side by side
 * cannot be told from what each does: they share cores, memory and links. So each set that may be the best one is
 * tried, the time of the whole loop is kept (store.c), and the fastest set gets the next runs. Before anything was
 * measured rates decide: a class of less than a twentieth of all rates is left out, and a loop that one GPU ends within
 * a millisecond is its alone. What was measured may have changed, or was disturbed: who lost is asked again when what
 * that costs is a small share of what the loop has taken since, in all processes together. A device that is alone gets
 * the loop as one chunk, which the engine does in sub-chunks.
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static const double LEAST = 0.05;
static const double SHORT = 1e-3;   /* seconds: to share a loop that one GPU ends so soon costs more than it gains */
static const double HOPEFUL = 3;    /* times the best set: who is expected to take longer is not tried */
static const double COLD = 30;      /* times: so much longer first chunks of a device may take */
static const double CLOSE = 2;      /* times the best set: one run does not tell which is better */
static const double SHARING = 1.02; /* a set has to be so much faster than who is alone */
static const double SHARE = 0.03; /* of a loop's time may go into asking those again that lost, all of them together */
static const double STARTING = 0.5; /* seconds that a device may take to start in a process */
enum {
    SAMPLES = 3,
    AGAIN = 16 /* runs of the best set between two of another one, at least */,
    CLASSES = 16,
    SETS = 3 * CLASSES + 2
};

struct candidate {
    unsigned classes; /* a bit for each */
    enum heddle__set_form form;
    bool lone;       /* of one class */
    int one;         /* the only participant; -1: all of these classes */
    double expected; /* seconds, by rates; 0: not known */
    double rough;    /* by whatever there is; 0: nothing */
    double measured; /* seconds; 0: never */
    double latest, since;
    bool new, cold;
    int runs;
};
struct known { /* of the classes */
    double rate[CLASSES], setup[CLASSES], all;
    double rough[CLASSES]; /* by whatever there is */
    int participants[CLASSES], first[CLASSES];
    bool unknown; /* some rate is */
};

/* All devices take part, and the schedule says who gets what. */
static bool everybody(const struct heddle__engine *e) {
    char device[HEDDLE__OPTION_MAX];
    heddle__option_read("device", device, sizeof device);
    return (e->loop->device == HEDDLE_DEVICE_ALL ||
            (e->loop->device == HEDDLE_DEVICE_AUTO && !strcmp(device, "all"))) &&
           !e->problem.chunk && !strcmp(e->policy->name, "auto");
}

/* Everybody, or another schedule. Who names devices says who may take part, not that all do. */
static bool asked_for(const struct heddle__engine *e) {
    return everybody(e) || e->problem.chunk || strcmp(e->policy->name, "auto") != 0;
}

void heddle__loop_find_choice(struct heddle__engine *e) {
    e->choice = (struct heddle__choice){.form = HEDDLE__CHOICE_OPEN};
    if (!asked_for(e) || everybody(e))
        heddle__loop_recall_choice(e);
}

static bool was_known(const struct heddle__engine *e, int class) {
    for (int k = 0; k < e->problem.samples; k++)
        if (e->problem.sample_class[k] == class)
            return true;
    return false;
}

void heddle__loop_leave_out_idle(struct heddle__engine *e) {
    bool host = false;
    if (e->choice.form != HEDDLE__CHOICE_OPEN || !everybody(e))
        return;
    for (int k = 0; k < e->participants; k++) {
        const struct heddle__participant *p = &e->participant[k];
        host |= p->device < 0;
        if (p->device >= 0 && (p->iterations || p->gone || !was_known(e, p->class)))
            return;
    }
    if (host)
        heddle__loop_cache_choice(e, (struct heddle__choice){.form = HEDDLE__CHOICE_HOST});
}

/* ---- what is known
 * ---------------------------------------------------------------------------------------------------- */
/* Sum of the rates of a class; 0: not known well enough, for want of samples or of one that kept a device busy. A
   thread of the host is known by its first one. */
static double rate_of(const struct heddle__engine *e, int class, double *rough) {
    double sum = 0;
    bool host = false;
    long largest = 0, grain = 1;
    int samples = 0;
    for (int k = 0; k < e->problem.samples; k++)
        if (e->problem.sample_class[k] == class) {
            samples++;
            largest = e->problem.sample[k].chunk.count > largest ? e->problem.sample[k].chunk.count : largest;
        }
    for (int k = 0; k < e->participants; k++)
        if (e->participant[k].class == class) {
            sum += e->device[k].rate;
            host |= e->participant[k].device < 0;
            grain = e->device[k].grain < e->n / 4 ? e->device[k].grain : e->n / 4;
        }
    *rough = sum;
    return !host && (samples < SAMPLES || largest < grain) ? 0 : sum;
}

static void look(const struct heddle__engine *e, struct known *w) {
    *w = (struct known){0};
    for (int k = e->participants - 1; k >= 0; k--) {
        const int c = e->participant[k].class;
        w->participants[c]++;
        w->first[c] = k;
        w->setup[c] = e->participant[k].device < 0 ? 0 : e->device[k].setup;
    }
    for (int c = 0; c < e->classes; c++) {
        w->rate[c] = rate_of(e, c, &w->rough[c]);
        w->all += w->rate[c];
        w->unknown |= w->participants[c] && !(w->rate[c] > 0);
    }
}

/* ---- sets
 * ------------------------------------------------------------------------------------------------------------ */
static uint64_t devices_of(const struct heddle__engine *e, const struct candidate *t) {
    uint64_t set = 0;
    for (int k = 0; k < e->participants; k++)
        if ((t->classes >> e->participant[k].class & 1) && (t->one < 0 || t->one == k) &&
            e->participant[k].device >= 0 && e->participant[k].device < 63)
            set |= 1ull << e->participant[k].device;
    return set;
}

static void add(struct heddle__engine *e, const struct known *w, struct candidate *set, int *sets, struct candidate t) {
    double rate = 0, rough = 0, setup = 0;
    bool unknown = false;
    for (int c = 0; c < e->classes; c++) {
        if (!(t.classes >> c & 1))
            continue;
        const bool whole =
            e->participant[w->first[c]].device < 0 && t.lone && t.one < 0; /* no core drives anything then */
        rate += t.one >= 0 ? w->rate[c] / w->participants[c]
                : whole    ? w->rate[c] / w->participants[c] * heddle__host_threads()
                           : w->rate[c];
        setup = w->setup[c] > setup ? w->setup[c] : setup;
        rough += w->rough[c];
        unknown |= !(w->rate[c] > 0);
    }
    t.rough = rough > 0 ? (double)e->n / rough : 0;
    t.lone = __builtin_popcount(t.classes) == 1;
    t.expected = !unknown ? setup + (double)e->n / rate : 0;
    for (int k = 0; k < *sets; k++)
        if (set[k].classes == t.classes && set[k].form == t.form)
            return;
    if (!t.classes || *sets == SETS)
        return;
    const struct heddle__known known = heddle__loop_recall_set(e, t.form, t.classes, devices_of(e, &t));
    t.measured = known.shortest;
    t.latest = known.latest;
    t.since = known.since;
    t.new = known.new;
    t.cold = known.cold;
    t.runs = known.runs;
    set[(*sets)++] = t;
}

/* The first one is that of all who are worth it. */
static int list(struct heddle__engine *e, const struct known *w, struct candidate *set) {
    int sets = 0;
    struct candidate joint = {.form = HEDDLE__SET_SHARED, .one = -1};
    for (int c = 0; c < e->classes; c++)
        joint.classes |= (unsigned)(w->participants[c] && (!(w->rate[c] > 0) || w->rate[c] >= LEAST * w->all)) << c;
    add(e, w, set, &sets, joint);
    for (int c = 0; c < e->classes; c++) {
        if (!w->participants[c])
            continue;
        if (e->participant[w->first[c]].device < 0 && !(w->rate[c] > 0))
            continue; /* the host got nothing beside the others: it is slow */
        struct candidate t = {.classes = 1u << c, .form = HEDDLE__SET_SHARED, .one = -1, .lone = true};
        add(e, w, set, &sets, t);
        t.form = HEDDLE__SET_EQUAL_PARTS;
        if (w->participants[c] > 1 && e->participant[w->first[c]].device >= 0)
            add(e, w, set, &sets, t);
        t.form = HEDDLE__SET_ONE_DEVICE;
        t.one = w->first[c];
        if (w->participants[c] > 1 || (e->participant[t.one].device < 0 && heddle__host_threads() > 1))
            add(e, w, set, &sets, t);
    }
    struct candidate everybody = {
        .form = HEDDLE__SET_SHARED,
        .one = -1}; /* beside those who get next to nothing, too: who is slow may have been disturbed */
    for (int c = 0; c < e->classes; c++)
        everybody.classes |= (unsigned)(w->participants[c] > 0) << c;
    add(e, w, set, &sets, everybody);
    return sets;
}

/* The fastest GPU, if it is done with everything in no time and its class does most of the work anyway; else all that
   pay. A class that got next to nothing beside others, as a GPU does whose first chunk takes longer than the loop, has
   to show alone what it can. */
static const struct candidate *by_rates(const struct heddle__engine *e, const struct known *w,
                                        const struct candidate *set, int sets) {
    const struct candidate *best = &set[0];
    for (int k = 1; k < sets && w->unknown; k++)
        if (e->runs && set[k].lone && set[k].one < 0 && !(set[k].expected > 0) &&
            !(w->all > 0 && set[k].rough > COLD * (double)e->n / w->all))
            return &set[k];
    for (int k = 0; k < sets && !w->unknown; k++)
        for (int c = 0; c < e->classes; c++)
            if (set[k].lone && (set[k].classes >> c & 1) && (set[k].one >= 0 || w->participants[c] == 1) &&
                e->participant[w->first[c]].cuda && w->rate[c] > 0.5 * w->all && set[k].expected < SHORT)
                best = &set[k];
    return best;
}

static double judged(const struct candidate *t) { return t->lone ? t->measured : SHARING * t->measured; }

/* What another run of a set that lost is thought to cost. */
static double extra(const struct candidate *t, const struct candidate *best) {
    const double seconds = t->runs ? t->latest : t->expected > 0 ? t->expected : t->rough;
    return seconds - best->measured + (t->cold ? STARTING : 0);
}

/* A set that lost, and is to be asked again: what it costs is within its part of the share. NULL: none. */
static const struct candidate *due(const struct candidate *set, int sets, const struct candidate *best) {
    const struct candidate *next = NULL;
    double most = 0;
    for (int k = 0; k < sets; k++) {
        const struct candidate *t = &set[k];
        const double left = SHARE / (sets - 1) * t->since - extra(t, best);
        if (t == best || t->since < AGAIN * best->measured || left < 0 || (next && left <= most))
            continue;
        next = t;
        most = left;
    }
    return next;
}

/* *sure: the best of all that may be. */
static const struct candidate *choose(const struct heddle__engine *e, const struct known *w,
                                      const struct candidate *set, int sets, bool *sure) {
    const struct candidate *best = NULL, *second = NULL, *unseen = NULL;
    for (int k = 0; k < sets; k++)
        if (set[k].runs && (!best || judged(&set[k]) < judged(best)))
            best = &set[k];
    if (!best)
        return by_rates(e, w, set, sets);
    for (int k = 0; k < sets; k++) {
        const struct candidate *t = &set[k];
        if (!t->runs && (t->new || !t->cold) && t->expected < HOPEFUL * best->measured &&
            t->rough < COLD * best->measured && (!unseen || t->expected < unseen->expected))
            unseen = t;
        if (t != best && t->runs && (!second || judged(t) < judged(second)))
            second = t;
    }
    if (unseen)
        return unseen;
    if (second && second->runs < 2 && !second->cold && judged(second) < CLOSE * judged(best))
        return second;
    if (best->runs < 2 && !best->cold && second && judged(second) < CLOSE * judged(best))
        return best;
    const struct candidate *again = due(set, sets, best);
    *sure = !again;
    return again ? again : best;
}

/* ---- who stays
 * -------------------------------------------------------------------------------------------------------- */
static void remove_participant(struct heddle__engine *e, int k) {
    free(e->participant[k].env);
    pthread_mutex_destroy(&e->participant[k].lock);
    memmove(&e->participant[k], &e->participant[k + 1], (size_t)(e->participants - k - 1) * sizeof *e->participant);
    memmove(&e->device[k], &e->device[k + 1], (size_t)(e->participants - k - 1) * sizeof *e->device);
    e->participants--;
    e->left_out++;
}

/* No device is left to drive: all cores compute. */
static void use_whole_host(struct heddle__engine *e) {
    const int threads = heddle__host_threads();
    struct heddle_loop_device *more =
        threads > e->participants ? realloc(e->device, (size_t)threads * sizeof *more) : NULL;
    if (!more)
        return;
    e->problem.device = e->device = more;
    while (e->participants < threads) {
        heddle__participant_add(e, HEDDLE_DEVICE_HOST, false, NULL);
        more[e->participants - 1] = more[0];
    }
}

static void keep(struct heddle__engine *e, const struct candidate *t) {
    heddle__loop_choose_set(e, t->form, t->classes);
    for (int k = e->participants - 1; k >= 0; k--)
        if (!(t->classes >> e->participant[k].class & 1) || (t->one >= 0 && k != t->one))
            remove_participant(e, k);
    if (e->left_out && e->participant[0].device < 0 && t->one < 0)
        use_whole_host(e);
    for (int k = 0; k < e->participants; k++)
        e->participant[k].number = k;
    e->problem.devices = e->participants;
    if (t->form == HEDDLE__SET_EQUAL_PARTS)
        e->policy = &heddle__loop_static;
    if (e->left_out && (e->participant[0].device < 0 || e->participant[e->participants - 1].device >= 0))
        e->cores.split = false; /* only one side is left */
}

/* One device or thread, equal parts, or all of the host: the next runs need no look at anything. */
static void cache(struct heddle__engine *e, enum heddle__set_form form) {
    const bool host = e->participant[0].device < 0;
    struct heddle__choice choice = {.form = HEDDLE__CHOICE_OPEN};
    if (host && (e->participants == 1 || e->left_out))
        choice.form = e->participants == 1 ? HEDDLE__CHOICE_ONE_THREAD : HEDDLE__CHOICE_HOST;
    else if (!host && (e->participants == 1 || form == HEDDLE__SET_EQUAL_PARTS))
        choice.form = HEDDLE__CHOICE_DEVICES;
    for (int k = 0; k < e->participants && choice.form == HEDDLE__CHOICE_DEVICES; k++)
        choice.devices |= 1ull << e->participant[k].device;
    if (choice.form != HEDDLE__CHOICE_OPEN)
        heddle__loop_cache_choice(e, choice);
}

/* Parts as they would have ended together the last time. */
static void split_parts(struct heddle__engine *e) {
    if (e->set.form != HEDDLE__SET_EQUAL_PARTS || e->policy != &heddle__loop_static || e->problem.chunk ||
        e->participants > HEDDLE__PARTS)
        return;
    if (!heddle__loop_recall_split(e))
        heddle__split_evenly(e->participants, e->split);
    e->problem.split = e->split;
}

void heddle__loop_select_devices(struct heddle__engine *e) {
    struct known w;
    struct candidate set[SETS];
    bool sure = false;
    const bool open =
        e->choice.form == HEDDLE__CHOICE_OPEN && !asked_for(e) && e->participants > 1 && e->classes <= CLASSES;
    if (open) {
        look(e, &w);
        const struct candidate *chosen = choose(e, &w, set, list(e, &w, set), &sure);
        keep(e, chosen);
        if (sure)
            cache(e, chosen->form);
    }
    if ((e->participants == 1 || e->choice.form == HEDDLE__CHOICE_DEVICES) && !strcmp(e->policy->name, "auto") &&
        !e->problem.chunk)
        e->policy = &heddle__loop_static;
    split_parts(e);
}
