/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[p] = A[8][n - 2];
    }
}
// expect: 12:16: error: of 'A' only the last cell is there behind the nest, written as 'A[9 - 1][n - 1]'; what others give is gathered in the nest: if (i == 9 - 1) sum += …, with reduction(+: sum)
