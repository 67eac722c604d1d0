/* SPDX-License-Identifier: Apache-2.0 */
#include "cache.h"

#include <stdlib.h>

bool cache_open(struct cache *cache, int slots, void *memory, size_t bytes)
{
    *cache = (struct cache){.slots = slots, .slot = calloc((size_t)slots, sizeof *cache->slot)};
    for (int k = 0; cache->slot && k < slots; k++)
        cache->slot[k].at = (char *)memory + (size_t)k * bytes;
    return cache->slot;
}

void cache_close(struct cache *cache)
{
    free(cache->slot);
    cache->slot = NULL;
}

void cache_clear(struct cache *cache) { cache->used = 0; }

static struct segment *find(struct cache *cache, int matrix, long panel, long index)
{
    for (int k = 0; k < cache->used; k++) {
        struct segment *s = &cache->slot[k];
        if (s->panel == panel && s->index == index && s->matrix == matrix)
            return s;
    }
    return NULL;
}

static struct segment *oldest(struct cache *cache)
{
    struct segment *best = NULL;
    for (int k = 0; k < cache->used; k++) {
        struct segment *s = &cache->slot[k];
        if (!s->users && s->issued == s->loaded && (!best || s->stamp < best->stamp))
            best = s;
    }
    return best;
}

struct segment *cache_bind(struct cache *cache, int matrix, long panel, long index, long length)
{
    struct segment *s = find(cache, matrix, panel, index);
    if (s) {
        cache->hits++;
    } else {
        s = cache->used < cache->slots ? &cache->slot[cache->used++] : oldest(cache);
        if (!s)
            return NULL;
        cache->misses++;
        *s = (struct segment){.matrix = matrix, .panel = panel, .index = index, .at = s->at, .length = length};
    }
    s->users++;
    s->stamp = ++cache->clock;
    return s;
}

void cache_unbind(struct segment *segment) { segment->users--; }
