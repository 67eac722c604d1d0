/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], int *p)
{
#pragma heddle wavefront schedule(peer, 99999999999999999999)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i - 1][j] + 1;
#pragma heddle for schedule(gss, 0) map(from: p[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        p[i] = i;
#pragma heddle pool memory(0) map(tofrom: p[0:n])
    {
#pragma heddle task
        p[0] = 1;
    }
#pragma heddle pool idle(-0.5) map(tofrom: p[0:n])
    {
#pragma heddle task depend(in: 3)
        p[0] = 1;
    }
}
// expect: 4:41: error: the number is too large
// expect: 8:34: error: a chunk has one iteration or more
// expect: 11:28: error: a pool's memory is a positive number of bytes
// expect: 16:26: error: a time is not negative
// expect: 18:32: error: a dependence names a place in memory, such as a[i], not a value
