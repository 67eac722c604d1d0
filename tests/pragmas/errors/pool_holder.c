/* SPDX-License-Identifier: Apache-2.0 */
void g(int n, int *x)
{
    if (!n) {
        x[0] = 1;
        return;
    }
#pragma heddle pool map(tofrom: x[0:n]) device(0)
    {
#pragma heddle task
        g(n - 1, x);
    }
}
// expect: 11:9: error: 'g' holds the pool that would run it; move the pool to a function of its own
