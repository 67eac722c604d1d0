/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int m, int (*A)[m], const int *from)
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = i * i; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
#pragma heddle wavefront map(to: from[0:n])
    for (int i = 1; i < n; i++)
        for (int j = from[i]; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
}
/* every row reads what the one above has beyond its own end */
void g(int n, int (*A)[64])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            A[i][j] = A[i - 1][2 * j] + 1;
}
// expect: 6:22: error: the inner loop's bounds depend on 'i'; the nest must be rectangular: loop over the whole range and skip cells with 'if'
// expect: 11:27: error: the inner loop's bounds depend on 'i'; the nest must be rectangular: loop over the whole range and skip cells with 'if'
// expect: 21:23: error: 'A[i - 1][2 * j]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 21:13: note: 'A' is written here
// expect: 21:23: note: nor is any order of rows behind each other proven to keep 'A[i][j]' and 'A[i - 1][2 * j]'
