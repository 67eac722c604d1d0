/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nests of dtw. The nest file is compiled for each precision (DTW_REAL: float, double) and cost
 * (DTW_COST: absolute, squared), each time twice: by heddle, and with -DDTW_SERIAL by a plain compiler that ignores the
 * pragmas; the second one is the reference of --check. Arrays of numbers are in the nest's precision. */
#ifndef DTW_NEST_H
#define DTW_NEST_H

/* Stand for infinity: adding costs to them stays finite and far above every real sum. */
#define DTW_FAR_double 1e300
#define DTW_FAR_float 1e37F

/* Many pairs of series, or of a series with itself. */
struct dtw_pairs {
    int count;
    const int *x, *y;    /* [count] which series make the rows and the columns */
    int series;          /* of the set */
    const long *start;   /* [series + 1] of the samples of each */
    const void *samples; /* [start[series]] */
    int band;            /* not read by the nests without a band */
};

/* One pair of series, or a block of its rows within a window of its columns. */
struct dtw_pair {
    int n, m;
    const void *a, *b; /* [n], [m] samples */
    const void *top;   /* [m + 1] the row above the first one; NULL: a path starts here */
    void *rolling;     /* [2 * (m + 1)] scratch; the nest with a band returns the last row in row n & 1 */
    int shift, width;  /* the band is |i + shift - j| <= width; not read by the nest without one */
};

struct dtw_nests {
    void (*pairs)(const struct dtw_pairs *work, void *sum); /* [count] */
    void (*pairs_band)(const struct dtw_pairs *work, void *sum);
    void (*pair)(const struct dtw_pair *work, void *last); /* [n + 1] accumulated cost at the last column, from 1 */
    void (*pair_band)(const struct dtw_pair *work, void *last);
};

#define DTW_NAME(real, cost, build) dtw_nests_##real##_##cost##_##build
#define DTW_NESTS(real, cost, build) DTW_NAME(real, cost, build)
#define DTW_JOIN(x, y) x##y
#define DTW_JOINED(x, y) DTW_JOIN(x, y)

extern const struct dtw_nests DTW_NAME(float, absolute, heddle), DTW_NAME(float, absolute, serial);
extern const struct dtw_nests DTW_NAME(float, squared, heddle), DTW_NAME(float, squared, serial);
extern const struct dtw_nests DTW_NAME(double, absolute, heddle), DTW_NAME(double, absolute, serial);
extern const struct dtw_nests DTW_NAME(double, squared, heddle), DTW_NAME(double, squared, serial);

#endif
