/* SPDX-License-Identifier: Apache-2.0 */
/* collapse(2): chunks of the outer loop, both loops over a device's threads; an inner loop that counts down. */
#include "../run/run.h"

static void pairs(int n, int m)
{
    int *out = calloc((size_t)(n * m) + 1, sizeof *out), *from = malloc((size_t)(n * m + 1) * sizeof *from);
    long sum = 0, key = 3;
    run_ints(from, (size_t)(n * m), 100);
#pragma heddle for collapse(2) map(to: from[heddle_lo * m : heddle_count * m]) map(from: out[heddle_lo * m : heddle_count * m]) reduction(+: sum)
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; j--) {
            if (j == 3)
                continue;
            out[i * m + j] = (int)(from[i * m + j] * key) + i - j;
            sum += out[i * m + j];
        }
    for (int i = 0; i < n && m > 3; i++)
        out[i * m + 3] = 0;
    printf("%d %d %ld\n", n, m, sum);
    run_report("out", out, (size_t)(n * m) * sizeof *out);
    free(out);
    free(from);
}

int main(void)
{
    pairs(1, 1);
    pairs(5, 0);
    pairs(7, 100);
    pairs(501, 13);
    return 0;
}
