/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
#pragma heddle lanes
        for (int k = 0; k < 3; k++)
            x[i * 3 + k] = 1;
}
static void s(int *x) { *x = 0; }
static void h(int n, int *x)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
#pragma heddle task
        s(&x[i]);
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
#pragma heddle task
        h(n, x);
    }
}
// expect: 6:1: error: a lanes loop inside a lanes loop; put the directive before one of them only
// expect: 15:1: error: a task inside a lanes loop, whose lanes run different iterations; collect what to do in an array, and make the tasks in a loop after it
