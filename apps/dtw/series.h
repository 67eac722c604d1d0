/* SPDX-License-Identifier: Apache-2.0 */
/* Series of samples from text: one series per line, samples separated by blanks, tabs, commas or
 * semicolons; blank lines and lines that start with # are skipped; lengths may differ. */
#ifndef DTW_SERIES_H
#define DTW_SERIES_H

#include <stdbool.h>
#include <stddef.h>

/* Of a sample, in double and in single precision; paths of squared differences then stay below what stands for infinity
 * in nest.h. */
#define SERIES_MOST 1e140
#define SERIES_MOST_SINGLE 1e13

struct series {
    size_t start; /* into samples of the set */
    int length;
};

struct series_set {
    double *samples;
    size_t used, room;
    struct series *at;
    int count, slots;
    double most; /* of a sample that is read; 0: SERIES_MOST */
};

/* Adds the series of a file ("-": standard input). False: message says "FILE:LINE: what". */
bool series_read(struct series_set *set, const char *path, char *message, size_t size);
void series_add_sample(struct series_set *set, double value);
/* Closes the series made of the samples added since the last one. */
void series_end(struct series_set *set);
void series_free(struct series_set *set);

#endif
