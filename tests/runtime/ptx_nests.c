/* SPDX-License-Identifier: Apache-2.0 */
/* What check_ptx.py reads the kernels of: a nest in registers alone, one that also has the memory forms, and sweeps. */
#define MAX(a, b) ((a) > (b) ? (a) : (b))
int score(int n, int m, const char *a, const char *b, int (*H)[m + 1]);
int score(int n, int m, const char *a, const char *b, int (*H)[m + 1]) {
    int best = 0;
#pragma heddle wavefront map(to: a[0:n], b[0:m]) keep(H: none) reduction(max: best)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            H[i][j] = MAX(0, MAX(H[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 2 : -1), MAX(H[i - 1][j], H[i][j - 1]) - 1));
            best = MAX(best, H[i][j]);
        }
    return best;
}
double relax(int n, int m, double (*A)[m]);
double relax(int n, int m, double (*A)[m]) {
    double sum = 0;
#pragma heddle wavefront reduction(max: sum)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            A[i][j] += 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] - 4 * A[i][j]);
            sum = MAX(sum, A[i][j]);
        }
    return sum;
}
void sweeps(int n, int m, float (*A)[m], int count);
void sweeps(int n, int m, float (*A)[m], int count) {
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < count; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) / 4;
}
