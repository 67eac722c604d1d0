/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i *= 2)
        a[i] = 1;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i--)
        a[i] = 1;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (unsigned i = 1; i != (unsigned)n; i++)
        a[i] = 1;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n--; i++)
        a[i] = 1;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i += 0)
        a[i] = 1;
}
// expect: 5:28: error: not a canonical loop: the increment is not 'i += step'; rewrite it that way
// expect: 8:28: error: not a canonical loop: it counts down, but the test waits for 'i' to get large; turn one of them round
// expect: 11:26: error: not a canonical loop: the test does not compare 'i' with a bound by <, <=, > or >=; rewrite the test that way
// expect: 14:25: error: not a canonical loop: a bound changes a variable; compute it before the loop
// expect: 17:28: error: not a canonical loop: the step is 0; the loop would never end
