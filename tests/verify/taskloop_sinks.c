// SPDX-License-Identifier: Apache-2.0
// What a taskloop's sinks do not lead back to: a diagonal neighbour of a row, and the loop before without a taskwait.
// finds: error: (y = 1, x = 1) and (y = 2, x = 2) of the taskloop at taskloop_sinks.c:13 are in no order: the second one reads a\[33\] here, which the first one writes
// finds: error: (i = 31) of the taskloop at taskloop_sinks.c:33 and (i = 0) of the taskloop at taskloop_sinks.c:39 are in no order: the second one reads b\[0\] here
#include <stdio.h>
enum { N = 32 };
static int at(int y, int x) { return y * N + x; }

#ifndef RIGHT
static void grid(int *a, const int *up)
{
#pragma heddle pool map(tofrom: a[0 : N * N]) map(to: up[0 : N])
#pragma heddle taskloop independent sink(y - 1, x)
    for (int y = 1; y < N; y++)
        for (int x = 1; x < N; x++)
            a[at(y, x)] += a[at(y - up[y], x - 1)];
}
#else
static void grid(int *a, const int *up)
{
#pragma heddle pool map(tofrom: a[0 : N * N]) map(to: up[0 : N])
#pragma heddle taskloop independent sink(y - 1, x) sink(y, x - 1)
    for (int y = 1; y < N; y++)
        for (int x = 1; x < N; x++)
            a[at(y, x)] += a[at(y - up[y], x - 1)];
}
#endif

static void two(int *b, int *c, const int *from)
{
#pragma heddle pool map(tofrom: b[0 : N], c[0 : N]) map(to: from[0 : N])
    {
#pragma heddle taskloop independent
        for (int i = 0; i < N; i++)
            b[from[i]] = i;
#ifdef RIGHT
#pragma heddle taskwait
#endif
#pragma heddle taskloop independent
        for (int i = 0; i < N; i++)
            c[i] = b[from[from[i]]];
    }
}

int main(void)
{
    static int a[N * N], b[N], c[N], up[N], from[N];
    unsigned h = 0;
    for (int i = 0; i < N * N; i++)
        a[i] = i % 7;
    for (int i = 0; i < N; i++)
        from[i] = N - 1 - i, up[i] = 1;
    grid(a, up);
    two(b, c, from);
    for (int i = 0; i < N * N; i++)
        h = h * 31 + (unsigned)a[i];
    for (int i = 0; i < N; i++)
        h = h * 31 + (unsigned)(b[i] + c[i]);
    printf("%u\n", h);
    return 0;
}
