/* SPDX-License-Identifier: Apache-2.0 */
#include "chunk.h"
#include "device/threads.h"
#include "host_team.h"
#include "trace/record.h"
#include <math.h>
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINE = 128,
    ALIGN = 16, /* iterations, where pieces are long: so that vectors do not straddle lines */
    VECTOR = 8  /* ... of whose multiple a piece is, where it has some: the rest of a part has no vector */
};

static _Thread_local struct heddle__team_part *kept;
static _Thread_local char *kept_red;
static _Thread_local int kept_threads;
static _Thread_local size_t kept_bytes;
static _Thread_local unsigned calls;

struct heddle__team_part *heddle__team_parts(int threads) {
    if (threads > kept_threads) {
        struct heddle__team_part *more = aligned_alloc(LINE, (size_t)threads * sizeof *more);
        if (!more)
            return NULL;
        free(kept);
        memset(more, 0, (size_t)threads * sizeof *more);
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
/* A part says of which call it is: one whose thread has not come yet is whole, and nobody has to write that down, on
   lines that other cores hold. */
enum { BITS = 24, CALLS = 1 << 16 };
static const uint64_t MASK = (1 << BITS) - 1;

static uint64_t range(unsigned call, unsigned first, unsigned end) {
    return (uint64_t)call << 2 * BITS | (uint64_t)first << BITS | end;
}
static unsigned call_of(uint64_t r) { return (unsigned)(r >> 2 * BITS); }
static unsigned first_of(uint64_t r) { return (unsigned)(r >> BITS & MASK); }
static unsigned end_of(uint64_t r) { return (unsigned)(r & MASK); }

static uint64_t left_of(const struct heddle__team *t, int k, uint64_t r) {
    return call_of(r) == t->call ? r : range(t->call, (unsigned)(k * t->each), (unsigned)((k + 1) * t->each));
}

static long cut(long n, long parts, long k) {
    const long size = n / parts, more = n % parts;
    return k * size + (k < more ? k : more);
}

/* Parts differ by an iteration at most, as under `omp parallel for`; where pieces are long, both begin on lines. */
long heddle__team_first(const struct heddle__team *t, int piece) {
    const long k = piece / t->each, size = t->n / t->threads / t->each;
    const long align = size >= LINE ? ALIGN : 1, inner = size >= 2 * VECTOR ? VECTOR : 1;
    if (k == t->threads)
        return t->n;
    const long part = cut(t->n, t->threads, k) & -align;
    if (piece % t->each == 0)
        return part;
    const long end = k + 1 == t->threads ? t->n : cut(t->n, t->threads, k + 1) & -align;
    return part + (cut(end - part, t->each, piece % t->each) & -inner);
}

/* Of one's own, from the beginning; whoever steals takes from the end. Pieces; 0: none is left. */
static int take(const struct heddle__team *t, struct heddle__team_part *part, int me, int *piece) {
    uint64_t seen = atomic_load_explicit(&part[me].left, memory_order_relaxed), r;
    unsigned count;
    do {
        r = left_of(t, me, seen);
        if (first_of(r) >= end_of(r))
            return 0;
        count = t->even ? (end_of(r) - first_of(r) + 1) / 2 : 1;
    } while (!atomic_compare_exchange_weak_explicit(&part[me].left, &seen,
                                                    range(t->call, first_of(r) + count, end_of(r)),
                                                    memory_order_acquire, memory_order_relaxed));
    *piece = (int)first_of(r);
    return (int)count;
}

/* Half of what another one has left becomes one's own. */
static bool steal_from(const struct heddle__team *t, struct heddle__team_part *part, int victim, int me) {
    uint64_t seen = atomic_load_explicit(&part[victim].left, memory_order_relaxed), r;
    const unsigned least = t->even; /* pieces that are not worth it: its data are in the victim's cache */
    unsigned middle;
    do {
        r = left_of(t, victim, seen);
        if (first_of(r) + least >= end_of(r))
            return false;
        middle = end_of(r) - (end_of(r) - first_of(r) + 1) / 2;
    } while (!atomic_compare_exchange_weak_explicit(&part[victim].left, &seen, range(t->call, first_of(r), middle),
                                                    memory_order_acquire, memory_order_relaxed));
    atomic_store_explicit(&part[me].left, range(t->call, middle, end_of(r)), memory_order_release);
    return true;
}

static bool steal(const struct heddle__team *t, struct heddle__team_part *part, int me) {
    for (int k = 1; k < t->threads; k++)
        if (steal_from(t, part, (me + k) % t->threads, me))
            return true;
    return false;
}

static void run_pieces(const struct heddle__team *t, struct heddle__team_part *p, int piece, int pieces, void *red) {
    const struct heddle_loop *l = t->loop;
    const long first = heddle__team_first(t, piece), count = heddle__team_first(t, piece + pieces) - first;
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
    int piece, pieces;
    p->begin = me ? heddle__now() : t->start;
    p->iterations = p->pieces = 0;
    if (!t->steals)
        for (int k = 0; k < t->each; k++)
            run_pieces(t, p, me * t->each + k, 1, red);
    else
        do {
            while ((pieces = take(t, part, me, &piece)))
                run_pieces(t, p, piece, pieces, red);
        } while (steal(t, part, me));
    if (p->pieces)
        heddle__turn_end(p->turn);
    p->end = heddle__now();
}

/* The next number; those that parts may still have from long ago are not given again. */
static unsigned next_call(struct heddle__team_part *part) {
    if (++calls == CALLS) {
        for (int k = 0; k < kept_threads; k++)
            atomic_store_explicit(&part[k].left, 0, memory_order_relaxed);
        calls = 1;
    }
    return calls;
}

/* omp_get_num_threads() calls it, for which each thread would look its name up. */
int __kmpc_bound_num_threads(void *);

/* What each thread reads, side by side: lines that come from the calling thread's core, and all at once. */
enum { ENV = 128 };
struct job {
    alignas(LINE) struct heddle__team team;
    struct heddle__team_part *part;
    char *red;
    size_t stride;
    struct heddle_loop loop;
    atomic_uint *overlaps; /* stages in which some thread has found that */
    atomic_uint *arrived;
    alignas(LINE / 2) char env[ENV];
};

static void fetch(const struct job *j) {
    for (size_t at = 0; at < sizeof *j; at += LINE / 2)
        __builtin_prefetch((const char *)j + at);
}

static bool reaches_others(const struct heddle__team *t, int k, int stage) {
    const struct heddle_loop *l = t->loop;
    const long first = heddle__team_first(t, k * t->each), end = heddle__team_first(t, (k + 1) * t->each);
    struct heddle_map maps[l->nmaps];
    int a, b;
    memcpy(maps, t->others, sizeof maps);
    heddle__loop_reach(l, first, end - first, stage, maps);
    return heddle__maps_overlap(maps, l->nmaps, &a, &b);
}

enum { SPINS = 1000 };

/* They come within a microsecond of each other, and libomp's barrier takes about as long. */
static void wait_for_all(const struct job *j, int stage) {
    const unsigned all = (unsigned)(__kmpc_bound_num_threads(NULL) * stage);
    atomic_fetch_add_explicit(j->arrived, 1, memory_order_acq_rel);
    for (int k = 0; atomic_load_explicit(j->arrived, memory_order_acquire) < all; k++)
        if (k >= SPINS)
            sched_yield();
        else
            heddle__spin_pause();
}

/* Nobody writes, or begins the next stage, before all have looked. */
static bool look_up(const struct job *j) {
    for (int stage = 1; stage <= j->loop.type->reach_stages; stage++) {
        for (int k = omp_get_thread_num(); k < j->team.threads; k += __kmpc_bound_num_threads(NULL))
            if (reaches_others(&j->team, k, stage))
                atomic_fetch_or_explicit(j->overlaps, 1u << stage, memory_order_relaxed);
        wait_for_all(j, stage);
        if (atomic_load_explicit(j->overlaps, memory_order_relaxed) & 1u << stage) /* others may be in the next one */
            return false;
    }
    return true;
}

/* There may be fewer threads. */
static void work_all(const struct job *j) {
    fetch(j);
    if (j->team.others && !look_up(j))
        return;
    for (int k = omp_get_thread_num(); k < j->team.threads; k += __kmpc_bound_num_threads(NULL)) {
        char *red = j->red + (size_t)k * j->stride;
        if (j->stride)
            start(&j->loop, red);
        work(&j->team, j->part, k, red);
    }
}

static bool make_job(struct job *j, const struct heddle__team *t) {
    const struct heddle_loop *l = t->loop;
    j->team = *t;
    j->loop = *l;
    j->team.loop = &j->loop;
    if (l->type->env_bytes <= ENV)
        j->loop.env = memcpy(j->env, l->env, l->type->env_bytes);
    j->part = heddle__team_parts(t->threads);
    j->stride = red_stride(l);
    j->red = j->part && j->stride ? reductions(t) : l->red;
    j->team.call = j->part ? next_call(j->part) : 0;
    return j->part && j->red;
}

bool heddle__team_run(const struct heddle__team *t) {
    const struct heddle_loop *l = t->loop;
    struct job j, *const job = &j;
    alignas(LINE) atomic_uint overlaps = 0, arrived = 0;
    if (!make_job(&j, t))
        return false;
    j.overlaps = &overlaps;
    j.arrived = &arrived;
    const int team = heddle__host_team(t->threads, t->all);
#pragma omp parallel num_threads(team) if (t->threads > 1) firstprivate(job)
    work_all(job);
    if (overlaps)
        return false;
    for (int k = 0; j.stride && k < t->threads; k++)
        l->type->red_join(l->red, j.red + (size_t)k * j.stride);
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
