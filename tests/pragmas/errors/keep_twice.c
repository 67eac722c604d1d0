/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront keep(A: all) keep(A: none)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
}
// expect: 4:44: error: 'A' is named in two 'keep' clauses; name it once
// expect: 4:31: note: the first one is here
