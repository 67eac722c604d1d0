/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for collapse(3) map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma heddle for collapse(2) map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = i;
#pragma heddle for collapse(2) map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i] = i;
}
// expect: 4:29: error: 'collapse' takes 1 or 2 loops
// expect: 9:9: error: collapse(2) needs a second loop directly inside the first, and nothing beside it
// expect: 12:29: error: the inner loop's bounds depend on 'i'; collapse(2) needs the same number of iterations in each
