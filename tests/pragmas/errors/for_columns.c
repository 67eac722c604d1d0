/* SPDX-License-Identifier: Apache-2.0 */
/* A column too many is the next row's first. */
void one_more(long n, long m, double *a)
{
#pragma heddle for device(host)
    for (long j = 0; j <= m; j++)
        for (long i = 0; i < n; i++)
            a[j + m * i] += 1;
}

void below(long n, long m, double *a)
{
#pragma heddle for device(host)
    for (long j = -1; j < m - 1; j++)
        for (long i = 0; i < n; i++)
            a[j + 2 + m * i] = a[j + m * i];
}
// expect: 8:13: error: one iteration writes 'a[j + m * i]', another writes 'a[j + m * i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'; or, since its elements are only updated by '+', add reduction(+: a[first : count])
// expect: 16:13: error: one iteration writes 'a[j + 2 + m * i]', another reads 'a[j + m * i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 16:32: note: 'a[j + m * i]' is here
