// SPDX-License-Identifier: Apache-2.0
// Problems of a batch whose results meet, and a section that is too short.
// finds: batch.c:28:[0-9]*: error: (p = 0) and (p = 7) of the for at batch.c:14 are in no order: the second one writes r\[0\] here, which the first one writes at
// finds: batch.c:22:[0-9]*: error: .* reads 4 bytes, which is in no section that is mapped for it
#include <stdio.h>
#ifdef RIGHT
enum { PLACES = 20, SAMPLES = 100 };
#else
enum { PLACES = 7, SAMPLES = 90 };
#endif

static void sums(int count, const int *place, const float *x, float *r)
{
#pragma heddle wavefront batch(p) independent map(to: x[0:SAMPLES], place[0:count]) map(tofrom: r[0:PLACES])
    for (int p = 0; p < count; p++) {
        const float *a = x + 5 * p;
        float A[2][6];
        for (int j = 0; j < 6; j++)
            A[0][j] = A[1][j] = 0;
        for (int i = 1; i <= 4; i++)
            for (int j = 1; j <= 5; j++)
                A[i & 1][j] = A[(i - 1) & 1][j] + a[j - 1];
        /* the last cell */



        /* goes where an index says */
        r[place[p]] = A[4 & 1][5];
    }
}

int main(void)
{
    static float x[100], r[20];
    int place[20];
    for (int k = 0; k < 100; k++)
        x[k] = (float)(k * 7 % 13);
    for (int p = 0; p < 20; p++)
        place[p] = p % PLACES;
    sums(20, place, x, r);
    for (int p = 0; p < 20; p++)
        printf("%g\n", r[p]);
    return 0;
}
