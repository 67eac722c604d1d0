/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The choice of a device: what the policy is told, and when it is not asked because there is something to learn. A
 * place without a measurement gets one as soon as it is allowed: a first run that is thrown away, and runs that count
 * until two in a row agree. What that may cost is bounded: a place whose first run shows that it cannot win is left
 * alone until trying it once more is a hundredth of what the region has taken since.
 */
#include "model/lp/lp.h"
#include "selector.h"

enum { GROUPS = 16, ACTIVE_REGIONS = 128 };

static int class_at(int place, bool nested) {
    return place == HOST && nested ? CLASS_HOST_NESTED : heddle__class_of(place);
}

static void describe(struct heddle_candidate *p, int place, const struct sample *s, const struct footprint *t) {
    const int class = class_at(place, s->nested);
    const size_t missing = t->env ? heddle__data_count_missing(t, place) : 0;
    *p = (struct heddle_candidate){
        .device = place == HOST ? HEDDLE_DEVICE_HOST : place, .class = class, .runs = s->region->count[place]};
    p->run = heddle__predict(s->region, class, &s->size, &p->samples);
    p->transfer = heddle__sel.explain ? heddle__predict_transfers(s->region, class, &s->size) : 0;
    p->move = missing ? heddle__predict_migration(class, missing) : 0;
    p->busy = heddle__active_count(place, &p->wait);
}

/* What a region that runs now would take elsewhere. */
static double predict_running(void *with, const struct heddle__running *running, int k) {
    const int *index = with;
    const struct active_region *f = running->size;
    unsigned runs;
    return heddle__predict(f->region, class_at(index[k], f->nested), f->size, &runs);
}

/* The regions in active region and this one, by kind: what an LP over the ready set needs. */
static int collect_groups(struct heddle_region_group *group, const struct heddle_candidate *candidates, int *index,
                          int count, const struct sample *s) {
    struct heddle__running running[ACTIVE_REGIONS];
    int n = 0;
    for (const struct active_region *f = heddle__active_regions(); f && n < ACTIVE_REGIONS; f = f->next) {
        if (!f->region)
            continue;
        int at = 0;
        while (at < count && index[at] != f->place)
            at++;
        running[n++] = (struct heddle__running){.kind = f->region, .size = f, .at = at < count ? at : -1};
    }
    return heddle__ready_groups(&(struct heddle__ready){s->region, candidates, count, predict_running, index}, running,
                                n, group, GROUPS);
}

/* ---- where to learn something ----------------------------------------------------------------------------- */

enum { LEAST_RUNS = 6, SOON = 2, FIRST_GAP = 8, MOST_GAP = 4096, MOST_TRIES = 4 };
static const double SHARE = 0.01;    /* of a region's time may go into asking slow candidates again */
static const double STARTING = 5e-3; /* seconds that may go into starting threads or a device at a first run, */
static const double WARMING = 0.25;  /* and this share of the rest is what later runs may take */
static const double HOPELESS = 3;    /* times slower for other sizes: not tried for this one */
static const double CLOSE = 1.5;     /* times slower at most: may win yet */

/* Whether it costs so little, against what the region has taken since this place was asked last. */
static bool cheap(const struct region *r, double cost, double asked) { return cost < SHARE * (r->spent - asked); }

/* No run of this size counts here yet. `best`: the best place that was measured, < 0: none. */
static bool try_new(const struct region *r, const struct heddle_candidate *p, double best) {
    const struct model *m = r->model[p->class];
    if (p->run >= 0) /* other sizes tell */
        return (best < 0 || p->run <= HOPELESS * best) ? p->runs < MOST_TRIES : m && cheap(r, p->run, m->asked);
    if (!m || m->first <= 0 || best < 0)
        return true;
    return WARMING * (m->first - STARTING) < best || cheap(r, m->first, m->asked);
}

/* A place that lost by its numbers. They may be wrong: too few runs, or taken while something disturbed the machine.
   Close ones are asked again soon and then ever more seldom, so that all of it costs little. */
static bool try_again(const struct region *r, const struct heddle_candidate *p, struct cell *c, double best) {
    const bool suspect = heddle__cell_is_suspect(c) && c->baseline < best; /* as it was before, it would win */
    if (!c->retry && (suspect || (!c->gap && c->runs < LEAST_RUNS))) {
        c->gap = suspect ? SOON : FIRST_GAP;
        c->retry = r->runs + c->gap;
    }
    if (cheap(r, p->run + p->move, c->asked))
        return true;
    if (!heddle__cell_has_settled(c) && heddle__cell_least(c) < CLOSE * best)
        return true;
    return c->retry && r->runs >= c->retry && (suspect || p->run < HOPELESS * HOPELESS * best);
}

static void note_try(struct region *r, struct cell *c) {
    c->asked = r->spent;
    c->gap = c->gap && c->gap < MOST_GAP ? 2 * c->gap : FIRST_GAP;
    c->retry = c->runs < LEAST_RUNS || c->doubtful || heddle__cell_is_suspect(c) ? r->runs + c->gap : 0;
}

/* An index into c->candidates; -1: there is nothing to learn that is worth its time. Where nothing is known of several
   candidates, those that never ran come first: then their first runs tell what to leave out. */
static int unexplored(const struct heddle_choice *c, struct region *r, const struct size *size) {
    double best = -1;
    int pick = -1;
    for (int k = 0; k < c->count; k++)
        if (c->candidates[k].samples && (best < 0 || c->candidates[k].run < best))
            best = c->candidates[k].run;
    for (int k = 0; k < c->count; k++) {
        const struct heddle_candidate *p = &c->candidates[k];
        if (p->busy)
            continue;
        if (p->samples) {
            struct cell *cell = p->run > best ? heddle__cell_find(r, p->class, size, false) : NULL;
            if (cell && pick < 0 && try_again(r, p, cell, best)) {
                note_try(r, cell);
                pick = k;
            }
        } else if (try_new(r, p, best)) {
            struct model *m = r->model[p->class];
            const bool ran = m && m->first > 0;
            if (!ran)
                return k;
            if (pick < 0 || c->candidates[pick].samples || m->first < r->model[c->candidates[pick].class]->first)
                pick = k;
        }
    }
    if (pick >= 0 && !c->candidates[pick].samples)
        r->model[c->candidates[pick].class]->asked = r->spent;
    return pick;
}

/* ---- the choice ------------------------------------------------------------------------------------------- */

int heddle__choose(struct sample *s, const struct footprint *t) {
    struct heddle_candidate candidates[PLACES];
    struct heddle_region_group groups[GROUPS];
    int index[PLACES], count = 0, pick = -1;
    for (place_set left = t->allowed; left; left &= left - 1) {
        index[count] = __builtin_ctzll(left);
        describe(&candidates[count], index[count], s, t);
        count++;
    }
    struct heddle_choice c = {.region = s->region->key,
                              .where = s->region->where,
                              .runs = s->region->runs,
                              .n = s->size.n,
                              .bytes = s->size.bytes,
                              .default_device = s->default_device,
                              .count = count,
                              .candidates = candidates,
                              .group = groups};
    const char *why = t->pinned;
    bool learn = false;
    for (int k = 0; k < count && s->graph_place >= 0; k++)
        if (index[k] == s->graph_place) {
            pick = k;
            why = "by its graph";
        }
    if (count > 1 && pick < 0) {
        c.groups = heddle__active_regions() ? collect_groups(groups, candidates, index, count, s) : 0;
        pick = heddle__sel.policy->learns ? unexplored(&c, s->region, &s->size) : -1;
        learn = pick >= 0;
        why = learn ? "to learn" : NULL;
        if (pick < 0)
            pick = heddle__sel.policy->choose(&c, heddle__sel.policy_state);
    }
    for (int k = 0; k < count && (pick < 0 || pick >= count); k++)
        if (index[k] == s->default_device)
            pick = k;
    if (pick < 0 || pick >= count) /* the default device is not among them: a call that is running decided */
        pick = 0;
    s->place = index[pick];
    s->predicted = candidates[pick].run;
    s->move = candidates[pick].move;
    s->known = candidates[pick].samples >= KNOWN_RUNS;
    s->probe = learn;
    if (heddle__sel.explain)
        heddle__explain_choice(&c, s, why);
    return s->place;
}
