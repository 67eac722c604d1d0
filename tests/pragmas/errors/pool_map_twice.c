/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *x) { *x = 1; }
void g(int *x)
{
#pragma heddle pool map(to: x[0:1]) map(from: x[0:1])
    {
#pragma heddle task
        f(x);
    }
}
// expect: 5:47: error: 'x' is mapped twice; name it once
