/* SPDX-License-Identifier: Apache-2.0 */
/* A chunk's sections to a device and back. */
#include "chunk.h"
#include "rects.h"
#include "transfer/pipeline.h"
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1 << 20,       /* bytes that travel at a time: a chunk of few blocks overlaps nothing */
    DIRECT_FROM = 1 << 16, /* smaller sections go with the others */
    HELPED = 512 << 10
};

static size_t aligned(size_t n) { return (n + 255) / 256 * 256; }
static char *start_of(const struct heddle_map *m) { return (char *)m->base + m->first; }

/* ---- slots ------------------------------------------------------------------------------------------------------- */
int heddle__slot_make(struct heddle__slot *s, int device, double timeout) {
    s->copies.device = device;
    s->copies.timeout = timeout;
    if (!s->copies.channel)
        s->copies.channel = heddle__channel_take(device);
    return s->copies.channel ? HEDDLE_OK : HEDDLE_ENOMEM;
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

int heddle__chunk_wait(struct heddle__chunk_transfer *c) {
    const struct heddle__double_buffer *b = &c->slot->copies;
    const int error = heddle__channel_record(b->device, b->channel, 0);
    return error ? error : heddle__channel_wait(b->device, b->channel, 0, b->timeout);
}

/* ---- layout ------------------------------------------------------------------------------------------------ */
static char *held_there(const struct heddle_map *m, int device) {
    char *first = heddle__maps_kept(m, device) ? heddle__device_mapped(device, start_of(m)) : NULL;
    return first && heddle__device_mapped(device, start_of(m) + m->bytes - 1) == first + m->bytes - 1 ? first : NULL;
}

static bool in_image(const struct heddle__section *s) { return s->map->bytes && !s->there; }

static size_t lay_out(struct heddle__chunk_transfer *c, int kind, size_t at) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    for (int k = 0; k < loop->nmaps; k++) {
        struct heddle__section *s = &c->section[k];
        if ((s->map->kind & HEDDLE_MAP_CHUNK) && (s->map->kind & HEDDLE_MAP_TOFROM) == kind && in_image(s)) {
            s->at = at;
            at = aligned(at + s->map->bytes);
        }
    }
    return at;
}

/* Of a loop with reductions: so many partial results, and room for them on the host. */
static int plan_red(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    const long most = loop->inner || chunk->count > HEDDLE_LOOP_PARTIALS ? HEDDLE_LOOP_PARTIALS : chunk->count;
    c->partials = c->participant->host_driven || !loop->type->partials ? 0 : most;
    c->red = loop->type->reduces ? heddle__loop_red_bytes(loop) : (size_t)c->partials * loop->type->red_bytes;
    char *more = c->red > c->slot->red_bytes ? realloc(c->slot->red, c->red) : c->slot->red;
    if (c->red > c->slot->red_bytes && !more)
        return HEDDLE_ENOMEM;
    c->slot->red = more;
    c->slot->red_bytes = c->red > c->slot->red_bytes ? c->red : c->slot->red_bytes;
    return HEDDLE_OK;
}

void heddle__chunk_red_start(struct heddle__chunk_transfer *c) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    const size_t each = loop->type->red_bytes;
    if (loop->type->reduces) {
        memset(c->slot->red, 0, c->red);
        heddle__loop_red_start(loop, c->slot->red);
    }
    if (!c->partials)
        return;
    memcpy(c->slot->red, loop->red, each);
    loop->type->red_start(c->slot->red);
    for (long k = 1; k < c->partials; k++)
        memcpy(c->slot->red + (size_t)k * each, c->slot->red, each);
}

void heddle__chunk_red_join(const struct heddle__chunk_transfer *c, void *red) {
    const struct heddle_loop_type *type = c->participant->engine->type;
    if (type->reduces)
        type->red_join(red, c->slot->red);
    for (long k = 0; k < c->partials; k++)
        type->red_join(red, c->slot->red + (size_t)k * type->red_bytes);
}

int heddle__chunk_plan(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk) {
    const struct heddle__participant *p = c->participant;
    const struct heddle_loop *loop = p->engine->loop;
    const size_t env_bytes = loop->type->env_bytes;
    memcpy(c->env, p->env, env_bytes);
    c->lo = loop->lo + chunk->first * loop->step;
    c->count = chunk->count;
    for (int k = 0; k < loop->nmaps; k++)
        c->maps[k] = loop->maps[k];
    if (loop->type->sections &&
        chunk->count) /* a loop that counts down: heddle_lo is the first iteration's all the same */
        loop->type->sections(loop->env, c->lo, c->count, c->maps);
    for (int k = 0; k < loop->nmaps; k++) {
        c->section[k] = (struct heddle__section){.map = &c->maps[k]};
        if (p->engine->held_somewhere && (c->maps[k].kind & HEDDLE_MAP_CHUNK) && c->maps[k].bytes)
            c->section[k].there = held_there(&c->maps[k], p->device);
    }
    if (plan_red(c, chunk))
        return HEDDLE_ENOMEM;
    const size_t control = aligned(env_bytes);
    c->in_end = lay_out(c, HEDDLE_MAP_TO, aligned(control + (loop->type->reduces ? sizeof c->control : 0)));
    c->out_begin = c->in_end;
    c->in_end = lay_out(c, HEDDLE_MAP_TOFROM, aligned(c->in_end + c->red));
    c->out_end = lay_out(c, HEDDLE_MAP_FROM, c->in_end);
    c->total = lay_out(c, HEDDLE_MAP_ALLOC, c->out_end);
    const size_t values = aligned(c->total);
    if (loop->type->reduces)
        c->total = values + heddle__reduce_plan(c);
    const int error = reserve(c->slot, c->total, p->device);
    if (!error && loop->type->reduces)
        heddle__reduce_place(c, c->slot->memory + c->out_begin, c->slot->memory + values);
    for (int k = 0; !error && k < loop->nmaps; k++) {
        struct heddle__section *s = &c->section[k];
        if (!(s->map->kind & HEDDLE_MAP_CHUNK))
            continue;
        char *there = s->there ? s->there : c->slot->memory + s->at;
        char *base = s->map->bytes ? there - s->map->first : NULL;
        if (!base && (s->map->kind & HEDDLE_MAP_RECTS) &&
            s->map->base) /* a chunk that needs none of it may ask for it */
            base = c->slot->memory;
        memcpy(c->env + s->map->slot, &base, sizeof base);
    }
    return error;
}

/* ---- copies ------------------------------------------------------------------------------------------------ */
/* The segments of the image that have a place on the host, in their order; NULL: no memory for them. */
static struct heddle__segment *segments_of(const struct heddle__chunk_transfer *c, bool in, int *count) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    static const int order[] = {HEDDLE_MAP_TO, HEDDLE_MAP_TOFROM, HEDDLE_MAP_FROM};
    const int nrects = loop->type->nrects;
    struct heddle_rect rect[nrects + 1];
    int n = 0;
    if (nrects)
        loop->type->rects(loop->env, c->lo, c->count, rect);
    struct heddle__segment *segment =
        malloc(((size_t)loop->nmaps + 3 + heddle__rects_rows(rect, nrects)) * sizeof *segment);
    if (!segment)
        return NULL;
    if (in)
        segment[n++] = (struct heddle__segment){.host = c->env, .bytes = loop->type->env_bytes};
    if (in && loop->type->reduces)
        segment[n++] = (struct heddle__segment){
            .host = (char *)&c->control, .at = aligned(loop->type->env_bytes), .bytes = sizeof c->control};
    for (int o = in ? 0 : 1; o < (in ? 2 : 3); o++) {
        if (order[o] == HEDDLE_MAP_TOFROM && c->red)
            segment[n++] = (struct heddle__segment){.host = c->slot->red, .at = c->out_begin, .bytes = c->red};
        for (int k = 0; k < loop->nmaps; k++) {
            const struct heddle__section *s = &c->section[k];
            if (!(s->map->kind & HEDDLE_MAP_CHUNK) || (s->map->kind & HEDDLE_MAP_TOFROM) != order[o] || !in_image(s))
                continue;
            const struct heddle__segment whole = {.host = start_of(s->map), .at = s->at, .bytes = s->map->bytes};
            if (s->map->kind & HEDDLE_MAP_RECTS)
                n += heddle__rects_segments(rect, nrects, k, s->map, in, &whole, segment + n);
            else
                segment[n++] = whole;
        }
    }
    for (int k = 0; k < n && c->participant->cuda; k++) /* blocks go on at the next boundary */
        segment[k].direct = segment[k].bytes >= DIRECT_FROM &&
                            (k + 1 == n || segment[k + 1].at >= aligned(segment[k].at + segment[k].bytes)) &&
                            heddle__device_locked(c->participant->device, segment[k].host, segment[k].bytes);
    *count = n;
    return segment;
}

/* What is left of one way of the image. */
struct journey {
    struct heddle__chunk_transfer *c;
    const struct heddle__segment *segment;
    int segments;
    int from;   /* those before are done */
    bool plain; /* the device copies by itself, one section after the other */
    size_t at, end;
    int error;
};

/* The next stretch that goes through blocks, at most one of them; 0: none is left. Direct segments, and what is between
   rows far from each other, are passed over. */
static size_t next_stretch(struct journey *j) {
    size_t stop = j->end;
    while (j->from < j->segments && j->segment[j->from].at + j->segment[j->from].bytes <= j->at)
        j->from++;
    if (j->from < j->segments && j->segment[j->from].at > j->at && j->segment[j->from].at < stop)
        j->at = j->segment[j->from].at;
    for (int k = j->from; k < j->segments; k++) {
        const struct heddle__segment *s = &j->segment[k];
        if (s->at >= j->at + BLOCK && !j->plain)
            break;
        if ((!s->direct && !j->plain) || !s->bytes || s->at + s->bytes <= j->at)
            continue;
        if (j->plain) {
            j->at = s->at > j->at ? s->at : j->at;
            return s->at + s->bytes - j->at;
        }
        if (s->at <= j->at)
            j->at = aligned(s->at + s->bytes);
        else if (s->at < stop)
            stop = s->at;
    }
    if (j->at >= stop || j->from == j->segments)
        return 0;
    return stop - j->at < BLOCK ? stop - j->at : BLOCK;
}

static bool take(void *with, struct heddle__block *block, bool idle) {
    struct journey *j = with;
    (void)idle;
    const size_t bytes = j->error ? 0 : next_stretch(j);
    if (!bytes)
        return false;
    int end = j->from;
    while (end < j->segments && j->segment[end].at < j->at + bytes)
        end++;
    *block = (struct heddle__block){.there = j->c->slot->memory + j->at,
                                    .bytes = bytes,
                                    .segment = j->segment + j->from,
                                    .segments = end - j->from,
                                    .at = j->at};
    j->at += bytes;
    return true;
}

static void ended(void *with, const struct heddle__block *block, int error) {
    struct journey *j = with;
    j->error = j->error ? j->error : error;
    j->c->wrote |= block->to_host && !error;
}

static int copy_direct(struct journey *j, bool in) {
    const struct heddle__double_buffer *b = &j->c->slot->copies;
    int error = HEDDLE_OK;
    for (int k = 0; k < j->segments && !error; k++) {
        const struct heddle__segment *s = &j->segment[k];
        char *there = j->c->slot->memory + s->at;
        if (!s->direct)
            continue;
        error = in ? heddle__channel_in(b->device, b->channel, there, s->host, s->bytes)
                   : heddle__channel_out(b->device, b->channel, s->host, there, s->bytes);
        j->c->wrote |= !in && !error;
    }
    return error;
}

/* Through this thread's own channel; results are there when it returns. */
static int copy(struct heddle__chunk_transfer *c, const struct heddle__segment *segment, int n, bool in, bool direct) {
    struct journey j = {.c = c,
                        .segment = segment,
                        .segments = n,
                        .plain = !c->slot->copies.channel->pinned[0],
                        .at = in ? 0 : c->out_begin,
                        .end = in ? c->in_end : c->out_end};
    const struct heddle__block_source source = {.take = take, .ended = ended, .with = &j};
    int error = copy_direct(&j, in);
    error = error ? error : heddle__double_buffer_run(&c->slot->copies, &source, !in, !in);
    return error || in || !direct ? error : heddle__chunk_wait(c);
}

/* A chunk that is its device's only one would be copied by one thread, an eighth of what the link carries, while others
   have nothing to do. */
static bool has_helpers(const struct heddle__chunk_transfer *c, size_t bytes, bool direct) {
    return c->participant->cuda && c->participant->servers == 1 && bytes >= HELPED && !direct;
}

static bool any_direct(const struct heddle__segment *segment, int n) {
    bool direct = false;
    for (int k = 0; k < n; k++)
        direct |= segment[k].direct;
    return direct;
}

/* [at, end) of the image, with others' help. */
static int helped(struct heddle__chunk_transfer *c, const struct heddle__segment *segment, int n, bool in, size_t at,
                  size_t end) {
    const struct heddle__engine *e = c->participant->engine;
    c->wrote |= !in;
    return heddle__transfer_range(c->participant->device, !in, &e->cores.all,
                                  2 * heddle__loop_count_devices(e, e->participants), segment, n, c->slot->memory, at,
                                  end);
}

int heddle__chunk_send(struct heddle__chunk_transfer *c, bool wait) {
    int n = 0;
    struct heddle__segment *segment = segments_of(c, true, &n);
    if (!segment)
        return HEDDLE_ENOMEM;
    const bool direct = any_direct(segment, n);
    int error = HEDDLE_OK;
    if (has_helpers(c, c->in_end, direct)) {
        error = helped(c, segment, n, true, 0, c->in_end);
    } else {
        error = copy(c, segment, n, true, direct);
        error = error || !wait ? error : heddle__chunk_wait(c);
    }
    free(segment);
    return error;
}

/* What the program keeps on this device has to come to the host as well: other chunks of it are there. */
static int copy_held(struct heddle__chunk_transfer *c) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    const int nrects = loop->type->nrects;
    struct heddle_rect rect[nrects + 1];
    if (nrects)
        loop->type->rects(loop->env, c->lo, c->count, rect);
    for (int k = 0; k < loop->nmaps; k++) {
        const struct heddle__section *s = &c->section[k];
        struct heddle__segment whole = {.host = start_of(s->map), .bytes = s->map->bytes}, *row = &whole;
        int n = 1, error = HEDDLE_OK;
        if (!s->there || !(s->map->kind & HEDDLE_MAP_FROM))
            continue;
        if (s->map->kind & HEDDLE_MAP_RECTS) {
            row = malloc((size_t)(1 + heddle__rects_rows(rect, nrects)) * sizeof *row);
            if (!row)
                return HEDDLE_ENOMEM;
            n = heddle__rects_segments(rect, nrects, k, s->map, false, &whole, row);
        }
        for (int r = 0; r < n && !error; r++)
            error = heddle__device_copy_out(c->participant->device, row[r].host, s->there + row[r].at, row[r].bytes);
        if (row != &whole)
            free(row);
        if (error)
            return HEDDLE_ELAUNCH;
    }
    return HEDDLE_OK;
}

int heddle__chunk_fetch(struct heddle__chunk_transfer *c) {
    int n = 0;
    struct heddle__segment *segment = segments_of(c, false, &n);
    if (!segment)
        return HEDDLE_ENOMEM;
    const bool direct = any_direct(segment, n);
    const int error = has_helpers(c, c->out_end - c->out_begin, direct)
                          ? helped(c, segment, n, false, c->out_begin, c->out_end)
                          : copy(c, segment, n, false, direct);
    free(segment);
    return error ? error : copy_held(c);
}
