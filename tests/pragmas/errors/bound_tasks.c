/* SPDX-License-Identifier: Apache-2.0 */
/* Heads that read what the tasks, the sweeps or the problems may write. */
static void set(int *a, int i) { a[i] = i; }
void f(const int *n, int *a, const int *b)
{
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 0; i < *n; i++)
            a[i] = i + b[i];
    }
#pragma heddle pool
    {
#pragma heddle taskloop
        for (int i = 0; i < *n; i++)
            set(a, i);
    }
}
void g(const int *n, int (*A)[64])
{
#pragma heddle wavefront sweeps(t)
    for (int t = 0; t < *n; t++)
        for (int i = 1; i < 60; i++)
            for (int j = 1; j < 60; j++)
                A[i][j] = A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1];
}
void h(const int *n, int (*A)[64][64])
{
#pragma heddle wavefront batch(p)
    for (int p = 0; p < 8; p++)
        for (int i = 1; i < *n; i++)
            for (int j = 1; j < 60; j++)
                A[p][i][j] = A[p][i - 1][j] + A[p][i][j - 1];
}
// expect: 9:29: error: the tasks may write what the taskloop's head reads in memory, through 'a'; copy that to a variable before the taskloop
// expect: 15:29: error: the tasks may write what the taskloop's head reads in memory, through 'a'; copy that to a variable before the taskloop
// expect: 22:25: error: the nest may write what its head reads in memory, through 'A'; copy that to a variable before the nest
// expect: 31:29: error: the nest may write what its head reads in memory, through 'A'; copy that to a variable before the nest
