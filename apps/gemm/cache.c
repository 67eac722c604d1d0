/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <stdlib.h>

bool cache_open(struct cache *cache, int slots, void *memory, size_t bytes) {
    *cache = (struct cache){.slots = slots, .slot = calloc((size_t)slots, sizeof *cache->slot)};
    for (int k = 0; cache->slot && k < slots; k++)
        cache->slot[k].at = (char *)memory + (size_t)k * bytes;
    if (cache->slot)
        pthread_mutex_init(&cache->lock, NULL);
    return cache->slot;
}

void cache_close(struct cache *cache) {
    if (cache->slot)
        pthread_mutex_destroy(&cache->lock);
    free(cache->slot);
    cache->slot = NULL;
}

void cache_stale(struct cache *cache) {
    pthread_mutex_lock(&cache->lock);
    cache->stale = true;
    pthread_mutex_unlock(&cache->lock);
}

void cache_clear(struct cache *cache) {
    pthread_mutex_lock(&cache->lock);
    cache->used = 0;
    cache->stale = false;
    pthread_mutex_unlock(&cache->lock);
}

static struct segment *find(struct cache *cache, int matrix, long panel, long index) {
    for (int k = 0; k < cache->used; k++) {
        struct segment *s = &cache->slot[k];
        if (s->panel == panel && s->index == index && s->matrix == matrix)
            return s;
    }
    return NULL;
}

static struct segment *oldest(struct cache *cache) {
    struct segment *best = NULL;
    for (int k = 0; k < cache->used; k++) {
        struct segment *s = &cache->slot[k];
        if (!s->users && s->issued == s->loaded && (!best || s->stamp < best->stamp))
            best = s;
    }
    return best;
}

static struct segment *place(struct cache *cache, int matrix, long panel, long index, long length) {
    struct segment *s = find(cache, matrix, panel, index);
    if (s) {
        cache->hits++;
        return s;
    }
    s = cache->used < cache->slots ? &cache->slot[cache->used++] : oldest(cache);
    if (!s)
        return NULL;
    cache->misses++;
    *s = (struct segment){.matrix = matrix, .panel = panel, .index = index, .at = s->at, .length = length};
    return s;
}

struct segment *cache_bind(struct cache *cache, int matrix, long panel, long index, long length) {
    pthread_mutex_lock(&cache->lock);
    struct segment *s = place(cache, matrix, panel, index, length);
    if (s) {
        s->users++;
        s->stamp = ++cache->clock;
    }
    pthread_mutex_unlock(&cache->lock);
    return s;
}

void cache_unbind(struct cache *cache, struct segment *segment) {
    pthread_mutex_lock(&cache->lock);
    segment->users--;
    pthread_mutex_unlock(&cache->lock);
}

void cache_issued(struct cache *cache, struct segment *segment, long upto) {
    pthread_mutex_lock(&cache->lock);
    segment->issued = upto;
    pthread_mutex_unlock(&cache->lock);
}

void cache_loaded(struct cache *cache, struct segment *segment, long upto) {
    pthread_mutex_lock(&cache->lock);
    segment->loaded = upto;
    pthread_mutex_unlock(&cache->lock);
}

struct segment *cache_lend(struct cache *cache, int matrix, long panel, long index, long upto) {
    pthread_mutex_lock(&cache->lock);
    struct segment *s = cache->stale ? NULL : find(cache, matrix, panel, index);
    if (s && s->loaded >= upto)
        s->users++;
    else
        s = NULL;
    pthread_mutex_unlock(&cache->lock);
    return s;
}

bool cache_coming(struct cache *cache, int matrix, long panel, long index, long upto) {
    pthread_mutex_lock(&cache->lock);
    const struct segment *s = cache->stale ? NULL : find(cache, matrix, panel, index);
    const bool coming = s && s->issued >= upto && s->loaded < upto;
    pthread_mutex_unlock(&cache->lock);
    return coming;
}
