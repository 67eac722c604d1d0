/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i & 1][j] = A[i & 1][j + 1];
        }
}
// expect: 7:27: error: 'A[i & 1][j + 1]' reads ahead in the row being written, a dependence carried backwards; use a row that is complete
// expect: 7:13: note: 'A' is written here
