/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of file scope in functions that a loop calls while it writes through pointers: the run time sees whether they
   overlap. One is declared behind the loop, another one's name is hidden there: those are asserted. */
#include <stdio.h>

enum { N = 2000 };
static float roots[N];
static double pairs[N][2];
static int counts[N];

static float weighed(int i) { return roots[i] * 2 + (float)pairs[(i * 3) % N][1]; }
static void mark(int i) { counts[i] += i; }
static float late(int i);

static void reads(int n, float *y) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        y[i] += weighed(i) + weighed(n - 1 - i);
}

static void writes(int n, int *y) {
#pragma heddle for
    for (int i = 0; i < n; i++) {
        mark(i);
        y[i] = counts[i] * 3;
    }
}

static void work(int n, float *t, int i) {
    for (int k = 0; k < n; k++)
        t[(k + i) % n] = roots[k] + (float)i;
}

static void scratch(int n, float *y) {
    float t[64];
#pragma heddle for private(t)
    for (int i = 0; i < n; i++) {
        work(64, t, i);
        y[i] += t[i % 64];
    }
}

static void hidden(int n, float *y) {
    int roots = 3;
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        y[i] += weighed(i) + (float)roots;
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        y[i] += late(i);
}

static float behind[N];
static float late(int i) { return behind[i] + 1; }

int main(void) {
    static float y[N];
    static int z[N];
    float f = 0;
    unsigned h = 0;
    for (int i = 0; i < N; i++) {
        roots[i] = (float)(i % 13) / 4;
        behind[i] = (float)(i % 5);
        pairs[i][1] = i % 9;
    }
    for (int turn = 0; turn < 3; turn++) {
        reads(N, y);
        writes(N, z);
        scratch(N, y);
        hidden(N, y);
    }
    for (int i = 0; i < N; i++) {
        f = f / 2 + y[i];
        h = h * 31 + (unsigned)(z[i] + counts[i]);
    }
    printf("%a %u\n", f, h);
    return 0;
}
