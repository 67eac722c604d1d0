/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedule flexible: the tile width by PeerWave's model (ICS 2015, section 4, equations 1 to 4). The model needs the
 * time d of one diagonal and the cost tau of one synchronisation. They are measured on a corner of the data at a few
 * widths, by least squares over the model's own formula, and kept (model/widths.c) for each program, nest, device, tile
 * height and size class.
 *
 * Where the corner's cells are the nest's own business (hybrid layout) the corner is computed and thrown away. Else the
 * corner's panels are part of the run: any split into row panels is a legal order, and one into columns as well where
 * no cell reads from above on the right.
 */
#include "device/device.h"
#include "model/widths.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static long log2_of(double v) { return lround(log2(fmax(1, v))); }

/* ---- measuring a corner ----------------------------------------------------------------------------------- */

/* Widths that are tried, and the share of the cells that they may take all together (the paper's). */
static const long tried[] = {8, 32, 128};
enum { TRIED = sizeof tried / sizeof *tried };
#define CORNER 0.006
/* Below this many cells, a default width is as good. */
#define FLEXIBLE_FROM 4e6
enum { WIDTH_LOW = 2, WIDTH_HIGH = 1024, WIDTH_DEFAULT = 32, WIDTH_DEFAULT_CPU = 256, RUNS = TRIED * 2 };

struct training {
    struct heddle_wavefront *call;
    int device, holder; /* heddle__try_run */
    struct heddle__width_run runs[RUNS];
    int count;
};

static int run_part(struct training *t, long i0, long i1, long j0, long j1, long w, int trial) {
    struct heddle_wavefront part = *t->call;
    part.i0 = i0, part.i1 = i1, part.j0 = j0, part.j1 = j1;
    part.tile_w = w;
    part.trial = trial;
    part.t1 = trial ? part.t0 : part.t1;
    return i1 < i0 || j1 < j0 ? HEDDLE_OK
                              : heddle__try_run(&part, HEDDLE_SCHEDULE_FLEXIBLE, t->device, t->holder, NULL);
}

static void note(struct training *t, long rows, long columns, long w) {
    const struct heddle_report *r = heddle__report();
    const double seconds = r->device_seconds > 0 ? r->device_seconds : r->kernel_seconds;
    if (seconds > 0 && t->count < RUNS)
        t->runs[t->count++] = (struct heddle__width_run){(double)rows, (double)columns, (double)w, seconds};
}

/* Nothing is given back, so the same corner serves every width, once to warm up and once to measure. */
static int train_apart(struct training *t, long rows, long columns) {
    const struct heddle_wavefront *c = t->call;
    int error = run_part(t, c->i0, c->i0 + rows - 1, c->j0, c->j0 + columns - 1, tried[0], 1);
    for (int k = 0; !error && k < RUNS; k++) {
        error = run_part(t, c->i0, c->i0 + rows - 1, c->j0, c->j0 + columns - 1, tried[k % TRIED], 1);
        if (!error)
            note(t, rows, columns, tried[k % TRIED]);
    }
    return error;
}

/* Panels of the corner, one for each width; then what is to the right of them. *next: first row that is left. */
static int train_inside(struct training *t, long rows, long columns, long *next) {
    const struct heddle_wavefront *c = t->call;
    int error = HEDDLE_OK;
    for (int k = 0; !error && k <= TRIED; k++, *next += rows) { /* the first one starts threads and loads code */
        const long w = tried[k ? k - 1 : 0];
        error = run_part(t, *next, *next + rows - 1, c->j0, c->j0 + columns - 1, w, 0);
        if (!error && k)
            note(t, rows, columns, w);
    }
    return error ? error : run_part(t, c->i0, *next - 1, c->j0 + columns, c->j1, tried[1], 0);
}

/* 0, and the corner's sides; or 1: it is not worth it or cannot be had. */
static int corner(const struct heddle_wavefront *c, const struct heddle__width_terms *e, bool apart, long *rows,
                  long *columns) {
    const struct heddle_nest *nest = c->nest;
    const double n = (double)(c->i1 - c->i0 + 1), m = (double)(c->j1 - c->j0 + 1), share = sqrt(CORNER);
    *columns = (long)fmax(m * share, 2.0 * (double)tried[TRIED - 1]);
    *rows = (long)(n * share / (apart ? 1 : TRIED + 1)) / e->height * e->height;
    *rows = *rows < e->height ? e->height : *rows;
    if (!apart && c->t1 > c->t0) /* parts of a sweep are no parts of several */
        return 1;
    if (apart ? !(nest->flags & HEDDLE_NEST_HOST_BORDER) && (nest->last_rows || nest->last_col)
              : nest->last_rows || nest->last_col)
        return 1;
    if (!apart && nest->ahead)
        *columns = (long)m;
    return n * m < FLEXIBLE_FROM || (double)*rows * (apart ? 2 : 2 * (TRIED + 1)) > n || (double)*columns > m;
}

static int run_rest(const struct training *t, long next, const struct heddle__width *m, bool hybrid, const char *how) {
    const struct heddle_wavefront *call = t->call;
    struct heddle_wavefront rest = *call;
    const struct heddle__width at = {.rows = (double)(call->i1 - next + 1),
                                     .columns = m->columns,
                                     .h = m->h,
                                     .workers = m->workers,
                                     .d = m->d,
                                     .tau = m->tau};
    rest.i0 = next;
    rest.tile_w = heddle__width_best(&at, WIDTH_LOW, WIDTH_HIGH);
    if (hybrid)
        rest.tile_w = heddle__group_steps(rest.tile_w);
    heddle__verbose("%s:%d: tile width %ld: diagonal %.1f ns, synchronisation %.1f ns (%s), %.0f workers of %.0f rows; "
                    "expected %.6f s",
                    call->nest->site.file, call->nest->site.line, rest.tile_w, at.d * 1e9, at.tau * 1e9, how,
                    at.workers, at.h, heddle__width_time(&at, (double)rest.tile_w));
    return heddle__try_run(&rest, HEDDLE_SCHEDULE_FLEXIBLE, t->device, t->holder, NULL);
}

/* What the engines will use for this call, as a key and as the model's terms. */
static void describe(const struct heddle_wavefront *call, int device, struct heddle__width_terms *e,
                     struct heddle__width *m) {
    const struct heddle_device_info *facts = heddle__device_facts(device);
    const double n = (double)(call->i1 - call->i0 + 1), columns = (double)(call->j1 - call->j0 + 1);
    *e = (struct heddle__width_terms){.layout = HEDDLE_LAYOUT_ROW, .rows = log2_of(n), .columns = log2_of(columns)};
    if (device != HEDDLE_DEVICE_HOST && heddle__architecture(&call->nest->site, device) == HEDDLE_ARCH_GPU) {
        const struct heddle__tiling t = heddle__tiling(call, HEDDLE_SCHEDULE_FLEXIBLE, device);
        e->height = t.h, e->workers = t.teams, e->layout = t.hybrid ? HEDDLE_LAYOUT_HYBRID : HEDDLE_LAYOUT_ROW;
    } else {
        e->height = call->tile_h ? call->tile_h : 64;
        e->workers = device == HEDDLE_DEVICE_HOST ? heddle__host_threads() : 1;
    }
    char nest[HEDDLE__WIDTH_NAME];
    snprintf(nest, sizeof nest, "%s:%d:%s", call->nest->site.file, call->nest->site.line, call->nest->site.function);
    heddle__name_copy(e->nest, nest, sizeof e->nest);
    heddle__name_copy(e->device, facts ? facts->name : "?", sizeof e->device);
    *m = (struct heddle__width){.rows = n, .columns = columns, .h = (double)e->height, .workers = (double)e->workers};
}

double heddle__flexible_expected(const struct heddle_wavefront *call, int device) {
    struct heddle__width_terms e;
    struct heddle__width m;
    describe(call, device, &e, &m);
    if (!heddle__width_recall(&e))
        return 0;
    m.d = e.diagonal, m.tau = e.sync;
    return heddle__width_time(&m, (double)heddle__width_best(&m, WIDTH_LOW, WIDTH_HIGH));
}

int heddle__flexible(struct heddle_wavefront *call, int device, int holder) {
    struct training t = {.call = call, .device = device, .holder = holder};
    struct heddle__width_terms e;
    struct heddle__width m;
    long rows, columns, next = call->i0;
    describe(call, device, &e, &m);
    call->tile_h = e.height; /* of parts as of the whole */
    const bool apart = e.layout == HEDDLE_LAYOUT_HYBRID;
    if (heddle__width_recall(&e)) {
        m.d = e.diagonal, m.tau = e.sync;
        return run_rest(&t, next, &m, apart, "known");
    }
    if (corner(call, &e, apart, &rows, &columns)) {
        call->tile_w = device == HEDDLE_DEVICE_HOST ? WIDTH_DEFAULT_CPU : WIDTH_DEFAULT;
        return heddle__try_run(call, HEDDLE_SCHEDULE_FLEXIBLE, device, holder, NULL);
    }
    int error = apart ? train_apart(&t, rows, columns) : train_inside(&t, rows, columns, &next);
    if (error)
        return error;
    if (heddle__width_fit(&m, t.runs, t.count)) {
        e.diagonal = m.d, e.sync = m.tau;
        heddle__width_remember(&e);
        return run_rest(&t, next, &m, apart, "measured now");
    }
    heddle__verbose("%s:%d: the corner's times make no sense; default tile width", call->nest->site.file,
                    call->nest->site.line);
    struct heddle_wavefront rest = *call;
    rest.i0 = next;
    rest.tile_w = WIDTH_DEFAULT;
    return heddle__try_run(&rest, HEDDLE_SCHEDULE_FLEXIBLE, device, holder, NULL);
}
