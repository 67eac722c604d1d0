/* SPDX-License-Identifier: Apache-2.0 */
/* Included as a source. */
static void rotate(int n, int *x) {
    const int last = x[n - 1];
#pragma heddle for
    for (int i = 0; i < n - 1; i++)
        x[i] = last - x[i];
}
