/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for independent map(tofrom: a[heddle_lo : heddle_count + 1])
    for (int i = 0; i < n; i++)
        a[i] += a[i + 1];
}
// expect: 4:44: error: the sections a[heddle_lo : heddle_count + 1] of neighbouring chunks overlap, and what one brings back the other would overwrite; map the overlap as another array, map(to: …)
