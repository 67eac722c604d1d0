/* SPDX-License-Identifier: Apache-2.0 */
/* Register form of a row that reads on the right and further on the left in the row above; an old value, a reduction. */
void smooth(int n, int m, double (*A)[m], const double *weight, long *changes, int device)
{
    long count = 0;
#pragma heddle wavefront schedule(registers) \
    sink(i-1, j-2) sink(i-1, j-1) sink(i-1, j) sink(i-1, j+1) sink(i, j-1) device(device) reduction(+: count)
    for (int i = 1; i < n; i++)
        for (int j = 2; j < m - 1; j++) {
            double old = A[i][j];
            A[i][j] = weight[i] * (A[i - 1][j - 2] + A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1]);
            if (A[i][j] != old)
                count++;
        }
    *changes = count;
}
