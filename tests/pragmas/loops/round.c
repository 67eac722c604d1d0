/* SPDX-License-Identifier: Apache-2.0 */
/* A variable with a sign beside a bound without one: both ends are below zero, and the bound is a large number. */
#include <stdio.h>

#pragma GCC diagnostic ignored "-Wsign-compare"

static int a[64];

static void ends(unsigned u)
{
    int turns = 0;
#pragma heddle for reduction(+: turns)
    for (int i = -2; i < u - 1; i++)
        turns++;
#pragma heddle for
    for (int i = (int)u - 9; i < u - 3; i++)
        a[i + 9]++;
#pragma heddle for
    for (int i = (int)u - 1; i > u - 4; i--)
        a[i + 20] += 2;
#pragma heddle for
    for (unsigned char i = (unsigned char)(u - 6); i < 255; i++)
        a[i - 240] += 4;
#pragma heddle pool
    {
#pragma heddle taskloop
        for (unsigned i = u - 3; i < u - 1; i++)
            a[i + 40]++;
    }
    printf("%d\n", turns);
}

int main(void)
{
    ends(0);
    for (int k = 0; k < 64; k++)
        printf("%d ", a[k]);
    printf("\n");
    return 0;
}
