/* SPDX-License-Identifier: Apache-2.0 */
/* Pools larger than any memory run on the host, and say what was asked for. */
// says: MB was asked for (
#include <stdio.h>

enum { N = 50 };

static void twice(long *x, int k) { x[k] += k; }

int main(void)
{
    long x[N] = {0}, sum = 0, bytes = -1;
#pragma heddle pool memory(1L << 55) map(tofrom: x)
    {
        for (int k = 0; k < N; k++) {
#pragma heddle task
            twice(x, k);
        }
    }
#pragma heddle pool memory(bytes) map(tofrom: x)
    {
        for (int k = 0; k < N; k++) {
#pragma heddle task
            twice(x, k);
        }
    }
    for (int k = 0; k < N; k++)
        sum = sum * 3 % 1000003 + x[k];
    printf("%ld\n", sum);
    return 0;
}
