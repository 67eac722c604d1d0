/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences among tasks that a task makes, and taskloops inside tasks. */
#include "../run/run.h"

enum { N = 6, M = 40, WIDE = 700, PARENTS = 5 };

static void step(long *x, long k) { *x = (long)((unsigned long)*x * 3 + (unsigned long)k); }
static void mix(long *out, const long *a, const long *b) { *out = (long)((unsigned long)*a * 7 + (unsigned long)*b); }

/* A chain on x, two readers of each of its values, and a writer that waits for both. */
static void chains(long *x, int rounds)
{
    for (int k = 0; k < rounds; k++) {
#pragma heddle task depend(inout: x[0])
        step(&x[0], k);
#pragma heddle task depend(in: x[0]) depend(inout: x[1])
        mix(&x[1], &x[0], &x[1]);
#pragma heddle task depend(in: x[0]) depend(inout: x[2]) priority(k % 4)
        mix(&x[2], &x[2], &x[0]);
#pragma heddle task depend(in: x[1], x[2]) depend(inout: x[3])
        {
            x[3] = (long)((unsigned long)x[3] + (unsigned long)(x[1] ^ x[2]));
        }
    }
}

/* More readers than a record has room for links, then one who waits for all of them. */
static void fan(long *x, int readers)
{
#pragma heddle task depend(out: x[0])
    x[0] = 5;
    for (int k = 1; k <= readers; k++) {
#pragma heddle task depend(in: x[0]) depend(out: x[k])
        x[k] = x[0] * k;
    }
#pragma heddle task depend(out: x[0])
    {
        long sum = 0;
        for (int k = 1; k <= readers; k++)
            sum += x[k];
        x[0] = sum;
    }
}

/* A local variable orders two tasks; after the taskwait the list begins anew. */
static void waits(long *x)
{
    long a = 1;
#pragma heddle task depend(out: a)
    step(&a, 4);
#pragma heddle task depend(inout: a)
    step(&a, 5);
#pragma heddle taskwait
    x[0] = a;
#pragma heddle task depend(inout: x[1])
    step(&x[1], 6);
#pragma heddle task depend(inout: x[1])
    step(&x[1], 7);
}

static void grid(int n, int m, unsigned seed, unsigned *cell)
{
#pragma heddle taskloop sink(y, x-1) sink(y-1, x+1)
    for (int y = 0; y < n; y++)
        for (int x = 1; x < m; x++) {
            unsigned v = seed;
            if (y > 0 && x + 1 < m)
                v += cell[(y - 1) * m + x + 1] * 3;
            cell[y * m + x] = v + cell[y * m + x - 1] * 5 + (unsigned)x;
        }
}

static void squares(int n, int *cell)
{
#pragma heddle taskloop
    for (int i = 0; i < n; i++)
        cell[i] += i * i;
}

int main(void)
{
    static long x[PARENTS][WIDE + 2], w[PARENTS][2];
    static unsigned cell[PARENTS][N * M];
    static int row[WIDE];
    run_ints((int *)&cell[0][0], (size_t)PARENTS * N * M, 9);
#pragma heddle pool map(tofrom: x, w, cell, row)
    {
        for (int p = 0; p < PARENTS; p++) {
#pragma heddle task
            chains(&x[p][0], 50);
#pragma heddle task
            waits(&w[p][0]);
#pragma heddle task
            grid(N, M, (unsigned)p, &cell[p][0]);
        }
#pragma heddle task
        squares(WIDE, row);
    }
    run_report("chains", x, sizeof x);
    run_report("waits", w, sizeof w);
    run_report("grid", cell, sizeof cell);
    run_report("row", row, sizeof row);
#pragma heddle pool map(tofrom: x)
    {
        for (int p = 0; p < PARENTS; p++) {
#pragma heddle task
            fan(&x[p][0], p == 0 ? WIDE : 10 * p);
        }
    }
    run_report("fan", x, sizeof x);
    return 0;
}
