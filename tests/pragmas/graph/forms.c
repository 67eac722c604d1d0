/* SPDX-License-Identifier: Apache-2.0 */
/* How tasks may be written: directives on several lines and inside, structures and arrays that are captured, a
 * taskgroup, variables of the file, data that stays on devices between waits, data that the program maps itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 50, PARTS = 5, M = N / PARTS };

struct rule {
    double factor[3];
    int shift;
};

static const double table[4] = {1, 0.5, 0.25, 0.125};
static double field[N], weight = 0.5;
static long calls;

static void count(void) {
#pragma omp atomic
    calls++;
}

static double inner(const double *at, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += at[i];
    return sum;
}

static void lines(double *x, int n) {
    struct rule rule = {{1, 2, 3}, 1};
    double more[2] = {0.5, 0.25};
#pragma heddle graph
    {
        for (int b = 0; b < n; b += M) {
            rule.shift = b % 3;
            more[1] = b;
#pragma omp target nowait \
    depend(inout : x[b : M]) map(x[b : M]) firstprivate(more)
#pragma omp teams distribute parallel for
            for (int i = b; i < b + M; i++) {
                if (i % 7 == 3)
                    continue;
                x[i] = x[i] * rule.factor[i % 3] + rule.shift + more[i % 2] + table[i % 4];
            }
#pragma omp target teams distribute parallel for nowait depend(inout : x[b : M]) map(tofrom : x[b : M])
            for (int i = b; i < b + M; i++)
#pragma omp simd
                for (int k = 0; k < 3; k++)
                    x[i] += k * weight;
#pragma omp task depend(inout : x[b : M])
            {
#pragma omp simd
                for (int i = b; i < b + M; i++)
                    x[i] -= 1;
                count();
            }
        }
    }
}

/* Loops whose variables have the name of one outside, or of another loop's. */
static long names(int i) {
    static int a[N];
    long sum = i;
#pragma heddle graph
    {
        for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : a[i])
            a[i] = i + 3;
        }
        for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : a[i])
            a[i] += i * 2;
        }
    }
    for (int i = 0; i < N; i++)
        sum = sum * 3 % 1000007 + a[i];
    return sum + i;
}

static double groups(double *x) {
    double sum = 0, part[PARTS];
#pragma heddle graph device(all)
#pragma omp parallel
#pragma omp masked
    {
#pragma omp taskgroup
        {
            for (int p = 0; p < PARTS; p++) {
#pragma omp task depend(in : x[p * M : M]) depend(out : part[p])
                part[p] = inner(&x[p * M], M);
            }
        }
        for (int p = 0; p < PARTS; p++)
            sum += part[p];
        weight = 0.75;
#pragma omp target teams distribute parallel for nowait map(tofrom : field) map(to : x[0 : N]) depend(inout : field)   \
    depend(in : x[0 : N])
        for (int i = 0; i < N; i++)
            field[i] += x[i] * weight;
        weight = 0.5;
    }
    return sum;
}

/* Only devices work with it, and it stays there while the block goes on. */
static double stays(double *x, double *scratch) {
    double norm = 0;
#pragma heddle graph map(tofrom : x[0 : N]) map(alloc : scratch[0 : N])
    for (int s = 0; s < 4; s++) {
        for (int b = 0; b < N; b += M) {
#pragma omp target teams distribute parallel for nowait map(to : x[b : M]) map(from : scratch[b : M])                 \
    depend(in : x[b : M]) depend(out : scratch[b : M])
            for (int i = b; i < b + M; i++)
                scratch[i] = sqrt(fabs(x[i])) + s;
        }
        for (int b = 0; b < N; b += M) {
            const int c = (b + M) % N;
#pragma omp target teams distribute parallel for nowait map(tofrom : x[b : M]) map(to : scratch[c : M])               \
    depend(in : scratch[c : M]) depend(inout : x[b : M])
            for (int i = 0; i < M; i++)
                x[b + i] += scratch[c + i] / 2;
        }
#pragma omp taskwait
    }
    for (int i = 0; i < N; i++)
        norm += x[i] * x[i];
    return norm;
}

/* The program's own mapping is found, and has the result. */
static double around(double *x) {
    double sum = 0;
#pragma omp target enter data map(to : x[0 : N])
    for (int s = 0; s < 3; s++) {
#pragma omp target teams distribute parallel for map(tofrom : x[0 : N])
        for (int i = 0; i < N; i++)
            x[i] += 1;
#pragma heddle graph
        for (int b = 0; b < N; b += M) {
#pragma omp target teams distribute parallel for nowait depend(inout : x[b : M])
            for (int i = b; i < b + M; i++)
                x[i] = x[i] * 0.5 + b;
        }
#pragma omp target teams distribute parallel for map(tofrom : x[0 : N])
        for (int i = 0; i < N; i++)
            x[i] *= 2;
    }
#pragma omp target exit data map(from : x[0 : N])
    for (int i = 0; i < N; i++)
        sum += x[i] * (i + 1);
    return sum;
}

int main(void) {
    double *x = malloc(N * sizeof *x), *scratch = calloc(N, sizeof *scratch), sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 11;
    for (int round = 0; round < 3; round++) {
        lines(x, N);
        printf("lines %.12g %ld\n", inner(x, N), calls);
        printf("names %ld\n", names(round));
        printf("groups %.12g\n", groups(x));
        printf("stays %.12g\n", stays(x, scratch));
        printf("around %.12g\n", around(x));
        for (int i = 0; i < N; i++)
            x[i] = fmod(x[i], 10);
    }
    for (int i = 0; i < N; i++)
        sum += field[i] * i;
    printf("field %.12g\n", sum);
    free(x);
    free(scratch);
    return 0;
}
