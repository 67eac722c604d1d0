/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma heddle for
        for (int j = 0; j < n; j++)
            a[i] = j;
    }
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma omp parallel for
        for (int j = 0; j < n; j++)
            a[i] = j;
    }
}
// expect: 6:1: error: '#pragma heddle for' inside a loop whose iterations run on many devices; put it into a function that a 'variant' calls, or take it out
// expect: 8:13: error: one iteration writes 'a[i]', another writes 'a[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 12:1: error: an OpenMP directive other than 'simd', 'atomic', 'critical' and 'target …' inside the loop; its iterations are what runs in parallel
