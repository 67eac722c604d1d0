// SPDX-License-Identifier: Apache-2.0
// What keep() drops is read afterwards: a cell in the middle of a nest whose last row and column stay.
// finds: keep.c:29:[0-9]*: error: this reads 4 bytes of 'A', which 'keep' lets the wavefront at keep.c:[0-9]* drop; say keep(…: all), or do not read it
// finds: keep.c:30:[0-9]*: error: this reads 4 bytes of 'A', which 'keep' lets the wavefront at keep.c:[0-9]* drop
#include <stdio.h>
enum { N = 20, M = 30 };
static int H[N + 1][M + 1], E[N + 1][M + 1];

static void fill(int (*A)[M + 1], int seed)
{
#pragma heddle wavefront keep(A: last)
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= M; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] * 3 + seed) % 1009;
}

int main(void)
{
    long sum = 0;
    fill(H, 5);
    fill(E, 7);
    for (int j = 0; j <= M; j++)
        sum += H[N][j];
    for (int i = 0; i <= N; i++)
        sum = sum * 3 + H[i][M];
    E[4][4] = 1; /* written anew: may be read */
    sum += E[4][4];
#ifndef RIGHT
    sum += H[3][3];
    sum += *(&H[0][0] + (M + 1) * 4 + 7);
#endif
    printf("%ld\n", sum);
    return 0;
}
