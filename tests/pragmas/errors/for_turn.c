/* SPDX-License-Identifier: Apache-2.0 */
/* Sections that are too short for what inner loops touch in their first turn, and for rows that all iterations share. */
void stencil(int n, int m, double (*a)[m], const double (*b)[m])
{
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i + 1][j];
}
void columns(int n, int m, double *sum, const double (*a)[m])
{
#pragma heddle for map(from: sum[heddle_lo : heddle_count]) map(to: a[heddle_lo : heddle_count])
    for (int j = 0; j < m; j++) {
        double s = 0;
        for (int i = 0; i < n; i++)
            s += a[i][j];
        sum[j] = s;
    }
}
void row(int n, int m, int k, double (*a)[m])
{
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int j = k + 1; j < m; j++)
        for (int i = 0; i < n; i++)
            a[k][j] += i;
}
void pivot(int n, int m, int k, double (*a)[m])
{
#pragma heddle for independent map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] -= a[k][j];
}
void triangle(int n, int m, double *y, const double (*a)[m], const double *x)
{
#pragma heddle for map(from: y[heddle_lo : heddle_count]) map(to: a[heddle_lo : heddle_count], x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = i + 1; j < m; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
}
void fine(int n, int m, int t, double *y, const double (*a)[m], const double *x)
{
#pragma heddle for map(from: y[heddle_lo : heddle_count]) map(to: a[heddle_lo : heddle_count], x[0 : heddle_lo + heddle_count])
    for (int i = 0; i < n; i++) {
        double s = x[0];
        for (int j = 0; j < i; j++)
            s += a[i][j] * x[j];
        y[i] = s;
    }
#pragma heddle for map(from: y[heddle_lo * t : heddle_count * t]) map(to: x[heddle_lo * t : heddle_count * t])
    for (int i = 0; i < n; i++)
        for (int j = i * t; j < (i + 1) * t; j++)
            y[j] = x[j];
#pragma heddle for map(from: y[heddle_lo : heddle_count]) map(to: x[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = i + 1; j < m && j < t; j++)
            s += x[j];
        y[i] = s;
    }
}
// expect: 8:23: error: 'b[i + 1][j]' of a chunk's first iteration lies behind the section b[heddle_lo : heddle_count] that is mapped; the loop needs b[heddle_lo + 1 : heddle_count]
// expect: 16:18: error: 'a[i][j]' does not move with 'j', but the section a[heddle_lo : heddle_count] that is mapped does; map all that the loop reads, without heddle_lo
// expect: 25:13: error: 'a[k][j]' does not move with 'j', but the section a[heddle_lo : heddle_count] that is mapped does; chunks bring back rows of their own: let the loop over the rows be the parallel one, or use taskloop in a pool
// expect: 32:24: error: 'a[k][j]' does not move with 'i', but the section a[heddle_lo : heddle_count] that is mapped does; copy what all iterations read to another array before the loop, and map that
// expect: 40:28: error: 'x[j]' of a chunk's first iteration lies behind the section x[heddle_lo : heddle_count] that is mapped; heddle_lo is the loop variable there, heddle_count the number of iterations
