/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x, int *y)
{
    int k = *x = n;
    x[k++] = y[0]++;
    x[0] = k;
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        x[i] = i;
}
static int bump(int *x, int k) { return x[k]++; }
static void h(int n, int *x)
{
    n += bump(x, n++);
    x[0] = n;
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        x[i] = i;
}
void g(int n, int *x, int *y)
{
#pragma heddle pool map(tofrom: x[0:n], y[0:n]) device(0)
    {
#pragma heddle task
        f(n, x, y);
#pragma heddle task
        h(n, x);
    }
}
// expect: 4:13: error: the value of a change to shared memory is used; make the change a statement of its own
// expect: 5:14: error: the value of a change to shared memory is used; make the change a statement of its own
// expect: 14:10: error: the call changes shared memory, and its arguments change local variables or make tasks; compute them before the call
