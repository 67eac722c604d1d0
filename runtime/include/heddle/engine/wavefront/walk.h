/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which the blocks of a GPU take the tiles of a nest's memory form, and what they wait for.
 *
 * Peer (PeerWave, ICS 2015, sections 3.1 and 3.2): a tile row belongs to a block, taken by a ticket in dependence
 * order; neighbours signal by progress words. Barrier: tile (r, t) runs on diagonal t + r * lag, a grid barrier after
 * each; the form peers are compared with. Both run the same tile code, so only this file makes the difference.
 *
 * Hyper-tiles have `skew` columns less in each further row; square ones (skew 0) have the same columns in all rows,
 * which is legal where no cell reads from above on the right.
 *
 * Timers cost one branch per tile when they are off. Thread 0 keeps them in shared memory until the block ends.
 */
#ifndef HEDDLE_WAVEFRONT_WALK_H
#define HEDDLE_WAVEFRONT_WALK_H
#include <heddle/engine/wavefront/sync.h>

struct heddle_walk {
    long row, tile;
    long available; /* peer: steps that the row above is known to have done */
    long diagonal;  /* barrier */
    int parity;     /* which shared words are next */
};

struct heddle_tile {
    long s0, s1; /* steps; thread l is at column s - l * skew of the nest */
    long lo, hi; /* and takes part while its column is in lo … hi - 1 */
};

/* Steps of the row above that must be done before tile `tile` may run: its last row is that far behind. */
HEDDLE_DEVICE long heddle_walk_need(const struct heddle_gpu_control *c, long tile) {
    const long need = (tile + 1) * c->tile_w + c->ahead + c->behind;
    return need < c->steps ? need : c->steps;
}

HEDDLE_DEVICE struct heddle_tile heddle_walk_tile(const struct heddle_gpu_control *c, const struct heddle_walk *w) {
    struct heddle_tile t;
    const long end = (w->tile + 1) * c->tile_w;
    t.s0 = w->tile * c->tile_w;
    t.s1 = end < c->steps ? end : c->steps;
    t.lo = c->skew ? 0 : t.s0;
    t.hi = c->skew ? c->j1 - c->j0 + 1 : t.s1;
    t.s1 += c->skew ? 0 : c->delay;
    return t;
}

/* The first tile row on diagonal d. */
HEDDLE_DEVICE long heddle_walk_first(const struct heddle_gpu_control *c, long d) {
    return d < c->tiles ? 0 : (d - c->tiles) / c->lag + 1;
}

#if HEDDLE_ON_GPU
enum { HEDDLE_TIME_BUSY, HEDDLE_TIME_CORNER, HEDDLE_TIME_MIDDLE, HEDDLE_TIME_SYNC };

HEDDLE_DEVICE struct heddle_gpu_timer *heddle_timer(void) {
    HEDDLE_BLOCK_VARIABLE(struct heddle_gpu_timer timer, timer);
    return &timer;
}

/* Thread 0: the time since the last call was of this kind. */
HEDDLE_DEVICE void heddle_time(const struct heddle_gpu_control *c, int kind) {
    if (!c->timers)
        return;
    struct heddle_gpu_timer *t = heddle_timer();
    const uint64_t now = heddle_cycles(), took = now - t->last;
    t->last = now;
    t->busy += kind == HEDDLE_TIME_BUSY ? took : 0;
    t->corner += kind == HEDDLE_TIME_CORNER ? took : 0;
    t->middle += kind == HEDDLE_TIME_MIDDLE ? took : 0;
    t->sync += kind == HEDDLE_TIME_SYNC ? took : 0;
}

HEDDLE_DEVICE void heddle_walk_begin(struct heddle_gpu_control *control, struct heddle_walk *w) {
    w->row = 0;
    w->tile = control->tiles;
    w->available = 0;
    w->diagonal = -1;
    w->parity = 0;
    if (heddle_thread() == 0) {
        const uint64_t now = heddle_clock_ns();
        heddle_min_relaxed(&control->began, now);
        if (control->timers) {
            struct heddle_gpu_timer *t = heddle_timer();
            memset(t, 0, sizeof *t);
            t->begin = now;
            t->start = t->last = heddle_cycles();
            t->sm = (uint32_t)heddle_multiprocessor();
        }
    }
}

HEDDLE_DEVICE void heddle_walk_end(struct heddle_gpu_control *control) {
    if (heddle_thread() == 0) {
        const uint64_t now = heddle_clock_ns();
        heddle_max_relaxed(&control->ended, now);
        if (control->timers) {
            struct heddle_gpu_timer *t = heddle_timer();
            const uint64_t cycles = heddle_cycles() - t->start;
            const double ns = (double)(now - t->begin) / (double)(cycles ? cycles : 1);
            t->end = now;
            t->last = t->begin + (uint64_t)(ns * (double)(t->last - t->start));
            t->busy = (uint64_t)(ns * (double)t->busy);
            t->corner = (uint64_t)(ns * (double)t->corner);
            t->middle = (uint64_t)(ns * (double)t->middle);
            t->sync = (uint64_t)(ns * (double)t->sync);
            control->timers[heddle_block()] = *t;
        }
    }
}

/* Thread 0: waits until the row above has done `need`; what it has done, or -1. */
HEDDLE_DEVICE long heddle_walk_wait(const struct heddle_gpu_control *c, long row, long need) {
    const uint64_t *ready = c->progress + (row + c->ring - 1) % c->ring * HEDDLE_FLAG_WORDS;
    const uint64_t goal = (uint64_t)(row - 1) << HEDDLE_ROW_SHIFT | (uint64_t)need;
    const int waits = heddle_load_acquire(ready) < goal;
    const long available = heddle_spin(c, ready, row - 1, need);
    heddle_time(c, !waits ? HEDDLE_TIME_SYNC : heddle_timer()->started ? HEDDLE_TIME_MIDDLE : HEDDLE_TIME_CORNER);
    return available;
}

/* Block-wide values go through shared words, two sets in turn: one barrier a time is then enough. */
HEDDLE_DEVICE int heddle_walk_peer(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                   struct heddle_walk *w) {
    HEDDLE_BLOCK_VARIABLE(long shared[2][2], shared);
    const int fresh = ++w->tile >= c->tiles;
    w->tile = fresh ? 0 : w->tile;
    const long need = c->tagged ? 0 : heddle_walk_need(c, w->tile);
    if (fresh || w->available < need) {
        if (heddle_thread() == 0) {
            long row = w->row, available = w->available;
            if (fresh) {
                row = (long)heddle_add_relaxed(&control->ticket, 1);
                available = row ? 0 : c->steps;
            }
            if (row < c->row_blocks && available < need)
                available = heddle_walk_wait(c, row, need);
            shared[w->parity][0] = row;
            shared[w->parity][1] = available;
        }
        heddle_block_sync();
        w->row = shared[w->parity][0];
        w->available = shared[w->parity][1];
        w->parity ^= 1;
    }
    if (w->row >= c->row_blocks)
        return 0;
    if (w->available < 0 && heddle_thread() == 0) {
        heddle_publish(c->progress + w->row % c->ring * HEDDLE_FLAG_WORDS, w->row, -1);
        heddle_store_release(&control->error, (uint64_t)w->row + 1);
    }
    return w->available >= 0;
}

/* Thread 0: all blocks are resident (one per multiprocessor, or as many as fit), so they may wait for each other. */
HEDDLE_DEVICE int heddle_walk_arrive(struct heddle_gpu_control *control, const struct heddle_gpu_control *c, long d) {
    const uint64_t goal = (uint64_t)(d + 1) * (uint64_t)heddle_blocks(), start = heddle_clock_ns();
    const int last = heddle_add_acq_rel(&control->arrived, 1) + 1 == goal;
    const long from = heddle_walk_first(c, d), upto = d / c->lag < c->row_blocks ? d / c->lag + 1 : c->row_blocks;
    int ok = 1;
    while (ok && heddle_load_acquire(&control->arrived) < goal)
        if (heddle_clock_ns() - start > c->timeout_ns) {
            heddle_store_release(&control->error, (uint64_t)d + 1);
            ok = 0;
        }
    heddle_time(c, last ? HEDDLE_TIME_SYNC : upto - from < heddle_blocks() ? HEDDLE_TIME_CORNER : HEDDLE_TIME_MIDDLE);
    return ok;
}

HEDDLE_DEVICE int heddle_walk_diagonals(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                        struct heddle_walk *w) {
    HEDDLE_BLOCK_VARIABLE(int going, going);
    const long blocks = heddle_blocks();
    w->row += blocks;
#pragma clang loop unroll(disable)
    while (w->diagonal < 0 || w->row >= c->row_blocks || w->row * c->lag > w->diagonal) {
        if (w->diagonal >= 0) {
            heddle_block_sync();
            if (heddle_thread() == 0)
                going = heddle_walk_arrive(control, c, w->diagonal);
            heddle_block_sync();
            if (!going)
                return 0;
        }
        if (++w->diagonal >= c->diagonals)
            return 0;
        const long first = heddle_walk_first(c, w->diagonal);
        w->row = first + (heddle_block() - first % blocks + blocks) % blocks;
    }
    w->tile = w->diagonal - w->row * c->lag;
    return 1;
}

/* The block's next tile; 0: there is none. */
HEDDLE_DEVICE int heddle_walk_next(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                   struct heddle_walk *w) {
    const int more = c->barrier ? heddle_walk_diagonals(control, c, w) : heddle_walk_peer(control, c, w);
    if (c->timers && heddle_thread() == 0 && more) { /* what the waits did not count: taking rows, passing on */
        heddle_time(c, HEDDLE_TIME_SYNC);
        heddle_timer()->started = !c->tagged || heddle_timer()->tiles;
        heddle_timer()->tile_begin = c->tile_times ? heddle_clock_ns() : 0;
    }
    return more;
}

/* After the tile and a block barrier. */
HEDDLE_DEVICE void heddle_walk_done(struct heddle_gpu_control *control, const struct heddle_gpu_control *c,
                                    const struct heddle_walk *w) {
    if (heddle_thread())
        return;
    if (c->timers) {
        struct heddle_gpu_timer *t = heddle_timer();
        const uint64_t begin = t->tile_begin;
        heddle_time(c, HEDDLE_TIME_BUSY);
        t->tiles++;
        const uint64_t place = c->tile_times ? heddle_add_relaxed(&control->tile_count, 1) : 0;
        if (place < c->tile_room)
            c->tile_times[place] = (struct heddle_gpu_tile_time){
                begin, heddle_clock_ns(), (uint32_t)w->row, (uint32_t)w->tile, t->sm, (uint32_t)heddle_block()};
    }
    const long done = (w->tile + 1) * c->tile_w;
    if (!c->barrier && !c->tagged)
        heddle_publish(c->progress + w->row % c->ring * HEDDLE_FLAG_WORDS, w->row, done < c->steps ? done : c->steps);
    heddle_time(c, HEDDLE_TIME_SYNC);
}
#endif
#endif
