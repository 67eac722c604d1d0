/* SPDX-License-Identifier: Apache-2.0 */
void f(int n, int *a)
{
    int sum = 0, last = 0;
#pragma heddle for map(from: a[heddle_lo : heddle_count]) reduction(+: sum) reduction(max: last)
    for (int i = 0; i < n; i++) {
        sum *= 2;
        a[i] = last;
    }
}
// expect: 7:9: error: this is not a '+' reduction of 'sum'; update it with that operator only
// expect: 8:16: error: reduction variable 'last' read outside its own update; its value is known only after the nest
