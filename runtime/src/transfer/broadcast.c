/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays that several devices need whole. Were each to copy all from the host, the host's memory and the links would
 * carry everything as often as there are devices, while the devices' own links, an order of magnitude faster, stood
 * idle. So each begins at another part of them all (resident.c), and takes from another device what has arrived there
 * already: a scatter and an allgather, as in van de Geijn's broadcast for long messages, but nobody waits for anybody.
 * A device that comes late finds everything at the others; one that is alone or first gets all from the host.
 */
#include "broadcast.h"
#include "device/device.h"
#include <stdatomic.h>
#include <stdlib.h>

struct copy {
    atomic_uintptr_t there; /* the array on that device; 0: not begun */
    int device;
};

struct heddle__broadcast {
    char *host;
    size_t bytes, blocks;
    int places;
    struct copy *copy;     /* of each place */
    atomic_uchar *arrived; /* places x blocks */
};

struct heddle__broadcast *heddle__broadcast_new(char *host, size_t bytes, int places) {
    const size_t blocks = (bytes + HEDDLE__BLOCK_BYTES - 1) / HEDDLE__BLOCK_BYTES;
    struct heddle__broadcast *b = malloc(sizeof *b);
    if (!b)
        return NULL;
    *b = (struct heddle__broadcast){
        host, bytes, blocks, places, calloc((size_t)places, sizeof *b->copy), calloc((size_t)places * blocks, 1)};
    if (b->copy && b->arrived)
        return b;
    heddle__broadcast_free(b);
    return NULL;
}

void heddle__broadcast_free(struct heddle__broadcast *b) {
    if (!b)
        return;
    free(b->copy);
    free(b->arrived);
    free(b);
}

void heddle__broadcast_join(struct heddle__broadcast *b, int me, int device, char *there) {
    b->copy[me].device = device;
    atomic_store_explicit(&b->copy[me].there, (uintptr_t)there, memory_order_release);
}

static struct heddle__broadcast *array_of(const struct heddle__broadcast_place *p, const char *host, size_t *block) {
    for (int k = 0; k < p->arrays; k++) {
        struct heddle__broadcast *b = p->array[k];
        if (b && host >= b->host && host < b->host + b->bytes) {
            *block = (size_t)(host - b->host) / HEDDLE__BLOCK_BYTES;
            return b;
        }
    }
    return NULL;
}

/* The next place in turn that has it, so that one with everything does not serve all the others. */
const char *heddle__broadcast_find(void *with, const char *host, int *device) {
    const struct heddle__broadcast_place *p = with;
    size_t block;
    struct heddle__broadcast *b = array_of(p, host, &block);
    for (int k = 1; b && k < b->places; k++) {
        const int other = (p->place + k) % b->places;
        if (atomic_load_explicit(&b->arrived[(size_t)other * b->blocks + block], memory_order_acquire)) {
            *device = b->copy[other].device;
            return (const char *)atomic_load_explicit(&b->copy[other].there, memory_order_acquire) + (host - b->host);
        }
    }
    return NULL;
}

void heddle__broadcast_arrived(void *with, const char *host) {
    const struct heddle__broadcast_place *p = with;
    size_t block;
    struct heddle__broadcast *b = array_of(p, host, &block);
    if (b)
        atomic_store_explicit(&b->arrived[(size_t)p->place * b->blocks + block], 1, memory_order_release);
}
