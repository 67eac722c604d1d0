/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of small and large target regions, written as plain OpenMP for whatever device there is: some gain from
 * a GPU, some do not. Which place each kind of region gets is given by --assign (H host, D device 0, one letter a
 * kind) or left to the selector (HEDDLE_POLICY). --try-all runs every assignment and names the best.
 * All arithmetic is on unsigned integers, so every place computes the same bits.
 */
#include "app.h"
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 6, LARGE = 1 << 24, MIDDLE = 1 << 17, SMALL = 1 << 12, SIDE = 384 };
static const char *const kinds[KINDS] = {"tiny", "small", "stream", "search", "matrix", "filter"};
static uint32_t *x, *y, *z;

/* device(-1) is the default device, which the selector may replace. */
static void tiny(int place) {
#pragma omp target map(tofrom : x[0 : 64]) device(place)
    for (int k = 0; k < 64; k++)
        x[k] = x[k] * 5 + 1;
}

static void small(int place) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : SMALL]) map(to : y[0 : SMALL]) device(place)
    for (int k = 0; k < SMALL; k++)
        x[k] = x[k] * 3 + y[k];
}

/* Much data, little work. */
static void stream(int place) {
#pragma omp target teams distribute parallel for map(from : z[0 : LARGE]) map(to : x[0 : LARGE], y[0 : LARGE])         \
    device(place)
    for (int k = 0; k < LARGE; k++)
        z[k] = x[k] + 3 * y[k];
}

static inline uint32_t mixed(uint32_t v) {
    v ^= v >> 16;
    v *= 0x7feb352du;
    v ^= v >> 15;
    v *= 0x846ca68bu;
    return v ^ v >> 16;
}

/* Little data, much work. */
static void search(int place) {
#pragma omp target teams distribute parallel for map(tofrom : y[0 : MIDDLE]) device(place)
    for (int k = 0; k < MIDDLE; k++) {
        uint32_t v = y[k];
        for (int round = 0; round < 200; round++)
            v = mixed(v + (uint32_t)round);
        y[k] = v;
    }
}

static void matrix(int place) {
#pragma omp target teams distribute parallel for collapse(2) map(to : x[0 : SIDE * SIDE], y[0 : SIDE * SIDE])          \
    map(from : z[0 : SIDE * SIDE]) device(place)
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            uint32_t sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += x[i * SIDE + k] * y[k * SIDE + j];
            z[i * SIDE + j] = sum;
        }
}

static void filter(int place) {
#pragma omp target teams distribute parallel for map(to : y[0 : MIDDLE + 32]) map(from : z[0 : MIDDLE]) device(place)
    for (int k = 0; k < MIDDLE; k++) {
        uint32_t sum = 0;
        for (int q = 0; q < 32; q++)
            sum = sum * 31 + y[k + q];
        z[k] = sum;
    }
}

static double part[KINDS];   /* of this round, seconds; after measure(): each kind's median */
static double learning, all; /* the first `warm` rounds, all others; seconds */

static double one_round(const int *place) {
    static void (*const run[KINDS])(int) = {tiny, small, stream, search, matrix, filter};
    static const int times[KINDS] = {40, 20, 1, 2, 2, 6};
    const double start = omp_get_wtime();
    for (int k = 0; k < KINDS; k++) {
        const double begin = omp_get_wtime();
        for (int n = 0; n < times[k]; n++)
            run[k](place[k]);
        part[k] = omp_get_wtime() - begin;
    }
    return omp_get_wtime() - start;
}

static void seed(void) {
    for (uint32_t k = 0; k < LARGE; k++)
        x[k] = mixed(k), y[k] = mixed(~k), z[k] = 0;
}

static uint64_t checksum(void) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < LARGE; k += 7)
        hash = (hash ^ x[k] ^ (uint64_t)y[k] << 21 ^ (uint64_t)z[k] << 42) * UINT64_C(0x100000001b3);
    return hash;
}

/* The median of `rounds` after `warm` more. The number of rounds decides the checksum. */
static double measure(const int *place, int warm, int rounds) {
    double *t = malloc((size_t)rounds * (KINDS + 1) * sizeof *t);
    if (!t)
        exit(2);
    seed();
    learning = all = 0;
    for (int k = 0; k < warm + rounds; k++) {
        const double seconds = one_round(place);
        *(k < warm ? &learning : &all) += seconds;
        for (int j = 0; k >= warm && j <= KINDS; j++)
            t[j * rounds + k - warm] = j == KINDS ? seconds : part[j];
    }
    for (int j = 0; j < KINDS; j++)
        part[j] = app_median(t + j * rounds, rounds);
    const double m = app_median(t + KINDS * rounds, rounds);
    free(t);
    return m;
}

static bool places(const char *letters, int *place) {
    for (int k = 0; k < KINDS; k++) {
        if (letters[k] != 'H' && letters[k] != 'D')
            return false;
        place[k] = letters[k] == 'H' ? omp_get_initial_device() : 0;
    }
    return letters[KINDS] == 0;
}

static void print_line(const char *assign, double seconds, int rounds) {
    printf("{\"program\": \"bench-mix\", \"assign\": \"%s\", \"size\": \"%dx1\", \"seconds\": %.9f, \"rounds\": %d, "
           "\"warm_seconds\": %.9f, "
           "\"all_seconds\": %.9f, \"parts\": {",
           assign, LARGE, seconds, rounds, learning, all);
    for (int k = 0; k < KINDS; k++)
        printf("%s\"%s\": %.6f", k ? ", " : "", kinds[k], part[k]);
    printf("}, \"checksum\": \"%llu\"}\n", (unsigned long long)checksum());
}

/* Each kind's median in `rounds` rounds, in a line. */
static void print_parts(const char *name, double *t, int rounds) {
    printf("\"%s\": {", name);
    for (int j = 0; j < KINDS; j++)
        printf("%s\"%s\": %.6f", j ? ", " : "", kinds[j], app_median(t + j * rounds, rounds));
    printf("}, ");
}

/* Rounds of a fixed assignment and rounds left to HEDDLE_POLICY, in turns and on the same memory: what differs from
   process to process (pages, threads' places) is in both. */
static int compare(const char *assign, const int *fixed, int warm, int rounds) {
    double *t = malloc((3 + 2 * KINDS) * (size_t)rounds * sizeof *t), sums[2] = {0, 0}, learn[2] = {0, 0};
    int open[KINDS];
    memset(open, -1, sizeof open);
    if (!t)
        return 2;
    double *const parts[2] = {t + 3 * rounds, t + (3 + KINDS) * rounds};
    seed();
    for (int k = 0; k < warm + rounds; k++)
        for (int auto_too = 0; auto_too < 2; auto_too++) {
            const double seconds = one_round((k + auto_too) % 2 ? open : fixed);
            const int which = (k + auto_too) % 2;
            (k < warm ? learn : sums)[which] += seconds;
            for (int j = 0; k >= warm && j < KINDS; j++)
                parts[which][j * rounds + k - warm] = part[j];
            if (k >= warm)
                t[which * rounds + k - warm] = seconds;
        }
    for (int k = 0; k < rounds; k++)
        t[2 * rounds + k] = t[rounds + k] / t[k];
    const double f = app_median(t, rounds), a = app_median(t + rounds, rounds),
                 ratio = app_median(t + 2 * rounds, rounds);
    printf("{\"program\": \"bench-mix\", \"compare\": \"%s\", \"size\": \"%dx1\", \"seconds\": %.9f, "
           "\"fixed_seconds\": %.9f, \"rounds\": %d, "
           "\"ratio_of_medians\": %.4f, \"median_of_ratios\": %.4f, \"ratio_of_sums\": %.4f, \"warm_seconds\": [%.6f, "
           "%.6f], ",
           assign, LARGE, a, f, rounds, a / f, ratio, sums[1] / sums[0], learn[0], learn[1]);
    print_parts("fixed_parts", parts[0], rounds);
    print_parts("parts", parts[1], rounds);
    printf("\"checksum\": \"%llu\"}\n", (unsigned long long)checksum());
    free(t);
    return 0;
}

static int try_all(int warm, int rounds) {
    double best = 1e9;
    char name[KINDS + 1] = "", chosen[KINDS + 1] = "";
    int place[KINDS];
    for (int mask = 0; mask < 1 << KINDS; mask++) {
        for (int k = 0; k < KINDS; k++)
            name[k] = mask >> k & 1 ? 'D' : 'H';
        places(name, place);
        const double seconds = measure(place, warm, rounds);
        fprintf(stderr, "%s %.6f s\n", name, seconds);
        if (seconds < best) {
            best = seconds;
            memcpy(chosen, name, sizeof name);
        }
    }
    print_line(chosen, best, rounds);
    return 0;
}

int main(int argc, char **argv) {
    int place[KINDS], warm = 3, rounds = 20;
    const char *assign = "";
    bool all = false, both = false;
    memset(place, -1, sizeof place);
    for (int k = 1; k < argc; k++) {
        if (!strncmp(argv[k], "--assign=", 9) && places(argv[k] + 9, place))
            assign = argv[k] + 9;
        else if (!strncmp(argv[k], "--compare=", 10) && places(argv[k] + 10, place))
            assign = argv[k] + 10, both = true;
        else if (!strncmp(argv[k], "--rounds=", 9) && atoi(argv[k] + 9) > 0)
            rounds = atoi(argv[k] + 9);
        else if (!strncmp(argv[k], "--warm=", 7) && atoi(argv[k] + 7) >= 0)
            warm = atoi(argv[k] + 7);
        else if (!strcmp(argv[k], "--try-all"))
            all = true;
        else if (strcmp(argv[k], "--json") != 0) {
            fprintf(
                stderr,
                "usage: bench-mix [--assign=HHDDHD] [--compare=HHDDHD] [--try-all] [--warm=N] [--rounds=N] [--json]\n");
            return 2;
        }
    }
    x = malloc(LARGE * sizeof *x), y = malloc(LARGE * sizeof *y), z = malloc(LARGE * sizeof *z);
    if (!x || !y || !z) {
        fprintf(stderr, "bench-mix: no memory for 3 x %zu bytes\n", LARGE * sizeof *x);
        return 2;
    }
    if (all)
        return try_all(warm, rounds);
    if (both)
        return compare(assign, place, warm, rounds);
    const double seconds = measure(place, warm, rounds);
    print_line(assign, seconds, rounds);
    return 0;
}
