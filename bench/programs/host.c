/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops on the host's threads: `#pragma heddle for` against `#pragma omp parallel for` on the same loop, by the same
 * compiler with the same flags, in one process, in turns. --micros=N: how long the loop as written takes, for which the
 * number of iterations is found; --iterations=N: instead. A turn is as many calls as take a few milliseconds. One line:
 * seconds of a call by each (median of the turns), the median and the best ratio OpenMP / heddle over the turns, both
 * over the loop as written, and the first ten calls of each together. --check compares what was written.
 * --first=heddle|openmp: nothing but the process's first calls, by one of them: threads are started by it, or were
 * before and are awake (--awake). --find: nothing but the number of iterations, for --iterations of other processes.
 */
#include "app.h"
#include "nest_host.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 3, TURNS = 999, FIRST = 10 };
enum { HEDDLE, OPENMP, SERIAL };
static const struct kind {
    const char *name;
    host_loop *way[WAYS];
} kinds[] = {
#define KIND(name, text) {#name, {host_##name, host_##name##_omp, host_##name##_serial}},
    BENCH_HOST_LOOPS(KIND)
#undef KIND
};
struct host {
    struct app app;
    const char *method, *first;
    double micros, turn;
    long iterations;
    bool awake, find;
};
struct arrays {
    double *a, *b, *c;
    long elements;
};

static const struct kind *find(const char *name) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].name, name))
            return &kinds[k];
    return NULL;
}

static long elements_of(const struct kind *k, long n) {
    static const char *const grids[] = {"stencil", "rows", "columns"};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        if (!strcmp(k->name, grids[g]))
            return n * BENCH_HOST_COLUMNS;
    return n > BENCH_HOST_COLUMNS ? n : BENCH_HOST_COLUMNS;
}

static bool fill(struct arrays *x, long elements) {
    *x = (struct arrays){.elements = elements};
    x->a = app_alloc((size_t)elements, sizeof *x->a);
    x->b = app_alloc((size_t)elements, sizeof *x->b);
    x->c = app_alloc((size_t)elements, sizeof *x->c);
    for (long i = 0; i < elements; i++) {
        x->a[i] = (double)(i % 1000) * 0.125;
        x->b[i] = (double)(i % 77);
        x->c[i] = 0;
    }
    return true;
}

static void release(struct arrays *x) {
    free(x->a);
    free(x->b);
    free(x->c);
}

static double timed(host_loop *loop, long n, const struct arrays *x, long calls) {
    const double begin = app_seconds();
    for (long k = 0; k < calls; k++)
        loop(n, x->a, x->b, x->c);
    return (app_seconds() - begin) / (double)calls;
}

/* Iterations that take the loop as written about so long. */
static long calibrate(const struct kind *k, double seconds) {
    for (long n = 16;; n *= 2) {
        struct arrays x;
        fill(&x, elements_of(k, n));
        double best = HUGE_VAL;
        for (int run = 0; run < 5; run++)
            best = fmin(best, timed(k->way[SERIAL], n, &x, 1 + (long)(20e-6 / seconds)));
        release(&x);
        if (best >= seconds) {
            const double less = seconds / best;
            return (long)((double)n * (strcmp(k->name, "triangle") ? less : sqrt(less))) + 1;
        }
    }
}

/* Bits where the order of operations is the loop's own; a sum by its parts is near. */
static bool same_arrays(const struct kind *k, const double *x, const double *y, long n) {
    if (strcmp(k->name, "columns") != 0)
        return !memcmp(x, y, (size_t)n * sizeof *x);
    bool near = true;
    for (long i = 0; i < n; i++)
        near = near && fabs(x[i] - y[i]) <= 1e-9 * fabs(x[i]);
    return near;
}

static bool same(const struct kind *k, long n, const struct arrays *x) {
    double *kept = app_alloc((size_t)x->elements, sizeof *kept), sum = k->way[SERIAL](n, x->a, x->b, x->c);
    bool equal = true;
    memcpy(kept, x->c, (size_t)x->elements * sizeof *kept);
    for (int way = 0; way < SERIAL; way++) {
        memset(x->c, 0, (size_t)x->elements * sizeof *x->c);
        const double other = k->way[way](n, x->a, x->b, x->c);
        equal = equal && fabs(other - sum) <= 1e-9 * fabs(sum) && same_arrays(k, kept, x->c, x->elements);
    }
    free(kept);
    return equal;
}

static int measure(const struct host *h, const struct kind *k) {
    const long n = h->iterations ? h->iterations : calibrate(k, 1e-6 * h->micros);
    struct arrays x;
    static double seconds[WAYS][TURNS], ratio[TURNS], over[2][TURNS];
    double first[WAYS] = {0}, best[WAYS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    fill(&x, elements_of(k, n));
    k->way[SERIAL](n, x.a, x.b, x.c);
    k->way[OPENMP](2, x.a, x.b, x.c); /* starts the threads, which both share */
    for (int way = HEDDLE; way <= OPENMP; way++)
        for (int call = 0; call < FIRST; call++)
            first[way] += timed(k->way[way], n, &x, 1);
    const double each = timed(k->way[SERIAL], n, &x, 1);
    const long calls = each > 0 && h->turn * 1e-3 / each > 1 ? (long)(h->turn * 1e-3 / each) : 1;
    for (long t = 0; t < h->app.repeat; t++) {
        for (int turn = 0; turn < WAYS; turn++) {
            const int way = (turn + (int)t) % WAYS;
            timed(k->way[way], n, &x, calls > 1 ? 1 + calls / 10 : 1); /* threads are awake, and caches are its own */
            seconds[way][t] = timed(k->way[way], n, &x, calls);
            best[way] = fmin(best[way], seconds[way][t]);
        }
        ratio[t] = seconds[OPENMP][t] / seconds[HEDDLE][t];
        over[HEDDLE][t] = seconds[SERIAL][t] / seconds[HEDDLE][t];
        over[OPENMP][t] = seconds[SERIAL][t] / seconds[OPENMP][t];
    }
    const bool good = !h->app.check || same(k, n, &x);
    const int turns = (int)h->app.repeat;
    printf("{\"program\": \"bench-host\", \"method\": \"%s\", \"size\": \"%ldx1\", \"calls\": %ld, \"seconds\": %.9f, "
           "\"openmp_seconds\": %.9f, \"serial_seconds\": %.9f, \"ratio\": %.4f, \"best_ratio\": %.4f, "
           "\"over_serial\": %.4f, \"openmp_over_serial\": %.4f, \"first_seconds\": %.9f, \"openmp_first_seconds\": "
           "%.9f, \"check\": \"%s\"}\n",
           k->name, n, calls, app_median(seconds[HEDDLE], turns), app_median(seconds[OPENMP], turns),
           app_median(seconds[SERIAL], turns), app_median(ratio, turns), best[OPENMP] / best[HEDDLE],
           app_median(over[HEDDLE], turns), app_median(over[OPENMP], turns), first[HEDDLE], first[OPENMP],
           h->app.check ? good ? "ok" : "fail" : "none");
    release(&x);
    return good ? APP_OK : APP_CHECK_FAILED;
}

/* Threads of the host are started, and spin for the next loop. */
static void wake(host_loop *loop, const struct arrays *x) {
    for (int call = 0; call < FIRST; call++)
        loop(2, x->a, x->b, x->c);
}

static int measure_first(const struct host *h, const struct kind *k) {
    const long n = h->iterations ? h->iterations : calibrate(k, 1e-6 * h->micros);
    const int way = strcmp(h->first, "openmp") ? HEDDLE : OPENMP;
    struct arrays x;
    double call[FIRST], sum = 0;
    fill(&x, elements_of(k, n));
    k->way[SERIAL](n, x.a, x.b, x.c);
    const double serial = timed(k->way[SERIAL], n, &x, 1);
    if (h->awake)
        wake(k->way[OPENMP], &x);
    for (int c = 0; c < FIRST; c++)
        sum += call[c] = timed(k->way[way], n, &x, 1);
    const double last = timed(k->way[way], n, &x, FIRST);
    printf("{\"program\": \"bench-host\", \"method\": \"%s\", \"by\": \"%s\", \"awake\": %d, \"size\": \"%ldx1\", "
           "\"serial_seconds\": %.9f, \"seconds\": %.9f, \"ten_seconds\": %.9f, \"settled_seconds\": %.9f, "
           "\"call_seconds\": [",
           k->name, h->first, h->awake, n, serial, call[0], sum, last);
    for (int c = 0; c < FIRST; c++)
        printf("%s%.9f", c ? ", " : "", call[c]);
    printf("], \"check\": \"none\"}\n");
    release(&x);
    return APP_OK;
}

static int find_iterations(const struct host *h, const struct kind *k) {
    printf("{\"program\": \"bench-host\", \"method\": \"%s\", \"iterations\": %ld, \"check\": \"none\"}\n", k->name,
           calibrate(k, 1e-6 * h->micros));
    return APP_OK;
}

int main(int argc, char **argv) {
    struct host h = {.app = {.name = "bench-host",
                             .summary = "loops on the host's threads, by heddle and by OpenMP in turns",
                             .loops = true,
                             .rows = 1},
                     .method = "triad",
                     .micros = 500,
                     .turn = 4};
    const struct app_option options[] = {
        {"method", "NAME", "triad (default), stencil, compute, triangle, sum, rows, columns or few", APP_TEXT,
         &h.method, 0},
        {"first", "WAY", "the process's first calls alone, by heddle or openmp", APP_TEXT, &h.first, 0},
        {"awake", NULL, "... with OpenMP's threads started and awake", APP_FLAG, &h.awake, 0},
        {"find", NULL, "only the number of iterations for --micros", APP_FLAG, &h.find, 0},
        {"micros", "T", "the loop as written takes about so long (500)", APP_REAL, &h.micros, 0},
        {"iterations", "N", "... instead: so many iterations", APP_LONG, &h.iterations, 1},
        {"turn", "MS", "milliseconds that one takes in its turn (4)", APP_REAL, &h.turn, 0},
        {0}};
    h.app.options = options;
    const int status = app_parse(&h.app, argc, argv);
    if (status >= 0)
        return status;
    const struct kind *k = find(h.method);
    if (!k)
        return app_fail(&h.app, "--method=%s: expected triad, stencil, compute, triangle, sum, rows, columns or few",
                        h.method);
    if (h.first && strcmp(h.first, "heddle") != 0 && strcmp(h.first, "openmp") != 0)
        return app_fail(&h.app, "--first=%s: expected heddle or openmp", h.first);
    if (h.micros <= 0 || h.micros > 1e6 || h.app.repeat > TURNS)
        return app_fail(&h.app, "expected --micros between 0 and 1000000, and at most %d turns (--repeat)", TURNS);
    if (h.find)
        return find_iterations(&h, k);
    return h.first ? measure_first(&h, k) : measure(&h, k);
}
