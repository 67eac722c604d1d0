// SPDX-License-Identifier: Apache-2.0
// `private(x)` says that each iteration, or task, fills x before it reads it: arrays that functions get, structures,
// scalars, and elements that one iteration leaves out.
// finds: private.c:[0-9]*:[0-9]*: error: (i = 0) reads [0-9]* bytes of 'sums', which it has not written, as 'private' of the for at private.c:[0-9]* says
// finds: private.c:[0-9]*:[0-9]*: error: (i = 20) reads 8 bytes of 'part', which it has not written, as 'private' of the for at private.c:[0-9]* says
// finds: private.c:[0-9]*:[0-9]*: error: (i = 1) reads 4 bytes of 'last', which it has not written, as 'private' of the for at private.c:[0-9]* says
// finds: private.c:[0-9]*:[0-9]*: error: (a run) reads [0-9]* bytes of 'work', which it has not written, as 'private' of the task at private.c:[0-9]* says
#include <stdio.h>
enum { N = 40, M = 16 };
#ifdef RIGHT
#define WRONG 0
#else
#define WRONG 1
#endif

static void add(float *t, const float *x)
{
    for (int k = 0; k < M; k++)
        t[k] += x[k];
}

static void fill(float *t, const float *x)
{
    for (int k = 0; k < M; k++)
        t[k] = x[k];
}

static void functions(float *y, const float *x)
{
    float sums[M] = {0};
#pragma heddle for independent private(sums)
    for (int i = 0; i < N; i++) {
        if (!WRONG)
            fill(sums, x);
        add(sums, x);
        y[i] += sums[i % M];
    }
}

struct pair {
    long a, b;
};
static long second(const struct pair *p)
{
    return p->b;
}

static void structures(float *y)
{
    static struct pair part;
#pragma heddle for independent private(part)
    for (int i = 0; i < N; i++) {
        part.a = i;
        if (!WRONG || i != 20)
            part.b = i;
        y[i] += (float)(second(&part) + part.a);
    }
}

static void scalars(float *y)
{
    int last = 0;
#pragma heddle for independent private(last)
    for (int i = 0; i < N; i++) {
        if (!WRONG || i % 2 == 0)
            last = i;
        y[i] += (float)last;
    }
}

static void tasks(float *y, const float *x)
{
    float work[M] = {0};
#pragma heddle pool map(to: x[0 : M]) map(tofrom: y[0 : N])
    {
        for (int i = 0; i < 2; i++)
#pragma heddle task private(work)
        {
            if (!WRONG)
                fill(work, x);
            add(work, x);
            y[i] += work[3];
        }
    }
}

/* One after the other, and other variables at the same place of the stack: nothing is left of the marks. */
static float after(const float *x)
{
    float t[M], s = 0;
    fill(t, x);
    for (int k = 0; k < M; k++)
        s += t[k];
    return s;
}

int main(void)
{
    static float x[M], y[N];
    for (int k = 0; k < M; k++)
        x[k] = (float)(k % 5);
    functions(y, x);
    structures(y);
    scalars(y);
    tasks(y, x);
    float s = after(x);
    for (int i = 0; i < N; i++)
        s = s / 2 + y[i];
    printf("%g\n", WRONG ? 0 : s);
    return 0;
}
