/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of the host alone: chains, sections that overlap, elements, shared and private variables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 40, STEPS = 30 };

static long total;

static void add(long *x, long n, long k) {
    for (long i = 0; i < n; i++)
        x[i] = x[i] * 3 + k;
}

/* Sections of different lengths and begins, so that base addresses say nothing. */
static void sections(long *x) {
#pragma heddle graph
#pragma omp parallel
#pragma omp single
    for (int s = 0; s < STEPS; s++) {
        const long b = s * 7 % (N - 10), n = 3 + s % 7;
#pragma omp task depend(inout : x[b : n])
        add(&x[b], n, s);
        if (s % 3 == 0) {
#pragma omp task depend(in : x[0 : N]) depend(inout : total)
            for (long i = 0; i < N; i++)
                total += x[i] * (i + s);
        }
    }
}

/* Elements as dependences; what the tasks capture changes while they are made. */
static long capture(void) {
    long cell[N] = {0}, sum = 0;
#pragma heddle graph schedule(steal)
#pragma omp parallel
#pragma omp single
    {
        long step[3] = {1, 2, 3};
        for (int i = 1; i < N; i++) {
            step[i % 3] = i;
#pragma omp task depend(in : cell[i - 1]) depend(out : cell[i])
            cell[i] = cell[i - 1] + step[0] * i + step[2];
        }
#pragma omp taskwait
        for (int i = 0; i < N; i++)
            sum += cell[i] % 1000003;
#pragma omp task depend(out : cell[0]) shared(sum)
        {
            int twice = 2;
            sum *= twice;
        }
    }
    return sum;
}

int main(void) {
    long x[N];
    for (int i = 0; i < N; i++)
        x[i] = i;
    for (int round = 0; round < 4; round++)
        sections(x);
    unsigned long h = (unsigned long)total;
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned long)x[i];
    printf("sections %lu\ncapture %ld\n", h, capture());
    return 0;
}
