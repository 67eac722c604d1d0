/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread that serves an offload device: takes a chunk, brings its sections, runs it (a kernel, or a variant that
 * drives the device from here), brings the results back. Several such threads serve a device; while one waits for its
 * kernel others copy. What does not fit into the device's memory is done in halves.
 */
#include "chunk.h"
#include "variant.h"
#include "trace/record.h"
#include <heddle/gpu.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(HEDDLE__SERVERS <= HEDDLE__SLOTS, "one for each thread");

static struct heddle__slot **slots_of(const struct heddle__participant *p) {
    return heddle__device(p->device)->slot[p->engine->seat];
}

static struct heddle__slot *slot_of(const struct heddle__server *s) {
    struct heddle__slot **slot = &slots_of(s->participant)[s->slot];
    if (!*slot)
        *slot = calloc(1, sizeof **slot);
    return *slot;
}

void heddle__slot_forget(const struct heddle__participant *p, int slot) { slots_of(p)[slot] = NULL; }

/* ---- data that every chunk needs --------------------------------------------------------------------------- */
static int resident_maps(const struct heddle_loop *loop, struct heddle_map *maps) {
    int n = 0;
    for (int k = 0; k < loop->nmaps; k++)
        if (!(loop->maps[k].kind & (HEDDLE_MAP_CHUNK | HEDDLE_MAP_REDUCED)))
            maps[n++] = loop->maps[k];
    return n;
}

static int enter_traced(struct heddle__participant *p, const struct heddle_map *maps, int n) {
    const int64_t begin = heddle__trace_on() && n ? heddle__trace_now() : 0;
    const int error = heddle__resident_enter(&p->resident, maps, n);
    if (begin) {
        char group[32];
        snprintf(group, sizeof group, "device %d", p->device);
        heddle__trace_span(heddle__trace_track(group, "shared data"), heddle__trace_name("shared data to device"),
                           begin, heddle__trace_now());
    }
    return error;
}

/* The first thread to come does it, the other one waits. */
static int enter(struct heddle__participant *p) {
    const struct heddle_loop *loop = p->engine->loop;
    struct heddle_map maps[loop->nmaps + 1];
    pthread_mutex_lock(&p->lock);
    if (!p->entered) {
        memcpy(p->env, loop->env, loop->type->env_bytes);
        p->entered = enter_traced(p, maps, resident_maps(loop, maps));
        p->entered = p->entered ? p->entered : 1;
        p->ready = heddle__now() - p->engine->start;
    }
    const int entered = p->entered;
    pthread_mutex_unlock(&p->lock);
    return entered > 0 ? HEDDLE_OK : entered;
}

void heddle__loop_leave_device(struct heddle__participant *p) {
    const struct heddle_loop *loop = p->engine->loop;
    struct heddle_map maps[loop->nmaps + 1];
    heddle__resident_leave(&p->resident, maps, resident_maps(loop, maps));
    for (int k = 0; k < HEDDLE__SERVERS; k++)
        if (slots_of(p)[k])
            heddle__slot_trim(slots_of(p)[k], p->device);
}

/* ---- one chunk --------------------------------------------------------------------------------------------- */
struct times {
    double compute, move;
    int64_t kernel_begin, kernel_end;
};

static int move(struct heddle__chunk_transfer *c, bool in, struct times *t) {
    const double before = heddle__clock_begin(c->participant, HEDDLE__MOVES);
    const int error = in ? heddle__chunk_send(c, !c->participant->host_driven) : heddle__chunk_fetch(c);
    t->move += heddle__clock_end(c->participant, HEDDLE__MOVES, before);
    return error;
}

/* A variant gets the values behind it on its stream, and may leave before they are computed. */
static int run_host_driven(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk, void *red) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    heddle__launch_begin();
    c->participant->host_driven(c->env, loop->lo + chunk->first * loop->step, loop->step, chunk->count, red);
    (void)heddle__launch_end();
    return c->participant->cuda ? heddle__chunk_wait(c) : HEDDLE_OK;
}

static int launch(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk, void *red) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    const double threads = (double)chunk->count * (double)(loop->inner > 1 ? loop->inner : 1);
    if (!c->participant->cuda && !heddle__kernel_teams_fit()) /* any more */
        return HEDDLE_ENOMEM;
    heddle__launch_begin();
    char *control = c->slot->memory + (loop->type->env_bytes + 255) / 256 * 256;
    loop->type->kernel(&(struct heddle_loop_launch){
        .device = c->participant->device,
        .env = c->slot->memory,
        .host_env = loop->env,
        .lo = loop->lo + chunk->first * loop->step,
        .step = loop->step,
        .count = chunk->count,
        .spread = heddle__device_spread(c->participant->device, threads, c->participant->servers),
        .red = c->partials ? c->slot->red : red,
        .partial = c->partials ? c->slot->memory + c->out_begin : NULL,
        .control = loop->type->reduces ? (struct heddle_reduce_control *)control : NULL,
        .teams = c->teams,
        .threads = c->threads});
    return heddle__launch_end();
}

static int compute(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk, void *red,
                   struct times *t) {
    struct heddle__participant *p = c->participant;
    const bool turn = !p->cuda && heddle__turn_begin(); /* it computes on the host's cores */
    t->kernel_begin = heddle__trace_on() ? heddle__trace_now() : 0;
    const double before = heddle__clock_begin(p, HEDDLE__COMPUTES), start = heddle__now();
    const int error = p->host_driven ? run_host_driven(c, chunk, red) : launch(c, chunk, red);
    if (!p->cuda)
        heddle__turn_end(turn);
    heddle__loop_slow_down(p, heddle__now() - start);
    t->compute += heddle__clock_end(p, HEDDLE__COMPUTES, before);
    t->kernel_end = heddle__trace_on() ? heddle__trace_now() : 0;
    return error;
}

static void trace(const struct heddle__chunk_transfer *c, int64_t begin, const struct times *t) {
    char group[32], name[32];
    static const char *const rows[] = {"chunks", "copies"};
    if (!begin)
        return;
    snprintf(group, sizeof group, "device %d", c->participant->device);
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%s %d", rows[k], c->server->slot);
        const int track = heddle__trace_track(group, name);
        if (k == 0) {
            heddle__trace_span(track, c->participant->engine->trace_name, t->kernel_begin, t->kernel_end);
            continue;
        }
        heddle__trace_span(track, heddle__trace_name("chunk to device"), begin, t->kernel_begin);
        heddle__trace_span(track, heddle__trace_name("chunk from device"), t->kernel_end, heddle__trace_now());
    }
}

/* Does the loop write over its own input? */
static bool updates(const struct heddle_loop *loop) {
    for (int k = 0; k < loop->nmaps; k++)
        if ((loop->maps[k].kind & HEDDLE_MAP_CHUNK) && (loop->maps[k].kind & HEDDLE_MAP_TOFROM) == HEDDLE_MAP_TOFROM)
            return true;
    return false;
}

/* A chunk that fails is computed again by somebody else, but not from input that some of its results have replaced:
   there is no right result any more, and a program that went on would not know. */
static void check_input(const struct heddle__chunk_transfer *c, int error) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    if (!error || !c->wrote || !updates(loop))
        return;
    heddle__lost(
        &c->participant->engine->type->site,
        "device %d failed (%s) while results came back into an array of map(tofrom:), which is their input too: "
        "it is partly written, and the program ends here",
        c->participant->device, heddle_strerror(error));
}

static int run_transfer(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk, void *red,
                        struct times *t);

static int halves(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk, void *red, struct times *t) {
    const struct heddle_loop_chunk low = {chunk->first, chunk->count / 2},
                                   high = {chunk->first + low.count, chunk->count - low.count};
    const int error = run_transfer(c, &low, red, t);
    return error ? error : run_transfer(c, &high, red, t);
}

static int run_transfer(struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk, void *red,
                        struct times *t) {
    const int64_t begin = heddle__trace_on() ? heddle__trace_now() : 0;
    int error = heddle__chunk_plan(c, chunk);
    if (error == HEDDLE_ENOMEM && chunk->count > 1)
        return halves(c, chunk, red, t);
    if (!error)
        heddle__chunk_red_start(c);
    error = error ? error : move(c, true, t);
    error = error ? error : compute(c, chunk, red, t);
    if (!error && !heddle__loop_still_holds(c->server))
        return HEDDLE_ETIMEDOUT;
    error = error ? error : move(c, false, t);
    if (!error)
        heddle__chunk_red_join(c, red);
    trace(c, begin, t);
    return error;
}

/* ---- the thread -------------------------------------------------------------------------------------------- */
/* Data that every chunk needs comes with the first one: a device that the schedule leaves out costs nothing. The
   reduction is joined when the chunk is complete, so that a lost one leaves nothing behind. */
static int run(struct heddle__server *s, struct heddle__chunk_transfer *c, const struct heddle_loop_chunk *chunk,
               char *red) {
    const struct heddle__engine *e = s->participant->engine;
    const struct heddle_loop_type *type = e->type;
    struct times t = {0};
    memset(red + type->red_bytes, 0, heddle__loop_red_bytes(e->loop) - type->red_bytes);
    heddle__loop_red_start(e->loop, red);
    c->wrote = false;
    int error = enter(s->participant);
    error = error ? error : run_transfer(c, chunk, red, &t);
    check_input(c, error);
    if (!error)
        heddle__loop_finish_chunk(
            s, &(struct heddle_loop_sample){.chunk = *chunk, .n = e->n, .compute = t.compute, .move = t.move}, red);
    return error;
}

static int serve(struct heddle__server *s, struct heddle__chunk_transfer *c, char *red) {
    struct heddle_loop_chunk chunk;
    int error = heddle__slot_make(c->slot, s->participant->device, s->participant->engine->timeout);
    heddle__variant_enter(s->participant->device, error ? NULL : c->slot->copies.channel->stream);
    if (error)
        heddle__loop_lose_device(s->participant, heddle_strerror(error));
    while (heddle__loop_take_chunk(s, &chunk)) /* also tells that this thread leaves */
        if ((error = run(s, c, &chunk, red)))
            heddle__loop_lose_device(s->participant, heddle_strerror(error));
    heddle__variant_leave();
    return error;
}

void heddle__loop_serve_device(struct heddle__server *s) {
    struct heddle__participant *p = s->participant;
    const struct heddle_loop *loop = p->engine->loop;
    const size_t env_bytes = (loop->type->env_bytes + 15) / 16 * 16, red_bytes = heddle__loop_red_bytes(loop);
    const size_t maps = (size_t)loop->nmaps + 1;
    char *block = malloc(env_bytes + red_bytes + 16);
    struct heddle_map *map = malloc(maps * sizeof *map);
    struct heddle__section *section = malloc(maps * sizeof *section);
    struct heddle__chunk_transfer c = {
        .participant = p, .slot = slot_of(s), .server = s, .maps = map, .section = section, .env = block};
    const bool inside = p->cuda && !heddle_gpu_enter(p->device);
    omp_set_default_device(p->device);
    if (!block || !map || !section || !c.slot || (p->cuda && !inside)) {
        struct heddle_loop_chunk chunk;
        heddle__loop_lose_device(p, heddle_strerror(HEDDLE_ENOMEM));
        heddle__loop_take_chunk(s, &chunk);
    } else {
        serve(s, &c, block + env_bytes);
    }
    if (inside)
        heddle_gpu_leave();
    free(section);
    free(map);
    free(block);
}
