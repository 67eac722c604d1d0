/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for map(to: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = i;
}
// expect: 6:9: error: 'a' is written, but map(to) does not bring it back; use map(tofrom: …)
