/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that stay on the host use what devices lack: memory, globals, pointers in structures, other files' functions. */
#include <alloca.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 500 };
struct row {
    double *value;
    int count;
};
static int weight[4] = {1, 2, 3, 4}, scale = 3;
static double *pointers[N];
static struct row rows[N];

static int weighed(int i) { return weight[i & 3] * scale; }

static double through_memory(int n, int i) {
    double *t = malloc((size_t)n * sizeof *t), sum = 0;
    for (int k = 0; k < n; k++)
        t[k] = i + k;
    double *u = alloca(sizeof *u);
    *u = t[n - 1];
    sum += *u;
    for (int k = 0; k < n; k++)
        sum += t[k];
    free(t);
    return sum;
}

int main(void) {
    int a[N], order[N];
    double y[N], total = 0;
    char name[N][12];
    for (int i = 0; i < N; i++) {
        pointers[i] = calloc(8, sizeof(double));
        rows[i] = (struct row){pointers[i], i % 8};
        order[i] = N - 1 - i;
    }
#pragma heddle for
    for (int i = 0; i < N; i++) {
        assert(order[i] >= 0);
        if (order[i] >= N)
            exit(1);
        a[i] = weighed(i);
    }
#pragma heddle for reduction(+ : total)
    for (int i = 0; i < N; i++) {
        y[i] = through_memory(i % 50 + 1, i);
        total += y[i];
    }
#pragma heddle for independent
    for (int i = 0; i < N; i++)
        for (int k = 0; k < rows[i].count; k++)
            rows[i].value[k] += i * k;
#pragma heddle for independent
    for (int i = 0; i < N; i++)
        pointers[i][7] = a[order[i]];
#pragma heddle for independent device(host)
    for (int i = 0; i < N; i++) {
        snprintf(name[i], sizeof name[i], "%d", a[i]);
        if (a[i] < 0)
            printf("negative: %d\n", a[i]);
    }
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < 8; k++)
            sum += pointers[i][k];
        printf("%d %g %g %s\n", a[i], y[i], sum, name[i]);
        free(pointers[i]);
    }
    printf("%g\n", total);
    return 0;
}
