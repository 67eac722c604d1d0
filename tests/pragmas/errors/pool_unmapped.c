/* SPDX-License-Identifier: Apache-2.0 */
/* All arrays whose parts no subscript shows, in one go; unless a device is named the pool stays on the host. */
static void f(int *x) { *x = 1; }
void g(int n, int *x, const int *order, int *y, int *z)
{
#pragma heddle pool
    {
        for (int i = 0; i < n; i++)
#pragma heddle task
            z[i] = x[order[i]];
#pragma heddle task
        f(y);
    }
#pragma heddle pool device(n)
    {
        for (int i = 0; i < n; i++)
#pragma heddle task
            z[i] = x[order[i]];
#pragma heddle task
        f(y);
    }
}
// expect: 10:20: note: this pool stays on the host: cannot tell which part of 'x' the tasks use; add map(to: x[0 : count]) to the pool, with the number of elements that they touch
// expect: 12:11: note: cannot tell which part of 'y' the tasks use; add map(tofrom: y[0 : count]) to the pool, with the number of elements that they touch
// expect: 18:20: error: cannot tell which part of 'x' the tasks use; add map(to: x[0 : count]) to the pool, with the number of elements that they touch
// expect: 20:11: error: cannot tell which part of 'y' the tasks use; add map(tofrom: y[0 : count]) to the pool, with the number of elements that they touch
