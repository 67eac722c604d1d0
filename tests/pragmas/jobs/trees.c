/* SPDX-License-Identifier: Apache-2.0 */
/* trees [ROOTS DEPTH WORK REPEAT]: nodes that make nodes and leaves by a hash, leaves that compute. Without arguments
   small, as a test; with them, times on stderr (docs/lab/2026-11-23-jobs.md). */
#include <heddle/list.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TABLE = 256 };
struct node {
    uint32_t seed;
    int depth;
};
struct leaf {
    uint32_t seed;
    float x;
};
struct hit {
    uint32_t seed;
    int n;
};
struct nodes HEDDLE_LIST(struct node);
struct leaves HEDDLE_LIST(struct leaf);
struct hits HEDDLE_LIST(struct hit);

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static float part(uint32_t seed) { return (float)(seed >> 8) / 16777216.0f; }

static int compute(uint32_t seed, float x, int work, const float *table) {
    float y = x;
    int n = 0;
    for (int k = 0; k < work; k++) {
        y = y * table[(seed + (uint32_t)k) % TABLE] + x;
        if (y > 4) {
            y -= 4;
            n++;
        }
    }
    return n;
}

static double run(int roots, int depth, int work, const float *table) {
    struct nodes a = {0}, *nodes = &a;
    struct leaves b = {0}, *leaves = &b;
    struct hits c = {0}, *hits = &c;
    long made = 0, computed = 0;
    unsigned long sum = 0, sign = 0;
    for (int k = 0; k < roots; k++)
        heddle_list_append(nodes, (struct node){hash((uint32_t)k + 1), depth});
    const double begin = now();
#pragma heddle jobs
    while (nodes->count || leaves->count) {
#pragma heddle for append(nodes, leaves) reduction(+ : made)
        for (long k = 0; k < nodes->count; k++) {
            const struct node j = nodes->at[k];
            made++;
            for (uint32_t q = 0; q < 4; q++) {
                const uint32_t seed = hash(j.seed * 4 + q);
                if (j.depth > 0 && seed % 8 < 5)
                    heddle_list_append(nodes, (struct node){seed, j.depth - 1});
                else
                    heddle_list_append(leaves, (struct leaf){seed, part(seed)});
            }
        }
        heddle_list_clear(nodes);
#pragma heddle for append(hits) map(to : table[0 : TABLE]) reduction(+ : computed, sum)
        for (long k = 0; k < leaves->count; k++) {
            const struct leaf l = leaves->at[k];
            const int n = compute(l.seed, l.x, work, table);
            computed++;
            sum += (unsigned long)n;
            if (l.seed % 16 == 0)
                heddle_list_append(hits, (struct hit){l.seed, n});
        }
        heddle_list_clear(leaves);
    }
    const double seconds = now() - begin;
    for (long k = 0; k < hits->count; k++)
        sign += hash(hits->at[k].seed) * (unsigned long)(hits->at[k].n + 1);
    printf("%ld nodes, %ld leaves, sum %lu, %ld hits, %lx\n", made, computed, sum, hits->count, sign);
    heddle_list_free(nodes);
    heddle_list_free(leaves);
    heddle_list_free(hits);
    return seconds;
}

int main(int argc, char **argv) {
    float table[TABLE];
    int number[4] = {30, 5, 20, 3};
    for (int k = 1; k < argc && k < 5; k++)
        number[k - 1] = atoi(argv[k]);
    for (int k = 0; k < TABLE; k++)
        table[k] = 0.5f + part(hash((uint32_t)k));
    for (int r = 0; r < number[3]; r++) {
        const double seconds = run(number[0], number[1], number[2], table);
        if (argc > 1)
            fprintf(stderr, "%.4f s\n", seconds);
    }
    return 0;
}
