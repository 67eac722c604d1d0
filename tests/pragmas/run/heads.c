/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. Heads of loops that are macros, and turned round. */
#include "run.h"
#include "../loops/heads.h"

static void nests(int n, int m, int (*a)[m])
{
#pragma heddle wavefront map(tofrom: a[0 : SECOND(0, n)])
    for (int i = SECOND(0, 1); i < LIMIT; i++)
        for (int j = LESS(2); j < SHIFTED; j++)
            a[i][j] = (a[i - 1][j] + a[i][j - 1]) & 0xffff;
}

static void turned(int n, int m, int (*a)[m])
{
#pragma heddle wavefront
    for (int i = 1; n > i; i = i + 1)
        for (int j = 1; m - 1 >= j; j = 1 + j)
            a[i][j] = (a[i - 1][j] + 3 * a[i][j - 1]) & 0xffff;
}

int main(void)
{
    static int table[300][70];
    run_ints(&table[0][0], 300 * 70, 100);
    nests(300, 70, table);
    turned(300, 70, table);
    run_report("table", table, sizeof table);
    return 0;
}
