/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, const int *n, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float A[9][9] = {0};
        if (!n[p])
            continue;
        for (int i = 1; i < 9; i++)
            for (int j = 1; j < 9; j++)
                A[i][j] = A[i - 1][j] + 1;
        r[p] = A[8][8];
    }
}
// expect: 8:13: error: 'continue' leaves a problem of the batch before its end; give the nest empty bounds instead
