/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled for the host alone; see test_messages.c. */
void combine_host_code(int device, int n, int m, int (*A)[m]);
void combine_host_code(int device, int n, int m, int (*A)[m]) {
#pragma heddle wavefront device(device)
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1]) & 0xffff;
}
