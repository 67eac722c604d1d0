/* SPDX-License-Identifier: Apache-2.0 */
/* A prefix sum: the term with zeros for the carried elements, and what looks like one but is not. */
void table(int n, int m, const float (*W)[m], float (*S)[m + 1])
{
#pragma heddle wavefront schedule(scan)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            S[i][j] = W[i - 1][j - 1] + S[i - 1][j] + S[i][j - 1] - S[i - 1][j - 1];
}

void twice(int n, int m, int (*S)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            S[i][j] = S[i - 1][j] + 2 * S[i][j - 1] - S[i - 1][j - 1];
}
