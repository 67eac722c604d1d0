/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, long *out)
{
    long a = 0;
    if (n)
#pragma heddle task
        f(n - 1, &a);
    *out = a + 1;
}
long g(int n)
{
    long x = 0;
#pragma heddle pool map(tofrom: x)
    {
#pragma heddle task
        f(n, &x);
    }
    return x;
}
// expect: 7:19: error: the task changes 'a' or keeps its address, but may run when this function is over; add '#pragma heddle taskwait' after it, or pass a pointer to mapped memory
