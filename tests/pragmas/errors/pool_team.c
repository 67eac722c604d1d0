/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong on the host, too. */
#include <stdlib.h>
#include <stdio.h>
static int next(void)
{
    static int k;
    return k++;
}
static void f(char **x) { *x = malloc((size_t)next()); }
void shared(int n, char **x)
{
    int last = 0;
#pragma heddle pool
    {
        for (int i = 0; i < n; i++)
#pragma heddle task
        {
            last = last + i;
            f(&x[last]);
        }
    }
}
static void gone(char **x)
{
    int size = 1;
#pragma heddle task
    {
        size++;
        *x = malloc((size_t)size);
    }
}
void g(int n, char **x, int *y)
{
#pragma heddle pool
    {
#pragma heddle task
        gone(x);
    }
#pragma heddle pool
    {
#pragma heddle taskloop sink(i - 1) independent
        for (int i = 1; i < n; i++)
            x[i] = malloc((size_t)x[i - 1][0]);
    }
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 1; i < n; i++) {
            printf("%d\n", i);
            y[i] = y[i - 1];
        }
    }
}
// expect: 19:13: error: the tasks of a loop all change 'last', in any order; declare it in the task, or give each an element of its own
// expect: 7:5: error: static variable 'k' in a function that tasks run in parallel; pass it as an argument
// expect: 29:9: error: the task changes 'size' or keeps its address, but may run when it is gone; add '#pragma heddle taskwait' after the task, or declare the variable before the pool
// expect: 42:1: error: a taskloop with sinks, in a pool that stays on the host by what its tasks do; make a task of each iteration, with 'depend'
// expect: 51:20: error: 'y[i - 1]' is read by iteration (i) after it was written by iteration (i - 1), but the sinks do not keep that order; add sink(i - 1)
// expect: 51:13: note: iteration (i - 1) comes to it as 'y[i]' here
