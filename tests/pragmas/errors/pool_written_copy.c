/* SPDX-License-Identifier: Apache-2.0 */
int g(int n)
{
    int x = 0, a[4] = {0};
#pragma heddle pool
    {
        for (int i = 0; i < n; i++)
#pragma heddle task
        {
            a[i & 3] = i;
            x++;
        }
    }
    return x + a[0];
}
// expect: 10:13: error: the task has its own copy of 'a', so a change would be lost; add map(tofrom: a) to the pool
