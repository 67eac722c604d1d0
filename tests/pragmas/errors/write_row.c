/* SPDX-License-Identifier: Apache-2.0 */
int h(const int *, int);
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = h(A[i - 1], j);
        }
}
// expect: 8:25: error: 'A' is written in the nest and used here other than by its subscripts; write 'A' with all of them
