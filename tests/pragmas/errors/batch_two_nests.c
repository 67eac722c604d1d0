/* SPDX-License-Identifier: Apache-2.0 */
void f(int count, const int *n, float *r)
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < count; p++) {
        float A[9][9] = {0}, B[9][9] = {0};
        for (int i = 1; i < 9; i++)
            for (int j = 1; j < 9; j++)
                A[i][j] = A[i - 1][j] + 1;
        for (int i = 1; i < 9; i++)
            for (int j = 1; j < 9; j++)
                B[i][j] = B[i - 1][j] + n[p];
        r[p] = A[8][8] + B[8][8];
    }
}
// expect: 10:9: error: a second nest in a problem of the batch; make it a batch of its own
