/* SPDX-License-Identifier: Apache-2.0 */
/* bench-sweeps: successive over-relaxation in place, many sweeps, by one loop over sweeps, by a serial loop and by
 * OpenMP's doacross; and the bound, a copy of the grid. The checksum is a hash of the grid; a copy's is its size. */
#include "bench.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

static long count = 100;
static struct bench bench = {.method = "heddle", .seed = 1, .report = heddle_last_report};

static size_t grid(long n, long m) { return ((size_t)n + 2) * ((size_t)m + 2); }

/* Small numbers everywhere, the border too. */
static float *start(const struct bench_pair *p) {
    float *cells = (float *)(void *)p->cells;
    for (size_t k = 0; k < p->count; k++)
        cells[k] = (float)(p->a[k % (size_t)p->n] + p->b[k % (size_t)p->m]);
    return cells;
}

static uint64_t hash(const struct bench_pair *p, uint64_t result) {
    (void)result;
    return app_hash(APP_HASH_START, p->cells, p->count * sizeof *p->cells);
}

static uint64_t run_serial(const struct bench_pair *p) {
    bench_serial_sweeps(p->n, p->m, start(p), count);
    return 0;
}

static uint64_t run_doacross(const struct bench_pair *p) {
    bench_doacross_sweeps(p->n, p->m, start(p), count);
    return 0;
}

static uint64_t run_heddle(const struct bench_pair *p) {
    bench_heddle_sweeps(p->n, p->m, start(p), count);
    return 0;
}

/* Between two buffers of the device, or of the host with every thread. */
static uint64_t run_copy(const struct bench_pair *p) {
    static char *from, *to;
    const size_t bytes = p->count * sizeof *p->cells;
    const char *device = heddle_option_get("device");
    const bool host = !strcmp(device, "host") || !strcmp(device, "auto");
    const int number = host ? omp_get_initial_device() : atoi(device);
    if (!from) {
        from = host ? (char *)calloc(1, bytes) : omp_target_alloc(bytes, number);
        to = host ? (char *)calloc(1, bytes) : omp_target_alloc(bytes, number);
        if (!from || !to)
            exit(app_fail(&bench.app, "no memory for two copies of the grid"));
    }
    if (!host)
        omp_target_memcpy(to, from, bytes, 0, 0, number, number);
#pragma omp parallel for schedule(static) if (host)
    for (size_t k = 0; k < (host ? bytes : 0) / 4096; k++)
        memcpy(to + k * 4096, from + k * 4096, 4096);
    return bytes;
}

static const struct bench_method methods[] = {
    {.name = "serial", .run = run_serial, .checksum = hash, .count = grid},
    {.name = "doacross", .run = run_doacross, .checksum = hash, .count = grid},
    {.name = "heddle", .run = run_heddle, .checksum = hash, .count = grid, .nest = true},
    {.name = "copy", .run = run_copy, .count = grid},
    {.name = NULL},
};

int main(int argc, char **argv) {
    const struct app_option options[] = {
        BENCH_OPTIONS(bench),
        {"sweeps", "N", "over the grid (100)", APP_LONG, &count, 1},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    bench.app = (struct app){.name = "bench-sweeps",
                             .summary = "over-relaxation in place (methods: serial, doacross, heddle, copy)",
                             .inputs = "",
                             .two_sizes = true,
                             .options = options,
                             .rows = 4096,
                             .cols = 4096};
    const int status = app_parse(&bench.app, argc, argv);
    return status >= 0 ? status : bench_main(&bench, methods);
}
