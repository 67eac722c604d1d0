// SPDX-License-Identifier: Apache-2.0
// What a device with its own memory would not have: an element outside the sections, one that map(alloc) does not send, a
// store that map(to) does not bring back. What map(from) leaves unwritten is sent, so it is no finding.
// finds: map.c:[0-9]*:[0-9]*: error: (i = 0) of the for at map.c:[0-9]* reads [a-z0-9\[ ]*\]*, which is in no section that is mapped for it
// finds: error: (i = 3) of the pool at map.c:[0-9]* reads t\[3\] before it is written, but map(alloc) does not send it
// finds: error: this reads 8 bytes of 'x', which the for at map.c:[0-9]* wrote on a device, but map(to) does not bring it back
#include <stdio.h>
enum { N = 64 };
#ifdef RIGHT
#define EDGE 0
#else
#define EDGE 1
#endif

static long peek(const long *x, long i)
{
    return x[i];
}

static void poke(const long *x, long i, long value)
{
    ((long *)x)[i] = value;
}

static void outside(const long *x, long *y)
{
#pragma heddle for independent map(to: x[heddle_lo : heddle_count]) map(from: y[heddle_lo : heddle_count])
    for (long i = 0; i < N - 1; i++)
        y[i] = peek(x, i + EDGE);
}

static void unset(const long *x, long *y, long *t)
{
#pragma heddle pool map(to: x[0 : N]) map(tofrom: y[0 : N]) map(alloc: t[0 : N])
#pragma heddle taskloop independent
    for (int i = 0; i < N; i++) {
        if (!EDGE || i != 3)
            t[i] = x[i];
        y[i] = peek(t, i);
    }
}

static void lost(const long *x, long *y)
{
#pragma heddle for independent map(to: x[heddle_lo : heddle_count]) map(from: y[heddle_lo : heddle_count])
    for (long i = 0; i < N; i++) {
        if (EDGE)
            poke(x, i, i);
        y[i] = x[i];
    }
}

static void store(long *x, long i)
{
    if (!EDGE || i != 7)
        x[i] = i;
}

static void unwritten(long *x)
{
#pragma heddle pool map(from: x[0 : N])
#pragma heddle taskloop independent
    for (int i = 0; i < N; i++)
        store(x, i);
}

int main(void)
{
    static long x[N], y[N], z[N], t[N];
    long sum = 0;
    for (int i = 0; i < N; i++)
        x[i] = 3 * i;
    outside(x, y);
    unset(x, z, t);
    for (int i = 0; i < N - 1; i++)
        sum += y[i] + z[i];
    lost(x, y);
    for (int i = 0; i < N; i++)
        sum += x[i];
    unwritten(x);
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("%ld\n", sum);
    return 0;
}
