/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, int n, float *r)
{
#pragma heddle wavefront batch(p) keep(A: none) schedule(peer)
    for (int p = 0; p < count; p++) {
        float A[9][n];
        for (int j = 0; j < n; j++)
            A[0][j] = 0;
        for (int i = 1; i < 9; i++)
            for (int j = 0; j < n; j++)
                A[i][j] = A[i - 1][j] + p;
        r[p] = A[9 - 1][n - 1];
    }
}
// expect: 4:49: error: this schedule works in memory, but 'A' is not kept whole; say keep(…: all)
// expect: 11:17: note: 'A' is written here
