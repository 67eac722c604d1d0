/* SPDX-License-Identifier: Apache-2.0 */
/* Loops whose iterations may touch the same element: through indices, another row, an unknown distance, a division. */
struct pixel { unsigned char red, green; };
void scatter(int n, long *count, const int *bin)
{
#pragma heddle for map(tofrom: count[heddle_lo : heddle_count]) map(to: bin[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        count[bin[i]]++;
}
void pivot(int n, int m, int row, double (*M)[m])
{
#pragma heddle for map(tofrom: M[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            M[i][j] -= M[row][j];
}
void delayed(int n, int lag, float *x)
{
#pragma heddle for map(tofrom: x[heddle_lo : heddle_count])
    for (int i = lag; i < n; i++)
        x[i] += 0.5f * x[i - lag];
}
void halves(int n, struct pixel *p)
{
#pragma heddle for map(tofrom: p[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        p[i / 2].red = (unsigned char)(p[i / 2].red ^ p[i].green);
}
void pitch(int n, int m, int wide, int *a)
{
#pragma heddle for map(tofrom: a[heddle_lo * wide : heddle_count * wide])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * wide + j] = i - j;
}
void inner(int n, int m, int *a)
{
#pragma heddle for collapse(2) map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i] += j;
}
/* Conditions keep some iterations out, not these. */
void guarded(int n, int m, int *a)
{
#pragma heddle for map(tofrom: a[4 * heddle_lo : 4 * heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (j < 4)
                a[4 * i + j] = j;
            else
                a[4 * i + j] = i;
#pragma heddle for map(tofrom: a[4 * heddle_lo : 4 * heddle_count])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (!(j >= 4))
                continue;
            a[4 * i + j] += i;
        }
}
// expect: 8:9: error: one iteration writes 'count[bin[i]]', another writes 'count[bin[i]]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 15:13: error: one iteration writes 'M[i][j]', another reads 'M[row][j]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 15:24: note: 'M[row][j]' is here
// expect: 21:9: error: one iteration writes 'x[i]', another reads 'x[i - lag]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 21:24: note: 'x[i - lag]' is here
// expect: 27:9: error: one iteration writes 'p[i / 2].red', another reads 'p[i / 2].red', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 27:40: note: 'p[i / 2].red' is here
// expect: 41:13: error: one iteration writes 'a[i]', another writes 'a[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 50:17: error: one iteration writes 'a[4 * i + j]', another writes 'a[4 * i + j]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 52:17: note: 'a[4 * i + j]' is here
// expect: 58:13: error: one iteration writes 'a[4 * i + j]', another writes 'a[4 * i + j]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
