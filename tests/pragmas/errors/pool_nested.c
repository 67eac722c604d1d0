/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x)
{
#pragma heddle pool map(tofrom: x[0:1])
    {
#pragma heddle pool
        {
#pragma heddle task
            f(x);
        }
    }
}
// expect: 7:1: error: a pool inside a pool; end the first one before
// expect: 10:15: note: this pool stays on the host: cannot tell which part of 'x' the tasks use; add map(tofrom: x[0 : count]) to the pool, with the number of elements that they touch
