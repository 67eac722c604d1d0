/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for schedule(fastest)
    for (int i = 0; i < n; i++)
        a[i] = i;
}
// expect: 4:29: error: expected a schedule: auto, static, capability, chunk, gss, fss, tss, hybrid, egs, pina, steal, steal_time or lp
