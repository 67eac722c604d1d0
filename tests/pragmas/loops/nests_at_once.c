/* SPDX-License-Identifier: Apache-2.0 */
/* Wavefronts of several host threads, on devices and on the host, that read one array: each maps it while it runs, and
   none takes another one's copy, which comes and goes, for what the program keeps there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 96, TIMES = 4, TABLE = 1 << 23, THREADS = 4 };
static int table[TABLE];

struct work {
    pthread_t id;
    int number;
    long sum;
};

static long sum_of(int (*h)[SIDE]) {
    long sum = 0;
    for (int i = 0; i < SIDE; i++)
        sum += h[i][SIDE - 1];
    free(h);
    return sum;
}

static long on_device(int number, int device) {
    int(*h)[SIDE] = calloc(SIDE, sizeof *h);
#pragma heddle wavefront map(to : table[0 : TABLE]) device(device)
    for (int i = 1; i < SIDE; i++)
        for (int j = 1; j < SIDE; j++) {
            int up = h[i - 1][j], left = h[i][j - 1];
            h[i][j] = (up > left ? up : left) + table[(i * 131 + j * 17 + number * 1009) % TABLE];
        }
    return sum_of(h);
}

static long on_host(int number) {
    int(*h)[SIDE] = calloc(SIDE, sizeof *h);
#pragma heddle wavefront map(to : table[0 : TABLE]) device(host) schedule(peer)
    for (int i = 1; i < SIDE; i++)
        for (int j = 1; j < SIDE; j++) {
            int up = h[i - 1][j], left = h[i][j - 1];
            h[i][j] = (up < left ? up : left) + table[(i * 37 + j * 1701 + number * 4001) % TABLE];
        }
    return sum_of(h);
}

static void *run(void *with) {
    struct work *w = with;
    for (int t = 0; t < TIMES; t++)
        w->sum += w->number < 2 ? on_device(w->number + t, w->number) : on_host(w->number + t);
    return NULL;
}

int main(void) {
    struct work w[THREADS];
    long wrong = 0;
    for (int i = 0; i < TABLE; i++)
        table[i] = i * 7 % 10007;
    for (int k = 0; k < THREADS; k++) {
        w[k] = (struct work){.number = k};
        if (pthread_create(&w[k].id, NULL, run, &w[k]))
            return 1;
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(w[k].id, NULL);
        printf("%ld\n", w[k].sum);
    }
    for (int i = 0; i < TABLE; i++)
        wrong += table[i] != i * 7 % 10007;
    printf("%ld\n", wrong);
    return 0;
}
