/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma heddle lanes
    for (int k = 0; k < n; k++) {
#pragma heddle taskloop
        for (int i = 0; i < n; i++)
            x[i] = 1;
    }
#pragma heddle taskloop sink(i+1)
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 6:1: error: a task inside a lanes loop, whose lanes run different iterations; collect what to do in an array, and make the tasks in a loop after it
