/* SPDX-License-Identifier: Apache-2.0 */
/* What the benchmark programs share: seeded letters, the measuring loop and the result lines.
 * A program names its methods in a table; every method computes the same thing, so every checksum
 * of one size and seed must be the same number. */
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H

#include "app.h"
#include "heddle.h"

/* DNA local alignment: match 2, mismatch -1, gap -1. */
struct bench_pair {
    int n, m;             /* rows, columns */
    const signed char *a; /* [n], 0..3 */
    const signed char *b; /* [m] */
    int *cells;           /* what the method works in: zeros at the start of every run */
    size_t count;         /* of cells */
};

struct bench_method {
    const char *name;
    uint64_t (*run)(const struct bench_pair *pair);                       /* the timed part */
    uint64_t (*checksum)(const struct bench_pair *pair, uint64_t result); /* NULL: the result */
    size_t (*count)(long n, long m);                                      /* cells it needs */
    bool nest; /* an annotated nest: heddle_last_report() tells more */
};

struct bench {
    struct app app;
    const char *method; /* --method */
    const char *extra;  /* more members for every line, "\"tile\": \"64x64\"", or NULL */
    long warm, seed;    /* --warm, --seed */
    /* heddle_last_report, or NULL in a program that does not link the runtime */
    void (*report)(struct heddle_report *report);
    /* Devices that take turns within a round, joined by commas, and who is told; or NULL. */
    const char *turns;
    void (*place)(const char *device);
};

#define BENCH_OPTIONS(b)                                                                                               \
    {"method", "NAME", "what computes it (below)", APP_TEXT, &(b).method, 0},                                          \
        {"warm", "N", "runs before the measured ones", APP_LONG, &(b).warm, 0},                                        \
        {"seed", "N", "seed of the letters", APP_LONG, &(b).seed, 0}

/* Runs the method of the name --method `app.repeat` times; one line for each run. Returns the exit
 * status. */
int bench_main(const struct bench *bench, const struct bench_method *methods);

/* Compiler and flags that the serial forms were built with. */
extern const char bench_compiler[], bench_flags[];

static inline int bench_max(int x, int y) { return x > y ? x : y; }

/* The serial forms, built by the plain compiler for this processor. */
int bench_serial_score(int n, int m, const signed char *a, const signed char *b, int *rolling);
int bench_tuned_score(int n, int m, const signed char *a, const signed char *b, int *row);
uint64_t bench_tuned_sum(int n, int m, const signed char *a, const signed char *b, int *row);
void bench_serial_matrix(int n, int m, const signed char *a, const signed char *b, int *cells);

void bench_serial_sweeps(int n, int m, float *cells, long count);
void bench_doacross_sweeps(int n, int m, float *cells, long count);

/* The same sources with the pragma obeyed. */
int bench_heddle_score(int n, int m, const signed char *a, const signed char *b, int *rolling);
void bench_heddle_matrix(int n, int m, const signed char *a, const signed char *b, int *cells);
void bench_heddle_sweeps(int n, int m, float *cells, long count);

#endif
