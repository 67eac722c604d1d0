/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*a)[m])
{
#pragma heddle for map(from: a[0 : n][heddle_lo : heddle_count])
    for (int i = 0; i < m; i++)
        a[0][i] = i;
}
// expect: 4:39: error: heddle_lo and heddle_count select rows: they belong into the first dimension
