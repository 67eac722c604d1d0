/* SPDX-License-Identifier: Apache-2.0 */
/* Heads of several variables that do not follow from one, and jumps inside of an iteration. */
#include <stddef.h>
void f(int n, double *a, int s, int q)
{
    int i;
#pragma heddle for device(host)
    for (i = 0, s = 1; i < n; i++)
        a[i] = s;
#pragma heddle for device(host)
    for (int k = 0; k < n; k++, s *= 2)
        a[k] = s;
#pragma heddle for device(host)
    for (int i = 0, *p = &q; i < n; i++)
        a[i] = *p;
#pragma heddle for device(host)
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            goto next;
        a[i] = i;
    next:;
    }
#pragma heddle for
    for (int i = 0, j = n - 1; i < j; i++, j--)
        a[i] = a[j];
    int l, r;
#pragma heddle for
    for (l = 0, r = n; r > l; l++, r -= 2)
        a[l] = a[r];
#pragma heddle for
    for (double *p = a; p < a + n; p++)
        *p = 1;
#pragma heddle for
    for (unsigned short u = n; u != (unsigned short)-1; u--)
        a[u] = 1;
#pragma heddle for
    for (size_t u = n; u != -1u; u--)
        a[u] = 1;
#pragma heddle for
    for (size_t u = q - 1u; u < q; u--)
        a[u] = 1;
    size_t last;
#pragma heddle for
    for (last = n; last != -1; last--)
        a[last] = 1;
    a[0] += (double)last;
}
// expect: 8:10: error: not a canonical loop: it sets more than its variable; set the others before the loop, or let the head add a constant to each of them
// expect: 11:28: error: not a canonical loop: the increment changes more than one variable, and not each by the same amount; change the others in the body
// expect: 14:10: error: not a canonical loop: it declares more than its variable; declare the others before the loop, or let the head add a constant to each of them
// expect: 19:13: error: what a 'goto' inside of the loop leaves out is not followed; use if and else, or a function
// expect: 24:10: error: not a canonical loop: its test compares two variables that it changes, and no bound stays where it is; count with one, for (int i = 0; i < n / 2; i++), and compute the other from it, j = n - 1 - i
// expect: 28:10: error: not a canonical loop: its test compares two variables that it changes, and no bound stays where it is; count with one, for (int i = 0; i < n / 2; i++), and compute the other from it, j = n - 1 - i
// expect: 31:10: error: not a canonical loop: the loop variable is a pointer; count with an integer, for (long i = 0; i < n; i++), and write a[i] for what it points to
// expect: 34:32: error: not a canonical loop: the test does not compare 'u' with a bound by <, <=, > or >=; rewrite the test that way
// expect: 37:24: error: not a canonical loop: the test does not compare 'u' with a bound by <, <=, > or >=; rewrite the test that way
// expect: 40:36: error: not a canonical loop: it counts down, but the test waits for 'u' to get large; turn one of them round
// expect: 44:10: error: not a canonical loop: the loop variable is declared outside; write for (int i = first; …)
