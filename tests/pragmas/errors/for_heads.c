/* SPDX-License-Identifier: Apache-2.0 */
/* Heads of several variables that do not follow from one, and jumps inside of an iteration. */
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
}
// expect: 7:10: error: not a canonical loop: it sets more than its variable; set the others before the loop, or let the head add a constant to each of them
// expect: 10:28: error: not a canonical loop: the increment changes more than one variable, and not each by the same amount; change the others in the body
// expect: 13:10: error: not a canonical loop: it declares more than its variable; declare the others before the loop, or let the head add a constant to each of them
// expect: 18:13: error: what a 'goto' inside of the loop leaves out is not followed; use if and else, or a function
