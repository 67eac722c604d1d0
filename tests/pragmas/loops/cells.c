/* SPDX-License-Identifier: Apache-2.0 */
/* Nests whose cells call and use what only the host has: with devices beside it they stay there by themselves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 150, M = 170 };
static int H[N][M], offset = 3;

struct picture {
    int columns;
    int *weight;
};

/* Memory of a cell's own, and output, need no word. */
static long allocates(int n, int m, int (*h)[M], FILE *log) {
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int *own = malloc(2 * sizeof *own);
            own[0] = h[i - 1][j];
            own[1] = h[i][j - 1];
            h[i][j] = (own[0] * 3 + own[1] * 5 + h[i - 1][j - 1]) & 1023;
            if (h[i][j] == 77)
                fprintf(log, "%d %d\n", i, j);
            free(own);
        }
    return ftell(log);
}

static int shifted(const char *digits) { return atoi(digits) + offset; }

/* A function without a body here, and one that reads a variable of the file. */
static void calls(int n, int m, int (*h)[M]) {
#pragma heddle wavefront independent
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            char text[16];
            snprintf(text, sizeof text, "%d", h[i - 1][j]);
            h[i][j] = (shifted(text) + 7 * h[i][j - 1]) & 1023;
        }
}

/* Rows that lie anywhere, pointers in structures, a function by its address. */
static void leads(int n, int m, int (*h)[M], int **rows, struct picture p, const struct picture *q, int (*f)(const void *, const void *)) {
#pragma heddle wavefront independent
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            h[i][j] = (h[i][j - 1] + 2 * h[i - 1][j] + rows[i][j] + p.weight[j % p.columns] * f(&q->weight[0], &p.weight[1])) & 1023;
}

/* Arrays of which nothing tells how much is read. */
static int chains(int n, int m, const int *next, const int *first, int (*h)[M]) {
    int most = 0;
#pragma heddle wavefront independent device(host) reduction(max : most)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            h[i][j] = h[i - 1][j] + (j > 1 ? h[i - 1][j - 1] : 0) + next[first[i % 7]];
            h[i][j] &= 4095;
            most = h[i][j] > most ? h[i][j] : most;
        }
    return most;
}

static int less(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? 2 : 1; }

static void start(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            H[i][j] = (i * 31 + j * 17) % 101;
}

static void show(const char *name) {
    unsigned sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            sum = sum * 31 + (unsigned)H[i][j];
    printf("%s %u\n", name, sum);
    start();
}

int main(void) {
    int weight[5] = {4, 8, 1, 5, 2}, other[1] = {6}, next[9] = {8, 7, 6, 5, 4, 3, 2, 1, 0}, first[7] = {1, 3, 5, 7, 0, 2, 4};
    int *rows[N];
    static int scattered[N * M];
    struct picture p = {5, weight}, q = {1, other};
    FILE *log = tmpfile();
    for (int i = 0; i < N; i++)
        rows[i] = scattered + (i * 7 % N) * M;
    for (int i = 0; i < N * M; i++)
        scattered[i] = i % 13;
    start();
    printf("%ld\n", allocates(N, M, H, log));
    fclose(log);
    show("allocates");
    calls(N, M, H);
    show("calls");
    leads(N, M, H, rows, p, &q, less);
    show("leads");
    printf("%d\n", chains(N, M, next, first, H));
    show("chains");
    return 0;
}
