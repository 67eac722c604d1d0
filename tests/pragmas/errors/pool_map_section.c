/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x, int *n) { *x = *n; }
void g(int *x, int n)
{
#pragma heddle pool map(tofrom: x, n[0:1])
    {
#pragma heddle task
        f(x, &n);
    }
}
// expect: 5:33: error: 'x' is a pointer, so its size is not known; write x[first : count]
// expect: 5:36: error: 'n' is not an array; map it without a section
