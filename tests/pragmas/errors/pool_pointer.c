/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x, int *y)
{
#pragma heddle pool map(tofrom: x[0:1]) device(0)
    {
#pragma heddle task
        f(x);
#pragma heddle task
        f(y);
    }
}
// expect: 10:11: error: cannot tell which part of 'y' the tasks use; add map(tofrom: y[0 : count]) to the pool, with the number of elements that they touch
