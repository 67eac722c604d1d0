/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*H)[n][m], int (*C)[m][3])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            H[0][i][j] = H[0][i - 1][j] + H[1][i][j - 1];
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            C[i][j][0] = C[i - 1][j][0] + 1;
            C[i][j][2] = C[i][j][0] + 1;
        }
}
// expect: 7:43: error: 'H[1][i][j - 1]' is of another part of the array than the element written, by a constant subscript; give each part an array of its own, or make elements structures
// expect: 7:13: note: 'H' is written here
// expect: 12:13: error: 'C[i][j][2]' is of another part of the array than the element written, by a constant subscript; give each part an array of its own, or make elements structures
// expect: 11:13: note: 'C' is written here
