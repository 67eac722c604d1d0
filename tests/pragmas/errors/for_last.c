/* SPDX-License-Identifier: Apache-2.0 */
/* Last values for which there is no room, or which an inner loop leaves. */
int f(int n, int (*a)[100], int *b)
{
    int i = 0, j = 0;
#pragma heddle for
    for (i = 0; i < n; i++)
        for (j = i; j < 100; j++)
            a[i][j] = i - j;
    if (n > 7)
#pragma heddle for
        for (i = 0; i < n; i++)
            b[i] = i;
    return i + j;
}
// expect: 8:14: error: 'j' is declared outside of the loop and read behind it, but its last value there is that of an inner loop; set it again before it is read
// expect: 12:14: error: 'i' is declared outside of the loop and read behind it, where there is no room for its last value; write { } around the loop
