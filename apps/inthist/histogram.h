/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels as bin numbers, the planes of counts, and histograms of boxes read from them. */
#ifndef INTHIST_HISTOGRAM_H
#define INTHIST_HISTOGRAM_H

#include "grid.h"

struct histogram {
    int n, m, bins;
    int most;             /* pixel values are 0 to this, cut into `bins` equal ranges */
    unsigned char *codes; /* [n][m] bin of each pixel */
    int *counts;          /* [bins][n + 1][m + 1], row 0 and column 0 of each plane zero */
};

/* What allocation will take, with the codes. */
double histogram_bytes(long n, long m, int bins);
/* False: no memory. */
bool histogram_alloc(struct histogram *h, int n, int m, int bins, int most);
void histogram_free(struct histogram *h);
size_t histogram_plane(const struct histogram *h); /* elements of one */
void histogram_fill(struct histogram *h, uint64_t seed);
void histogram_fill_from(struct histogram *h, const struct image *image);
/* First pixel value of a bin; `bin` may be `bins`. */
int histogram_first(const struct histogram *h, int bin);
/* counts[bins] of the pixels in a box. */
void histogram_box(const struct histogram *h, struct box box, int *counts);

#endif
