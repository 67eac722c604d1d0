/* SPDX-License-Identifier: Apache-2.0 */
static void f(int n, int *x)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = 1;
}
void g(int n, int *x)
{
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        f(n, x);
    }
}
// expect: 4:1: error: 'f' is called by a task and has an OpenMP directive other than 'atomic'; use '#pragma heddle task' or 'lanes'
