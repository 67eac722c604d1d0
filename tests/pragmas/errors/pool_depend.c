/* SPDX-License-Identifier: Apache-2.0 */
static void s(int *x) { *x = 1; }
static void f(int n, int *x)
{
#pragma heddle task depend(out: x[0])
    s(x + n);
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task depend(in: x[0], x[1]) depend(out: x[0])
        s(x);
    }
}
void h(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 12:56: error: 'x[0]' is named twice in the task's 'depend' clauses; name it once, with inout for both
