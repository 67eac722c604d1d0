/* SPDX-License-Identifier: Apache-2.0 */
static struct { int x, y; } point;
static void f(int *a) { a[0] = point.x; }
void g(int n, int *a)
{
#pragma heddle pool map(tofrom: a[0:n]) device(0)
    {
#pragma heddle task
        f(a);
    }
}
// expect: 3:32: error: the type of 'point' has no name, so the task's record cannot hold it; name the type
