/* SPDX-License-Identifier: Apache-2.0 */
/* The six applications of PeerWave's evaluation (Belviranli et al., ICS 2015, section 6) as bare recurrences with every
 * cell kept, for comparing methods. Built twice, with the pragma obeyed and ignored. */
#ifndef HEDDLE_BENCH_METHODS_H
#define HEDDLE_BENCH_METHODS_H

#include <stddef.h>

/* All arrays are on `device` if that is not negative. Cells are 4 bytes. */
struct recurrence_data {
    int n, m, device, sweeps;
    void *cells;  /* [n + 2][m + 2] */
    void *inputs; /* the same shape; SAT: addends; histogram: bytes; others: not read */
    float *a, *b; /* [n + 2], [m + 2] */
};

struct recurrence {
    const char *name;
    void (*run)(const struct recurrence_data *data);
    int inputs; /* reads the inputs */
};

/* sw, dtw, heat2d, sor, sat, inthist, heat2d and sor over and over, ahead and behind; a NULL name ends it */
extern const struct recurrence recurrences_heddle[], recurrences_serial[];

#endif
