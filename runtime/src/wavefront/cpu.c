/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wavefront nests on host threads. Row blocks (register form), stripes of columns (prefix sums) or tile rows (memory
 * form, peer schedule) are taken by an atomic ticket in dependence order; each publishes how far it is in a progress
 * word of its own cache line and waits for the one before. The ticket order makes waiting safe with any number of
 * threads: the one waited for was taken earlier, by a thread that is running it.
 */
#include "core/internal.h"
#include "device/threads.h"
#include "model/pipeline.h"
#include "signals.h"
#include "trace/record.h"
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of a step of a light body whose time nobody knows yet, and of a cell of a prefix sum. */
static const double STEP = 20e-9, SCAN_CELL = 0.35e-9;
enum { SCANS = 64 }; /* beside HEDDLE_ISA_* */

struct progress {
    _Alignas(128) atomic_ulong value; /* row << HEDDLE_ROW_SHIFT | columns (or steps) done */
};

struct team {
    struct heddle_wavefront *call;
    int threads, all, isa;         /* threads with something to do, and as many as there are */
    long skew;                     /* of the tiles: 0 for square ones */
    long block_rows, blocks, ring; /* prefix sums: columns of a stripe, and so many of them */
    double steps;                  /* of a block; prefix sums: cells */
    long chunk; /* register form and prefix sums: columns, rows between two looks at the neighbours */
    bool scan, stream, by_loop;
    char *edges; /* [ring] buffers of edge_stride bytes; buffer ring - 1 starts as the top halo */
    size_t edge_stride;
    struct progress *progress; /* [ring] */
    char *red;                 /* [threads] results, padded */
    size_t red_stride;
    void *red_start;
    double timeout;
    atomic_char *taken; /* [threads] of the first blocks */
    atomic_long ticket; /* of the others */
};

static int find_isa(void) {
    char most[HEDDLE__OPTION_MAX];
    heddle__option_read("instructions", most, sizeof most);
#ifdef __x86_64__
    __builtin_cpu_init();
    if (strcmp(most, "base") && strcmp(most, "avx2") && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return HEDDLE_ISA_AVX512;
    if (strcmp(most, "base") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("bmi2"))
        return HEDDLE_ISA_AVX2;
#endif
    return HEDDLE_ISA_BASE;
}

int heddle__host_isa(void) {
    static atomic_int found; /* and 1 more */
    int isa = atomic_load_explicit(&found, memory_order_relaxed);
    if (!isa)
        atomic_store_explicit(&found, isa = find_isa() + 1, memory_order_relaxed);
    return isa - 1;
}

static long least(long a, long b) { return a < b ? a : b; }

/* A host thread may be stopped for any time (a debugger, ^Z), and it always comes back: so this only complains
   after HEDDLE_TIMEOUT and goes on. */
void heddle__wait_word(atomic_ulong *word, unsigned long goal, const struct heddle_site *site, long row,
                       double timeout) {
    double start = 0;
    bool told = false;
    for (unsigned polls = 1; atomic_load_explicit(word, memory_order_acquire) < goal; polls++) {
        heddle__spin_pause();
        if (polls < 1024 && polls % 64) /* a neighbour is usually a few microseconds away */
            continue;
        sched_yield();
        if (polls % 64)
            continue;
        const double now = heddle__now();
        start = start != 0 ? start : now;
        if (!told && now - start > timeout) {
            heddle__warn(site, "still waiting for row block %ld after %.0f s; is the machine overloaded?", row,
                         timeout);
            told = true;
        }
    }
}

static unsigned long word_of(long row, long done) {
    return (unsigned long)row << HEDDLE_ROW_SHIFT | (unsigned long)done;
}

/* Waits until row block `row` has done `need`. */
static void wait_for(const struct team *t, long row, long need) {
    heddle__wait_word(&t->progress[row % t->ring].value, word_of(row, need), &t->call->nest->site, row, t->timeout);
}

/* What row block `row`, which the caller's needs, has done. */
static long done_of(const struct team *t, long row) {
    const unsigned long word = atomic_load_explicit(&t->progress[row % t->ring].value, memory_order_acquire);
    return word >> HEDDLE_ROW_SHIFT == (unsigned long)row ? (long)(word - word_of(row, 0)) : 0;
}

static void publish(const struct team *t, long row, long done) {
    atomic_store_explicit(&t->progress[row % t->ring].value, word_of(row, done), memory_order_release);
}

struct worker {
    struct heddle_cpu_block block;
    struct team *team;
    long row;      /* number of the row block */
    double waited; /* seconds, for a block */
    double step;   /* seconds of one without them, the least */
};

static int wait_columns(struct heddle_cpu_block *block, long columns) {
    struct worker *w = block->runtime;
    if (block->ready >= columns)
        return 0;
    block->ready = done_of(w->team, w->row - 1);
    if (block->ready < columns) {
        const double start = heddle__now();
        wait_for(w->team, w->row - 1, columns);
        w->waited += heddle__now() - start;
        block->ready = done_of(w->team, w->row - 1);
    }
    return 0;
}

static void publish_columns(struct heddle_cpu_block *block, long columns) {
    struct worker *w = block->runtime;
    publish(w->team, w->row, columns);
}

static void start_worker(struct worker *w, struct team *t, int thread) {
    const struct heddle_wavefront *c = t->call;
    *w = (struct worker){.team = t,
                         .block = {.env = c->env,
                                   .i0 = c->i0,
                                   .i1 = c->i1,
                                   .j0 = c->j0,
                                   .j1 = c->j1,
                                   .isa = t->isa,
                                   .stream = t->stream,
                                   .red = t->red + (size_t)thread * t->red_stride,
                                   .red_start = t->red_start,
                                   .runtime = w}};
    if (t->threads > 1) {
        w->block.chunk = t->chunk;
        w->block.wait = wait_columns;
        w->block.publish = publish_columns;
    }
}

/* Each thread begins with the same block in every call, whose cells its caches may still hold. Blocks of threads that
   are late are taken by those that are done with theirs; then all go on in the order of the blocks, so the one that a
   thread waits for was taken before, or will be by a thread that comes. */
static long next_block(struct team *t, bool first) {
    const int me = omp_get_thread_num(), team = (int)least(omp_get_num_threads(), t->threads);
    if (first && !atomic_exchange_explicit(&t->taken[me], 1, memory_order_relaxed))
        return me;
    for (int k = 0; k < team; k++)
        if (!atomic_load_explicit(&t->taken[k], memory_order_relaxed) &&
            !atomic_exchange_explicit(&t->taken[k], 1, memory_order_relaxed))
            return k;
    return team + atomic_fetch_add_explicit(&t->ticket, 1, memory_order_relaxed);
}

/* Prefix sums: all rows of some columns. */
static void set_stripe(struct worker *w, long number) {
    const struct team *t = w->team;
    const struct heddle_wavefront *c = t->call;
    struct heddle_cpu_block *b = &w->block;
    b->row = c->i0;
    b->rows = c->i1 - c->i0 + 1;
    b->column = c->j0 + number * t->block_rows;
    b->columns = least(t->block_rows, c->j1 - b->column + 1);
}

static void note_step(struct worker *w, double seconds) {
    if (w->step <= 0 || seconds < w->step)
        w->step = seconds;
}

/* Register form and prefix sums: row blocks. */
static void run_blocks(struct team *t, struct worker *w, int (*block)(struct heddle_cpu_block *)) {
    const bool trace = heddle__trace_on();
    const int track = trace ? heddle__trace_thread() : -1, name = trace ? heddle__trace_name("row block") : 0;
    for (bool first = true;; first = false) {
        const long row = next_block(t, first);
        if (row >= t->blocks)
            break;
        w->row = row;
        w->block.ready = row ? 0 : LONG_MAX;
        w->block.row = t->call->i0 + row * t->block_rows;
        if (t->scan)
            set_stripe(w, row);
        w->block.edge_in = t->edges + (size_t)((row + t->ring - 1) % t->ring) * t->edge_stride;
        w->block.edge_out = row + 1 < t->blocks ? t->edges + (size_t)(row % t->ring) * t->edge_stride : NULL;
        const double begin = heddle__now();
        w->waited = 0;
        block(&w->block);
        const double end = heddle__now();
        if (trace)
            heddle__trace_span(track, name, (int64_t)(begin * 1e9), (int64_t)(end * 1e9));
        if (row + 1 < t->blocks || t->blocks == 1) /* a whole one */
            note_step(w, (end - begin - w->waited) / t->steps);
    }
    if (w->step > 0 && omp_get_thread_num() == 0)
        heddle__step_note(t->call->nest, t->isa + (t->scan ? SCANS : 0), w->step);
}

static long tile_steps(const struct team *t) { return t->call->j1 - t->call->j0 + 1 + (t->block_rows - 1) * t->skew; }

/* Steps of the row above that must be done before steps below `s` may run. */
static long tile_need(const struct team *t, long s) {
    return least(s + t->call->nest->ahead + (t->block_rows - 1) * t->skew, tile_steps(t));
}

static void run_tile(struct team *t, struct worker *w, long row, long s0, long s1) {
    const struct heddle_wavefront *c = t->call;
    const long first = c->i0 + row * t->block_rows;
    c->nest->cpu_tile(c->env, &w->block, first, least(first + t->block_rows - 1, c->i1), s0, s1, t->skew);
}

/* Memory form, peer schedule: a tile row at a time. */
static void run_tile_rows(struct team *t, struct worker *w) {
    const long steps = tile_steps(t), width = t->call->tile_w;
    for (bool first = true;; first = false) {
        const long row = next_block(t, first);
        if (row >= t->blocks)
            return;
        for (long s0 = 0; s0 < steps; s0 += width) {
            const long s1 = least(s0 + width, steps);
            if (row)
                wait_for(t, row - 1, tile_need(t, s1));
            run_tile(t, w, row, s0, s1);
            publish(t, row, s1);
        }
    }
}

/* Memory form, barrier schedule: tile (r, q) on diagonal q + r * lag, a barrier after each. */
static void run_diagonals(struct team *t, struct worker *w, int thread, int threads) {
    const struct heddle_nest *nest = t->call->nest;
    const long width = t->call->tile_w, steps = tile_steps(t), tiles = (steps + width - 1) / width;
    const long lag = ((t->block_rows - 1) * t->skew + nest->ahead + width - 1) / width + 1;
    for (long d = 0; d < tiles + (t->blocks - 1) * lag; d++) {
        for (long r = thread; r < t->blocks && r * lag <= d; r += threads) {
            const long s0 = (d - r * lag) * width;
            if (s0 < steps)
                run_tile(t, w, r, s0, least(s0 + width, steps));
        }
#pragma omp barrier
    }
}

/* Time steps, loop by loop: all threads on the rows of each, as `omp parallel for` deals them. */
static void run_loops(struct team *t, struct worker *w, int thread, int threads) {
    const struct heddle_wavefront *c = t->call;
    const long first = c->loop_rows * thread / threads, end = c->loop_rows * (thread + 1) / threads;
    w->block.j0 = 0;
    w->block.j1 = c->loop_rows - 1;
    for (long k = 0; k < c->loops; k++) {
        c->nest->cpu_tile(c->env, &w->block, -1 - k, -1 - k, first, end, 0);
#pragma omp barrier
    }
}

static int allocate(struct team *t, int schedule) {
    const struct heddle_wavefront *c = t->call;
    const struct heddle_nest *nest = c->nest;
    t->ring = t->threads + 1;
    t->red_stride = (nest->red_bytes + 191) / 128 * 128;
    const size_t edge = schedule == HEDDLE_SCHEDULE_REGISTERS
                            ? (size_t)(c->j1 - c->j0 + 1 + nest->before + nest->after) * nest->edge_bytes
                        : t->scan ? (size_t)(c->i1 - c->i0 + 1) * nest->sum_bytes
                                  : 0;
    t->edge_stride = edge ? (edge + 191) / 128 * 128 : 0;
    t->edges = aligned_alloc(128, (size_t)t->ring * t->edge_stride + 128);
    t->progress = aligned_alloc(128, (size_t)t->ring * sizeof *t->progress);
    t->red = aligned_alloc(128, (size_t)t->threads * t->red_stride);
    t->red_start = malloc(nest->red_bytes + 1);
    t->taken = calloc((size_t)t->threads, sizeof *t->taken);
    if (!t->edges || !t->progress || !t->red || !t->red_start || !t->taken)
        return HEDDLE_ENOMEM;
    memset(t->progress, 0, (size_t)t->ring * sizeof *t->progress);
    memcpy(t->red_start, c->red, nest->red_bytes);
    nest->red_start(t->red_start);
    for (int k = 0; k < t->threads; k++)
        memcpy(t->red + (size_t)k * t->red_stride, t->red_start, nest->red_bytes);
    return HEDDLE_OK;
}

/* The row above the nest with what is beside it: before + columns + after edges. */
void heddle__top_halo(const struct heddle_wavefront *c, char *edge) {
    const struct heddle_nest *nest = c->nest;
    for (int q = nest->before; q > 0; q--, edge += nest->edge_bytes)
        nest->top_halo(c->env, c->i0 - 1, c->j0 - q, q == 1 ? HEDDLE_HALO_CORNER : HEDDLE_HALO_BEHIND, edge);
    for (long j = c->j0; j <= c->j1; j++, edge += nest->edge_bytes)
        nest->top_halo(c->env, c->i0 - 1, j, HEDDLE_HALO_TOP, edge);
    if (nest->after)
        nest->top_halo(c->env, c->i0 - 1, c->j1 + 1, HEDDLE_HALO_RIGHT, edge);
}

/* The first block reads the top halo like any other edge; it lies where "row block -1" would put it. */
static void fill_top_halo(struct team *t) {
    const struct heddle_wavefront *c = t->call;
    char *edge = t->edges + (size_t)(t->ring - 1) * t->edge_stride;
    if (c->nest->edge_bytes)
        heddle__top_halo(c, edge);
}

static long between(long v, long low, long high) { return v < low ? low : v > high ? high : v; }

/* Tiles of the memory form: their cells stay in the second-level cache; not tuned yet, no model chooses. */
static void size_tiles(struct team *t, int schedule) {
    struct heddle_wavefront *c = t->call;
    const long rows = c->i1 - c->i0 + 1;
    t->block_rows = c->tile_h ? c->tile_h : between(rows / (4L * t->threads), 16, 64);
    if (t->block_rows < c->nest->depth)
        t->block_rows = c->nest->depth;
    if (!c->tile_w) /* equal sides, unless nobody asked for a schedule */
        c->tile_w = schedule == HEDDLE_SCHEDULE_FLEXIBLE || c->schedule == HEDDLE_SCHEDULE_AUTO
                        ? between((c->j1 - c->j0 + 1) / (8L * t->threads), 32, 256) /* one thread behind the other */
                        : t->block_rows;
    heddle__report()->tile_h = t->block_rows;
    heddle__report()->tile_w = c->tile_w;
    heddle__report()->layout = "row";
}

/* Row blocks in registers. Rows of a block follow each other a column apart, in a chain lane by lane. */
static void size_blocks(struct team *t, bool interleaved) {
    const struct heddle_nest *nest = t->call->nest;
    const long rows = t->call->i1 - t->call->i0 + 1, columns = t->call->j1 - t->call->j0 + 1;
    t->block_rows = nest->cpu_rows(t->isa);
    t->blocks = (rows + t->block_rows - 1) / t->block_rows;
    const long lag = nest->cpu_chain && !interleaved ? t->block_rows / 16 : t->block_rows;
    const double step = heddle__step_seconds(nest, t->isa);
    t->steps = (double)(columns + lag);
    if (t->threads == 1)
        return;
    /* rows leave in pieces of some cache lines */
    const long cell = nest->flags & HEDDLE_NEST_STORE && nest->cell_bytes ? (long)nest->cell_bytes : 8;
    const struct heddle__pipeline p = {.blocks = t->blocks,
                                       .steps = columns + lag,
                                       .lag = lag,
                                       .seconds = step > 0 ? step : STEP,
                                       .unit = interleaved ? 64 : between(256 / cell / 32 * 32, 32, 128),
                                       .most = HEDDLE_CPU_CHUNK_MOST};
    const struct heddle__shape shape = heddle__pipeline_shape(&p, t->threads, heddle__signal_seconds(t->threads));
    t->threads = shape.workers;
    t->chunk = shape.chunk;
}

/* Prefix sums: stripes of whole vectors, one for each worker or more. */
static void size_stripes(struct team *t) {
    const struct heddle_wavefront *c = t->call;
    const long rows = c->i1 - c->i0 + 1, columns = c->j1 - c->j0 + 1;
    const long units = (columns + HEDDLE_SCAN_UNIT - 1) / HEDDLE_SCAN_UNIT,
               most = HEDDLE_SCAN_STRIPE / HEDDLE_SCAN_UNIT;
    const double signal = t->threads > 1 ? heddle__signal_seconds(t->threads) : 0;
    const double known = heddle__step_seconds(c->nest, t->isa + SCANS), cell = known > 0 ? known : SCAN_CELL;
    struct heddle__shape best = {.workers = 0};
    long before = 0;
    t->scan = true;
    for (int workers = 1; workers <= t->threads; workers++) {
        const long width = least(most, (units + workers - 1) / workers);
        const struct heddle__pipeline p = {.blocks = (units + width - 1) / width,
                                           .steps = rows,
                                           .seconds = cell * (double)(width * HEDDLE_SCAN_UNIT),
                                           .unit = 8,
                                           .most = rows};
        const struct heddle__shape shape = heddle__pipeline_chunk(&p, (int)least(workers, p.blocks), signal);
        if (best.workers && ((width == before && width < most) || !heddle__pipeline_gains(&shape, &best)))
            continue;
        best = shape;
        before = width;
        t->block_rows = width * HEDDLE_SCAN_UNIT;
        t->blocks = p.blocks;
    }
    t->threads = best.workers;
    t->chunk = best.chunk;
    t->steps = (double)rows * (double)least(t->block_rows, columns);
}

/* Time steps of which too few tiles can run at once for all threads: tiles begin one by one and wait for each other, so
   threads work half as long as could be. */
static bool is_loop_by_loop(const struct team *t, int schedule) {
    const struct heddle_wavefront *c = t->call;
    return schedule == HEDDLE_SCHEDULE_PEER_SQUARE && c->loop_rows > 1 && t->threads > 1 &&
           least(c->at_once / 2, t->blocks) < t->threads;
}

static void size_team(struct team *t, const struct heddle__cpu_form *form) {
    if (form->schedule == HEDDLE_SCHEDULE_REGISTERS) {
        size_blocks(t, form->interleaved);
    } else if (form->schedule == HEDDLE_SCHEDULE_SCAN) {
        size_stripes(t);
    } else {
        size_tiles(t, form->schedule);
        t->blocks = (t->call->i1 - t->call->i0 + t->block_rows) / t->block_rows;
        t->by_loop = is_loop_by_loop(t, form->schedule);
    }
    const long most = t->by_loop ? t->call->loop_rows : t->blocks;
    if (t->threads > most)
        t->threads = (int)most;
}

static void work(struct team *t, int schedule) {
    struct worker w;
    start_worker(&w, t, omp_get_thread_num());
    if (schedule == HEDDLE_SCHEDULE_REGISTERS || schedule == HEDDLE_SCHEDULE_SCAN)
        run_blocks(t, &w, schedule == HEDDLE_SCHEDULE_SCAN ? t->call->nest->cpu_scan : t->call->nest->cpu_block);
    else if (t->by_loop)
        run_loops(t, &w, omp_get_thread_num(), omp_get_num_threads());
    else if (schedule == HEDDLE_SCHEDULE_BARRIER || schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE)
        run_diagonals(t, &w, omp_get_thread_num(), omp_get_num_threads());
    else
        run_tile_rows(t, &w);
}

/* All have to come to the barriers between diagonals, and between loops. */
static void run(struct team *t, int schedule) {
    const bool barriers =
        t->by_loop || schedule == HEDDLE_SCHEDULE_BARRIER || schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE;
    const int team = barriers ? t->threads : heddle__host_team(t->threads, t->all);
#pragma omp parallel num_threads(team) if (t->threads > 1)
    if (omp_get_thread_num() < t->threads)
        work(t, schedule);
}

int heddle__cpu_run(struct heddle_wavefront *call, const struct heddle__cpu_form *form) {
    struct team t = {.call = call,
                     .threads = form->alone ? 1 : heddle__host_threads(),
                     .timeout = heddle__option_seconds("timeout"),
                     .stream = form->stream,
                     .isa = form->interleaved ? HEDDLE_ISA_INTERLEAVED : heddle__host_isa()};
    t.all = t.threads;
    t.skew = form->schedule == HEDDLE_SCHEDULE_PEER_SQUARE || form->schedule == HEDDLE_SCHEDULE_BARRIER_SQUARE
                 ? 0
                 : call->nest->skew;
    size_team(&t, form);
    int error = allocate(&t, form->schedule);
    if (!error) {
        if (form->schedule == HEDDLE_SCHEDULE_REGISTERS)
            fill_top_halo(&t);
        run(&t, form->schedule);
        for (int k = 0; k < t.threads; k++)
            call->nest->red_join(call->red, t.red + (size_t)k * t.red_stride);
        heddle__report()->workers = t.threads;
        heddle__report()->rows_per_worker = (int)(t.scan ? call->i1 - call->i0 + 1 : t.block_rows);
    }
    free(t.edges);
    free(t.progress);
    free(t.red);
    free(t.red_start);
    free(t.taken);
    return error;
}
