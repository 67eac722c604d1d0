/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a, const float *b)
{
    int table[8] = {0};
#pragma heddle for map(from: table[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = (int)b[i];
}
void g(int n, int *a, const float *b)
{
    int table[8] = {0};
#pragma heddle for
    for (int i = 0; i < n; i++) {
        a[i] = (int)b[i];
        table[i & 7] = i;
    }
}
// expect: 5:30: error: 'map' of 'table', which the loop does not use; remove it
// expect: 15:9: error: cannot tell which part of 'table' a chunk needs; add map(tofrom: table[first : count]); a section with heddle_lo, a chunk's first value of 'i', and heddle_count, its number of iterations, moves with the chunk
