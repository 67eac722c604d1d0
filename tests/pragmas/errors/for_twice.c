/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: a[0 : n]) map(to: b[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
// expect: 4:67: error: 'a' is mapped twice; name it once
// expect: 4:85: error: 'map' of 'b', which the loop does not use; remove it
