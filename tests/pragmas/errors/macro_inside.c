/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#define ONE 1
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = ONE + A[i - 1][j];
        }
}
// expect: 8:23: error: macro 'ONE' is defined inside the function, but the nest becomes a function before it; move the #define up
// expect: 4:9: note: defined here
