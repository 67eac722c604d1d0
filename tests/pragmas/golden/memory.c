/* SPDX-License-Identifier: Apache-2.0 */
/* Memory form: a dependence on (i - 1, j + 2), inferred maps, a reduction, all options. */
void smooth(int n, int m, double (*A)[m], const double *weight, long *changes, int device)
{
    long count = 0;
#pragma heddle wavefront schedule(peer, 64, n > 1000 ? 512 : 128) /* tiles */ \
    sink(i-1, j-1) sink(i-1, j) sink(i-1, j+2) sink(i, j-1) device(device) reduction(+: count)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m - 2; j++) {
            double old = A[i][j];
            A[i][j] = weight[i] * (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 2] + A[i][j - 1]);
            if (A[i][j] != old)
                count++;
        }
    *changes = count;
}
