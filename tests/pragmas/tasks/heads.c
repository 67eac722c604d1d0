/* SPDX-License-Identifier: Apache-2.0 */
/* Heads of loops that are macros. */
#include "../run/run.h"
#include "../loops/heads.h"
#define FROM PAIR(1, SECOND((n), 3))

static void pools(int n, int *a)
{
#pragma heddle pool map(tofrom: a[SECOND(1, 0) : LIMIT + (SHIFTED)])
    {
#pragma heddle taskloop
        for (int i = FROM; i < SHIFTED; i++)
            a[i] += i;
#pragma heddle taskwait
#pragma heddle taskloop
        for (int i = SECOND(2, LESS(1)); i <= LESS(LIMIT); i++)
            a[i] += 3;
    }
}

int main(void)
{
    static int a[400];
    run_ints(a, 400, 100);
    pools(300, a);
    run_report("a", a, sizeof a);
    return 0;
}
