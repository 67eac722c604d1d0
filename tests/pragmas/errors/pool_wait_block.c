/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(x);
        if (n)
#pragma heddle taskwait
            n++;
    }
}
// expect: 10:1: error: 'taskwait' is a statement and must stand in a block; put it into { }
