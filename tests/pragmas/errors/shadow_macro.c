/* SPDX-License-Identifier: Apache-2.0 */
#define MORE int m = 7; y[i] += m
/* The name is hidden in a macro's text, which stays as it is: then no expression is put there. */
void add(int m, int *y, const int *x) {
    int k = 0;
#pragma heddle for
    for (int i = m; i > 0; i--) { k += 2; y[i] += x[k]; MORE; }
}
// expect: 7:35: error: 'k' is changed by every iteration; declare it inside the loop, or add reduction(op: k), or firstprivate(k) if no iteration reads what another one wrote
