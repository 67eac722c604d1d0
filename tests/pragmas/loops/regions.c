/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies with target regions of their own, alone and beside a call with a variant. */
#include "../run/run.h"

static const int weight[4] = {1, 3, 5, 7};
static int mix(int a, int b) { return a * weight[b & 3] + b; }
static void note(int *at, int value) { *at = value; }
#ifdef _OPENMP
#include <heddle.h>
static void note_device(int *at, int value) { *at = heddle_variant_device() >= 0 ? value : -1; }
#endif

static void blocks(int n, int m)
{
    int *x = malloc((size_t)(n * m + 1) * sizeof *x), *y = calloc((size_t)(n * m) + 1, sizeof *y), *done = calloc((size_t)n + 1, sizeof *done);
    long sum = 0;
    run_ints(x, (size_t)(n * m), 100);
#pragma heddle for independent map(to: x[heddle_lo * m : heddle_count * m]) map(from: y[heddle_lo * m : heddle_count * m]) reduction(+: sum)
    for (int b = 0; b < n; b++) {
#pragma omp target teams distribute parallel for
        for (int j = 0; j < m; j++)
            y[b * m + j] = mix(x[b * m + j], j);
        long part = 0;
#pragma omp target teams distribute parallel for \
    reduction(+: part) map(tofrom: part)
        for (int j = 0; j < m; j++)
            part += y[b * m + j];
        sum += part;
    }
    run_report("y", y, (size_t)(n * m) * sizeof *y);
    printf("%ld\n", sum);
#pragma heddle for independent map(to: x[heddle_lo * m : heddle_count * m]) map(tofrom: y[heddle_lo * m : heddle_count * m]) \
    map(from: done[heddle_lo : heddle_count])
    for (int b = 0; b < n; b++) {
#pragma omp target parallel for
        for (int j = 0; j < m; j++)
            y[b * m + j] += x[b * m + j];
#pragma heddle variant(other: note_device)
        note(&done[b], b);
    }
    run_report("y", y, (size_t)(n * m) * sizeof *y);
    run_report("done", done, (size_t)n * sizeof *done);
    free(x);
    free(y);
    free(done);
}

int main(void)
{
    blocks(1, 1);
    blocks(20, 50);
    return 0;
}
