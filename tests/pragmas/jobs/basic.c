/* SPDX-License-Identifier: Apache-2.0 */
/* Lists that jobs append to: one and several types, what is left when nothing is appended, records of any size,
   reductions, functions that append. A list's elements are a set, so they are sorted before they are printed. */
#include <heddle/list.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    uint32_t seed;
    int depth;
};
struct odd { /* of no power of two */
    unsigned char c[3];
};
struct wide {
    double x[5];
    int of;
};
struct jobs HEDDLE_LIST(struct job);
struct odds HEDDLE_LIST(struct odd);
struct wides HEDDLE_LIST(struct wide);
struct numbers HEDDLE_LIST(long);

static uint32_t hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static int compare(const void *a, const void *b) {
    const long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

static void print(const char *name, struct numbers *n) {
    uint64_t sum = 0;
    qsort(n->at, (size_t)n->count, sizeof *n->at, compare);
    for (long k = 0; k < n->count; k++)
        sum = sum * 1099511628211u + (uint64_t)n->at[k];
    printf("%s: %ld elements, %lx\n", name, n->count, (unsigned long)sum);
    heddle_list_free(n);
}

/* ---- one list that appends to itself ---- */
static void tree(uint32_t seed, int depth, int fan) {
    struct jobs list = {0}, *jobs = &list;
    struct numbers found = {0}, *leaves = &found;
    long nodes = 0;
    int deepest = 0;
    if (depth >= 0)
        heddle_list_append(jobs, (struct job){seed, depth});
#pragma heddle jobs
    while (jobs->count) {
#pragma heddle for append(jobs, leaves) reduction(+ : nodes) reduction(max : deepest)
        for (long k = 0; k < jobs->count; k++) {
            const struct job j = jobs->at[k];
            const int children = j.depth ? (int)(hash(j.seed) % (uint32_t)(fan + 1)) : 0;
            for (int c = 0; c < children; c++)
                heddle_list_append(jobs, (struct job){hash(j.seed + (uint32_t)c * 77), j.depth - 1});
            if (!children)
                heddle_list_append(leaves, (long)j.seed);
            nodes++;
            deepest = deepest > depth - j.depth ? deepest : depth - j.depth;
        }
        heddle_list_clear(jobs);
    }
    printf("%ld nodes, %d deep, %ld left\n", nodes, deepest, jobs->count);
    heddle_list_free(jobs);
    print("leaves", leaves);
}

/* ---- three lists that append to each other, by functions ---- */
static void split(struct job j, const int *table, struct jobs *jobs, struct odds *odds) {
    for (uint32_t c = 0; c < hash(j.seed) % 4; c++) {
        const uint32_t next = hash(j.seed * 31 + c);
        if (j.depth > 0 && next & 1)
            heddle_list_append(jobs, (struct job){next, j.depth > table[next % 8] ? j.depth - table[next % 8] : 0});
        else
            heddle_list_append(odds,
                               (struct odd){{(unsigned char)next, (unsigned char)(next >> 8), (unsigned char)j.depth}});
    }
}

static void three(uint32_t seed, int roots) {
    int table[8] = {1, 1, 1, 2, 1, 3, 1, 1};
    struct jobs *jobs = calloc(1, sizeof *jobs);
    struct odds *odds = calloc(1, sizeof *odds);
    struct wides *wides = calloc(1, sizeof *wides);
    struct numbers *found = calloc(1, sizeof *found);
    const double scale = 0.25;
    double sum = 0;
    if (!jobs || !odds || !wides || !found)
        exit(1);
    heddle_list_append(found, 7l); /* what was there stays */
    for (int k = 0; k < roots; k++)
        heddle_list_append(jobs, (struct job){hash(seed + (uint32_t)k), 6});
#pragma heddle jobs schedule(proportional)
    while (jobs->count > 0 || odds->count != 0 || wides->count) {
#pragma heddle for append(jobs) append(odds)
        for (long k = 0; k < jobs->count; k++)
            split(jobs->at[k], table, jobs, odds);
        heddle_list_clear(jobs);
#pragma heddle for append(wides, jobs)
        for (int k = 0; k < odds->count; ++k) {
            struct wide w = {.of = odds->at[k].c[0]};
            for (int d = 0; d < 5; d++)
                w.x[d] = scale * (odds->at[k].c[1] + d);
            if (odds->at[k].c[2] > 3)
                heddle_list_append(jobs, (struct job){(uint32_t)w.of, 2});
            heddle_list_append(wides, w);
        }
        odds->count = 0;
#pragma heddle for append(found) reduction(+ : sum) firstprivate(scale)
        for (long k = 0; k < wides->count; k++) {
            const struct wide w = wides->at[k];
            for (int d = 0; d < 5; d++)
                sum += w.x[d] / scale;
            if (w.of % 3 == 0)
                heddle_list_append(found, (long)w.of * 1000 + (long)w.x[4]);
        }
        heddle_list_clear(wides);
    }
    printf("sum %.0f, left %ld %ld %ld\n", sum, jobs->count, odds->count, wides->count);
    print("found", found);
    heddle_list_free(jobs);
    heddle_list_free(odds);
    heddle_list_free(wides);
    free(jobs);
    free(odds);
    free(wides);
    free(found);
}

/* ---- jobs that append much at once, and none that append at all ---- */
static void many(int each) {
    struct numbers todo = {0}, done = {0}, *from = &todo, *to = &done;
    for (long k = 0; k < 50; k++)
        heddle_list_append(from, k);
#pragma heddle jobs device(all)
    while (from->count) {
#pragma heddle for append(to)
        for (long k = 0; k < from->count; k++)
            for (int c = 0; c < each; c++)
                heddle_list_append(to, from->at[k] * 10000 + c);
        heddle_list_clear(from);
    }
    heddle_list_free(from);
    print("many", to);
}

static long quiet(int n) {
    struct numbers todo = {0}, *from = &todo;
    long sum = 5;
    for (long k = 0; k < n; k++)
        heddle_list_append(from, k);
#pragma heddle jobs
    while (from->count) {
#pragma heddle for reduction(+ : sum)
        for (long k = 0; k < from->count; k++)
            sum += from->at[k];
        heddle_list_clear(from);
    }
    heddle_list_free(from);
    return sum;
}

int main(void) {
    tree(1, -1, 3); /* no jobs */
    tree(1, 0, 3);
    for (uint32_t seed = 1; seed < 4; seed++)
        tree(seed, 9, 5);
    for (uint32_t seed = 1; seed < 12; seed++)
        three(seed, (int)seed * (int)seed);
    many(1);
    many(900);
    for (int n = 0; n < 40; n++)
        printf("%ld ", quiet(n));
    printf("%ld\n", quiet(30000));
    return 0;
}
