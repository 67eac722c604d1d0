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
// expect: 15:9: error: one iteration writes 'table[i & 7]', another writes 'table[i & 7]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
