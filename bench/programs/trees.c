/* SPDX-License-Identifier: Apache-2.0 */
/* bench-trees: nodes that make nodes and leaves by a hash, leaves that compute: jobs of two tastes, and nothing else.
 */
#include "app.h"

#include <heddle/list.h>
#include <stdint.h>
#include <stdlib.h>

enum { TABLE = 256 };
struct node {
    uint32_t seed, depth;
};
struct leaf {
    uint32_t seed;
    float x;
};
struct hit {
    uint32_t seed, count;
};
struct nodes HEDDLE_LIST(struct node);
struct leaves HEDDLE_LIST(struct leaf);
struct hits HEDDLE_LIST(struct hit);

static uint32_t hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

static float part(uint32_t seed) { return (float)(seed >> 8) / 16777216.0f; }

static uint32_t compute(uint32_t seed, float x, int work, const float *table) {
    float y = x;
    uint32_t n = 0;
    for (int k = 0; k < work; k++) {
        y = y * table[(seed + (uint32_t)k) % TABLE] + x;
        if (y > 4) {
            y -= 4;
            n++;
        }
    }
    return n;
}

/* Jobs that were done; hash: of what they found. */
static unsigned long grow(long roots, uint32_t depth, int work, const float *table, uint64_t *sign) {
    struct nodes a = {0}, *nodes = &a;
    struct leaves b = {0}, *leaves = &b;
    struct hits c = {0}, *hits = &c;
    unsigned long made = 0, computed = 0, sum = 0;
    for (uint32_t k = 0; k < (uint32_t)roots; k++)
        heddle_list_append(nodes, (struct node){hash(k + 1), depth});
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
            const uint32_t n = compute(l.seed, l.x, work, table);
            computed++;
            sum += n;
            if (l.seed % 16 == 0)
                heddle_list_append(hits, (struct hit){l.seed, n});
        }
        heddle_list_clear(leaves);
    }
    *sign = sum;
    for (long k = 0; k < hits->count; k++)
        *sign += hash(hits->at[k].seed) * (uint64_t)(hits->at[k].count + 1);
    heddle_list_free(nodes);
    heddle_list_free(leaves);
    heddle_list_free(hits);
    return made + computed;
}

int main(int argc, char **argv) {
    long depth = 8, work = 100, warm = 0;
    struct app app = {.name = "bench-trees",
                      .summary = "trees of jobs: nodes make nodes and leaves, leaves compute",
                      .size_help = "roots (2000)",
                      .loops = true,
                      .jobs = true,
                      .rows = 2000,
                      .cols = 1};
    const struct app_option options[] = {{"depth", "N", "of the trees at most (8)", APP_LONG, &depth, 0},
                                         {"work", "N", "steps of a leaf (100)", APP_LONG, &work, 0},
                                         {"warm", "N", "runs before those that count (0)", APP_LONG, &warm, 0},
                                         {0}};
    struct app_result result = {.cols = 1, .unit = "Gjobs/s", .check = APP_NOT_CHECKED};
    float table[TABLE];
    app.options = options;
    const int status = app_parse(&app, argc, argv);
    if (status >= 0)
        return status;
    if (depth > 20 || work > 1000000 || app.rows > 10000000)
        return app_fail(&app, "--depth is at most 20, --work 1000000, --size 10000000");
    for (uint32_t k = 0; k < TABLE; k++)
        table[k] = 0.5f + part(hash(k));
    double *times = app_alloc((size_t)app.repeat, sizeof *times);
    for (long k = -warm; k < app.repeat; k++) {
        const double start = app_seconds();
        result.work = (double)grow(app.rows, (uint32_t)depth, (int)work, table, &result.checksum);
        times[k < 0 ? 0 : k] = app_seconds() - start;
    }
    result.rows = (double)app.rows;
    result.seconds = app_median(times, (int)app.repeat);
    free(times);
    return app_report_values(&app, &result, stdout, (const struct app_value[]){{"jobs", result.work}, {NULL, 0}});
}
