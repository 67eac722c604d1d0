/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk's sections to a device and back. */
#include "chunk.h"
#include "transfer/segments.h"
#include "transfer/pipeline.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DIRECT_FROM = 1 << 16 /* bytes: smaller ones go with the others */, HELPED = 512 << 10 };

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }
static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }

/* ---- slots ----------------------------------------------------------------------------------------------------------
 */
int heddle__slot_make(struct heddle__slot *s, int device, bool cuda) {
    if (s->made)
        return HEDDLE_OK;
    for (int k = 0; cuda && k < 2; k++) {
        if (!s->pinned[k])
            s->pinned[k] = heddle__device_pinned(device, HEDDLE__PIECE);
        if (!s->pinned[k] || (!s->event[k] && heddle_gpu_event(&s->event[k])))
            return HEDDLE_ENOMEM;
    }
    if (cuda && heddle_gpu_stream(&s->stream))
        return HEDDLE_ELAUNCH;
    s->made = true;
    return HEDDLE_OK;
}

/* A driver waits for all that runs on the device before it frees memory, and parts of a loop are not of one length from
   run to run: what grows gets a quarter more, where there is as much. */
static int reserve(struct heddle__slot *s, size_t bytes, int device) {
    if (bytes <= s->bytes)
        return HEDDLE_OK;
    if (s->memory)
        heddle__device_free(device, s->memory);
    const size_t more = bytes + bytes / 4;
    s->memory = more <= HEDDLE__KEEP_BYTES ? heddle__device_alloc(device, more) : NULL;
    s->bytes = s->memory ? more : bytes;
    s->memory = s->memory ? s->memory : heddle__device_alloc(device, bytes);
    s->bytes = s->memory ? s->bytes : 0;
    return s->memory ? HEDDLE_OK : HEDDLE_ENOMEM;
}

void heddle__slot_trim(struct heddle__slot *s, int device) {
    if (s->bytes <= HEDDLE__KEEP_BYTES)
        return;
    heddle__device_free(device, s->memory);
    s->memory = NULL;
    s->bytes = 0;
}

/* Bounded: the device may be gone. Short waits spin, long ones sleep. */
static int wait_event(const struct heddle__flight *f, void *event) {
    const double begin = heddle__now(), timeout = f->place->engine->timeout;
    for (;;) {
        const int done = heddle_gpu_done(event);
        const double passed = heddle__now() - begin;
        if (done)
            return done > 0 ? HEDDLE_OK : HEDDLE_ELAUNCH;
        if (passed > timeout)
            return HEDDLE_ETIMEDOUT;
        if (passed > 50e-6)
            nanosleep(&(struct timespec){0, passed > 1e-3 ? 50000 : 10000}, NULL);
    }
}

int heddle__flight_wait(struct heddle__flight *f) {
    struct heddle__slot *s = f->slot;
    const int error = heddle_gpu_record(s->event[0], s->stream);
    return error ? error : wait_event(f, s->event[0]);
}

/* ---- layout ---------------------------------------------------------------------------------------------------------
 */
static char *kept_there(const struct heddle_map *m, int device) {
    char *first = heddle__device_mapped(device, start_of(m));
    return first && heddle__device_mapped(device, start_of(m) + m->bytes - 1) == first + m->bytes - 1 ? first : NULL;
}

static bool in_image(const struct heddle__section *s) { return s->map->bytes && !s->there; }

static size_t lay_out(struct heddle__flight *f, int kind, size_t at) {
    const struct heddle_loop *loop = f->place->engine->loop;
    for (int k = 0; k < loop->nmaps; k++) {
        struct heddle__section *s = &f->section[k];
        if ((s->map->kind & HEDDLE_MAP_CHUNK) && (s->map->kind & HEDDLE_MAP_TOFROM) == kind && in_image(s)) {
            s->at = at;
            at = aligned(at + s->map->bytes);
        }
    }
    return at;
}

/* Of a loop with reductions: so many partial results, and room for them on the host. */
static int plan_red(struct heddle__flight *f, const struct heddle_loop_chunk *chunk) {
    const struct heddle_loop *loop = f->place->engine->loop;
    const long most = loop->inner || chunk->count > HEDDLE_LOOP_PARTIALS ? HEDDLE_LOOP_PARTIALS : chunk->count;
    f->partials = f->place->drive || !loop->type->partials ? 0 : most;
    const size_t bytes = (size_t)f->partials * loop->type->red_bytes;
    char *more = bytes > f->slot->red_bytes ? realloc(f->slot->red, bytes) : f->slot->red;
    if (bytes > f->slot->red_bytes && !more)
        return HEDDLE_ENOMEM;
    f->slot->red = more;
    f->slot->red_bytes = bytes > f->slot->red_bytes ? bytes : f->slot->red_bytes;
    return HEDDLE_OK;
}

static size_t red_bytes(const struct heddle__flight *f) {
    return (size_t)f->partials * f->place->engine->type->red_bytes;
}

void heddle__flight_red_start(struct heddle__flight *f) {
    const struct heddle_loop *loop = f->place->engine->loop;
    const size_t each = loop->type->red_bytes;
    if (!f->partials)
        return;
    memcpy(f->slot->red, loop->red, each);
    loop->type->red_start(f->slot->red);
    for (long k = 1; k < f->partials; k++)
        memcpy(f->slot->red + (size_t)k * each, f->slot->red, each);
}

void heddle__flight_red_join(const struct heddle__flight *f, void *red) {
    const struct heddle_loop_type *type = f->place->engine->type;
    for (long k = 0; k < f->partials; k++)
        type->red_join(red, f->slot->red + (size_t)k * type->red_bytes);
}

int heddle__flight_plan(struct heddle__flight *f, const struct heddle_loop_chunk *chunk) {
    const struct heddle__place *p = f->place;
    const struct heddle_loop *loop = p->engine->loop;
    const size_t env_bytes = loop->type->env_bytes;
    memcpy(f->env, p->env, env_bytes);
    for (int k = 0; k < loop->nmaps; k++)
        f->maps[k] = loop->maps[k];
    if (loop->type->sections &&
        chunk->count) /* a loop that counts down: heddle_lo is the first iteration's all the same */
        loop->type->sections(loop->env, loop->lo + chunk->first * loop->step, chunk->count, f->maps);
    for (int k = 0; k < loop->nmaps; k++) {
        f->section[k] = (struct heddle__section){.map = &f->maps[k]};
        if (p->engine->held_somewhere && (f->maps[k].kind & HEDDLE_MAP_CHUNK) && f->maps[k].bytes)
            f->section[k].there = kept_there(&f->maps[k], p->device);
    }
    if (plan_red(f, chunk))
        return HEDDLE_ENOMEM;
    f->in_end = lay_out(f, HEDDLE_MAP_TO, aligned(env_bytes));
    f->out_begin = f->in_end;
    f->in_end = lay_out(f, HEDDLE_MAP_TOFROM, aligned(f->in_end + red_bytes(f)));
    f->out_end = lay_out(f, HEDDLE_MAP_FROM, f->in_end);
    f->total = lay_out(f, HEDDLE_MAP_ALLOC, f->out_end);
    const int error = reserve(f->slot, f->total, p->device);
    for (int k = 0; !error && k < loop->nmaps; k++) {
        struct heddle__section *s = &f->section[k];
        if (!(s->map->kind & HEDDLE_MAP_CHUNK))
            continue;
        char *there = s->there ? s->there : f->slot->memory + s->at;
        char *base = s->map->bytes ? there - s->map->first : NULL;
        memcpy(f->env + s->map->slot, &base, sizeof base);
    }
    return error;
}

/* ---- copies ---------------------------------------------------------------------------------------------------------
 */
/* The parts of the image that have a place on the host, in their order. */
static int parts_of(const struct heddle__flight *f, bool in, struct heddle__part *part) {
    const struct heddle_loop *loop = f->place->engine->loop;
    static const int order[] = {HEDDLE_MAP_TO, HEDDLE_MAP_TOFROM, HEDDLE_MAP_FROM};
    int n = 0;
    if (in)
        part[n++] = (struct heddle__part){.host = f->env, .bytes = loop->type->env_bytes};
    for (int o = in ? 0 : 1; o < (in ? 2 : 3); o++) {
        if (order[o] == HEDDLE_MAP_TOFROM && f->partials)
            part[n++] = (struct heddle__part){.host = f->slot->red, .at = f->out_begin, .bytes = red_bytes(f)};
        for (int k = 0; k < loop->nmaps; k++) {
            const struct heddle__section *s = &f->section[k];
            if ((s->map->kind & HEDDLE_MAP_CHUNK) && (s->map->kind & HEDDLE_MAP_TOFROM) == order[o] && in_image(s))
                part[n++] = (struct heddle__part){.host = start_of(s->map), .at = s->at, .bytes = s->map->bytes};
        }
    }
    for (int k = 0; k < n && f->place->cuda; k++)
        part[k].direct =
            part[k].bytes >= DIRECT_FROM && heddle__device_locked(f->place->device, part[k].host, part[k].bytes);
    return n;
}

static int piece_free(struct heddle__flight *f, int k) {
    const int error = f->slot->travels[k] ? wait_event(f, f->slot->event[k]) : HEDDLE_OK;
    f->slot->travels[k] = false;
    return error;
}

/* The next stretch of [*at, end) of the image that is staged, at most a piece; 0: none is left. Direct parts are passed
 * over. */
static size_t next_piece(const struct heddle__part *part, int n, size_t *at, size_t end) {
    size_t stop = end;
    for (int k = 0; k < n; k++) {
        if (!part[k].direct || part[k].at + part[k].bytes <= *at)
            continue;
        if (part[k].at <= *at)
            *at = aligned(part[k].at + part[k].bytes);
        else if (part[k].at < stop)
            stop = part[k].at;
    }
    if (*at >= stop)
        return 0;
    return stop - *at < HEDDLE__PIECE ? stop - *at : HEDDLE__PIECE;
}

static int copy_direct(struct heddle__flight *f, const struct heddle__part *part, int n, bool in) {
    int error = HEDDLE_OK;
    for (int k = 0; k < n && !error; k++) {
        char *there = f->slot->memory + part[k].at;
        f->wrote |= part[k].direct && !in;
        if (part[k].direct)
            error = in ? heddle_gpu_copy_in(there, part[k].host, part[k].bytes, f->slot->stream)
                       : heddle_gpu_copy_out(part[k].host, there, part[k].bytes, f->slot->stream);
    }
    return error;
}

static int sent(struct heddle__slot *s, int k, int error) {
    error = error ? error : heddle_gpu_record(s->event[k], s->stream);
    s->travels[k] = !error;
    return error;
}

static int stage_in(struct heddle__flight *f, const struct heddle__part *part, int n) {
    struct heddle__slot *s = f->slot;
    size_t at = 0, bytes;
    int error = copy_direct(f, part, n, true);
    for (int k = 0; !error && (bytes = next_piece(part, n, &at, f->in_end)); at += bytes, k ^= 1) {
        if ((error = piece_free(f, k)))
            break;
        heddle__gather(part, n, s->pinned[k], at, bytes, true);
        error = sent(s, k, heddle_gpu_copy_in(s->memory + at, s->pinned[k], bytes, s->stream));
    }
    return error;
}

/* One piece travels while the one before it is put where it belongs. */
static int stage_out(struct heddle__flight *f, const struct heddle__part *part, int n) {
    struct heddle__slot *s = f->slot;
    size_t from[2] = {0}, bytes[2] = {0}, at = f->out_begin;
    bool direct = false;
    for (int k = 0; k < n; k++)
        direct |= part[k].direct;
    int error = copy_direct(f, part, n, false);
    for (int k = 0; !error; k ^= 1) {
        if ((error = piece_free(f, k)))
            break;
        if (bytes[k]) {
            f->wrote = true;
            heddle__gather(part, n, s->pinned[k], from[k], bytes[k], false);
        }
        bytes[k] = next_piece(part, n, &at, f->out_end);
        from[k] = at;
        at += bytes[k];
        if (bytes[k])
            error = sent(s, k, heddle_gpu_copy_out(s->pinned[k], s->memory + from[k], bytes[k], s->stream));
        else if (!bytes[k ^ 1])
            return direct ? heddle__flight_wait(f) : HEDDLE_OK;
    }
    return error;
}

static int copy_plainly(struct heddle__flight *f, const struct heddle__part *part, int n, bool in) {
    const int device = f->place->device;
    for (int k = 0; k < n; k++) {
        char *there = f->slot->memory + part[k].at;
        if (part[k].bytes && (in ? heddle__device_copy_in(device, there, part[k].host, part[k].bytes)
                                 : heddle__device_copy_out(device, part[k].host, there, part[k].bytes)))
            return HEDDLE_ELAUNCH;
        f->wrote |= !in;
    }
    return HEDDLE_OK;
}

/* A piece that is its device's only one would be copied by one thread, an eighth of what the link carries, while others
 * have nothing to do. */
static bool has_helpers(const struct heddle__flight *f, const struct heddle__part *part, int n, size_t bytes) {
    bool direct = false;
    for (int k = 0; k < n; k++)
        direct |= part[k].direct;
    return f->place->servers == 1 && bytes >= HELPED && !direct;
}

/* [at, end) of the image, with others' help. */
static int helped(struct heddle__flight *f, const struct heddle__part *part, int n, bool in, size_t at, size_t end) {
    const struct heddle__engine *e = f->place->engine;
    f->wrote |= !in;
    return heddle__stage_range(f->place->device, !in, &e->cores.all, 2 * heddle__loop_devices(e, e->places), part, n,
                               f->slot->memory, at, end);
}

int heddle__flight_in(struct heddle__flight *f, bool wait) {
    struct heddle__part part[f->place->engine->loop->nmaps + 2];
    const int n = parts_of(f, true, part);
    if (!f->place->cuda)
        return copy_plainly(f, part, n, true);
    if (has_helpers(f, part, n, f->in_end))
        return helped(f, part, n, true, 0, f->in_end);
    const int error = stage_in(f, part, n);
    return error || !wait ? error : heddle__flight_wait(f);
}

/* What the program keeps on this device has to come to the host as well: other chunks of it are there. */
static int copy_kept(struct heddle__flight *f) {
    const struct heddle_loop *loop = f->place->engine->loop;
    for (int k = 0; k < loop->nmaps; k++) {
        const struct heddle__section *s = &f->section[k];
        if (s->there && (s->map->kind & HEDDLE_MAP_FROM) &&
            heddle__device_copy_out(f->place->device, start_of(s->map), s->there, s->map->bytes))
            return HEDDLE_ELAUNCH;
    }
    return HEDDLE_OK;
}

int heddle__flight_out(struct heddle__flight *f) {
    struct heddle__part part[f->place->engine->loop->nmaps + 2];
    const int n = parts_of(f, false, part);
    const bool help = f->place->cuda && has_helpers(f, part, n, f->out_end - f->out_begin);
    const int error = help             ? helped(f, part, n, false, f->out_begin, f->out_end)
                      : f->place->cuda ? stage_out(f, part, n)
                                       : copy_plainly(f, part, n, false);
    return error ? error : copy_kept(f);
}
