/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, const int *to, float *r)
{
#pragma heddle wavefront batch(p) map(to: to[0:count]) map(from: r[0:count])
    for (int p = 0; p < count; p++) {
        float A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[to[p]] = A[9 - 1][n - 1];
    }
}
// expect: 12:9: error: one iteration writes 'r[to[p]]', another writes 'r[to[p]]', and nothing proves that they are different elements; if they always are, write '#pragma heddle wavefront independent'
