/* SPDX-License-Identifier: Apache-2.0 */
/* What is proposed for arrays without a map clause: the section that the subscripts show, or none. */
void own(int n, int *a, const int *b)
{
#pragma heddle for map(to: b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = b[i];
}
void both(int n, int *a)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] += 1;
}
void stencil(int n, int m, int (*a)[m], const int (*b)[m])
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i - 1][j] + b[1 + i][j];
}
void flat(int n, int m, int *a, const int *b)
{
#pragma heddle for map(from: a[heddle_lo * m : heddle_count * m])
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = b[(i - 1) * m + j] + b[i * m + j];
}
void pairs(int n, int *a)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        a[2 * i + 1] = 0;
        a[2 * i] = 1;
    }
}
void columns(int n, int m, int *sum, const int (*a)[m])
{
#pragma heddle for map(from: sum[heddle_lo : heddle_count])
    for (int j = 0; j < m; j++) {
        sum[j] = 0;
        for (int i = 0; i < n; i++)
            sum[j] += a[i][j];
    }
}
void column(int n, int m, int (*a)[m])
{
#pragma heddle for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            a[i][j] = 0;
}
void gathered(int n, int *a, const int *b, const int *at)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count]) map(to: at[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = b[at[i]];
}
void strided(int n, int *a)
{
#pragma heddle for
    for (int i = 0; i < n; i += 2)
        a[i] = 0;
}
// expect: 7:9: error: cannot tell which part of 'a' a chunk needs; add map(from: a[heddle_lo : heddle_count])
// expect: 13:9: error: cannot tell which part of 'a' a chunk needs; add map(tofrom: a[heddle_lo : heddle_count])
// expect: 20:23: error: cannot tell which part of 'b' a chunk needs; add map(to: b[heddle_lo - 1 : heddle_count + 2])
// expect: 27:28: error: cannot tell which part of 'b' a chunk needs; add map(to: b[(heddle_lo - 1) * m : (heddle_count + 1) * m])
// expect: 33:9: error: cannot tell which part of 'a' a chunk needs; add map(from: a[heddle_lo * 2 : heddle_count * 2])
// expect: 43:23: error: cannot tell which part of 'a' a chunk needs; add map(to: a[first : count]) with all that the loop reads
// expect: 51:13: error: cannot tell which part of 'a' a chunk needs; all iterations write in the same rows, and chunks bring back rows of their own: declare 'a' in the loop, let the loop over its rows be the parallel one, or use taskloop in a pool
// expect: 57:16: error: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 63:9: error: cannot tell which part of 'a' a chunk needs; add map(from: a[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
