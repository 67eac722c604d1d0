/* SPDX-License-Identifier: Apache-2.0 */
/* forms: registers memory. The first and last columns of nests that read memory, where lanes have no cell yet or none any more: several arrays
   at several distances, elements of all sizes, rows whose pitch is near a multiple of 4 KB. */
#include "run.h"

static void division(int n, int m, int p, int (*A)[p], const int (*F)[p])
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (A[i - 1][j] * 3 + A[i][j - 1] + A[i + 1][j] + A[i][j + 1] * 5 + A[i][j] - F[i][j]) % 10007;
}

/* F: a row more on both sides, four columns more */
static void far(int n, int m, int p, unsigned (*A)[p], const short (*F)[p + 4])
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = A[i - 1][j] * 3 + A[i][j - 1] + A[i - 1][j - 1] + A[i][j + 1] * 5 + (unsigned)(F[i + 1][j + 3] * F[i - 1][j - 1]);
}

static void wide(int n, int m, int p, double (*A)[p], const int (*F)[p])
{
#pragma heddle wavefront
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++)
            A[i][j] = (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1] + F[i][j]) / 8;
}

static long narrow(int n, int m, int p, unsigned char (*A)[p], const int (*F)[p])
{
    long sum = 0;
#pragma heddle wavefront reduction(+: sum)
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            A[i][j] = (unsigned char)(A[i - 1][j] * 3 + A[i][j - 1] + A[i + 1][j] + F[i][j]);
            sum += A[i][j];
        }
    return sum;
}

static void one_size(int n, int m, int p)
{
    const size_t cells = (size_t)(n + 2) * (size_t)p, more = (size_t)(n + 2) * (size_t)(p + 4);
    int *a = malloc(cells * sizeof *a), *f = malloc(cells * sizeof *f);
    short *s = malloc(more * sizeof *s);
    double *d = malloc(cells * sizeof *d);
    unsigned char *c = malloc(cells);
    run_ints(a, cells, 1000);
    run_ints(f, cells, 1000);
    run_fill(c, cells, 256);
    for (size_t k = 0; k < more; k++)
        s[k] = (short)(run_random() % 200) - 100;
    for (size_t k = 0; k < cells; k++)
        d[k] = run_random() % 1000;
    division(n, m, p, (int(*)[p])a, (const int(*)[p])f);
    run_report("division", a, cells * sizeof *a);
    far(n, m, p, (unsigned(*)[p])a, (const short(*)[p + 4])s);
    run_report("far", a, cells * sizeof *a);
    wide(n, m, p, (double(*)[p])d, (const int(*)[p])f);
    run_report("wide", d, cells * sizeof *d);
    const long sum = narrow(n, m, p, (unsigned char(*)[p])c, (const int(*)[p])f);
    run_report("narrow", c, cells);
    run_report("sum", &sum, sizeof sum);
    free(a), free(f), free(s), free(d), free(c);
}

int main(void)
{
    static const int sizes[][3] = {{1, 1, 3}, {33, 48, 50}, {32, 79, 81}, {130, 160, 163}, {64, 1022, 1024}, {35, 1500, 2048}, {40, 2100, 3072}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        one_size(sizes[k][0], sizes[k][1], sizes[k][2]);
    return 0;
}
