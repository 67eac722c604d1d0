/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds and steps that are no whole numbers, and what is changed perhaps. */
void f(int n, double d, int *a, int *restrict b)
{
    int k = 0, l = 0;
#pragma heddle for
    for (int i = 0; i < d; i++)
        a[i] = 1;
#pragma heddle for
    for (int i = 0; i < n; i += 1.5)
        a[i] = 1;
#pragma heddle for
    for (int i = 0; i < n; i++)
        b[i] = a[i] ?: k++;
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < d; j++)
            b[i * n + j] = b[i * n - n + j] + b[i * n + j - 1];
#pragma heddle for
    for (int i = 0; i < n; i++)
        b[i] = l + __builtin_constant_p(l++);
}
// expect: 7:25: error: not a canonical loop: the bound is not an integer; compute it before the loop
// expect: 10:28: error: not a canonical loop: the increment is not 'i += step'; rewrite it that way
// expect: 14:24: error: 'k' is changed by every iteration; declare it inside the loop, or add reduction(op: k), or firstprivate(k) if no iteration reads what another one wrote
// expect: 17:29: error: not a canonical loop: the bound is not an integer; compute it before the loop
// expect: 21:41: error: 'l' is changed by every iteration; declare it inside the loop, or add reduction(op: l), or firstprivate(l) if no iteration reads what another one wrote
