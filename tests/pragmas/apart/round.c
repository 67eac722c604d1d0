/* SPDX-License-Identifier: Apache-2.0 */
/* Variables without a sign whose values go round: i + 5 begins at zero. */
// says: : the loop's variable may go round below zero, since it is not so that
// overlaps: 0
// apart: 5
// apart: 20
#include <stdio.h>
#include <stdlib.h>

static int a[64], b[64];

int main(int argc, char **argv) {
    const unsigned u = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    const size_t n = u;
#pragma heddle for
    for (unsigned i = u - 5; i < u - 2; i++) /* up to 4294967293 */
        a[i + 5] = 7 + (int)i;
#pragma heddle for
    for (size_t i = n - 5; i < n - 1; i++)
        b[i + 5] = a[i + 5] + 1;
    for (int i = 0; i < 64; i++)
        printf("%d %d ", a[i], b[i]);
    return 0;
}
