/* SPDX-License-Identifier: Apache-2.0 */
/* Rolling rows, E[i] and F[j], conditional writes, two nests in one function. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct scheme { int open, extend; };

void affine(int n, int m, const char *a, const char *b, int *rolling, int *E, int *F, int *end, struct scheme s)
{
    int (*H)[m + 1] = (int (*)[m + 1])rolling;
#pragma heddle wavefront keep(H: none) keep(E, F: last)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            F[j] = MAX(F[j] - s.extend, H[(i - 1) & 1][j] - s.open);
            E[i] = MAX(E[i] - s.extend, H[i & 1][j - 1] - s.open);
            H[i & 1][j] = MAX(H[(i - 1) & 1][j - 1] + (a[i - 1] == b[j - 1]), MAX(E[i], F[j]));
            if (H[i & 1][j] > 0)
                end[i] = j;
        }
#pragma heddle wavefront
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            F[j] = (j ? F[j - 1] : 0) + F[j] + a[i];
}
