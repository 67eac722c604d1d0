/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *out)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        out[i] = i;
    if (n)
        f(n - 1, out);
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 2:1: error: 'f' calls itself, and holds directives; put '#pragma heddle task' before the call
