/* SPDX-License-Identifier: Apache-2.0 */
/* inthist: integral histogram of a picture; the histogram of any box in a moment. See README.md. */
#include "app.h"
#include "histogram.h"
#include "nest.h"
#include "table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct inthist {
    struct app app;
    const char *out, *query;
    long seed, bins;
    bool resident;

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

static double measure(struct inthist *inthist) {
    struct histogram *h = &inthist->histogram;
    double *times = app_alloc((size_t)inthist->app.repeat, sizeof *times);
    /* one bin that is not timed: where it ran, the codes will be kept */
    inthist_count_heddle(h->n, h->m, 0, 1, h->codes, h->counts, APP_DEVICE_AUTO);
    const int device = app_device();
    if (inthist->resident)
        keep_on_device(h, device);
    for (long k = 0; k < inthist->app.repeat; k++) {
        double start = app_seconds();
        inthist_count_heddle(h->n, h->m, 0, h->bins, h->codes, h->counts, device);
        times[k] = app_seconds() - start;
        app_progress(&inthist->app, "run %ld of %ld", k + 1, inthist->app.repeat);
    }
    if (inthist->resident)
        bring_back(h, device);
    app_progress_end(&inthist->app);
    double seconds = app_median(times, (int)inthist->app.repeat);
    free(times);
    return seconds;
}

/* Plane by plane, so that it takes no second set of them. */
static enum app_verdict check(const struct inthist *inthist) {
    const struct histogram *h = &inthist->histogram;
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
        app_fail(&inthist->app, "check: bin %d differs from the serial program's", bin);
    return bin < h->bins ? APP_CHECK_BAD : APP_CHECK_OK;
}

static void print_box(const struct histogram *h, struct box b) {
    int counts[256];
    histogram_box(h, b, counts);
    printf("#box\t%d,%d,%d,%d\n#bin\tfirst\tlast\tcount\n", b.x0, b.y0, b.x1, b.y1);
    for (int bin = 0; bin < h->bins; bin++)
        printf("%d\t%d\t%d\t%d\n", bin, histogram_first(h, bin), histogram_first(h, bin + 1) - 1, counts[bin]);
}

/* Boxes separated by colons. Without a histogram (bins = 0) only the form is looked at. */
static int answer(const struct inthist *inthist, const struct histogram *h) {
    const char *at = inthist->query;
    for (;;) {
        struct box b;
        int used = 0;
        if (sscanf(at, "%9d,%9d,%9d,%9d%n", &b.x0, &b.y0, &b.x1, &b.y1, &used) != 4 || (at[used] && at[used] != ':'))
            return app_fail(&inthist->app, "--query=%s: expected x0,y0,x1,y1, more after a colon", inthist->query);
        if (h->bins) {
            if (b.x0 < 0 || b.y0 < 0 || b.x0 > b.x1 || b.y0 > b.y1 || b.x1 >= h->m || b.y1 >= h->n)
                return app_fail(&inthist->app, "--query: box %d,%d,%d,%d is not inside 0,0,%d,%d", b.x0, b.y0, b.x1,
                                b.y1, h->m - 1, h->n - 1);
            print_box(h, b);
        }
        if (!at[used])
            return -1;
        at += used + 1;
    }
}

static int write_out(const struct inthist *inthist) {
    const struct histogram *h = &inthist->histogram;
    char message[512];
    if (inthist->out && !table_write(inthist->out, TABLE_INT32, (size_t)h->bins, (size_t)h->n + 1, (size_t)h->m + 1,
                                     h->counts, message, sizeof message))
        return app_fail(&inthist->app, "%s", message);
    return -1;
}

static int run(struct inthist *inthist) {
    const struct histogram *h = &inthist->histogram;
    const size_t bytes = (size_t)h->bins * histogram_plane(h) * sizeof(int);
    double seconds = measure(inthist);
    struct app_result result = {.rows = h->n,
                                .cols = h->m,
                                .seconds = seconds,
                                .work = (double)h->n * h->m * h->bins,
                                .unit = "Gcells/s",
                                .checksum = app_hash(APP_HASH_START, h->counts, bytes),
                                .check = inthist->app.check ? check(inthist) : APP_NOT_CHECKED};
    int status = write_out(inthist);
    if (status < 0 && inthist->query)
        status = answer(inthist, h);
    if (status >= 0)
        return status;
    if (inthist->query && !inthist->app.check && !inthist->app.progress)
        return fflush(stdout) ? app_fail(&inthist->app, "cannot write the results") : APP_OK;
    return app_report(&inthist->app, &result, inthist->query ? stderr : stdout, "bins", h->bins);
}

static int allocate(struct inthist *inthist, long n, long m, int most) {
    const int bins = (int)inthist->bins;
    char what[64];
    if ((double)n * (double)m > INT_MAX)
        return app_fail(&inthist->app, "%ld x %ld pixels: counts may exceed 32 bits", n, m);
    double bytes = histogram_bytes(n, m, bins);
    if (inthist->app.check)
        bytes += ((double)n + 1) * ((double)m + 1) * sizeof(int);
    snprintf(what, sizeof what, "%d bins of %ld x %ld (see --bins)", bins, n, m);
    int status = app_memory_fits(&inthist->app, bytes, what);
    if (status < 0 && !histogram_alloc(&inthist->histogram, (int)n, (int)m, bins, most))
        status = app_fail(&inthist->app, "%s: out of memory", what);
    return status;
}

static int prepare(struct inthist *inthist) {
    struct image image;
    char message[512];
    int status;
    if (!inthist->app.input_count) {
        status = allocate(inthist, inthist->app.rows, inthist->app.cols, 255);
        if (status < 0)
            histogram_fill(&inthist->histogram, (uint64_t)inthist->seed);
        return status;
    }
    if (inthist->app.sized)
        return app_fail(&inthist->app, "--size is for runs without a picture");
    if (!image_read(&image, inthist->app.input[0], message, sizeof message))
        return app_fail(&inthist->app, "%s", message);
    if ((status = allocate(inthist, image.height, image.width, image.most)) < 0)
        histogram_fill_from(&inthist->histogram, &image);
    image_free(&image);
    return status;
}

static int configure(struct inthist *inthist) {
    if (inthist->bins > 256)
        return app_fail(&inthist->app, "--bins=%ld: must be at most 256", inthist->bins);
    if (inthist->out && !image_has_suffix(inthist->out, ".bin"))
        return app_fail(&inthist->app, "--out=%s: the name must end in .bin", inthist->out);
    if (inthist->query && inthist->app.json)
        return app_fail(&inthist->app, "--query prints a list; leave out --json");
    return inthist->query ? answer(inthist, &(struct histogram){.bins = 0}) : -1;
}

int main(int argc, char **argv) {
    struct inthist inthist = {.seed = 1,
                              .bins = 16,
                              .app = {.name = "inthist",
                                      .summary = "integral histogram, histograms of boxes",
                                      .inputs = "[PICTURE]   (PGM or PNG, - is stdin)",
                                      .inputs_max = 1,
                                      .two_sizes = true,
                                      .rows = 1024,
                                      .cols = 1024}};
    const struct app_option options[] = {
        {"bins", "B", "equal ranges of grey values, 16 to 256 (16)", APP_LONG, &inthist.bins, 16},
        {"query", "BOXES", "histogram of x0,y0,x1,y1, ends included; more after a colon", APP_TEXT, &inthist.query, 0},
        {"out", "FILE", "all planes: .bin", APP_OUTPUT, &inthist.out, 0},
        {"resident", NULL, "time without transfers: the planes stay on the device", APP_FLAG, &inthist.resident, 0},
        {"seed", "N", "of the random picture (1)", APP_LONG, &inthist.seed, 0},
        {0}};
    inthist.app.options = options;
    int status = app_parse(&inthist.app, argc, argv);
    if (status < 0)
        status = configure(&inthist);
    if (status < 0)
        status = prepare(&inthist);
    if (status < 0)
        status = run(&inthist);
    histogram_free(&inthist.histogram);
    return status;
}
