/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int (*a)[9])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < 9; j++)
            a[i][j] = a[i - 1][j] + a[i][j - 1];
}
void g(int n, int (*a)[9])
{
#pragma heddle pool map(tofrom: a[0:n]) device(0)
    {
#pragma heddle task
        f(n, a);
    }
}
// expect: 4:1: error: 'f' is called by a task and holds a wavefront, which runs on a whole device; call it outside the pool's tasks
