/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
    int sum = 0, best = 0, other = 0, *p = x;
#pragma heddle lanes reduction(+: sum, best) reduction(max: other) reduction(+: p)
    for (int i = 0; i < n; i++) {
        sum += x[i];
        best *= 2;
        x[i] = sum;
    }
    x[0] = best + sum + other + *p;
}
static void h(int n, int *x)
{
    int sum = 0, best = 0;
#pragma heddle lanes reduction(+: sum, best)
    for (int i = 0; i < n; i++) {
        best *= 2;
        x[i] = sum;
    }
    x[0] = best + sum;
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
// expect: 5:61: error: 'other' is not used in the lanes loop; remove it
// expect: 5:81: error: 'p' is not used in the lanes loop; remove it
// expect: 18:9: error: 'best' is reduced by '+', but changed in another way here
// expect: 19:16: error: reduction variable 'sum' read outside its own update; its value is known only after the lanes loop
