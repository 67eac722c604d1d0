// SPDX-License-Identifier: Apache-2.0
// Loops that nothing proves independent and nobody calls independent: the translator warns, and the run shows which ones
// are wrong.
// finds: error: (i = 1) and (i = 2) of the taskloop at unproven.c:23 are in no order: the second one reads a\[1\] here
// finds: error: (i = 0) and (i = 1) of the taskloop at unproven.c:32 are in no order: the second one reads a\[0\] here
// finds: error: (i = [0-9]*) and (i = [0-9]*) of the taskloop at unproven.c:41 are in no order: the second one reads a\[[0-9]*\] here
// finds: error: (i = [0-9]*) and (i = [0-9]*) of the taskloop at unproven.c:50 are in no order: the second one [a-z]* a\[[0-9]*\] here
// finds: error: (i = [0-9]*) and (i = [0-9]*) of the taskloop at unproven.c:59 are in no order: the second one [a-z]* a\[[0-9]*\] here
// finds: error: (i = [0-9]*) and (i = [0-9]*) of the taskloop at unproven.c:68 are in no order: the second one [a-z]* A\[[0-9]*\] here
// finds: error: (i = [0-9]*) and (i = [0-9]*) of the for at unproven.c:77 are in no order: the second one [a-z]* y\[[0-9]*\] here
#include <stdio.h>
enum { N = 300, M = 5 };
#ifdef RIGHT
enum { WRONG = 0 };
#else
enum { WRONG = 1 };
#endif

static void indirect(int n, int *a, const int *id)
{
#pragma heddle pool map(tofrom: a[0 : n]) map(to: id[0 : n])
    {
#pragma heddle taskloop
        for (int i = 1; i < n; i++)
            a[id[i]] = a[id[i - WRONG]] + 1;
    }
}
static void halves(int n, int *a, int by)
{
#pragma heddle pool map(tofrom: a[0 : n])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            a[i / by] = a[i / by] * 3 + i;
    }
}
static void distance(int n, int *a, int k)
{
#pragma heddle pool map(tofrom: a[0 : n])
    {
#pragma heddle taskloop
        for (int i = k; i < n; i++)
            a[i] = a[i - k] + 1;
    }
}
static void alias(int n, int *a, int *b)
{
#pragma heddle pool map(tofrom: a[0 : n]) map(tofrom: b[0 : n])
    {
#pragma heddle taskloop
        for (int i = 1; i < n; i++)
            a[i] = b[i - 1] + 1, b[i - 1] = 0;
    }
}
static void modulo(int n, int *a, int turns)
{
#pragma heddle pool map(tofrom: a[0 : n])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            a[(i * 7) % turns] = a[(i * 7) % turns] * 3 + i;
    }
}
static void row(int k, int n, int (*A)[M])
{
#pragma heddle pool map(tofrom: A[0 : N])
    {
#pragma heddle taskloop
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < M; j++)
                A[i][j] += A[k][j] + 1;
        }
    }
}
static void by_index(long n, int *y, const int *of)
{
#pragma heddle for map(to: of[heddle_lo : heddle_count]) map(tofrom: y[0 * heddle_lo : n + 0 * heddle_count])
    for (long i = 0; i < n; i++)
        y[of[i]] = y[i] + 1;
}

int main(void)
{
    static int a[N], b[N], id[N], A[N][M];
    unsigned h = 1;
    for (int i = 0; i < N; i++)
        id[i] = i;
    indirect(N, a, id);
    halves(N, a, 1 + WRONG);
    distance(N, a, WRONG ? 3 : N);
    alias(N, a, WRONG ? a : b);
    modulo(N, a, WRONG ? 97 : N);
    row(WRONG ? N / 2 : N - 1, N - 1, A);
    for (int i = 0; i < N; i++)
        id[i] = WRONG ? N - 1 - i : i;
    by_index(N, a, id);
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned)(a[i] + b[i] + A[i][i % M]);
    printf("%u\n", h);
    return 0;
}
