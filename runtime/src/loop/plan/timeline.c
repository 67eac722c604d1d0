/* SPDX-License-Identifier: Apache-2.0 */
/* Which chunks are under way, when each device should be free, and whether somebody may be told to wait. */
#include "plan.h"
#include <stdlib.h>
#include <string.h>

struct heddle__timeline *heddle__timeline_start(const struct heddle_loop_problem *p) {
    const size_t devices = (size_t)p->devices;
    struct heddle__timeline *f = calloc(1, sizeof *f + devices * sizeof *f->at);
    if (!f)
        return NULL;
    f->rate = calloc(3 * devices + 1, sizeof *f->rate);
    if (!f->rate) {
        free(f);
        return NULL;
    }
    f->ready = f->rate + devices;
    f->share = f->ready + devices;
    f->devices = p->devices;
    for (int d = 0; d < p->devices; d++)
        f->at[d].ready = p->device[d].ready;
    return f;
}

void heddle__timeline_assign(struct heddle__timeline *f, int device, double now, double expected) {
    struct heddle__timeline_device *d = &f->at[device];
    d->free_at = (d->free_at > now ? d->free_at : now) + d->ready;
    d->ready = 0;
    if (!d->held)
        d->began = d->free_at;
    if (d->held < HEDDLE__TIMELINE_CHUNKS)
        d->expected[d->held] = expected;
    d->held++;
    f->flying++;
    d->free_at += expected;
    for (int k = 0; k < f->devices; k++) /* something is under way again: who waited is asked again */
        f->at[k].waiting = false;
}

void heddle__timeline_finish(struct heddle__timeline *f, int device, double now) {
    struct heddle__timeline_device *d = &f->at[device];
    if (!d->held)
        return;
    d->held--;
    f->flying--;
    memmove(d->expected, d->expected + 1, (HEDDLE__TIMELINE_CHUNKS - 1) * sizeof *d->expected);
    d->began = d->free_at = now;
    for (int k = 0; k < d->held && k < HEDDLE__TIMELINE_CHUNKS; k++)
        d->free_at += d->expected[k];
    for (int k = 0; k < f->devices; k++)
        f->at[k].waiting = false;
}

void heddle__timeline_lose(struct heddle__timeline *f, int device) {
    f->flying -= f->at[device].held;
    f->at[device] = (struct heddle__timeline_device){.lost = true};
    for (int k = 0; k < f->devices; k++)
        f->at[k].waiting = false;
}

/* A chunk that is overdue is taken to need a tenth more than it has had. */
double heddle__timeline_free_at(const struct heddle__timeline *f, int device, double now) {
    const struct heddle__timeline_device *d = &f->at[device];
    double late = 0;
    if (d->held && now > d->began + d->expected[0])
        late = now + 0.1 * (now - d->began) - (d->began + d->expected[0]);
    const double at = d->free_at + late;
    return (at > now ? at : now) + d->ready;
}

bool heddle__timeline_may_wait(struct heddle__timeline *f, int device) {
    f->at[device].waiting = true;
    bool others = f->flying > 0;
    for (int k = 0; k < f->devices && !others; k++)
        others = k != device && !f->at[k].lost && !f->at[k].waiting;
    if (!others)
        f->at[device].waiting = false;
    return others;
}

void heddle__timeline_free(struct heddle__timeline *f) {
    if (f)
        free(f->rate);
    free(f);
}
