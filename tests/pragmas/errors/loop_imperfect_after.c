/* SPDX-License-Identifier: Apache-2.0 */
/* jumps, columns that may have any order, and an inner loop that may run backwards between the two */
void f(int n, int m, int (*A)[m])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        if (A[i - 1][0])
            continue;
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
    }
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        A[i][0] = 0;
        for (int j = 1; j < m; j++) {
            A[i][j] = A[i - 1][j] + 1;
        }
        A[i][0] += A[i][1];
    }
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < i; j++)
            A[i][j] = A[i - 1][j] + 1;
        for (int j = m; j < n; j++)
            A[i][j] = A[i - 1][j] + 1;
    }
}
/* the last column's statement comes after elements of the next row that it reads */
void g(int n, int (*A)[64])
{
#pragma heddle wavefront
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < 60; j++)
            A[i][j] = A[i - 1][j] + A[i - 1][63];
        A[i][63] = A[i][59];
    }
}
// expect: 8:13: error: 'continue' leaves cells of the row out, and which ones is known only when the row is reached; put the condition into the inner loop
// expect: 15:9: error: nothing shows that this statement belongs before the inner loop's columns or behind them: its columns may be theirs, or their loop may end before it begins; move it into the inner loop or out of the nest
// expect: 25:9: error: nothing shows that this loop belongs before the inner loop's columns or behind them: its columns may be theirs, or their loop may end before it begins; move it into the inner loop or out of the nest
// expect: 35:37: error: 'A[i - 1][63]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 35:13: note: 'A' is written here
// expect: 36:9: error: 'A[i][63]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 35:13: note: 'A' is written here
// expect: 36:20: error: 'A[i][59]' is not at constant distance from the element written; only uniform dependences can be run as a wavefront (or assert them with sink())
// expect: 35:13: note: 'A' is written here
// expect: 35:37: note: nor is any order of rows behind each other proven to keep 'A[i][63]' and 'A[i - 1][63]'
