/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, const int *start, const float *x, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        const int n = start[p + 1] - start[p];
        const float *a = x + start[p];
        float A[2][n + 1];
        for (int j = 0; j <= n; j++)
            A[0][j] = A[1][j] = 0;
        for (int i = 1; i <= 9; i++)
            for (int j = 1; j <= n; j++)
                A[i & 1][j] = A[(i - 1) & 1][j] + a[j - 1];
        r[p] = A[9 & 1][n];
    }
}
// expect: 13:51: error: cannot tell how much of 'x' to map; add map(to: x[0:count])
