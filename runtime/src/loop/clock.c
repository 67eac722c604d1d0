/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where two chunks of a device compute at the same time each gets half of it, so that the sum over its chunks is the
 * time in which the device computed. Transfers count where nothing computes.
 */
#include "engine.h"

static void tick(struct heddle__clock *c) {
    const double now = heddle__now(), passed = now - c->at;
    if (c->computing) {
        c->compute += passed / c->computing;
        c->computed += passed;
    } else if (c->moving) {
        c->move += passed / c->moving;
        c->moved += passed;
    }
    c->at = now;
}

double heddle__clock_begin(struct heddle__participant *p, int what) {
    pthread_mutex_lock(&p->lock);
    tick(&p->clock);
    *(what == HEDDLE__COMPUTES ? &p->clock.computing : &p->clock.moving) += 1;
    const double reading = what == HEDDLE__COMPUTES ? p->clock.compute : p->clock.move;
    pthread_mutex_unlock(&p->lock);
    return reading;
}

double heddle__clock_end(struct heddle__participant *p, int what, double begin) {
    pthread_mutex_lock(&p->lock);
    tick(&p->clock);
    *(what == HEDDLE__COMPUTES ? &p->clock.computing : &p->clock.moving) -= 1;
    const double reading = what == HEDDLE__COMPUTES ? p->clock.compute : p->clock.move;
    pthread_mutex_unlock(&p->lock);
    return reading - begin;
}
