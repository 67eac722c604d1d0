/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that count down to zero in a type without a sign, and end by going round. */
#include "../run/run.h"
#include <stdint.h>

enum { N = 700 };
static double x[N + 1];
static int table[40][50];

static void heads(size_t n, unsigned m, int k)
{
    size_t i;
    unsigned j;
    if (n) {
#pragma heddle for
        for (size_t i = n - 1; i != (size_t)-1; i--)
            x[i] += 1 + i;
    }
#pragma heddle for
    for (size_t i = n - 1; i != SIZE_MAX; --i)
        x[i] += 2 * i;
#pragma heddle for
    for (i = (n - 1); i < n; i--)
        x[i] += 3 * i;
#pragma heddle for
    for (unsigned u = m; u != -1; u -= 1)
        x[u] += 4 * u;
#pragma heddle for
    for (j = m * 2 - m - 1; j != -1u; j--)
        x[j] += 5 * j;
#pragma heddle for
    for (size_t i = k - 1; i != -1; i--)
        x[i] += 6 * i + k;
#pragma heddle for
    for (size_t i = 99; i != (size_t)-1; i--)
        x[i] += 7 * i;
}

/* ~0u in a type that has more: to where it begins there */
static void widened(unsigned n)
{
#pragma heddle for
    for (size_t i = (size_t)(n - 1) + (n == 0); i != (size_t)~0ul; i--)
        x[i] += 1;
}

static void nests(unsigned n, unsigned m)
{
    unsigned j;
#pragma heddle wavefront
    for (unsigned i = n - 2; i != -1u; i--)
        for (unsigned j = m - 2; j != -1u; j--)
            table[i][j] = (table[i + 1][j] + 3 * table[i][j + 1] + 1) & 0xff;
#pragma heddle for
    for (unsigned i = 0; i < n; i++)
        for (j = m - 1; j < m; j--)
            table[i][j] += (int)j;
}

int main(void)
{
    static const unsigned sizes[] = {0, 1, 2, 350, N};
    for (int k = 0; k < 5; k++)
        heads(sizes[k], sizes[k] ? sizes[k] : 1, (int)sizes[k]);
    widened(90);
    nests(40, 50);
    nests(2, 3);
    run_report("x", x, sizeof x);
    run_report("table", table, sizeof table);
    return 0;
}
