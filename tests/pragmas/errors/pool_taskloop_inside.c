/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma heddle taskloop
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 4:1: error: 'taskloop' inside a task; write '#pragma heddle task' before the loop's body instead
