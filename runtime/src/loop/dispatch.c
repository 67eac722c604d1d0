/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chunks, from the schedule to the serving threads and back, all under one lock: what was given out (each iteration
 * once), who waits, who is gone. A schedule that gives an iteration twice is refused and not asked again; what it
 * leaves unassigned is found at the end.
 */
#include "engine.h"
#include <stdlib.h>
#include <string.h>

static double since_start(const struct heddle__engine *e) { return heddle__now() - e->start; }

static void change(struct heddle__engine *e) {
    e->changes++;
    e->idle = 0; /* who waits will ask once more */
    pthread_cond_broadcast(&e->changed);
}

/* All of the chunk has to be left over still. */
static bool take(struct heddle__engine *e, const struct heddle_loop_chunk *c) {
    if (c->first < 0 || c->count <= 0 || c->first > e->n - c->count)
        return false;
    for (int k = 0; k < e->left.count; k++) {
        const struct heddle_loop_chunk *interval = &e->left.at[k];
        if (interval->first <= c->first && c->first + c->count <= interval->first + interval->count)
            return heddle__interval_set_take_at(&e->left, k, c->first, c->count).first == c->first;
    }
    return false;
}

bool heddle__loop_take_unassigned(struct heddle__engine *e, struct heddle_loop_chunk *chunk) {
    if (!e->left.count)
        return false;
    *chunk = heddle__interval_set_take(&e->left, 0, e->n);
    return true;
}

static void finish(struct heddle__engine *e) {
    e->over = true;
    change(e);
}

/* ---- devices that are gone ---------------------------------------------------------------------------------- */
static void lose(struct heddle__participant *p, const char *why) {
    struct heddle__engine *e = p->engine;
    struct heddle_loop_chunk back[HEDDLE__AHEAD + HEDDLE__SERVERS];
    if (p->gone)
        return;
    p->gone = true;
    const int n = heddle__sub_chunks_give_back(p, back);
    for (int k = 0; k < n; k++)
        heddle__interval_set_add(&e->left, back[k]);
    bool left = false;
    for (int k = 0; k < e->participants; k++)
        left |= !e->participant[k].gone;
    if (left)
        heddle__warn(&e->type->site, "device %d: %s; others take over its part of the loop", p->device, why);
    else
        e->why = why; /* said with what becomes of the iterations */
    if (e->policy->lost)
        e->policy->lost(e->state, p->number, back, n);
    change(e);
}

/* How long a device may be silent: its chunk may well take long, so what is known of its speed counts, too. */
static double patience(const struct heddle__participant *p) {
    const struct heddle__engine *e = p->engine;
    double rate = p->chunks && p->last > p->first ? (double)p->iterations / (p->last - p->first)
                                                  : e->device[p->number].rate,
           most = 0;
    for (int k = 0; k < HEDDLE__SERVERS; k++)
        if (p->in_flight[k].used && rate > 0 && 10 * (double)p->in_flight[k].chunk.count / rate > most)
            most = 10 * (double)p->in_flight[k].chunk.count / rate;
    return rate > 0 ? e->timeout + most : 10 * e->timeout;
}

static void give_up_hanging(struct heddle__engine *e) {
    const double now = since_start(e);
    for (int k = 0; k < e->participants; k++) {
        struct heddle__participant *p = &e->participant[k];
        int holds = 0;
        for (int h = 0; h < HEDDLE__SERVERS; h++)
            holds += p->in_flight[h].used;
        if (p->device < 0 || p->gone || !holds || now - p->since < patience(p))
            continue;
        for (int h = 0; h < HEDDLE__SERVERS; h++) { /* the other thread comes for its next chunk and leaves */
            p->in_flight[h].hung = p->in_flight[h].used;
            if (p->in_flight[h].hung)
                heddle__slot_forget(p, h);
        }
        heddle__arena_forget(p->device, (enum heddle__arena_use)(HEDDLE__ARENA_LOOP + e->seat));
        lose(p, "no chunk came back within HEDDLE_TIMEOUT and ten times what it should take");
        e->threads -= holds;
        e->abandoned += holds;
        if (e->idle == e->threads && !e->under_way)
            finish(e);
    }
}

/* ---- asking and telling ------------------------------------------------------------------------------------ */
/* A change, or a look at the devices now and then. */
static void nap(struct heddle__engine *e) {
    struct timespec t;
    const double pause = e->timeout / 4 < 1 ? e->timeout / 4 : 1;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)(pause * 1e9);
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    if (pthread_cond_timedwait(&e->changed, &e->lock, &t))
        give_up_hanging(e);
}

/* Waits for any change; false: it is over. */
static bool wait_for_change(struct heddle__engine *e) {
    const unsigned long seen = e->changes;
    if (++e->idle == e->threads && !e->under_way)
        finish(e);
    while (!e->over && e->changes == seen)
        nap(e);
    return !e->over;
}

/* After that the schedule is not asked any more. */
static void refuse(struct heddle__engine *e, const struct heddle_loop_chunk *c) {
    heddle__warn(&e->type->site,
                 "schedule %s gave out iterations %ld to %ld of %ld, of which some are taken or do not exist; the host "
                 "runs the rest",
                 e->policy->name, c->first, c->first + c->count - 1, e->n);
    e->distrusted = true;
}

/* One answer of the schedule. */
static enum heddle_loop_answer ask(struct heddle__server *s, struct heddle_loop_chunk *chunk) {
    struct heddle__participant *p = s->participant;
    struct heddle__engine *e = p->engine;
    if (heddle__sub_chunk_take(p, s->slot, chunk))
        return HEDDLE_LOOP_CHUNK;
    *chunk = (struct heddle_loop_chunk){0, 0};
    if (e->distrusted)
        return HEDDLE_LOOP_DONE;
    if (s->slot >= HEDDLE__AHEAD ||
        !heddle__chunk_state_is_free(p)) /* helps with sub-chunks; or others do the last ones of AHEAD chunks */
        return HEDDLE_LOOP_WAIT;
    const enum heddle_loop_answer answer = e->policy->next(e->state, p->number, since_start(e), chunk);
    if (answer != HEDDLE_LOOP_CHUNK)
        return answer;
    if (!take(e, chunk)) {
        refuse(e, chunk);
        return HEDDLE_LOOP_DONE;
    }
    heddle__sub_chunks_begin(p, chunk);
    heddle__sub_chunk_take(p, s->slot, chunk);
    e->under_way++;
    p->since = since_start(e);
    if (!p->chunks && p->first < 0)
        p->first = p->since;
    change(e);
    return HEDDLE_LOOP_CHUNK;
}

/* With the lock held: this thread serves no more. */
static void leave(struct heddle__engine *e) {
    e->threads--;
    if (e->idle == e->threads && !e->under_way)
        finish(e);
    change(e);
}

void heddle__loop_leave_absent(struct heddle__server *s) {
    pthread_mutex_lock(&s->participant->engine->lock);
    leave(s->participant->engine);
    pthread_mutex_unlock(&s->participant->engine->lock);
}

bool heddle__loop_take_chunk(struct heddle__server *s, struct heddle_loop_chunk *chunk) {
    struct heddle__participant *p = s->participant;
    struct heddle__engine *e = p->engine;
    bool got = false;
    pthread_mutex_lock(&e->lock);
    while (!e->over && !p->gone) {
        got = ask(s, chunk) == HEDDLE_LOOP_CHUNK;
        if (got || !wait_for_change(e))
            break;
    }
    if (!got && !p->in_flight[s->slot].hung)
        leave(e);
    pthread_mutex_unlock(&e->lock);
    return got;
}

static void record(struct heddle__engine *e, const struct heddle_loop_sample *measured, int class) {
    if (e->samples == e->sample_room) {
        const int room = 2 * e->sample_room + 64;
        struct heddle__sample *more = realloc(e->sample, (size_t)room * sizeof *more);
        if (!more)
            return;
        e->sample = more;
        e->sample_room = room;
    }
    e->sample[e->samples++] = (struct heddle__sample){*measured, class};
}

void heddle__loop_finish_chunk(struct heddle__server *s, const struct heddle_loop_sample *measured, const void *red) {
    struct heddle__participant *p = s->participant;
    struct heddle__engine *e = p->engine;
    pthread_mutex_lock(&e->lock);
    if (p->in_flight[s->slot].used) { /* else it was given to somebody else meanwhile */
        const double now = since_start(e);
        struct heddle_loop_sample all;
        const bool last = heddle__sub_chunk_finish(p, s->slot, measured, &all);
        p->last = p->since = now;
        if (red)
            e->type->red_join(s->red, red);
        if (last) {
            e->under_way--;
            p->chunks++;
            record(e, &all, p->class);
            if (e->policy->done)
                e->policy->done(e->state, p->number, now, &all);
            change(e);
        }
    }
    pthread_mutex_unlock(&e->lock);
}

bool heddle__loop_still_holds(struct heddle__server *s) {
    pthread_mutex_lock(&s->participant->engine->lock);
    const bool holds = s->participant->in_flight[s->slot].used;
    pthread_mutex_unlock(&s->participant->engine->lock);
    return holds;
}

void heddle__loop_lose_device(struct heddle__participant *p, const char *why) {
    pthread_mutex_lock(&p->engine->lock);
    lose(p, why);
    pthread_mutex_unlock(&p->engine->lock);
}

/* ---- the end ------------------------------------------------------------------------------------------------ */
bool heddle__loop_wait_for_end(struct heddle__engine *e) {
    pthread_mutex_lock(&e->lock);
    while (!e->over || e->threads > 0)
        nap(e);
    pthread_mutex_unlock(&e->lock);
    return e->abandoned == 0;
}
