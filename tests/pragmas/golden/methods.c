/* SPDX-License-Identifier: Apache-2.0 */
void relax(int n, int m, float (*U)[m], const float (*F)[m]) {
#pragma heddle wavefront schedule(peer-square, 128) layout(hybrid)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            U[i][j] += 0.25f * (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1] - F[i][j]);
}
