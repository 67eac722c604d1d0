/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x, int *y)
{
#pragma heddle pool map(tofrom: x[0:1], y[0:1])
    {
#pragma heddle task
        f(x);
    }
    f(y);
}
// expect: 5:41: error: 'map' of 'y', which the pool does not use; remove it
