/* SPDX-License-Identifier: Apache-2.0 */
/* Array parameters in all their spellings are pointers. */
#include "../run/run.h"

enum { M = 40 };
typedef double row[M];
typedef double grid[50][M];

static void constant(int n, double b[100], const double a[100])
{
#pragma heddle for map(from: b[heddle_lo : heddle_count]) map(to: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        b[i] = 2 * a[i];
}
static void open_ended(int n, const double a[], double b[restrict])
{
#pragma heddle for map(to: a[heddle_lo : heddle_count]) map(from: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        b[i] = a[i] + 1;
}
static void qualified(int n, double b[restrict static 10], double c[const], double (d)[n + 1])
{
#pragma heddle for map(tofrom: b[heddle_lo : heddle_count], c[heddle_lo : heddle_count]) map(from: d[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        b[i] += 1;
        (c)[i] -= b[i];
        d[i] = c[i] * 2;
    }
}
static void square(int n, double b[n][n])
{
#pragma heddle for map(from: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = i - j;
}
static void rows(int n, double b[][M], double (*c)[M], row d[], row *e, grid f)
{
#pragma heddle for collapse(2) independent map(from: b[heddle_lo : heddle_count], c[heddle_lo : heddle_count], d[heddle_lo : heddle_count]) \
    map(from: e[heddle_lo : heddle_count]) map(tofrom: f[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++) {
            b[i][j] = c[i][j] = i * j;
            d[i][j] = e[i][j] = b[i][j] + 1;
            *(*(f + i) + j) += d[i][j];
        }
}
static void fixed(row b)
{
#pragma heddle for map(tofrom: b[heddle_lo : heddle_count])
    for (int i = 0; i < M; i++)
        b[i] *= 3;
}
static void local(void)
{
    static double table[100];
    double here[100];
#pragma heddle for map(from: table[heddle_lo : heddle_count], here[heddle_lo : heddle_count])
    for (int i = 0; i < 100; i++)
        table[i] = here[i] = i;
    run_report("table", table, sizeof table);
    run_report("here", here, sizeof here);
}

int main(void)
{
    static double a[100], b[100], c[100], d[101], s[60][60], r[5][50][M];
    for (int i = 0; i < 100; i++)
        a[i] = (double)(run_random() % 100);
    constant(100, b, a);
    open_ended(100, a, c);
    run_report("b", b, sizeof b);
    qualified(100, b, c, d);
    square(60, s);
    rows(50, r[0], r[1], r[2], r[3], r[4]);
    fixed(r[4][7]);
    run_report("b", b, sizeof b);
    run_report("c", c, sizeof c);
    run_report("d", d, sizeof d);
    run_report("s", s, sizeof s);
    run_report("r", r, sizeof r);
    local();
    return 0;
}
