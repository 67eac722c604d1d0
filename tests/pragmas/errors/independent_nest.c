/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, float (*A)[n])
{
#pragma heddle wavefront independent
    for (int i = 1; i < 9; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = A[i - 1][j] + 1;
}
// expect: 4:26: error: cells depend on each other; 'independent' is for the problems of a batch, and on the host for what cells call and reach through pointers
