/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, const int *a, int *b)
{
#pragma heddle for map(to: a[heddle_lo : heddle_count + 1]) map(from: b[heddle_lo : heddle_count])
    for (int i = 1; i < n; i++)
        b[i] = a[i - 1] + a[i];
}
// expect: 6:16: error: 'a[i - 1]' of a chunk's first iteration lies before the section a[heddle_lo : heddle_count + 1] that is mapped; the loop needs a[heddle_lo - 1 : heddle_count + 1]
