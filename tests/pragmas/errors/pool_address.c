/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(void)
{
#pragma heddle pool
    {
        int x = 0;
#pragma heddle task
        f(&x);
    }
}
// expect: 9:12: error: the task has its own copy of 'x', so a change would be lost; declare it before the pool, which then maps it
