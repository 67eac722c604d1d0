/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x, int *y)
{
#pragma heddle pool map(tofrom: x[0:1])
    {
#pragma heddle task
        f(x);
#pragma heddle task
        f(y);
    }
}
// expect: 10:11: error: pointer 'y' is captured by a task but not mapped; add map(tofrom: y[0 : count]) to the pool, or use it with an index of the task's own
