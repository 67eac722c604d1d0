/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nests whose arrays do not fit into a device's memory: panels of rows, one after the other, in three sets of buffers.
 * While a panel is computed, the one before it comes back and the next one is sent, both ways at once
 * (transfer/pipeline.c). Any split into row panels is a legal order; what a panel reads of the rows above it comes from
 * the host once they are there. Several devices take panels in turn: they compute one after the other, and each brings
 * the bandwidth of its own link.
 *
 * Arrays are cut where all references to one move by the same number of bytes from row to row; others are there whole.
 */
#include "transfer/pipeline.h"
#include "job.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SETS = 3, WORKERS = 4 /* threads for a direction of a device: four cores fill half a PCIe 5 link */ };

struct site {
    int device;
    char **whole; /* [map]: on the device, of arrays that are not cut */
    char *buffer[SETS];
    struct heddle__transfer *in, *out;
};
struct panels {
    struct heddle_wavefront *call;
    int schedule, devices;
    long rows, count; /* of a panel, the last one may have fewer; of them */
    struct site *site;
    size_t *at;                          /* [map]: a cut array's place in a buffer */
    struct heddle__done *sent, *brought; /* [SETS * devices] */
    double waited[2];                    /* seconds for rows to come to a device, and for room in its buffers */
};
struct panel {
    long i0, i1, slot; /* slot: buffer slot / devices of device slot % devices */
    struct site *site;
    char *buffer;
};

static bool is_cut(const struct heddle_map *m) { return m->slope > 0; }
static long rows_of(const struct heddle_wavefront *c) { return c->i1 - c->i0 + 1; }

/* What rows i0 … i1 need of array m: offsets from its base, of the first byte and behind the last one. */
static ptrdiff_t section_first(const struct heddle_wavefront *c, const struct heddle_map *m, long i0) {
    const ptrdiff_t at = m->first + (i0 - m->reach - c->i0) * m->slope;
    return at > m->first ? at : m->first;
}
static ptrdiff_t section_end(const struct heddle_wavefront *c, const struct heddle_map *m, long i1) {
    const ptrdiff_t whole = m->first + (ptrdiff_t)m->bytes, at = whole - (c->i1 - i1 - m->reach) * m->slope;
    return at < whole ? at : whole;
}
/* Bytes of it that a panel of so many rows needs at most. */
static size_t section(const struct heddle_wavefront *c, const struct heddle_map *m, long rows) {
    const size_t most = m->bytes - (size_t)(rows_of(c) - rows) * (size_t)m->slope + (size_t)(2 * m->reach * m->slope);
    return most < m->bytes ? most : m->bytes;
}

static size_t aligned(size_t n) { return (n + 511) / 512 * 512; }

/* Bytes of a buffer for panels of so many rows; *whole: those of the arrays that are not cut. */
static size_t buffer_bytes(const struct heddle_wavefront *c, long rows, size_t *whole) {
    size_t sum = 0;
    *whole = 0;
    for (int k = 0; k < c->nmaps; k++)
        if (is_cut(&c->maps[k]))
            sum += aligned(section(c, &c->maps[k], rows));
        else
            *whole += aligned(c->maps[k].bytes);
    return sum;
}

static bool may_cut(const struct heddle_wavefront *c) {
    for (int k = 0; k < c->nmaps; k++) {
        const struct heddle_map *m = &c->maps[k];
        if (m->kind & HEDDLE_MAP_W && (!is_cut(m) || m->row < 0))
            return false;
        if (is_cut(m) && m->bytes < (size_t)(rows_of(c) - 1) * (size_t)m->slope)
            return false;
    }
    return c->nest->flags & HEDDLE_NEST_SPLIT;
}

/* Rows of the largest panels of which all sets fit; 0: not one row does. */
static long most_rows(const struct heddle_wavefront *c, size_t room) {
    long low = 0, high = rows_of(c);
    size_t whole;
    while (low < high) {
        const long middle = low + (high - low + 1) / 2;
        const size_t bytes = buffer_bytes(c, middle, &whole);
        if (whole + SETS * bytes <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The first panel's way in and the last one's way back are beside nothing, so there are many panels; and a panel takes
   as long as its columns do, however few rows it has: with 2048 of 4-byte cells no longer than their way over a PCIe 5
   link. Many rows are whole row blocks of every form. */
static long panel_rows(const struct heddle_wavefront *c, size_t room, int devices) {
    enum { BLOCK = 256, LEAST = 2048, MANY = 16 };
    const long most = most_rows(c, room), share = rows_of(c) / (MANY * devices);
    const long rows = share > LEAST ? share : LEAST, less = rows < most ? rows : most;
    return less > BLOCK ? less / BLOCK * BLOCK : less;
}

static struct panel panel_of(const struct panels *p, long number) {
    const long i0 = p->call->i0 + number * p->rows, i1 = i0 + p->rows - 1, slot = number % (SETS * p->devices);
    struct site *site = &p->site[slot % p->devices];
    return (struct panel){i0, i1 < p->call->i1 ? i1 : p->call->i1, slot, site, site->buffer[slot / p->devices]};
}

/* One way or the other: bytes from … to - 1 (offsets from the array's base) of array k of a panel. Without `done` at
 * once. */
static int move(const struct panels *p, const struct panel *at, int k, ptrdiff_t from, ptrdiff_t to, bool to_host,
                struct heddle__done *done) {
    const struct heddle_map *m = &p->call->maps[k];
    const ptrdiff_t first = section_first(p->call, m, at->i0), end = section_end(p->call, m, at->i1);
    const int device = at->site->device;
    from = from < first ? first : from;
    to = to > end ? end : to;
    if (to <= from)
        return HEDDLE_OK;
    char *here = (char *)m->base + from, *there = at->buffer + p->at[k] + (from - first);
    const size_t bytes = (size_t)(to - from);
    if (done)
        return heddle__transfer_copy(to_host ? at->site->out : at->site->in, here, there, bytes, done);
    return to_host ? heddle__device_copy_out(device, here, there, bytes)
                   : heddle__device_copy_in(device, there, here, bytes);
}

/* The first byte of row i of what the nest writes of an array. */
static ptrdiff_t written(const struct panels *p, const struct heddle_map *m, long i) {
    return m->row + (i - p->call->i0) * m->slope;
}

/* Begins to send what the panel reads; of arrays that the nest writes, without what lies above its own rows. */
static int send(const struct panels *p, const struct panel *at) {
    int error = 0;
    for (int k = 0; k < p->call->nmaps && !error; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        if (is_cut(m) && m->kind & HEDDLE_MAP_TO)
            error = move(p, at, k, m->kind & HEDDLE_MAP_W ? written(p, m, at->i0) : m->first, PTRDIFF_MAX, false,
                         &p->sent[at->slot]);
    }
    return error;
}

/* That part: rows of the panel above, which has to be back, and the border's. */
static int send_above(const struct panels *p, const struct panel *at) {
    int error = 0;
    for (int k = 0; k < p->call->nmaps && !error; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        if (is_cut(m) && m->kind & HEDDLE_MAP_W && (m->kind & HEDDLE_MAP_TO || at->i0 > p->call->i0))
            error = move(p, at, k, PTRDIFF_MIN, written(p, m, at->i0), false, NULL);
    }
    return error;
}

/* Rows i0 … i1 of the panel as the nest left them; from the end of row i0 - 1 on, so that parts join. */
static int bring(const struct panels *p, const struct panel *at, long i0, long i1, struct heddle__done *done) {
    const ptrdiff_t columns = p->call->j1 - p->call->j0 + 1;
    int error = 0;
    for (int k = 0; k < p->call->nmaps && !error; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        const ptrdiff_t wide = columns * (ptrdiff_t)m->size;
        if (m->kind & HEDDLE_MAP_W && m->kind & HEDDLE_MAP_FROM && i0 <= i1)
            error = move(p, at, k, i0 > at->i0 ? written(p, m, i0 - 1) + wide : written(p, m, i0),
                         written(p, m, i1) + wide, true, done);
    }
    return error;
}

/* Rows that the next panel reads: they come back before it starts, the others meanwhile. */
static long border(const struct panels *p, const struct panel *at) {
    const long deep = p->call->nest->depth > 1 ? p->call->nest->depth : 1, first = at->i1 - deep + 1;
    return first > at->i0 ? first : at->i0;
}

static int compute(const struct panels *p, const struct panel *at) {
    struct heddle_wavefront part = *p->call;
    char *env = malloc(p->call->nest->env_bytes + 1);
    if (!env)
        return HEDDLE_ENOMEM;
    memcpy(env, p->call->env, p->call->nest->env_bytes);
    for (int k = 0; k < p->call->nmaps; k++) {
        const struct heddle_map *m = &p->call->maps[k];
        char *base =
            is_cut(m) ? at->buffer + p->at[k] - section_first(p->call, m, at->i0) : at->site->whole[k] - m->first;
        memcpy(env + m->slot, &base, sizeof base);
    }
    part.i0 = at->i0;
    part.i1 = at->i1;
    part.device_env = env;
    part.nmaps = 0;
    const double before = heddle__report()->kernel_seconds;
    const int error = heddle__wavefront_gpu(&part, p->schedule, at->site->device, NULL);
    heddle__report()->kernel_seconds += before;
    free(env);
    return error;
}

static int wait_for(struct panels *p, struct heddle__transfer *transfer, struct heddle__done *done, int what) {
    const double start = heddle__now();
    const int error = heddle__transfer_wait(transfer, done);
    p->waited[what] += heddle__now() - start;
    *done = (struct heddle__done){.left = 0};
    return error;
}

static void lost(const struct panels *p, const struct panel *at) {
    heddle__fatal(&p->call->nest->site, "device %d: rows of a panel could not be copied back; ending the program",
                  at->site->device);
}

/* Panel `number` begins its way to its device, if there is one; the one that had its buffer is back by then. */
static int begin_sending(struct panels *p, long number) {
    if (number >= p->count)
        return HEDDLE_OK;
    const struct panel at = panel_of(p, number);
    if (wait_for(p, at.site->out, &p->brought[at.slot], 1))
        lost(p, &at);
    return send(p, &at);
}

/* Computes it and begins to bring it back. */
static int run_panel(struct panels *p, long number) {
    const struct panel at = panel_of(p, number);
    int error = begin_sending(p, number + p->devices);
    if (!error)
        error = wait_for(p, at.site->in, &p->sent[at.slot], 0);
    if (!error)
        error = send_above(p, &at);
    if (!error)
        error = compute(p, &at);
    if (!error &&
        (bring(p, &at, border(p, &at), at.i1, NULL) || bring(p, &at, at.i0, border(p, &at) - 1, &p->brought[at.slot])))
        lost(p, &at);
    return error;
}

/* After an error the rows from *next on are as they were, those above are done. */
static int run_panels(struct panels *p, long *next) {
    int error = HEDDLE_OK;
    for (long k = 0; k < p->devices && !error; k++)
        error = begin_sending(p, k);
    for (long k = 0; k < p->count && !error; k++) {
        error = run_panel(p, k);
        *next = p->call->i0 + (error ? k : k + 1) * p->rows;
    }
    for (long slot = 0; slot < SETS * p->devices; slot++) { /* whatever is still under way */
        const struct panel at = panel_of(p, slot);
        wait_for(p, at.site->in, &p->sent[slot], 0);
        if (wait_for(p, at.site->out, &p->brought[slot], 1))
            lost(p, &at);
    }
    return error;
}

/* Buffers, and the arrays that are not cut. */
static int prepare_site(const struct panels *p, struct site *site, size_t bytes) {
    const struct heddle_wavefront *c = p->call;
    site->whole = calloc((size_t)c->nmaps, sizeof *site->whole);
    site->in = heddle__transfer_open(site->device, false, NULL, 3 * (int)p->devices, WORKERS);
    site->out = heddle__transfer_open(site->device, true, NULL, 3 * (int)p->devices, WORKERS);
    if (!site->whole || !site->in || !site->out)
        return HEDDLE_ENOMEM;
    for (int k = 0; k < SETS; k++)
        if (!(site->buffer[k] = heddle__device_alloc(site->device, bytes + 1)))
            return HEDDLE_ENOMEM;
    for (int k = 0; k < c->nmaps; k++) {
        const struct heddle_map *m = &c->maps[k];
        if (is_cut(m))
            continue;
        if (!(site->whole[k] = heddle__device_alloc(site->device, m->bytes + 1)))
            return HEDDLE_ENOMEM;
        if (m->kind & HEDDLE_MAP_TO && m->bytes &&
            heddle__device_copy_in(site->device, site->whole[k], (char *)m->base + m->first, m->bytes))
            return HEDDLE_ELAUNCH;
    }
    return HEDDLE_OK;
}

static int prepare(struct panels *p, const int *devices) {
    const struct heddle_wavefront *c = p->call;
    size_t whole, at = 0;
    const size_t bytes = buffer_bytes(c, p->rows, &whole), slots = (size_t)(SETS * p->devices);
    p->site = calloc((size_t)p->devices, sizeof *p->site);
    p->at = calloc((size_t)c->nmaps, sizeof *p->at);
    p->sent = calloc(slots, sizeof *p->sent);
    p->brought = calloc(slots, sizeof *p->brought);
    int error = p->site && p->at && p->sent && p->brought ? HEDDLE_OK : HEDDLE_ENOMEM;
    for (int k = 0; k < c->nmaps && !error; k++)
        if (is_cut(&c->maps[k])) {
            p->at[k] = at;
            at += aligned(section(c, &c->maps[k], p->rows));
        }
    for (int d = 0; d < p->devices && !error; d++) {
        p->site[d].device = devices[d];
        error = prepare_site(p, &p->site[d], bytes);
    }
    return error;
}

static void drop(struct panels *p) {
    for (int d = 0; p->site && d < p->devices; d++) {
        struct site *site = &p->site[d];
        for (int k = 0; site->whole && k < p->call->nmaps; k++)
            heddle__device_free(site->device, site->whole[k]);
        for (int k = 0; k < SETS; k++)
            heddle__device_free(site->device, site->buffer[k]);
        free(site->whole);
        heddle__transfer_close(site->in);
        heddle__transfer_close(site->out);
    }
    free(p->site);
    free(p->at);
    free(p->sent);
    free(p->brought);
}

bool heddle__needs_panels(const struct heddle_wavefront *call, int device) {
    return heddle__maps_bytes(call->maps, call->nmaps, device) > heddle_device_room(device) && may_cut(call);
}

static int run_sweep(struct panels *p) {
    long next = p->call->i0;
    const int error = run_panels(p, &next);
    if (!error || next == p->call->i0)
        return error;
    struct heddle_wavefront rest = *p->call; /* the rows above are done, and cannot be done again */
    rest.i0 = next;
    heddle__warn(&p->call->nest->site, "device %d: %s; rows from %ld on run on the host", p->site->device,
                 heddle_strerror(error), next);
    return heddle__wavefront_cpu(&rest, HEDDLE_SCHEDULE_REGISTERS);
}

int heddle__wavefront_panels(struct heddle_wavefront *call, int schedule, const int *devices, int count) {
    struct heddle_wavefront one = *call;
    struct panels p = {.call = &one,
                       .devices = count,
                       .schedule = schedule == HEDDLE_SCHEDULE_FLEXIBLE ? HEDDLE_SCHEDULE_PEER : schedule};
    size_t room = heddle_device_room(devices[0]);
    for (int d = 1; d < count; d++)
        room = heddle_device_room(devices[d]) < room ? heddle_device_room(devices[d]) : room;
    p.rows = panel_rows(call, room, count);
    if (!p.rows)
        return HEDDLE_ENOMEM;
    p.count = (rows_of(call) + p.rows - 1) / p.rows;
    heddle__report()->kernel_seconds = 0;
    heddle__report()->panels = p.count;
    int error = prepare(&p, devices);
    for (long t = call->t0; !error && t <= call->t1; t++) {
        one.t0 = one.t1 = t;
        if (call->nest->set_sweep)
            call->nest->set_sweep(one.env, t);
        error = run_sweep(&p);
        if (error && t > call->t0)
            heddle__fatal(&call->nest->site, "device %d: %s in a later sweep; ending the program", devices[0],
                          heddle_strerror(error));
    }
    heddle__verbose("device %d%s: %ld panels of %ld rows; waited %.6f s for rows to come, %.6f s for rows to go",
                    devices[0], count > 1 ? " and others" : "", p.count, p.rows, p.waited[0], p.waited[1]);
    drop(&p);
    return error;
}
