/* SPDX-License-Identifier: Apache-2.0 */
/* The loops of the six wavefront applications in their plainest form, each a file pattern_*.c that
 * is built twice: through heddle, and by the plain compiler (BENCH_SERIAL). The bounds are
 * arguments, so that OpenMP's own ways run the serial form tile by tile. */
#ifndef HEDDLE_BENCH_PATTERNS_H
#define HEDDLE_BENCH_PATTERNS_H

#include "bench.h"

struct pattern_work {
    int n, m;
    void *x;              /* what the loop writes: [n + 2][m + 2] */
    const void *y;        /* what it reads: [n + 2][m + 2] */
    const signed char *a; /* letters: [n + 1] */
    const signed char *b; /* [m + 1] */
    long t0, t1, sweeps;  /* patterns of several sweeps: these of 1, ..., sweeps */
};

struct pattern_range {
    int i0, i1, j0, j1; /* inclusive; all: 1, n, 1, m */
};

/* What x and y hold before the first run. */
enum pattern_fill { PATTERN_ZERO, PATTERN_SMALL, PATTERN_FAR /* a border that no path crosses */ };

struct pattern {
    const char *name;
    bool kept;    /* x is the result; else the number that run() returns */
    bool sweeps;  /* over x, as many as wanted */
    size_t moved; /* bytes that a cell must move at least, all sweeps together; 0: none */
    char type;    /* of x and y: 'i'nt, 'f'loat, 'd'ouble */
    enum pattern_fill x, y;
    double (*run)(const struct pattern_work *work, struct pattern_range r); /* largest over tiles */
};

#ifdef BENCH_SERIAL
#define PATTERN(name) pattern_##name##_serial
#else
#define PATTERN(name) pattern_##name##_heddle
#endif

#define PATTERN_LIST(X)                                                                                                \
    X(sw)                                                                                                              \
    X(sw_all)                                                                                                          \
    X(dtw)                                                                                                             \
    X(dtw_all) X(heat2d) X(heat2d_sweeps) X(sor) X(sor_sweeps) X(sor_rhs_sweeps) X(sat) X(inthist) X(ahead) X(behind)
#define PATTERN_DECLARE(name) extern const struct pattern pattern_##name##_serial, pattern_##name##_heddle;
PATTERN_LIST(PATTERN_DECLARE)
#undef PATTERN_DECLARE

/* patterns_link.c: so many bytes to and from a GPU at once, at the link's full speed. Nonzero: none
 * there. */
int bench_link(int device, size_t in, size_t out);

#endif
