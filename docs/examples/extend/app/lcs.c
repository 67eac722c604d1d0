/* SPDX-License-Identifier: Apache-2.0 */
/* lcs: the longest common subsequence of two seeded texts, as an application of heddle's own is written. */
#include "app.h"
#include "nest.h"
#include <stdlib.h>

static char *letters(long count, uint64_t seed) {
    struct app_random random;
    char *text = app_alloc((size_t)count + 1, 1);
    app_seed(&random, seed);
    for (long i = 0; i < count; i++)
        text[i] = "ACGT"[app_below(&random, 4)];
    return text;
}

int main(int argc, char **argv) {
    struct app app = {.name = "lcs",
                      .summary = "longest common subsequence of two seeded texts",
                      .two_sizes = true,
                      .rows = 2000,
                      .cols = 2000};
    const int status = app_parse(&app, argc, argv);
    if (status >= 0)
        return status;
    const int n = (int)app.rows, m = (int)app.cols;
    const size_t count = ((size_t)n + 1) * ((size_t)m + 1);
    if (app_memory_fits(&app, (double)count * sizeof(int), "the table") >= 0)
        return APP_BAD_INPUT;
    char *a = letters(n, 1), *b = letters(m, 2);
    int *cells = app_alloc(count, sizeof *cells), length = 0;
    double *seconds = app_alloc((size_t)app.repeat, sizeof *seconds);
    for (size_t k = 0; k < count; k++)
        cells[k] = 0;
    for (long k = 0; k < app.repeat; k++) {
        const double start = app_seconds();
        length = lcs(n, m, a, b, cells);
        seconds[k] = app_seconds() - start;
    }
    const uint64_t sum = app_hash(APP_HASH_START, cells, count * sizeof *cells);
    struct app_result result = {.rows = n,
                                .cols = m,
                                .seconds = app_median(seconds, (int)app.repeat),
                                .work = (double)n * m,
                                .unit = "GCUPS",
                                .checksum = sum,
                                .check = APP_NOT_CHECKED};
    if (app.check) {
        const bool same =
            lcs_serial(n, m, a, b, cells) == length && app_hash(APP_HASH_START, cells, count * sizeof *cells) == sum;
        result.check = same ? APP_CHECK_OK : APP_CHECK_BAD;
    }
    free(seconds);
    free(cells);
    free(b);
    free(a);
    return app_report(&app, &result, stdout, "length", length);
}
