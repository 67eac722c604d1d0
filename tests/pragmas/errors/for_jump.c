/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
#pragma heddle for map(from: a[heddle_lo : heddle_count])
    for (int i = 0; i < n; i++) {
        static int t;
        if (a[i])
            break;
        if (n)
            return;
        a[i] = t;
    }
}
// expect: 6:9: error: static variable 't' inside the loop; its iterations run in parallel
// expect: 8:13: error: 'break' leaves the loop, whose iterations run in parallel; compute a condition instead, or reduce over it
// expect: 10:13: error: 'return' leaves the loop, whose iterations run in parallel; compute a condition instead, or reduce over it
