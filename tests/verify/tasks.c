// SPDX-License-Identifier: Apache-2.0
// Tasks without the order that they need: no depend clause between two that share an element, no taskwait before results
// are added up, and one that is over although a task it made is not.
// finds: error: (a run) of the task at tasks.c:[0-9]* and (a run) of the task at tasks.c:[0-9]* are in no order: the second one reads x\[0\] here
// finds: error: (a run) of the task at tasks.c:[0-9]* and (a run) of the task at tasks.c:[0-9]* are in no order: the second one reads x\[5\] here
// finds: error: (a run) of the task at tasks.c:[0-9]* and (a run) of the task at tasks.c:[0-9]* are in no order: the second one reads x\[6\] here
#include <stdio.h>

static void put(long *x, int i, long value)
{
    x[i] += value;
}

static void forgets(long *x)
{
#pragma heddle task
    put(x, 6, 2);
#ifdef RIGHT
#pragma heddle taskwait
#endif
    x[7] = x[6];
}

static void another(long *x)
{
#pragma heddle task
    put(x, 5, 7);
#ifdef RIGHT
#pragma heddle taskwait
#endif
}

int main(void)
{
    static long x[10];
#pragma heddle pool map(tofrom: x)
    {
#pragma heddle task depend(out: x[0])
        put(x, 0, 3);
#pragma heddle task depend(inout: x[0])
        put(x, 0, 4);
#ifdef RIGHT
#pragma heddle task depend(in: x[0]) depend(out: x[1])
        put(x, 1, x[0]);
#else
#pragma heddle task depend(out: x[1])
        put(x, 1, x[0]);
#endif
#pragma heddle task
        forgets(x);
#pragma heddle task depend(out: x[5])
        another(x);
#pragma heddle task depend(inout: x[5])
        put(x, 5, 1);
    }
    printf("%ld %ld %ld %ld\n", x[0], x[1], x[5], x[7]);
    return 0;
}
