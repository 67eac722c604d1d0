/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefrnt
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 4:16: error: unknown directive 'wavefrnt'; known: wavefront, pool, task, taskloop, taskwait, lanes, for, jobs, graph, variant
