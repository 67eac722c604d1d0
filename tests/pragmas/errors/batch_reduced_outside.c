/* SPDX-License-Identifier: Apache-2.0 */
static inline int max2(int x, int y) { return x > y ? x : y; }
int f(int count, int m)
{
    int best = 0;
#pragma heddle wavefront batch(p) reduction(max: best)
    for (int p = 0; p < count; p++) {
        int A[2][m];
        for (int j = 0; j < m; j++)
            A[0][j] = p;
        for (int i = 1; i < 9; i++)
            for (int j = 1; j < m; j++) {
                A[i & 1][j] = A[(i - 1) & 1][j] + 1;
                best = max2(best, A[i & 1][j]);
            }
    }
    return best;
}
// expect: 14:17: error: 'best' is reduced by every problem; declare it inside the loop over 'p'
