/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for the host alone; see test_messages.c. */
void combine_host_code(int device, int n, int m, int (*A)[m]);
void combine_host_code(int device, int n, int m, int (*A)[m]) {
#pragma heddle wavefront device(device)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1]) & 0xffff;
}

/* What shows before the loop only: how wide rows are, and whether rows behind pointers share memory. */
void add_linear(int n, int m, int wide, int *a);
void add_linear(int n, int m, int wide, int *a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * wide + j] = 2 * a[i * wide + j] + i;
}

void add_rows(int n, int m, int **a);
void add_rows(int n, int m, int **a) {
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 2 * a[i][j] + i;
}

void mix_rows(int n, int m, int **a);
void mix_rows(int n, int m, int **a) {
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i][j] = (a[i - 1][j] + a[i][j - 1]) & 0xffff;
}
