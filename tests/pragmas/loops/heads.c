/* SPDX-License-Identifier: Apache-2.0 */
/* Heads of loops that are macros: bounds, first values, steps and sections. */
#include "../run/run.h"
#include "heads.h"

static void bounds(int n, int step, int *a, int *b, int *c)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < LIMIT; i++)
        a[i] = 2 * i;
#pragma heddle for map(from: a[FIRST : ITERATIONS])
    for (int i = SECOND(7, 2); i <= n - SECOND(1, LIMIT) + (SHIFTED); i++)
        a[i] = 3 * i;
#pragma heddle for map(tofrom: b[heddle_lo : (heddle_count - 1) * STRIDE + 1])
    for (int i = LESS(2); MORE(n) > i; i += STRIDE)
        b[i] = i;
#pragma heddle for collapse(2) map(tofrom: c[PAIR(8, heddle_lo) : PAIR(SECOND((8), 8), heddle_count)])
    for (int i = SECOND((1), 0); i < PAIR(1, n); ++i)
        for (int j = SECOND(0, 1); j < LESS(SECOND(3, 8)); j++)
            c[8 * i + j] += i - j;
}

int main(void)
{
    enum { N = 300 };
    static int a[N + 66], b[N + 66], c[8 * (N + 1)];
    run_ints(a, COUNT_OF(a), 100);
    run_ints(b, COUNT_OF(b), 100);
    run_ints(c, COUNT_OF(c), 100);
    bounds(N, 7, a, b, c);
    run_report("a", a, sizeof a);
    run_report("b", b, sizeof b);
    run_report("c", c, sizeof c);
    return 0;
}
