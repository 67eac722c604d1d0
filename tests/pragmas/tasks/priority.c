/* SPDX-License-Identifier: Apache-2.0 */
/* Priorities, of the host's tasks and of those that tasks make, with and without dependences: every task once, whoever waits
 * where when it becomes ready. */
#include "../run/run.h"

enum { N = 3000 };

static void mark(int *x, int k) { *x = (int)((unsigned)*x * 5 + (unsigned)k); }

static void tree(int depth, int at, int *x)
{
    if (depth == 0) {
        x[at] += at;
        return;
    }
#pragma heddle task priority(depth % 4)
    tree(depth - 1, 2 * at, x);
#pragma heddle task priority((depth + 1) % 4)
    tree(depth - 1, 2 * at + 1, x);
}

int main(void)
{
    static int x[N], y[N], z[1 << 12];
#pragma heddle pool map(tofrom: x, y)
    {
        for (int k = 0; k < N; k++) {
#pragma heddle task priority(k % 5)
            mark(&x[k], k);
        }
        for (int k = 0; k < N; k++) {
#pragma heddle task priority(3 - k % 4) depend(inout: y[k % 40])
            mark(&y[k % 40], k);
        }
    }
    run_report("ranked", x, sizeof x);
    run_report("ordered", y, sizeof y);
#pragma heddle pool map(tofrom: z)
    {
#pragma heddle task
        tree(12, 0, z);
    }
    run_report("tree", z, sizeof z);
    return 0;
}
