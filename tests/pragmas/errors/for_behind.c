/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, const int *a, int *b)
{
#pragma heddle for map(to: a[heddle_lo : heddle_count]) map(from: b[2 * heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        b[2 * i] = a[i + 1] + a[i];
}
// expect: 6:20: error: 'a[i + 1]' of a chunk's first iteration lies behind the section a[heddle_lo : heddle_count] that is mapped; the loop needs a[heddle_lo : heddle_count + 1]
// expect: 6:9: error: 'b[2 * i]' of a chunk's last iteration lies behind the section b[2 * heddle_lo : heddle_count] that is mapped; the loop needs b[heddle_lo * 2 : heddle_count * 2]
