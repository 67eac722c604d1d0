// SPDX-License-Identifier: Apache-2.0
// What lies in the frame of the function that holds a directive: variables of the iteration, structures passed by value
// and compound literals are its own; an array declared before the loop is everybody's.
// finds: error: (i = 0) and (i = 1) of the taskloop at own.c:[0-9]* are in no order: the second one [a-z]* [a-z0-9 ]*\[*[0-9]*\]* here, which the first one
// finds: error: (i = 0) and (i = 1) of the taskloop at own.c:[0-9]* are in no order: the second one [a-z]* x\[0\] here, which the first one
#include <stdio.h>
enum { N = 32 };
struct big {
    long a[12];
};
#ifdef RIGHT
#define SAME 0
#else
#define SAME 1
#endif

static long sum(struct big b, const long *more)
{
    long s = 0;
    for (int k = 0; k < 12; k++)
        s += b.a[k] + more[k % 3];
    return s;
}

static struct big made(long i)
{
    struct big b;
    for (int k = 0; k < 12; k++)
        b.a[k] = i * k;
    return b;
}

static void put(long *x, long i, long value)
{
    x[SAME ? i / 2 : i] = value;
}

static long all(long *y)
{
    long x[N] = {0}, total = 0;
#pragma heddle pool map(tofrom: x, y[0 : N])
    {
#pragma heddle taskloop independent
        for (int i = 0; i < N; i++) {
            struct big b = made(i);
            long own[3] = {i, 2, 3};
            b.a[i % 12] += own[i % 3];
            y[i] = sum(b, own) + sum(made(i + 1), own);
            put(x, i, y[i]);
        }
    }
    for (int i = 0; i < N; i++)
        total += x[i];
    return total;
}

static void whole(long *y)
{
#pragma heddle for map(tofrom: y[heddle_lo : heddle_count])
    for (long i = 0; i < N; i++) {
        struct big b = made(i);
        y[i] += sum(b, (const long[]){1, i, 3}) + sum(made(3), b.a);
    }
}

/* Each run of it has an `a` at the same place of the stack. */
static void set(long *to, long value)
{
    *to = value;
}

static void by_task(long *z, int i)
{
    long a = 0;
#pragma heddle task
    set(&a, i);
#pragma heddle taskwait
    z[i] = a;
}

/* The iteration writes its variable when the task has its copy. */
static void given_away(long *z)
{
#pragma heddle pool map(tofrom: z[0 : 2 * N])
    {
#pragma heddle taskloop independent
        for (int i = 0; i < N; i++) {
            struct big b;
            b.a[0] = i;
#pragma heddle task
            set(z + i, b.a[0]);
            for (int k = 1; k < 12; k++)
                b.a[k] = i + k;
            z[N + i] += sum(b, b.a);
        }
#pragma heddle taskwait
        for (int i = 0; i < N; i++) {
#pragma heddle task
            by_task(z, i);
        }
    }
}

/* Elements that are certainly inside the array are looked at as well. */
static long beside(int by)
{
    long x[N] = {0};
#pragma heddle pool map(tofrom: x)
    {
#pragma heddle taskloop independent
        for (int i = 0; i < N; i++)
            x[(i / by) & 31] += i;
    }
    return x[3];
}

int main(void)
{
    static long y[N], z[2 * N];
    long total = all(y);
    whole(y);
    given_away(z);
    y[3] += beside(SAME ? 20 : 1) - SAME;
    for (int i = 0; i < N; i++)
        total = total * 31 + y[i] + z[i] + z[N + i];
    printf("%ld\n", SAME ? 0 : total);
    return 0;
}
