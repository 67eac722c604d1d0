/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, long *out)
{
    const int m = n * 2;
    switch (n) {
    case 1:
        *out = 1;
#pragma heddle taskwait
        break;
    }
    *out = m;
}
long g(int n)
{
    long x = 0;
#pragma heddle pool map(tofrom: x) device(0)
    {
#pragma heddle task
        f(n, &x);
    }
    return x;
}
// expect: 8:1: error: 'taskwait' inside a switch; use if and else
// expect: 4:5: error: 'm' is used after the taskwait, so its value is kept and restored; remove the 'const'
