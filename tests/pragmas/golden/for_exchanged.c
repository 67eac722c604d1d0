/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, double C[n][n], double A[n][n], double B[n][n], double *y)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = sum;
        }
    }
}
