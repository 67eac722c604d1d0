/* SPDX-License-Identifier: Apache-2.0 */
#define SET(a, b) do { (a)[0] = (b); (a)[1] = (b); } while (0)
#define STEP(p) (*(p)++ = 1)
#define LOCAL a
static void f(int n, int *x)
{
    int a[16];
    SET(x, n);
    STEP(x);
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        a[i] = i;
    x[0] = LOCAL[1];
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 13:12: error: 'a' is used by a macro, but lives in other memory here; write the macro out
// expect: 8:5: error: the statement comes out of a macro and changes shared memory; write it out
// expect: 8:5: error: the statement comes out of a macro and changes shared memory; write it out
// expect: 9:5: error: the assignment comes out of a macro and changes local variables too; write it out
