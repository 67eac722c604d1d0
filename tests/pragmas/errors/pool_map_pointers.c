/* SPDX-License-Identifier: Apache-2.0 */
static void f(int **x) { *x[0] = 1; }
void g(int **x, int n)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle task
        f(x);
    }
}
// expect: 5:33: error: 'x' holds pointers, and what they point to cannot be mapped; use indices
