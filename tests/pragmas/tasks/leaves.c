/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that make no tasks: those that may run where they would be made, and those that look so and may not. */
#include "../run/run.h"

enum { N = 64 };
struct pair {
    int low, high;
};

/* A leaf, a call with a task, a call that waits, a call that waits for nothing. */
static void sum(struct pair of, const int *from, long *out)
{
    if (of.high - of.low < 3) {
        long all = 0;
        for (int k = of.low; k < of.high; k++)
            all += from[k];
        *out = all;
        return;
    }
    long part[3] = {0, 0, 0};
    const int third = (of.high - of.low) / 3;
    const struct pair first = {of.low, of.low + third}, second = {of.low + third, of.high - third},
                      last = {of.high - third, of.high};
#pragma heddle task
    sum(first, from, &part[0]);
#pragma heddle task
    sum(second, from, &part[1]);
#pragma heddle task
    sum(last, from, &part[2]);
#pragma heddle taskwait
    *out = part[0] + 2 * part[1] + 3 * part[2];
}

/* Counts before it makes tasks: to begin it twice would count twice. */
static void counted(int n, long *count)
{
#pragma omp atomic
    *count += n;
    if (n < 2)
        return;
    for (int k = 1; k < n; k++) {
#pragma heddle task
        counted(k, count);
    }
}

/* Makes its task in a loop behind a change that others see. */
static void late(int n, long *out)
{
    for (int k = 0; k < n; k++) {
        if (k > 0) {
#pragma heddle task
            late(n - 2 * k, out);
        }
#pragma omp atomic
        *out += k + 1;
    }
}

/* Waits in a loop, part of the time for nothing. */
static void rounds(int n, int *out)
{
    if (n <= 0) {
        *out = 1;
        return;
    }
    int got[4] = {0, 0, 0, 0}, total = n;
    for (int k = 0; k < 4; k++) {
        if ((n + k) % 3) {
#pragma heddle task
            rounds(n - 1 - k, &got[k]);
        }
#pragma heddle taskwait
        total = (total * 5 + got[k]) % 10007;
    }
    *out = total;
}

/* Long leaves among short ones. */
static void uneven(int n, unsigned seed, unsigned *out)
{
    if (n < 2) {
        unsigned x = seed;
        for (int k = seed % 13 ? 3 : 20000; k > 0; k--)
            x = x * 1664525u + 1013904223u;
        *out = x;
        return;
    }
    unsigned a = 0, b = 0, c = 0;
#pragma heddle task
    uneven(n - 1, seed * 3 + 1, &a);
#pragma heddle task
    uneven(n - 2, seed * 5 + 2, &b);
#pragma heddle task
    uneven(0, seed, &c);
#pragma heddle taskwait
    *out = a ^ (b >> 1) ^ c;
}

/* Its value is assigned; its arguments change before the wait; a parameter changes. */
static int depth(int n, int add)
{
    if (n < 1)
        return add;
    int a = 0, b = 0;
    add++;
#pragma heddle task
    a = depth(n - 1, add);
#pragma heddle task
    b = depth(n - 2, add * 2);
    n += 3;
#pragma heddle taskwait
    return a + b * n + add;
}
static void depths(int n, int *out)
{
    int one = 0;
    if (n % 2 == 0) {
        *out = n;
        return;
    }
#pragma heddle task
    one = depth(n, n);
#pragma heddle taskwait
    *out = one;
}

/* The argument is read from memory that the next statement changes. */
static void chain(int n, int *at)
{
    if (n == 0) {
        at[0] += 7;
        return;
    }
    at[1] = n;
#pragma heddle task
    chain(at[1] - 1, at + 2);
#pragma heddle taskwait
    at[1] = at[2] + n;
}

static int values[N], chained[N];
static long sums[3], counts[2];
static int ends[8], values_of[8];
static unsigned mixed[2];

int main(void)
{
    run_ints(values, N, 5);
#pragma heddle pool workers(lane) map(to: values) map(tofrom: sums)
    {
        for (int k = 0; k < 3; k++) {
            const struct pair of = {k, N - 20 * k};
#pragma heddle task
            sum(of, values, &sums[k]);
        }
    }
    run_report("sum", sums, sizeof sums);
#pragma heddle pool workers(lane) map(tofrom: counts)
    {
#pragma heddle task
        counted(9, &counts[0]);
#pragma heddle task
        late(9, &counts[1]);
    }
    run_report("counts", counts, sizeof counts);
#pragma heddle pool workers(lane) map(tofrom: ends)
    {
#pragma heddle taskloop
        for (int k = 0; k < 8; k++) {
#pragma heddle task
            rounds(k, &ends[k]);
        }
    }
    run_report("rounds", ends, sizeof ends);
#pragma heddle pool workers(lane) map(tofrom: mixed)
    {
#pragma heddle task
        uneven(9, 11, &mixed[0]);
#pragma heddle task
        uneven(1, 13, &mixed[1]);
    }
    run_report("uneven", mixed, sizeof mixed);
#pragma heddle pool workers(lane) map(tofrom: values_of)
    {
        for (int k = 0; k < 8; k++) {
#pragma heddle task
            depths(k, &values_of[k]);
        }
    }
    run_report("depths", values_of, sizeof values_of);
#pragma heddle pool workers(lane) map(tofrom: chained)
    {
#pragma heddle task depend(inout: chained[0])
        chain(10, chained);
#pragma heddle task depend(inout: chained[0])
        chain(0, chained);
#pragma heddle task depend(in: chained[0])
        chained[40] = chained[0] + chained[1];
    }
    run_report("chain", chained, sizeof chained);
    return 0;
}
