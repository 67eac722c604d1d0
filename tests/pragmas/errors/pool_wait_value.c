/* SPDX-License-Identifier: Apache-2.0 */
static int f(int n, long *out)
{
#pragma heddle task
    f(n - 1, out);
#pragma heddle taskwait
    return n;
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
// expect: 6:1: error: 'taskwait' in 'f', which returns a value; make it a void function with a pointer to the result
