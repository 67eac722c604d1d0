/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *E)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            E[i] = E[i - 1] + 1; A[i][j] = E[i];
        }
}
// expect: 7:20: error: 'E[i - 1]' reads another row's element, whose value is that of its last column: not a uniform dependence; use a two-dimensional array
// expect: 7:13: note: 'E' is written here
// expect: 7:20: note: nor is any order of rows behind each other proven to keep 'E[i]' and 'E[i - 1]'
