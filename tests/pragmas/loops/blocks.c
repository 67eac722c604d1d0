/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that the function has got from malloc overlap nothing: places in them need no words and are not looked up, so the
   loop may compute them. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000, M = 512 };

static double table[M];

static double places(int n, const int *at, const double *x) {
    double *y = malloc((size_t)n * sizeof *y), sum = 0;
    int *count = (int *)calloc(M, sizeof *count), *where = NULL;
    where = (int *)malloc((size_t)n * sizeof *where);
#pragma heddle for
    for (int i = 0; i < n; i++) {
        unsigned k = (unsigned)at[i];
        while (k >= M)
            k /= 2;
        where[i] = (int)k;
    }
#pragma heddle for
    for (int i = 0; i < n; i++) {
        int k = where[i];
        while (k > 8 && k < n && x[k] < table[k])
            k -= 1 + where[k] % 3;
        y[i] = x[k] + table[k];
    }
#pragma heddle for
    for (int i = 0; i < n; i++) {
        const int k = (where[i] * 7 + where[where[i] % n]) % M;
#pragma omp atomic
        count[k]++;
    }
    for (int i = 0; i < n; i++)
        sum = sum * 0.5 + y[i] * count[i % M];
    free(y);
    free(count);
    free(where);
    return sum;
}

int main(void) {
    static int at[N];
    static double x[N];
    for (int i = 0; i < N; i++) {
        at[i] = (int)(i * 7919L % 100003);
        x[i] = i % 17;
    }
    for (int i = 0; i < M; i++)
        table[i] = i % 23;
    printf("%a %a\n", places(N, at, x), places(M, at + 5, x + 7));
    return 0;
}
