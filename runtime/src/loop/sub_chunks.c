/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A large chunk on a device is done in sub-chunks by all threads that serve it, so that its own transfers overlap its
 * own computing whatever the schedule gives out. To the schedule it stays one chunk with one time.
 *
 * Loops that only bring results back are cut finer: where some iterations take much longer than most, kernels that run
 * side by side fill the GPU to the end (a ray tracer's picture of 8 MB: 13.9 ms whole, 11.7 in four sub-chunks). Where
 * data comes in, fine sub-chunks all start late, and what neighbouring iterations share is no longer read together (a
 * peptide search, 40 MB in: 11.8 ms in 5 sub-chunks, 13.6 in 11). What the program keeps on the device does not
 * travel, and does not count.
 */
#include "engine.h"

enum {
    SUB_CHUNK_BYTES = 8 << 20 /* of sections: half a millisecond of staging */,
    FINE_BYTES = 2 << 20,
    SUB_CHUNKS = 64
};

static double sub_chunk_bytes(bool in, double bytes) {
    const double fine = bytes / HEDDLE__SERVERS;
    return in || fine > SUB_CHUNK_BYTES ? SUB_CHUNK_BYTES : fine > FINE_BYTES ? fine : FINE_BYTES;
}

long heddle__sub_chunk_size(const struct heddle__participant *p, long count) {
    const struct heddle__engine *e = p->engine;
    const bool there = p->device == e->there;
    const size_t all = e->chunk_bytes - (there ? e->there_bytes : 0), in = e->chunk_in - (there ? e->there_in : 0);
    if (p->device < 0 || !all)
        return 0;
    const double bytes = (double)all / (double)e->n * (double)count;
    double most = (double)count / (double)(2 * e->device[p->number].grain);
    most = most < SUB_CHUNKS ? most : SUB_CHUNKS;
    const double fit = bytes / sub_chunk_bytes(in > 0, bytes);
    const long sub_chunks = (long)(fit < most ? fit : most); /* no small one is left at the end */
    return sub_chunks < 2 ? 0 : (count + sub_chunks - 1) / sub_chunks;
}

/* OpenMP's devices on the processor copy at once, and each of their launches opens parallel regions of the host's
   OpenMP: more threads would only stand in line for its one lock. */
int heddle__sub_chunk_threads(const struct heddle__participant *p, long count) {
    const long sub_chunk = heddle__sub_chunk_size(p, count),
               sub_chunks = sub_chunk ? (count + sub_chunk - 1) / sub_chunk : 1,
               most = p->cuda ? HEDDLE__SERVERS : HEDDLE__AHEAD;
    return (int)(sub_chunks < most ? sub_chunks : most);
}

bool heddle__chunk_state_is_free(const struct heddle__participant *p) {
    int used = 0;
    for (int k = 0; k < HEDDLE__AHEAD; k++)
        used += p->chunk_state[k].used;
    return used < HEDDLE__AHEAD;
}

void heddle__sub_chunks_begin(struct heddle__participant *p, const struct heddle_loop_chunk *chunk) {
    for (int k = 0; k < HEDDLE__AHEAD; k++) {
        struct heddle__chunk_state *w = &p->chunk_state[k];
        if (w->used)
            continue;
        *w = (struct heddle__chunk_state){
            .used = true, .chunk = *chunk, .next = chunk->first, .sub_chunk = heddle__sub_chunk_size(p, chunk->count)};
        return;
    }
}

bool heddle__sub_chunk_take(struct heddle__participant *p, int slot, struct heddle_loop_chunk *sub_chunk) {
    for (int k = 0; k < HEDDLE__AHEAD; k++) {
        struct heddle__chunk_state *w = &p->chunk_state[k];
        const long left = w->used ? w->chunk.first + w->chunk.count - w->next : 0;
        if (!left)
            continue;
        *sub_chunk = (struct heddle_loop_chunk){w->next, w->sub_chunk && w->sub_chunk < left ? w->sub_chunk : left};
        w->next += sub_chunk->count;
        w->under_way++;
        p->in_flight[slot].chunk = *sub_chunk;
        p->in_flight[slot].state = k;
        p->in_flight[slot].used = true;
        return true;
    }
    return false;
}

bool heddle__sub_chunk_finish(struct heddle__participant *p, int slot, const struct heddle_loop_sample *measured,
                              struct heddle_loop_sample *all) {
    struct heddle__in_flight *h = &p->in_flight[slot];
    struct heddle__chunk_state *w = &p->chunk_state[h->state];
    h->used = false;
    w->under_way--;
    w->compute += measured->compute;
    w->move += measured->move;
    p->iterations += h->chunk.count;
    if (w->under_way || w->next < w->chunk.first + w->chunk.count)
        return false;
    w->used = false;
    *all = (struct heddle_loop_sample){.chunk = w->chunk, .n = measured->n, .compute = w->compute, .move = w->move};
    return true;
}

int heddle__sub_chunks_give_back(struct heddle__participant *p, struct heddle_loop_chunk *back) {
    int n = 0;
    for (int k = 0; k < HEDDLE__AHEAD; k++) {
        struct heddle__chunk_state *w = &p->chunk_state[k];
        if (!w->used)
            continue;
        const long left = w->chunk.first + w->chunk.count - w->next;
        if (left)
            back[n++] = (struct heddle_loop_chunk){w->next, left};
        w->used = false;
        p->engine->under_way--;
    }
    for (int k = 0; k < HEDDLE__SERVERS; k++) {
        if (p->in_flight[k].used)
            back[n++] = p->in_flight[k].chunk;
        p->in_flight[k].used = false;
    }
    return n;
}
