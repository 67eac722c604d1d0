/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float A[9][n];
        float *first = A[0];
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[p] = A[9 - 1][n - 1];
    }
}
// expect: 7:9: error: 'first' begins with an array of the problem; in front of the nest a problem's arrays are set to zero (= {0}, or memset), or element by element, in a loop that counts by one: A[j] = value
