/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        {
            A[i][0] = A[i - 1][0] + 1;
        }
}
// expect: 7:13: error: not a perfect nest of two loops; move what stands between them into the inner loop or out of the nest
