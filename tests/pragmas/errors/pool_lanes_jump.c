/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++) {
        if (x[i] > 3)
            break;
        if (x[i] > 5)
            return;
        if (x[i] > 1)
            continue;
        x[i] = 1;
    }
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 7:13: error: 'break' leaves the lanes loop, whose iterations run on different lanes; compute a condition instead
// expect: 9:13: error: 'return' leaves the lanes loop, whose iterations run on different lanes; compute a condition instead
