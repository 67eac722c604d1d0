/* SPDX-License-Identifier: Apache-2.0 */
int g(int n)
{
    int x = 0;
#pragma heddle pool
    {
        int a[4] = {0};
        for (int i = 0; i < n; i++)
#pragma heddle task
        {
            a[i & 3] = i;
            x++;
        }
    }
    return x;
}
// expect: 11:13: error: the task has its own copy of 'a', so a change would be lost; declare it before the pool, which then maps it
