/* SPDX-License-Identifier: Apache-2.0 */
/* Dependences that no order of rows behind each other keeps, or of which nothing is known. */
void mirrored(int n, double (*A)[64])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 64; j++)
            A[i][j] += A[i - 1][63 - j];
}
void transposed(int n, double (*A)[64])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 64; j++)
            A[i][j] += A[j][i];
}
void right_part(int n, double (*A)[64])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 0; j < 64; j++)
            for (int k = j; k < 64; k++)
                A[i][j] += A[i - 1][k];
}
void diagonal(int n, int m, int *x)
{
#pragma heddle wavefront map(tofrom: x[0:n + m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            x[i + j] = x[i + j] + i;
}
void kept(int n, int m, int *x, const int *at)
{
#pragma heddle wavefront map(tofrom: x[0:m]) map(to: at[0:m])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            x[at[j]] += i;
}
// expect: 8:24: error: 'A[i - 1][63 - j]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 8:13: note: 'A' is written here
// expect: 8:24: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[i - 1][63 - j]'
// expect: 15:24: error: 'A[j][i]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 15:13: note: 'A' is written here
// expect: 15:24: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[j][i]'
// expect: 23:28: error: 'A[i - 1][k]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 23:17: note: 'A' is written here
// expect: 23:28: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[i - 1][k]'
// expect: 30:13: error: 'x[i + j]' is not a uniform subscript; write an element at constant distance from (i, j): A[i + c][j + d], A[(i + c) * ld + j + d], A[i % 2][j], A[i] or A[j]
// expect: 30:24: note: nor is any order of rows behind each other proven to keep 'x[i + j]' and 'x[i + j]'
// expect: 37:13: error: 'x[at[j]]' is not a uniform subscript; write an element at constant distance from (i, j): A[i + c][j + d], A[(i + c) * ld + j + d], A[i % 2][j], A[i] or A[j]
