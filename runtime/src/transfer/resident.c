/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that every chunk of a loop needs, to a device. What the program keeps there is used where it is; the rest gets a
 * place in memory that stays allocated (device/arena.c). libomptarget copies pageable memory by one thread, at an
 * eighth of what the link carries, and no chunk begins before it is there: it goes through page-locked blocks by
 * several (pipeline.c), and what is large between devices where several take part (broadcast.c).
 */
#include "resident.h"
#include "broadcast.h"
#include "device/device.h"
#include "pipeline.h"
#include <stdlib.h>
#include <string.h>

enum {
    LARGE = 4 << 20 /* bytes: what copy workers are called for */,
    SMALL = 256 << 10 /* not worth a block of one that is there */,
    WORKERS = 6,
    SHARED = 16 << 20 /* bytes: so much several devices get from each other */
};

static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }
static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }
static bool arrives(const struct heddle_map *m) { return m->bytes && m->kind & HEDDLE_MAP_TO; }
static int device_of(const struct heddle__resident *r) { return r->group->device[r->number]; }
static enum heddle__arena_use arena_of(const struct heddle__resident *r) {
    return (enum heddle__arena_use)(HEDDLE__ARENA_LOOP + r->group->seat);
}

/* ---- places for arrays ------------------------------------------------------------------------------------------- */
static bool is_held(const struct heddle__resident *r, const struct heddle_map *m) {
    return m->bytes && heddle__device_present(device_of(r), start_of(m));
}

/* there[k]: on the device; NULL: the program keeps it there, or there is nothing. */
static int find_places(struct heddle__resident *r, const struct heddle_map *maps, int n, char **there) {
    size_t at[n + 1], bytes = 0;
    bool *const mapped = calloc((size_t)n + 1, sizeof *mapped);
    if (!mapped)
        return HEDDLE_ENOMEM;
    for (int k = 0; k < n; k++) {
        at[k] = bytes;
        mapped[k] = !maps[k].bytes || is_held(r, &maps[k]);
        const int error = mapped[k] ? heddle__maps_enter(&maps[k], 1, device_of(r), r->env) : HEDDLE_OK;
        if (error) {
            free(mapped);
            return error;
        }
        bytes += mapped[k] ? 0 : aligned(maps[k].bytes);
    }
    if (r->is_given_up(r->with)) {
        free(mapped);
        return HEDDLE_ETIMEDOUT;
    }
    r->mapped = mapped;
    char *memory = bytes ? heddle__arena_reserve(device_of(r), arena_of(r), bytes) : NULL;
    if (bytes && !memory)
        return HEDDLE_ENOMEM;
    for (int k = 0; k < n; k++) {
        there[k] = mapped[k] ? NULL : memory + at[k];
        if (mapped[k])
            continue;
        const char *base = there[k] - maps[k].first;
        memcpy(r->env + maps[k].slot, &base, sizeof base);
    }
    return HEDDLE_OK;
}

/* ---- copies of one array each ------------------------------------------------------------------------------------ */
/* GPUs that reach each other's memory copy directly; the driver does it by way of the host else. Under the lock. */
static bool reaches_all(const struct heddle__resident *r) {
    const struct heddle__resident_group *g = r->group;
    bool all = true;
    for (int k = 0; k < g->devices && heddle__device_is_cuda(device_of(r)); k++)
        if (k != r->number && heddle__device_is_cuda(g->device[k]))
            all = heddle__device_reach(device_of(r), g->device[k]) && all;
    return all;
}

/* False where the device is alone, or cannot take anything from another one. */
static bool join_broadcast(const struct heddle__resident *r, const struct heddle_map *maps, int n) {
    struct heddle__resident_group *g = r->group;
    pthread_mutex_lock(g->lock);
    const bool join = g->devices > 1 && reaches_all(r);
    if (join && !g->broadcast)
        g->broadcast = calloc((size_t)g->arrays, sizeof *g->broadcast);
    for (int k = 0; join && g->broadcast && k < n; k++)
        if (!g->broadcast[k] && maps[k].bytes >= SMALL)
            g->broadcast[k] = heddle__broadcast_new(start_of(&maps[k]), maps[k].bytes, g->devices);
    pthread_mutex_unlock(g->lock);
    return join && g->broadcast;
}

void heddle__resident_free(struct heddle__resident_group *g) {
    for (int k = 0; g->broadcast && k < g->arrays; k++)
        heddle__broadcast_free(g->broadcast[k]);
    free(g->broadcast);
}

static bool is_large(const struct heddle_map *m, const char *there) { return there && arrives(m) && m->bytes >= SMALL; }

/* What is too small for copy workers, or all where there are none. */
static int copy_small(const struct heddle__resident *r, const struct heddle_map *maps, char *const *there, int n,
                      bool all) {
    for (int k = 0; k < n; k++)
        if (there[k] && arrives(&maps[k]) && (all || !is_large(&maps[k], there[k])) &&
            heddle__device_copy_in(device_of(r), there[k], start_of(&maps[k]), maps[k].bytes))
            return HEDDLE_ELAUNCH;
    return HEDDLE_OK;
}

/* Bytes [low, high) of the large arrays, one behind the other, by whole blocks. */
static int copy_range(const struct heddle_map *maps, char *const *there, int n, size_t low, size_t high,
                      struct heddle__transfer *transfer, struct heddle__done *done) {
    size_t at = 0;
    int error = HEDDLE_OK;
    for (int k = 0; k < n && !error; k++) {
        if (!is_large(&maps[k], there[k]))
            continue;
        const size_t bytes = maps[k].bytes;
        size_t begin = low > at ? low - at : 0, end = high > at ? high - at : 0;
        begin = begin < bytes ? begin / HEDDLE__BLOCK_BYTES * HEDDLE__BLOCK_BYTES : bytes;
        end = end < bytes ? end / HEDDLE__BLOCK_BYTES * HEDDLE__BLOCK_BYTES : bytes;
        if (begin < end)
            error = heddle__transfer_copy(transfer, start_of(&maps[k]) + begin, there[k] + begin, end - begin, done);
        at += bytes;
    }
    return error;
}

/* Each of several devices begins elsewhere. */
static int copy_large(const struct heddle__resident *r, const struct heddle_map *maps, char *const *there, int n,
                      struct heddle__transfer *transfer) {
    struct heddle__resident_group *g = r->group;
    const bool together = join_broadcast(r, maps, n);
    struct heddle__broadcast_place with = {g->broadcast, n, r->number};
    const struct heddle__nearby nearby = {heddle__broadcast_find, heddle__broadcast_arrived, &with};
    struct heddle__done done = {0};
    size_t bytes = 0;
    for (int k = 0; k < n; k++) {
        bytes += is_large(&maps[k], there[k]) ? maps[k].bytes : 0;
        if (together && g->broadcast[k] && is_large(&maps[k], there[k]))
            heddle__broadcast_join(g->broadcast[k], r->number, device_of(r), there[k]);
    }
    if (together)
        heddle__transfer_nearby(transfer, &nearby);
    const size_t first = together ? bytes / (size_t)g->devices * (size_t)r->number : 0;
    int error = copy_range(maps, there, n, first, bytes, transfer, &done);
    error = error ? error : copy_range(maps, there, n, 0, first, transfer, &done);
    const int late = heddle__transfer_wait(transfer, &done); /* whatever was begun has to end */
    return error ? error : late;
}

static int copy_each(const struct heddle__resident *r, const struct heddle_map *maps, char *const *there, int n) {
    const struct heddle__resident_group *g = r->group;
    size_t most = 0;
    for (int k = 0; k < n; k++)
        most = is_large(&maps[k], there[k]) && maps[k].bytes > most ? maps[k].bytes : most;
    struct heddle__transfer *transfer =
        most >= LARGE ? heddle__transfer_open(device_of(r), false, g->cores, 2 * g->devices, WORKERS) : NULL;
    int error = copy_small(r, maps, there, n, !transfer);
    if (!error && transfer)
        error = copy_large(r, maps, there, n, transfer);
    heddle__transfer_close(transfer);
    return error;
}

/* ---- all at once ------------------------------------------------------------------------------------------------- */
/* Arrays that arrive, as segments of the memory from *first on. Returns how many; -1: the program has page-locked one,
   which needs no block to travel. */
static int segments_of(const struct heddle__resident *r, const struct heddle_map *maps, char *const *there, int n,
                       char **first, struct heddle__segment *segment) {
    int segments = 0;
    const bool cuda = heddle__device_is_cuda(device_of(r));
    for (int k = 0; k < n; k++) {
        if (!there[k] || !arrives(&maps[k]))
            continue;
        if (cuda && maps[k].bytes >= SMALL && heddle__device_locked(device_of(r), start_of(&maps[k]), maps[k].bytes))
            return -1;
        *first = segments ? *first : there[k];
        segment[segments++] = (struct heddle__segment){
            .host = start_of(&maps[k]), .at = (size_t)(there[k] - *first), .bytes = maps[k].bytes};
    }
    return segments;
}

/* End of a run of segments with no more than alignment between them. */
static int run_of(const struct heddle__segment *segment, int segments, int first) {
    int end = first + 1;
    while (end < segments && segment[end].at <= aligned(segment[end - 1].at + segment[end - 1].bytes))
        end++;
    return end;
}

/* Side by side they travel as one: a copy for each would wait for each, 35 us of some bytes as well. */
static int copy_together(const struct heddle__resident *r, const struct heddle__segment *segment, int segments,
                         char *first) {
    const struct heddle__resident_group *g = r->group;
    int error = HEDDLE_OK;
    for (int k = 0, end; k < segments && !error; k = end) {
        end = run_of(segment, segments, k);
        error = heddle__transfer_range(device_of(r), false, g->cores, 2 * g->devices, segment, segments, first,
                                       segment[k].at, segment[end - 1].at + segment[end - 1].bytes);
    }
    return error;
}

int heddle__resident_enter(struct heddle__resident *r, const struct heddle_map *maps, int n) {
    char *there[n + 1], *first = NULL;
    struct heddle__segment segment[n + 1];
    const int error = find_places(r, maps, n, there);
    if (error)
        return error;
    const int segments = segments_of(r, maps, there, n, &first, segment);
    size_t bytes = 0;
    for (int k = 0; k < segments; k++)
        bytes += segment[k].bytes;
    const bool own = bytes < SHARED || r->group->devices < 2;
    return segments < 0 || !own ? copy_each(r, maps, there, n)
           : segments           ? copy_together(r, segment, segments, first)
                                : HEDDLE_OK;
}

/* Not earlier, even where a copy failed: other devices may be copying from this one. */
void heddle__resident_leave(struct heddle__resident *r, const struct heddle_map *maps, int n) {
    for (int k = 0; r->mapped && k < n; k++)
        if (r->mapped[k] && maps[k].bytes)
            heddle__maps_exit(&maps[k], 1, device_of(r), false);
    free(r->mapped);
    r->mapped = NULL;
    heddle__arena_trim(device_of(r), arena_of(r));
}
