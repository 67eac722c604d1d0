/* SPDX-License-Identifier: Apache-2.0 */
/* bench-sat: summed-area table of float with the data where it is computed, and a copy of as many bytes there, which
 * bounds it. Few values are 1 and the rest 0, so that the sums are exact in float in any order and every method has
 * the same checksum. */
#include "bench.h"
#include "sat.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

struct problem {
    int n, m, device; /* negative: the host */
    float *values, *sums;
    size_t value_bytes, sum_bytes;
    float *source; /* copy: what is copied to the sums */
};

/* What a programmer writes with `omp target` alone: sums along the rows, then down the columns. */
static void two_scans(const struct problem *p) {
    const int n = p->n, m = p->m, device = p->device;
    const float *values = p->values;
    float *sums = p->sums;
    const size_t count = (size_t)n * (size_t)m, all = ((size_t)n + 1) * ((size_t)m + 1), ld = (size_t)m + 1;
    (void)count, (void)all, (void)device;
#pragma omp target teams distribute parallel for device(device) if (device >= 0) \
    map(to : values[0 : count]) map(tofrom : sums[0 : all])
    for (int i = 1; i <= n; i++) {
        float sum = 0;
        for (int j = 1; j <= m; j++)
            sums[(size_t)i * ld + (size_t)j] = sum += values[(size_t)(i - 1) * (size_t)m + (size_t)(j - 1)];
    }
#pragma omp target teams distribute parallel for device(device) if (device >= 0) map(tofrom : sums[0 : all])
    for (int j = 1; j <= m; j++) {
        float sum = 0;
        for (int i = 1; i <= n; i++)
            sums[(size_t)i * ld + (size_t)j] = sum += sums[(size_t)i * ld + (size_t)j];
    }
}

static void copy(const struct problem *p) {
    const int host = omp_get_initial_device(), where = p->device >= 0 ? p->device : host;
    void *to = p->device >= 0 ? omp_get_mapped_ptr(p->sums, where) : p->sums;
    if (omp_target_memcpy(to, p->source, p->sum_bytes, 0, 0, where, where))
        exit(APP_BAD_INPUT);
}

static void serial(const struct problem *p) { bench_serial_sat(p->n, p->m, p->values, p->sums); }
static void heddle(const struct problem *p) { bench_heddle_sat(p->n, p->m, p->values, p->sums); }

static const struct method {
    const char *name;
    void (*run)(const struct problem *p);
    bool on_host, nest, copies;
} methods[] = {{.name = "heddle", .run = heddle, .nest = true},
               {.name = "serial", .run = serial, .on_host = true},
               {.name = "scans", .run = two_scans},
               {.name = "copy", .run = copy, .copies = true},
               {.name = NULL}};

/* The table, computed here, in memory of the place where it is copied. */
static void make_source(struct problem *p) {
    const int host = omp_get_initial_device(), where = p->device >= 0 ? p->device : host;
    p->source = omp_target_alloc(p->sum_bytes, where);
    bench_serial_sat(p->n, p->m, p->values, p->sums);
    if (!p->source || omp_target_memcpy(p->source, p->sums, p->sum_bytes, 0, 0, where, host))
        exit(APP_BAD_INPUT);
    memset(p->sums, 0, p->sum_bytes);
}

static void make(struct problem *p, const struct bench *b, const struct method *method) {
    struct app_random random;
    const size_t count = (size_t)b->app.rows * (size_t)b->app.cols;
    p->n = (int)b->app.rows;
    p->m = (int)b->app.cols;
    p->value_bytes = count * sizeof(float);
    p->sum_bytes = ((size_t)p->n + 1) * ((size_t)p->m + 1) * sizeof(float);
    p->values = app_alloc(count, sizeof(float));
    p->sums = app_alloc(p->sum_bytes, 1);
    memset(p->sums, 0, p->sum_bytes);
    app_seed(&random, (uint64_t)b->seed);
    for (size_t k = 0;
         k < count;) /* one in 256, eight at a time: with 32768 a side twice the last sum stays below 2^24 */
        for (uint64_t bits = app_next(&random), q = 0; q < 8 && k < count; q++, bits >>= 8)
            p->values[k++] = (bits & 255) == 0;
    p->device = method->on_host || !strcmp(b->app.device, "host") || !strcmp(b->app.device, "auto")
                    ? -1
                    : (int)strtol(b->app.device, NULL, 10);
    if (p->device >= omp_get_num_devices())
        exit(app_fail(&b->app, "--device=%s: there are %d", b->app.device, omp_get_num_devices()));
    if (method->copies)
        make_source(p);
}

static void print(const struct bench *b, const struct method *method, const struct problem *p, double seconds) {
    struct heddle_report nest = {0};
    char device[16] = "host";
    const double rate = (double)p->n * (double)p->m / seconds * 1e-9;
    if (p->device >= 0)
        snprintf(device, sizeof device, "%d", p->device);
    if (method->nest)
        heddle_last_report(&nest);
    printf("{\"program\": \"%s\", \"method\": \"%s\", \"size\": \"%dx%d\", \"seconds\": %.9g, \"rate\": %.6g, "
           "\"unit\": \"GCUPS\", \"device\": \"%s\", \"schedule\": \"%s\", \"error\": %d, \"kernel_seconds\": %.9g, "
           "\"checksum\": \"%016" PRIx64 "\"}\n",
           b->app.name, method->name, p->n, p->m, seconds, rate, device, nest.schedule ? nest.schedule : "", nest.error,
           nest.schedule ? nest.kernel_seconds : seconds, app_hash(APP_HASH_START, p->sums, p->sum_bytes));
}

/* The median of the runs, since bringing back the table takes a hundred times as long as making it. */
static int run(const struct bench *b, const struct method *method) {
    struct problem p = {0};
    make(&p, b, method);
    char *values = (char *)p.values, *sums = (char *)p.sums;
    const size_t value_bytes = p.value_bytes, sum_bytes = p.sum_bytes;
    const int device = p.device;
    (void)values, (void)sums, (void)value_bytes, (void)sum_bytes;
    double *times = app_alloc((size_t)b->app.repeat, sizeof *times);
    if (device >= 0) {
#pragma omp target enter data map(to : values[0 : value_bytes], sums[0 : sum_bytes]) device(device)
    }
    for (long k = -b->warm; k < b->app.repeat; k++) {
        const double start = app_seconds();
        method->run(&p);
        if (k >= 0)
            times[k] = app_seconds() - start;
    }
    if (device >= 0) {
#pragma omp target exit data map(release : values[0 : value_bytes]) map(from : sums[0 : sum_bytes]) device(device)
    }
    print(b, method, &p, app_median(times, (int)b->app.repeat));
    free(times);
    free(p.values);
    free(p.sums);
    return APP_OK;
}

int main(int argc, char **argv) {
    static struct bench b = {.method = "heddle", .seed = 1};
    const struct app_option options[] = {
        {"method", "NAME", "heddle, serial, scans (two target regions) or copy", APP_TEXT, &b.method, 0},
        {"warm", "N", "runs before the measured ones", APP_LONG, &b.warm, 0},
        {"seed", "N", "seed of the values", APP_LONG, &b.seed, 0},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    b.app = (struct app){.name = "bench-sat",
                         .summary = "summed-area table of float, data in place",
                         .inputs = "",
                         .two_sizes = true,
                         .options = options,
                         .rows = 4096,
                         .cols = 4096};
    const int status = app_parse(&b.app, argc, argv);
    if (status >= 0)
        return status;
    for (const struct method *method = methods; method->name; method++)
        if (!strcmp(method->name, b.method))
            return run(&b, method);
    return app_fail(&b.app, "--method=%s: expected heddle, serial, scans or copy", b.method);
}
