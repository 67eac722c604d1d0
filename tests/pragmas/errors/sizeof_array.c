/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m])
{
    static const int table[4] = {1};
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = (int)sizeof table + table[j & 3];
        }
}
// expect: 8:35: error: 'table' is an array under 'sizeof', but a pointer on the device; compute the size before the nest
