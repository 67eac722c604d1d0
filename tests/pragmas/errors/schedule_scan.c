/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront schedule(scan)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (int)(0.5 + A[i - 1][j]);
}
// expect: 4:26: error: schedule(scan) needs a prefix sum, S[i][j] = term + S[i-1][j] + S[i][j-1] - S[i-1][j-1] or term plus one of the first two, and nothing else in the body; use schedule(auto)
