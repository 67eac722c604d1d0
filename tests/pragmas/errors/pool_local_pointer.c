/* SPDX-License-Identifier: Apache-2.0 */
static void s(int *x) { *x = 1; }
static void f(int n, int *x)
{
    int a[4] = {0}, *p = n ? x : a;
#pragma heddle task
    s(p);
}
static void h(int *x)
{
    int a[4] = {0};
    a[1] = *x;
#pragma heddle task
    s(a);
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
#pragma heddle task
        h(x);
    }
}
// expect: 14:7: error: the task changes 'a' or keeps its address, but may run when this function is over; add '#pragma heddle taskwait' after it, or pass a pointer to mapped memory
// expect: 7:7: error: 'p' points to a local variable, which may be gone when the task runs; pass its value, or a pointer to mapped memory
