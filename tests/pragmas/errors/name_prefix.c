/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    int heddle_x = 1;
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = heddle_x;
        }
}
// expect: 8:23: error: the name 'heddle_x' collides with emitted ones; do not begin names with 'heddle_'
