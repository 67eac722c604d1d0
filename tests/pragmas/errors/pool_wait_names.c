/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
    int k = n;
    {
        int k = n + 1;
        if (n)
#pragma heddle task
            f(n - 1, x);
#pragma heddle taskwait
        x[1] = k;
    }
    x[0] = k;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 10:1: error: two variables 'k' live across the taskwait; give them different names
