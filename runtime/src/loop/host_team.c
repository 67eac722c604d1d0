/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk.h"
#include "host_team.h"
#include "trace/record.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, ALIGN = 16 /* iterations, where pieces are long: so that vectors do not straddle lines */ };

static _Thread_local struct heddle__team_part *kept;
static _Thread_local char *kept_red;
static _Thread_local int kept_threads;
static _Thread_local size_t kept_bytes;
static _Thread_local int whole; /* threads of the last team that had all */

struct heddle__team_part *heddle__team_parts(int threads) {
    if (threads > kept_threads) {
        struct heddle__team_part *more = aligned_alloc(LINE, (size_t)threads * sizeof *more);
        if (!more)
            return NULL;
        free(kept);
        kept = more;
        kept_threads = threads;
    }
    return kept;
}

/* Of the structure with the copies of arrays behind it, on lines of its own. */
static size_t red_stride(const struct heddle_loop *l) {
    const size_t bytes = heddle__loop_red_bytes(l);
    return bytes ? (bytes + LINE - 1) / LINE * LINE + LINE : 0;
}

/* What threads sum up apart. */
static char *reductions(const struct heddle__team *t) {
    const size_t bytes = (size_t)t->threads * red_stride(t->loop);
    if (bytes > kept_bytes) {
        char *more = aligned_alloc(LINE, bytes);
        if (!more)
            return NULL;
        free(kept_red);
        kept_red = more;
        kept_bytes = bytes;
    }
    return kept_red;
}

/* Of one part, by the thread that works on it: copies begin as zeros. */
static void start(const struct heddle_loop *l, char *red) {
    if (l->type->red_more)
        memset(red + l->type->red_bytes, 0, heddle__loop_red_bytes(l) - l->type->red_bytes);
    heddle__loop_red_start(l, red);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */
static uint64_t range(unsigned first, unsigned end) { return (uint64_t)first << 32 | end; }
static unsigned first_of(uint64_t r) { return (unsigned)(r >> 32); }
static unsigned end_of(uint64_t r) { return (unsigned)r; }

long heddle__team_first(const struct heddle__team *t, int piece) {
    const long pieces = (long)t->threads * t->each, size = t->n / pieces, more = t->n % pieces;
    const long first = piece * size + (piece < more ? piece : more);
    return size >= LINE && piece < pieces ? first & -(long)ALIGN : first;
}

/* Of one's own, from the beginning; whoever steals takes from the end. */
static bool take(struct heddle__team_part *p, unsigned *piece) {
    uint64_t r = atomic_load_explicit(&p->left, memory_order_relaxed);
    while (first_of(r) < end_of(r))
        if (atomic_compare_exchange_weak_explicit(&p->left, &r, range(first_of(r) + 1, end_of(r)), memory_order_acquire,
                                                  memory_order_relaxed)) {
            *piece = first_of(r);
            return true;
        }
    return false;
}

/* Half of what another one has left becomes one's own. */
static bool steal(const struct heddle__team *t, struct heddle__team_part *part, int me) {
    for (int k = 1; k < t->threads; k++) {
        struct heddle__team_part *victim = &part[(me + k) % t->threads];
        uint64_t r = atomic_load_explicit(&victim->left, memory_order_relaxed);
        while (first_of(r) < end_of(r)) {
            const unsigned middle = end_of(r) - (end_of(r) - first_of(r) + 1) / 2;
            if (!atomic_compare_exchange_weak_explicit(&victim->left, &r, range(first_of(r), middle),
                                                       memory_order_acquire, memory_order_relaxed))
                continue;
            atomic_store_explicit(&part[me].left, range(middle, end_of(r)), memory_order_release);
            return true;
        }
    }
    return false;
}

static void run_piece(const struct heddle__team *t, struct heddle__team_part *p, int piece, void *red) {
    const struct heddle_loop *l = t->loop;
    const long first = heddle__team_first(t, piece), count = heddle__team_first(t, piece + 1) - first;
    const bool traced = heddle__trace_on();
    const int64_t traced_from = traced ? heddle__trace_now() : 0;
    p->turn = p->pieces ? heddle__turn_go_on(p->turn) : heddle__turn_begin();
    const double begin = t->piece ? heddle__now() : 0;
    heddle__loop_run_host(l, first, count, red);
    if (t->piece)
        t->piece[piece] = heddle__now() - begin;
    if (traced)
        heddle__trace_span(heddle__trace_thread(), t->trace, traced_from, heddle__trace_now());
    p->iterations += count;
    p->pieces++;
}

/* The clock is not read for who calls: its part begins as the loop does. */
static void work(const struct heddle__team *t, struct heddle__team_part *part, int me, void *red) {
    struct heddle__team_part *p = &part[me];
    unsigned piece;
    p->begin = me ? heddle__now() : t->start;
    if (!t->steals)
        for (int k = 0; k < t->each; k++)
            run_piece(t, p, me * t->each + k, red);
    else
        do {
            while (take(p, &piece))
                run_piece(t, p, (int)piece, red);
        } while (steal(t, part, me));
    if (p->pieces)
        heddle__turn_end(p->turn);
    p->end = heddle__now();
}

/* Of the calling thread. */
static void deal(const struct heddle__team *t, struct heddle__team_part *part) {
    for (int k = 0; k < t->threads; k++) {
        part[k].begin = part[k].end = t->start;
        part[k].iterations = part[k].pieces = 0;
        atomic_store_explicit(&part[k].left, range((unsigned)(k * t->each), (unsigned)((k + 1) * t->each)),
                              memory_order_relaxed);
    }
}

bool heddle__team_run(struct heddle__team *t) {
    const struct heddle_loop *l = t->loop;
    struct heddle__team_part *part = heddle__team_parts(t->threads);
    const size_t stride = red_stride(l);
    char *red = part && stride ? reductions(t) : l->red;
    if (!part || !red)
        return false;
    deal(t, part);
    /* A team that shrinks and grows again looks for its threads each time: those that have nothing to do stay in it. */
    const int team = t->threads < t->all && t->all == whole ? whole : t->threads;
    whole = t->threads == t->all ? t->all : whole;
#pragma omp parallel num_threads(team) if (t->threads > 1)
    for (int k = omp_get_thread_num(); k < t->threads; k += omp_get_num_threads()) { /* there may be fewer threads */
        if (stride)
            start(l, red + (size_t)k * stride);
        work(t, part, k, red + (size_t)k * stride);
    }
    for (int k = 0; stride && k < t->threads; k++)
        l->type->red_join(l->red, red + (size_t)k * stride);
    return true;
}

/* ---- for the engine ---------------------------------------------------------------------------------------------- */
enum {
    EACH = 16 /* pieces of a part, where nothing is known */,
    MOST = 64,
    COPIES = 1 << 20 /* bytes of arrays that a thread keeps between calls */
};

static const double PIECE = 4e-6; /* seconds: taking one costs a hundredth of it at most */

/* An iteration may take a hundred times as long as others, so pieces are as small as their taking allows. */
int heddle__team_pieces(const struct heddle__team *t, double work) {
    const double part = work / t->threads, pieces = part > 0 ? fmin(part / PIECE, MOST) : EACH;
    return pieces < 2 ? 1 : (int)fmin(pieces, (double)(t->n / t->threads));
}

bool heddle__team_keeps(const struct heddle_loop *l) {
    return !l->type->red_more || heddle__loop_red_bytes(l) <= COPIES;
}

bool heddle__team_fits(const struct heddle__engine *e) {
    if ((e->policy != &heddle__loop_auto && e->policy != &heddle__loop_static) || e->problem.chunk)
        return false;
    if (!heddle__team_keeps(e->loop))
        return false;
    for (int k = 0; k < e->participants; k++)
        if (e->participant[k].device >= 0 || e->participant[k].slow > 1)
            return false;
    return true;
}

static void note(struct heddle__engine *e, const struct heddle__team *t, const struct heddle__team_part *part) {
    const int pieces = t->threads * t->each;
    for (int k = 0; k < t->threads; k++) {
        struct heddle__participant *p = &e->participant[k];
        p->iterations = part[k].iterations;
        p->chunks = part[k].pieces;
        p->first = part[k].pieces ? part[k].begin - e->start : -1;
        p->last = part[k].pieces ? part[k].end - e->start : 0;
        p->clock.compute = p->clock.computed = part[k].end - part[k].begin;
    }
    const int some = (t->each + EACH - 1) / EACH; /* together: more samples would say no more */
    e->sample = malloc((size_t)pieces * sizeof *e->sample);
    for (int k = 0; e->sample && k < pieces; k += some) {
        const int end = k + some < pieces ? k + some : pieces;
        const long first = heddle__team_first(t, k), count = heddle__team_first(t, end) - first;
        double seconds = 0;
        for (int piece = k; piece < end; piece++)
            seconds += t->piece[piece];
        e->sample[e->samples++] =
            (struct heddle__sample){{.chunk = {first, count}, .n = e->n, .compute = seconds}, e->participant[0].class};
    }
}

bool heddle__team_run_engine(struct heddle__engine *e) {
    const bool equal = e->policy == &heddle__loop_static;
    struct heddle__team t = {.loop = e->loop,
                             .n = e->n,
                             .start = e->start,
                             .threads = e->participants < e->n ? e->participants : (int)e->n,
                             .all = e->participants,
                             .steals = !equal,
                             .trace = e->trace_name};
    const double rate = e->device[0].rate; /* of a thread */
    t.each = equal ? 1 : heddle__team_pieces(&t, rate > 0 ? (double)e->n / rate : 0);
    t.piece = malloc((size_t)(t.threads * t.each) * sizeof *t.piece);
    const bool done = t.piece && heddle__team_run(&t);
    if (done)
        note(e, &t, heddle__team_parts(t.threads));
    free(t.piece);
    return done;
}
