/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *done)
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < 9; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i][j] = A[i - 1][j] + 1;
        done[t] = 1;
    }
}
// expect: 9:9: error: a step holds loops over rows only; put this into one of them, in front of the steps or behind them
