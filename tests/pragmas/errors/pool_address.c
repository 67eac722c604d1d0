/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
int g(void)
{
    int x = 0;
#pragma heddle pool
    {
#pragma heddle task
        f(&x);
    }
    return x;
}
// expect: 9:12: error: the task has its own copy of 'x', so a change would be lost; add map(tofrom: x) to the pool
