/* SPDX-License-Identifier: Apache-2.0 */
/* The measuring loop of the benchmark programs. Only the method itself is timed: letters, clearing
 * and the checksum are not. */
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char bench_compiler[] =
#ifdef __clang__
    __VERSION__;
#else
    "gcc " __VERSION__;
#endif
const char bench_flags[] = BENCH_FLAGS;

static signed char *letters(long count, uint64_t seed) {
    struct app_random random;
    signed char *text = app_alloc((size_t)count, 1);
    app_seed(&random, seed);
    for (long k = 0; k < count; k++)
        text[k] = (signed char)app_below(&random, 4);
    return text;
}

/* What one run took. */
struct run {
    int number;
    double seconds, rate;
    uint64_t checksum;
    struct heddle_report nest; /* .schedule is NULL if there is none */
};

static void print_nest(const struct heddle_report *nest) {
    char device[16];
    snprintf(device, sizeof device, "%s", nest->device == HEDDLE_DEVICE_ALL ? "all" : "host");
    if (nest->device >= 0)
        snprintf(device, sizeof device, "%d", nest->device);
    printf(", \"kernel_seconds\": %.9g, \"device\": \"%s\", \"schedule\": \"%s\", \"workers\": %d, "
           "\"rows_per_worker\": %d, \"error\": %d",
           nest->kernel_seconds, device, nest->schedule, nest->workers, nest->rows_per_worker, nest->error);
}

static void print_json(const struct bench *b, const char *method, const struct run *r) {
    printf("{\"program\": \"%s\", \"method\": \"%s\", \"size\": \"%ldx%ld\", \"seed\": %ld, "
           "\"run\": %d, \"seconds\": %.9g, \"rate\": %.6g, \"unit\": \"GCUPS\", "
           "\"checksum\": \"%" PRIu64 "\"",
           b->app.name, method, b->app.rows, b->app.cols, b->seed, r->number, r->seconds, r->rate, r->checksum);
    if (b->extra)
        printf(", %s", b->extra);
    if (r->nest.schedule)
        print_nest(&r->nest);
    printf("}\n");
}

static void print_run(const struct bench *b, const char *method, const struct run *r) {
    if (b->app.json)
        print_json(b, method, r);
    else
        printf("%s %s %ldx%ld: %.6f s, %.4g GCUPS, checksum %" PRIu64 "\n", b->app.name, method, b->app.rows,
               b->app.cols, r->seconds, r->rate, r->checksum);
    fflush(stdout);
}

static struct run measure(const struct bench *b, const struct bench_method *method, const struct bench_pair *pair) {
    struct run r = {0};
    memset(pair->cells, 0, pair->count * sizeof *pair->cells);
    const double start = app_seconds();
    const uint64_t result = method->run(pair);
    r.seconds = app_seconds() - start;
    if (method->nest && b->report)
        b->report(&r.nest);
    r.rate = (double)pair->n * (double)pair->m / r.seconds * 1e-9;
    r.checksum = method->checksum ? method->checksum(pair, result) : result;
    return r;
}

static const struct bench_method *find(const struct bench_method *methods, const char *name) {
    for (; methods->name; methods++)
        if (!strcmp(methods->name, name))
            return methods;
    return NULL;
}

static int unknown(const struct bench *b, const struct bench_method *methods) {
    char names[128] = "";
    for (; methods->name; methods++) {
        strncat(names, " ", sizeof names - strlen(names) - 1);
        strncat(names, methods->name, sizeof names - strlen(names) - 1);
    }
    return app_fail(&b->app, "--method=%s: expected one of%s", b->method, names);
}

/* Once, or once on each device that takes turns; k < 0: not shown. */
static void run_round(const struct bench *b, const struct bench_method *method, const struct bench_pair *pair, long k) {
    const char *rest = b->turns ? b->turns : "";
    do {
        char device[16];
        const size_t length = strcspn(rest, ",");
        snprintf(device, sizeof device, "%.*s", (int)length, rest);
        if (*device)
            b->place(device);
        struct run r = measure(b, method, pair);
        r.number = (int)k;
        if (k >= 0)
            print_run(b, method->name, &r);
        rest += length + (rest[length] == ',');
    } while (*rest);
}

int bench_main(const struct bench *b, const struct bench_method *methods) {
    const struct bench_method *method = find(methods, b->method);
    if (!method)
        return unknown(b, methods);
    const long n = b->app.rows, m = b->app.cols;
    const size_t count = method->count(n, m);
    signed char *first = letters(n, (uint64_t)b->seed), *second = letters(m, (uint64_t)b->seed + 1);
    struct bench_pair pair = {(int)n, (int)m, first, second, app_alloc(count, sizeof(int)), count};
    for (long k = -b->warm; k < b->app.repeat; k++)
        run_round(b, method, &pair, k);
    free(pair.cells);
    free(first);
    free(second);
    return APP_OK;
}
