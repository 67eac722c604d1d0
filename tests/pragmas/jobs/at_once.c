/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs of three host threads at once, beside loops of a fourth, on the same devices. All read one table. */
#include <heddle/list.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, TABLE = 4096, TIMES = 4, N = 20000 };

struct job {
    uint32_t seed;
    int depth;
};
struct jobs HEDDLE_LIST(struct job);
struct numbers HEDDLE_LIST(long);

struct work {
    pthread_t id;
    int number;
    long nodes, sum, leaves;
};
static uint32_t shared[TABLE];

static uint32_t hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static void tree(struct work *w, const uint32_t *table) {
    struct jobs list = {0}, *jobs = &list;
    struct numbers found = {0}, *leaves = &found;
    long nodes = 0, sum = 0;
    for (uint32_t k = 0; k < 300; k++)
        heddle_list_append(jobs, (struct job){k + 1000 * (uint32_t)w->number, 6});
#pragma heddle jobs
    while (jobs->count) {
#pragma heddle for append(jobs, leaves) reduction(+ : nodes, sum) map(to : table[0 : TABLE])
        for (long k = 0; k < jobs->count; k++) {
            const struct job j = jobs->at[k];
            const uint32_t children = j.depth ? table[hash(j.seed) % TABLE] % 4 : 0;
            for (uint32_t c = 0; c < children; c++)
                heddle_list_append(jobs, (struct job){hash(j.seed + c * 77), j.depth - 1});
            if (!children)
                heddle_list_append(leaves, (long)(j.seed % 1000));
            nodes++;
            sum += (long)(j.seed % 97);
        }
        heddle_list_clear(jobs);
    }
    for (long k = 0; k < leaves->count; k++)
        w->leaves += leaves->at[k];
    w->nodes += nodes;
    w->sum += sum;
    heddle_list_free(jobs);
    heddle_list_free(leaves);
}

static void look(struct work *w, int n, const uint32_t *table) {
    long sum = 0;
#pragma heddle for map(to : table[0 : TABLE]) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += table[hash((uint32_t)i) % TABLE] % 1000;
    w->sum += sum;
}

/* A section of the table: a device may have it, since jobs of another thread run there. */
static void part(struct work *w, const uint32_t *table) {
    long sum = 0;
#pragma heddle for map(to : table[heddle_lo : heddle_count]) reduction(+ : sum)
    for (int i = 0; i < TABLE; i++)
        sum += table[i] % 1000;
    w->nodes += sum;
}

static void *run(void *with) {
    struct work *w = with;
    for (int t = 0; t < TIMES; t++)
        if (w->number < THREADS - 1)
            tree(w, shared);
        else
            for (int k = 0; k < 5; k++) {
                look(w, N, shared);
                part(w, shared);
            }
    return NULL;
}

int main(void) {
    struct work work[THREADS];
    for (uint32_t k = 0; k < TABLE; k++)
        shared[k] = hash(k);
    for (int k = 0; k < THREADS; k++) {
        work[k] = (struct work){.number = k};
        if (pthread_create(&work[k].id, NULL, run, &work[k]))
            return 1;
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(work[k].id, NULL);
        printf("%d: %ld nodes, sum %ld, leaves %ld\n", k, work[k].nodes, work[k].sum, work[k].leaves);
    }
    return 0;
}
