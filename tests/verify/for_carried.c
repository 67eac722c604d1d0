// SPDX-License-Identifier: Apache-2.0
// Iterations of a `for` that need each other: through an unknown distance, and through an index.
// finds: for_carried.c:14:[0-9]*: error: (i = 0) and (i = 1) of the for at for_carried.c:12 are in no order: the second one reads y\[0\] here, which the first one writes at for_carried.c:14
// finds: for_carried.c:23:[0-9]*: error: (i = 0) and (i = 50) of the for at for_carried.c:21 are in no order: the second one reads sum\[0\] here, which the first one writes at
#include <stdio.h>
#ifdef RIGHT
enum { DISTANCE = 100, BUCKETS = 100 };
#else
enum { DISTANCE = 1, BUCKETS = 50 };
#endif
static void distance(long n, long k, const long *x, long *y) {
#pragma heddle for independent device(host) map(to: x[heddle_lo : heddle_count]) map(tofrom: y[0 * heddle_lo : n + 0 * heddle_count])
    for (long i = 0; i < n; i++)
        y[i] = i >= k ? y[i - k] + x[i] : x[i];
}

static void buckets(long n, const int *of, long *sum)
{
    /* each iteration adds to a bucket that an index names */

#pragma heddle for independent device(host) map(to: of[heddle_lo : heddle_count]) map(tofrom: sum[0 * heddle_lo : n + 0 * heddle_count])
    for (long i = 0; i < n; i++)
        sum[of[i]] += i;
}

int main(void)
{
    static long x[100], y[100], sum[100];
    static int of[100];
    long h = 0;
    for (int i = 0; i < 100; i++)
        x[i] = i, of[i] = i % BUCKETS;
    distance(100, DISTANCE, x, y);
    buckets(100, of, sum);
    for (int i = 0; i < 100; i++)
        h = h * 31 + y[i] + sum[i];
    printf("%ld\n", h);
    return 0;
}
