// SPDX-License-Identifier: Apache-2.0
// A nest whose arrays overlap: what it reads of the second one is written through the first one, in cells of no order to this one.
// finds: overlap.c:16:[0-9]*: error: (i = [0-9]*, j = [0-9]*) and (i = [0-9]*, j = [0-9]*) of the wavefront at overlap.c:13 are in no order
#include <stdio.h>
enum { N = 24, M = 24 };
#ifdef RIGHT
enum { SHIFT = N *M };
#else
enum { SHIFT = M + 3 };
#endif

static void nest(int (*A)[M], const int (*B)[M]) {
#pragma heddle wavefront map(tofrom: A[0 : N]) map(to: B[0 : N])
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + B[i - 1][j]) % 10007;
}

int main(void)
{
    static int a[2 * N * M];
    unsigned h = 0;
    for (int i = 0; i < 2 * N * M; i++)
        a[i] = i % 13;
    nest((int(*)[M])(a), (const int(*)[M])(a + SHIFT));
    for (int i = 0; i < 2 * N * M; i++)
        h = h * 31 + (unsigned)a[i];
    printf("%u\n", h);
    return 0;
}
