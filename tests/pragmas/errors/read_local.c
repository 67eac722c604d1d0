/* SPDX-License-Identifier: Apache-2.0 */
/* an index that changes between, and one whose name means two things */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront map(tofrom: A[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int k = i - 1;
            k += j & 1;
            A[i][j] = A[k][j];
        }
#pragma heddle wavefront map(tofrom: A[0:n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            int k = m - 1 - j;
            for (int m = 0; m < 3; m++)
                A[i][j] += A[i - 1][k] + m;
        }
}
// expect: 17:28: error: 'A[i - 1][k]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 17:17: note: 'A' is written here
// expect: 17:28: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[i - 1][k]'
