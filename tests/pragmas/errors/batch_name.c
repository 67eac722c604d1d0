/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, float *r)
{
#pragma heddle wavefront batch(q)
    for (int p = 0; p < count; p++) {
        float A[9][9] = {0};
        for (int i = 1; i < 9; i++)
            for (int j = 1; j < 9; j++)
                A[i][j] = A[i - 1][j] + 1;
        r[p] = A[8][8];
    }
}
// expect: 4:32: error: 'batch' names the outermost loop's variable, which is 'p'
