/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays whose parts the subscripts do not show, and which the host knows enough of: the loop stays there, unless
   devices are named. */
void sparse(int n, int m, const int *restrict begin, const int *restrict column, const float *restrict value,
            const float *restrict x, float *restrict y)
{
#pragma heddle for
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
#pragma heddle for device(all)
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = begin[i]; k < begin[i + 1]; k++)
            s += value[k] * x[column[k]];
        y[i] = s;
    }
#pragma heddle for device(host)
    for (int i = 0; i < n; i++)
        y[i] = x[column[i]];
#pragma heddle for map(to: x[0 : m])
    for (int i = 0; i < n; i++)
        y[i] = x[column[i]];
}
void scattered(int n, float *y, const float *x, const int *to)
{
#pragma heddle for independent
    for (int i = 0; i < n; i++)
        y[to[i]] = x[i];
#pragma heddle for independent device(0)
    for (int i = 0; i < n; i++)
        y[to[i]] = x[i];
}
/* two reasons, one note */
void both(int n, int m, float *a, const float *restrict x, const int *at)
{
#pragma heddle for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            a[j + m * i] = x[at[j]];
}
void neither(int n, int m, float *a, const float *x, const float *restrict z, const int *at)
{
#pragma heddle for
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            a[j + m * i] = x[at[j]] + z[at[j]];
}
/* a map of one array does not say that devices have to run it */
void partly(int n, float *y, const float *x, const float *restrict z, const int *at)
{
#pragma heddle for map(to: x[0 : n])
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]] + z[at[i]];
}
/* what keeps iterations in order is no matter of maps */
void ordered(int n, float *restrict y, const float *restrict x, const int *restrict at)
{
#pragma heddle for
    for (int i = 1; i < n; i++)
        y[i] = y[i - 1] + x[at[i]];
}
// expect: 11:18: note: this loop stays on the host: cannot tell which part of 'value' a chunk needs; add map(to: value[first : count]) with all that the loop reads
// expect: 11:29: note: cannot tell which part of 'x' a chunk needs; add map(to: x[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 11:31: note: cannot tell which part of 'column' a chunk needs; add map(to: column[first : count]) with all that the loop reads
// expect: 18:18: error: cannot tell which part of 'value' a chunk needs; add map(to: value[first : count]) with all that the loop reads
// expect: 18:29: error: cannot tell which part of 'x' a chunk needs; add map(to: x[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 18:31: error: cannot tell which part of 'column' a chunk needs; add map(to: column[first : count]) with all that the loop reads
// expect: 32:9: note: this loop stays on the host: cannot tell which part of 'y' a chunk needs; add map(tofrom: y[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 35:9: error: cannot tell which part of 'y' a chunk needs; add map(tofrom: y[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 43:13: note: this loop stays on the host: nothing shows that what two devices write of 'a' lies apart; add map(tofrom: a[first : count]); a section with heddle_lo, a chunk's first value of 'j', and heddle_count, its number of iterations, moves with the chunk
// expect: 43:28: note: cannot tell which part of 'x' a chunk needs; add map(to: x[first : count]); a section with heddle_lo, a chunk's first value of 'j', and heddle_count, its number of iterations, moves with the chunk
// expect: 50:13: note: this loop stays on the host: nothing shows that what two devices write of 'a' lies apart; add map(tofrom: a[first : count]); a section with heddle_lo, a chunk's first value of 'j', and heddle_count, its number of iterations, moves with the chunk
// expect: 50:28: note: cannot tell which part of 'x' a chunk needs; add map(to: x[first : count]); a section with heddle_lo, a chunk's first value of 'j', and heddle_count, its number of iterations, moves with the chunk
// expect: 50:39: note: cannot tell which part of 'z' a chunk needs; add map(to: z[first : count]); a section with heddle_lo, a chunk's first value of 'j', and heddle_count, its number of iterations, moves with the chunk
// expect: 57:27: note: this loop stays on the host: cannot tell which part of 'z' a chunk needs; add map(to: z[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
// expect: 64:9: error: one iteration writes 'y[i]', another reads 'y[i - 1]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 64:16: note: 'y[i - 1]' is here
