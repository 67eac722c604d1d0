/* SPDX-License-Identifier: Apache-2.0 */
/* A thread for each device that starts its part of a step. Devices that share a set wait for each other, so that all of
 * them have to be started, which tasks of OpenMP do not promise: a thread that waits for one runs no other. */
#include "launcher.h"

#include "units.h"

#include "app.h"

#include <pthread.h>
#include <stdlib.h>

enum { IDLE, STARTED, DONE, ENDING };
struct launcher {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const struct unit *unit;
    uint32_t meets;
    int state;
};

static void *launch(void *context) {
    struct launcher *l = context;
    pthread_mutex_lock(&l->lock);
    while (l->state != ENDING) {
        if (l->state != STARTED) {
            pthread_cond_wait(&l->changed, &l->lock);
            continue;
        }
        const struct unit *u = l->unit;
        pthread_mutex_unlock(&l->lock);
        device_step(u->device, &u->facts, u->work, u->teams, u->turn, l->meets);
        pthread_mutex_lock(&l->lock);
        l->state = l->state == STARTED ? DONE : l->state;
        pthread_cond_broadcast(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

struct launcher *launcher_open(const struct unit *unit) {
    struct launcher *l = app_alloc(1, sizeof *l);
    l->unit = unit;
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->changed, NULL);
    if (pthread_create(&l->thread, NULL, launch, l)) {
        free(l);
        return NULL;
    }
    return l;
}

static void set_state(struct launcher *l, int state) {
    pthread_mutex_lock(&l->lock);
    l->state = state;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
}

void launcher_start(struct launcher *l, uint32_t meets) {
    l->meets = meets;
    set_state(l, STARTED);
}

void launcher_wait(struct launcher *l) {
    pthread_mutex_lock(&l->lock);
    while (l->state == STARTED)
        pthread_cond_wait(&l->changed, &l->lock);
    l->state = IDLE;
    pthread_mutex_unlock(&l->lock);
}

void launcher_close(struct launcher *l) {
    if (!l)
        return;
    set_state(l, ENDING);
    pthread_join(l->thread, NULL);
    pthread_mutex_destroy(&l->lock);
    pthread_cond_destroy(&l->changed);
    free(l);
}
