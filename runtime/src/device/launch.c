/* SPDX-License-Identifier: Apache-2.0 */
/* Around kernels: the selector keeps its hands off them, and what is known of each on each device. */
#include "device.h"
#include "available.h"
#include <stdlib.h>

static _Thread_local int own, fallback_noted;

void heddle_note_fallback(void) { fallback_noted = 1; }

void heddle__launch_begin(void) {
    if (!own++)
        fallback_noted = 0;
}

int heddle__launch_end(void) {
    const int noted = fallback_noted;
    if (!--own)
        fallback_noted = 0;
    return noted ? HEDDLE_ELAUNCH : HEDDLE_OK;
}

bool heddle__launching(void) { return own; }

/* ---- the program's kernels ------------------------------------------------------------------------------------- */
static struct heddle_image probe(const struct heddle_site *site, int device) {
    heddle__launch_begin();
    const struct heddle_image image = site->probe(device);
    (void)heddle__launch_end();
    return image;
}

static struct heddle__kernel_facts *find(struct heddle__device *d, const struct heddle_site *site) {
    struct heddle__kernel_facts *k = __atomic_load_n(&d->kernels, __ATOMIC_ACQUIRE);
    while (k && k->of != site)
        k = k->next;
    return k;
}

/* Asked without the lock, since the device may have to start for it; whoever comes first is believed. */
struct heddle__kernel_facts *heddle__kernel_facts(const struct heddle_site *site, int device) {
    struct heddle__device *d = heddle__device(device);
    struct heddle__kernel_facts *known = d ? find(d, site) : NULL, *new = d && !known ? calloc(1, sizeof *new) : NULL;
    if (known || !new)
        return known;
    new->of = site;
    new->image = device < 0 ? (struct heddle_image){.arch = HEDDLE_ARCH_HOST, .warp = 1} : probe(site, device);
    pthread_mutex_lock(&d->lock);
    if (!(known = find(d, site))) {
        new->next = d->kernels;
        __atomic_store_n(&d->kernels, new, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&d->lock);
    if (known)
        free(new);
    return known ? known : new;
}

struct heddle_image heddle__image(const struct heddle_site *site, int device) {
    const struct heddle_image none = {.arch = HEDDLE_ARCH_NONE, .warp = 1};
    if (!heddle__device_available(device))
        return none;
    const struct heddle__kernel_facts *k = heddle__kernel_facts(site, device);
    return k ? k->image : none;
}

int heddle__architecture(const struct heddle_site *site, int device) { return heddle__image(site, device).arch; }
