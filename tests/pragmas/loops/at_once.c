/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of four host threads at once, on the same devices: sections, arrays that all of them read, reductions, results
   over the input, a loop in another one's body. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, N = 30000, TIMES = 6, TABLE = 1000 };

struct work {
    pthread_t id;
    int number;
    double *x, *y, *sums;
    long most, count;
};
static double table[TABLE]; /* of all threads */

static void fill(int n, double *x, int number) {
#pragma heddle for map(from : x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        x[i] = (i * 7 + number) % 1009;
}

static void smooth(int n, const double *x, double *y, const double *t) {
#pragma heddle for map(to : x[heddle_lo : heddle_count], t[0 : TABLE]) map(from : y[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        double v = x[i];
        for (int k = 0; k < 20; k++)
            v = 0.5 * v + t[(i + k) % TABLE];
        y[i] = v;
    }
}

static void scale(int n, double *y, double by) {
#pragma heddle for map(tofrom : y[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        y[i] *= by;
}

static void look(int n, const double *y, long *most, long *count) {
    long m = 0, c = 0;
#pragma heddle for map(to : y[heddle_lo : heddle_count]) reduction(max : m) reduction(+ : c)
    for (int i = 0; i < n; i++) {
        m = (long)y[i] > m ? (long)y[i] : m;
        c += (long)y[i] & 1;
    }
    *most = m;
    *count += c;
}

static void sum_of(const double *y, int n, double *sum) {
    long all = 0;
#pragma heddle for map(to : y[heddle_lo : heddle_count]) reduction(+ : all) device(host)
    for (int i = 0; i < n; i++)
        all += (long)y[i];
    *sum = (double)all;
}

static void nested(const double *y, double *sums) {
#pragma heddle for device(host) map(to : y[0 : N]) map(from : sums[heddle_lo : heddle_count])
    for (int i = 0; i < 8; i++)
        sum_of(y + i * (N / 8), N / 8, &sums[i]);
}

static void *run(void *with) {
    struct work *w = with;
    for (int t = 0; t < TIMES; t++) {
        fill(N, w->x, w->number + t);
        smooth(N, w->x, w->y, table);
        scale(N, w->y, 3);
        look(N - w->number, w->y, &w->most, &w->count);
        nested(w->y, w->sums);
    }
    return NULL;
}

int main(void) {
    struct work work[THREADS];
    for (int k = 0; k < TABLE; k++)
        table[k] = k % 13;
    for (int k = 0; k < THREADS; k++) {
        work[k] = (struct work){.number = k,
                                .x = malloc(N * sizeof(double)),
                                .y = malloc(N * sizeof(double)),
                                .sums = calloc(8, sizeof(double))};
        if (pthread_create(&work[k].id, NULL, run, &work[k]))
            return 1;
    }
    for (int k = 0; k < THREADS; k++) {
        const struct work *w = &work[k];
        double sum = 0;
        pthread_join(w->id, NULL);
        for (int i = 0; i < N; i++)
            sum += w->y[i] * (i % 17);
        printf("%d: %ld, %ld, %.17g", k, w->most, w->count, sum);
        for (int i = 0; i < 8; i++)
            printf(" %.17g", w->sums[i]);
        printf("\n");
        free(w->x);
        free(w->y);
        free(w->sums);
    }
    return 0;
}
