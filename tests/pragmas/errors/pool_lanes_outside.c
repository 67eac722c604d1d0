/* SPDX-License-Identifier: Apache-2.0 */
void g(int *x, int n)
{
#pragma heddle pool map(tofrom: x[0:n])
    {
#pragma heddle lanes
        for (int i = 0; i < n; i++)
            x[i] = i;
    }
}
// expect: 6:1: error: a lanes loop outside a task; put it into a task
