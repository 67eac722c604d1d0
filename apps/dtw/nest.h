/* SPDX-License-Identifier: Apache-2.0 */
/* The annotated loop nests of dtw. The nest file is compiled twice: by heddle, and with
 * -DDTW_SERIAL by a plain compiler that ignores the pragmas; the second one is the reference of
 * --check. */
#ifndef DTW_NEST_H
#define DTW_NEST_H

/* Stands for infinity: adding costs to it stays finite and far above every real sum. */
#define DTW_FAR 1e300

/* Many series, one after the other, as rows against one series as columns. */
struct dtw_batch {
    int n, m;
    const double *a;  /* [n] samples */
    const int *place; /* [n] position of the row in its series, from 1; 1 starts a new one */
    const int *width; /* [n] half width of the band; not read by the nests without a band */
    const double *b;  /* [m] */
    double *rolling;  /* [2 * (m + 1)] two rows of accumulated cost: row 0 and both first elements
                         are  given; the nests with a band return the last row in row n & 1 */
    double *last;     /* [n + 1] result: accumulated cost at the last column */
};

struct dtw_nests {
    void (*absolute)(const struct dtw_batch *work);
    void (*squared)(const struct dtw_batch *work);
    void (*absolute_band)(const struct dtw_batch *work);
    void (*squared_band)(const struct dtw_batch *work);
};

extern const struct dtw_nests dtw_nests_heddle, dtw_nests_serial;

#endif
