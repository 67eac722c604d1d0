/* SPDX-License-Identifier: Apache-2.0 */
#pragma heddle graph
long f(long *x, int n)
{
#pragma heddle graph
    x[0] = 1;
#pragma heddle graph
    {
        x[0] = 1;
    }
#pragma heddle graph
    {
#pragma omp task depend(inout : x[0 : n])
        x[0]++;
        if (n > 1)
            return 0;
    }
    for (int i = 0; i < n; i++) {
#pragma heddle graph
        {
#pragma omp task depend(inout : x[0 : n])
            x[0]++;
            if (n > i)
                break;
            if (n > 2 * i)
                continue;
            if (n > 3 * i)
                goto out;
        }
    }
out:
#pragma heddle graph
#pragma omp parallel
    {
#pragma omp task depend(inout : x[0 : n])
        x[0]++;
    }
#pragma heddle graph
#pragma omp parallel reduction(+ : n)
#pragma omp single
    {
#pragma omp task depend(inout : x[0 : n])
        x[0]++;
    }
#pragma heddle graph
    {
#pragma omp taskloop
        for (int i = 0; i < n; i++)
            x[i]++;
    }
#pragma heddle graph map(tofrom : x[0 : n])
    {
#pragma omp task depend(inout : x[0 : n])
        x[0]++;
#pragma omp taskwait
        if (x[0] > 1)
            n--;
    }
#pragma heddle graph
    {
#pragma omp target data map(tofrom : x[0 : n])
        {
#pragma omp task depend(inout : x[0 : n])
            x[0]++;
        }
    }
#pragma heddle graph schedule(affinity, 1, 2, 3, 4, 5)
    {
#pragma omp task depend(inout : x[0 : n])
        x[0]++;
    }
#pragma heddle graph schedule(best)
    {
#pragma omp task depend(inout : x[0 : n])
        x[0]++;
    }
#pragma heddle graph
    {
#pragma heddle for
        for (int i = 0; i < n; i++)
            x[i]++;
    }
    return x[0];
}
// expect: 67:51: error: a schedule has 4 parameters at most
// expect: 72:31: error: expected a schedule: affinity, affinity_published, steal, static, round_robin or heft
// expect: 2:1: error: '#pragma heddle graph' outside a function; put it before a block that makes tasks
// expect: 6:5: error: '#pragma heddle graph' has to stand before a block or loop that makes tasks
// expect: 7:1: error: a graph without tasks; put '#pragma omp task depend(…)' or '#pragma omp target nowait depend(…)' before statements of the block, or of functions that it calls and that are defined before it
// expect: 16:13: error: 'return' leaves the graph before its tasks have run; leave it at its end
// expect: 24:17: error: 'break' leaves the graph before its tasks have run; leave it at its end
// expect: 26:17: error: 'continue' leaves the graph before its tasks have run; leave it at its end
// expect: 28:17: error: 'goto' leaves the graph before its tasks have run; leave it at its end
// expect: 33:1: error: each thread of this parallel region would make the tasks; add '#pragma omp single'
// expect: 39:1: error: this directive goes in a graph, and its clauses with it; remove reduction and copyprivate
// expect: 47:1: error: 'taskloop' in a graph; its loops and blocks make tasks, and run by themselves
// expect: 56:13: error: the block touches 'x' itself, but map(x) says that only its tasks do; do it in a task, or take it out of the clause
// expect: 61:1: error: 'target data' in a graph; put it around, or name the data in map(…) of the graph
// expect: 79:1: error: '#pragma heddle for' in a graph, whose tasks are OpenMP's
