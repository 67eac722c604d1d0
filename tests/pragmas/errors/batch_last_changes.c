/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, const int *size, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        int n = size[p];
        float A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        n--;
        r[p] = A[9 - 1][n - 1];
    }
}
// expect: 11:33: error: 'n' changes behind the nest, where the last cell is read by it; copy it
