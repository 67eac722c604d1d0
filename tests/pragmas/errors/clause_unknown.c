/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront schedul(peer)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
// expect: 4:26: error: unknown clause 'schedul'; known here: schedule, keep, sink, reduction, map, device, sweeps, batch, layout, private, independent
