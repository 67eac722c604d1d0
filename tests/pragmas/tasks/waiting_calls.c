/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions that wait, in the middle of others: each is a task with a taskwait behind it. */
#include <stdio.h>

enum { N = 64 };

static void add(long *sum, int lo, int hi)
{
    if (hi - lo < 4) {
        *sum = 0;
        for (int i = lo; i < hi; i++)
            *sum += i;
        return;
    }
    long left, right;
    const int mid = (lo + hi) / 2;
#pragma heddle task
    add(&left, lo, mid);
#pragma heddle task
    add(&right, mid, hi);
#pragma heddle taskwait
    *sum = left + right;
}

static long squared(int n)
{
    long s;
    add(&s, 0, n);
    return s * s;
}

static void twice(long *out, int n)
{
    long a, b;
#pragma heddle task
    add(&a, 0, n);
    add(&b, n, 2 * n);
    if (n & 1) {
        b = squared(n);
    }
#pragma heddle taskwait
    *out = a * 1000 + b;
}

int main(void)
{
    long all[N], last = 0;
#pragma heddle pool map(tofrom: all, last)
    {
        for (int i = 0; i < N; i++)
#pragma heddle task
        {
            long own;
            twice(&own, i);
            all[i] = own + i;
        }
        add(&last, 0, 1000);
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += all[i];
    printf("%ld %ld\n", sum, last);
}
