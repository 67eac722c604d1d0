/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *out);
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
static void f(int n, int *out)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        out[i] = i;
}
// expect: 8:9: error: 'f' is defined after the pool that runs it; move its definition up, before 'g'
// expect: 11:1: note: it is defined here
