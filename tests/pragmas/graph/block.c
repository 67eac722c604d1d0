/* SPDX-License-Identifier: Apache-2.0 */
/* Between two waits the block itself writes what tasks read, and changes what they wrote; sections may be empty. */
#include <stdio.h>

static int a[64], b[64], c[4];

int main(void) {
    unsigned long sum = 0;
#ifndef WITHOUT
#pragma heddle graph
#endif
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 64; i++)
            a[i] = k * 100 + i;
        for (int j = 0; j < 4; j++) {
            int *x = a + 16 * j, *y = b + 16 * j, *z = c + j, n = j == k ? 0 : 16;
#pragma omp target nowait depend(in: x[0:16]) depend(inout: y[0:16]) map(to: x[0:16]) map(tofrom: y[0:16])
            {
                for (int i = 0; i < 16; i++)
                    y[i] += x[i];
            }
#pragma omp target nowait depend(in: x[0:n]) depend(inout: z[0:1]) map(to: x[0:n]) map(tofrom: z[0:1])
            {
                for (int i = 0; i < n; i++)
                    z[0] += x[i];
            }
        }
#pragma omp taskwait
        for (int i = 0; i < 64; i++) {
            sum = sum * 31 + (unsigned)b[i];
            b[i] ^= 1;
        }
    }
    printf("%lu %d %d %d %d\n", sum, c[0], c[1], c[2], c[3]);
    return 0;
}
