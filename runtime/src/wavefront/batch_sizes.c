/* SPDX-License-Identifier: Apache-2.0 */
/* How large the problems of a batch are, and in which order they are done. */
#include "batch.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_ALIKE = 16, RADIX = 256, WORTH_KEEPING = 1 << 12, KEPT_MOST = 1 << 22 };

static bool measure(const struct heddle_batch *call, struct heddle__sizes *s) {
    const struct heddle_nest *nest = call->nest->nest;
    const int threads = s->count < 4096 ? 1 : heddle__host_threads();
    double cells = 0;
    int failed = 0;
#pragma omp parallel num_threads(threads) if (threads > 1) reduction(+ : cells, failed)
    {
        char *env = malloc(nest->env_bytes + nest->red_bytes + 64);
        char *red = env ? env + (nest->env_bytes + 31) / 32 * 32 : NULL;
        failed += !env;
#pragma omp for schedule(static)
        for (long k = 0; k < s->count; k++) {
            struct heddle_problem at;
            if (!env)
                continue;
            call->nest->problem(call->outer, call->p0 + k, env, red, &at);
            const bool any = at.i1 >= at.i0 && at.j1 >= at.j0;
            s->rows[k] = any ? at.i1 - at.i0 + 1 : 0;
            s->columns[k] = any ? at.j1 - at.j0 + 1 : 0;
            cells += (double)s->rows[k] * (double)s->columns[k];
        }
        free(env);
    }
    s->cells = cells;
    return !failed;
}

/* By rows, roughly, then by columns: problems that share a vector are then as wide as each other, nearly. */
static uint64_t key_of(const struct heddle__sizes *s, long k) {
    return (uint64_t)((s->rows[k] + ROWS_ALIKE - 1) / ROWS_ALIKE) << 32 | (uint32_t)s->columns[k];
}

/* Radix sort, largest keys first; bytes that are the same for all are passed over. */
static bool sort(struct heddle__sizes *s) {
    uint64_t any = 0, all = ~UINT64_C(0);
    uint64_t *key = malloc((size_t)s->count * sizeof *key + 1), *next_key = malloc((size_t)s->count * sizeof *key + 1);
    long *next = malloc((size_t)s->count * sizeof *next + 1);
    const bool ok = key && next_key && next;
    for (long k = 0; ok && k < s->count; k++) {
        key[k] = key_of(s, k);
        s->order[k] = k;
        any |= key[k];
        all &= key[k];
    }
    for (int shift = 0; ok && shift < 64; shift += 8) {
        long from[RADIX] = {0}, sum = 0;
        if (((any ^ all) >> shift & (RADIX - 1)) == 0)
            continue;
        for (long k = 0; k < s->count; k++)
            from[key[k] >> shift & (RADIX - 1)]++;
        for (int d = RADIX - 1; d >= 0; d--) {
            const long n = from[d];
            from[d] = sum;
            sum += n;
        }
        for (long k = 0; k < s->count; k++) {
            const long to = from[key[k] >> shift & (RADIX - 1)]++;
            next_key[to] = key[k];
            next[to] = s->order[k];
        }
        uint64_t *const keys = key;
        long *const order = s->order;
        key = next_key, next_key = keys;
        s->order = next, next = order;
    }
    free(key);
    free(next_key);
    free(next);
    return ok;
}

/* The order of the last call whose problems all had as many rows: the next one's is the same if the columns are. */
static struct {
    pthread_mutex_t lock;
    long count, *columns, *order;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool rows_are_alike(const struct heddle__sizes *s) {
    long k = 1;
    while (k < s->count && s->rows[k] == s->rows[0])
        k++;
    return k >= s->count;
}

/* A copy for the next call. */
static void keep(const struct heddle__sizes *s) {
    const size_t bytes = (size_t)s->count * sizeof *s->order;
    pthread_mutex_lock(&kept.lock);
    free(kept.columns);
    free(kept.order);
    kept.columns = malloc(bytes);
    kept.order = malloc(bytes);
    kept.count = kept.columns && kept.order ? s->count : 0;
    if (kept.count) {
        memcpy(kept.columns, s->columns, bytes);
        memcpy(kept.order, s->order, bytes);
    }
    pthread_mutex_unlock(&kept.lock);
}

static bool is_kept(struct heddle__sizes *s) {
    const size_t bytes = (size_t)s->count * sizeof *s->order;
    pthread_mutex_lock(&kept.lock);
    const bool same = kept.count == s->count && !memcmp(kept.columns, s->columns, bytes);
    if (same)
        memcpy(s->order, kept.order, bytes);
    pthread_mutex_unlock(&kept.lock);
    return same;
}

static bool sort_or_reuse(struct heddle__sizes *s) {
    const bool alike = s->count >= WORTH_KEEPING && s->count <= KEPT_MOST && rows_are_alike(s);
    if (alike && is_kept(s))
        return true;
    if (!sort(s))
        return false;
    if (alike)
        keep(s);
    return true;
}

int heddle__sizes_part(const struct heddle__sizes *of, long q0, long q1, struct heddle__sizes *part) {
    *part = (struct heddle__sizes){.count = q1 - q0 + 1, .rows = of->rows + q0, .columns = of->columns + q0};
    part->order = malloc((size_t)part->count * sizeof *part->order);
    for (long k = 0; k < part->count; k++)
        part->cells += (double)part->rows[k] * (double)part->columns[k];
    if (part->order && sort(part))
        return HEDDLE_OK;
    free(part->order);
    return HEDDLE_ENOMEM;
}

void heddle__sizes_free(struct heddle__sizes *s) {
    free(s->rows);
    free(s->columns);
    free(s->order);
}

/* Rows and columns of each come back in turn. */
static bool measure_there(struct heddle_batch *call, int device, struct heddle__sizes *s) {
    int64_t *sizes = malloc((size_t)s->count * 2 * sizeof *sizes);
    const bool ok = sizes && heddle__batch_measure_there(call, device, s->count, sizes) == HEDDLE_OK;
    for (long k = 0; ok && k < s->count; k++) {
        s->rows[k] = (long)sizes[2 * k];
        s->columns[k] = (long)sizes[2 * k + 1];
        s->cells += (double)s->rows[k] * (double)s->columns[k];
    }
    free(sizes);
    return ok;
}

int heddle__batch_measure(struct heddle_batch *call, int device, struct heddle__sizes *s) {
    *s = (struct heddle__sizes){.count = call->p1 - call->p0 + 1};
    s->rows = malloc((size_t)s->count * sizeof *s->rows);
    s->columns = malloc((size_t)s->count * sizeof *s->columns);
    s->order = malloc((size_t)s->count * sizeof *s->order);
    if (s->rows && s->columns && s->order &&
        (device == HEDDLE_DEVICE_HOST ? measure(call, s) : measure_there(call, device, s)) && sort_or_reuse(s))
        return HEDDLE_OK;
    heddle__sizes_free(s);
    return HEDDLE_ENOMEM;
}
