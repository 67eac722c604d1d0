/* SPDX-License-Identifier: Apache-2.0 */
/* Rows behind pointers are the host's; where nothing shows which they are, or a device is named, each table is an error
   once. */
void f(int n, int m, int **A, int **B, const int *weight, int *const *C)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i][j - 1] + A[i - 1][j];
#pragma heddle wavefront device(n)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i][j - 1] + A[i - 1][j];
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i % 2][j] = A[i % 2][j - 1] + A[(i - 1) % 2][j];
#pragma heddle wavefront
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i][j - 1] + (i > 0 ? A[i - 1][j] : 0);
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i][j - 1] + A[i - 1][j] + C[weight[i] & 3][j] + C[0][j];
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i][j - 1] + A[i - 1][j];
            B[i] = A[i];
        }
#pragma heddle wavefront map(tofrom: A[0 : n])
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = A[i][j - 1] + A[i - 1][j];
}
// expect: 9:13: note: this nest stays on the host: 'A' holds pointers, and what they point to cannot be mapped; use a pointer to an array, T (*A)[columns], or one linear array
// expect: 13:13: error: 'A' holds pointers, and what they point to cannot be mapped; use a pointer to an array, T (*A)[columns], or one linear array
// expect: 17:13: error: 'A' holds pointers, and nothing shows which of its rows the nest uses, so that they could be looked at before; use a pointer to an array, T (*A)[columns]
// expect: 21:46: error: 'A' holds pointers, and nothing shows which of its rows the nest uses, so that they could be looked at before; use a pointer to an array, T (*A)[columns], or write 'independent' if they overlap nothing that the nest writes
// expect: 25:51: error: 'C' holds pointers, and nothing shows which of its rows the nest uses, so that they could be looked at before; use a pointer to an array, T (*C)[columns], or write 'independent' if they overlap nothing that the nest writes
// expect: 29:13: error: 'A' holds pointers, and nothing shows whether what they point to overlaps what the nest writes; use it by both subscripts alone and name it in no clause, or use a pointer to an array, T (*A)[columns], or, where it is only read, write 'independent'
// expect: 30:13: error: 'B' holds pointers, and nothing shows whether what they point to overlaps what the nest writes; use it by both subscripts alone and name it in no clause, or use a pointer to an array, T (*B)[columns], or, where it is only read, write 'independent'
// expect: 35:13: error: 'A' holds pointers, and nothing shows whether what they point to overlaps what the nest writes; use it by both subscripts alone and name it in no clause, or use a pointer to an array, T (*A)[columns], or, where it is only read, write 'independent'
