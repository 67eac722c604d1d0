/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int m, float (*A)[m], float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        int n = p;
        for (int i = 1; i < n; i++)
            for (int j = 1; j < m; j++)
                A[i & 1][j] = A[(i - 1) & 1][j] + 1;
        r[p] = A[1][1];
    }
}
// expect: 9:17: error: 'A' is written by the cells of every problem; declare the array inside the loop over 'p', or store results behind the nest
