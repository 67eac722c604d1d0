/* SPDX-License-Identifier: Apache-2.0 */
/* One task makes more tasks than the pool's memory holds; with and without dependences, and tasks that wait. The last
 * pool is so small that not even what it may spill into is enough, and runs again on the host. */
#include "../run/run.h"

enum { N = 20000 };

static void mark(int *x, int k) { *x += k; }

static void many(int n, int *x)
{
    for (int k = 0; k < n; k++) {
#pragma heddle task
        mark(&x[k], k);
    }
}

static void ordered(int n, int *x)
{
    for (int k = 0; k < n; k++) {
#pragma heddle task depend(inout: x[k % 50])
        x[k % 50] = (int)((unsigned)x[k % 50] * 3 + (unsigned)k);
    }
}

static void pair(int *x)
{
    int a = 0, b = 0;
#pragma heddle task
    mark(&a, 3);
#pragma heddle task
    mark(&b, 4);
#pragma heddle taskwait
    *x += a * b;
}

static void waiting(int n, int *x)
{
    for (int k = 0; k < n; k++) {
#pragma heddle task
        pair(&x[k]);
    }
}

int main(void)
{
    static int x[N], y[N], z[N];
#pragma heddle pool memory(1 << 16) map(tofrom: x)
    {
#pragma heddle task
        many(N, x);
    }
    run_report("many", x, sizeof x);
#pragma heddle pool memory(1 << 16) map(tofrom: y)
    {
#pragma heddle task
        ordered(N, y);
    }
    run_report("ordered", y, sizeof y);
#pragma heddle pool memory(1 << 16) map(tofrom: z)
    {
#pragma heddle task
        waiting(N, z);
    }
    run_report("waiting", z, sizeof z);
#pragma heddle pool memory(1 << 10) map(tofrom: x)
    {
#pragma heddle task
        many(N, x);
    }
    run_report("again", x, sizeof x);
    return 0;
}
