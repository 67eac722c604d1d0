/* SPDX-License-Identifier: Apache-2.0 */
#include "work.h"
#include <heddle/list.h>
#include <omp.h>
#include <stddef.h>

/* Of what a directive leaves. Nothing here maps it, so what is on a device afterwards has been forgotten there. */
static unsigned long hash(const void *bytes, size_t count) {
    unsigned long h = 14695981039346656037ul;
    for (int d = 0; work_look_on_devices && d < omp_get_num_devices(); d++)
        if (omp_target_is_present(bytes, d))
            h ^= 1;
    for (size_t k = 0; k < count; k++)
        h = (h ^ ((const unsigned char *)bytes)[k]) * 1099511628211ul;
    return h;
}

/* ---- wavefront ------------------------------------------------------------------------------------------------------
 */
enum { ROWS = 70, COLUMNS = 90 };

static unsigned long wave(void) {
    static int H[ROWS][COLUMNS];
    int best = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            H[i][j] = i * 31 + j * 7;
#pragma heddle wavefront reduction(max: best)
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLUMNS; j++) {
            H[i][j] = (H[i - 1][j] * 3 + H[i][j - 1] + H[i - 1][j - 1] + i) & 1023;
            best = H[i][j] > best ? H[i][j] : best;
        }
    return hash(H, sizeof H) + (unsigned long)best;
}

static unsigned long sums(void) {
    static long S[ROWS][COLUMNS], x[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            S[i][j] = 0;
            x[i][j] = (i * 13 + j) % 17;
        }
#pragma heddle wavefront
    for (int i = 1; i < ROWS; i++)
        for (int j = 1; j < COLUMNS; j++)
            S[i][j] = x[i][j] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
    return hash(S, sizeof S);
}

static unsigned long sweeps(void) {
    static float u[ROWS][COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            u[i][j] = (float)((i * 7 + j * 3) % 11);
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 5; t++)
        for (int i = 1; i < ROWS - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                u[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    return hash(u, sizeof u);
}

/* Small problems, empty ones, and one that all threads or a whole device share. */
enum { PROBLEMS = 50, LETTERS = 320, LARGE = 7 };

static unsigned long batch(void) {
    static unsigned char words[2][PROBLEMS][LETTERS];
    static int sizes[PROBLEMS][2], best[PROBLEMS], last[PROBLEMS];
    for (int p = 0; p < PROBLEMS; p++) {
        sizes[p][0] = p == LARGE ? LETTERS : p * 17 % 61;
        sizes[p][1] = p == LARGE ? LETTERS : p * 29 % 53;
        best[p] = last[p] = -1;
        for (int k = 0; k < LETTERS; k++) {
            words[0][p][k] = (unsigned char)((k * k + p) % 5);
            words[1][p][k] = (unsigned char)((k * 7 + k / 3) % 5);
        }
    }
#pragma heddle wavefront batch(p) reduction(max: most)
    for (int p = 0; p < PROBLEMS; p++) {
        const int n = sizes[p][0], m = sizes[p][1];
        int H[n + 1][m + 1];
        int most = 0;
        for (int i = 0; i <= n; i++)
            H[i][0] = 0;
        for (int j = 0; j <= m; j++)
            H[0][j] = 0;
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                const int s = words[0][p][i - 1] == words[1][p][j - 1] ? 2 : -1;
                int gap = H[i - 1][j] > H[i][j - 1] ? H[i - 1][j] - 1 : H[i][j - 1] - 1;
                H[i][j] = H[i - 1][j - 1] + s > gap ? H[i - 1][j - 1] + s : gap;
                most = H[i][j] > most ? H[i][j] : most;
            }
        best[p] = most;
        last[p] = H[n][m];
    }
    return hash(best, sizeof best) + hash(last, sizeof last);
}

/* ---- pool -----------------------------------------------------------------------------------------------------------
 */
static void step(long *x, long k) { *x = (*x * 3 + k) & 0xfffff; }
static void join(long *out, const long *a, const long *b) { *out = (*a * 7 + *b) & 0xfffff; }

static unsigned long tasks(void) {
    long x[4] = {1, 2, 3, 4}, y = 0;
#pragma heddle pool map(tofrom: x, y)
    {
        for (int k = 0; k < 12; k++) {
            for (int q = 0; q < 4; q++) {
#pragma heddle task depend(inout: x[q])
                step(&x[q], k);
            }
#pragma heddle task depend(in: x[0], x[3]) depend(inout: y)
            join(&y, &x[0], &x[3]);
        }
    }
    return hash(x, sizeof x) + (unsigned long)y;
}

struct board {
    unsigned cols, left, right;
    int row;
};
static int queens;

static struct board child(struct board b, unsigned bit) {
    struct board c = {b.cols | bit, (b.left | bit) << 1, (b.right | bit) >> 1, b.row + 1};
    return c;
}

static void place(struct board b, long *solutions) {
    if (b.row == queens) {
#pragma omp atomic
        *solutions += 1;
        return;
    }
    for (unsigned free = ~(b.cols | b.left | b.right) & ((1u << queens) - 1); free; free &= free - 1)
#pragma heddle task
        place(child(b, free & -free), solutions);
}

static unsigned long spawn(void) {
    long solutions = 0;
    struct board empty = {0, 0, 0, 0};
    queens = 6;
#pragma heddle pool map(tofrom: solutions)
    {
#pragma heddle task
        place(empty, &solutions);
    }
    return (unsigned long)solutions;
}

static unsigned long taskloop(void) {
    static int t[40][50];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            t[i][j] = i + j;
#pragma heddle pool map(tofrom: t)
    {
#pragma heddle taskloop collapse(2) sink(i-1, j) sink(i, j-1)
        for (int i = 1; i < 40; i++)
            for (int j = 1; j < 50; j++)
                t[i][j] = (t[i - 1][j] * 5 + t[i][j - 1]) & 255;
    }
    return hash(t, sizeof t);
}

/* ---- for ------------------------------------------------------------------------------------------------------------
 */
enum { LENGTH = 4000 };

static unsigned long loop(void) {
    static int a[LENGTH], b[LENGTH], table[64];
    long sum = 0;
    for (int i = 0; i < LENGTH; i++)
        a[i] = i % 61;
    for (int i = 0; i < 64; i++)
        table[i] = i * i;
#pragma heddle for map(to: table, a[heddle_lo : heddle_count]) map(from: b[heddle_lo : heddle_count]) reduction(+: sum)
    for (int i = 0; i < LENGTH; i++) {
        b[i] = table[a[i]] + i;
        sum += b[i];
    }
    return hash(b, sizeof b) + (unsigned long)sum;
}

/* The arrays themselves are updated: what has come back must not be computed again. */
static unsigned long update(void) {
    static int a[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        a[i] = i;
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < LENGTH; i++)
        a[i] = a[i] * 3 + 1;
    return hash(a, sizeof a);
}

/* ---- jobs -----------------------------------------------------------------------------------------------------------
 */
struct job {
    int seed, depth;
};
struct job_list HEDDLE_LIST(struct job);

/* Two lists that append to each other, and results in any order. */
static unsigned long jobs(void) {
    static int table[64];
    struct job_list nodes = {0}, leaves = {0}, results = {0}, *a = &nodes, *b = &leaves, *c = &results;
    unsigned long sum = 0;
    long done = 0;
    for (int i = 0; i < 64; i++)
        table[i] = i * 7 % 5;
    for (int i = 0; i < 20; i++)
        heddle_list_append(a, (struct job){i, 2});
#pragma heddle jobs
    while (a->count || b->count) {
#pragma heddle for append(a, b) map(to : table[0 : 64])
        for (long k = 0; k < a->count; k++) {
            const struct job j = a->at[k];
            for (int i = 0; i < table[j.seed & 63]; i++)
                if (j.depth)
                    heddle_list_append(a, (struct job){j.seed * 5 + i, j.depth - 1});
                else
                    heddle_list_append(b, (struct job){j.seed * 3 + i, i});
        }
        heddle_list_clear(a);
#pragma heddle for append(a, c) reduction(+ : done)
        for (long k = 0; k < b->count; k++) {
            const struct job j = b->at[k];
            done++;
            if (j.seed % 7 == 0)
                heddle_list_append(c, j);
            if (j.seed % 64 == 1)
                heddle_list_append(a, (struct job){j.seed / 64, 0});
        }
        heddle_list_clear(b);
    }
    for (long k = 0; k < c->count; k++)
        sum += (unsigned long)(unsigned)c->at[k].seed * 1099511628211ul + (unsigned long)c->at[k].depth;
    heddle_list_free(a);
    heddle_list_free(b);
    heddle_list_free(c);
    return hash(table, sizeof table) + sum + (unsigned long)done * 31;
}

/* ---- OpenMP, for the selector
 * ------------------------------------------------------------------------------------------ */
static unsigned long regions(void) {
    static int a[LENGTH], b[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        a[i] = i % 37, b[i] = 0;
#pragma omp target data map(to: a) map(tofrom: b)
    for (int k = 0; k < 4; k++) {
#pragma omp target teams distribute parallel for
        for (int i = 0; i < LENGTH; i++)
            b[i] += a[i] * k;
    }
#pragma omp target map(tofrom: b)
    for (int i = 1; i < LENGTH; i++)
        b[i] = (b[i] + b[i - 1]) & 0xffff;
    return hash(b, sizeof b);
}

const struct work WORK[] = {{"wave", wave},       {"sums", sums},   {"sweeps", sweeps},     {"batch", batch},
                            {"tasks", tasks},     {"spawn", spawn}, {"taskloop", taskloop}, {"loop", loop},
                            {"update", update},   {"jobs", jobs},   {"graph", WORK_GRAPH},  {"alone", WORK_ALONE},
                            {"regions", regions}, {NULL, NULL}};
