/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int (*a)[9])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < 9; j++)
            a[i][j] = a[i - 1][j] + a[i][j - 1];
}
static struct { int x, y; } *unnamed(void) { return 0; }
void g(int n, int (*a)[9])
{
    struct { int x, y; } p = {n, n};
#pragma heddle pool map(tofrom: a[0:n])
    {
#pragma heddle task
        f(n, a);
#pragma heddle task
        {
            a[0][0] = p.x;
        }
    }
    (void)unnamed;
}
// expect: 19:23: error: the type of 'p' is declared inside the function, but the task becomes a function before it; move the type to file scope
