/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests whose arrays do not fit into a device's memory: panels of rows, one after the other, in two sets of buffers. While
 * a panel is computed, a second thread brings the one before it home and sends the next one. Any split into row panels is
 * a legal order; what a panel reads of the rows above it comes from the host once they are there.
 *
 * Arrays are cut where all references to one move by the same number of bytes from row to row; others are there whole.
 */
#include "wavefront_job.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct panels {
    struct heddle_wavefront *call;
    int schedule, device;
    long rows;              /* of a panel; the last one may have fewer */
    char **whole;           /* [map]: on the device, of arrays that are not cut */
    char *buffer[2];
    size_t *at;             /* [map]: a cut array's place in a buffer */
};
struct panel {
    long i0, i1;
    char *buffer;
};

static bool is_cut(const struct heddle_map *m) { return m->slope > 0; }
static long rows_of(const struct heddle_wavefront *c) { return c->i1 - c->i0 + 1; }

/* What rows i0 … i1 need of array m: offsets from its base, of the first byte and behind the last one. */
static ptrdiff_t section_first(const struct heddle_wavefront *c, const struct heddle_map *m, long i0)
{
    const ptrdiff_t at = m->first + (i0 - m->reach - c->i0) * m->slope;
    return at > m->first ? at : m->first;
}
static ptrdiff_t section_end(const struct heddle_wavefront *c, const struct heddle_map *m, long i1)
{
    const ptrdiff_t whole = m->first + (ptrdiff_t)m->bytes, at = whole - (c->i1 - i1 - m->reach) * m->slope;
    return at < whole ? at : whole;
}
/* Bytes of it that a panel of so many rows needs at most. */
static size_t section(const struct heddle_wavefront *c, const struct heddle_map *m, long rows)
{
    const size_t most = m->bytes - (size_t)(rows_of(c) - rows) * (size_t)m->slope + (size_t)(2 * m->reach * m->slope);
    return most < m->bytes ? most : m->bytes;
}

static size_t aligned(size_t n) { return (n + 511) / 512 * 512; }

/* Bytes of a buffer for panels of so many rows; *whole: those of the arrays that are not cut. */
static size_t buffer_bytes(const struct heddle_wavefront *c, long rows, size_t *whole)
{
    size_t sum = 0;
    *whole = 0;
    for (int k = 0; k < c->nmaps; k++)
        if (is_cut(&c->maps[k]))
            sum += aligned(section(c, &c->maps[k], rows));
        else
            *whole += aligned(c->maps[k].bytes);
    return sum;
}

static bool may_cut(const struct heddle_wavefront *c)
{
    for (int k = 0; k < c->nmaps; k++) {
        const struct heddle_map *m = &c->maps[k];
        if (m->kind & HEDDLE_MAP_W && (!is_cut(m) || m->row < 0))
            return false;
        if (is_cut(m) && m->bytes < (size_t)(rows_of(c) - 1) * (size_t)m->slope)
            return false;
    }
    return c->nest->flags & HEDDLE_NEST_SPLIT;
}

/* Rows of the largest panels of which two sets fit; 0: not one row does. Many rows are whole row blocks of every form. */
static long panel_rows(const struct heddle_wavefront *c, size_t room)
{
    enum { BLOCK = 256 };
    long low = 0, high = rows_of(c);
    size_t whole;
    while (low < high) {
        const long middle = low + (high - low + 1) / 2;
        const size_t bytes = buffer_bytes(c, middle, &whole);
        if (whole + 2 * bytes <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low > BLOCK ? low / BLOCK * BLOCK : low;
}

static struct panel panel_of(const struct panels *p, long number)
{
    const long i0 = p->call->i0 + number * p->rows, i1 = i0 + p->rows - 1;
    return (struct panel){i0, i1 < p->call->i1 ? i1 : p->call->i1, p->buffer[number % 2]};
}

/* One way or the other: bytes from … to - 1 (offsets from the array's base) of array k of a panel. */
static int move(const struct panels *p, const struct panel *at, int k, ptrdiff_t from, ptrdiff_t to, bool home)
{
    const struct heddle_map *m = &p->call->maps[k];
    const ptrdiff_t first = section_first(p->call, m, at->i0), end = section_end(p->call, m, at->i1);
    const int host = omp_get_initial_device();
    char *here = (char *)m->base, *there = at->buffer + p->at[k];
    from = from < first ? first : from;
    to = to > end ? end : to;
    if (to <= from)
        return 0;
    return home ? omp_target_memcpy(here, there, (size_t)(to - from), (size_t)from, (size_t)(from - first), host, p->device)
                : omp_target_memcpy(there, here, (size_t)(to - from), (size_t)(from - first), (size_t)from, p->device, host);
}

/* The first byte of row i of what the nest writes of an array. */
static ptrdiff_t written(const struct panels *p, const struct heddle_map *m, long i) { return m->row + (i - p->call->i0) * m->slope; }

/* What the panel reads; of arrays that the nest writes, without what lies above its own rows. */
static int send(const struct panels *p, const struct panel *at)
{
    int error = 0;
    for (int k = 0; k < p->call->nmaps && !error; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        if (is_cut(m) && m->kind & HEDDLE_MAP_TO)
            error = move(p, at, k, m->kind & HEDDLE_MAP_W ? written(p, m, at->i0) : m->first, PTRDIFF_MAX, false);
    }
    return error;
}

/* That part: rows of the panel above, which has to be home, and the border's. */
static int send_above(const struct panels *p, const struct panel *at)
{
    int error = 0;
    for (int k = 0; k < p->call->nmaps && !error; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        if (is_cut(m) && m->kind & HEDDLE_MAP_W && (m->kind & HEDDLE_MAP_TO || at->i0 > p->call->i0))
            error = move(p, at, k, PTRDIFF_MIN, written(p, m, at->i0), false);
    }
    return error;
}

/* Rows i0 … i1 of the panel as the nest left them; from the end of row i0 - 1 on, so that parts join. */
static int bring(const struct panels *p, const struct panel *at, long i0, long i1)
{
    const ptrdiff_t columns = p->call->j1 - p->call->j0 + 1;
    int error = 0;
    for (int k = 0; k < p->call->nmaps && !error; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        const ptrdiff_t wide = columns * (ptrdiff_t)m->size;
        if (m->kind & HEDDLE_MAP_W && m->kind & HEDDLE_MAP_FROM && i0 <= i1)
            error = move(p, at, k, i0 > at->i0 ? written(p, m, i0 - 1) + wide : written(p, m, i0), written(p, m, i1) + wide, true);
    }
    return error;
}

/* Rows that the next panel reads: they come home before it starts, the others meanwhile. */
static long border(const struct panels *p, const struct panel *at)
{
    const long deep = p->call->nest->depth > 1 ? p->call->nest->depth : 1, first = at->i1 - deep + 1;
    return first > at->i0 ? first : at->i0;
}

/* What the second thread does during panel `number`. */
struct errand {
    const struct panels *p;
    long number, count;
    int error;
};
static void *run_errand(void *with)
{
    struct errand *e = with;
    if (e->number > 0) {
        const struct panel before = panel_of(e->p, e->number - 1);
        e->error = bring(e->p, &before, before.i0, border(e->p, &before) - 1);
    }
    if (!e->error && e->number + 1 < e->count) {
        const struct panel next = panel_of(e->p, e->number + 1);
        e->error = send(e->p, &next);
    }
    return NULL;
}

static int compute(const struct panels *p, const struct panel *at)
{
    struct heddle_wavefront part = *p->call;
    char *env = malloc(p->call->nest->env_bytes + 1);
    if (!env)
        return HEDDLE_ENOMEM;
    memcpy(env, p->call->env, p->call->nest->env_bytes);
    for (int k = 0; k < p->call->nmaps; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        char *base = is_cut(m) ? at->buffer + p->at[k] - section_first(p->call, m, at->i0) : p->whole[k] - m->first;
        memcpy(env + m->slot, &base, sizeof base);
    }
    part.i0 = at->i0;
    part.i1 = at->i1;
    part.device_env = env;
    part.nmaps = 0;
    const double before = heddle__report()->kernel_seconds;
    const int error = heddle__wavefront_gpu(&part, p->schedule, p->device);
    heddle__report()->kernel_seconds += before;
    free(env);
    return error;
}

/* After an error the rows from *next on are as they were. */
static int run_panels(const struct panels *p, long *next)
{
    const long count = (rows_of(p->call) + p->rows - 1) / p->rows;
    struct panel at = panel_of(p, 0);
    int error = send(p, &at) ? HEDDLE_ELAUNCH : HEDDLE_OK;
    for (long k = 0; k < count && !error; k++) {
        struct errand errand = {.p = p, .number = k, .count = count};
        pthread_t thread;
        at = panel_of(p, k);
        if (send_above(p, &at))
            return HEDDLE_ELAUNCH;
        const bool beside = !pthread_create(&thread, NULL, run_errand, &errand);
        if (!beside)
            run_errand(&errand);
        error = compute(p, &at);
        if (beside)
            pthread_join(thread, NULL);
        if (errand.error)
            heddle__fatal(p->call->nest, "device %d: rows of a panel could not be copied back; ending the program", p->device);
        if (!error && bring(p, &at, border(p, &at), at.i1))
            error = HEDDLE_ELAUNCH;
        *next = error ? at.i0 : at.i1 + 1;
        if (!error && k + 1 == count && bring(p, &at, at.i0, border(p, &at) - 1))
            error = HEDDLE_ELAUNCH, *next = at.i0;
    }
    return error;
}

/* Buffers, and the arrays that are not cut. */
static int prepare(struct panels *p)
{
    const struct heddle_wavefront *c = p->call;
    size_t whole, at = 0;
    const size_t bytes = buffer_bytes(c, p->rows, &whole);
    p->whole = calloc((size_t)c->nmaps, sizeof *p->whole);
    p->at = calloc((size_t)c->nmaps, sizeof *p->at);
    if (!p->whole || !p->at)
        return HEDDLE_ENOMEM;
    for (int k = 0; k < 2; k++)
        if (!(p->buffer[k] = omp_target_alloc(bytes + 1, p->device)))
            return HEDDLE_ENOMEM;
    for (int k = 0; k < c->nmaps; k++) {
        const struct heddle_map *m = &c->maps[k];
        if (is_cut(m)) {
            p->at[k] = at;
            at += aligned(section(c, m, p->rows));
        } else if (!(p->whole[k] = omp_target_alloc(m->bytes + 1, p->device))) {
            return HEDDLE_ENOMEM;
        } else if (m->kind & HEDDLE_MAP_TO && m->bytes &&
                   omp_target_memcpy(p->whole[k], m->base, m->bytes, 0, (size_t)m->first, p->device, omp_get_initial_device())) {
            return HEDDLE_ELAUNCH;
        }
    }
    return HEDDLE_OK;
}

static void drop(struct panels *p)
{
    for (int k = 0; p->whole && k < p->call->nmaps; k++)
        if (p->whole[k])
            omp_target_free(p->whole[k], p->device);
    for (int k = 0; k < 2; k++)
        if (p->buffer[k])
            omp_target_free(p->buffer[k], p->device);
    free(p->whole);
    free(p->at);
}

bool heddle__needs_panels(const struct heddle_wavefront *call, int device)
{
    return heddle__maps_bytes(call->maps, call->nmaps, device) > heddle_device_room(device) && may_cut(call);
}

static int run_sweep(struct panels *p)
{
    long next = p->call->i0;
    const int error = run_panels(p, &next);
    if (!error || next == p->call->i0)
        return error;
    struct heddle_wavefront rest = *p->call; /* the rows above are done, and cannot be done again */
    rest.i0 = next;
    heddle__warn(p->call->nest, "device %d: %s; rows from %ld on run on the host", p->device, heddle_strerror(error), next);
    return heddle__wavefront_cpu(&rest, HEDDLE_SCHEDULE_REGISTERS);
}

int heddle__wavefront_panels(struct heddle_wavefront *call, int schedule, int device)
{
    struct heddle_wavefront one = *call;
    struct panels p = {.call = &one, .device = device, .schedule = schedule == HEDDLE_SCHEDULE_FLEXIBLE ? HEDDLE_SCHEDULE_PEER : schedule};
    p.rows = panel_rows(call, heddle_device_room(device));
    if (!p.rows)
        return HEDDLE_ENOMEM;
    heddle__report()->kernel_seconds = 0;
    heddle__report()->panels = (rows_of(call) + p.rows - 1) / p.rows;
    heddle__verbose("device %d: %ld rows in panels of %ld", device, rows_of(call), p.rows);
    int error = prepare(&p);
    for (long t = call->t0; !error && t <= call->t1; t++) {
        one.t0 = one.t1 = t;
        if (call->nest->set_sweep)
            call->nest->set_sweep(one.env, t);
        error = run_sweep(&p);
        if (error && t > call->t0)
            heddle__fatal(call->nest, "device %d: %s in a later sweep; ending the program", device, heddle_strerror(error));
    }
    drop(&p);
    return error;
}
