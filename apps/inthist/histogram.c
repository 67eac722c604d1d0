/* SPDX-License-Identifier: Apache-2.0 */
#include "histogram.h"

#include "app.h"

#include <stdlib.h>

double histogram_bytes(long n, long m, int bins) {
    return (double)n * (double)m + bins * ((double)n + 1) * ((double)m + 1) * sizeof(int);
}

size_t histogram_plane(const struct histogram *h) { return ((size_t)h->n + 1) * ((size_t)h->m + 1); }

bool histogram_alloc(struct histogram *h, int n, int m, int bins, int most) {
    *h = (struct histogram){.n = n, .m = m, .bins = bins, .most = most};
    h->codes = malloc((size_t)n * (size_t)m);
    h->counts = calloc((size_t)bins * histogram_plane(h), sizeof *h->counts);
    return h->codes && h->counts;
}

void histogram_free(struct histogram *h) {
    free(h->codes);
    free(h->counts);
    h->codes = NULL;
    h->counts = NULL;
}

static unsigned char bin_of(const struct histogram *h, unsigned value) {
    return (unsigned char)(value * (unsigned)h->bins / ((unsigned)h->most + 1));
}

int histogram_first(const struct histogram *h, int bin) {
    return (int)(((unsigned)bin * ((unsigned)h->most + 1) + (unsigned)h->bins - 1) / (unsigned)h->bins);
}

void histogram_fill(struct histogram *h, uint64_t seed) {
    const size_t pixels = (size_t)h->n * (size_t)h->m;
    struct app_random random;
    app_seed(&random, seed);
    for (size_t k = 0; k < pixels; k++)
        h->codes[k] = bin_of(h, app_below(&random, (uint32_t)h->most + 1));
}

void histogram_fill_from(struct histogram *h, const struct image *image) {
    const size_t pixels = (size_t)h->n * (size_t)h->m;
    for (size_t k = 0; k < pixels; k++)
        h->codes[k] = bin_of(h, image->pixels[k]);
}

void histogram_box(const struct histogram *h, struct box b, int *counts) {
    const size_t width = (size_t)h->m + 1, top = (size_t)b.y0 * width, bottom = ((size_t)b.y1 + 1) * width;
    for (int bin = 0; bin < h->bins; bin++) {
        const int *plane = h->counts + (size_t)bin * histogram_plane(h);
        counts[bin] = plane[bottom + (size_t)b.x1 + 1] - plane[top + (size_t)b.x1 + 1] -
                      (plane[bottom + (size_t)b.x0] - plane[top + (size_t)b.x0]);
    }
}
