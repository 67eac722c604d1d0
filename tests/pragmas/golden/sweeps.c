/* SPDX-License-Identifier: Apache-2.0 */
/* A loop over sweeps around a star: the number of the sweep in the environment, old values, all five in registers. */
float relax(int n, int m, float (*U)[m + 2], int sweeps)
{
    float change = 0;
#pragma heddle wavefront sweeps(t) reduction(max: change)
    for (int t = 1; t <= sweeps; t++)
        for (int i = 1; i <= n; i++)
            for (int j = 1; j <= m; j++) {
                float old = U[i][j];
                U[i][j] = (U[i - 1][j] + U[i][j - 1] + U[i + 1][j] + U[i][j + 1]) / 4;
                if (t == sweeps)
                    change = U[i][j] - old > change ? U[i][j] - old : change;
            }
    return change;
}
