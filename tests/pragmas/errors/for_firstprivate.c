/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
    int t[3] = {0};
#pragma heddle for map(from: a[heddle_lo : heddle_count]) firstprivate(t)
    for (int i = 0; i < n; i++)
        a[i] = t[i % 3];
#pragma heddle for map(from: a[heddle_lo : heddle_count]) firstprivate(n)
    for (int i = 0; i < 100; i++)
        a[i] = 1;
}
// expect: 5:72: error: 't' is an array; declare it inside the loop
// expect: 8:72: warning: 'firstprivate' of 'n', which the loop does not use
