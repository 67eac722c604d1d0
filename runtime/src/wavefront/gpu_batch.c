/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches on an offload device: how many lanes a problem gets, memory, launch. The kernel is in
 * heddle/engine/wavefront/gpu_batch.h, compiled with the nest. A problem that has more than its share of all cells runs
 * by itself, by the engine for one nest.
 */
#include "batch.h"
#include "device/device.h"
#include "job.h"
#include <heddle/engine/wavefront/batch_call.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Warps of a multiprocessor that are reckoned with. A problem ends within a part of the steps that a lane has in all;
   it runs alone with more cells than LARGE and than a part of all. PASS: steps that a pass costs besides its columns.
 */
enum { WARPS = 12, WAVE = 32 /* lanes of the widest group */, LEAST_LANES = 4, PART = 2, PASS = 16 };
/* Rows that take more than ASK bytes may be more than there is room for: the driver is asked, which takes long. */
enum { LARGE = 1 << 24, ALONE = 128, ASK = 64 << 20 };
/* Blocks of a multiprocessor; tables up to so many bytes are kept by blocks. */
enum { TEAMS = 16, TABLE = 4096 };
/* What a step costs besides its rows, counted in rows. */
enum { STEP = 4 };

struct batch_job {
    struct heddle_batch *call;
    const struct heddle__sizes *sizes;
    struct heddle_gpu_batch launch;
    struct heddle_batch_control control;
    char *outer; /* with the device's pointers */
    uint32_t *order;
    long *alone, nalone;
    int warp;                              /* lanes of a warp */
    size_t at_order, head, at_rows, total; /* `head` is copied to the device, the profile follows */
};

static double cells_of(const struct heddle__sizes *s, long k) { return (double)s->rows[k] * (double)s->columns[k]; }

/* ---- who gets what ---- */

/* Problems at two places of the order. */
static bool are_alike(const struct heddle__sizes *s, long q, long r) {
    return s->rows[s->order[q]] == s->rows[s->order[r]] && s->columns[s->order[q]] == s->columns[s->order[r]];
}

/* Steps of a problem on the lanes of a class, what passes cost besides included. */
static long steps_of(const struct batch_job *j, long k, int class) {
    const long lanes = LEAST_LANES << class, rows = lanes * j->launch.rows_per_lane;
    return (j->sizes->rows[k] + rows - 1) / rows * (j->sizes->columns[k] + lanes + PASS);
}

/* The class whose lanes have the fewest steps in all, among those that end by `steps`; else the one that ends first.
   Rows that fill no pass count as steps, too. Groups of four that read a profile find it in the same banks. */
static int class_by_steps(const struct batch_job *j, long k, double steps) {
    long least = LONG_MAX, first = LONG_MAX;
    int best = -1, soonest = 0;
    for (int class = j->call->nest->profile ? 1 : 0; class < HEDDLE_BATCH_CLASSES; class ++) {
        const long takes = steps_of(j, k, class), all = takes * (LEAST_LANES << class);
        if (takes <= steps && all < least)
            least = all, best = class;
        if (takes < first)
            first = takes, soonest = class;
    }
    return best >= 0 ? best : soonest;
}

/* Steps of a lane if all are busy to the end. */
static double steps_of_all(const struct batch_job *j, double lanes) {
    double sum = 0, steps = 0;
    for (long q = 0; q < j->sizes->count; q++) {
        if (!q || !are_alike(j->sizes, q, q - 1))
            steps = (double)(steps_of(j, j->sizes->order[q], 0) * LEAST_LANES);
        sum += steps;
    }
    return sum / lanes / j->call->nest->per_lane;
}

/* The class of a problem; -1: it runs alone. */
static int class_of(const struct batch_job *j, long k, double steps) {
    const double cells = cells_of(j->sizes, k);
    const bool registers = j->call->nest->nest->flags & HEDDLE_NEST_REGISTERS;
    if (registers && cells > LARGE && cells * ALONE > j->sizes->cells && j->sizes->rows[k] > WAVE * 8)
        return -1;
    return class_by_steps(j, k, steps);
}

/* Rows of a lane, by what steps cost a few problems. */
static int choose_rows(const struct heddle__sizes *s) {
    double eight = 0, four = 0;
    const long every = s->count / 1024 + 1;
    for (long k = 0; k < s->count; k += every) {
        eight += (double)((s->rows[k] + 31) / 32) * (double)s->columns[k] * (8 + STEP);
        four += (double)((s->rows[k] + 15) / 16) * (double)s->columns[k] * (4 + STEP);
    }
    return four < eight ? 4 : 8;
}

/* Numbers by classes, those of more lanes first; in a class they keep their order. */
static bool deal(struct batch_job *j, double lanes) {
    const struct heddle__sizes *s = j->sizes;
    long at[HEDDLE_BATCH_CLASSES], sum = 0, n[HEDDLE_BATCH_CLASSES] = {0};
    const double steps = steps_of_all(j, lanes) / PART;
    signed char *class = malloc((size_t)s->count + 1);
    j->order = malloc((size_t)s->count * sizeof *j->order + 1);
    if (!class || !j->order) {
        free(class);
        return false;
    }
    for (long q = 0; q < s->count; q++) {
        class[q] = q && are_alike(s, q, q - 1) ? class[q - 1] : (signed char)class_of(j, s->order[q], steps);
        if (class[q] >= 0)
            n[class[q]]++;
        else
            j->nalone++;
    }
    for (int c = HEDDLE_BATCH_CLASSES - 1, slot = 0; c >= 0; c--, slot++) {
        struct heddle_batch_class *of = &j->control.of[slot];
        of->first = at[c] = sum;
        of->count = n[c];
        of->lanes = LEAST_LANES << c;
        const long warp = j->warp / of->lanes * j->call->nest->per_lane;
        of->tickets = (n[c] + warp - 1) / warp;
        sum += n[c];
    }
    j->alone = malloc((size_t)j->nalone * sizeof *j->alone + 1);
    for (long q = 0, a = 0; q < s->count; q++) {
        const long k = s->order[q];
        if (class[q] >= 0)
            j->order[at[class[q]]++] = (uint32_t)k;
        else if (j->alone)
            j->alone[a++] = k;
    }
    free(class);
    return j->alone;
}

/* Bytes of a warp's rows between passes. */
static size_t row_bytes(const struct batch_job *j) {
    size_t most = 0;
    for (int c = 0; c < HEDDLE_BATCH_CLASSES; c++) {
        const struct heddle_batch_class *of = &j->control.of[c];
        long columns = 0;
        for (long q = of->first; q < of->first + of->count; q++) {
            const long k = j->order[q];
            if (j->sizes->rows[k] > of->lanes * j->launch.rows_per_lane && j->sizes->columns[k] > columns)
                columns = j->sizes->columns[k];
        }
        const size_t bytes =
            (size_t)(j->warp / of->lanes) * (size_t)((columns + 7) / 8 * 8) * ((j->call->nest->row_bytes + 3) / 4 * 4);
        most = bytes > most ? bytes : most;
    }
    return (most + 127) / 128 * 128;
}

/* Small arrays that are only read. A copy has the original's alignment. */
static void tables(struct batch_job *j) {
    const struct heddle_batch *c = j->call;
    size_t used = 0;
    for (int k = 0; k < c->nmaps && j->control.ntables < HEDDLE_BATCH_TABLES; k++) {
        const struct heddle_map *m = &c->maps[k];
        char *base;
        memcpy(&base, j->outer + m->slot, sizeof base);
        if (m->kind != HEDDLE_MAP_TO || !m->bytes || m->bytes > TABLE ||
            used + m->bytes + 16 > HEDDLE_BATCH_TABLE_BYTES)
            continue;
        const char *from = base + m->first;
        const size_t at = used + (uintptr_t)from % 16;
        j->control.table[j->control.ntables++] =
            (struct heddle_batch_table){.from = from, .bytes = (int64_t)m->bytes, .at = (int64_t)at};
        used = (at + m->bytes + 15) / 16 * 16;
    }
}

/* How large; where it goes in device memory comes later. */
static size_t profile(struct batch_job *j) {
    const struct heddle__sizes *s = j->sizes;
    struct heddle_batch_control *k = &j->control;
    const size_t values = j->call->nest->profile;
    for (long p = 0; values && p < s->count; p++)
        if (s->rows[p] > k->profile_rows)
            k->profile_rows = s->rows[p], k->profile_of = p;
    k->profile_stride =
        (k->profile_rows + HEDDLE_BATCH_PROFILE_ROWS - 1) / HEDDLE_BATCH_PROFILE_ROWS * HEDDLE_BATCH_PROFILE_ROWS;
    k->profile_shared = values * (size_t)k->profile_stride <= HEDDLE_BATCH_PROFILE_BYTES;
    return values * (size_t)k->profile_stride;
}

/* ---- the steps of a call ---- */

static int size(struct batch_job *j, bool gpu) {
    const struct heddle__sizes *s = j->sizes;
    const int sms = gpu ? heddle__multiprocessors(j->launch.device) : 1;
    long tickets = 0;
    for (long k = 0; k < s->count; k++)
        if (s->rows[k] > INT32_MAX / 4 || s->columns[k] > INT32_MAX / 4)
            return HEDDLE_ENOMEM;
    if (s->count > UINT32_MAX)
        return HEDDLE_ENOMEM;
    j->launch.rows_per_lane = choose_rows(s);
    if (!deal(j, gpu ? (double)sms * WARPS * j->warp : 1))
        return HEDDLE_ENOMEM;
    for (int c = 0; c < HEDDLE_BATCH_CLASSES; c++)
        tickets += j->control.of[c].tickets;
    const long team_warps = HEDDLE_BATCH_THREADS / j->warp;
    long teams = (tickets + team_warps - 1) / team_warps;
    teams = teams < (long)sms * TEAMS ? teams : (long)sms * TEAMS;
    j->control.row_bytes = gpu ? (int64_t)row_bytes(j) : 0;
    const size_t each = (size_t)(team_warps * j->control.row_bytes);
    const size_t room = (size_t)teams * each > ASK ? heddle__memory_free(j->launch.device) / 2 : ASK;
    while (gpu && teams > 1 && (size_t)teams * each > room)
        teams /= 2;
    j->launch.teams = gpu ? (int)(teams ? teams : 1) : 1;
    j->launch.threads = gpu ? HEDDLE_BATCH_THREADS : 1;
    j->at_order = (sizeof j->control + j->call->nest->outer_bytes + 127) / 128 * 128;
    j->head = (j->at_order + (size_t)s->count * sizeof *j->order + 127) / 128 * 128;
    j->at_rows = (j->head + (gpu ? profile(j) : 0) + 127) / 128 * 128;
    j->total = j->at_rows + (gpu ? (size_t)j->launch.teams * (size_t)(team_warps * j->control.row_bytes) : 0);
    return HEDDLE_OK;
}

/* Maps the arrays; the outer structure gets their addresses. */
static int enter(struct batch_job *j) {
    j->outer = malloc(j->call->nest->outer_bytes + 1);
    if (!j->outer)
        return HEDDLE_ENOMEM;
    memcpy(j->outer, j->call->outer, j->call->nest->outer_bytes);
    return heddle__maps_enter(j->call->maps, j->call->nmaps, j->launch.device, j->outer);
}

static int launch(struct batch_job *j, int what) {
    j->launch.what = what;
    heddle__launch_begin();
    j->call->nest->gpu(&j->launch);
    return heddle__launch_end();
}

/* Control, what is outside, numbers; then all problems of groups. */
static int run_groups(struct batch_job *j) {
    const int device = j->launch.device;
    char *there = heddle__arena_reserve(device, HEDDLE__ARENA_NEST, j->total), *here = calloc(1, j->head);
    int error = there && here ? HEDDLE_OK : HEDDLE_ENOMEM;
    if (!error) {
        j->control.outer = there + sizeof j->control;
        j->control.order = (const uint32_t *)(const void *)(there + j->at_order);
        j->control.profile = there + j->head;
        j->control.rows = there + j->at_rows;
        j->launch.control = (struct heddle_batch_control *)(void *)there;
        memcpy(here, &j->control, sizeof j->control);
        memcpy(here + sizeof j->control, j->outer, j->call->nest->outer_bytes);
        memcpy(here + j->at_order, j->order, (size_t)j->sizes->count * sizeof *j->order);
        error = heddle__device_copy_in(device, there, here, j->head) ? HEDDLE_ELAUNCH : HEDDLE_OK;
    }
    free(here);
    const double start = heddle__now();
    if (!error && j->control.profile_rows && launch(j, HEDDLE_BATCH_PROFILE))
        error = HEDDLE_ELAUNCH;
    if (!error && launch(j, HEDDLE_BATCH_RUN))
        error = HEDDLE_ELAUNCH;
    heddle__report()->kernel_seconds = heddle__now() - start;
    heddle__verbose(
        "device %d: %ld problems, %ld %ld %ld %ld of them on 32, 16, 8, 4 lanes, %ld alone, %d rows a lane, "
        "%d teams of %d threads, kernel %.6f s",
        device, j->sizes->count, (long)j->control.of[0].count, (long)j->control.of[1].count,
        (long)j->control.of[2].count, (long)j->control.of[3].count, j->nalone, j->launch.rows_per_lane, j->launch.teams,
        j->launch.threads, heddle__report()->kernel_seconds);
    return error;
}

/* One problem on the whole device: the statements around its nest run there, too. */
struct alone {
    struct heddle_batch_control control;
    struct heddle_problem at;
};
struct places {
    size_t outer, env, red, last, total; /* behind a struct alone */
};

static struct places places_of(const struct heddle_batch_nest *nest) {
    enum { UNIT = 64 };
    struct places to = {.outer = (sizeof(struct alone) + UNIT - 1) / UNIT * UNIT};
    to.env = to.outer + (nest->outer_bytes + UNIT - 1) / UNIT * UNIT;
    to.red = to.env + (nest->nest->env_bytes + UNIT - 1) / UNIT * UNIT;
    to.last = to.red + (nest->nest->red_bytes + UNIT - 1) / UNIT * UNIT;
    to.total = to.last + nest->nest->cell_bytes + UNIT;
    return to;
}

static int run_alone(struct batch_job *j, long p, char *there, char *here) {
    const struct heddle_batch_nest *nest = j->call->nest;
    const struct places to = places_of(nest);
    const int device = j->launch.device;
    struct alone *a = (struct alone *)(void *)here;
    char *last = there + to.last;
    memset(here, 0, to.total);
    a->control = j->control;
    a->control.p0 = p;
    a->control.outer = there + to.outer;
    a->control.env = there + to.env, a->control.red = there + to.red, a->control.last = last;
    a->control.at = &((struct alone *)(void *)there)->at;
    memcpy(here + to.outer, j->outer, nest->outer_bytes);
    j->launch.control = &((struct alone *)(void *)there)->control;
    if (heddle__device_copy_in(device, there, here, to.total) || launch(j, HEDDLE_BATCH_OPEN) ||
        heddle__device_copy_out(device, here, there, to.total))
        return HEDDLE_ELAUNCH;
    if (nest->last_cell)
        memcpy(here + to.env + nest->last_cell, &last, sizeof last);
    struct heddle_wavefront one = {.nest = nest->nest,
                                   .env = here + to.env,
                                   .device_env = here + to.env,
                                   .red = here + to.red,
                                   .i0 = a->at.i0,
                                   .i1 = a->at.i1,
                                   .j0 = a->at.j0,
                                   .j1 = a->at.j1,
                                   .schedule = HEDDLE_SCHEDULE_REGISTERS,
                                   .device = device};
    const int error = heddle__wavefront_gpu(&one, HEDDLE_SCHEDULE_REGISTERS, device, NULL);
    if (error)
        return error;
    return heddle__device_copy_in(device, there + to.red, here + to.red, nest->nest->red_bytes) ||
                   launch(j, HEDDLE_BATCH_CLOSE)
               ? HEDDLE_ELAUNCH
               : HEDDLE_OK;
}

static int run_all_alone(struct batch_job *j) {
    const size_t bytes = places_of(j->call->nest).total;
    char *there = j->nalone ? heddle__device_alloc(j->launch.device, bytes) : NULL, *here = malloc(bytes);
    int error = here && (there || !j->nalone) ? HEDDLE_OK : HEDDLE_ENOMEM;
    j->launch.teams = 1;
    for (long k = 0; !error && k < j->nalone; k++)
        error = run_alone(j, j->call->p0 + j->alone[k], there, here);
    heddle__device_free(j->launch.device, there);
    free(here);
    return error;
}

int heddle__batch_gpu(struct heddle_batch *call, const struct heddle__sizes *sizes, int device) {
    struct batch_job j = {.call = call, .sizes = sizes, .launch.device = device, .control.p0 = call->p0};
    if (!heddle__device(device))
        return HEDDLE_ENODEV;
    const struct heddle_image image = heddle__image(&call->nest->nest->site, device);
    const bool gpu = image.arch == HEDDLE_ARCH_GPU;
    j.warp = gpu ? image.warp : WAVE;
    pthread_mutex_t *lock = &heddle__arena(device, HEDDLE__ARENA_NEST)->lock;
    int error = size(&j, gpu);
    const bool mapped = !error && (error = enter(&j)) == HEDDLE_OK;
    if (mapped) {
        tables(&j);
        pthread_mutex_lock(lock);
        error = run_groups(&j);
        pthread_mutex_unlock(lock);
    }
    if (!error)
        error = run_all_alone(&j);
    if (mapped)
        heddle__maps_exit(call->maps, call->nmaps, device, !error);
    free(j.outer);
    free(j.order);
    free(j.alone);
    return error;
}

/* ---- how large problems are, where the program keeps arrays on a device ---- */

static int measure(struct batch_job *j, long count, int64_t *sizes) {
    const struct heddle_batch_nest *nest = j->call->nest;
    const int device = j->launch.device;
    const size_t outer = sizeof j->control, at = (outer + nest->outer_bytes + 63) / 64 * 64,
                 bytes = (size_t)count * 2 * sizeof *sizes;
    pthread_mutex_t *lock = &heddle__arena(device, HEDDLE__ARENA_NEST)->lock;
    pthread_mutex_lock(lock);
    char *there = heddle__arena_reserve(device, HEDDLE__ARENA_NEST, at + bytes), *here = calloc(1, at);
    int error = there && here ? HEDDLE_OK : HEDDLE_ENOMEM;
    if (!error) {
        j->control.outer = there + outer;
        j->control.problems = count;
        j->control.sizes = (int64_t *)(void *)(there + at);
        j->launch.control = (struct heddle_batch_control *)(void *)there;
        memcpy(here, &j->control, sizeof j->control);
        memcpy(here + outer, j->outer, nest->outer_bytes);
        if (heddle__device_copy_in(device, there, here, at) || launch(j, HEDDLE_BATCH_MEASURE) ||
            heddle__device_copy_out(device, sizes, there + at, bytes))
            error = HEDDLE_ELAUNCH;
    }
    pthread_mutex_unlock(lock);
    free(here);
    return error;
}

int heddle__batch_measure_there(struct heddle_batch *call, int device, long count, int64_t *sizes) {
    struct batch_job j = {.call = call, .launch.device = device, .control.p0 = call->p0};
    if (!heddle__device(device))
        return HEDDLE_ENODEV;
    const bool gpu = heddle__architecture(&call->nest->nest->site, device) == HEDDLE_ARCH_GPU;
    j.launch.teams = gpu ? heddle__multiprocessors(device) * TEAMS : 1;
    j.launch.threads = gpu ? HEDDLE_BATCH_THREADS : 1;
    int error = enter(&j);
    if (!error) {
        error = measure(&j, count, sizes);
        heddle__maps_exit(call->maps, call->nmaps, device, false);
    }
    free(j.outer);
    return error;
}
