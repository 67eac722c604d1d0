/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *out)
{
    int a[n];
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        a[i] = i;
    out[0] = a[n - 1];
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 4:5: error: variable-length array in a task, whose memory has a fixed size; give it a constant length
