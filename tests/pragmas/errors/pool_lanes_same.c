/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma heddle lanes
    for (int i = 0; i < n; i++)
        x[0] += i;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 6:9: error: every lane writes to the same place; index it by 'i', or use a local variable with reduction(), or '#pragma omp atomic'
