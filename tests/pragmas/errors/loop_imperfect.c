/* SPDX-License-Identifier: Apache-2.0 */
/* what stands before the inner loop declares something for it */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        int left = A[i][0];
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
            left = A[i][j];
        }
    }
}
// expect: 7:9: error: not a perfect nest of two loops; move what stands between them into the inner loop or out of the nest
