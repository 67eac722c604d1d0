/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays whose parts the subscripts do not show: one compile names all of them, and what to write. */
int total(const int *p, int n);
void gathered(int n, int *a, const int *b, const int *at)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = b[at[i]];
}
void many(int n, int *a, const int *b, const int *c, const int *at)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = b[at[i]] + c[i / 2];
}
void far(int n, int m, int *a)
{
#pragma heddle for independent
    for (int i = 0; i < n; i++) {
        a[i] = 1;
        a[i + m] = 2;
    }
}
void rows(int n, int (*a)[8])
{
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            a[j][j] = 0;
}
void overlapping(int n, int *a)
{
#pragma heddle for independent device(all)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            a[2 * i + j] = 0;
}
void perhaps(int n, int *a, const int *b, const int *c)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        if (i > 0)
            a[i] = b[i - 1];
        for (int j = i; j < 7; j++)
            a[i] += c[i];
    }
}
void strided(int n, int m, int *a, const int *b)
{
#pragma heddle for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j += 2)
            a[i] += b[j + 1];
}
void changing(int n, int *a, const int *b, const int *m)
{
#pragma heddle for map(to: m[0 : n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m[i]; j++)
            a[i] += b[j];
}
void extent(int n, int *a, const int b[n])
{
    n /= 2;
#pragma heddle for
    for (int i = 0; i < n; i++)
        a[i] = b[i] > 0 ? b[b[i]] : 0;
}
void handed(int n, int *a, const int *b)
{
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        a[i] = total(b + i, 3);
}
void named(int n, int *a, const int *b, const int *c, const int *at)
{
#pragma heddle for device(all)
    for (int i = 0; i < n; i++)
        a[i] = b[at[i]] + c[i / 2];
}
// expect: 8:16: note: this loop stays on the host: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 14:16: note: this loop stays on the host: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 14:27: note: cannot tell which part of 'c' a chunk needs; add map(to: c[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 20:9: note: this loop stays on the host: nothing shows that what two devices write of 'a' lies apart; add map(tofrom: a[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 29:13: note: this loop stays on the host: nothing shows that what two devices write of 'a' lies apart; all iterations write in the same rows, and chunks bring back rows of their own: declare 'a' in the loop, let the loop over its rows be the parallel one, or use taskloop in a pool
// expect: 36:13: error: cannot tell which part of 'a' a chunk needs; add map(from: a[heddle_lo * 2 : heddle_count * 2])
// expect: 53:21: note: this loop stays on the host: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]) with all that the loop reads
// expect: 60:21: note: this loop stays on the host: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]) with all that the loop reads
// expect: 67:16: note: this loop stays on the host: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 73:16: note: this loop stays on the host: 'total' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 79:16: error: cannot tell which part of 'b' a chunk needs; add map(to: b[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 79:27: error: cannot tell which part of 'c' a chunk needs; add map(to: c[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
