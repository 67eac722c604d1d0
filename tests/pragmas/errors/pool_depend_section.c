/* SPDX-License-Identifier: Apache-2.0 */
static void f(int *y, int i) { y[i]++; }
void g(int *y, int n)
{
#pragma heddle pool map(tofrom: y[0:n])
    {
#pragma heddle task depend(inout: y[n > 1 ? 1 : 0])
        f(y, 1);
#pragma heddle task depend(inout: y[0:n])
        f(y, 0);
    }
}
// expect: 9:35: error: a dependence names one element, which stands for all that goes with it; write a[first] for a section
