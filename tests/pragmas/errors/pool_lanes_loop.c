/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma heddle lanes
    for (int i = n; i > 0; i--)
        x[i] = 1;
#pragma heddle lanes
    for (int i = 0; i < n; i++) {
        x[i] = 1;
        i++;
    }
}
static int next(int *x) { return ++*x; }
static void h(int n, int *x)
{
#pragma heddle lanes
    for (int i = next(x); i < n; i++)
        x[i] = 1;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
#pragma heddle task
        h(n, x);
    }
}
// expect: 5:21: error: not a canonical loop: the test is not 'i < bound' or 'i <= bound'; rewrite the test that way
// expect: 10:9: error: not a canonical loop: the body modifies 'i' or takes its address; copy it to a local variable
// expect: 17:18: error: the bounds of a lanes loop have effects; compute them before the loop
