/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, float *r)
{
#pragma heddle wavefront batch(q)
    for (int q = 0; q < count; q++) {
        float g = 1;
        float A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = g;
        g = 2;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + g;
        r[q] = A[9 - 1][n - 1];
    }
}
// expect: 9:23: error: 'g' changes between this first value and the nest; use a variable of its own
