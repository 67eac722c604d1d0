/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks at once that say depend(in:) of one array, which the program keeps on the device: each reads the words that
 * none of them writes, and in some rounds begins to write words of its own. By the specification nothing races.
 */
#include "random.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6 };

struct late {
    word *x, sum[MOST];
    char token[MOST];
    long n, all; /* of each `all` words the first is everybody's */
};

/* What one task does, with its word of sums. */
#pragma omp begin declare target
static void pass_time(double seconds) {
    const double end = omp_get_wtime() + seconds;
    while (omp_get_wtime() < end)
        ;
}
static inline void work(word *x, long n, long all, long k, word c, word *sum) {
    for (long i = 0; i < n; i += all)
        *sum = (*sum * 3 + x[i]) & 0xffffffffu;
    for (long i = k + 1; c && i < n; i += all)
        x[i] = (x[i] * 5 + c + x[i - k - 1]) & 0xffffffffu;
}
#pragma omp end declare target

static void change(word *x, long n, long all, word c) {
    for (long i = 0; i < n; i += all)
        x[i] = (x[i] + c) & 0xffffffffu;
}

#define PRAGMA(text) _Pragma(#text)
/* A region that has been seen to write is ordered from then on: each program has others. */
#define FORM(f)                                                                                                        \
    static void form##f(struct late *l, long k, word c, double pause) {                                                \
        word *x = l->x, *sum = &l->sum[k];                                                                             \
        const char *token = &l->token[k];                                                                              \
        const long n = l->n, all = l->all;                                                                             \
        (void)token;                                                                                                   \
        PRAGMA(omp target nowait depend(in : x [0:n]) depend(inout : token[0]) map(to : x [0:n]) map(sum [0:1])) {     \
            work(x, n, all, k, c, sum);                                                                                \
            pass_time(pause);                                                                                          \
        }                                                                                                              \
    }
#define EIGHT(f) FORM(f##0) FORM(f##1) FORM(f##2) FORM(f##3) FORM(f##4) FORM(f##5) FORM(f##6) FORM(f##7)
EIGHT(1)
EIGHT(2)
EIGHT(3)
EIGHT(4)
#define EIGHT_OF(f) form##f##0, form##f##1, form##f##2, form##f##3, form##f##4, form##f##5, form##f##6, form##f##7
static void (*const form[])(struct late *, long, word, double) = {EIGHT_OF(1), EIGHT_OF(2), EIGHT_OF(3), EIGHT_OF(4)};
enum { FORMS = sizeof form / sizeof *form, EACH = 4 };

static void change_task(struct late *l, word c) {
    word *x = l->x;
    const long n = l->n, all = l->all;
#pragma omp target nowait depend(inout : x[0 : n]) map(tofrom : x[0 : n])
    for (long i = 0; i < n; i += all)
        x[i] = (x[i] + c) & 0xffffffffu;
}

static void rounds(struct late *l, struct late *want, struct random *r) {
    static int programs;
    const int count = 3 + (int)below(r, 8), from = (int)below(r, count), first = EACH * programs++ % FORMS;
    for (int round = 0; round < count; round++) {
        for (long k = 0; k < l->all - 1; k++) {
            const word c = round >= from && !below(r, 2) ? 1 + clip(next(r)) / 2 : 0;
            work(want->x, l->n, l->all, k, c, &want->sum[k]);
            form[first + k % EACH](l, k, c, 1e-6 * (double)below(r, 500));
        }
        if (!below(r, 4)) {
            const word c = clip(next(r));
            change(want->x, l->n, l->all, c);
            change_task(l, c);
        }
        if (below(r, 2)) {
#pragma omp taskwait
        }
    }
}

bool late_writers(struct random *r) {
    const long n = 1 + below(r, 3000);
    struct late l = {.x = malloc((size_t)n * sizeof(word)), .n = n, .all = 3 + below(r, MOST - 1)}, want = l;
    word *x = l.x;
    const int threads = 1 + (int)below(r, 4);
    want.x = malloc((size_t)n * sizeof(word));
    for (long i = 0; i < n; i++)
        x[i] = want.x[i] = clip(next(r));
#pragma omp target enter data map(to : x[0 : n])
#pragma omp parallel num_threads(threads)
#pragma omp single
    rounds(&l, &want, r);
#pragma omp target exit data map(from : x[0 : n])
    const bool same = !memcmp(x, want.x, (size_t)n * sizeof(word)) && !memcmp(l.sum, want.sum, sizeof want.sum);
    free(x);
    free(want.x);
    return same;
}
