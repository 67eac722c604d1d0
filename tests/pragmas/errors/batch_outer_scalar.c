/* SPDX-License-Identifier: Apache-2.0 */
int f(int count, int n, float *r)
{
    int sum = 0;
#pragma heddle wavefront batch(p) independent
    for (int p = 0; p < count; p++) {
        float A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[p] = A[9 - 1][n - 1];
        sum += n;
    }
    return sum;
}
// expect: 14:9: error: 'sum' is changed by every problem; store what each one adds in an array, or declare it inside the loop over 'p'
