/* SPDX-License-Identifier: Apache-2.0 */
/* inthist: integral histogram of a picture; the histogram of any box in a moment. See README.md. */
#include "grid.h"
#include "histogram.h"
#include "nest.h"
#include "table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct inthist {
    struct grid grid;
    long random, bins; /* random: --seed */
    bool resident;
    int device; /* that holds the data */

    struct histogram histogram;
};

/* --resident: the nests find the planes on the device; they come back after the last run. */
static void keep_on_device(const struct histogram *h, int device) {
    const int *counts = h->counts;
    const size_t size = (size_t)h->bins * histogram_plane(h);
    (void)counts, (void)size;
    if (device >= 0) {
#pragma omp target enter data map(to : counts[0 : size]) device(device)
    }
}

static void bring_back(const struct histogram *h, int device) {
    const int *counts = h->counts;
    const size_t size = (size_t)h->bins * histogram_plane(h);
    (void)counts, (void)size;
    if (device >= 0) {
#pragma omp target exit data map(from : counts[0 : size]) device(device)
    }
}

static void begin(struct grid *g) {
    struct inthist *inthist = (struct inthist *)g;
    struct histogram *h = &inthist->histogram;
    /* one bin that is not timed: where it ran, the codes will be kept */
    inthist_count_heddle(h->n, h->m, 0, 1, h->codes, h->counts, APP_DEVICE_AUTO);
    inthist->device = app_device();
    if (inthist->resident)
        keep_on_device(h, inthist->device);
}

static void end(struct grid *g) {
    const struct inthist *inthist = (const struct inthist *)g;
    if (inthist->resident)
        bring_back(&inthist->histogram, inthist->device);
}

static double run(struct grid *g, bool last) {
    struct inthist *inthist = (struct inthist *)g;
    struct histogram *h = &inthist->histogram;
    const double start = app_seconds();
    (void)last;
    inthist_count_heddle(h->n, h->m, 0, h->bins, h->codes, h->counts, inthist->device);
    return app_seconds() - start;
}

static void describe(struct grid *g, struct app_result *result) {
    const struct histogram *h = &((const struct inthist *)g)->histogram;
    result->rows = h->n;
    result->cols = h->m;
    result->work = (double)h->n * h->m * h->bins;
    result->checksum = app_hash(APP_HASH_START, h->counts, (size_t)h->bins * histogram_plane(h) * sizeof(int));
}

/* Plane by plane, so that it takes no second set of them. */
static enum app_verdict check(struct grid *g) {
    const struct histogram *h = &((const struct inthist *)g)->histogram;
    const size_t size = histogram_plane(h);
    int *reference = app_alloc(size, sizeof *reference);
    int bin = 0;
    for (; bin < h->bins; bin++) {
        inthist_count_serial(h->n, h->m, bin, bin + 1, h->codes, reference, APP_DEVICE_AUTO);
        if (memcmp(reference, h->counts + (size_t)bin * size, size * sizeof *reference))
            break;
    }
    free(reference);
    if (bin < h->bins)
        app_fail(&g->app, "check: bin %d differs from the serial program's", bin);
    return bin < h->bins ? APP_CHECK_BAD : APP_CHECK_OK;
}

static void print_box(struct grid *g, struct box b) {
    const struct histogram *h = &((const struct inthist *)g)->histogram;
    int counts[256];
    histogram_box(h, b, counts);
    printf("#box\t%d,%d,%d,%d\n#bin\tfirst\tlast\tcount\n", b.x0, b.y0, b.x1, b.y1);
    for (int bin = 0; bin < h->bins; bin++)
        printf("%d\t%d\t%d\t%d\n", bin, histogram_first(h, bin), histogram_first(h, bin + 1) - 1, counts[bin]);
}

static int finish(struct grid *g, struct app_result *result) {
    const struct histogram *h = &((const struct inthist *)g)->histogram;
    char message[512];
    if (g->out && !table_write(g->out, TABLE_INT32, (size_t)h->bins, (size_t)h->n + 1, (size_t)h->m + 1, h->counts,
                               message, sizeof message))
        return app_fail(&g->app, "%s", message);
    const int status = g->query ? grid_boxes(g, h->n, h->m, print_box) : -1;
    return status >= 0 ? status : grid_report(g, result, "bins", h->bins);
}

static int allocate(struct inthist *inthist, long n, long m, int most) {
    const int bins = (int)inthist->bins;
    char what[64];
    if ((double)n * (double)m > INT_MAX)
        return app_fail(&inthist->grid.app, "%ld x %ld pixels: counts may exceed 32 bits", n, m);
    double bytes = histogram_bytes(n, m, bins);
    if (inthist->grid.app.check)
        bytes += ((double)n + 1) * ((double)m + 1) * sizeof(int);
    snprintf(what, sizeof what, "%d bins of %ld x %ld (see --bins)", bins, n, m);
    int status = app_memory_fits(&inthist->grid.app, bytes, what);
    if (status < 0 && !histogram_alloc(&inthist->histogram, (int)n, (int)m, bins, most))
        status = app_fail(&inthist->grid.app, "%s: out of memory", what);
    return status;
}

static int seed(struct grid *g) {
    struct inthist *inthist = (struct inthist *)g;
    const int status = allocate(inthist, g->app.rows, g->app.cols, 255);
    if (status < 0)
        histogram_fill(&inthist->histogram, (uint64_t)inthist->random);
    return status;
}

static int take(struct grid *g, const struct image *image) {
    struct inthist *inthist = (struct inthist *)g;
    const int status = allocate(inthist, image->height, image->width, image->most);
    if (status < 0)
        histogram_fill_from(&inthist->histogram, image);
    return status;
}

static int configure(struct grid *g) {
    struct inthist *inthist = (struct inthist *)g;
    if (inthist->bins > 256)
        return app_fail(&g->app, "--bins=%ld: must be at most 256", inthist->bins);
    return -1;
}

static const struct grid methods = {.configure = configure,
                                    .seed = seed,
                                    .take = take,
                                    .begin = begin,
                                    .run = run,
                                    .end = end,
                                    .describe = describe,
                                    .check = check,
                                    .finish = finish};

int main(int argc, char **argv) {
    struct inthist inthist = {.random = 1, .bins = 16};
    inthist.grid = methods;
    inthist.grid.app = (struct app){
        .name = "inthist", .summary = "integral histogram, histograms of boxes", .rows = 1024, .cols = 1024};
    const struct app_option options[] = {
        {"bins", "B", "equal ranges of grey values, 16 to 256 (16)", APP_LONG, &inthist.bins, 16},
        {"query", "BOXES", "histogram of x0,y0,x1,y1, ends included; more after a colon", APP_TEXT, &inthist.grid.query,
         0},
        {"out", "FILE", "all planes: .bin", APP_OUTPUT, &inthist.grid.out, 0},
        {"resident", NULL, "time without transfers: the planes stay on the device", APP_FLAG, &inthist.resident, 0},
        {"seed", "N", "of the random picture (1)", APP_LONG, &inthist.random, 0},
        {0}};
    inthist.grid.app.options = options;
    const int status = grid_main(&inthist.grid, argc, argv);
    histogram_free(&inthist.histogram);
    return status;
}
