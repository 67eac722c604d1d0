/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedule flexible: the tile width by PeerWave's model (ICS 2015, section 4, equations 1 to 4). The model needs the
 * time d of one diagonal and the cost tau of one synchronisation. They are measured on a corner of the data at a few
 * widths, by least squares over the model's own formula, and kept on disk for each program, nest, device, tile
 * height and size class.
 *
 * Where the corner's cells are the nest's own business (hybrid layout) the corner is computed and thrown away. Else the
 * corner's panels are part of the run: any split into row panels is a legal order, and one into columns as well where
 * no cell reads from above on the right.
 */
#include "device/device.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is known ---------------------------------------------------------------------------------------- */

enum { ENTRIES = 256, TEXT = 192 };
#define HEADER "# heddle tile widths 1; times in nanoseconds; edit or delete lines as you like"
#define COLUMNS "nest,device,layout,height,workers,rows_log2,columns_log2,diagonal_ns,sync_ns"

struct entry {
    char nest[TEXT], device[TEXT];
    int layout; /* HEDDLE_LAYOUT_ROW or _HYBRID */
    long h, workers;
    int rows, columns; /* logarithms */
    double d, tau;
    bool own; /* measured by this process */
};
static struct entry entries[ENTRIES];
static int known;
static char path[4096];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool same(const struct entry *a, const struct entry *b) {
    return !strcmp(a->nest, b->nest) && !strcmp(a->device, b->device) && a->layout == b->layout && a->h == b->h &&
           a->workers == b->workers && a->rows == b->rows && a->columns == b->columns;
}

static struct entry *find(const struct entry *key) {
    for (int k = 0; k < known; k++)
        if (same(&entries[k], key))
            return &entries[k];
    return NULL;
}

static void keep(const struct entry *e) {
    struct entry *old = find(e);
    if (!old && known == ENTRIES) /* the oldest one goes */
        memmove(&entries[0], &entries[1], (size_t)--known * sizeof *entries);
    old = old ? old : &entries[known++];
    *old = *e;
}

/* Commas and quotes in names were replaced when the entry was made. */
static bool read_line(const char *line) {
    struct entry e = {.own = false};
    int end = 0;
    const int n = sscanf(line, "%191[^,],%191[^,],%d,%ld,%ld,%d,%d,%lf,%lf %n", e.nest, e.device, &e.layout, &e.h,
                         &e.workers, &e.rows, &e.columns, &e.d, &e.tau, &end);
    e.d *= 1e-9;
    e.tau *= 1e-9;
    if (n != 9 || line[end] || e.layout < 0 || e.layout > HEDDLE_LAYOUT_HYBRID || e.rows < 0 || e.rows > 62 ||
        e.columns < 0 || e.columns > 62)
        return false;
    if (!(e.d > 0) || !(e.d < 1) || !(e.tau >= 0) || !(e.tau < 1) || e.h < 1 || e.workers < 1)
        return false;
    const struct entry *old = find(&e);
    if (!old || !old->own)
        keep(&e);
    return true;
}

static bool read_file(void *with) {
    (void)with;
    heddle__store_read(path, "# heddle tile widths 1;", "nest,", read_line, "tile widths");
    return true;
}

static bool write_file(FILE *f, void *with) {
    (void)with;
    fprintf(f, "%s\n%s\n", HEADER, COLUMNS);
    for (int k = 0; k < known; k++) {
        const struct entry *e = &entries[k];
        fprintf(f, "%s,%s,%d,%ld,%ld,%d,%d,%.4f,%.4f\n", e->nest, e->device, e->layout, e->h, e->workers, e->rows,
                e->columns, e->d * 1e9, e->tau * 1e9);
    }
    return !ferror(f);
}

static void load(void) {
    if (heddle__store_path(path, sizeof path, ".widths.csv"))
        read_file(NULL);
}

static bool recall(struct entry *e) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_mutex_lock(&lock);
    pthread_once(&once, load);
    const struct entry *old = find(e);
    if (old)
        *e = *old;
    pthread_mutex_unlock(&lock);
    return old != NULL;
}

static void remember(struct entry *e) {
    e->own = true;
    pthread_mutex_lock(&lock);
    keep(e);
    if (*path)
        heddle__store_replace(path, read_file, write_file, NULL);
    pthread_mutex_unlock(&lock);
}

static void clean(char *text) {
    for (; *text; text++)
        if (*text == ',' || *text == '\n')
            *text = ';';
}

static int log2_of(double v) { return (int)lround(log2(fmax(1, v))); }

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
    return i1 < i0 || j1 < j0 ? HEDDLE_OK : heddle__try_run(&part, HEDDLE_SCHEDULE_FLEXIBLE, t->device, t->holder);
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
static int corner(const struct heddle_wavefront *c, const struct entry *e, bool apart, long *rows, long *columns) {
    const struct heddle_nest *nest = c->nest;
    const double n = (double)(c->i1 - c->i0 + 1), m = (double)(c->j1 - c->j0 + 1), share = sqrt(CORNER);
    *columns = (long)fmax(m * share, 2.0 * (double)tried[TRIED - 1]);
    *rows = (long)(n * share / (apart ? 1 : TRIED + 1)) / e->h * e->h;
    *rows = *rows < e->h ? e->h : *rows;
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
    return heddle__try_run(&rest, HEDDLE_SCHEDULE_FLEXIBLE, t->device, t->holder);
}

/* What the engines will use for this call, as a key and as the model's terms. */
static void describe(const struct heddle_wavefront *call, int device, struct entry *e, struct heddle__width *m) {
    struct heddle_device_info info;
    const double n = (double)(call->i1 - call->i0 + 1), columns = (double)(call->j1 - call->j0 + 1);
    *e = (struct entry){.layout = HEDDLE_LAYOUT_ROW, .rows = log2_of(n), .columns = log2_of(columns)};
    if (device != HEDDLE_DEVICE_HOST && heddle__architecture(&call->nest->site, device) == HEDDLE_ARCH_NVPTX) {
        const struct heddle__tiling t = heddle__tiling(call, HEDDLE_SCHEDULE_FLEXIBLE, device);
        e->h = t.h, e->workers = t.teams, e->layout = t.hybrid ? HEDDLE_LAYOUT_HYBRID : HEDDLE_LAYOUT_ROW;
    } else {
        e->h = call->tile_h ? call->tile_h : 64;
        e->workers = device == HEDDLE_DEVICE_HOST ? heddle__host_threads() : 1;
    }
    snprintf(e->nest, sizeof e->nest, "%s:%d:%s", call->nest->site.file, call->nest->site.line,
             call->nest->site.function);
    snprintf(e->device, sizeof e->device, "%s", heddle_device_info(device, &info) ? "?" : info.name);
    clean(e->nest);
    clean(e->device);
    *m = (struct heddle__width){.rows = n, .columns = columns, .h = (double)e->h, .workers = (double)e->workers};
}

int heddle__flexible(struct heddle_wavefront *call, int device, int holder) {
    struct training t = {.call = call, .device = device, .holder = holder};
    struct entry e;
    struct heddle__width m;
    long rows, columns, next = call->i0;
    describe(call, device, &e, &m);
    call->tile_h = e.h; /* of parts as of the whole */
    const bool apart = e.layout == HEDDLE_LAYOUT_HYBRID;
    if (recall(&e)) {
        m.d = e.d, m.tau = e.tau;
        return run_rest(&t, next, &m, apart, "known");
    }
    if (corner(call, &e, apart, &rows, &columns)) {
        call->tile_w = device == HEDDLE_DEVICE_HOST ? WIDTH_DEFAULT_CPU : WIDTH_DEFAULT;
        return heddle__try_run(call, HEDDLE_SCHEDULE_FLEXIBLE, device, holder);
    }
    int error = apart ? train_apart(&t, rows, columns) : train_inside(&t, rows, columns, &next);
    if (error)
        return error;
    if (heddle__width_fit(&m, t.runs, t.count)) {
        e.d = m.d, e.tau = m.tau;
        remember(&e);
        return run_rest(&t, next, &m, apart, "measured now");
    }
    heddle__verbose("%s:%d: the corner's times make no sense; default tile width", call->nest->site.file,
                    call->nest->site.line);
    struct heddle_wavefront rest = *call;
    rest.i0 = next;
    rest.tile_w = WIDTH_DEFAULT;
    return heddle__try_run(&rest, HEDDLE_SCHEDULE_FLEXIBLE, device, holder);
}
