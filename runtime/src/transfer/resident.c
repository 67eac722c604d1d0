/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Data that every chunk of a loop needs, to a device. What the program keeps there is used where it is; the rest gets a
 * place in memory that stays allocated (device/arena.c). libomptarget copies pageable memory by one thread, at an
 * eighth of what the link carries, and no chunk begins before it is there: it goes through page-locked pieces by
 * several (pipeline.c), and what is large between devices where several take part (broadcast.c).
 */
#include "broadcast.h"
#include "loop/chunk.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    LARGE = 4 << 20 /* bytes: what a crew is called for */,
    SMALL = 256 << 10 /* not worth a piece of one that is there */,
    CREW = 6,
    SHARED = 16 << 20 /* bytes: so much several devices get from each other */
};

static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }
static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }
static bool arrives(const struct heddle_map *m) { return m->bytes && m->kind & HEDDLE_MAP_TO; }

/* ---- places for arrays ----------------------------------------------------------------------------------------------
 */
static bool is_held(const struct heddle__place *p, const struct heddle_map *m) {
    return m->bytes && heddle__device_present(p->device, start_of(m));
}

/* Others have its chunks, and maybe the device's memory: a thread that comes back from a driver late touches nothing.
 */
static bool is_given_up(struct heddle__place *p) {
    pthread_mutex_lock(&p->engine->lock);
    const bool gone = p->gone;
    pthread_mutex_unlock(&p->engine->lock);
    return gone;
}

/* there[k]: on the device; NULL: the program keeps it there, or there is nothing. */
static int find_places(struct heddle__place *p, const struct heddle_map *kept, int n, char **there) {
    size_t at[n + 1], bytes = 0;
    bool mapped[n + 1];
    for (int k = 0; k < n; k++) {
        at[k] = bytes;
        mapped[k] = !kept[k].bytes || is_held(p, &kept[k]);
        const int error = mapped[k] ? heddle__maps_enter(&kept[k], 1, p->device, p->env) : HEDDLE_OK;
        if (error)
            return error;
        bytes += mapped[k] ? 0 : aligned(kept[k].bytes);
    }
    if (is_given_up(p))
        return HEDDLE_ETIMEDOUT;
    p->mapped = true;
    char *room = bytes ? heddle__arena_reserve(p->device, HEDDLE__ARENA_LOOP, bytes) : NULL;
    if (bytes && !room)
        return HEDDLE_ENOMEM;
    for (int k = 0; k < n; k++) {
        there[k] = mapped[k] ? NULL : room + at[k];
        if (mapped[k])
            continue;
        const char *base = there[k] - kept[k].first;
        memcpy(p->env + kept[k].slot, &base, sizeof base);
    }
    return HEDDLE_OK;
}

/* ---- copies
 * ----------------------------------------------------------------------------------------------------------- */
/* Devices that reach each other's memory copy directly; the driver does it by way of the host else. Called with the
 * loop's lock. */
static bool reaches_all(struct heddle__place *p) {
    const struct heddle__engine *e = p->engine;
    bool all = true;
    for (int k = 0; k < e->places; k++) {
        const int other = e->place[k].device;
        if (!p->cuda || !e->place[k].cuda || other < 0 || other == p->device)
            continue;
        all &= heddle__device_reach(p->device, other);
    }
    return all;
}

/* False where the device is alone, or cannot take anything from another one. */
static bool join_broadcast(struct heddle__place *p, const struct heddle_map *kept, int n) {
    struct heddle__engine *e = p->engine;
    pthread_mutex_lock(&e->lock);
    const bool join = heddle__loop_devices(e, e->places) > 1 && reaches_all(p);
    if (join && !e->broadcast)
        e->broadcast = calloc((size_t)e->loop->nmaps, sizeof *e->broadcast);
    for (int k = 0; join && e->broadcast && k < n; k++)
        if (!e->broadcast[k] && kept[k].bytes >= SMALL)
            e->broadcast[k] = heddle__broadcast_new(start_of(&kept[k]), kept[k].bytes, e->places);
    pthread_mutex_unlock(&e->lock);
    return join && e->broadcast;
}

void heddle__kept_free(struct heddle__engine *e) {
    for (int k = 0; e->broadcast && k < e->loop->nmaps; k++)
        heddle__broadcast_free(e->broadcast[k]);
    free(e->broadcast);
}

static bool is_large(const struct heddle_map *m, const char *there) { return there && arrives(m) && m->bytes >= SMALL; }

/* What is too small for a crew, or all where there is none. */
static int copy_small(const struct heddle__place *p, const struct heddle_map *kept, char *const *there, int n,
                      bool all) {
    for (int k = 0; k < n; k++)
        if (there[k] && arrives(&kept[k]) && (all || !is_large(&kept[k], there[k])) &&
            heddle__device_copy_in(p->device, there[k], start_of(&kept[k]), kept[k].bytes))
            return HEDDLE_ELAUNCH;
    return HEDDLE_OK;
}

/* Bytes [low, high) of the large arrays, one behind the other, by whole pieces. */
static int copy_range(const struct heddle_map *kept, char *const *there, int n, size_t low, size_t high,
                      struct heddle__stage *stage, struct heddle__done *done) {
    size_t at = 0;
    int error = HEDDLE_OK;
    for (int k = 0; k < n && !error; k++) {
        if (!is_large(&kept[k], there[k]))
            continue;
        const size_t bytes = kept[k].bytes;
        size_t begin = low > at ? low - at : 0, end = high > at ? high - at : 0;
        begin = begin < bytes ? begin / HEDDLE__STAGE_PIECE * HEDDLE__STAGE_PIECE : bytes;
        end = end < bytes ? end / HEDDLE__STAGE_PIECE * HEDDLE__STAGE_PIECE : bytes;
        if (begin < end)
            error = heddle__stage_copy(stage, start_of(&kept[k]) + begin, there[k] + begin, end - begin, done);
        at += bytes;
    }
    return error;
}

/* Each of several devices begins elsewhere. */
static int copy_large(struct heddle__place *p, const struct heddle_map *kept, char *const *there, int n,
                      struct heddle__stage *stage) {
    struct heddle__engine *e = p->engine;
    const bool together = join_broadcast(p, kept, n);
    struct heddle__broadcast_place with = {e->broadcast, n, p->number};
    const struct heddle__nearby nearby = {heddle__broadcast_find, heddle__broadcast_arrived, &with};
    struct heddle__done done = {0};
    size_t bytes = 0;
    for (int k = 0; k < n; k++) {
        bytes += is_large(&kept[k], there[k]) ? kept[k].bytes : 0;
        if (together && e->broadcast[k] && is_large(&kept[k], there[k]))
            heddle__broadcast_join(e->broadcast[k], p->number, p->device, there[k]);
    }
    if (together)
        heddle__stage_nearby(stage, &nearby);
    const size_t first =
        together ? bytes / (size_t)heddle__loop_devices(e, e->places) * (size_t)heddle__loop_devices(e, p->number) : 0;
    int error = copy_range(kept, there, n, first, bytes, stage, &done);
    error = error ? error : copy_range(kept, there, n, 0, first, stage, &done);
    const int late = heddle__stage_wait(stage, &done); /* whatever was begun has to end */
    return error ? error : late;
}

static int copy_all(struct heddle__place *p, const struct heddle_map *kept, char *const *there, int n) {
    struct heddle__engine *e = p->engine;
    size_t most = 0;
    for (int k = 0; k < n; k++)
        most = is_large(&kept[k], there[k]) && kept[k].bytes > most ? kept[k].bytes : most;
    struct heddle__stage *stage = most >= LARGE ? heddle__stage_open(p->device, false, &e->cores.all,
                                                                     2 * heddle__loop_devices(e, e->places), CREW)
                                                : NULL;
    int error = copy_small(p, kept, there, n, !stage);
    if (!error && stage)
        error = copy_large(p, kept, there, n, stage);
    heddle__stage_close(stage);
    return error;
}

/* ---- all at once
 * ------------------------------------------------------------------------------------------------------ */
/* Arrays that arrive, as parts of the room, which begins at `room`. Returns how many; -1: the program has locked one,
 * which needs no piece to travel. */
static int parts_of(const struct heddle__place *p, const struct heddle_map *kept, char *const *there, int n,
                    char **room, struct heddle__part *part) {
    int parts = 0;
    for (int k = 0; k < n; k++) {
        if (!there[k] || !arrives(&kept[k]))
            continue;
        if (p->cuda && kept[k].bytes >= SMALL && heddle__device_locked(p->device, start_of(&kept[k]), kept[k].bytes))
            return -1;
        *room = parts ? *room : there[k];
        part[parts++] =
            (struct heddle__part){.host = start_of(&kept[k]), .at = (size_t)(there[k] - *room), .bytes = kept[k].bytes};
    }
    return parts;
}

/* Ends of a run of parts with no more than alignment between them. */
static int run_of(const struct heddle__part *part, int parts, int first) {
    int end = first + 1;
    while (end < parts && part[end].at <= aligned(part[end - 1].at + part[end - 1].bytes))
        end++;
    return end;
}

/* Side by side they travel as one: a copy for each would wait for each, 35 us of some bytes as well. */
static int copy_together(struct heddle__place *p, const struct heddle__part *part, int parts, char *room) {
    struct heddle__engine *e = p->engine;
    int error = HEDDLE_OK;
    for (int k = 0, end; k < parts && !error; k = end) {
        end = run_of(part, parts, k);
        error = heddle__stage_range(p->device, false, &e->cores.all, 2 * heddle__loop_devices(e, e->places), part,
                                    parts, room, part[k].at, part[end - 1].at + part[end - 1].bytes);
    }
    return error;
}

int heddle__kept_enter(struct heddle__place *p, const struct heddle_map *kept, int n) {
    char *there[n + 1], *room = NULL;
    struct heddle__part part[n + 1];
    const int error = find_places(p, kept, n, there);
    if (error)
        return error;
    const int parts = parts_of(p, kept, there, n, &room, part);
    size_t bytes = 0;
    for (int k = 0; k < parts; k++)
        bytes += part[k].bytes;
    const bool own = bytes < SHARED || heddle__loop_devices(p->engine, p->engine->places) < 2;
    return parts < 0 || !own ? copy_all(p, kept, there, n) : parts ? copy_together(p, part, parts, room) : HEDDLE_OK;
}

/* Not earlier, even where a copy failed: other devices may be copying from this one. */
void heddle__kept_leave(struct heddle__place *p, const struct heddle_map *kept, int n) {
    for (int k = 0; p->mapped && k < n; k++)
        if (is_held(p, &kept[k]))
            heddle__maps_exit(&kept[k], 1, p->device, false);
    heddle__arena_trim(p->device, HEDDLE__ARENA_LOOP);
}
