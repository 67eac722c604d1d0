/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float A[9][n + 2];
        for (int j = 0; j < n + 2; j++)
            A[0][j] = p;
        for (int i = 1; i < 9; i++)
            for (int j = 1; j < n; j++)
                A[i][j] = A[i - 1][j + 1] + A[i - 1][j];
        r[p] = A[9 - 1][n - 1];
    }
}
// expect: 9:9: error: a batch's cells may depend on their left, upper and upper left neighbours only
