/* SPDX-License-Identifier: Apache-2.0 */
/* Indices behind conditions, in macros, under collapse, of two levels with whole numbers written, and of rows: nothing is looked up
   that the loop does not read, since behind all arrays the program must not read. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 3000, M = 700, PAGE = 4096 };

/* Memory that ends where a page without access begins. */
static void *at_end(size_t bytes) {
    const size_t pages = (bytes + PAGE - 1) / PAGE;
    char *p = mmap(NULL, (pages + 2) * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + PAGE, pages * PAGE, PROT_READ | PROT_WRITE))
        exit(1);
    return p + PAGE + pages * PAGE - bytes;
}

static void guarded(int n, int m, double *y, const double *x, const int *at) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = at[i] >= 0 && at[i] < m ? x[at[i]] : -1.0;
}

/* at ends with the last i that the mask lets through */
static void masked(int n, int *y, const int *x, const int *at, const unsigned char *mask) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = !mask[i] ? -1 : mask[i] > 2 ? x[at[i] + 1] : x[at[i]];
}

static void either(int n, int *y, const int *x, const int *at, int last) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = i >= last || x[at[i]] > 3 || (i & 1 && x[at[i] + 1] > 2);
}

#define X(i) x[at[i]]
#define AT(i) (at[(i)] + 1)
static void macros(int n, double *y, const double *x, const int *at) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] = X(i) - x[AT(i)];
}

static void warp(int h, int w, float *out, const float *in, const int *map) {
#pragma heddle for collapse(2)
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            out[i * w + j] = in[map[i * w + j]];
}

static void relabel(int n, int *out, const int *x, const int *a, const int *b) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        out[i] = x[a[b[i]]];
}

/* rows that begin anywhere, too */
static void least(int n, int *out, const int *begin, const int *next, const int *label) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        int m = label[i];
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            const int j = next[k];
            if (label[j] < m)
                m = label[j];
        }
        out[i] = m;
    }
}

/* the row's end is behind the array */
static void until(int n, long *out, const int *begin, const int *next, const int *label) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        long sum = 0;
        for (int k = begin[i]; k < begin[i + 1] + 1000; k++) {
            if (next[k] < 0)
                break;
            sum += label[next[k]];
        }
        out[i] = sum;
    }
}

struct point {
    double x, y;
};

static void forces(int n, struct point *f, const struct point *p, const int *begin, const int *next, double near) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++) {
            const int j = next[k];
            const double dx = p[i].x - p[j].x, dy = p[i].y - p[j].y;
            if (dx * dx + dy * dy < near) {
                x += dx;
                y += dy;
            }
        }
        f[i].x = x;
        f[i].y = y;
    }
}

static unsigned long hash(unsigned long h, const void *p, size_t n) {
    for (const unsigned char *c = p, *end = c + n; c < end; c++)
        h = (h ^ *c) * 1099511628211ul;
    return h;
}

int main(void) {
    int *at = at_end(N * sizeof *at), *out = at_end(N * sizeof *out), *begin = at_end((N + 1) * sizeof *begin),
        *next = at_end((4 * N + 1) * sizeof *next), *label = at_end(N * sizeof *label), *whole = at_end(M * sizeof *whole),
        *some = at_end(N / 2 * sizeof *some), *jump = at_end((N + 1) * sizeof *jump);
    long *sums = at_end(N * sizeof *sums);
    double *x = at_end(M * sizeof *x), *y = at_end(N * sizeof *y);
    float *in = at_end(M * sizeof *in), *image = at_end(N * sizeof *image);
    struct point *p = at_end(N * sizeof *p), *f = at_end(N * sizeof *f);
    unsigned char *mask = at_end(N);
    unsigned long h = 1;
    for (int i = 0; i < N; i++) {
        at[i] = (int)(i * 1237L % (M - 1));
        mask[i] = i < N / 2 ? i % 4 : 0;
        begin[i + 1] = begin[i] + i % 4;
        jump[i] = (int)(i * 7919L % N);
        label[i] = (int)(i * 331L % N);
        p[i] = (struct point){i % 17, i % 23};
    }
    jump[N] = 0;
    for (int i = 0; i < N / 2; i++)
        some[i] = at[i];
    for (int k = 0; k < 4 * N; k++)
        next[k] = (int)(k * 7919L % N);
    next[4 * N] = -1;
    for (int i = 0; i < M; i++) {
        x[i] = i % 11 / 8.0;
        whole[i] = i * 7 % 101;
        in[i] = (float)i;
    }
    for (int turn = 0; turn < 3; turn++) {
        macros(N, y, x, at);
        h = hash(h, y, N * sizeof *y);
        warp(N / 50, 50, image, in, at);
        h = hash(h, image, N * sizeof *image);
        masked(N, out, whole, some, mask);
        h = hash(h, out, N * sizeof *out);
        either(N, out, whole, some, N / 2);
        h = hash(h, out, N * sizeof *out);
        relabel(N, out, whole, at, label);
        h = hash(h, out, N * sizeof *out);
        least(N, out, begin, next, label);
        h = hash(h, out, N * sizeof *out);
        least(N, out, jump, next, label);
        h = hash(h, out, N * sizeof *out);
        forces(N, f, p, begin, next, 40);
        h = hash(h, f, N * sizeof *f);
        next[N] = next[3 * N] = -1;
        until(N, sums, begin, next, label);
        h = hash(h, sums, N * sizeof *sums);
        next[N] = next[3 * N] = 5;
        at[turn] = -1 - turn;
        at[N - 1 - turn] = 1 << 30;
        guarded(N, M, y, x, at);
        h = hash(h, y, N * sizeof *y);
        at[turn] = at[N - 1 - turn] = 3;
        printf("%016lx\n", h);
    }
    return 0;
}
