/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that are proven without a word: matrices, rows, tiles, triangles, histograms, structures, pointers and functions; and
   rows of a length that only the caller knows, which is said by `independent`. */
#include "../run/run.h"

enum { N = 60, M = 36 };
typedef struct { double re, im; } complex_t;

static inline long flat(int y, int x, int wide) { return (long)y * wide + x; }
static inline double *row_of(double *a, int y, int wide) { return a + (long)y * wide; }
static void scale(double *x, int n, double by)
{
    for (int k = 0; k < n; k++)
        x[k] *= by;
}

static void matrices(int n, int m, double (*a)[m], double (*b)[n], double (*c)[m], double *line)
{
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count]) map(to: b[heddle_lo : heddle_count], c[0 : n])
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i][j] *= 0.5;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++)
                a[i][j] += b[i][k] * c[k][j];
    }
#pragma heddle for collapse(2) map(tofrom: line[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; j--)
            line[i * m + j] += line[flat(i, j, m)] * 0.25;
#pragma heddle for map(tofrom: line[heddle_lo * m : heddle_count * m])
    for (int i = 0; i < n; i++) {
        double *row = row_of(line, i, m), keep[M];
        memcpy(keep, row, (size_t)m * sizeof *row);
        scale(row, m, 0.5);
        for (int j = 0; j < m; j++)
            row[j] += keep[m - 1 - j];
    }
}

static void eliminate(int n, double (*a)[n], int k)
{
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n && i != k; j++)
            a[i][j] += 0.125 * i;
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            a[i][j] = j > 0 ? a[i][j - 1] + 1 : i;
}

static void tiles(int n, int size, int *a)
{
#pragma heddle for map(tofrom: a[heddle_lo : MIN(size * heddle_count, n - heddle_lo)])
    for (int first = 0; first < n; first += size)
        for (int i = first; i < MIN(first + size, n); i++)
            a[i] += i > first ? a[i - 1] & 7 : 3;
}

static void histograms(int n, int *count, const unsigned char *sample, complex_t *z)
{
#pragma heddle for map(from: count[heddle_lo * 256 : heddle_count * 256]) map(to: sample[heddle_lo * M : heddle_count * M])
    for (int i = 0; i < n; i++) {
        int *own = count + 256 * i;
        memset(own, 0, 256 * sizeof *own);
        for (int k = 0; k < M; k++)
            own[sample[i * M + k]]++;
    }
#pragma heddle for map(tofrom: z[2 * heddle_lo : 2 * heddle_count])
    for (int i = 0; i < n; i++) {
        const complex_t even = z[2 * i], odd = z[2 * i + 1];
        z[2 * i].re = even.re + odd.im;
        z[2 * i + 1].re = even.re - odd.im;
        z[2 * i].im = odd.re;
    }
}

/* Columns of a row that a condition leaves. */
static void guarded(int n, int m, int *a)
{
#pragma heddle for map(tofrom: a[4 * heddle_lo : 4 * heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (j >= 4 || j == 1)
                continue;
            a[4 * i + j] += i - j;
        }
}

/* Matrices in one dimension, by their columns, and in tiles of these; three dimensions in one. */
static void columns(long n, long m, double *a, double *b)
{
#pragma heddle for device(host)
    for (long j = 0; j < m; j++)
        for (long i = 0; i < n; i++) {
            b[j * n + i] += a[j + m * i];
            a[j + m * i] += 1;
        }
#pragma heddle for independent device(host)
    for (long first = 0; first < m; first += 8)
        for (long j = first; j < MIN(first + 8, m); j++)
            for (long i = 0; i < n; i++)
                a[j + m * i] += i ? a[j + m * i - m] * 0.125 : 1;
#pragma heddle for device(host)
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 6; j++)
                b[k + 4 * (j + 6 * i)] += a[k] + j;
}

static void wide(int n, int m, int pitch, int *a)
{
#pragma heddle for independent map(tofrom: a[heddle_lo * pitch : heddle_count * pitch])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * pitch + j] += i ^ j;
}

int main(void)
{
    static double a[N][M], b[N][N], c[N][M], line[N * M], square[N][N];
    static int tiled[N * M], count[N * 256];
    static unsigned char sample[N * M];
    static complex_t z[2 * N];
    for (int i = 0; i < N * M; i++)
        (&a[0][0])[i] = i % 9, (&c[0][0])[i] = i % 5, line[i] = i % 13;
    for (int i = 0; i < N * N; i++)
        (&b[0][0])[i] = i % 7, (&square[0][0])[i] = i % 11;
    for (int i = 0; i < 2 * N; i++)
        z[i] = (complex_t){i, -i};
    run_ints(tiled, N * M, 100);
    run_fill(sample, sizeof sample, 256);
    matrices(N, M, a, b, c, line);
    eliminate(N, square, 7);
    tiles(N * M - 5, 32, tiled);
    histograms(N, count, sample, z);
    guarded(N, M, tiled);
    wide(N, M - 3, M, tiled);
    columns(N, M, &a[0][0], &c[0][0]);
    run_report("a", a, sizeof a);
    run_report("line", line, sizeof line);
    run_report("square", square, sizeof square);
    run_report("tiled", tiled, sizeof tiled);
    run_report("count", count, sizeof count);
    run_report("z", z, sizeof z);
    return 0;
}
