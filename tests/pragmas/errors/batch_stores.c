/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, int *seen, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float A[9][n];
        seen[p]++;
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[p] = A[9 - 1][n - 1];
    }
}
// expect: 7:9: error: statements in front of a batch's nest run more than once, and this one may change more than variables that the problem declares; move it behind the nest
