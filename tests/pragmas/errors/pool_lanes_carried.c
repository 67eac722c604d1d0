/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x, int (*y)[8])
{
#pragma heddle lanes
    for (int i = 1; i < n; i++)
        x[i] = x[i - 1] + y[i][0];
}
static void h(int n, int (*y)[8])
{
#pragma heddle lanes
    for (int i = 1; i < n; i++)
        y[i][2] = y[i + 1][3] + y[i + 1][2];
}
void g(int n, int *x, int (*y)[8])
{
#pragma heddle pool map(tofrom: x[0:n], y[0:n])
    {
#pragma heddle task
        f(n, x, y);
#pragma heddle task
        h(n, y);
    }
}
// expect: 6:16: error: the lanes run different iterations at the same time, but this element is written in another one; use a second array, or leave 'lanes' out
// expect: 6:9: note: it is written here
// expect: 12:33: error: the lanes run different iterations at the same time, but this element is written in another one; use a second array, or leave 'lanes' out
// expect: 12:9: note: it is written here
