/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
        A[i][0] = 0;
    }
}
// expect: 9:9: error: not a perfect nest of two loops; move what stands between them into the inner loop or out of the nest
