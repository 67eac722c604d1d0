/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which form a nest takes on the host. How much a body computes for each cell that it moves decides, and only a
 * measurement tells: a large nest runs its first rows by each form in turn and the rest by the fastest, in its first
 * calls, and then whole by those that came near; a small one that is called again and again runs whole by each form
 * until all have been timed. The choice is kept for the nest's next calls of about this size. (PeerWave, ICS 2015,
 * section 4, measures its model's constants on 0.6 % of the data in the same spirit.) Any split into row panels is a
 * legal order.
 */
#include "core/internal.h"
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <string.h>

enum { LANES, INTERLEAVED, TILES, ROWS, LANES_ALONE, INTERLEAVED_ALONE, FORMS };
static const struct heddle__cpu_form forms[FORMS] = {
    [LANES] = {.name = "registers", .schedule = HEDDLE_SCHEDULE_REGISTERS},
    [INTERLEAVED] = {.name = "interleaved", .schedule = HEDDLE_SCHEDULE_REGISTERS, .interleaved = true},
    [TILES] = {.name = "peer", .schedule = HEDDLE_SCHEDULE_PEER},
    [ROWS] = {.name = "rows", .schedule = HEDDLE_SCHEDULE_PEER, .alone = true, .rows = true},
    [LANES_ALONE] = {.name = "registers", .schedule = HEDDLE_SCHEDULE_REGISTERS, .alone = true},
    [INTERLEAVED_ALONE] = {.name = "interleaved",
                           .schedule = HEDDLE_SCHEDULE_REGISTERS,
                           .interleaved = true,
                           .alone = true},
};

/* In cells. Below the first bound one thread is the first guess, below the second it is tried; a panel of the third is
   long beside the start of threads; whole calls are tried up to the last one. */
enum { ALONE_GUESS = 1 << 15, ALONE_TRY = 1 << 19, PANEL = 1 << 17, WHOLE = 1 << 21 };
/* The shortest of so many times counts: one disturbed panel would otherwise decide for the whole process. */
enum { CHOICES = 64, PANELS = 64, TRIES = 3 };
/* A panel stays in caches that the whole nest fills, which flatters forms that store through them, and its row blocks
   may not share out evenly; of small nests the first form is timed while everything is new to the caches. So further
   whole calls, so many by each, decide between the forms that took up to half as long again. */
enum { WHOLES = 2 };
#define CONTENDS 1.5
/* Bytes of results from which on nobody expects them in the caches when they are next looked at. */
enum { STREAM_FROM = 32 << 20 };

static struct choice {
    const struct heddle_nest *nest;
    int rows, columns, threads; /* logarithms of the first two */
    unsigned candidates;        /* a bit for each form */
    int tries[FORMS];
    double best[FORMS]; /* seconds for a cell */
    int wholes[FORMS];  /* the same of whole calls after the panels */
    double whole[FORMS];
    int form; /* -1: not chosen yet */
} choices[CHOICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static long rows_of(const struct heddle_wavefront *call) { return call->i1 - call->i0 + 1; }
static long columns_of(const struct heddle_wavefront *call) { return call->j1 - call->j0 + 1; }
static double cells_of(const struct heddle_wavefront *call) { return (double)rows_of(call) * (double)columns_of(call); }
static int magnitude(long n) { return 63 - __builtin_clzl((unsigned long)n); }

static bool streams(const struct heddle_wavefront *call) {
    return call->nest->flags & HEDDLE_NEST_STORE && cells_of(call) * (double)call->nest->cell_bytes >= STREAM_FROM;
}

static int run_form(struct heddle_wavefront *call, int form, long i0, long i1) {
    struct heddle_wavefront part = *call;
    struct heddle__cpu_form how = forms[form];
    how.stream = streams(call);
    part.i0 = i0;
    part.i1 = i1;
    if (forms[form].rows) {
        part.tile_h = i1 - i0 + 1;
        part.tile_w = columns_of(call) + part.tile_h * call->nest->skew;
    }
    if (call->schedule == HEDDLE_SCHEDULE_AUTO) /* else what was asked for */
        heddle__report()->schedule = forms[form].name;
    return heddle__cpu_run(&part, &how);
}

/* Whether the nest may be cut into panels of rows: everything that one hands on to the next is in memory. */
static bool may_split(const struct heddle_wavefront *call) {
    const struct heddle_nest *nest = call->nest;
    return nest->flags & HEDDLE_NEST_STORE && !nest->last_rows && !nest->last_col;
}

/* The interleaved form counts columns in int. */
static bool may_interleave(const struct heddle_wavefront *call) {
    return call->j0 > INT_MIN && call->j1 < INT_MAX / 2 && columns_of(call) < INT_MAX / 2;
}

static bool has_lanes(const struct heddle_wavefront *call) { return !(call->nest->flags & HEDDLE_NEST_EXTENDED); }

/* Lanes pay where the body works on registers alone, if there are rows enough to fill them. */
static int guess(const struct heddle_wavefront *call) {
    const bool alone = cells_of(call) < ALONE_GUESS || heddle__host_threads() == 1;
    const bool enough = call->nest->flags & HEDDLE_NEST_PURE && has_lanes(call) &&
                        rows_of(call) >= call->nest->cpu_rows(heddle__host_isa()) / 2;
    if (enough || !may_interleave(call))
        return alone ? LANES_ALONE : LANES;
    return alone ? INTERLEAVED_ALONE : INTERLEAVED;
}

static unsigned candidates(const struct heddle_wavefront *call) {
    const unsigned flags = call->nest->flags;
    /* threads that have to be woken cost more than a small nest */
    const bool many = cells_of(call) >= ALONE_GUESS && heddle__host_threads() > 1;
    const bool lanes = has_lanes(call) && rows_of(call) >= call->nest->cpu_rows(heddle__host_isa()) / 2;
    unsigned set = 1u << guess(call);
    /* nothing is moved: scalar rows cannot gain on full lanes, so they are not tried */
    const bool scalar = may_interleave(call) && !(lanes && flags & HEDDLE_NEST_PURE && !(flags & HEDDLE_NEST_STORE));
    if (!many || cells_of(call) < ALONE_TRY)
        set |= (scalar ? 1u << INTERLEAVED_ALONE : 0) | (lanes ? 1u << LANES_ALONE : 0);
    if (many)
        set |= (scalar ? 1u << INTERLEAVED : 0) | (lanes ? 1u << LANES : 0);
    if (call->schedule == HEDDLE_SCHEDULE_AUTO && flags & HEDDLE_NEST_MEMORY && may_split(call))
        set |= 1u << ROWS | (many ? 1u << TILES : 0);
    return set;
}

static bool same(const struct choice *a, const struct choice *b) {
    return a->nest == b->nest && a->rows == b->rows && a->columns == b->columns && a->threads == b->threads &&
           a->candidates == b->candidates;
}

/* The entry of this nest and size, with `lock` held; NULL: the table is full. */
static struct choice *entry(const struct heddle_wavefront *call) {
    const struct choice key = {.nest = call->nest,
                               .rows = magnitude(rows_of(call)),
                               .columns = magnitude(columns_of(call)),
                               .threads = heddle__host_threads(),
                               .candidates = candidates(call),
                               .form = -1};
    for (int k = 0; k < CHOICES; k++) {
        if (!choices[k].nest)
            choices[k] = key;
        if (same(&choices[k], &key))
            return &choices[k];
    }
    return NULL;
}

static int fastest(const struct choice *c) {
    int form = -1;
    for (int k = 0; k < FORMS; k++)
        if (c->tries[k] && (form < 0 || c->best[k] < c->best[form]))
            form = k;
    return form;
}

/* One that was far behind gets no second try. */
static bool wants_try(const struct choice *c, int form) {
    return c->candidates & 1u << form && c->tries[form] < TRIES &&
           (!c->tries[form] || c->best[form] < 2 * c->best[fastest(c)]);
}

/* The form not yet timed often enough, the guess first. -1: all are. */
static int untried(const struct choice *c, int first) {
    if (c->tries[first] < TRIES)
        return first;
    for (int form = 0; form < FORMS; form++)
        if (wants_try(c, form))
            return form;
    return -1;
}

static void note(struct choice *c, int form, double seconds_per_cell) {
    if (!c->tries[form] || seconds_per_cell < c->best[form])
        c->best[form] = seconds_per_cell;
    c->tries[form]++;
}

static int run_timed(struct heddle_wavefront *call, struct choice *c, int form, long i0, long i1) {
    const double start = heddle__now();
    const int error = run_form(call, form, i0, i1);
    note(c, form, (heddle__now() - start) / ((double)(i1 - i0 + 1) * (double)columns_of(call)));
    return error;
}

/* Rows of one panel, or 0: the nest is too small to be cut. */
static long panel_rows(const struct heddle_wavefront *call, unsigned set) {
    const long rows = rows_of(call), most = rows / (2 * __builtin_popcount(set)),
               by_cells = PANEL / columns_of(call) + 1;
    const long panel = rows / PANELS < by_cells ? by_cells : rows / PANELS;
    if (!may_split(call) || panel > most)
        return 0;
    const long least = (long)call->nest->cpu_rows(heddle__host_isa()) * heddle__host_threads();
    const long size = panel < least ? least : panel;
    return size <= most ? size : 0;
}

/* Adds what was timed to what is known of the nest, decides once all forms were timed often enough, and says who is the
   fastest so far. */
static int learn(const struct heddle_wavefront *call, const struct choice *timed) {
    int form = fastest(timed);
    pthread_mutex_lock(&lock);
    struct choice *kept = entry(call);
    for (int k = 0; kept && k < FORMS; k++)
        if (timed->tries[k])
            note(kept, k, timed->best[k]);
    if (kept) {
        form = fastest(kept);
        kept->form = untried(kept, guess(call)) < 0 ? form : -1;
    }
    pthread_mutex_unlock(&lock);
    return form;
}

/* known: of earlier calls. */
static int run_panels(struct heddle_wavefront *call, const struct choice *known, long panel) {
    struct choice timed = {0};
    long next = call->i0;
    int error = HEDDLE_OK;
#pragma omp parallel num_threads(heddle__host_threads()) /* so that no form is charged for the start of threads */
    omp_get_thread_num();
    for (int form = 0; !error && form < FORMS; form++)
        if (wants_try(known, form) || (form == guess(call) && known->tries[form] < TRIES)) {
            error = run_timed(call, &timed, form, next, next + panel - 1);
            next += panel;
        }
    if (error)
        return error;
    return run_form(call, learn(call, &timed), next, call->i1);
}

/* The whole nest by the next form to be timed. */
static int run_whole(struct heddle_wavefront *call, int form) {
    struct choice timed = {0};
    const int error = run_timed(call, &timed, form, call->i0, call->i1);
    if (!error)
        learn(call, &timed);
    return error;
}

static bool contends(const struct choice *c, int form) {
    return c->tries[form] && c->best[form] < CONTENDS * c->best[fastest(c)];
}

/* The contender that lacks most whole calls; one that was far behind gets no second. -1: nobody does, or there is no
 * other. */
static int contender(const struct choice *c) {
    int next = -1, all = 0;
    double shortest = 0;
    for (int form = 0; form < FORMS; form++)
        if (c->wholes[form] && (shortest <= 0 || c->whole[form] < shortest))
            shortest = c->whole[form];
    for (int form = 0; form < FORMS; form++) {
        if (!contends(c, form))
            continue;
        all++;
        if (c->wholes[form] < WHOLES && !(c->wholes[form] && c->whole[form] > 2 * shortest) &&
            (next < 0 || c->wholes[form] < c->wholes[next]))
            next = form;
    }
    return all > 1 ? next : -1;
}

/* The whole nest by a contender. */
static int run_contender(struct heddle_wavefront *call, int form) {
    const double start = heddle__now();
    const int error = run_form(call, form, call->i0, call->i1);
    const double seconds = (heddle__now() - start) / cells_of(call);
    pthread_mutex_lock(&lock);
    struct choice *c = error ? NULL : entry(call);
    if (c) {
        if (!c->wholes[form] || seconds < c->whole[form])
            c->whole[form] = seconds;
        c->wholes[form]++;
        for (int k = 0; contender(c) < 0 && k < FORMS; k++)
            if (contends(c, k) && c->whole[k] < c->whole[c->form])
                c->form = k;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static int run_best(struct heddle_wavefront *call) {
    const int first = guess(call);
    struct choice known = {.candidates = candidates(call), .form = -1};
    pthread_mutex_lock(&lock);
    const struct choice *kept = entry(call);
    if (kept)
        known = *kept;
    pthread_mutex_unlock(&lock);
    const long panel = panel_rows(call, known.candidates);
    const int next_whole = known.form >= 0 ? contender(&known) : -1;
    if (next_whole >= 0)
        return run_contender(call, next_whole);
    if (known.form >= 0)
        return run_form(call, known.form, call->i0, call->i1);
    if (panel)
        return run_panels(call, &known, panel);
    const int next = kept ? untried(&known, first) : -1;
    if (next >= 0 && cells_of(call) <= WHOLE)
        return run_whole(call, next);
    return run_form(call, first, call->i0, call->i1);
}

/* The two loops, without what may be around them. */
static int run_loops(struct heddle_wavefront *call, int schedule) {
    char form[HEDDLE__OPTION_MAX];
    int error;
    heddle__option_read("cpu-form", form, sizeof form);
    if (schedule == HEDDLE_SCHEDULE_REGISTERS && !has_lanes(call) && !may_interleave(call)) {
        if (!(call->nest->flags & HEDDLE_NEST_MEMORY))
            return HEDDLE_ESERIAL;
        schedule = HEDDLE_SCHEDULE_PEER;
    }
    if (schedule != HEDDLE_SCHEDULE_REGISTERS)
        error = heddle__cpu_run(call, &(struct heddle__cpu_form){.schedule = schedule, .stream = streams(call)});
    else if (!strcmp(form, "lanes") || !strcmp(form, "interleaved"))
        error = run_form(call, *form == 'l' || !may_interleave(call) ? LANES : INTERLEAVED, call->i0, call->i1);
    else {
        if (strcmp(form, "auto") != 0)
            heddle__option_bad("cpu-form", form);
        error = run_best(call);
    }
    return error;
}

static int run_each_sweep(struct heddle_wavefront *call, int schedule) {
    int error = HEDDLE_OK;
    for (long t = call->t0; !error && t <= call->t1; t++) {
        if (call->nest->set_sweep)
            call->nest->set_sweep(call->env, t);
        error = run_loops(call, schedule);
    }
    return error;
}

int heddle__wavefront_cpu(struct heddle_wavefront *call, int schedule) {
    const double start = heddle__now();
    const bool in_place = call->nest->cpu_sweeps && schedule == HEDDLE_SCHEDULE_REGISTERS && call->t1 > call->t0;
    const int error = in_place ? heddle__sweeps_cpu(call) : run_each_sweep(call, schedule);
    heddle__report()->kernel_seconds = heddle__now() - start;
    return error;
}
