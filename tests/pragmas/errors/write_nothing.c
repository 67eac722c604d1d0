/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, const int *B)
{
    int x = 0;
#pragma heddle wavefront reduction(+: x)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            x += B[i] * B[j];
        }
    (void)x;
}
// expect: 6:5: error: the nest writes no array, so nothing travels along its wavefront; use '#pragma omp target teams distribute parallel for'
