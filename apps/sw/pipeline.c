/* SPDX-License-Identifier: Apache-2.0 */
/* A ring of batches under one lock: batches are large, so the lock is taken seldom. The counts tell
 * how many batches have passed a stage; batch k lies in slot k % depth. */
#include "pipeline.h"

#include "app.h"

#include <pthread.h>
#include <stdlib.h>

struct slot {
    void *batch;
    int parts, next, left; /* of the work: all, the first not taken, those not done */
};

struct ring {
    const struct pipeline *p;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot *slots;
    long read, scored, written;
    bool ended, stop; /* no more to read; no more to do */
};

static struct slot *slot_of(struct ring *r, long batch) { return &r->slots[batch % r->p->depth]; }

static bool all_scored(const struct ring *r) { return r->ended && r->scored == r->read; }

static void wait_for_change(struct ring *r) { pthread_cond_wait(&r->changed, &r->lock); }

static void *read_all(void *with) {
    struct ring *r = with;
    const struct pipeline *p = r->p;
    pthread_mutex_lock(&r->lock);
    while (!r->stop && !r->ended) {
        if (r->read - r->written == p->depth) {
            wait_for_change(r);
            continue;
        }
        pthread_mutex_unlock(&r->lock);
        void *batch = p->read(p->cookie);
        pthread_mutex_lock(&r->lock);
        r->ended = !batch;
        if (batch)
            *slot_of(r, r->read++) = (struct slot){.batch = batch};
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void score_all(struct ring *r) {
    const struct pipeline *p = r->p;
    pthread_mutex_lock(&r->lock);
    while (!r->stop && !all_scored(r)) {
        if (r->scored == r->read) {
            wait_for_change(r);
            continue;
        }
        struct slot *slot = slot_of(r, r->scored);
        pthread_mutex_unlock(&r->lock);
        const int parts = p->score(p->cookie, slot->batch);
        pthread_mutex_lock(&r->lock);
        slot->parts = slot->left = parts;
        r->scored++;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
}

/* The oldest batch first: its results are waited for. */
static struct slot *with_work(struct ring *r) {
    for (long k = r->written; k < r->scored; k++)
        if (slot_of(r, k)->next < slot_of(r, k)->parts)
            return slot_of(r, k);
    return NULL;
}

static void *work_all(void *with) {
    struct ring *r = with;
    pthread_mutex_lock(&r->lock);
    for (struct slot *slot; !r->stop;) {
        if (!(slot = with_work(r))) {
            if (all_scored(r))
                break;
            wait_for_change(r);
            continue;
        }
        const int part = slot->next++;
        pthread_mutex_unlock(&r->lock);
        r->p->work(r->p->cookie, slot->batch, part);
        pthread_mutex_lock(&r->lock);
        if (!--slot->left)
            pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void *write_all(void *with) {
    struct ring *r = with;
    const struct pipeline *p = r->p;
    pthread_mutex_lock(&r->lock);
    while (!r->stop && !(all_scored(r) && r->written == r->read)) {
        struct slot *slot = slot_of(r, r->written);
        if (r->written == r->scored || slot->left) {
            wait_for_change(r);
            continue;
        }
        pthread_mutex_unlock(&r->lock);
        const bool good = p->write(p->cookie, slot->batch);
        p->drop(p->cookie, slot->batch);
        pthread_mutex_lock(&r->lock);
        r->written++;
        r->stop = !good;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void run_alone(const struct pipeline *p) {
    bool good = true;
    for (void *batch; good && (batch = p->read(p->cookie));) {
        const int parts = p->score(p->cookie, batch);
        for (int k = 0; k < parts; k++)
            p->work(p->cookie, batch, k);
        good = p->write(p->cookie, batch);
        p->drop(p->cookie, batch);
    }
}

enum { MOST = 256, STAGES = 2 };

/* Worker threads last, since one is enough. */
static int start_threads(struct ring *r, pthread_t thread[MOST]) {
    void *(*const body[STAGES + 1])(void *) = {write_all, work_all, read_all};
    const int most = r->p->workers + STAGES < MOST ? r->p->workers + STAGES : MOST;
    int count = 0;
    while (count < most && !pthread_create(&thread[count], NULL, count <= STAGES ? body[count] : work_all, r))
        count++;
    return count;
}

static void stop(struct ring *r) {
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void pipeline_run(const struct pipeline *p) {
    struct ring r = {.p = p, .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t thread[MOST];
    r.slots = app_alloc((size_t)p->depth, sizeof *r.slots);
    const int count = start_threads(&r, thread);
    const bool enough = count > STAGES; /* the reader comes last of those that must be, and has done nothing else */
    if (enough)
        score_all(&r);
    else
        stop(&r);
    for (int k = 0; k < count; k++)
        pthread_join(thread[k], NULL);
    for (long k = r.written; k < r.read; k++)
        p->drop(p->cookie, slot_of(&r, k)->batch);
    free(r.slots);
    if (!enough)
        run_alone(p);
}
