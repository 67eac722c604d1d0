/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n*n])
    {
#pragma heddle taskloop sink(i, j)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                f(&x[i * n + j]);
    }
}
void h(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n*n])
    {
#pragma heddle taskloop sink(i-1, j) sink(i, j+1) sink(j, i) sink(i-1)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                f(&x[i * n + j]);
    }
}
// expect: 7:25: error: the sink is the iteration itself, which would wait for itself; subtract from a variable
// expect: 17:38: error: the sink is an iteration that comes later; its first offset that is not 0 must be negative
// expect: 17:56: error: expected 'i', the variable of loop 1; a sink names the loop variables in order
// expect: 17:62: error: the sink names 1 variable, but the taskloop has 2 loops
