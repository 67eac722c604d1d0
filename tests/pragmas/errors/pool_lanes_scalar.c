/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
    int last = 0, sum = 0;
#pragma heddle lanes
    for (int i = 0; i < n; i++) {
        last = x[i];
        sum += x[i];
    }
    x[0] = last + sum;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 7:9: error: 'last' is written by every lane; declare it inside the lanes loop, or add reduction(op: last)
// expect: 8:9: error: 'sum' is written by every lane; declare it inside the lanes loop, or add reduction(op: sum)
