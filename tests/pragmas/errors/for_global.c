/* SPDX-License-Identifier: Apache-2.0 */
static int count;
static int next(int x) { return x + count; }
static int own(int x)
{
    static int calls;
    return x + ++calls;
}
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = next(i);
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++)
        a[i] = own(i);
}
// expect: 13:16: note: this loop stays on the host: 'next' uses the global variable 'count', which devices do not have; pass it as an argument, or make it const
// expect: 16:16: note: this loop stays on the host: 'own' uses the global variable 'calls', which devices do not have; pass it as an argument, or make it const
// expect: 6:5: error: static variable 'calls' in a function that iterations run in parallel; pass it as an argument
