/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of arrays: a structure with copies behind it, and what a chunk of a device needs for them. */
#include "chunk.h"
#include <stdlib.h>
#include <string.h>

enum {
    THREADS = 256,     /* of a block, whose copies are in its own memory where they fit */
    SHARED = 32 << 10, /* bytes of them; both as in loop_reduce.h */
    RESIDENT = 7,      /* blocks of a multiprocessor */
    FEW = 4 << 10,     /* bytes: so small arrays are updated by all at once, in whatever memory */
    WORK = 4           /* iterations for each element that a block joins at its end */
};

size_t heddle__loop_red_bytes(const struct heddle_loop *loop) {
    return loop->type->red_bytes + (loop->type->red_more ? loop->type->red_more(loop->red) : 0);
}

void heddle__loop_red_start(const struct heddle_loop *loop, void *red) {
    memcpy(red, loop->red, loop->type->red_bytes);
    loop->type->red_start(red);
}

void heddle__loop_run_host(const struct heddle_loop *l, long first, long count, void *red) {
    const struct heddle_loop_type *type = l->type;
    _Alignas(64) char few[256];
    char *had = !type->red_fresh ? NULL : type->red_bytes <= sizeof few ? few : malloc(type->red_bytes);
    if (type->red_fresh && !had)
        heddle__lost(&type->site, "no memory for %zu bytes of a reduction; the program ends here", type->red_bytes);
    if (had) {
        memcpy(had, red, type->red_bytes);
        type->red_fresh(red, l->red);
    }
    type->host(l->env, l->lo + first * l->step, l->step, count, red);
    if (had)
        type->red_again(red, had);
    if (had != few)
        free(had);
}

/* Joining a block's copies takes as long as so many updates: blocks are fewer than the chunk's iterations would fill,
   or else have no copies. */
static bool in_blocks(const struct heddle__chunk_transfer *c, size_t copies, int units) {
    const double work = (double)c->control.items * 16, join = (double)copies * WORK; /* bytes of typical elements */
    return copies <= SHARED && (copies <= FEW || work >= join * units / 2);
}

size_t heddle__reduce_plan(struct heddle__chunk_transfer *c) {
    const struct heddle__participant *p = c->participant;
    const struct heddle_loop *loop = p->engine->loop;
    const size_t copies = c->red - loop->type->red_bytes;
    c->control.items = c->count * (loop->inner > 1 ? loop->inner : 1);
    c->control.shared = c->control.spread = 0;
    c->teams = c->threads = 1;
    if (!p->cuda) /* its threads are OpenMP's */
        return 0;
    const int units = heddle__device_facts(p->device)->units;
    c->threads = THREADS;
    c->control.spread = copies ? 0 : heddle__device_spread(p->device, (double)c->control.items, p->servers);
    const long threads = c->control.items << c->control.spread;
    const long blocks = (threads + THREADS - 1) / THREADS, most = (long)RESIDENT * units;
    c->teams = (int)(blocks < most ? blocks : most);
    c->control.shared = copies && in_blocks(c, copies, units);
    return (size_t)c->teams * THREADS * loop->type->red_bytes;
}

void heddle__reduce_place(struct heddle__chunk_transfer *c, char *result, char *values) {
    const struct heddle_loop *loop = c->participant->engine->loop;
    c->control.env = c->slot->memory;
    c->control.lo = c->lo;
    c->control.step = loop->step;
    c->control.result = result;
    c->control.values = values;
    c->control.arrived = 0;
    c->control.last = -1;
}
