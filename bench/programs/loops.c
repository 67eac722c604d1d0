/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops over every device that are one thing only, for `#pragma heddle for` itself:
 *   uneven    iterations whose cost depends on the place and on chance; 8 bytes of results each
 *   compute   iterations of equal cost; 4 bytes in, 4 out
 *   transfer  one multiplication an iteration: 8 bytes in, 4 out
 * --lock page-locks the arrays of `transfer` first. Each measured run is one line; --check compares with the loop
 * without the pragma.
 * --compare=auto:auto/0:static/host:auto has several devices and schedules in turns, in one process, each with what it
 * learned itself;
 * --to=N goes on to larger sizes. Then a line is the median of --repeat runs, and all results of a size must be equal.
 * The device `serial` (with any schedule) is the loop without the pragma. --calls=N: a run is the loop N times, and its
 * seconds are those of one: what a short loop costs.
 */
#include "app.h"
#include "heddle.h"
#include "heddle/gpu.h"
#include "nest_loops.h"
#include <stdlib.h>
#include <string.h>

enum { WAYS = 16, RUNS = 64 };
struct loops {
    struct app app;
    const char *method, *compare;
    long work, warm, to, step, calls;
    bool lock;
};
struct way { /* of --compare */
    char device[24], schedule[24], name[64];
    double seconds[RUNS];
};
struct arrays {
    long n;
    float *x, *y;
    double *z;
};

static void run(const struct loops *l, const struct arrays *a, bool serial) {
    if (!strcmp(l->method, "uneven"))
        (serial ? loop_uneven_serial : loop_uneven)(a->n, l->work, a->z);
    else if (!strcmp(l->method, "compute"))
        (serial ? loop_compute_serial : loop_compute)(a->n, l->work, a->x, a->y);
    else
        (serial ? loop_transfer_serial : loop_transfer)(a->n, a->x, a->y);
}

/* What a loop does not use is not there. */
static void fill(const struct arrays *a) {
    for (long i = 0; i < a->n && a->x; i++)
        a->x[i] = (float)(i % 1000) * 0.125f;
    for (long i = 0; i < a->n && a->y; i++)
        a->y[i] = 1;
    for (long i = 0; i < a->n && a->z; i++)
        a->z[i] = 0;
}

/* Four sums side by side: one would take longer than the loop. */
static uint64_t checksum(const struct arrays *a) {
    uint64_t hash[4] = {1, 2, 3, 4}, sum = UINT64_C(0xcbf29ce484222325);
    for (long i = 0; i < a->n; i++) {
        uint64_t word = 0;
        memcpy(&word, a->z ? (const void *)&a->z[i] : (const void *)&a->y[i], a->z ? sizeof *a->z : sizeof *a->y);
        hash[i & 3] = (hash[i & 3] ^ word) * UINT64_C(0x100000001b3);
    }
    for (int k = 0; k < 4; k++)
        sum = (sum ^ hash[k]) * UINT64_C(0x100000001b3);
    return sum;
}

static void print(const struct loops *l, const struct arrays *a, const struct way *way, double seconds,
                  const char *check) {
    struct heddle_loop_report r = {.schedule = "serial"};
    if (!way || strcmp(way->device, "serial") != 0)
        heddle_last_loop_report(&r);
    printf("{\"program\": \"bench-loops\", \"method\": \"%s\", \"size\": \"%ldx1\", \"schedule\": \"%s\", ", l->method,
           a->n, r.schedule ? r.schedule : "");
    if (way)
        printf("\"way\": \"%s:%s\", ", way->device, way->schedule);
    printf("\"seconds\": %.9f, \"rate\": %.6g, \"unit\": \"Miterations/s\", \"efficiency\": %.4f, \"balance\": %.4f, "
           "\"checksum\": "
           "\"%016llx\", \"check\": \"%s\", \"devices\": [",
           seconds, (double)a->n / seconds * 1e-6, r.efficiency, r.balance, (unsigned long long)checksum(a), check);
    int host = 0, chunks = 0;
    long iterations = 0;
    for (int d = 0; d < r.devices; d++) {
        const struct heddle_loop_device_report *one = &r.device[d];
        if (way && one->device < 0) { /* all threads of the host together */
            host++;
            chunks += one->chunks;
            iterations += one->iterations;
            continue;
        }
        printf("%s{\"device\": %d, \"iterations\": %ld, \"chunks\": %d, \"compute\": %.6f, \"move\": %.6f}",
               d ? ", " : "", one->device, one->iterations, one->chunks, one->compute, one->move);
    }
    if (host)
        printf("%s{\"threads\": %d, \"iterations\": %ld, \"chunks\": %d}", host < r.devices ? ", " : "", host,
               iterations, chunks);
    puts("]}");
    fflush(stdout);
}

/* One measured run of it. */
static double one_run(const struct loops *l, const struct arrays *a, bool serial, uint64_t *sum) {
    fill(a);
    const double begin = app_seconds();
    for (long k = 0; k < l->calls; k++)
        run(l, a, serial);
    const double seconds = (app_seconds() - begin) / (double)l->calls;
    *sum = checksum(a);
    return seconds;
}

static uint64_t serial_sum(const struct loops *l, const struct arrays *a) {
    uint64_t sum = 0;
    if (l->app.check)
        one_run(l, a, true, &sum);
    return sum;
}

static int measure(const struct loops *l, const struct arrays *a) {
    const uint64_t expected = serial_sum(l, a);
    uint64_t sum;
    int status = APP_OK;
    for (long k = -l->warm; k < l->app.repeat; k++) {
        const double seconds = one_run(l, a, false, &sum);
        const bool good = !l->app.check || sum == expected;
        if (k >= 0)
            print(l, a, NULL, seconds, l->app.check ? good ? "ok" : "fail" : "none");
        status = good ? status : APP_CHECK_FAILED;
    }
    return status;
}

/* ---- --compare
 * -------------------------------------------------------------------------------------------------------- */
/* "auto:auto/0,1:gss,64": how many; 0: not like that. */
static int read_ways(const char *text, struct way *way) {
    int n = 0;
    for (; *text && n < WAYS; n++) {
        const size_t length = strcspn(text, "/");
        const char *colon = memchr(text, ':', length);
        if (!colon || colon - text >= (long)sizeof way->device || text + length - colon > (long)sizeof way->schedule)
            return 0;
        snprintf(way[n].device, sizeof way->device, "%.*s", (int)(colon - text), text);
        snprintf(way[n].schedule, sizeof way->schedule, "%.*s", (int)(text + length - colon - 1), colon + 1);
        text += length + (text[length] == '/');
    }
    return *text ? 0 : n;
}

static void shuffle(struct app_random *random, int *order, int n) {
    for (int k = n - 1; k > 0; k--) {
        const int at = (int)(app_next(random) % (uint64_t)(k + 1)), was = order[k];
        order[k] = order[at];
        order[at] = was;
    }
}

/* In turns, so that what changes on the machine meets all of them, and in a new order each time. Who comes behind a
 * device's loop finds that device awake and who comes behind the host's finds it asleep, so each runs twice in its
 * turn, and the second run counts: of three ways the one that happened to come behind the host's in 32 of 61 turns had
 * medians up to 10 % above the one that did in 22. */
static int compare(const struct loops *l, const struct arrays *a, struct way *way, int ways) {
    uint64_t expected = serial_sum(l, a), sum = 0;
    bool good = true, any = l->app.check;
    struct app_random random;
    int order[WAYS];
    app_seed(&random, (uint64_t)l->app.repeat);
    for (long k = -l->warm; k <= l->app.repeat; k++) { /* once more, for what is shown of a run */
        for (int w = 0; w < ways; w++)
            order[w] = w;
        if (k < l->app.repeat)
            shuffle(&random, order, ways);
        for (int turn = 0; turn < ways; turn++) {
            const int w = order[turn];
            const bool serial = !strcmp(way[w].device, "serial");
            heddle_option_set("device", serial ? "host" : way[w].device);
            heddle_option_set("for", serial ? "auto" : way[w].schedule);
            snprintf(way[w].name, sizeof way[w].name, "%s:%s %ld", way[w].device, way[w].schedule, a->n);
            heddle_loop_case(way[w].name);
            double seconds = 0;
            for (int run = ways > 1 && k < l->app.repeat ? 0 : 1; run < 2; run++) {
                seconds = one_run(l, a, serial, &sum);
                expected = any ? expected : sum;
                any = true;
                good = good && sum == expected;
            }
            if (k >= 0 && k < l->app.repeat)
                way[w].seconds[k] = seconds;
            else if (k > 0)
                print(l, a, &way[w], app_median(way[w].seconds, (int)l->app.repeat),
                      good ? l->app.check ? "ok" : "equal" : "fail");
        }
    }
    return good ? APP_OK : APP_CHECK_FAILED;
}

static int compare_sizes(const struct loops *l, const struct arrays *a) {
    struct way way[WAYS];
    const int ways = read_ways(l->compare, way);
    int status = APP_OK;
    if (!ways || l->app.repeat > RUNS)
        return app_fail(&l->app, "--compare=%s: expected DEVICE:SCHEDULE, up to %d joined by /, and at most %d runs",
                        l->compare, WAYS, RUNS);
    for (long n = l->app.rows; n <= a->n; n *= l->step) {
        struct arrays part = *a;
        part.n = n;
        status |= compare(l, &part, way, ways);
    }
    return status;
}

int main(int argc, char **argv) {
    struct loops l = {.app = {.name = "bench-loops",
                              .summary = "loops over every device: one of them, run after run",
                              .loops = true,
                              .rows = 1 << 20},
                      .method = "uneven",
                      .work = 200,
                      .step = 8,
                      .calls = 1};
    const struct app_option options[] = {
        {"method", "NAME", "uneven (default), compute or transfer", APP_TEXT, &l.method, 0},
        {"work", "N", "steps of an iteration on average (200)", APP_LONG, &l.work, 0},
        {"warm", "N", "runs before the measured ones", APP_LONG, &l.warm, 0},
        {"compare", "LIST", "DEVICE:SCHEDULE/…: these in turns", APP_TEXT, &l.compare, 0},
        {"to", "N", "with --compare: the largest size", APP_LONG, &l.to, 0},
        {"step", "N", "... and the factor between sizes (8)", APP_LONG, &l.step, 2},
        {"calls", "N", "a run is the loop so often (1)", APP_LONG, &l.calls, 1},
        {"lock", NULL, "page-lock the arrays first", APP_FLAG, &l.lock, 0},
        {0}};
    l.app.options = options;
    int status = app_parse(&l.app, argc, argv);
    if (status >= 0)
        return status;
    if (strcmp(l.method, "uneven") != 0 && strcmp(l.method, "compute") != 0 && strcmp(l.method, "transfer") != 0)
        return app_fail(&l.app, "--method=%s: expected uneven, compute or transfer", l.method);
    struct arrays a = {.n = l.compare && l.to > l.app.rows ? l.to : l.app.rows};
    if ((status = app_memory_fits(&l.app, 8.0 * (double)a.n, "the arrays")) >= 0)
        return status;
    const bool uneven = !strcmp(l.method, "uneven");
    a.x = uneven ? NULL : app_alloc((size_t)a.n, sizeof *a.x);
    a.y = uneven ? NULL : app_alloc((size_t)a.n, sizeof *a.y);
    a.z = uneven ? app_alloc((size_t)a.n, sizeof *a.z) : NULL;
    fill(&a);
    const bool lock = l.lock && a.x;
    if (lock && (heddle_gpu_lock(a.x, (size_t)a.n * sizeof *a.x) || heddle_gpu_lock(a.y, (size_t)a.n * sizeof *a.y)))
        status = app_fail(&l.app, "--lock: there is no GPU that could");
    else
        status = l.compare ? compare_sizes(&l, &a) : measure(&l, &a);
    if (lock && status != APP_BAD_INPUT) {
        heddle_gpu_unlock(a.x);
        heddle_gpu_unlock(a.y);
    }
    free(a.x);
    free(a.y);
    free(a.z);
    return status;
}
