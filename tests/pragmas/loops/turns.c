/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays side by side in one block of memory: what loops without a turn do not touch is no overlap, which would be
 * said. */
#include <stdio.h>

enum { MOST = 6, ROOM = 2 * MOST * MOST };
static double block[ROOM];

typedef void loop(int n, int m, double *y, double *a);

static void none(int n, int m, double *y, double *a) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        y[i] = 1;
        for (int j = 0; j < m; j++)
            y[i] += a[j];
    }
}

static void triangle(int n, int m, double *y, double *a) {
    (void)m;
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            y[i] += a[j - 1];
}

static void by_constant(int n, int m, double *y, double *a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = j + 2; k < m; k++)
                y[i] += a[j];
}

static void by_variable(int n, int m, double *y, double *a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = j; k < m; k++)
                y[i] += a[j];
}

static void by_condition(int n, int m, double *y, double *a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j < m)
                y[i] += a[j];
}

static void downwards(int n, int m, double *y, double *a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = n - 1; j >= 0; j--)
            for (int k = 0; k < j - m; k++)
                y[i] += a[n - 1 - j];
}

/* The last j is not known, and does not matter. */
static void strided(int n, int m, double *y, double *a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 4)
            for (int k = j; k < m; k++)
                y[i] += a[k];
}

static int least(int a, int b) { return a < b ? a : b; }

/* `used`: elements of a. a lies before y, then behind it. */
static void run(loop *f, int n, int m, int used) {
    used = used > 0 ? used : 0;
    for (int before = 0; before < 2; before++) {
        double sum = 0;
        for (int i = 0; i < ROOM; i++)
            block[i] = i % 13;
        f(n, m, before ? block + used : block, before ? block : block + n);
        for (int i = 0; i < ROOM; i++)
            sum += block[i] * (i % 7 + 1);
        printf("%g ", sum);
    }
}

int main(void) {
    for (int n = 0; n < MOST; n++)
        for (int m = 0; m < MOST; m++) {
            run(none, n, m, n ? m : 0);
            run(triangle, n, m, n - 1);
            run(by_constant, n, m, n ? m - 2 : 0);
            run(by_variable, n, m, least(n, m));
            run(by_condition, n, m, least(n, m));
            run(downwards, n, m, n - m - 1);
            run(strided, n, m, n ? m : 0);
            printf("\n");
        }
    return 0;
}
