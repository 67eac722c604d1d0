/* SPDX-License-Identifier: Apache-2.0 */
/* bench-methods: one recurrence by one method after the other, data in the device's memory from start to end. One JSON
 * line for each run: time by host and device clock, where the blocks' time went, checksum. A method is written as
 * HEDDLE_WAVEFRONT is, then optionally @WARPS (a multiprocessor) and /LAYOUT:
 *
 *     bench-methods --recurrence=sat --size=46080 --methods="barrier,512;flexible,256@16/hybrid" --json
 */
#include "methods.h"
#include "bench.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static struct setting {
    struct app app;
    const char *recurrence, *methods;
    bool serial, times;
    long warm, sweeps;
} set = {.sweeps = 16, .recurrence = "sw", .methods = "flexible"};

static unsigned start_cell(size_t k, bool real) {
    const unsigned v = (unsigned)(k * 2654435761u) >> 20;
    union {
        float f;
        unsigned u;
    } x = {.f = (float)v / 4096.0f};
    return real ? x.u : 0;
}
#pragma omp declare target to(start_cell)

static bool real_cells(const char *name) { return !strncmp(name, "heat2d", 6) || !strncmp(name, "sor", 3); }

/* Cells and inputs anew, where they are used. */
static void fill(const struct recurrence_data *d, const struct recurrence *r) {
    const size_t count = ((size_t)d->n + 2) * ((size_t)d->m + 2), inputs = r->inputs ? count : 0;
    unsigned *cells = d->cells, *in = d->inputs;
    const bool real = real_cells(r->name);
    const int device = d->device;
    if (device < 0) {
        for (size_t k = 0; k < count; k++)
            cells[k] = start_cell(k, real);
        for (size_t k = 0; k < inputs; k++)
            in[k] = (unsigned)(k * 2246822519u) >> 8 & 0x0f0f0f0f;
        return;
    }
#pragma omp target teams distribute parallel for map(alloc : cells[0 : count]) device(device)
    for (size_t k = 0; k < count; k++)
        cells[k] = start_cell(k, real);
#pragma omp target teams distribute parallel for map(alloc : in[0 : inputs]) device(device)
    for (size_t k = 0; k < inputs; k++)
        in[k] = (unsigned)(k * 2246822519u) >> 8 & 0x0f0f0f0f;
}

static uint64_t checksum(const struct recurrence_data *d) {
    const size_t count = ((size_t)d->n + 2) * ((size_t)d->m + 2);
    const unsigned *cells = d->cells;
    const int device = d->device;
    uint64_t sum = 0;
    if (device < 0) {
        for (size_t k = 0; k < count; k++)
            sum += (uint64_t)cells[k] * (2 * k + 1);
        return sum;
    }
#pragma omp target teams distribute parallel for reduction(+ : sum) map(alloc : cells[0 : count]) map(tofrom : sum) device(device)
    for (size_t k = 0; k < count; k++)
        sum += (uint64_t)cells[k] * (2 * k + 1);
    return sum;
}

/* Shares of a block's time, in percent, mean over blocks. */
static void print_times(void) {
    struct heddle_times t;
    double busy = 0, corner = 0, middle = 0, sync = 0, most = 0;
    long tiles = 0;
    heddle_last_times(&t);
    for (int k = 0; k < t.blocks; k++) {
        busy += t.block[k].busy, corner += t.block[k].corner, middle += t.block[k].middle, sync += t.block[k].sync;
        tiles += t.block[k].tiles;
        most = t.block[k].busy > most ? t.block[k].busy : most;
    }
    if (t.blocks)
        printf(", \"blocks\": %d, \"tiles\": %ld, \"busy\": %.9g, \"corner\": %.9g, \"middle\": %.9g, \"sync\": %.9g",
               t.blocks, tiles, busy / t.blocks, corner / t.blocks, middle / t.blocks, sync / t.blocks);
}

static void print_run(const char *method, long run, double seconds, uint64_t sum) {
    struct heddle_report r = {.schedule = NULL, .device = -1};
    if (!set.serial)
        heddle_last_report(&r);
    printf("{\"program\": \"bench-methods\", \"recurrence\": \"%s\", \"method\": \"%s\", \"size\": \"%ldx%ld\", "
           "\"run\": %ld, \"seconds\": %.9g, \"checksum\": \"%" PRIu64 "\"",
           set.recurrence, method, set.app.rows, set.app.cols, run, seconds, sum);
    if (r.schedule)
        printf(
            ", \"schedule\": \"%s\", \"layout\": \"%s\", \"h\": %ld, \"w\": %ld, \"workers\": %d, \"device\": \"%d\", "
            "\"kernel_seconds\": %.9g, \"device_seconds\": %.9g, \"error\": %d",
            r.schedule, r.layout, r.tile_h, r.tile_w, r.workers, r.device, r.kernel_seconds, r.device_seconds, r.error);
    if (set.times)
        print_times();
    printf("}\n");
    fflush(stdout);
}

/* Sets the options that a method names; changes `method`. */
static void choose(char *method) {
    char *layout = strchr(method, '/'), *warps = strchr(method, '@');
    if (layout)
        *layout++ = 0;
    if (warps)
        *warps++ = 0;
    heddle_option_set("layout", layout);
    heddle_option_set("warps", warps);
    heddle_option_set("wavefront", method);
}

static void run_methods(const struct recurrence_data *d, const struct recurrence *r) {
    char *list = strdup(set.serial ? "serial" : set.methods), *rest = NULL;
    for (char *one = strtok_r(list, ";", &rest); one; one = strtok_r(NULL, ";", &rest)) {
        char *method = strdup(one);
        choose(method);
        for (long k = -set.warm; k < set.app.repeat; k++) {
            fill(d, r);
            const double start = app_seconds();
            r->run(d);
            if (k >= 0)
                print_run(one, k, app_seconds() - start, checksum(d));
        }
        free(method);
    }
    free(list);
}

static const struct recurrence *find(void) {
    const struct recurrence *r = set.serial ? recurrences_serial : recurrences_heddle;
    while (r->name && strcmp(r->name, set.recurrence) != 0)
        r++;
    return r->name ? r : NULL;
}

static int device_number(void) {
    const char *device = set.app.device ? set.app.device : "host";
    const int number = set.serial || *device < '0' || *device > '9' ? -1 : atoi(device);
    return number < omp_get_num_devices() ? number : -1;
}

int main(int argc, char **argv) {
    const struct app_option options[] = {
        {"recurrence", "NAME", "sw, dtw, heat2d, sor, sat, inthist, heat2d-sweeps, sor-sweeps, ahead or behind",
         APP_TEXT, &set.recurrence, 0},
        {"sweeps", "N", "of heat2d-sweeps and sor-sweeps (16)", APP_LONG, &set.sweeps, 1},
        {"methods", "LIST", "what computes it: schedules joined by ';'", APP_TEXT, &set.methods, 0},
        {"serial", NULL, "the loop as written, pragma ignored", APP_FLAG, &set.serial, 0},
        {"times", NULL, "times inside the kernel", APP_FLAG, &set.times, 0},
        {"warm", "N", "runs before the measured ones", APP_LONG, &set.warm, 0},
        {NULL, NULL, NULL, APP_FLAG, NULL, 0},
    };
    set.app = (struct app){.name = "bench-methods",
                           .summary = "six recurrences by PeerWave's methods",
                           .inputs = "",
                           .two_sizes = true,
                           .options = options,
                           .rows = 4096,
                           .cols = 4096};
    const int status = app_parse(&set.app, argc, argv);
    if (status >= 0)
        return status;
    const struct recurrence *r = find();
    if (!r)
        return app_fail(&set.app, "--recurrence=%s: there is none of that name", set.recurrence);
    const int n = (int)set.app.rows, m = (int)set.app.cols, device = device_number();
    const size_t count = ((size_t)n + 2) * ((size_t)m + 2), inputs = r->inputs ? count : 0;
    unsigned *cells = app_alloc(count, sizeof *cells), *in = r->inputs ? app_alloc(count, sizeof *in) : NULL;
    const struct recurrence_data d = {n,
                                      m,
                                      device,
                                      (int)set.sweeps,
                                      cells,
                                      in,
                                      app_alloc((size_t)n + 2, sizeof(float)),
                                      app_alloc((size_t)m + 2, sizeof(float))};
    struct app_random random;
    app_seed(&random, 1);
    for (int k = 0; k < n + 2; k++)
        d.a[k] = (float)app_below(&random, 4);
    for (int k = 0; k < m + 2; k++)
        d.b[k] = (float)app_below(&random, 4);
    if (set.times)
        heddle_option_set("timers", "1");
#pragma omp target data map(alloc : cells[0 : count], in[0 : inputs]) device(device) if (device >= 0)
    run_methods(&d, r);
    free(cells);
    free(in);
    free(d.a);
    free(d.b);
    return APP_OK;
}
