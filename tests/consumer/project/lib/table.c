/* SPDX-License-Identifier: Apache-2.0 */
/* Paths through a grid, counted by the recurrence: the last cell is a binomial coefficient. */
long paths(int n);

long paths(int n) {
    static long t[32][32];
    for (int i = 0; i < n; i++)
        t[i][0] = t[0][i] = 1;
#pragma heddle wavefront map(tofrom: t[0:32][0:32])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            t[i][j] = t[i - 1][j] + t[i][j - 1];
    return t[n - 1][n - 1];
}
