/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for map(from: a[0 : n])
    for (int i = 0; i < n; i++)
        a[i] = i;
}
// expect: 4:30: error: map(from: a) is the same for all chunks, so each device would bring back its own; select each chunk's part, a[heddle_lo : heddle_count], or use reduction()
