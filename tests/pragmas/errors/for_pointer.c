/* SPDX-License-Identifier: Apache-2.0 */
static int twice(int x) { return 2 * x; }
void f(int n, int *a)
{
    int (*g)(int) = twice;
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = g(i);
}
// expect: 8:16: note: this loop stays on the host: call through a pointer in code for devices; call the functions by name
// expect: 8:16: error: 'g(i)' calls what has no body here, so it may touch what other iterations use; if it does not, write '#pragma heddle for independent'
