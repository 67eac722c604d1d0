/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#define ONE 1
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = ONE + A[i - 1][j];
        }
#undef ONE
#define ONE 2
}
// expect: 8:23: error: macro 'ONE' is defined inside the function, and once more elsewhere, but the nest becomes a function before it; call it something else
// expect: 4:9: note: defined here
