/* SPDX-License-Identifier: Apache-2.0 */
/* bench-patterns: the loops of the six applications, serial, by heddle and in OpenMP's own ways on
 * tiles of the serial form, a nest for each sweep where there are several. `copy` moves what the
 * loop writes from one array to another: the bound of loops that keep every cell; `link` moves to
 * and from a GPU what the loop reads and writes. Several ways take turns in rounds, so that a ratio compares runs of
 * one process that were moments apart. The checksum is a hash of the result. */
#include "patterns.h"
#include "heddle.h"

#include <heddle/gpu.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS_MAX = 32 };
#define PATTERN_NAMES                                                                                                  \
    "sw, sw-all, dtw, dtw-all, heat2d, heat2d-sweeps, sor, sor-sweeps, sor-rhs-sweeps, sat, inthist, ahead or behind"

struct way {
    int method;
    long threads, h, w; /* of a tile */
    char name[64];      /* as it was asked for */
};

struct bench_run {
    struct app app;
    const char *name, *method, *tile;
    bool lock;
    long warm, seed, sweeps, h, w;
    struct way ways[WAYS_MAX];
    int count_ways;
    const struct pattern *serial, *heddle;
    struct pattern_work work;
    void *start; /* x before each run */
    size_t cell, count;
};

typedef double run_fn(struct bench_run *b);

static struct pattern_range whole(const struct bench_run *b) {
    return (struct pattern_range){1, b->work.n, 1, b->work.m};
}

static double run_serial(struct bench_run *b) { return b->serial->run(&b->work, whole(b)); }

static double run_heddle(struct bench_run *b) { return b->heddle->run(&b->work, whole(b)); }

static double tile(const struct bench_run *b, long r, long c) {
    const long i1 = (r + 1) * b->h, j1 = (c + 1) * b->w;
    return b->serial->run(&b->work, (struct pattern_range){(int)(r * b->h + 1), i1 < b->work.n ? (int)i1 : b->work.n,
                                                           (int)(c * b->w + 1), j1 < b->work.m ? (int)j1 : b->work.m});
}

static double larger(double x, double y) { return x > y ? x : y; }

static double doacross(struct bench_run *b) {
    const long rows = (b->work.n + b->h - 1) / b->h, cols = (b->work.m + b->w - 1) / b->w;
    double best = 0;
#pragma omp parallel reduction(max : best)
    {
#pragma omp for ordered(2) schedule(static, 1)
        for (long r = 0; r < rows; r++)
            for (long c = 0; c < cols; c++) {
#pragma omp ordered depend(sink : r - 1, c)
                best = larger(best, tile(b, r, c));
#pragma omp ordered depend(source)
            }
    }
    return best;
}

static double tasks(struct bench_run *b) {
    const long rows = (b->work.n + b->h - 1) / b->h, cols = (b->work.m + b->w - 1) / b->w, ld = cols + 1;
    char *done = app_alloc((size_t)(rows + 1) * (size_t)ld, 1);
    double *best = app_alloc((size_t)rows * (size_t)cols, sizeof *best), all = 0;
#pragma omp parallel
#pragma omp single
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            char *self = done + (r + 1) * ld + c + 1;
            (void)self;
#pragma omp task depend(in : self[-ld], self[-1]) depend(out : self[0]) firstprivate(r, c)
            best[r * cols + c] = tile(b, r, c);
        }
    for (long k = 0; k < rows * cols; k++)
        all = larger(all, best[k]);
    free(best);
    free(done);
    return all;
}

/* OpenMP's own ways, a sweep at a time: the result is the last one's. */
static double each_sweep(struct bench_run *b, double (*run)(struct bench_run *)) {
    const long t0 = b->work.t0, t1 = b->work.t1;
    double result = 0;
    for (long t = t0; t <= t1; t++) {
        b->work.t0 = b->work.t1 = t;
        result = run(b);
    }
    b->work.t0 = t0, b->work.t1 = t1;
    return result;
}

static double run_doacross(struct bench_run *b) { return each_sweep(b, doacross); }
static double run_tasks(struct bench_run *b) { return each_sweep(b, tasks); }

static double run_copy(struct bench_run *b) {
    const size_t bytes = b->cell * b->count;
#pragma omp parallel
    {
        const size_t threads = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
        const size_t from = bytes / threads * me, to = me + 1 == threads ? bytes : bytes / threads * (me + 1);
        memcpy((char *)b->work.x + from, (char *)b->start + from, to - from);
    }
    return 0;
}

/* What the loop's arrays need of the link to a GPU. */
static double run_link(struct bench_run *b) {
    const size_t cells = (size_t)b->work.n * (size_t)b->work.m, out = b->serial->kept ? b->cell : 0;
    if (bench_link(b->app.device ? atoi(b->app.device) : 0, cells * (b->serial->moved - out), cells * out)) {
        app_fail(&b->app, "link: no GPU, or its copies failed");
        exit(APP_BAD_INPUT);
    }
    return 0;
}

static const struct {
    const char *name;
    run_fn *run;
} methods[] = {{"serial", run_serial}, {"heddle", run_heddle}, {"doacross", run_doacross},
               {"tasks", run_tasks},   {"copy", run_copy},     {"link", run_link}};
enum { METHODS = sizeof methods / sizeof *methods };

static void put(const struct bench_run *b, void *to, size_t k, double value) {
    if (b->serial->type == 'i')
        ((int *)to)[k] = (int)value;
    else if (b->serial->type == 'f')
        ((float *)to)[k] = (float)value;
    else
        ((double *)to)[k] = value;
}

static void *make(const struct bench_run *b, enum pattern_fill fill, struct app_random *random) {
    const size_t pitch = (size_t)b->work.m + 2;
    void *data = app_alloc(b->count, b->cell);
    for (size_t k = 0; k < b->count; k++) {
        const bool border = k > 0 && (k < pitch || k % pitch == 0);
        put(b, data, k, fill == PATTERN_SMALL ? app_below(random, 100) : fill == PATTERN_FAR && border ? 1e30 : 0);
    }
    return data;
}

static signed char *letters(int count, struct app_random *random) {
    signed char *text = app_alloc((size_t)count, 1);
    for (int k = 0; k < count; k++)
        text[k] = (signed char)app_below(random, 4);
    return text;
}

static bool prepare(struct bench_run *b) {
    struct app_random random;
    struct pattern_work *w = &b->work;
    app_seed(&random, (uint64_t)b->seed);
    w->n = (int)b->app.rows;
    w->m = (int)b->app.cols;
    w->t0 = 1;
    w->t1 = w->sweeps = b->serial->sweeps ? b->sweeps : 1;
    b->cell = b->serial->type == 'd' ? 8 : 4;
    b->count = ((size_t)w->n + 2) * ((size_t)w->m + 2);
    if (app_memory_fits(&b->app, 3.0 * (double)b->cell * (double)b->count, "this size") >= 0)
        return false;
    b->start = make(b, b->serial->x, &random);
    w->y = make(b, b->serial->y, &random);
    w->x = app_alloc(b->count, b->cell);
    w->a = letters(w->n + 1, &random);
    w->b = letters(w->m + 1, &random);
    return true;
}

/* FNV's step on words instead of bytes, which would take longer than the runs. */
static uint64_t hash_words(uint64_t hash, const void *data, size_t bytes) {
    uint64_t word;
    for (size_t k = 0; k + sizeof word <= bytes; k += sizeof word) {
        memcpy(&word, (const char *)data + k, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return app_hash(hash, (const char *)data + bytes / sizeof word * sizeof word, bytes % sizeof word);
}

static void measure(struct bench_run *b, const struct way *way, long number) {
    char threads[24];
    snprintf(threads, sizeof threads, "%ld", way->threads);
    if (way->threads) {
        omp_set_num_threads((int)way->threads);
        heddle_option_set("threads", threads);
    }
    b->h = way->h, b->w = way->w;
    memcpy(b->work.x, b->start, b->cell * b->count);
    const double begin = app_seconds(), result = methods[way->method].run(b), seconds = app_seconds() - begin;
    uint64_t hash = app_hash(APP_HASH_START, &result, sizeof result);
    if (number < 0)
        return;
    if (b->serial->kept)
        hash = hash_words(hash, b->work.x, b->cell * b->count);
    struct heddle_report r = {.schedule = ""};
    if (methods[way->method].run == run_heddle)
        heddle_last_report(&r);
    printf("{\"program\": \"%s\", \"pattern\": \"%s\", \"way\": \"%s\", \"method\": \"%s\", \"size\": \"%dx%d\", "
           "\"sweeps\": %ld, \"run\": %ld, "
           "\"seconds\": %.9g, \"rate\": %.6g, \"unit\": \"GCUPS\", \"moved\": %zu, \"cell\": %zu, \"tile\": "
           "\"%ldx%ld\", \"checksum\": \"%016" PRIx64
           "\", \"form\": \"%s\", \"kernel_seconds\": %.9g, \"panels\": %ld}\n",
           b->app.name, b->serial->name, way->name, methods[way->method].name, b->work.n, b->work.m, b->work.sweeps,
           number, seconds, (double)b->work.n * b->work.m * (double)b->work.sweeps / seconds * 1e-9, b->serial->moved,
           b->cell, b->h, b->w, hash, r.schedule, r.kernel_seconds, r.panels);
    fflush(stdout);
}

/* H or HxW up to the end of the text. */
static bool read_tile(const char *text, long *h, long *w) {
    char *end;
    *h = *w = strtol(text, &end, 10);
    if (*end == 'x')
        *w = strtol(end + 1, &end, 10);
    return !*end && *h > 0 && *w > 0;
}

/* METHOD, METHOD/THREADS, either with @HxW. */
static int read_way(struct bench_run *b, const char *text) {
    if (b->count_ways == WAYS_MAX)
        return app_fail(&b->app, "--method: more than %d", WAYS_MAX);
    struct way *way = &b->ways[b->count_ways++];
    char method[sizeof way->name], *end;
    *way = (struct way){.threads = b->app.threads, .h = b->h, .w = b->w};
    snprintf(way->name, sizeof way->name, "%s", text);
    memcpy(method, way->name, sizeof method);
    char *at = strchr(method, '@'), *slash = strchr(method, '/');
    if (at) {
        *at = 0;
        if (!read_tile(at + 1, &way->h, &way->w))
            return app_fail(&b->app, "--method=%s: expected H or HxW behind @", text);
    }
    if (slash) {
        *slash = 0;
        way->threads = strtol(slash + 1, &end, 10);
        if (*end || way->threads < 1)
            return app_fail(&b->app, "--method=%s: expected a number of threads behind /", text);
    }
    while (way->method < METHODS && strcmp(methods[way->method].name, method))
        way->method++;
    return way->method < METHODS
               ? -1
               : app_fail(&b->app, "--method=%s: expected serial, heddle, doacross, tasks, copy or link", text);
}

static int find(struct bench_run *b) {
#define PATTERN_FIND(p)                                                                                                \
    if (!strcmp(pattern_##p##_serial.name, b->name))                                                                   \
        b->serial = &pattern_##p##_serial, b->heddle = &pattern_##p##_heddle;
    PATTERN_LIST(PATTERN_FIND)
#undef PATTERN_FIND
    if (!read_tile(b->tile, &b->h, &b->w))
        return app_fail(&b->app, "--tile=%s: expected H or HxW", b->tile);
    if (!b->serial)
        return app_fail(&b->app, "--pattern=%s: expected " PATTERN_NAMES, b->name);
    if (b->serial == &pattern_ahead_serial && (strstr(b->method, "doacross") || strstr(b->method, "tasks")))
        return app_fail(&b->app, "--pattern=ahead: rectangles cannot be ordered, so OpenMP's own ways do not serve it");
    char *names = app_alloc(strlen(b->method) + 1, 1), *rest = NULL;
    int status = -1;
    strcpy(names, b->method);
    for (char *one = strtok_r(names, ",", &rest); one && status < 0; one = strtok_r(NULL, ",", &rest))
        status = read_way(b, one);
    free(names);
    return status;
}

int main(int argc, char **argv) {
    static struct bench_run b = {.name = "sw", .method = "heddle", .tile = "128x512", .seed = 1, .sweeps = 32};
    const struct app_option options[] = {
        {"pattern", "NAME", PATTERN_NAMES, APP_TEXT, &b.name, 0},
        {"method", "LIST", "of serial, heddle, doacross, tasks, copy, link, each with /THREADS and @TILE if wanted",
         APP_TEXT, &b.method, 0},
        {"tile", "HxW", "rows and columns of a tile of OpenMP's own ways", APP_TEXT, &b.tile, 0},
        {"lock", NULL, "page-lock the arrays, as a program does that transfers much", APP_FLAG, &b.lock, 0},
        {"warm", "N", "runs before the measured ones", APP_LONG, &b.warm, 0},
        {"seed", "N", "seed of the data", APP_LONG, &b.seed, 0},
        {"sweeps", "N", "of the patterns that have several (32)", APP_LONG, &b.sweeps, 1},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    b.app = (struct app){.name = "bench-patterns",
                         .summary = "the loops of the six applications in several ways",
                         .inputs = "",
                         .two_sizes = true,
                         .options = options,
                         .rows = 4096,
                         .cols = 4096};
    int status = app_parse(&b.app, argc, argv);
    if (status < 0)
        status = find(&b);
    if (status >= 0)
        return status;
    if (!prepare(&b))
        return APP_BAD_INPUT;
    if (b.lock && (heddle_gpu_lock(b.work.x, b.cell * b.count) || heddle_gpu_lock((void *)b.work.y, b.cell * b.count)))
        return app_fail(&b.app, "--lock: refused");
    for (long k = -b.warm; k < b.app.repeat; k++)
        for (int way = 0; way < b.count_ways; way++)
            measure(&b, &b.ways[way], k);
    return APP_OK;
}
