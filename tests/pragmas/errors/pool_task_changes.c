/* SPDX-License-Identifier: Apache-2.0 */
int g(int n)
{
    int x = 0;
#pragma heddle pool
    {
#pragma heddle task
        x = n;
    }
    return x;
}
// expect: 8:9: error: the task has its own copy of 'x', so a change would be lost; add map(tofrom: x) to the pool
