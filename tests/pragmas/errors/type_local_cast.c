/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    typedef short local;
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (local)j;
        }
}
// expect: 8:24: error: type 'local' is declared inside the function, but the nest becomes a function before it; move the type to file scope
