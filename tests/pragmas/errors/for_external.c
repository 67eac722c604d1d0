/* SPDX-License-Identifier: Apache-2.0 */
int elsewhere(int);
static int (*pointer)(int);
static int inside(int x) { return elsewhere(x); }
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = inside(i);
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = elsewhere(i);
}
// expect: 4:35: error: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
// expect: 12:16: error: 'elsewhere' is called in the loop, but its body is not in this file, so it cannot run on a device; define it here or in a header, or say what devices call instead: '#pragma heddle variant(cuda: …)'
