/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *idx)
{
#pragma heddle wavefront map(to: idx[0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][idx[j]];
        }
}
// expect: 7:23: error: 'A[i - 1][idx[j]]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 7:13: note: 'A' is written here
// expect: 7:23: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[i - 1][idx[j]]'
