/* SPDX-License-Identifier: Apache-2.0 */
/* What functions do through their pointers counts, at the place that does it. */
static void put(int *at, int value) { *at = value; }
static void next(int *a, int i) { put(a + i + 1, a[i]); }
static int *pick(int *a, int *b, int which) { return which ? a : b; }
static void deep(int *a, int n)
{
    if (n > 0) {
        a[n] = n;
        deep(a, n / 2);
    }
}
void calls(int n, int *a, int *b)
{
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        next(a, i);
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count], b[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        pick(a, b, i)[i] = i;
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        deep(a, i);
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        __builtin_memcpy(&a[4 * i], &a[4 * i + 4], 16);
    }
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
#pragma omp simd
        for (int k = 0; k < 8; k++)
            a[i + k] = k;
    }
}
void outside(int *a, int i);
void unseen(int n, int *a)
{
#pragma heddle for map(tofrom: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
#pragma heddle variant(cuda: outside) variant(other: outside) variant(host: outside)
        outside(a, i);
}
// expect: 3:39: error: one iteration writes '*at', another reads 'a[i]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 4:50: note: 'a[i]' is here
// expect: 15:1: note: the iterations are those of this loop
// expect: 20:9: error: one iteration writes what 'pick(a, b, i)[i]' leads to, another writes what 'pick(a, b, i)[i]' leads to, and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 9:9: error: one iteration writes 'a[n]', another reads 'a', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 10:14: note: 'a' is here
// expect: 21:1: note: the iterations are those of this loop
// expect: 26:26: error: one iteration writes '&a[4 * i]', another reads '&a[4 * i + 4]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 26:37: note: '&a[4 * i + 4]' is here
// expect: 32:13: error: one iteration writes 'a[i + k]', another writes 'a[i + k]', and nothing proves that they are different elements; if they always are, write '#pragma heddle for independent'
// expect: 41:9: error: 'outside(a, i)' calls what has no body here, so it may touch what other iterations use; if it does not, write '#pragma heddle for independent'
