/* SPDX-License-Identifier: Apache-2.0 */
/* bench-tasks: what a task costs. One line of JSON for each run: seconds of the whole call and of the kernel alone,
 * tasks, and a checksum of what the tasks wrote, which the serial method gives as well. */
#include "app.h"
#include "heddle.h"
#include "cuda_graph.h"
#include "pingpong.h"
#include "pools.h"
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct tasks {
    struct app app;
    const char *method;
    long warm, rounds;
};

struct method {
    const char *name;
    void (*run)(const struct tasks *t, unsigned *out);
    void (*serial)(const struct tasks *t, unsigned *out);
    long (*words)(const struct tasks *t);
    double (*tasks)(const struct tasks *t);
    int pool;
    const double *seconds; /* what the run itself has measured; NULL: the kernel's time */
};

static double own_seconds; /* negative: it could not run */

static long product(const struct tasks *t) { return t->app.rows * t->app.cols; }
static double product_tasks(const struct tasks *t) { return (double)product(t); }

static void independent(const struct tasks *t, unsigned *out) { bench_independent(product(t), out); }
static void independent_serial(const struct tasks *t, unsigned *out) {
    for (long i = 0; i < product(t); i++)
        out[i] += 1;
}

static void grid(const struct tasks *t, unsigned *out) { bench_grid(t->app.rows, t->app.cols, out); }
static void grid_serial(const struct tasks *t, unsigned *out) {
    const long m = t->app.cols;
    for (long y = 0; y < t->app.rows; y++)
        for (long x = 0; x < m; x++) {
            unsigned most = x > 0 ? out[y * m + x - 1] : 0;
            if (y > 0 && out[(y - 1) * m + x] > most)
                most = out[(y - 1) * m + x];
            if (y > 0 && x < m - 1 && out[(y - 1) * m + x + 1] > most)
                most = out[(y - 1) * m + x + 1];
            out[y * m + x] = most + 1;
        }
}

static void chain(const struct tasks *t, unsigned *out) { bench_chain(product(t), out); }
static void chain_serial(const struct tasks *t, unsigned *out) {
    for (long i = 0; i < product(t); i++)
        out[i] = (i ? out[i - 1] : 0) * 3 + 1;
}

/* CUDA's number is OpenMP's where there are no other devices. */
static int cuda_device(void) {
    const char *text = heddle_option_get("device");
    return text ? atoi(text) : 0;
}

/* From the end of a task to the begin of the next one, the mean of all of them. */
static void handover(const struct tasks *t, unsigned *out) {
    const long n = product(t);
    uint64_t *time = app_alloc((size_t)(2 * n), sizeof *time);
    struct heddle_device_info info;
    char units[16] = "0"; /* a worker on each multiprocessor, so that the next task is on another one */
    if (!heddle_device_info(cuda_device(), &info) && info.units > 0)
        snprintf(units, sizeof units, "%d", info.units);
    heddle_option_set("workers", units);
    bench_handover(n, out, time);
    heddle_option_set("workers", "0");
    own_seconds = 0;
    for (long i = 1; i < n; i++)
        own_seconds += 1e-9 * (double)(int64_t)(time[2 * i] - time[2 * i - 1]) * (double)n / (double)(n - 1);
    free(time);
}

static void graph_chain(const struct tasks *t, unsigned *out) {
    own_seconds = bench_cuda_graph(cuda_device(), 1, product(t), 1, out);
}
static void graph_grid(const struct tasks *t, unsigned *out) {
    own_seconds = bench_cuda_graph(cuda_device(), t->app.rows, t->app.cols, 3, out);
}
static void graph_independent(const struct tasks *t, unsigned *out) {
    own_seconds = bench_cuda_graph(cuda_device(), t->app.rows, t->app.cols, 0, out);
}

static void tree(const struct tasks *t, unsigned *out) { bench_tree(t->app.rows, out); }
static long tree_words(const struct tasks *t) { return 1L << t->app.rows; }
static double tree_tasks(const struct tasks *t) { return 2.0 * (double)tree_words(t) - 1; }
static void tree_serial(const struct tasks *t, unsigned *out) {
    for (long i = 0; i < tree_words(t); i++)
        out[i] = 1;
}

static void forkjoin(const struct tasks *t, unsigned *out) { bench_forkjoin(product(t), out); }
static void forkjoin_serial(const struct tasks *t, unsigned *out) {
    for (long i = 0; i < product(t); i++)
        out[i] = ((unsigned)i * 3 + 1) ^ (((unsigned)i + 1) * 3 + 1);
}

static void spin(const struct tasks *t, unsigned *out) { bench_spin(t->app.rows, t->app.cols, (int)t->rounds, out); }
static void spin_serial(const struct tasks *t, unsigned *out) {
    const long m = t->app.cols;
    for (long y = 0; y < t->app.rows; y++)
        for (long x = 0; x < m; x++) {
            unsigned v = (unsigned)(y * m + x);
            if (x > 0)
                v += out[y * m + x - 1];
            if (y > 0)
                v += out[(y - 1) * m + x] + (x < m - 1 ? out[(y - 1) * m + x + 1] : 0);
            out[y * m + x] = bench_round(v, (int)t->rounds);
        }
}

/* The same with OpenMP's tasks. */
static void spin_omp(const struct tasks *t, unsigned *out) {
    const long n = t->app.rows, m = t->app.cols;
    const int rounds = (int)t->rounds;
    unsigned *edge = app_alloc((size_t)((n + 1) * (m + 2)), sizeof *edge); /* a border, so that every task has three */
#pragma omp parallel num_threads(t->app.threads ? (int)t->app.threads : omp_get_max_threads())
#pragma omp single
    for (long y = 0; y < n; y++)
        for (long x = 0; x < m; x++) {
            unsigned *here = edge + (y + 1) * (m + 2) + x + 1, *to = out + y * m + x;
#pragma omp task depend(in : here[-1], here[-m - 2], here[-m - 1]) depend(out : here[0]) firstprivate(here, to, y, x)
            {
                here[0] = *to = bench_round((unsigned)(y * m + x) + here[-1] + here[-m - 2] + here[-m - 1], rounds);
            }
        }
    free(edge);
}

static void from_host(const struct tasks *t, int wait, unsigned *out) {
    const long n = product(t);
#pragma omp target data map(tofrom : out[0 : n])
    bench_stream(n, wait, out);
}
static void stream(const struct tasks *t, unsigned *out) { from_host(t, 0, out); }
static void roundtrip(const struct tasks *t, unsigned *out) { from_host(t, 1, out); }
static void pingpong(const struct tasks *t, unsigned *out) {
    own_seconds = bench_pingpong(cuda_device(), product(t), out);
}
static void stream_serial(const struct tasks *t, unsigned *out) {
    for (long i = 0; i < product(t); i++)
        out[i] = (unsigned)i + 1;
}

/* Kernels in place of tasks. */
static void target(const struct tasks *t, unsigned *out) {
    const long n = product(t);
#pragma omp target data map(tofrom : out[0 : n])
    for (long i = 0; i < n; i++)
#pragma omp target
        out[i] = (unsigned)i + 1;
}
static void nowait(const struct tasks *t, unsigned *out) {
    const long n = product(t);
#pragma omp target data map(tofrom : out[0 : n])
#pragma omp parallel num_threads(1)
    {
        for (long i = 0; i < n; i++)
#pragma omp target nowait depend(inout : out[0])
            out[i] = (unsigned)i + 1;
#pragma omp taskwait
    }
}

static const struct method methods[] = {
    {"independent", independent, independent_serial, product, product_tasks, 1, NULL},
    {"grid", grid, grid_serial, product, product_tasks, 1, NULL},
    {"chain", chain, chain_serial, product, product_tasks, 1, NULL},
    {"handover", handover, chain_serial, product, product_tasks, 1, &own_seconds},
    {"graph-independent", graph_independent, independent_serial, product, product_tasks, 0, &own_seconds},
    {"graph-grid", graph_grid, grid_serial, product, product_tasks, 0, &own_seconds},
    {"graph-chain", graph_chain, chain_serial, product, product_tasks, 0, &own_seconds},
    {"tree", tree, tree_serial, tree_words, tree_tasks, 1, NULL},
    {"spin", spin, spin_serial, product, product_tasks, 1, NULL},
    {"spin-serial", spin_serial, spin_serial, product, product_tasks, 0, NULL},
    {"spin-omp", spin_omp, spin_serial, product, product_tasks, 0, NULL},
    {"stream", stream, stream_serial, product, product_tasks, 1, NULL},
    {"roundtrip", roundtrip, stream_serial, product, product_tasks, 1, NULL},
    {"pingpong", pingpong, stream_serial, product, product_tasks, 0, &own_seconds},
    {"target", target, stream_serial, product, product_tasks, 0, NULL},
    {"target-nowait", nowait, stream_serial, product, product_tasks, 0, NULL},
    {"forkjoin", forkjoin, forkjoin_serial, product, product_tasks, 1, NULL},
    {0}};

static int measure(const struct tasks *t, const struct method *m) {
    const long words = m->words(t);
    const size_t bytes = (size_t)words * sizeof(unsigned);
    unsigned *out = app_alloc((size_t)words, sizeof *out), *want = app_alloc((size_t)words, sizeof *want);
    int bad = 0;
    memset(want, 0, bytes);
    m->serial(t, want);
    for (long k = -t->warm; k < t->app.repeat; k++) {
        struct heddle_report r;
        memset(out, 0, bytes);
        const double start = app_seconds();
        m->run(t, out);
        const double seconds = app_seconds() - start;
        const int ok = !memcmp(out, want, bytes);
        heddle_last_report(&r);
        if (!m->pool) /* the last pool's report is not its own */
            r = (struct heddle_report){.device = m->seconds ? cuda_device() : HEDDLE_DEVICE_HOST,
                                       .schedule = "none",
                                       .kernel_seconds = seconds,
                                       .workers = 1};
        bad |= !ok;
        if (m->seconds && own_seconds < 0) {
            free(out);
            free(want);
            return app_fail(&t->app, "--method=%s: device %d cannot run it, or its driver failed", m->name,
                            cuda_device());
        }
        if (m->seconds)
            r.kernel_seconds = own_seconds;
        if (k < 0)
            continue;
        char device[16] = "host";
        if (r.device >= 0)
            snprintf(device, sizeof device, "%d", r.device);
        printf("{\"program\": \"bench-tasks\", \"method\": \"%s\", \"size\": \"%ldx%ld\", \"run\": %ld, \"seconds\": "
               "%.9g, "
               "\"kernel_seconds\": %.9g, \"tasks\": %.0f, \"tasks_per_second\": %.6g, \"seconds_per_task\": %.6g, "
               "\"checksum\": \"%" PRIu64 "\", "
               "\"check\": \"%s\", \"device\": \"%s\", \"schedule\": \"%s\", \"workers\": %d, \"error\": %d}\n",
               m->name, t->app.rows, t->app.cols, k, seconds, r.kernel_seconds, m->tasks(t),
               m->tasks(t) / r.kernel_seconds, r.kernel_seconds / m->tasks(t), app_hash(APP_HASH_START, out, bytes),
               ok ? "ok" : "fail", device, r.schedule, r.workers, r.error);
        fflush(stdout);
    }
    free(out);
    free(want);
    return bad ? APP_CHECK_FAILED : APP_OK;
}

int main(int argc, char **argv) {
    struct tasks t = {.method = "independent",
                      .rounds = 200,
                      .app = {.name = "bench-tasks",
                              .summary = "what a task costs",
                              .two_sizes = true,
                              .pools = true,
                              .rows = 1024,
                              .cols = 1024,
                              .repeat = 1}};
    const struct app_option options[] = {
        {"method", "NAME",
         "independent, grid, chain, handover, tree, forkjoin, spin, spin-serial, spin-omp, stream, roundtrip, "
         "pingpong, target, target-nowait, graph-independent, graph-grid or graph-chain",
         APP_TEXT, &t.method, 0},
        {"rounds", "N", "of spin (200)", APP_LONG, &t.rounds, 0},
        {"warm", "N", "runs before the measured ones", APP_LONG, &t.warm, 0},
        {0}};
    t.app.options = options;
    const int status = app_parse(&t.app, argc, argv);
    if (status >= 0)
        return status;
    const struct method *m = methods;
    while (m->name && strcmp(m->name, t.method))
        m++;
    if (!m->name)
        return app_fail(
            &t.app,
            "--method=%s: expected independent, grid, chain, handover, tree, forkjoin, spin, spin-serial, spin-omp, "
            "stream, roundtrip, pingpong, target, target-nowait, graph-independent, graph-grid or graph-chain",
            t.method);
    if (!strcmp(m->name, "tree") && t.app.rows > 30)
        return app_fail(&t.app, "--size=%ld: a tree has at most 30 levels", t.app.rows);
    return measure(&t, m);
}
