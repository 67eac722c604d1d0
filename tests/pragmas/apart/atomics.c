/* SPDX-License-Identifier: Apache-2.0 */
/* What is updated by `omp atomic` may overlap its index, and what else is read. */
// overlaps: itself
// overlaps: last
// apart: beside
#include <stdio.h>
#include <string.h>

enum { N = 4000 };

static void histogram(int n, const int *key, int *h) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        h[key[i]]++;
    }
}

static void scatter(int n, const int *to, const int *x, int *y) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
#pragma omp atomic
        y[to[i]] += x[i];
    }
}

int main(int argc, char **argv) {
    static int a[3 * N], to[N];
    const char *how = argc > 1 ? argv[1] : "beside";
    unsigned long sum = 0;
    for (int i = 0; i < 3 * N; i++)
        a[i] = (i * 7) % (N / 2);
    for (int i = 0; i < N; i++)
        to[i] = i + 1;
    if (!strcmp(how, "itself")) {
        histogram(N / 2, a, a);
        scatter(N, to, a, a);
    } else if (!strcmp(how, "last")) { /* one iteration updates what is read */
        a[N - 1] = N;
        histogram(N, a, a);
        scatter(N, to, a + N, a);
    } else {
        histogram(N, a, a + N);
        scatter(N, to, a, a + 2 * N - 1);
    }
    for (int i = 0; i < 3 * N; i++)
        sum = sum * 31 + (unsigned)a[i];
    printf("%lu\n", sum);
    return 0;
}
