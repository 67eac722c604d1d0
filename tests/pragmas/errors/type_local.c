/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    struct point { int x; } p = {1};
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + p.x;
        }
}
// expect: 8:37: error: the type of 'p' is declared inside the function, but the nest becomes a function before it; move the type to file scope
